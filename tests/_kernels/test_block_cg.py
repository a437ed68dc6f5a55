"""Steps of a block of rows, against dense algebra, and with it the whole cycle."""

import numpy as np
import pytest
from scipy import sparse

from trigpoint._kernels import compiled_csr
from trigpoint._kernels.block_cg import block_steps
from trigpoint._kernels.cycles import steps
from trigpoint.distributed._block_cg import Message, Scalars, State

N, HALO, C = 7, 3, 4


def vectors(count, rows=N):
    return [np.random.default_rng(seed).integers(-5, 6, (rows, C)).astype(float) for seed in range(count)]


@pytest.fixture
def block():
    """A, its entries for the kernels, what is added to the diagonal, and the aggregates."""
    rng = np.random.default_rng(0)
    A = rng.integers(-2, 1, (N, N + HALO)).astype(float)
    A[:, :N] = np.minimum(A[:, :N], A[:, :N].T)
    A[np.arange(N), np.arange(N)] = 16.0
    rest = np.abs(A[:, N:]).sum(axis=1)
    indptr, indices, data = compiled_csr(sparse.csr_array(A))
    owner = np.array([0, 1, -1, 0, 1, 2, 0, 1, 0, -1], dtype=np.int32)
    return A, (indptr, indices, data.astype(np.float32)), rest.astype(np.float32), owner


def swept(A, rest):
    """G + L of the own rows."""
    return np.tril(A[:, :N]) + np.diag(rest)


def indicator(owner, count):
    """P; who has no aggregate has an empty row."""
    return (owner[:, None] == np.arange(count)).astype(float)


def test_the_residual_after_a_sweep_is_summed_up(block):
    A, arrays, rest, owner = block
    R, Z = vectors(1)[0], np.vstack([np.zeros((N, C)), vectors(1, HALO)[0]]).astype(np.float32)
    inverse = (1.0 / (A.diagonal() + rest)).astype(np.float32)
    steps(C).forth(*arrays, inverse, R, Z)
    np.testing.assert_allclose(Z[:N], np.linalg.solve(swept(A, rest), R), atol=1e-5)
    t = np.empty((4, C), np.float32)
    block_steps(C).restrict(*arrays, rest, owner, Z, t)
    wanted = indicator(owner[:N], 3).T @ (R - A @ Z)
    np.testing.assert_allclose(t[:-1], wanted, atol=1e-4)


def test_corrections_reach_the_halo_and_the_sweep_back_does_not(block):
    A, arrays, rest, owner = block
    R, Z = vectors(1)[0], vectors(2, N + HALO)[1].astype(np.float32)
    E = np.vstack([vectors(3, 3)[2], np.zeros((1, C))]).astype(np.float32)
    inverse = (1.0 / (A.diagonal() + rest)).astype(np.float32)
    lifted = Z + indicator(owner, 3) @ E[:-1]
    wanted = lifted.copy()
    wanted[:N] += np.linalg.solve(swept(A, rest).T, R - A @ lifted)
    block_steps(C).back(*arrays, inverse, owner, E, R, Z)
    np.testing.assert_allclose(Z, wanted, atol=1e-4)


def test_a_step_in_place():
    x, r, q = vectors(3)
    p, step, rr = vectors(1, N + HALO)[0], np.array([1.0, 0.5, 0.0, 2.0]), np.empty(C)
    wanted = x + step * p[:N], r - step * q
    block_steps(C).advance(step, p, q, x, r, rr)
    np.testing.assert_array_equal(x, wanted[0])
    np.testing.assert_array_equal(r, wanted[1])
    np.testing.assert_array_equal(rr, (r * r).sum(axis=0))


def test_a_direction_may_be_longer_than_its_product(block):
    A = block[0]
    z, p, q, pq = (
        vectors(1, N + HALO)[0].astype(np.float32),
        vectors(2, N + HALO)[1],
        np.empty((N, C)),
        np.empty(C),
    )
    b = np.array([0.0, 1.0, 0.5, 2.0])
    wanted = z + b * p
    steps(C).turn(*compiled_csr(sparse.csr_array(A)), z, b, p, q, pq)
    np.testing.assert_array_equal(p, wanted)
    np.testing.assert_array_equal(q, A @ wanted)
    np.testing.assert_array_equal(pq, (q * wanted[:N]).sum(axis=0))


def test_vectors_that_are_needed_again_or_cannot_be_written_to_are_copied():
    none = np.zeros(C)
    scalars = Scalars(none, none, none, none, none > 0)
    state = State(*vectors(5), scalars, Message(None, None))
    state.r.flags.writeable = False
    same, copies = state.changeable(), state.changeable(anew=True)
    assert same.x is state.x
    assert same.r is not state.r
    for name in ("x", "r", "p", "q", "z"):
        np.testing.assert_array_equal(getattr(copies, name), getattr(state, name))
        assert not np.shares_memory(getattr(copies, name), getattr(state, name))
        assert getattr(same, name).flags.writeable
