"""Jacobi-preconditioned conjugate gradients for a few columns at once.

For each column of A x = b, with D = diag(A) and z = D^-1 r:

    q = A p;  a = (r.z) / (p.q);  x += a p;  r -= a q;  p = z + (new r.z / old r.z) p.

Columns are stored row-major, (n, c), so that one pass over A serves all of them, and every
column keeps its own scalars: its numbers are the same whichever columns stand beside it.
A column whose residual reaches its goal stands still from then on; so does one that meets
p.q <= 0, which a positive definite A never shows.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Floats


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
