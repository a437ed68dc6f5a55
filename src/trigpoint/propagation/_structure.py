"""What the signs and row sums of a symmetric matrix tell about it.

With a positive vector s, A is diagonally dominant in the scaled sense where
a_ii s_i >= sum_{j != i} |a_ij| s_j in every row. If one row of every component holds strictly, as
with a landmark in every component of a Laplacian, A is positive definite.
"""

import numpy as np

from trigpoint._types import Floats, Sparse

ROUNDING = 1e-6  # Laplacians summed in single precision count as such
NULL = 1e-5  # phi s counts as 0 below this share of the diagonal: phi may be kept in float32


def is_dominant(A: Sparse, s: Floats | None = None) -> bool:
    """Whether every row is diagonally dominant, up to rounding."""
    s = np.ones(A.shape[0]) if s is None else s
    diagonal = A.diagonal() * s
    slack = diagonal + np.abs(diagonal) - abs(A) @ s
    return bool(np.all(slack >= -ROUNDING * diagonal) and diagonal.min() >= 0.0)


def is_laplacian_like(A: Sparse) -> bool:
    """Whether all entries off the diagonal are <= 0."""
    off = A.data.copy()
    rows = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
    off[rows == A.indices] = 0.0
    return bool(off.max(initial=0.0) <= 0.0)
