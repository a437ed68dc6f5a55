import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import samplers as oracle
from trigpoint.graph import NeighborGraph
from trigpoint.selection._approx_dpp import _sigma, _sparse_distances, approx_dpp
from trigpoint.selection._pool import Pool

X = np.array([[0.0, 0.0], [0.5, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, 1.0]])  # the last two are duplicates
D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
# Directed lists: 0 -> 1, 1 -> 2, 3 -> 2, 3 -> 4, 4 -> 3; sample 0 hears of landmark 1, and 1 of 0.
LISTS = NeighborGraph(
    np.array([0, 1, 2, 2, 4, 5]),
    np.array([1, 2, 4, 2, 3], dtype=np.int32),
    np.array([D[0, 1], D[1, 2], D[3, 4], D[3, 2], D[4, 3]]),
)


def neighbor_distances(graph):
    """Undirected distances, inf between samples that are not neighbors."""
    near = np.full((graph.n_samples,) * 2, np.inf)
    for i in range(graph.n_samples):
        row = slice(graph.indptr[i], graph.indptr[i + 1])
        for j, d in zip(graph.indices[row], graph.distances[row], strict=True):
            near[i, j] = near[j, i] = min(near[i, j], d)
    return near


def pool_of(features, graph, initial=()):
    n = graph.n_samples if graph is not None else features.shape[0]
    return Pool(sparse.csr_array((n, n)), features, graph, np.array(initial, dtype=np.int64))


def draws(pool, n_landmarks, times=1500, **options):
    rng = np.random.default_rng(0)
    return [tuple(approx_dpp(pool, n_landmarks, rng, **options).tolist()) for _ in range(times)]


@pytest.mark.parametrize(("n_landmarks", "initial"), [(3, ()), (5, ()), (2, (1,)), (3, (4, 2))])
@pytest.mark.parametrize(("neighbors", "features"), [("graph", None), ("all", X)])
def test_draws_follow_the_definition(neighbors, features, n_landmarks, initial):
    distances = neighbor_distances(LISTS) if neighbors == "graph" else D
    free = [i for i in range(5) if i not in initial]
    law = oracle.successive(oracle.repulsion(distances, 0.8, initial), free, n_landmarks)
    biased = oracle.successive(oracle.repulsion(distances, 1.6, initial), free, n_landmarks)
    seen = draws(pool_of(features, LISTS, initial), n_landmarks, neighbors=neighbors, sigma=0.8)
    assert oracle.chi_square(seen, law) > 1e-3
    assert oracle.chi_square(seen, biased) < 1e-3, "the test must tell another sigma apart"


def test_sparse_features_give_the_same_draws():
    forms = (X, sparse.csr_array(X))
    dense, sparsely = (draws(pool_of(F, LISTS, (1,)), 4, 200, neighbors="all") for F in forms)
    assert dense == sparsely


def test_sparse_duplicates_are_at_distance_zero():
    rows = np.random.default_rng(0).standard_normal((5, 40)).repeat(4, axis=0)
    squared = np.array([_sparse_distances(sparse.csr_array(rows), 1.0)(j) for j in range(20)])
    assert_array_equal(squared == 0, np.kron(np.eye(5), np.ones((4, 4))) == 1)
    assert squared.min() == 0


def test_where_directions_differ_the_lesser_distance_counts():
    graph = NeighborGraph(
        np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], dtype=np.int32), np.array([2.0, 0.5, 1, 1])
    )
    law = oracle.successive(oracle.repulsion(neighbor_distances(graph), 1.0), range(3), 2)
    assert oracle.chi_square(draws(pool_of(None, graph), 2, sigma=1.0), law) > 1e-3


@pytest.mark.parametrize("neighbors", ["graph", "all"])
def test_once_all_weights_are_zero_the_rest_is_uniform(neighbors):
    same = np.zeros((4, 2))
    graph = tp.neighbor_graph(same, 3)
    law = oracle.successive(lambda i, chosen: 1.0, range(4), 3)
    assert oracle.chi_square(draws(pool_of(same, graph), 3, neighbors=neighbors), law) > 1e-3


def test_isolated_samples_keep_their_weight():
    graph = tp.graph_from_edges([[0, 1]], n_nodes=3)
    law = oracle.successive(oracle.repulsion(neighbor_distances(graph), 0.5), range(3), 2)
    assert oracle.chi_square(draws(pool_of(None, graph), 2, sigma=0.5), law) > 1e-3


def test_products_that_underflow_leave_the_pool_to_the_uniform_draw():
    line = np.arange(60.0)[:, None] * 1e-8
    for neighbors in ("graph", "all"):
        (picks,) = draws(pool_of(line, tp.neighbor_graph(line, 59)), 60, 1, neighbors=neighbors, sigma=1.0)
        assert sorted(picks) == list(range(60))


@given(st.integers(2, 9), st.integers(0, 99), st.sampled_from(["graph", "all"]), st.data())
def test_landmarks_are_distinct_free_and_nested(n, seed, neighbors, data):
    features = np.asfortranarray(np.random.default_rng(seed).integers(0, 3, (n, 2)).astype(np.float32))
    features.flags.writeable = False
    graph = tp.neighbor_graph(features, min(3, n - 1))
    initial = data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=n - 1))
    count = n - len(initial)
    fewer = data.draw(st.integers(1, count))
    picks, first = (
        tp.select(
            np.zeros((n, n)), k, method="approx_dpp", X=features, graph=graph,
            initial=initial, random_state=seed, neighbors=neighbors,
        )
        for k in (count, fewer)
    )  # fmt: skip
    assert picks.dtype == np.int64
    assert sorted([*picks, *initial]) == list(range(n))
    assert_array_equal(first, picks[:fewer], "the first k are the answer for k")


def test_all_features_need_no_graph_and_one_sample_is_enough():
    picks = tp.select(np.zeros((1, 1)), 1, method="approx_dpp", X=[[3.0]], neighbors="all", sigma=1)
    assert_array_equal(picks, [0])


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_the_scale_of_the_features_does_not_matter(scale):
    for features in (X, sparse.csr_array(X)):
        near, far = (
            draws(pool_of(features * c, LISTS), 3, 50, neighbors="all", sigma=c) for c in (1.0, scale)
        )
        assert near == far


@pytest.mark.parametrize(
    ("distances", "expected"),
    [([1.0, 2.0, 4.0], 2.0), ([0.0, 0.0, 3.0], 3.0), ([0.0, 0.0, 0.0], 1.0), ([], 1.0)],
)
def test_sigma_is_the_median_or_the_next_best(distances, expected):
    m = len(distances)
    graph = NeighborGraph(np.array([0, m, m, m, m]), np.arange(1, m + 1, dtype=np.int32), np.array(distances))
    assert _sigma("median", pool_of(None, graph)) == expected


def test_sigma_may_be_the_number_of_features():
    assert draws(pool_of(X, LISTS), 3, 50, sigma="dimension") == draws(pool_of(X, LISTS), 3, 50, sigma=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"neighbors": "some"}, "neighbors must be one of 'graph', 'all'; got 'some'"),
        ({"sigma": 0}, "sigma must be a finite number greater than 0; got 0"),
        ({"sigma": np.nan}, "sigma must be a finite number greater than 0; got nan"),
        ({"sigma": "mean"}, "sigma must be 'median', 'dimension' or a number greater than 0; got 'mean'"),
        ({"sigma": "dimension"}, "X must be given for method='approx_dpp' and sigma='dimension'; got None"),
        ({"neighbors": "all"}, "X must be given for method='approx_dpp' and neighbors='all'; got None"),
        ({"graph": None}, "graph must be given for method='approx_dpp'; got None"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        tp.select(np.zeros((5, 5)), 1, method="approx_dpp", **{"graph": LISTS, **options})


def test_sparse_features_of_any_size_give_distinct_landmarks():
    big = sparse.csr_array([[1e200, 0.0], [0.0, 1e200], [1e200, 1e200], [0.0, 0.0]])
    options = {"method": "approx_dpp", "neighbors": "all", "sigma": 1.0, "random_state": 0}
    picks = tp.select(np.zeros((4, 4)), 4, X=big, **options)
    assert_array_equal(picks, tp.select(np.zeros((4, 4)), 4, X=big.toarray(), **options))
    assert sorted(picks) == [0, 1, 2, 3]
