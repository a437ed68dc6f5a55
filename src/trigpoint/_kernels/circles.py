"""Radii of Gershgorin circles."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array


@kernel
def radii(indptr: Array, indices: Array, data: Array) -> Array:
    """Sums of absolute values off the diagonal, row by row: no difference, so no cancellation."""
    n = len(indptr) - 1
    r = np.zeros(n)
    for i in range(n):
        for q in range(indptr[i], indptr[i + 1]):
            if indices[q] != i:
                r[i] += abs(data[q])
    return r
