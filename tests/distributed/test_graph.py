"""Graphs on a cluster are those of one machine, for all partitions and sources."""

import warnings

import dask.array
import numpy as np
import pytest

import trigpoint as tp
from reference.clusters import curved
from trigpoint.distributed import _features


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


@pytest.fixture
def large(monkeypatch):
    """Small pools are searched as large ones are."""
    from trigpoint.distributed import _part_graph

    monkeypatch.setattr(_part_graph, "EXACT_SIZE", 1000)


@pytest.mark.parametrize(
    ("metric", "some"),
    [
        ("euclidean", slice(2, 3)),
        pytest.param("euclidean", slice(None), marks=pytest.mark.slow),
        pytest.param("cosine", slice(0, None, 2), marks=pytest.mark.slow),
    ],
)
def test_any_partitions_and_sources_have_the_graph_of_one_machine(cluster, large, tmp_path, metric, some):
    X = curved(6000)
    np.save(tmp_path / "X.npy", X)
    wanted = tp.neighbor_graph(X, 10, method="approximate", metric=metric, random_state=3)
    sources = [(X, 1), (X, 2), (tmp_path / "X.npy", 5), (dask.array.from_array(X, (2500, 3)), None)]
    for source, m in sources[some]:
        there = tp.distributed.neighbor_graph(
            source, 10, client=cluster, metric=metric, n_partitions=m, random_state=3
        )
        found = there.gather()
        assert same(found, wanted)
        assert (found.metric, found.method, found.recall) == (metric, "approximate", wanted.recall)
        assert there.recall == wanted.recall > 0.98


@pytest.mark.parametrize("metric", ["euclidean", pytest.param("cosine", marks=pytest.mark.slow)])
def test_a_pool_searched_along_few_directions_has_the_graph_of_one_machine(cluster, large, metric):
    X = curved(6000, p=40).astype(np.float32)
    wanted = tp.neighbor_graph(X, 10, method="approximate", metric=metric, random_state=3)
    for m in (1, 4):
        found = tp.distributed.neighbor_graph(
            X, 10, client=cluster, metric=metric, n_partitions=m, random_state=3
        ).gather()
        assert same(found, wanted)
        assert found.recall == wanted.recall > 0.98


# the square of the last is more than float32 can hold
@pytest.mark.parametrize("far", [1e6, pytest.param(3e20, marks=pytest.mark.slow)])
def test_crowds_and_samples_far_out(cluster, large, far):
    X = curved(6500).astype(np.float32)
    X[:800] = X[800]  # a crowd, in all blocks
    X[6000:6013] = X[6100]  # 14 copies: a crowd of 6, in one of the last blocks
    X[100::1100] = X[50]  # copies of the first crowd
    X[2000 : 2003 if far == 1e6 else 2001] = far * np.arange(1, 4 if far == 1e6 else 2)[:, None]
    wanted = tp.neighbor_graph(X, 5, method="approximate")
    for m in (1, 3):
        assert same(tp.distributed.neighbor_graph(X, 5, client=cluster, n_partitions=m).gather(), wanted)


@pytest.mark.parametrize("others", [0, 2])
def test_a_pool_of_copies(cluster, large, others):
    X = np.ones((1500, 7))
    X[:others] = curved(others, p=7)
    found = tp.distributed.neighbor_graph(X, 5, client=cluster, n_partitions=3).gather()
    wanted = tp.neighbor_graph(X, 5)  # by another way, whose sums may round otherwise
    assert np.array_equal(found.indices, wanted.indices)
    assert np.allclose(found.distances, wanted.distances, rtol=1e-12, atol=0)
    assert found.recall == 1.0


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_few_features_have_the_exact_graph(cluster, large, metric):
    X = np.random.default_rng(3).integers(1, 12, (3000, 2)).astype(float)  # ties, and crowds
    X = np.vstack([X, curved(3000, p=2) + 3])
    wanted = tp.neighbor_graph(X, 5, method="exact", metric=metric)
    for m in (1, 3):
        found = tp.distributed.neighbor_graph(X, 5, client=cluster, n_partitions=m, metric=metric).gather()
        assert same(found, wanted)
        assert (found.method, found.recall) == ("exact", 1.0)


def test_ties_everywhere_fall_the_same_way(cluster, large):
    X = np.random.default_rng(3).integers(0, 4, (6000, 7)).astype(float)
    wanted = tp.neighbor_graph(X, 5, method="approximate")
    assert wanted.method == "approximate"
    for m in (2, 5):
        found = tp.distributed.neighbor_graph(X, 5, client=cluster, n_partitions=m).gather()
        assert same(found, wanted)


@pytest.mark.slow
def test_without_structure_the_recall_is_told(cluster, large):
    X = np.random.default_rng(0).normal(size=(5000, 60))  # neighbors share no neighbors
    graphs = []
    for m in (1, 4):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            graphs.append(tp.distributed.neighbor_graph(X, 10, client=cluster, n_partitions=m).gather())
        warned = [str(one.message) for one in told if "of the true neighbors" in str(one.message)]
        assert len(warned) == int(graphs[0].recall < 0.95)
    assert same(*graphs)
    truth = tp.neighbor_graph(X, 10, method="exact").distances.reshape(-1, 10)[:, -1:]
    hits = np.mean(graphs[0].distances.reshape(-1, 10) <= truth * (1 + 1e-9))
    assert hits == pytest.approx(graphs[0].recall, abs=0.03)
    assert hits > 0.9


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
    with pytest.raises(tp.InputError, match="X must hold finite numbers only; got nan in row 150, column 0"):
        tp.distributed.neighbor_graph(
            dask.array.from_array(np.where(X[150, 0] == X, np.nan, X), (100, 8)), client=cluster
        )
    with pytest.raises(tp.InputError, match="X must hold real numbers; got dtype object"):
        tp.distributed.neighbor_graph(dask.array.from_array(X.astype(object), (100, 8)), client=cluster)
    with pytest.raises(tp.InputError, match=r"path of a \.npy file"):
        tp.distributed.neighbor_graph(tmp_path / "X.csv", client=cluster)
    with pytest.raises(tp.InputError, match="no row of zeros"):
        tp.distributed.neighbor_graph(np.vstack([X, np.zeros((1, 8))]), client=cluster, metric="cosine")
    with pytest.raises(tp.InputError, match="metric must be one of"):
        tp.distributed.neighbor_graph(X, client=cluster, metric="manhattan")


@pytest.mark.parametrize(
    ("made", "rule"),
    [
        (lambda X: X[X[:, 0] > 0], r"known sizes, as after X\.compute_chunk_sizes\(\); got \(nan, 8\)"),
        (lambda X: X[:, 0], r"two-dimensional; got shape \(200,\)"),
        (lambda X: X[:, :0], r"at least one sample and one feature; got shape \(200, 0\)"),
        (
            lambda X: X.map_blocks(lambda rows: rows[1:]),
            r"\(100, 8\) from row .*; got .* \(99, 8\)",
        ),
        (
            lambda X: X.map_blocks(lambda rows: rows[:, 1:]),
            r"\(100, 8\) from row .*; got .* \(100, 7\)",
        ),
    ],
)
def test_a_dask_array_that_does_not_fit(cluster, made, rule):
    X = made(dask.array.from_array(curved(200), (100, 8)))
    with pytest.raises(tp.InputError, match=f"^X must .*{rule}"):
        tp.distributed.neighbor_graph(X, client=cluster)


def test_a_data_frame_is_no_array(cluster):
    frame = pytest.importorskip("dask.dataframe").from_dict({"x": [0.0, 1.0]}, 1)
    with pytest.raises(tp.InputError, match=r"to_dask_array\(lengths=True\).*got a Dask DataFrame"):
        tp.distributed.neighbor_graph(frame, client=cluster)


WRONG = {
    "must hold the 12800 bytes of its shape": lambda X: X,
    "must hold plain numbers or text; got pickled objects": lambda X: X.astype(object),
    "must hold real numbers; got dtype complex128": lambda X: X.astype(complex),
    r"must hold samples in rows, .*; got shape \(0, 8\)": lambda X: X[:0],
    r"must hold samples in rows, .*; got shape \(200,\)": lambda X: X[:, 0],
}


@pytest.mark.parametrize("rule", WRONG)
def test_a_file_that_does_not_fit_is_named(cluster, tmp_path, rule):
    file = tmp_path / "x.npy"
    np.save(file, WRONG[rule](curved(200)), allow_pickle=True)
    if "bytes" in rule:
        file.write_bytes(file.read_bytes()[:-8])
    with pytest.raises(tp.InputError, match=rf"x\.npy {rule}") as caught:
        tp.distributed.neighbor_graph(file, client=cluster)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_gone_or_that_workers_do_not_see(cluster, tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"x\.npy must be a file that exists"):
        tp.distributed.neighbor_graph(tmp_path / "x.npy", client=cluster)
    monkeypatch.setattr(_features, "check_rows", lambda path: ((200, 8), np.dtype("f8")))
    with pytest.raises(tp.InputError, match=r"X must be a file that every worker can read; got .*x\.npy"):
        tp.distributed.neighbor_graph(tmp_path / "x.npy", client=cluster)
