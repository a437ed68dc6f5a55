"""Steps of multigrid and of conjugate gradients around it, for a fixed number of columns.

A level is a symmetric matrix in single precision with ``inverse`` = 1 / diagonal; columns of a row ascend.
Groups of the next level are ranges of rows: ``owner`` ascends. Columns are stored row-major, and each keeps
its own sums, so its numbers are the same whichever columns stand beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from trigpoint._kernels.compiled import kernel


@dataclass(frozen=True)
class Steps:
    """For vectors (n, width). R, X, E: residual, solution, solution of the groups; P, Q: direction, A P."""

    forth: Callable[..., None]
    restrict: Callable[..., None]
    back: Callable[..., None]
    residual: Callable[..., None]
    dense: Callable[..., None]
    products: Callable[..., None]
    turn: Callable[..., None]
    advance: Callable[..., None]


@lru_cache
def steps(width: int) -> Steps:
    """The loops for one width, which the compiler then unrolls."""

    @kernel
    def forth(indptr: Any, indices: Any, data: Any, inverse: Any, R: Any, X: Any) -> None:
        """X = (D + L)^-1 R."""
        row = np.empty(width, np.float32)
        for i in range(len(inverse)):
            for m in range(width):
                row[m] = R[i, m]
            for k in range(indptr[i], indptr[i + 1]):
                j, a = indices[k], data[k]
                if j >= i:
                    break
                for m in range(width):
                    row[m] -= a * X[j, m]
            for m in range(width):
                X[i, m] = row[m] * inverse[i]

    @kernel
    def restrict(indptr: Any, indices: Any, data: Any, owner: Any, X: Any, out: Any) -> None:
        """P^T (R - A X) after `forth`, where R - A X = -L^T X."""
        row = np.empty(width, np.float32)
        out[:] = 0
        for i in range(len(owner)):
            for m in range(width):
                row[m] = 0
            for k in range(indptr[i + 1] - 1, indptr[i] - 1, -1):
                j, a = indices[k], data[k]
                if j <= i:
                    break
                for m in range(width):
                    row[m] -= a * X[j, m]
            for m in range(width):
                out[owner[i], m] += row[m]

    @kernel
    def back(indptr: Any, indices: Any, data: Any, inverse: Any, owner: Any, E: Any, R: Any, X: Any) -> None:
        """X += P E, then one sweep of Gauss-Seidel from the last row to the first."""
        row = np.empty(width, np.float32)
        for i in range(len(owner)):
            for m in range(width):
                X[i, m] += E[owner[i], m]
        for i in range(len(inverse) - 1, -1, -1):
            for m in range(width):
                row[m] = R[i, m]
            for k in range(indptr[i], indptr[i + 1]):
                j, a = indices[k], data[k]
                if j != i:
                    for m in range(width):
                        row[m] -= a * X[j, m]
            for m in range(width):
                X[i, m] = row[m] * inverse[i]

    @kernel
    def residual(indptr: Any, indices: Any, data: Any, R: Any, X: Any, out: Any) -> None:
        """R - A X."""
        row = np.empty(width, np.float32)
        for i in range(len(out)):
            for m in range(width):
                row[m] = R[i, m]
            for k in range(indptr[i], indptr[i + 1]):
                j, a = indices[k], data[k]
                for m in range(width):
                    row[m] -= a * X[j, m]
            for m in range(width):
                out[i, m] = row[m]

    @kernel
    def dense(inverse: Any, R: Any, X: Any) -> None:
        """X = A^-1 R, by the rows of the inverse."""
        row = np.empty(width, np.float32)
        for i in range(len(inverse)):
            for m in range(width):
                row[m] = 0
            for j in range(len(inverse)):
                for m in range(width):
                    row[m] += inverse[i, j] * R[j, m]
            for m in range(width):
                X[i, m] = row[m]

    @kernel
    def products(R: Any, Z: Any, Q: Any, rz: Any, zq: Any) -> None:
        """r.z and z.q of each column."""
        for m in range(width):
            rz[m] = zq[m] = 0.0
        for i in range(len(R)):
            for m in range(width):
                rz[m] += R[i, m] * Z[i, m]
                zq[m] += Z[i, m] * Q[i, m]

    @kernel
    def turn(indptr: Any, indices: Any, data: Any, Z: Any, beta: Any, P: Any, Q: Any, pq: Any) -> None:
        """P = Z + beta P, Q = A P in double precision, and p.q of each column; P may be longer than Q."""
        row = np.empty(width)
        for i in range(len(P)):
            for m in range(width):
                P[i, m] = Z[i, m] + beta[m] * P[i, m]
        for m in range(width):
            pq[m] = 0.0
        for i in range(len(Q)):
            for m in range(width):
                row[m] = 0.0
            for k in range(indptr[i], indptr[i + 1]):
                j, a = indices[k], data[k]
                for m in range(width):
                    row[m] += a * P[j, m]
            for m in range(width):
                Q[i, m] = row[m]
                pq[m] += row[m] * P[i, m]

    @kernel
    def advance(step: Any, P: Any, Q: Any, X: Any, R: Any, single: Any, rr: Any) -> None:
        """X += step P, R -= step Q, ``single`` = R in single precision, and r.r of each column."""
        for m in range(width):
            rr[m] = 0.0
        for i in range(len(P)):
            for m in range(width):
                X[i, m] += step[m] * P[i, m]
                r = R[i, m] - step[m] * Q[i, m]
                R[i, m] = single[i, m] = r
                rr[m] += r * r

    return Steps(forth, restrict, back, residual, dense, products, turn, advance)
