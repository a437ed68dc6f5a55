import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.manifold import _locally_linear as sklearn_lle

from reference import alignment as oracle
from reference import graphs
from trigpoint.alignment import lle

CLOUDS = hnp.arrays(np.float64, st.tuples(st.integers(2, 12), st.integers(1, 4)), elements=st.integers(-3, 3))


def row_weights(X, graph, i, **options):
    """W of sample i alone: a graph in which no other sample lists neighbors."""
    lists = [[] for _ in range(graph.n_samples)]
    lists[i] = [(j, 1.0) for j in oracle.neighbors(graph, i)]
    phi = lle(graphs.from_lists(lists), X, **options).toarray()
    row = -phi[i]  # phi = b b^T with b_i = 1
    row[i] = 0.0
    return row


def test_the_middle_of_a_line_by_hand():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [4.0, 0.0]])
    graph = graphs.from_lists([[], [(0, 1.0), (2, 3.0)], []])
    b = np.array([-0.75, 1.0, -0.25])  # 1 = 0.75 * 0 + 0.25 * 4
    np.testing.assert_allclose(lle(graph, X).toarray(), np.outer(b, b), atol=1e-14)


def test_regularization_by_hand():
    """C = (-1, 3): G = [[1, -3], [-3, 9]], trace 10; with R = 1, (G + I) w ~ 1 gives w ~ (13, 5)."""
    X = np.array([[0.0], [1.0], [4.0]])
    graph = graphs.from_lists([[], [(0, 1.0), (2, 3.0)], []])
    b = np.array([-13 / 18, 1.0, -5 / 18])
    np.testing.assert_allclose(lle(graph, X, reg=0.1).toarray(), np.outer(b, b), atol=1e-14)


@given(CLOUDS, st.data(), st.sampled_from([None, 1e-3, 0.1]))
def test_small_integer_clouds_match_the_definition(X, data, reg):
    graph = graphs.knn(X, data.draw(st.integers(1, len(X) - 1)))
    expected = oracle.lle(X, graph, reg)
    np.testing.assert_allclose(lle(graph, X, reg=reg).toarray(), expected, atol=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize(("p", "K"), [(2, 8), (8, 8), (20, 6)])
@pytest.mark.parametrize("reg", [None, 1e-3, 1e-6])
def test_random_clouds_match_the_definition(p, K, reg):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, p))
    graph = graphs.knn(X, K)
    np.testing.assert_allclose(lle(graph, X, reg=reg).toarray(), oracle.lle(X, graph, reg), atol=1e-8)


def test_the_authors_matrix(reference_folder):
    for seed in (0, 1):
        arrays = np.load(reference_folder / f"toolbox_torus_{seed}.npz")
        graph = graphs.knn(arrays["X"], int(arrays["n_neighbors"]))
        np.testing.assert_allclose(lle(graph, arrays["X"]).toarray(), arrays["lle"], atol=1e-9)


def test_agrees_with_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 5))
    graph = graphs.knn(X, 9)
    for reg in (1e-3, 0.5):
        B = sklearn_lle.barycenter_weights(X, X, graph.neighbors, reg=reg)
        M = np.eye(80)
        np.put_along_axis(M, graph.neighbors.astype(int), -B, axis=1)
        np.testing.assert_allclose(lle(graph, X, reg=reg).toarray(), M.T @ M, atol=1e-8)


def test_the_default_regularizes_only_where_neighbors_outnumber_features():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 6))
    few, many = graphs.knn(X, 6), graphs.knn(X, 7)
    np.testing.assert_allclose(lle(few, X).toarray(), lle(few, X, reg=0).toarray())
    np.testing.assert_allclose(lle(many, X).toarray(), lle(many, X, reg=1e-3).toarray())


@pytest.mark.parametrize("reg", [0, 1e-14, 1e-10])
def test_singular_neighborhoods_give_the_shortest_weights(reg):
    """Nine neighbors in a plane: many w are exact; the shortest is the limit of small reg."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 12))
    graph = graphs.knn(X, 9)
    limit = row_weights(X, graph, 4, reg=1e-6)
    found = row_weights(X, graph, 4, reg=reg)
    np.testing.assert_allclose(found, limit, atol=1e-4)
    np.testing.assert_allclose(found.sum(), 1, atol=1e-13)
    if reg == 0:
        C = (X[graph.neighbors[4]] - X[4]).T
        assert np.abs(C @ found[graph.neighbors[4]]).max() < 1e-13
        exact = np.linalg.lstsq(np.r_[C, np.ones((1, 9))], np.r_[np.zeros(12), 1.0], rcond=1e-12)[0]
        np.testing.assert_allclose(found[graph.neighbors[4]], exact, atol=1e-12)


@pytest.mark.parametrize("reg", [1e-13, 1e-12, 1e-11])
def test_a_regularization_near_rounding_still_counts(reg):
    """Two thin features, s^2 about 1e-12 of the trace, against a least-squares form of the problem."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9, 8)) * [1, 1, 1, 1, 1, 1, 1e-6, 1e-6]
    graph = graphs.from_lists([[(j, 1.0) for j in range(1, 9)]] + [[] for _ in range(8)])
    C = (X[1:] - X[0]).T
    stacked = np.r_[C, np.sqrt(reg * (C**2).sum()) * np.eye(8)]
    free = np.r_[-np.ones((1, 7)), np.eye(7)]  # w = e_1 + free @ u sums to one
    u = np.linalg.lstsq(stacked @ free, -stacked[:, 0], rcond=None)[0]
    expected = np.r_[1.0, np.zeros(7)] + free @ u
    found = row_weights(X, graph, 0, reg=reg)[1:]
    np.testing.assert_allclose(found, expected, atol=1e-7 * np.abs(expected).max())
    bare = row_weights(X, graph, 0, reg=0)[1:]
    assert np.abs(found - bare).max() > 1e-3 * np.abs(bare).max()


def test_linear_functions_are_in_the_null_space_of_flat_data():
    """x_i inside the affine hull of its neighbors is rebuilt exactly, and so is anything linear."""
    rng = np.random.default_rng(0)
    flat = rng.normal(size=(50, 2))
    X = flat @ rng.normal(size=(2, 10)) + 3.0
    phi = lle(graphs.knn(X, 6), X)  # K <= p: no regularization
    np.testing.assert_allclose(phi @ flat, 0, atol=1e-11)


def test_a_far_origin_does_not_break_flat_neighborhoods():
    """Rounding of coordinates near 1e6 is no direction, so weights stay those of the flat data."""
    rng = np.random.default_rng(0)
    X = rng.integers(-50, 50, size=(40, 2)) @ np.array([[1.0, 0, 0.5, 0, 1, 0], [0, 1, 0, 0.5, 0, 1]])
    Q = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    graph = graphs.knn(X, 5)
    near, far = lle(graph, X).toarray(), lle(graph, X @ Q + 1e6).toarray()
    np.testing.assert_allclose(near, far, atol=1e-6 * np.abs(near).max())


def test_neighbors_that_all_coincide_with_the_sample_share_equally():
    X = np.ones((4, 3))
    graph = graphs.knn(X, 3)
    for reg in (None, 0, 1e-3):
        b = np.full((4, 4), -1 / 3)
        np.fill_diagonal(b, 1.0)
        np.testing.assert_allclose(lle(graph, X, reg=reg).toarray(), b.T @ b, atol=1e-14)


def test_samples_without_neighbors_have_a_zero_row():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5, 2))
    graph = graphs.from_lists([[(1, 1.0), (2, 1.0)], [(0, 1.0)], [(1, 1.0)], [], []])
    phi = lle(graph, X)
    np.testing.assert_allclose(phi.toarray(), oracle.lle(X, graph), atol=1e-12)
    assert not phi.toarray()[3:].any()
    assert phi.indices[phi.indptr[3] :].tolist() == [3, 4]


def test_ragged_lists_and_hubs_match_the_definition():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    lists = [[(0, 1.0)] if i else [] for i in range(30)]  # everyone lists sample 0
    for i in range(0, 30, 3):
        lists[i] += [(j, 1.0) for j in range(1, 2 + i // 2) if j != i]
    lists[7] = [(j, 1.0) for j in range(30) if j != 7]
    graph = graphs.from_lists(lists)
    np.testing.assert_allclose(lle(graph, X).toarray(), oracle.lle(X, graph), atol=1e-8)


def test_sparse_features_give_the_same_matrix():
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(40, 30)) * (rng.random((40, 30)) < 0.2)
    dense[5] = 0.0
    graph = graphs.knn(dense, 6)
    for form in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        np.testing.assert_allclose(lle(graph, form(dense)).toarray(), lle(graph, dense).toarray(), atol=1e-9)


def test_sparse_features_that_are_all_zero():
    graph = graphs.from_lists([[(1, 0.0)], [(0, 0.0)]])
    expected = [[2, -2], [-2, 2]]
    np.testing.assert_allclose(lle(graph, sparse.csr_array((2, 5))).toarray(), expected)


@pytest.mark.parametrize("reg", [-1e-3, np.nan, np.inf, "auto", True])
def test_refuses_bad_regularization(reg):
    with pytest.raises(ValueError, match="reg must be a finite number at least 0; got"):
        lle(graphs.knn(np.ones((3, 2)), 2), np.ones((3, 2)), reg=reg)
