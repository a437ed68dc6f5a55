"""What the selectors share that work on an (n, n) array.

Results do not depend on the number of threads: they run BLAS on one, or give each row to one. And
they do not depend on the last bits: a candidate whose score is within 1e-9 of the best, relative to
the scores' own size, ties with it, and ties go to the lower index.
"""

from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg.lapack import dpotrf, dpotri

from trigpoint._types import Array, Floats, Ints

TIE = 1e-9
ROWS = 64  # mirrored at a time


def principal_block(phi: Any, rows: Ints) -> Floats:
    """phi[rows, rows] as a new array, which may be overwritten."""
    if sparse.issparse(phi):
        block = phi if len(rows) == phi.shape[0] else phi[rows][:, rows]
        return np.asarray(block.toarray())
    return np.ascontiguousarray(phi[np.ix_(rows, rows)])


def shifted(block: Floats, shift: float) -> Floats:
    """block + shift I, in place."""
    block.flat[:: len(block) + 1] += shift
    return block


def first_best(scores: Floats, allowed: Array, scale: float | None = None) -> int:
    """The lowest index among the allowed scores that tie with the largest."""
    best = scores[allowed].max()
    slack = TIE * (abs(best) if scale is None else scale)
    return int(np.flatnonzero(allowed & (scores >= best - slack))[0])


def inverse(A: Floats) -> Floats | None:
    """The inverse of a symmetric positive definite A, in its place; None where A is not."""
    factor, failed = dpotrf(A.T, lower=1, overwrite_a=1, clean=0)
    if failed:
        return None
    found, _ = dpotri(factor, lower=1, overwrite_c=1)
    return _mirrored(found).T


def _mirrored(A: Floats) -> Floats:
    """The lower triangle copied into the upper one, in place and by blocks."""
    for start in range(0, len(A), ROWS):
        stop = min(start + ROWS, len(A))
        corner = A[start:stop, start:stop]
        corner[:] = np.tril(corner) + np.tril(corner, -1).T
        A[start:stop, stop:] = A[stop:, start:stop].T
    return A
