"""What the signs and row sums of a symmetric matrix tell about it.

With a positive vector s, A is diagonally dominant in the scaled sense where
a_ii s_i >= sum_{j != i} |a_ij| s_j in every row. If one row of every component holds strictly, as
with a landmark in every component of a Laplacian, A is positive definite.
"""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from trigpoint._kernels import compiled_csr, run_blocks
from trigpoint._types import Floats, Ints, Sparse

COMPILED = 500_000  # entries of A from which compiling pays
BLOCK = 1 << 20  # entries that are looked at together
ROWS = 1 << 14  # rows that one thread copies at a time
ROUNDING = 1e-6  # Laplacians summed in single precision count as such
NULL = 1e-5  # phi s counts as 0 below this share of the diagonal: phi may be kept in float32


def is_dominant(A: Sparse, s: Floats | None = None) -> bool:
    """Whether every row is diagonally dominant, up to rounding."""
    s = np.ones(A.shape[0]) if s is None else s
    diagonal = A.diagonal() * s
    sums = np.concatenate([abs(rows) @ s for rows in row_blocks(A)])
    slack = diagonal + np.abs(diagonal) - sums
    return bool(np.all(slack >= -ROUNDING * diagonal) and diagonal.min() >= 0.0)


def is_laplacian_like(A: Sparse) -> bool:
    """Whether all entries off the diagonal are <= 0."""
    start = 0
    for rows in row_blocks(A):
        here = np.repeat(np.arange(start, start + rows.shape[0]), np.diff(rows.indptr))
        if np.any((rows.data > 0.0) & (rows.indices != here)):
            return False
        start += rows.shape[0]
    return True


def row_blocks(A: Sparse) -> Iterator[Sparse]:
    """A, some rows at a time, so that what is made of them stays small."""
    step = max(1, int(BLOCK * A.shape[0] / max(A.nnz, 1)))
    return (A[start : start + step] for start in range(0, A.shape[0], step))


def principal(A: Sparse, samples: Ints) -> Sparse:
    """Rows and columns ``samples`` of A, in their order, entries sorted; a large A is copied but once."""
    if A.nnz < COMPILED:
        kept = A[samples][:, samples]
        kept.sort_indices()
        return kept
    from trigpoint._kernels.principal import count_kept, fill_kept

    place = np.full(A.shape[0], -1, np.int32)
    place[samples] = np.arange(len(samples), dtype=np.int32)
    arrays, ends = compiled_csr(A), np.zeros(len(samples) + 1, np.int64)
    run_blocks(lambda i, j: count_kept(i, j, *arrays[:2], samples, place, ends[1:]), len(samples), ROWS)
    np.cumsum(ends, out=ends)
    indices, data = np.empty(ends[-1], np.int32), np.empty(ends[-1])
    rows = samples, place, ends, indices, data
    run_blocks(lambda i, j: fill_kept(i, j, *arrays, *rows), len(samples), ROWS)
    indptr = ends.astype(np.int32) if ends[-1] < 2**31 else ends
    return csr_array((data, indices, indptr), shape=(len(samples), len(samples)))
