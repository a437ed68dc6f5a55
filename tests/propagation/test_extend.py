import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist

import trigpoint as tp
from reference import graphs
from reference import propagation as oracle
from trigpoint.alignment import sharpness

PERPLEXITIES = st.sampled_from([None, 3.0, 5.0])


@pytest.fixture(scope="module")
def pool():
    rng = np.random.default_rng(0)
    X = rng.random((200, 2))
    return X, tp.neighbor_graph(X, n_neighbors=6), rng.random((30, 2))


@given(st.integers(0, 200), st.sampled_from(["self_tuning", "binary"]), st.integers(1, 8), PERPLEXITIES)
def test_new_values_match_the_definition(seed, weights, k, perplexity):
    rng = np.random.default_rng(seed)
    X, X_new, values = rng.random((40, 3)), rng.random((7, 3)), rng.standard_normal(40)
    X_new[0] = X[5]
    graph = graphs.knn(X, 12)
    scales = graph.distances.reshape(40, 12)[:, -1]
    c = sharpness(graph, perplexity)
    assert (c > 1.0) == (perplexity is not None)
    options = {} if perplexity == 5.0 else {"perplexity": perplexity}
    z = tp.extend(graph, X, X_new, values, weights=weights, n_neighbors=k, **options)
    np.testing.assert_allclose(z, oracle.extend(X, scales, X_new, values, k, weights, c), rtol=1e-9)
    assert z[0] == values[5]


def test_a_new_sample_takes_the_harmonic_value_of_a_new_node(pool):
    X, graph, X_new = pool
    values = X @ [1.0, 2.0]
    z = tp.extend(graph, X, X_new[:1], values)
    near = np.argsort(np.linalg.norm(X - X_new[0], axis=1))[:6]
    d = np.linalg.norm(X[near] - X_new[0], axis=1)
    w = np.exp(-sharpness(graph) * d**2 / (d[-1] * graph.distances.reshape(-1, 6)[near, -1]))
    W = np.zeros((201, 201))
    W[200, near] = W[near, 200] = w
    np.testing.assert_allclose(z, tp.propagate(oracle.laplacian(W), np.arange(200), values)[200])


@pytest.mark.parametrize("p", [2, 5])
def test_linear_weights_reproduce_affine_functions(pool, p):
    X, _, X_new = pool
    lift = np.random.default_rng(1).standard_normal((2, p)) if p > 2 else np.eye(2)
    X, X_new = X @ lift, X_new @ lift
    truth = np.column_stack([X @ np.arange(1.0, p + 1) + 3.0, X[:, 0]])
    want = np.column_stack([X_new @ np.arange(1.0, p + 1) + 3.0, X_new[:, 0]])
    graph = tp.neighbor_graph(X, n_neighbors=6)
    np.testing.assert_allclose(tp.extend(graph, X, X_new, truth, weights="linear"), want, atol=1e-7)


def test_linear_weights_of_few_neighbors(pool):
    X, graph, X_new = pool
    values = X[:, 0]
    one = tp.extend(graph, X, X_new, values, weights="linear", n_neighbors=1)
    near = np.array([np.argmin(np.linalg.norm(X - x, axis=1)) for x in X_new])
    np.testing.assert_array_equal(one, values[near])
    line = np.array([[0.0], [1.0], [3.0]])
    graph = tp.neighbor_graph(line, n_neighbors=2)
    z = tp.extend(graph, line, [[0.25], [2.0]], [0.0, 4.0, 8.0], weights="linear", n_neighbors=2)
    np.testing.assert_allclose(z, [1.0, 6.0])


@pytest.mark.parametrize("weights", ["self_tuning", "binary", "linear"])
def test_constants_stay(pool, weights):
    X, graph, X_new = pool
    np.testing.assert_allclose(tp.extend(graph, X, X_new, np.full(200, 3.5), weights=weights), 3.5)


@pytest.mark.parametrize("weights", ["self_tuning", "binary", "linear"])
def test_unknown_neighbors_are_left_out(pool, weights):
    X, graph, X_new = pool
    values = np.column_stack([X[:, 0], X[:, 0], np.full(200, np.nan)])
    values[X[:, 1] < 0.5, 0] = np.nan
    z = tp.extend(graph, X, X_new, values, weights=weights)
    np.testing.assert_allclose(z[:, 1], tp.extend(graph, X, X_new, X[:, 0], weights=weights))
    assert np.isnan(z[:, 2]).all()
    assert np.isnan(z[X_new[:, 1] < 0.25, 0]).all()
    border = np.isfinite(z[:, 0]) & (np.abs(z[:, 0] - z[:, 1]) > 1e-9)
    assert weights == "linear" or border.any()
    kept = np.isfinite(values[:, 0])
    for i in np.flatnonzero(np.isfinite(z[:, 0])):
        near = np.argsort(np.linalg.norm(X - X_new[i], axis=1))[:6]
        near = near[kept[near]]
        if weights == "binary":
            np.testing.assert_allclose(z[i, 0], X[near, 0].mean())
        if weights == "linear" and len(near) >= 3:
            np.testing.assert_allclose(z[i, 0], X_new[i, 0], atol=1e-7)


def test_samples_of_the_pool_keep_their_values(pool):
    X, graph, _ = pool
    values = np.sin(np.arange(200.0))
    for weights in ("self_tuning", "binary", "linear"):
        np.testing.assert_array_equal(tp.extend(graph, X, X, values, weights=weights), values)


def test_duplicates_share_their_mean():
    X = np.array([[0.0], [0.0], [0.0], [1.0], [2.0], [3.0]])
    graph = tp.neighbor_graph(X, n_neighbors=2)
    z = tp.extend(graph, X, [[0.0], [1.5]], [1.0, 2.0, np.nan, 7.0, 9.0, 0.0], n_neighbors=4)
    assert z[0] == 1.5
    assert np.isfinite(z[1])


def test_a_far_sample_takes_the_value_of_the_nearest(pool):
    X, graph, _ = pool
    z = tp.extend(graph, X, [[1e6, 1e6]], X[:, 0])
    assert np.isfinite(z).all()
    assert X[:, 0].min() <= z[0] <= X[:, 0].max()


def test_cosine_and_sparse_pools():
    rng = np.random.default_rng(0)
    X = rng.random((60, 8)) * (rng.random((60, 8)) < 0.6) + 0.01
    X_new = rng.random((5, 8))
    for metric in ("euclidean", "cosine"):
        graph = tp.neighbor_graph(X, n_neighbors=5, metric=metric)
        for weights in ("self_tuning", "linear"):
            z = tp.extend(graph, X, X_new, X[:, 0], weights=weights)
            again = tp.extend(graph, sparse.csr_array(X), sparse.csr_array(X_new), X[:, 0], weights=weights)
            np.testing.assert_allclose(again, z, atol=1e-8)
            mixed = tp.extend(graph, X, sparse.csr_array(X_new), X[:, 0], weights=weights)
            np.testing.assert_allclose(mixed, z, atol=1e-8)
    graph = tp.neighbor_graph(X, n_neighbors=5, metric="cosine")
    np.testing.assert_allclose(tp.extend(graph, X, 3.0 * X[:4], X[:, 0]), X[:4, 0], rtol=0.5)


def test_shapes_and_types(pool):
    X, graph, X_new = pool
    assert tp.extend(graph, X, X_new, X[:, 0]).shape == (30,)
    assert tp.extend(graph, X, X_new, X[:, :1]).shape == (30, 1)
    z = tp.extend(graph, X, X_new, X)
    assert z.shape == (30, 2)
    assert z.dtype == np.float64
    small = tp.extend(graph, X.astype(np.float32), X_new.astype(np.float32), X.astype(np.float32))
    np.testing.assert_allclose(small, z, atol=1e-5)
    whole = tp.extend(graph, X, X_new, np.arange(200))
    assert whole.dtype == np.float64


@pytest.mark.parametrize("K", [None, 3])
def test_ragged_graphs_use_their_median_length(K):
    X = np.arange(5.0)[:, None]
    lists = [[(1, 1.0)], [(0, 1.0), (2, 1.0)], [(1, 1.0), (3, 1.0)], [(2, 1.0), (4, 1.0)], []]
    graph = graphs.from_lists(lists, metric="euclidean")
    z = tp.extend(graph, X, [[0.4]], X[:, 0], weights="binary", n_neighbors=K)
    np.testing.assert_allclose(z, [0.5] if K is None else [1.0])
    assert np.isfinite(tp.extend(graph, X, [[3.9]], X[:, 0]))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"X": np.ones((9, 2))}, "X must hold the 200 samples of the graph; got 9"),
        ({"X_new": np.ones((4, 3))}, "X_new must have 2 features, as the pool does; got 3"),
        ({"X_new": [[np.nan, 1.0]]}, "X_new must hold finite"),
        ({"X_new": np.ones(2)}, "X_new must be two-dimensional"),
        ({"values": np.ones(9)}, r"values must have shape \(200,\) or \(200, d\), one row per pool sample"),
        ({"values": np.full(200, np.inf)}, "values must be finite or NaN; got 200 infinite"),
        ({"values": ["a"] * 200}, "values must hold real numbers"),
        ({"weights": "heat"}, "weights must be one of 'self_tuning', 'binary', 'linear'; got 'heat'"),
        ({"n_neighbors": 0}, r"n_neighbors must be an integer and lie in \[1, 200\] for 200 samples; got 0"),
        ({"n_neighbors": 201}, "n_neighbors must be an integer"),
        ({"perplexity": 1.0}, "perplexity must be a finite number greater than 1; got 1.0"),
    ],
)
def test_refusals(pool, change, said):
    X, graph, X_new = pool
    arguments = {"X": X, "X_new": X_new, "values": X[:, 0]} | change
    with pytest.raises(ValueError, match=said):
        tp.extend(graph, **arguments)


def test_a_graph_without_features_is_refused(pool):
    X, _, X_new = pool
    edges = tp.graph_from_edges([[i, i + 1] for i in range(199)], n_nodes=200)
    with pytest.raises(ValueError, match=r"graph must be made from features .* got metric='edges'"):
        tp.extend(edges, X, X_new, X[:, 0])
    with pytest.raises(TypeError, match="graph must be a NeighborGraph; got list"):
        tp.extend([], X, X_new, X[:, 0])


def test_linear_weights_among_duplicates_stay_means():
    rng = np.random.default_rng(1)
    X = np.vstack([[[0.3, 0.7]] * 12, rng.random((50, 2)) + 5])
    graph = tp.neighbor_graph(X, 5)
    new = tp.extend(graph, X, [[0.301, 0.702]], np.arange(62.0), weights="linear")
    assert 0 <= new[0] <= 11


@pytest.mark.parametrize("length", [0.1, 1.0, 3.0, 10.0])
def test_cosine_knows_no_lengths(length):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)) + np.array([4, 0, 0])
    direction = X / np.linalg.norm(X, axis=1, keepdims=True)
    graph = tp.neighbor_graph(X, 8, metric="cosine")
    new = rng.normal(size=(20, 3)) + np.array([4, 0, 0])
    want = tp.extend(graph, X, new, direction, weights="linear")
    np.testing.assert_allclose(
        tp.extend(graph, X, length * new, direction, weights="linear"), want, atol=1e-9
    )
    values = rng.random(200)
    np.testing.assert_allclose(tp.extend(graph, X, length * X, values), values, atol=1e-12)


def test_given_distances_of_new_samples(pool):
    X, graph, X_new = pool
    values = np.column_stack([X[:, 0], X[:, 1] ** 2])
    values[:20] = np.nan
    D, D_new = cdist(X, X), cdist(X_new, X)
    given = tp.neighbor_graph(D, 6, metric="precomputed")
    for weights in ("self_tuning", "binary"):
        want = tp.extend(graph, X, X_new, values, weights=weights)
        np.testing.assert_allclose(tp.extend(given, None, D_new, values, weights=weights), want, rtol=1e-9)
        stored = sparse.csr_matrix(D_new)
        np.testing.assert_allclose(tp.extend(given, None, stored, values, weights=weights), want, rtol=1e-9)
    np.testing.assert_array_equal(tp.extend(given, None, D, values), values)


@pytest.mark.parametrize("weights", ["self_tuning", "binary"])
def test_rows_of_few_given_distances(weights):
    """One neighbor; two at the same distance; a copy, stored as 0; none at all."""
    line = tp.neighbor_graph([[0.0], [1.0], [2.0], [3.0]], 2)
    given = tp.neighbor_graph(line.lengths(), 3, metric="precomputed")
    rows, columns = [0, 1, 1, 2, 2], [3, 0, 1, 2, 0]
    new = sparse.csr_array(([5.0, 1.0, 1.0, 0.0, 1.0], (rows, columns)), shape=(4, 4))
    z = tp.extend(given, None, new, [1.0, 2.0, 4.0, 8.0], weights=weights)
    middle = 1.5
    if weights == "self_tuning":
        w = np.exp([-1.0 / 2.0, -1.0])  # s_0 = 2, s_1 = 1
        middle = w @ [1.0, 2.0] / w.sum()
    np.testing.assert_allclose(z, [8.0, middle, 4.0, np.nan])


def test_what_given_distances_refuse(pool):
    X, _, X_new = pool
    given = tp.neighbor_graph(cdist(X, X), 6, metric="precomputed")
    D_new, values = cdist(X_new, X), X[:, 0]
    with pytest.raises(ValueError, match="X must be None for a graph made from distances"):
        tp.extend(given, X, X_new, values)
    with pytest.raises(ValueError, match=r"distances to all 200 pool samples; got shape \(30, 199\)"):
        tp.extend(given, None, D_new[:, 1:], values)
    with pytest.raises(ValueError, match="X_new must hold distances of at least 0"):
        tp.extend(given, None, -D_new, values)
    with pytest.raises(ValueError, match="weights must be one of 'self_tuning', 'binary'; got 'linear'"):
        tp.extend(given, None, D_new, values, weights="linear")
