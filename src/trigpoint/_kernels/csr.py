"""A sparse matrix as the kernels take it."""

import numpy as np

from trigpoint._types import Array, Sparse


def compiled_csr(matrix: Sparse) -> tuple[Array, Array, Array]:
    """indptr int64, indices int32, data float64, writable: one set of types, so a kernel compiles once.

    Nothing of the size of the matrix is copied unless its indices are int64 or its arrays read-only.
    """
    indptr = matrix.indptr.astype(np.int64)
    return indptr, np.require(matrix.indices, np.int32, "W"), np.require(matrix.data, np.float64, "W")
