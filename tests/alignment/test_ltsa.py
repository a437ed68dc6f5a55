import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.manifold import _locally_linear as sklearn_lle

from reference import alignment as oracle
from reference import graphs
from trigpoint.alignment import ltsa

CLOUDS = hnp.arrays(np.float64, st.tuples(st.integers(6, 12), st.integers(1, 3)), elements=st.integers(-2, 2))


def test_three_points_on_a_line_by_hand():
    """The only neighborhood that contributes penalizes y_0 - 2 y_1 + y_2."""
    X = np.array([[0.0], [1.0], [2.0]])
    graph = graphs.from_lists([[], [(0, 1.0), (2, 1.0)], []])
    b = np.array([1, -2, 1]) / np.sqrt(6)
    np.testing.assert_allclose(ltsa(graph, X, 1).toarray(), np.outer(b, b), atol=1e-14)


@given(CLOUDS, st.data(), st.booleans())
def test_small_integer_clouds_match_the_definition(X, data, include_self):
    """d = p, so that duplicates and collinear points make real rank deficits and ties none."""
    p = X.shape[1]
    K = data.draw(st.integers(p + 2 - include_self, len(X) - 1))
    graph = graphs.knn(X, K)
    phi = ltsa(graph, X, p, include_self=include_self)
    np.testing.assert_allclose(phi.toarray(), oracle.ltsa(X, graph, p, include_self), atol=1e-10)


@pytest.mark.parametrize(("p", "K", "d"), [(3, 8, 2), (20, 8, 3), (5, 12, 1), (4, 12, 4)])
@pytest.mark.parametrize("include_self", [True, False])
def test_random_clouds_match_the_definition(p, K, d, include_self):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, p))
    graph = graphs.knn(X, K)
    phi = ltsa(graph, X, d, include_self=include_self)
    np.testing.assert_allclose(phi.toarray(), oracle.ltsa(X, graph, d, include_self), atol=1e-9)


def test_the_authors_matrix(reference_folder):
    """They count the point among its K, so their 8 are 7 listed neighbors."""
    for seed in (0, 1):
        arrays = np.load(reference_folder / f"toolbox_torus_{seed}.npz")
        graph = graphs.knn(arrays["X"], int(arrays["n_neighbors"]) - 1)
        phi = ltsa(graph, arrays["X"], int(arrays["n_components"]))
        np.testing.assert_allclose(phi.toarray(), arrays["ltsa"], atol=1e-9)


@pytest.mark.parametrize("p", [4, 30])
def test_agrees_with_scikit_learn(p, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, p))
    caught = []

    def null_space(M, *args, **kwargs):
        caught.append(M.toarray())
        return None, None

    monkeypatch.setattr(sklearn_lle, "null_space", null_space)
    sklearn_lle._locally_linear_embedding(X, n_neighbors=9, n_components=2, method="ltsa")
    phi = ltsa(graphs.knn(X, 9), X, 2, include_self=False)
    np.testing.assert_allclose(phi.toarray(), caught[0], atol=1e-8)


def test_linear_functions_are_in_the_null_space_of_flat_data():
    rng = np.random.default_rng(0)
    flat = rng.normal(size=(50, 2))
    X = flat @ rng.normal(size=(2, 6)) + 100.0
    phi = ltsa(graphs.knn(X, 7), X, 2)
    np.testing.assert_allclose(phi @ flat, 0, atol=1e-10)
    assert np.linalg.eigvalsh(phi.toarray())[3] > 1e-6  # and nothing else is


@pytest.mark.parametrize("thickness", [1e-2, 1e-4, 1e-6, 1e-9])
def test_thin_neighborhoods_are_as_accurate_as_an_svd(thickness):
    """The second direction is weak: a Gram matrix alone would lose it below 1e-8."""
    rng = np.random.default_rng(0)
    X = np.c_[rng.uniform(-1, 1, (40, 1)), thickness * rng.uniform(-1, 1, (40, 1)), np.zeros((40, 2))]
    graph = graphs.knn(X, 8)
    np.testing.assert_allclose(ltsa(graph, X, 2).toarray(), oracle.ltsa(X, graph, 2), atol=1e-5)
    phi = ltsa(graph, X, 2)
    np.testing.assert_allclose(phi @ X[:, 1] / thickness, 0, atol=1e-6)
    np.testing.assert_allclose(phi.toarray().sum(axis=1), 0, atol=1e-13)


def test_collinear_points_add_no_arbitrary_directions():
    """On a line, d = 2 must be d = 1, in whatever direction the line runs and from wherever."""
    rng = np.random.default_rng(0)
    t = np.sort(rng.integers(0, 1000, size=25)).astype(float)[:, None]
    graph = graphs.knn(t, 6)
    expected = ltsa(graph, t, 1).toarray()
    for X in (t * [1.0, 0, 0], t * [0.3, -0.2, 0.1], t * [0.3, -0.2, 0.1] + 1e4):
        np.testing.assert_allclose(ltsa(graph, X, 2).toarray(), expected, atol=1e-9)


def test_duplicates_have_no_tangents():
    X = np.full((6, 3), 0.1)
    graph = graphs.knn(X, 5)
    np.testing.assert_allclose(ltsa(graph, X, 2).toarray(), 6 * (np.eye(6) - 1 / 6), atol=1e-13)


def test_ties_between_singular_values_still_give_projectors():
    """A square grid, d = 1: the data leave the direction open, but not the laws."""
    X = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2)
    graph = graphs.knn(X, 8)
    phi = ltsa(graph, X, 1).toarray()
    np.testing.assert_array_equal(phi, ltsa(graph, X, 1).toarray())
    np.testing.assert_allclose(np.trace(phi), 25 * (9 - 2))
    np.testing.assert_allclose(phi.sum(axis=1), 0, atol=1e-12)


@pytest.mark.parametrize("include_self", [True, False])
def test_ragged_lists_hubs_and_isolated_samples_match_the_definition(include_self):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    lists = [[(0, 1.0)] if i else [] for i in range(30)]
    for i in range(0, 30, 3):
        lists[i] += [(j, 1.0) for j in range(1, 2 + i // 2) if j != i]
    lists[7] = [(j, 1.0) for j in range(29) if j != 7]
    lists[29] = []
    graph = graphs.from_lists(lists)
    phi = ltsa(graph, X, 2, include_self=include_self)
    np.testing.assert_allclose(phi.toarray(), oracle.ltsa(X, graph, 2, include_self), atol=1e-10)
    assert phi.indices[phi.indptr[29] :].tolist() == [29]


def test_sparse_features_give_the_same_matrix():
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(40, 30)) * (rng.random((40, 30)) < 0.3)
    graph = graphs.knn(dense, 7)
    for form in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        np.testing.assert_allclose(
            ltsa(graph, form(dense), 2).toarray(), ltsa(graph, dense, 2).toarray(), atol=1e-10
        )


def test_sparse_features_with_fewer_columns_in_use_than_components():
    dense = np.zeros((12, 5))
    dense[:, 3] = np.random.default_rng(0).normal(size=12)
    graph = graphs.knn(dense, 6)
    expected = ltsa(graph, dense[:, 3:4], 1).toarray()
    np.testing.assert_allclose(ltsa(graph, dense, 2).toarray(), expected, atol=1e-12)
    np.testing.assert_allclose(ltsa(graph, sparse.csr_array(dense), 2).toarray(), expected, atol=1e-12)
    nothing = ltsa(graph, sparse.csr_array((12, 5)), 2).toarray()
    np.testing.assert_allclose(nothing, oracle.ltsa(np.zeros((12, 5)), graph, 2), atol=1e-12)


def test_refusals():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(10, 3))
    graph = graphs.knn(X, 4)
    for d in (0, 4, 1.0, True):
        with pytest.raises(
            ValueError, match=r"n_components must be an integer and lie in \[1, 3\] for 3 features"
        ):
            ltsa(graph, X, d)
    ltsa(graph, X, 3)
    with pytest.raises(ValueError, match="must be at most k - 2 for neighborhoods of k = 4 points; got 3"):
        ltsa(graph, X, 3, include_self=False)
    with pytest.raises(ValueError, match="must be at most k - 2 for neighborhoods of k = 2 points; got 1"):
        ltsa(graphs.knn(X[:2], 1), X[:2], 1)


def test_lists_too_short_for_the_dimension_add_nothing():
    """Three collinear points have no room for two tangents, and cost nothing."""
    X = np.array([[0.0, 0, 0], [1, 1, 1], [2, 2, 2], [5, 1, 3], [6, 2, 1], [5, 5, 1], [7, 3, 8]])
    short = graphs.from_lists([[(1, 1.0), (2, 2.0)], [], [], [(4, 1.0), (5, 1.0), (6, 1.0)], [], [], []])
    phi = ltsa(short, X, 2).toarray()
    assert not phi[:3].any()
    assert phi[3:, 3:].any()
