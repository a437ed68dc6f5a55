import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from reference import graph as oracle
from trigpoint.graph import nearest


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("p", [3, 12])
@pytest.mark.parametrize("sparse_pool", [False, True])
def test_new_samples_find_their_nearest(metric, p, sparse_pool):
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(300, p)), rng.normal(size=(40, p))
    D = oracle.distances(X, Q, metric)
    distances, indices = nearest(sparse.csr_array(X) if sparse_pool else X, Q, 7, metric=metric)
    assert_array_equal(indices, np.argsort(D, axis=1)[:, :7])
    assert_allclose(distances, np.sort(D, axis=1)[:, :7], rtol=1e-10, atol=1e-12)


def test_a_sample_of_the_pool_finds_itself():
    X = np.random.default_rng(0).normal(size=(50, 6))
    distances, indices = nearest(X, X, 1)
    assert_array_equal(indices[:, 0], np.arange(50))
    assert not distances.any()


def test_all_of_the_pool():
    X = np.arange(4.0)[:, None]
    assert nearest(X, [[0.1]], 4)[1].tolist() == [[0, 1, 2, 3]]


@pytest.mark.parametrize("sparse_pool", [False, True])
def test_approximate_search_for_new_samples(sparse_pool):
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(5000, 6)), rng.normal(size=(1000, 6))
    form = sparse.csr_array if sparse_pool else np.asarray
    close, _ = nearest(form(X), form(Q), 5, method="approximate")
    truth, _ = nearest(X, Q, 5, method="exact")
    assert np.mean(close <= truth[:, -1:] * (1 + 1e-12)) > 0.98


@pytest.mark.parametrize("method", ["auto", "exact", "approximate"])
def test_a_pool_of_one(method):
    assert nearest([[1.0] * 7], np.zeros((3, 7)), 1, method=method)[1].tolist() == [[0]] * 3


def test_other_features_are_refused():
    with pytest.raises(ValueError, match="X_new must have 3 features, as the pool does; got 2"):
        nearest(np.eye(3), np.ones((1, 2)), 1)
    with pytest.raises(ValueError, match=r"n_neighbors must .* \[1, 3\] for a pool of 3; got 4"):
        nearest(np.eye(3), np.ones((1, 3)), 4)
