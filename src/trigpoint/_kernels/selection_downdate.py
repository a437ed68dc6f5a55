"""A covariance given one more value, with the squared norms of its rows: one pass over the matrix."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array


@kernel
def downdate(C: Array, root: Array, spot: int, squares: Array, start: int, stop: int) -> None:
    """C -= root root^T in rows start..stop, 0 in column ``spot``; squares_i = |C_i|^2 of what is left."""
    for i in range(start, stop):
        row, factor = C[i], root[i]
        for j in range(len(root)):
            row[j] -= factor * root[j]
        row[spot] = 0.0
        squares[i] = np.dot(row, row)
