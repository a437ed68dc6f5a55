"""The vectors of conjugate gradients on a block of rows, against their formulas."""

import numpy as np
from scipy import sparse

from trigpoint._kernels import compiled_csr
from trigpoint._kernels.block_cg import advance, dots, multiply, precondition
from trigpoint.distributed._block_cg import State

N, HALO, C = 7, 3, 4


def vectors(count, rows=N):
    return [np.random.default_rng(seed).integers(-5, 6, (rows, C)).astype(float) for seed in range(count)]


def test_an_iteration_in_place():
    w, p, s, x, r = vectors(5)
    u = vectors(1, N + HALO)[0]
    a, b = np.array([1.0, 0.5, 0.0, 2.0]), np.array([0.0, 2.0, 0.0, 0.25])
    new_p, new_s = u[:N] + b * p, w + b * s
    wanted = [new_p, new_s, x + a * new_p, r - a * new_s]
    advance(u, w, a, b, p, s, x, r)
    for found, want in zip((p, s, x, r), wanted, strict=True):
        np.testing.assert_array_equal(found, want)


def test_the_preconditioner_of_a_block_and_its_halo():
    r, (halo, y) = vectors(1)[0], (vectors(1, HALO)[0], vectors(2, 3)[1])
    y[-1] = 0.0
    inverse, owner = np.linspace(0.5, 5, N + HALO)[:, None], np.array([0, 1, -1, 0, 1, -1, 0, 1, 0, -1])
    u = np.empty((N + HALO, C))
    precondition(r, halo, inverse, y, owner, u)
    np.testing.assert_array_equal(u, np.vstack([r, halo]) * inverse + y[owner])


def test_a_product_in_place():
    A = sparse.random_array((N, N + HALO), density=0.4, rng=np.random.default_rng(0)).tocsr()
    A.data[:] = np.arange(A.nnz)
    u, w = vectors(1, N + HALO)[0], np.full((N, C), np.nan)
    multiply(compiled_csr(A), u, w)
    np.testing.assert_array_equal(w, A @ u)


def test_sums_of_columns():
    w, r = vectors(2)
    u = vectors(3, N + HALO)[2]
    wanted = [(r * u[:N]).sum(axis=0), (w * u[:N]).sum(axis=0), (r * r).sum(axis=0)]
    np.testing.assert_array_equal(dots(r, u, w), wanted)


def test_vectors_that_are_needed_again_or_cannot_be_written_to_are_copied():
    state = State(*vectors(8))
    state.r.flags.writeable = False
    same, copies = state.changeable(False), state.changeable(True)
    assert same.x is state.x
    assert same.r is not state.r
    for name in ("x", "r", "p", "s", "u", "w"):
        np.testing.assert_array_equal(getattr(copies, name), getattr(state, name))
        assert not np.shares_memory(getattr(copies, name), getattr(state, name))
        assert getattr(same, name).flags.writeable
