"""Graphs on a cluster: exact where one machine is, else the same for all partitions and sources."""

import dask.array
import numpy as np
import pytest

import trigpoint as tp
from reference.clusters import curved


def same(one, other):
    return np.array_equal(one.indices, other.indices) and np.array_equal(one.distances, other.distances)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_small_pools_have_the_graph_of_one_machine(cluster, metric):
    X = curved(1500)
    found = tp.distributed.neighbor_graph(X, client=cluster, metric=metric, n_partitions=3).gather()
    wanted = tp.neighbor_graph(X, metric=metric)
    assert np.array_equal(found.indices, wanted.indices)
    assert np.allclose(found.distances, wanted.distances, rtol=1e-12, atol=1e-15)
    assert (found.metric, found.method, found.recall) == (metric, "exact", 1.0)


def test_arrays_files_and_dask_give_one_graph(cluster, tmp_path, monkeypatch):
    from trigpoint.distributed import _part_graph

    monkeypatch.setattr(_part_graph, "EXACT_SIZE", 1000)  # so that a small pool is searched by cells
    X = curved(6000)
    np.save(tmp_path / "X.npy", X)
    found = [
        tp.distributed.neighbor_graph(source, 10, client=cluster, n_partitions=m)
        for source, m in ((X, 2), (tmp_path / "X.npy", 5), (dask.array.from_array(X, (2500, 3)), None))
    ]
    graphs = [one.gather() for one in found]
    assert same(graphs[0], graphs[1])
    assert same(graphs[0], graphs[2])
    truth = tp.neighbor_graph(X, 10, method="exact")
    hits = [
        len(set(a) & set(b))
        for a, b in zip(graphs[0].neighbors.tolist(), truth.neighbors.tolist(), strict=True)
    ]
    assert np.sum(hits) / truth.indices.size == pytest.approx(graphs[0].recall, abs=0.01)
    assert graphs[0].recall > 0.98
    assert found[0].recall == graphs[0].recall


def test_few_features_and_copies(cluster, monkeypatch):
    from trigpoint.distributed import _part_graph

    monkeypatch.setattr(_part_graph, "EXACT_SIZE", 1000)
    rng = np.random.default_rng(3)
    X = rng.integers(0, 12, (3000, 2)).astype(float)  # ties and copies everywhere
    one, other = (
        tp.distributed.neighbor_graph(X, 5, client=cluster, n_partitions=m).gather() for m in (1, 4)
    )
    assert same(one, other)
    assert (one.indices.reshape(-1, 5) != np.arange(3000)[:, None]).all()


def test_new_samples_get_the_values_of_one_machine(cluster):
    X, rng = curved(1200), np.random.default_rng(2)
    values = rng.standard_normal((1200, 2))
    values[7] = np.nan
    new = np.vstack([X[:4], curved(50, seed=9)])
    there = tp.distributed.neighbor_graph(X, client=cluster, n_partitions=3)
    graph = tp.neighbor_graph(X)
    for options in ({}, {"weights": "binary", "n_neighbors": 4}, {"perplexity": None}):
        found = tp.distributed.predict(there, X, new, values, **options)
        assert np.allclose(found, tp.extend(graph, X, new, values, **options), rtol=1e-12, atol=1e-12)


def test_what_cannot_be(cluster, tmp_path):
    X = curved(200)
    with pytest.raises(tp.InputError, match=r"X must hold finite numbers only \(in the rows from 100\)"):
        tp.distributed.neighbor_graph(
            dask.array.from_array(np.where(X[150, 0] == X, np.nan, X), (100, 8)), client=cluster
        )
    with pytest.raises(tp.InputError, match=r"path of a \.npy file"):
        tp.distributed.neighbor_graph(tmp_path / "X.csv", client=cluster)
    with pytest.raises(tp.InputError, match="no row of zeros"):
        tp.distributed.neighbor_graph(np.vstack([X, np.zeros((1, 8))]), client=cluster, metric="cosine")
    with pytest.raises(tp.InputError, match="metric must be one of"):
        tp.distributed.neighbor_graph(X, client=cluster, metric="manhattan")
