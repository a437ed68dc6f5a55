"""The diagonal of A^-1: exactly for small systems, from random solves for large ones.

Exactly: with A = L L^T, (A^-1)_ii is the squared norm of column i of L^-1.

Sampled: eta ~ N(0, A) and A x = eta give x ~ N(0, A^-1). Given all other entries, x_i has mean
m_i = x_i - eta_i / a_ii and variance 1 / a_ii, so that

    var_i = 1 / a_ii + E[m_i^2],

and only the second term is estimated. Over S draws its relative standard error is sqrt(2 / S), so
the standard deviation's is (1 - 1 / (a_ii var_i)) / sqrt(2 S): at most 4.4 % for S = 256. The draws:

edges    A diagonally dominant with a positive s, as Laplacians are: with B = diag(s) A diag(s)
         B = sum_{i<j} |b_ij| f_ij f_ij^T + diag(slack), f_ij = e_i + sign(b_ij) e_j, slack >= 0,
         so one standard normal for each edge and sample gives eta = diag(s)^-1 F eps
pivots   from a factorization A = P^T L D L^T P, D > 0: eta = P^T L D^1/2 eps

Where A offers neither, Hutchinson's estimator with random signs v: var_i = E[v_i (A^-1 v)_i], its
standard error taken from the spread of the draws.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from trigpoint._kernels import serial_blas
from trigpoint._progress import stage
from trigpoint._types import Floats, Sparse
from trigpoint._validation import singular
from trigpoint.propagation._direct import Factor, least_pivot
from trigpoint.propagation._solver import Solver

EXACT = 4000  # unknowns up to which the inverse is computed by default
EXACT_AT_MOST = 20_000  # and on demand
TOL = 1e-6  # of the random solves, far below their sampling error
BATCH = 2e7  # random numbers held at once
Draw = Callable[[np.random.Generator, int], Floats]


@dataclass(frozen=True, eq=False)
class Variances:
    var: Floats  # (m,)
    relative_error: Floats  # (m,), of the standard deviation
    method: str
    n_probes: int


def exact_variances(solver: Solver) -> Variances:
    A = solver.A
    dense = A.toarray() if sparse.issparse(A) else A
    diagonal = dense.diagonal()
    if diagonal.min() <= 0.0:
        raise singular()
    root = np.sqrt(diagonal)
    S = np.asarray(dense / root[:, None] / root, order="F")
    with serial_blas():  # at this size its threads cost more than they bring, and on busy cores far more
        factor, info = linalg.lapack.dpotrf(S, lower=1, clean=1, overwrite_a=1)
        if info != 0 or factor.diagonal().min() ** 2 <= least_pivot(len(root)):
            raise singular()
        inverse = linalg.lapack.dtrtri(factor, lower=1, overwrite_c=1)[0]
    var = np.einsum("ij,ij->j", inverse, inverse) / diagonal
    return Variances(var, np.zeros(len(diagonal)), "exact", 0)


def sampled_variances(solver: Solver, n_probes: int, rng: np.random.Generator) -> Variances:
    if solver.dominant:
        draw, size = edge_draw(solver.A, solver.near_null)
    elif solver.can_factor(n_probes):
        draw, size = pivot_draw(solver.A, solver.factor)
    else:
        return _hutchinson(solver, n_probes, rng)
    square = np.zeros(solver.A.shape[0])
    diagonal = solver.A.diagonal()
    left = n_probes
    with stage("uncertainty", n_probes) as told:
        for count in _batches(n_probes, size):
            left -= count
            eta = draw(rng, count)
            mean = solver.solve(eta, tol=TOL, more=left).X - eta / diagonal[:, None]
            square += np.einsum("ij,ij->i", mean, mean)
            told.advance(count)
    var = 1.0 / diagonal + square / n_probes
    error = (square / n_probes) / var / np.sqrt(2.0 * n_probes)
    return Variances(var, error, "sampled", n_probes)


def _hutchinson(solver: Solver, n_probes: int, rng: np.random.Generator) -> Variances:
    n = solver.A.shape[0]
    total, square = np.zeros(n), np.zeros(n)
    with stage("uncertainty", n_probes) as told:
        for count in _batches(n_probes, n):
            signs = rng.choice(np.array([-1.0, 1.0]), size=(n, count))
            terms = signs * solver.solve(signs, tol=TOL).X
            total += terms.sum(axis=1)
            square += np.einsum("ij,ij->i", terms, terms)
            told.advance(count)
    mean = total / n_probes
    spread = np.sqrt((square / n_probes - mean**2).clip(0.0) / max(n_probes - 1, 1))
    var = np.maximum(mean, 1.0 / solver.A.diagonal())  # no variance lies below the conditional one
    return Variances(var, spread / var / 2.0, "hutchinson", n_probes)


def _batches(n_probes: int, size: int) -> list[int]:
    width = int(min(32, max(1, BATCH // size)))
    return [min(width, n_probes - start) for start in range(0, n_probes, width)]


def edge_draw(A: Sparse, s: Floats | None) -> tuple[Draw, int]:
    """A sampler of eta, (n, count) a call, and how many normals one column takes."""
    n = A.shape[0]
    s = np.ones(n) if s is None else s
    scaled = sparse.coo_array(A)
    upper = scaled.row < scaled.col
    i, j, a = (
        scaled.row[upper],
        scaled.col[upper],
        scaled.data[upper] * s[scaled.row[upper]] * s[scaled.col[upper]],
    )
    weight = np.sqrt(np.abs(a))
    slack = (2 * np.abs(A.diagonal()) * s - abs(A) @ s) * s  # of B; rounding may leave it below 0
    edge, own = np.arange(len(a)), len(a) + np.arange(n)
    entries = np.concatenate([weight / s[i], np.sign(a) * weight / s[j], np.sqrt(slack.clip(0.0)) / s])
    places = (np.concatenate([i, j, np.arange(n)]), np.concatenate([edge, edge, own]))
    F = sparse.csr_array((entries, places), shape=(n, len(a) + n))
    return (lambda rng, count: np.asarray(F @ rng.standard_normal((F.shape[1], count)))), F.shape[1]


def pivot_draw(A: Sparse, factor: Factor) -> tuple[Draw, int]:
    """As `edge_draw`, from a factorization of A; ValueError where A is not positive definite."""
    if np.any(factor.pivots <= least_pivot(A.shape[0]) * A.diagonal()):
        raise singular()
    lu = factor.lu
    root = sparse.csr_array(lu.L @ sparse.diags_array(np.sqrt(lu.U.diagonal())))[lu.perm_c]
    return (lambda rng, count: np.asarray(root @ rng.standard_normal((root.shape[1], count)))), A.shape[0]
