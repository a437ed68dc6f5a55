"""A pool that grows is seen through the views that it has, until it has doubled."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from trigpoint._errors import InputError
from trigpoint.prediction import graph_pool, grown_pool, viewed_pool

X = (np.random.default_rng(0).normal(size=(160, 6)) @ np.diag([3.0, 2, 2, 1, 1, 1])).round(3)


def assert_same(found, expected):
    assert [seen.name for seen in found.views] == [seen.name for seen in expected.views]
    assert_array_equal(found.X, expected.X)
    for a, b in zip(found.views, expected.views, strict=True):
        assert_array_equal(a.X, b.X)
        assert_array_equal(a.graph.neighbors, b.graph.neighbors)
        assert (a.phi != b.phi).nnz == 0


@pytest.mark.parametrize("form", [np.asarray, lambda X: X.astype(np.float32), sparse.csr_array])
@pytest.mark.parametrize("view", ["auto", "raw", "standard"])
def test_views_stay_and_graphs_grow(form, view):
    pool = viewed_pool(form(X[:100]), view, n_neighbors=7)
    found = grown_pool(pool, form(X[100:]), view, n_neighbors=7)
    assert found.n_samples == 160
    assert found.X.dtype == pool.X.dtype
    assert found.n_fitted == 100
    for seen, before in zip(found.views, pool.views, strict=True):
        assert seen.view is before.view
        features = seen.view.transform(form(X))
        assert (np.abs(seen.X - features)).max() == 0
        graph = tp.neighbor_graph(features, 7)
        assert_array_equal(seen.graph.neighbors, graph.neighbors)
        assert np.abs(seen.phi - tp.laplacian(graph)).max() < 1e-12
        assert found.considered[seen.name] == {"nearness": seen.nearness}


def test_a_pool_that_has_doubled_is_made_anew():
    pool = viewed_pool(X[:80], n_neighbors=7)
    almost = grown_pool(pool, X[80:159], n_neighbors=7)
    assert almost.n_fitted == 80
    anew = viewed_pool(X, n_neighbors=7)
    assert_same(grown_pool(almost, X[159:], n_neighbors=7), anew)
    assert_same(grown_pool(pool, X[80:], n_neighbors=7), anew)
    assert grown_pool(pool, X[80:], n_neighbors=7).n_fitted is None


def test_a_pool_smaller_than_its_neighborhoods_is_made_anew():
    found = grown_pool(viewed_pool(X[:9], n_neighbors=8), X[9:12], n_neighbors=15)
    assert_same(found, viewed_pool(X[:12], n_neighbors=11))


def test_the_cosine_metric_grows():
    pool = viewed_pool(X[:100], n_neighbors=7, metric="cosine")
    found = grown_pool(pool, X[100:], n_neighbors=7, metric="cosine")
    assert_same(found, viewed_pool(X, n_neighbors=7, metric="cosine"))


def test_only_features_grow():
    pool = graph_pool(tp.neighbor_graph(X[:50]))
    with pytest.raises(InputError) as caught:
        grown_pool(pool, X[50:])
    assert caught.value.argument == "X_new"
