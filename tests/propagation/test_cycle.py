"""One cycle of multigrid is symmetric, positive definite, and nearly an inverse."""

import numpy as np
import pytest
from scipy import sparse

import trigpoint as tp
from trigpoint.propagation import cycle_of


@pytest.fixture(scope="module")
def grounded():
    """A Laplacian without a few of its rows, and a row that is empty."""
    X = np.random.default_rng(0).random((4000, 3))
    phi = tp.laplacian(tp.neighbor_graph(X, 10))[25:][:, 25:]
    return sparse.csr_array(sparse.block_diag([phi, sparse.csr_array((1, 1))]))


def test_it_is_symmetric_and_positive_definite(grounded):
    U = np.random.default_rng(1).standard_normal((grounded.shape[0], 3))
    U[-1] = 0.0
    found = U.T @ cycle_of(grounded).solve(U)
    assert np.abs(found - found.T).max() < 1e-5 * np.abs(found).max()
    assert np.linalg.eigvalsh(found).min() > 0


def test_it_is_nearly_the_inverse(grounded):
    X = np.random.default_rng(2).standard_normal((grounded.shape[0], 2))
    X[-1] = 0.0
    found = cycle_of(grounded).solve(grounded @ X)
    energy = [np.einsum("ij,ij->j", one, grounded @ one) for one in (found - X, X)]
    assert (energy[0] < 0.5 * energy[1]).all()


def test_empty_rows_stay_zero_and_scale_does_not_matter(grounded):
    R = np.random.default_rng(3).standard_normal((grounded.shape[0], 2))
    one = cycle_of(grounded).solve(R)
    assert (one[-1] == 0.0).all()
    np.testing.assert_allclose(cycle_of(grounded).solve(R * 1e-60), one * 1e-60, rtol=1e-4, atol=1e-66)
    np.testing.assert_allclose(cycle_of(grounded * 1e60).solve(R), one * 1e-60, rtol=1e-4, atol=1e-66)
    assert not cycle_of(grounded).solve(np.zeros((grounded.shape[0], 1))).any()
