"""Steps of multigrid and of conjugate gradients on a block of rows, for a fixed number of columns.

A block has rows of a symmetric matrix in two precisions, its own samples as the first columns, ascending,
and behind them the samples of other blocks that its rows name, the halo. Vectors that hold the halo are
longer; columns are stored row-major. `cycles` has what needs no halo.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from trigpoint._kernels.compiled import kernel


@dataclass(frozen=True)
class BlockSteps:
    """For vectors (n, width). R, X, E: residual, solution, that of the aggregates; P, Q: direction, A P."""

    restrict: Callable[..., None]
    back: Callable[..., None]
    advance: Callable[..., None]


@lru_cache
def block_steps(width: int) -> BlockSteps:
    """The loops for one width, which the compiler then unrolls."""

    @kernel
    def restrict(indptr: Any, indices: Any, data: Any, rest: Any, owner: Any, X: Any, out: Any) -> None:
        """P^T (R - A X) after a sweep (G + L) X = R of the own rows, where R - A X = (G - D - L^T) X.

        ``rest`` is the diagonal of G - D; ``owner`` may be -1, the last row of ``out``.
        """
        row = np.empty(width, np.float32)
        out[:] = 0
        for i in range(len(rest)):
            for m in range(width):
                row[m] = rest[i] * X[i, m]
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
        """X += P E with the halo, then X += (G + L^T)^-1 (R - A X) from the last own row to the first.

        ``inverse`` is that of G; ``owner`` may be -1, the last row of E.
        """
        row = np.empty(width, np.float32)
        for i in range(len(owner)):
            for m in range(width):
                X[i, m] += E[owner[i], m]
        for i in range(len(inverse) - 1, -1, -1):
            for m in range(width):
                row[m] = R[i, m]
            for k in range(indptr[i], indptr[i + 1]):
                j, a = indices[k], data[k]
                for m in range(width):
                    row[m] -= a * X[j, m]
            for m in range(width):
                X[i, m] += row[m] * inverse[i]

    @kernel
    def advance(step: Any, P: Any, Q: Any, X: Any, R: Any, rr: Any) -> None:
        """X += step P, R -= step Q, and r.r of each column."""
        for m in range(width):
            rr[m] = 0.0
        for i in range(len(R)):
            for m in range(width):
                X[i, m] += step[m] * P[i, m]
                r = R[i, m] - step[m] * Q[i, m]
                R[i, m] = r
                rr[m] += r * r

    return BlockSteps(restrict, back, advance)
