"""The Laplacian in blocks of rows is that of the whole graph, to the last bit."""

import numpy as np
import pytest

import trigpoint as tp
from reference.clusters import curved

OPTIONS = [
    {},
    {"normalized": True},
    {"perplexity": None},
    {"weights": "binary"},
    {"weights": "distance"},
    {"weights": "heat"},
    {"weights": "heat", "sigma": 0.5},
]


def assert_same(found, wanted):
    assert np.array_equal(found.indptr, wanted.indptr)
    assert np.array_equal(found.indices, wanted.indices)
    assert np.array_equal(found.data, wanted.data)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_laplacian_is_the_same_to_the_last_bit(cluster, graph, options):
    there = tp.distributed.scatter(graph, cluster, 3)
    assert_same(tp.distributed.laplacian(there, **options).gather(), tp.laplacian(graph, **options))


@pytest.mark.parametrize("n_partitions", [1, 2, 7])
def test_partitions_do_not_matter_even_with_lists_that_are_empty(cluster, islands, n_partitions):
    there = tp.distributed.scatter(islands, cluster, n_partitions)
    assert_same(tp.distributed.laplacian(there).gather(), tp.laplacian(islands))


def test_exponents_out_of_range_are_cut_where_the_whole_graph_cuts_them(cluster):
    X = curved(600)
    X[::50] += 30.0 * np.arange(1, 13)[:, None]  # far out, so that d^2 / (s_i s_j) is large
    outliers = tp.neighbor_graph(X, 8)
    wanted = tp.laplacian(outliers)
    assert 0 < -wanted.data[wanted.data < 0].max() < 1e-5
    found = tp.distributed.laplacian(tp.distributed.scatter(outliers, cluster, 3)).gather()
    assert_same(found, wanted)


def test_a_graph_with_weights_of_its_own(cluster):
    rng = np.random.default_rng(0)
    edges = rng.integers(0, 60, (300, 2))
    own = tp.graph_from_edges(
        edges[edges[:, 0] != edges[:, 1]], weights=rng.random((edges[:, 0] != edges[:, 1]).sum())
    )
    there = tp.distributed.scatter(own, cluster, 4)
    assert_same(tp.distributed.laplacian(there).gather(), tp.laplacian(own))


def test_edges_that_vanish_are_told(cluster, graph):
    there = tp.distributed.scatter(graph, cluster, 2)
    with pytest.warns(UserWarning, match="weight 0 to machine precision"):
        found = tp.distributed.laplacian(there, "heat", sigma=1e-3).gather()
    with pytest.warns(UserWarning, match="weight 0"):
        assert_same(found, tp.laplacian(graph, "heat", sigma=1e-3))


def test_what_cannot_be(cluster, graph):
    there = tp.distributed.scatter(graph, cluster, 2)
    with pytest.raises(tp.InputError, match="similarities of its own"):
        tp.distributed.laplacian(there, "own")
    with pytest.raises(tp.InputError, match="sigma must be None"):
        tp.distributed.laplacian(there, sigma=1.0)
    with pytest.raises(TypeError, match="DistributedGraph"):
        tp.distributed.laplacian(graph)
