import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.neighbors import KNeighborsTransformer

import trigpoint as tp
from reference import graph as oracle
from trigpoint._errors import InputError
from trigpoint.graph import nearest

small_integer_clouds = st.integers(1, 7).flatmap(
    lambda p: st.integers(3, 30).flatmap(
        lambda n: arrays(np.float64, (n, p), elements=st.integers(-3, 3).map(float))
    )
)
FORMS = {
    "dense": np.asarray,
    "single": lambda X: X.astype(np.float32),
    "fortran": np.asfortranarray,
    "sparse": sparse.csr_array,
}


def lattice(graph):
    return graph.distances.reshape(graph.n_samples, -1)


def assert_same(found, expected, **tolerance):
    assert_array_equal(found.neighbors, expected.neighbors)
    assert_allclose(found.distances, expected.distances, **{"rtol": 0, "atol": 0} | tolerance)
    assert found.neighbors.dtype == expected.neighbors.dtype
    assert (found.metric, found.method, found.recall) == (expected.metric, expected.method, expected.recall)
    assert_array_equal(found.components, expected.components)


def test_a_new_sample_between_two():
    graph = tp.neighbor_graph([[0.0], [1.0], [5.0]], 2)
    found = tp.grow_graph(graph, [[0.0], [1.0], [5.0]], [[4.5]])
    assert found.neighbors.tolist() == [[1, 3], [0, 3], [3, 1], [2, 1]]
    assert_array_equal(lattice(found), [[1, 4.5], [1, 3.5], [0.5, 4], [0.5, 3.5]])


def test_of_equals_the_old_stay():
    graph = tp.neighbor_graph([[0.0], [2.0]], 1)
    assert tp.grow_graph(graph, [[0.0], [2.0]], [[-2.0], [2.0]]).neighbors.ravel().tolist() == [1, 3, 0, 1]


@pytest.mark.parametrize("form", FORMS)
@given(small_integer_clouds, st.data())
def test_growth_is_a_new_search_ties_and_copies_included(form, X, data):
    n = data.draw(st.integers(2, len(X) - 1))
    k = data.draw(st.integers(1, n - 1))
    X = FORMS[form](X)
    found = tp.grow_graph(tp.neighbor_graph(X[:n], k), X[:n], X[n:])
    assert_same(found, tp.neighbor_graph(X, k))
    D, near = oracle.neighbors(X.toarray() if form == "sparse" else X, k)
    assert_array_equal(lattice(found), D)
    dense = X.toarray() if form == "sparse" else X
    if ((dense[:, None] == dense[None]).all(axis=2).sum(axis=1) <= k + 1).all():  # nobody in a crowd
        assert_array_equal(found.neighbors, near)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("p", "m"), [(2, 40), (6, 1), (40, 300)])
def test_growth_is_a_new_search_of_real_numbers(metric, form, p, m):
    X = FORMS[form](np.random.default_rng(p).normal(1, 1, size=(600 + m, p)))
    graph = tp.neighbor_graph(X[:600], 9, metric=metric)
    assert_same(
        tp.grow_graph(graph, X[:600], X[600:]), tp.neighbor_graph(X, 9, metric=metric), rtol=1e-12, atol=1e-15
    )


@given(small_integer_clouds, st.data())
def test_two_steps_are_one(X, data):
    n = data.draw(st.integers(2, len(X) - 1))
    between = data.draw(st.integers(n, len(X)))
    graph = tp.neighbor_graph(X[:n], 1)
    halfway = tp.grow_graph(graph, X[:n], X[n:between])
    assert_same(tp.grow_graph(halfway, X[:between], X[between:]), tp.grow_graph(graph, X[:n], X[n:]))


def test_nothing_new_changes_nothing():
    X = np.random.default_rng(0).normal(size=(30, 6))
    graph = tp.neighbor_graph(X, 3)
    assert tp.grow_graph(graph, X, X[:0]) is graph
    assert tp.grow_graph(graph, X, []) is graph


def test_copies_that_become_a_crowd():
    X = np.repeat(np.arange(6.0), 3)[:, None] * np.ones(7)
    X_new = np.concatenate([X, X, X[:4] + 0.25])
    graph = tp.neighbor_graph(X, 3)
    assert_same(tp.grow_graph(graph, X, X_new), tp.neighbor_graph(np.concatenate([X, X_new]), 3))


@pytest.mark.parametrize("offset", [1e3, 1e6])
def test_tight_clusters_far_apart(offset):
    """float32 products cannot see inside these clusters."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(60, 8)) * 1e-3 + c for c in (0, offset, -offset)])
    X = X[rng.permutation(len(X))]
    found = tp.grow_graph(tp.neighbor_graph(X[:150], 5), X[:150], X[150:])
    assert_same(found, tp.neighbor_graph(X, 5), rtol=1e-13)


@pytest.mark.parametrize("scale", [1e-200, 1e-23, 1e19, 1e200])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_neither_large_nor_small_numbers(scale, metric, form):
    X = FORMS[form](np.random.default_rng(0).normal(size=(300, 7)) * scale)
    found = tp.grow_graph(tp.neighbor_graph(X[:280], 5, metric=metric), X[:280], X[280:])
    assert_same(found, tp.neighbor_graph(X, 5, metric=metric), rtol=1e-12, atol=1e-15 * scale)


@pytest.mark.parametrize("far", [1e9, 1e36, 1e150])
def test_a_new_outlier_is_far_from_all(far):
    X = np.random.default_rng(0).normal(size=(300, 7))
    graph = tp.neighbor_graph(X, 5)
    found = tp.grow_graph(graph, X, np.full((1, 7), far))
    assert_array_equal(found.neighbors[:300], graph.neighbors)
    assert_array_equal(
        found.neighbors[300], tp.neighbor_graph(np.vstack([X, np.full(7, far)]), 5).neighbors[300]
    )


def latent(n, p=24):
    rng = np.random.default_rng(0)
    return np.tanh(rng.normal(size=(n, 3)) @ rng.normal(size=(3, p))).astype(np.float32)


def test_an_approximate_graph_is_as_good_as_a_new_one():
    X = latent(5300)
    graph = tp.neighbor_graph(X[:5000], 10, method="approximate")
    assert graph.method == "approximate"
    found = tp.grow_graph(graph, X[:5000], X[5000:])
    truth = nearest(X, X, 11, method="exact")[0][:, -1:]
    hits = lattice(found) <= truth * (1 + 1e-9)
    assert found.method == "approximate"
    assert hits.mean() > 0.99
    assert hits[5000:].all()
    assert found.recall == pytest.approx((5000 * graph.recall + 300) / 5300)


def test_an_approximate_graph_that_grows_by_much_is_searched_anew():
    X = latent(5900)
    graph = tp.neighbor_graph(X[:5000], 10, method="approximate")
    expected = tp.neighbor_graph(X, 10, method="approximate")
    assert_same(tp.grow_graph(graph, X[:5000], X[5000:]), expected)


def test_read_only_samples():
    X = np.random.default_rng(0).normal(size=(50, 6))
    graph = tp.neighbor_graph(X, 3)
    X.flags.writeable = False
    found = tp.grow_graph(graph, X, X[:2] + 0.1)
    assert found.n_samples == 52
    assert not found.indices.flags.writeable


X = np.random.default_rng(0).normal(size=(40, 3))


@pytest.mark.parametrize(
    ("graph", "X", "X_new", "argument"),
    [
        (tp.neighbor_graph(X, 3), X[:30], X[30:], "X"),
        (tp.neighbor_graph(X, 3), X[::-1], X[:1], "X"),
        (tp.neighbor_graph(X, 3), X, X[:2, :2], "X_new"),
        (tp.neighbor_graph(X, 3), X, [[0.0, np.nan, 1.0]], "X_new"),
        (tp.neighbor_graph(oracle.distances(X, X), 3, metric="precomputed"), X, X[:2], "graph"),
        (tp.graph_from_edges([[0, 1], [1, 2]]), X[:3], X[:1], "graph"),
        (tp.neighbor_graph(X, 3, method=KNeighborsTransformer(n_neighbors=3)), X, X[:1], "graph"),
    ],
)
def test_what_cannot_grow_is_refused(graph, X, X_new, argument):
    with pytest.raises(InputError) as caught:
        tp.grow_graph(graph, X, X_new)
    assert caught.value.argument == argument


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_zero_rows_of_the_cosine_metric(form):
    X = np.random.default_rng(0).integers(-2, 3, (30, 8)).astype(float)  # too many features for a tree
    X[[3, 28]] = 0.0
    graph = tp.neighbor_graph(form(X[:25]), 3, metric="cosine")
    grown, want = tp.grow_graph(graph, form(X[:25]), form(X[25:])), tp.neighbor_graph(X, 3, metric="cosine")
    assert_array_equal(grown.neighbors, want.neighbors)
    assert_allclose(grown.distances, want.distances, atol=1e-15)
