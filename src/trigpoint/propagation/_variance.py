"""The diagonal of A^-1: exactly for small systems, from random solves for large ones.

Sampled: eta ~ N(0, A) and A x = eta give x ~ N(0, A^-1). Given all other entries, x_i has mean
m_i = x_i - eta_i / a_ii and variance 1 / a_ii, so that

    var_i = 1 / a_ii + E[m_i^2],

and only the second term is estimated. Over S draws its relative standard error is sqrt(2 / S), so
the standard deviation's is (1 - 1 / (a_ii var_i)) / sqrt(2 S): at most 4.4 % for S = 256.

Solutions are good to TOL and tested on a column whose answer is known.

Where A offers no cheap draws (neither diagonally dominant nor cheap to factor), Hutchinson's
estimator with random signs v: var_i = E[v_i (A^-1 v)_i], its standard error taken from the
spread of the draws.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from trigpoint._kernels import serial_blas
from trigpoint._types import Floats, Sparse
from trigpoint._validation import singular
from trigpoint.propagation._conjugate import jacobi_cg
from trigpoint.propagation._direct import LARGEST, Factor, cheap_order, factorize, least_pivot
from trigpoint.propagation._draws import edge_draw, pivot_draw
from trigpoint.propagation._solvers import choose, knows, solve_system
from trigpoint.propagation._structure import is_dominant

EXACT = 4000  # unknowns up to which the inverse is computed by default
EXACT_AT_MOST = 20_000  # and on demand
TOL = 1e-6  # of the random solves, far below their sampling error
BATCH = 2e7  # random numbers held at once


@dataclass(frozen=True, eq=False)
class Variances:
    var: Floats  # (m,)
    relative_error: Floats  # (m,), of the standard deviation
    method: str
    n_probes: int


def exact_variances(A: Sparse) -> Variances:
    dense = A.toarray() if sparse.issparse(A) else A
    diagonal = dense.diagonal()
    if diagonal.min() <= 0.0:
        raise singular()
    root = np.sqrt(diagonal)
    with serial_blas():  # at this size its threads cost more than they bring, and on busy cores far more
        factor, info = linalg.lapack.dpotrf(dense / root[:, None] / root, lower=1, overwrite_a=1)
        if info != 0 or factor.diagonal().min() ** 2 <= least_pivot(len(root)):
            raise singular()
        inverse = linalg.lapack.dpotri(factor, lower=1, overwrite_c=1)[0]
    return Variances(inverse.diagonal() / diagonal, np.zeros(len(diagonal)), "exact", 0)


def sampled_variances(A: Sparse, s: Floats | None, n_probes: int, rng: np.random.Generator) -> Variances:
    """``s`` is the positive vector with which A is diagonally dominant, if it is (default 1)."""
    if is_dominant(A, s):
        draw, size = edge_draw(A, s)
        _, order, _ = choose(A, draw(np.random.default_rng(0), 1)[:, 0], n_probes, TOL)
        factor = None if order is None else factorize(A, order)
    else:
        order = cheap_order(A, LARGEST, n_probes)
        if order is None:
            return _hutchinson(A, s, n_probes, rng)
        factor = factorize(A, order)
        draw, size = pivot_draw(A, factor)
    tol = TOL if factor is not None else _safe_tol(A, s)
    if tol is None:
        factor = factorize(A)
    square = np.zeros(A.shape[0])
    diagonal = A.diagonal()
    for count in _batches(n_probes, size):
        eta = draw(rng, count)
        mean = _solve(A, eta, factor, s, tol or TOL) - eta / diagonal[:, None]
        square += np.einsum("ij,ij->i", mean, mean)
    var = 1.0 / diagonal + square / n_probes
    error = (square / n_probes) / var / np.sqrt(2.0 * n_probes)
    return Variances(var, error, "sampled", n_probes)


def _hutchinson(A: Sparse, s: Floats | None, n_probes: int, rng: np.random.Generator) -> Variances:
    n = A.shape[0]
    total, square = np.zeros(n), np.zeros(n)
    for count in _batches(n_probes, n):
        signs = rng.choice(np.array([-1.0, 1.0]), size=(n, count))
        terms = signs * solve_system(A, signs, tol=TOL, near_null=s).X
        total += terms.sum(axis=1)
        square += np.einsum("ij,ij->i", terms, terms)
    mean = total / n_probes
    spread = np.sqrt((square / n_probes - mean**2).clip(0.0) / max(n_probes - 1, 1))
    var = np.maximum(mean, 1.0 / A.diagonal())  # no variance lies below the conditional one
    return Variances(var, spread / var / 2.0, "hutchinson", n_probes)


def _batches(n_probes: int, size: int) -> list[int]:
    width = int(min(32, max(1, BATCH // size)))
    return [min(width, n_probes - start) for start in range(0, n_probes, width)]


def _safe_tol(A: Sparse, s: Floats | None) -> float | None:
    """A tolerance at which CG finds the s of A x = A s, as across weak links it may not; else None."""
    s = np.ones(A.shape[0]) if s is None else s
    for tol in (TOL, TOL**2):
        found = jacobi_cg(A, (A @ s)[:, None], tol)
        if found.converged and knows(found.X[:, 0], s, TOL):
            return tol
    return None


def _solve(A: Sparse, B: Floats, factor: Factor | None, s: Floats | None, tol: float) -> Floats:
    if factor is not None:
        return factor.solve(B)
    found = jacobi_cg(A, B, tol, stop=lambda _, forecast: forecast > 2000)
    return found.X if found.converged else solve_system(A, B, tol=tol, near_null=s).X
