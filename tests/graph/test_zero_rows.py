"""All-zero rows under the cosine metric: at distance 1 from all, in every search, against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import graph as oracle
from trigpoint.graph import nearest

FORMS = {"dense": np.asarray, "float32": lambda X: X.astype(np.float32), "sparse": sparse.csr_array}
clouds = st.integers(1, 7).flatmap(
    lambda p: st.integers(2, 14).flatmap(
        lambda n: arrays(np.float64, (n, p), elements=st.integers(-1, 1).map(float))
    )
)


def lattice(graph):
    return graph.distances.reshape(graph.n_samples, -1)


def with_zeros(n, p, every=7):
    X = np.random.default_rng(p).normal(size=(n, p))
    X[::every] = 0
    return X


@pytest.mark.parametrize("form", FORMS)
@given(X=clouds, data=st.data())
def test_the_definition(form, X, data):
    k = data.draw(st.integers(1, len(X) - 1))
    D, _ = oracle.neighbors(X, k, "cosine")
    graph = tp.neighbor_graph(FORMS[form](X), k, metric="cosine")
    assert_allclose(lattice(graph), D, atol=1e-6 if form == "float32" else 1e-12)
    assert (graph.neighbors != np.arange(len(X))[:, None]).all()
    assert all(len(set(row)) == k for row in graph.neighbors.tolist())
    true = oracle.distances(X, X, "cosine")
    assert_allclose(np.take_along_axis(true, graph.neighbors, axis=1), D, atol=1e-6)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("p", [3, 12])  # by a tree, by products
@pytest.mark.parametrize("large", [False, True])
def test_exact_searches(form, p, large, monkeypatch):
    if large:
        monkeypatch.setattr("trigpoint.graph._exact.FEW", 0)
    X = with_zeros(300, p)
    D, near = oracle.neighbors(X, 9, "cosine")
    graph = tp.neighbor_graph(FORMS[form](X), 9, metric="cosine", method="exact")
    assert_allclose(lattice(graph), D, atol=1e-6)
    full = X.any(axis=1)
    if form != "float32":
        assert_array_equal(graph.neighbors[full], near[full])
    ring = graph.neighbors[~full]  # 43 zero rows, more than 9: each has the next nine of them
    assert (np.bincount(ring.ravel(), minlength=300)[~full] == 9).all()


def test_few_zero_rows_have_the_first_samples():
    X = np.array([[1.0, 0], [0, 0], [-1, 0], [0, 0], [1, 1]])
    graph = tp.neighbor_graph(X, 3, metric="cosine")
    assert graph.neighbors.tolist() == [[4, 1, 3], [0, 2, 3], [1, 3, 4], [0, 1, 2], [0, 1, 3]]
    assert_allclose(lattice(graph)[1], 1)


@pytest.mark.parametrize("n", [2, 3, 30])
def test_nothing_but_zero_rows(n):
    for X in (np.zeros((n, 4)), sparse.csr_array((n, 4))):
        graph = tp.neighbor_graph(X, 1, metric="cosine")
        assert_array_equal(graph.distances, 1)
        assert graph.n_components == 1


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_approximate_searches(form):
    X = with_zeros(6000, 8, every=50)
    graph = tp.neighbor_graph(FORMS[form](X), 10, metric="cosine", method="approximate")
    truth = tp.neighbor_graph(X, 10, metric="cosine", method="exact")
    assert np.mean(lattice(graph) <= lattice(truth)[:, -1:] * (1 + 1e-12)) > 0.98
    assert_array_equal(lattice(graph)[::50], 1)
    assert not np.isin(graph.neighbors[X.any(axis=1)], np.arange(0, 6000, 50)).any()


@pytest.mark.parametrize("form", ["dense", "sparse"])
@pytest.mark.parametrize("p", [3, 12])
def test_new_samples(form, p):
    X, Q = with_zeros(200, p), with_zeros(20, p, every=3)
    D = oracle.distances(X, Q, "cosine")
    distances, indices = nearest(FORMS[form](X), FORMS[form](Q), 7, metric="cosine")
    assert_allclose(distances, np.sort(D, axis=1)[:, :7], atol=1e-12)
    assert_array_equal(indices, np.argsort(D, axis=1, kind="stable")[:, :7])


@pytest.mark.parametrize("weights", ["self_tuning", "binary", "linear"])
def test_values_of_new_samples(weights):
    X = with_zeros(60, 5)
    graph = tp.neighbor_graph(X, 6, metric="cosine")
    values = np.arange(60.0)
    Q = np.concatenate([X[1:3], np.zeros((1, 5))])
    found = tp.extend(graph, X, Q, values, weights=weights)
    assert_allclose(found[:2], [1, 2], atol=1e-9)  # copies of samples
    assert np.isfinite(found[2])
    assert -1e-9 <= found[2] <= 59


def test_words_that_nobody_shares():
    """Texts without words are zero rows of TF-IDF; cosine takes them, and labels reach the others."""
    X = sparse.csr_array(np.array([[1.0, 1, 0], [1, 0, 0], [0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 0, 0]]))
    clf = tp.ManifoldClassifier(2, metric="cosine", view="raw").fit(X, [0, -1, -1, 1, -1, -1])
    assert clf.transduction_[[0, 1, 3]].tolist() == [0, 0, 1]
