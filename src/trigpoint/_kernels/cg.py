"""Preconditioned conjugate gradients for a few columns at once: by the diagonal, or by sweeps.

For each column of A x = b, with D = diag(A) and z = D^-1 r:

    q = A p;  a = (r.z) / (p.q);  x += a p;  r -= a q;  p = z + (new r.z / old r.z) p.

Columns are stored row-major, (n, c), so that one pass over A serves all of them, and every
column keeps its own scalars: its numbers are the same whichever columns stand beside it.
A column whose residual reaches its goal stands still from then on; so does one that meets
p.q <= 0, which a positive definite A never shows.

Sweeps: with A = L + D + L^T, the preconditioner M = (D + L) D^-1 (D + L^T) is one sweep of Gauss-Seidel forth
and one back, and takes less than half the iterations. Applied to u = (D + L)^-1 r, an iteration takes no more
multiplications than a product with A (Eisenstat, 1981), as A t = (D + L) t + p - D t for t = (D + L^T)^-1 p:

    t = (D + L^T)^-1 p;  v = (D + L)^-1 (p - D t);  a = (u.D u) / (p.(t + v));
    x += a t;  u -= a (t + v);  p = D u + (new u.D u / old u.D u) p.

||r|| = ||(D + L) u|| is looked at after every `LOOK` iterations.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Floats

LOOK = 10


@lru_cache
def _kernel(width: int) -> Callable[..., int]:
    """The loop for a fixed number of columns, which the compiler then unrolls."""

    @kernel
    def leg(indptr, indices, data, inverse, X, R, P, rz, live, goals, norms, n_iterations):  # type: ignore[no-untyped-def]
        n = len(indptr) - 1
        Q = np.empty((n, width))
        row, pq, step, new, rr = (
            np.zeros(width),
            np.zeros(width),
            np.zeros(width),
            np.zeros(width),
            np.zeros(width),
        )
        for iteration in range(n_iterations):
            for m in range(width):
                pq[m] = new[m] = rr[m] = 0.0
            for i in range(n):
                for m in range(width):
                    row[m] = 0.0
                for k in range(indptr[i], indptr[i + 1]):
                    a, j = data[k], indices[k]
                    for m in range(width):
                        row[m] += a * P[j, m]
                for m in range(width):
                    Q[i, m] = row[m]
                    pq[m] += row[m] * P[i, m]
            for m in range(width):
                live[m] = live[m] and pq[m] > 0.0
                step[m] = rz[m] / pq[m] if live[m] else 0.0
            for i in range(n):
                for m in range(width):
                    X[i, m] += step[m] * P[i, m]
                    r = R[i, m] - step[m] * Q[i, m]
                    R[i, m] = r
                    rr[m] += r * r
                    new[m] += r * r * inverse[i]
            running = False
            for m in range(width):
                step[m] = new[m] / rz[m] if live[m] else 0.0
                if live[m]:
                    rz[m] = new[m]
                    norms[m] = np.sqrt(rr[m])
                    live[m] = norms[m] > goals[m]
                running = running or live[m]
            if not running:
                return iteration + 1
            for i in range(n):
                for m in range(width):
                    P[i, m] = R[i, m] * inverse[i] + step[m] * P[i, m]
        return n_iterations

    return leg


def cg_leg(
    A: Any,
    inverse: Floats,
    X: Floats,
    R: Floats,
    P: Floats,
    rz: Floats,
    live: Any,
    goals: Floats,
    norms: Floats,
    n: int,
) -> int:
    """Up to ``n`` iterations on a few columns, in place; returns how many were made.

    ``A`` is the triple (indptr int64, indices int32, data float64) of a sparse symmetric matrix,
    ``inverse`` 1 / diag(A), ``norms`` receives ||r|| of each column.
    """
    return int(_kernel(X.shape[1])(*A, inverse, X, R, P, rz, live, goals, norms, n))


@lru_cache
def _sweeps(width: int) -> Callable[..., int]:
    """As `_kernel`, with sweeps. Columns of A ascend in every row."""

    @kernel
    def leg(indptr, indices, data, d, X, U, P, rz, turn, live, goals, norms, n_iterations):  # type: ignore[no-untyped-def]
        n = len(indptr) - 1
        T, V = np.empty((n, width)), np.empty((n, width))
        inverse = 1.0 / d
        middle, above = np.empty(n, np.int64), np.empty(n, np.int64)
        for i in range(n):
            k = indptr[i]
            while k < indptr[i + 1] and indices[k] < i:
                k += 1
            middle[i] = k
            above[i] = k + 1 if k < indptr[i + 1] and indices[k] == i else k
        row, pq, step, new, rr = (
            np.zeros(width),
            np.zeros(width),
            np.zeros(width),
            np.zeros(width),
            np.zeros(width),
        )
        for iteration in range(n_iterations):
            for m in range(width):
                pq[m] = new[m] = rr[m] = 0.0
            for i in range(n - 1, -1, -1):
                for m in range(width):
                    P[i, m] = row[m] = d[i] * U[i, m] + turn[m] * P[i, m]
                for k in range(above[i], indptr[i + 1]):
                    a, j = data[k], indices[k]
                    for m in range(width):
                        row[m] -= a * T[j, m]
                for m in range(width):
                    T[i, m] = row[m] * inverse[i]
            for i in range(n):
                for m in range(width):
                    row[m] = P[i, m] - d[i] * T[i, m]
                for k in range(indptr[i], middle[i]):
                    a, j = data[k], indices[k]
                    for m in range(width):
                        row[m] -= a * V[j, m]
                for m in range(width):
                    V[i, m] = row[m] * inverse[i]
                    pq[m] += P[i, m] * (T[i, m] + V[i, m])
            for m in range(width):
                live[m] = live[m] and pq[m] > 0.0
                step[m] = rz[m] / pq[m] if live[m] else 0.0
            for i in range(n):
                for m in range(width):
                    X[i, m] += step[m] * T[i, m]
                    u = U[i, m] - step[m] * (T[i, m] + V[i, m])
                    U[i, m] = u
                    new[m] += d[i] * u * u
            for m in range(width):
                turn[m] = new[m] / rz[m] if live[m] else 0.0
                if live[m]:
                    rz[m] = new[m]
            if (iteration + 1) % LOOK and iteration + 1 < n_iterations:
                continue
            for i in range(n):
                for m in range(width):
                    row[m] = d[i] * U[i, m]
                for k in range(indptr[i], middle[i]):
                    a, j = data[k], indices[k]
                    for m in range(width):
                        row[m] += a * U[j, m]
                for m in range(width):
                    rr[m] += row[m] * row[m]
            running = False
            for m in range(width):
                if live[m]:
                    norms[m] = np.sqrt(rr[m])
                    live[m] = norms[m] > goals[m]
                running = running or live[m]
            if not running:
                return iteration + 1
        return n_iterations

    return leg


def sweep_leg(
    A: Any,
    diagonal: Floats,
    X: Floats,
    U: Floats,
    P: Floats,
    rz: Floats,
    turn: Floats,
    live: Any,
    goals: Floats,
    norms: Floats,
    n: int,
) -> int:
    """As `cg_leg`; ``turn`` is what the next p keeps of the last one, 0 at first."""
    return int(_sweeps(X.shape[1])(*A, diagonal, X, U, P, rz, turn, live, goals, norms, n))


@kernel
def sweep_forth(indptr, indices, data, d, R):  # type: ignore[no-untyped-def]
    """R = (D + L)^-1 R in place."""
    for i in range(len(d)):
        k = indptr[i]
        while k < indptr[i + 1] and indices[k] < i:
            for m in range(R.shape[1]):
                R[i, m] -= data[k] * R[indices[k], m]
            k += 1
        for m in range(R.shape[1]):
            R[i, m] /= d[i]
