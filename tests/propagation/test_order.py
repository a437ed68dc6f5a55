"""The elimination order: a permutation that prices its own factorization."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from reference import propagation as oracle
from trigpoint._kernels.propagation_order import minimum_degree


def order(A, limit=np.inf):
    return minimum_degree(A.indptr, A.indices, 1.0, 0.0, limit)


def entries_of_the_factor(A, permutation):
    """Entries of L by eliminating the pattern, one sample after the other."""
    pattern = A.toarray()[np.ix_(permutation, permutation)] != 0
    count = 0
    for k in range(len(pattern)):
        below = k + 1 + np.flatnonzero(pattern[k + 1 :, k])
        count += 1 + len(below)
        pattern[np.ix_(below, below)] = True
    return count


@given(st.integers(1, 40), st.integers(0, 1000), st.floats(0.0, 0.4))
def test_the_price_is_that_of_the_elimination(n, seed, density):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.random((n, n)) < density, 1).astype(float)
    A = sparse.csr_array(oracle.laplacian(W + W.T) + sparse.eye_array(n))
    permutation, fill, flops = order(A)
    assert sorted(permutation) == list(range(n))
    true = entries_of_the_factor(A, permutation)
    assert true <= fill <= 1.3 * true + 5  # degrees are upper bounds
    assert np.isfinite(flops)


def test_a_tree_fills_nothing():
    n = 200
    parent = (np.arange(1, n) - 1) // 2
    W = np.zeros((n, n))
    W[np.arange(1, n), parent] = W[parent, np.arange(1, n)] = 1.0
    assert order(oracle.laplacian(W))[1] == n + (n - 1)


def test_a_hub_goes_last_and_fills_nothing():
    n = 3000
    rows = np.zeros(n - 1, dtype=int)
    star = sparse.coo_array((np.ones(n - 1), (rows, np.arange(1, n))), shape=(n, n))
    A = sparse.csr_array(star + star.T + sparse.eye_array(n))
    permutation, fill, _ = order(A)
    assert permutation[-1] == 0
    assert fill == n + (n - 1)


def test_a_grid_fills_little():
    side = 40
    line, eye = oracle.path(side), sparse.eye_array(side)
    A = sparse.csr_array(sparse.kron(line, eye) + sparse.kron(eye, line))
    permutation, fill, _ = order(A)
    assert sorted(permutation) == list(range(side**2))
    assert fill < 16 * side**2  # the natural order costs side entries a sample


def test_it_gives_up_beyond_the_limit():
    A = oracle.cloud_laplacian(300, 6, seed=0)
    full = order(A)[1]
    assert np.isinf(order(A, 0.3 * full)[2])
    assert np.isfinite(order(A, 1.01 * full)[2])


@pytest.mark.parametrize("n", [1, 2, 3])
def test_tiny(n):
    permutation, fill, _ = order(sparse.csr_array(np.ones((n, n))))
    assert sorted(permutation) == list(range(n))
    assert fill == n * (n + 1) / 2
