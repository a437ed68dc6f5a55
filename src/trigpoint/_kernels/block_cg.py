"""The vectors of conjugate gradients on a block of rows, (n, c) each, in one pass and in place."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array, Floats, Ints


@kernel
def advance(u: Floats, w: Floats, a: Floats, b: Floats, p: Floats, s: Floats, x: Floats, r: Floats) -> None:
    """p = u + b p,  s = w + b s,  x += a p,  r -= a s;  a and b have one number a column, u may be longer."""
    n, c = r.shape
    for i in range(n):
        for m in range(c):
            p[i, m] = u[i, m] + b[m] * p[i, m]
            s[i, m] = w[i, m] + b[m] * s[i, m]
            x[i, m] += a[m] * p[i, m]
            r[i, m] -= a[m] * s[i, m]


@kernel
def precondition(r: Floats, halo: Floats, inverse: Floats, y: Floats, owner: Ints, u: Floats) -> None:
    """u = D^-1 r + y at the aggregate of each row, for the rows of a block and then of its halo.

    ``owner`` may be -1, the last row of y.
    """
    n, c = r.shape
    for i in range(n):
        for m in range(c):
            u[i, m] = r[i, m] * inverse[i, 0] + y[owner[i], m]
    for h in range(len(halo)):
        i = n + h
        for m in range(c):
            u[i, m] = halo[h, m] * inverse[i, 0] + y[owner[i], m]


def multiply(A: tuple[Ints, Array, Floats], u: Floats, w: Floats) -> None:
    """w = A u, in the place of w; ``A`` is a triple (indptr, indices, data)."""
    _multiplier(w.shape[1])(*A, u, w)


@lru_cache
def _multiplier(width: int) -> Callable[..., None]:
    """The loop for a fixed number of columns, which the compiler then unrolls."""

    @kernel
    def multiplied(indptr, indices, data, u, w):  # type: ignore[no-untyped-def]
        row = np.zeros(width)
        for i in range(len(w)):
            for m in range(width):
                row[m] = 0.0
            for k in range(indptr[i], indptr[i + 1]):
                a, j = data[k], indices[k]
                for m in range(width):
                    row[m] += a * u[j, m]
            for m in range(width):
                w[i, m] = row[m]

    return multiplied


@kernel
def dots(r: Floats, u: Floats, w: Floats) -> Floats:
    """(3, c): r.u, w.u and r.r of each column; u may be longer."""
    n, c = r.shape
    found = np.zeros((3, c))
    for i in range(n):
        for m in range(c):
            found[0, m] += r[i, m] * u[i, m]
            found[1, m] += w[i, m] * u[i, m]
            found[2, m] += r[i, m] * r[i, m]
    return found
