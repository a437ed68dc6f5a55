import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trigpoint as tp
from reference import alignment as oracle
from reference import graphs
from trigpoint.alignment import sharpness
from trigpoint.alignment._weights import NAMES, edge_weights

CLOUDS = hnp.arrays(np.float64, st.tuples(st.integers(2, 12), st.integers(1, 3)), elements=st.integers(-2, 2))
KERNELS = ("self_tuning", "heat", "binary", "distance")
DIRECTED = graphs.from_lists([[(1, 1.0), (2, 2.0)], [(2, 1.0)], [(0, 2.0)], []], [3.0, 1.0, 2.0, 5.0])


def test_a_path_by_hand():
    """d_01 = 1, d_12 = 2, scales 1, 2, 2."""
    graph = graphs.from_lists([[(1, 1.0)], [(0, 1.0), (2, 2.0)], [(1, 2.0)]])
    found = {name: edge_weights(graph, name).toarray()[[0, 1, 0], [1, 2, 2]] for name in KERNELS}
    np.testing.assert_allclose(found["self_tuning"], [np.exp(-1 / 2), np.exp(-1.0), 0])
    np.testing.assert_allclose(found["heat"], [np.exp(-1 / 4), np.exp(-1.0), 0])  # sigma = 2
    np.testing.assert_array_equal(found["binary"], [1, 1, 0])
    np.testing.assert_array_equal(found["distance"], [1, 2, 0])
    with_sigma = edge_weights(graph, "heat", sigma=0.5).toarray()
    np.testing.assert_allclose(with_sigma[[0, 1], [1, 2]], np.exp([-4.0, -16.0]))


PERPLEXITIES = st.sampled_from([None, 1.5, 2.0, 3.0, 5.0])


@given(CLOUDS, st.data(), st.sampled_from(KERNELS), PERPLEXITIES)
def test_weights_match_the_definition(X, data, name, perplexity):
    graph = graphs.knn(X, data.draw(st.integers(1, len(X) - 1)))
    W = edge_weights(graph, name, perplexity=perplexity)
    assert W.has_canonical_format
    assert np.all(W.data > 0)
    exact = name != "self_tuning" or sharpness(graph, perplexity) == 1.0
    np.testing.assert_allclose(
        W.toarray(), oracle.weights(graph, name, perplexity=perplexity), rtol=1e-12 if exact else 1e-6, atol=0
    )
    np.testing.assert_array_equal(W.toarray(), W.toarray().T)


@pytest.mark.parametrize("name", [*KERNELS, "own"])
def test_one_way_edges_count_both_ways_and_the_larger_weight_stands(name):
    W = edge_weights(DIRECTED, name)
    np.testing.assert_allclose(W.toarray(), oracle.weights(DIRECTED, name))
    assert W[[3]].nnz == 0


def test_own_similarities_keep_the_larger_of_both_directions():
    W = edge_weights(DIRECTED, "own").toarray()
    assert W[0, 2] == W[2, 0] == 5.0  # listed as 1 and as 5


def test_auto_prefers_the_graphs_own_similarities():
    np.testing.assert_array_equal(
        edge_weights(DIRECTED, "auto").toarray(), edge_weights(DIRECTED, "own").toarray()
    )
    plain = graphs.from_lists([[(1, 1.0)], [(0, 1.0)]])
    np.testing.assert_array_equal(
        edge_weights(plain, "auto").toarray(), edge_weights(plain, "self_tuning").toarray()
    )


def test_duplicates_weigh_one_and_zero_scales_take_the_median():
    """Samples 0 and 1 coincide, so with one neighbor both have scale 0; 2 and 3 have 2 and 2."""
    graph = graphs.from_lists([[(1, 0.0)], [(0, 0.0)], [(3, 2.0)], [(2, 2.0), (0, 3.0)]])
    W = edge_weights(graph, "self_tuning").toarray()
    assert W[0, 1] == 1.0
    np.testing.assert_allclose(W[0, 3], np.exp(-9 / (2.5 * 3.0)))  # median of 2 and 3, times 3


@pytest.mark.parametrize("name", ["self_tuning", "heat"])
def test_a_pool_of_duplicates_has_weights_of_one(name):
    W = edge_weights(graphs.knn(np.ones((4, 2)), 3), name)
    np.testing.assert_array_equal(W.toarray(), 1 - np.eye(4))


def test_zero_distances_are_no_edges_under_distance_weights():
    graph = graphs.from_lists([[(1, 0.0), (2, 1.0)], [(0, 0.0)], [(0, 1.0)]])
    W = edge_weights(graph, "distance")
    assert W.nnz == 2
    assert W[[1]].nnz == 0


@given(st.integers(0, 10_000), st.integers(2, 60), st.integers(1, 20), PERPLEXITIES)
def test_sharpness_matches_the_definition(seed, n, K, perplexity):
    rng = np.random.default_rng(seed)
    graph = graphs.knn(rng.normal(size=(n, 3)) * rng.exponential(size=(n, 1)), min(K, n - 1))
    c = sharpness(graph, perplexity)
    np.testing.assert_allclose(c, oracle.sharpness(graph, perplexity), rtol=1e-7)
    if c > 1.0:
        np.testing.assert_allclose(oracle.median_perplexity(graph, c), perplexity, rtol=0, atol=1e-3)
    elif perplexity is not None:
        flat, sharp = (oracle.median_perplexity(graph, c) for c in (1.0, 100.0))
        assert flat <= perplexity + 1e-9 or sharp > perplexity - 1e-4


def test_the_median_perplexity_is_five_unless_told_otherwise():
    graph = graphs.knn(np.random.default_rng(0).normal(size=(300, 6)), 15)
    c = sharpness(graph)
    assert 2.0 < c < 50.0
    np.testing.assert_allclose(oracle.median_perplexity(graph, c), 5.0, rtol=0, atol=1e-3)
    assert sharpness(graph, 12.0) < c < sharpness(graph, 2.0)
    assert sharpness(graph, None) == 1.0


def test_sharpness_knows_no_scale_and_no_order():
    rng = np.random.default_rng(1)
    graph = graphs.knn(rng.normal(size=(200, 4)), 15)
    c = sharpness(graph)
    for factor in (2.0**-600, 0.25, 2.0**600):
        scaled = graphs.from_lists(_lists(graph, factor))
        assert sharpness(scaled) == c
    shuffled = graphs.permuted(graph, rng.permutation(200))
    np.testing.assert_allclose(sharpness(shuffled), c, rtol=1e-6)


def _lists(graph, factor=1.0):
    pairs = [(oracle.neighbors(graph, i), oracle.distances(graph, i)) for i in range(graph.n_samples)]
    return [[(j, factor * d) for j, d in zip(*pair, strict=True)] for pair in pairs]


def test_sharpness_stays_one_where_five_cannot_be():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(50, 3))
    assert sharpness(graphs.knn(X, 5)) == 1.0  # no more than 5 at c = 0
    assert sharpness(graphs.knn(np.ones((30, 2)), 15)) == 1.0  # all equal, whatever c is
    copies = np.repeat(X[:10], 20, axis=0)
    assert sharpness(graphs.knn(copies, 15)) == 1.0
    equal = graphs.from_lists([[(j, 2.0) for j in range(9) if j != i] for i in range(9)])
    assert sharpness(equal) == 1.0
    assert sharpness(graphs.from_lists([[], []])) == 1.0
    assert sharpness(graphs.from_lists([[]])) == 1.0


def test_isolated_samples_do_not_count_for_sharpness():
    graph = graphs.knn(np.random.default_rng(3).normal(size=(40, 3)), 12)
    lists = [[(j + 1, d) for j, d in row] for row in _lists(graph)]
    np.testing.assert_allclose(
        sharpness(graphs.from_lists([[], *lists, [], []])), sharpness(graph), rtol=1e-6
    )


def test_evenly_spaced_rows_stand_for_many():
    graph = tp.neighbor_graph(np.random.default_rng(4).normal(size=(7000, 3)), 15)
    c = sharpness(graph)
    np.testing.assert_allclose(oracle.median_perplexity(graph, c), 5.0, atol=0.1)


def test_listed_edges_never_vanish_and_duplicates_do_not_drown_the_rest():
    """A pair far from everything, and c so large that typical weights are 1e-20."""
    far = graphs.from_lists([[(1, 1.0), (2, 1e6)], [(0, 1.0)], [(3, 1.0)], [(2, 1.0)], [(0, 1e200)]])
    W = edge_weights(far, "self_tuning")
    assert W.nnz == 8
    assert W.data.min() == pytest.approx(np.exp(-1.0) * 1e-6)
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 200))
    X[1] = X[0]
    graph = graphs.knn(X, 15)
    assert sharpness(graph) > 40.0
    W = edge_weights(graph, "self_tuning")
    strongest = np.median(W.max(axis=1).toarray())
    assert W.max() < 1.1e6 * strongest
    assert W.max() == W[0, 1] < 1e-10


def test_underflow_is_reported_once_with_its_count():
    graph = graphs.from_lists([[(1, 1.0), (2, 100.0)], [(0, 1.0)], [(0, 100.0)]])
    with pytest.warns(UserWarning, match=r"2 of 4 listed edges have weight 0 .* weights='heat'") as caught:
        W = edge_weights(graph, "heat", sigma=1.0)
    assert len(caught) == 1
    assert W.nnz == 2


def test_extreme_distances_neither_overflow_nor_warn():
    for scale in (1e-200, 1e200):
        graph = graphs.from_lists([[(abs(i - 1), scale)] for i in range(5)])
        W = edge_weights(graph, "self_tuning")
        np.testing.assert_allclose(W.data, np.exp(-1.0))


def test_the_graph_is_left_as_it_was():
    graph = graphs.from_lists([[(2, 1.0), (1, 2.0)], [(0, 2.0)], [(0, 1.0)]], [3.0, 1.0, 1.0, 3.0])
    before = [a.copy() for a in (graph.indptr, graph.indices, graph.distances, graph.similarities)]
    for name in NAMES:
        edge_weights(graph, name).data[:] = -1
    after = (graph.indptr, graph.indices, graph.distances, graph.similarities)
    for old, new in zip(before, after, strict=True):
        np.testing.assert_array_equal(old, new)


def test_an_edgeless_graph_has_no_weights():
    graph = graphs.from_lists([[], [], []])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert edge_weights(graph, "self_tuning").nnz == 0


def test_refusals():
    graph = graphs.from_lists([[(1, 1.0)], [(0, 1.0)]])
    with pytest.raises(ValueError, match=r"weights must be one of 'auto', 'self_tuning', .*; got 'gaussian'"):
        edge_weights(graph, "gaussian")
    with pytest.raises(ValueError, match="weights='own' needs a graph with similarities"):
        edge_weights(graph, "own")
    for sigma in (0, -1.0, np.nan, np.inf, "1"):
        with pytest.raises(ValueError, match="sigma must be a finite number greater than 0"):
            edge_weights(graph, "heat", sigma)
    with pytest.raises(ValueError, match="sigma must be None unless weights='heat'; got 1 with 'auto'"):
        edge_weights(graph, "auto", 1.0)
    for perplexity in (1, 0.5, -2.0, np.nan, np.inf, "5", True):
        with pytest.raises(ValueError, match="perplexity must be a finite number greater than 1"):
            edge_weights(graph, perplexity=perplexity)
        with pytest.raises(ValueError, match="perplexity must be a finite number greater than 1"):
            sharpness(graph, perplexity)
    with pytest.raises(TypeError, match="graph must be a NeighborGraph"):
        sharpness(np.eye(3))
    for bad in (-1.0, np.nan, np.inf):
        own = graphs.from_lists([[(1, 1.0)], [(0, 1.0)]], [1.0, bad])
        with pytest.raises(ValueError, match="similarities must be finite and at least 0"):
            edge_weights(own, "own")
