"""A sparse matrix as the kernels take it."""

import numpy as np

from trigpoint._types import Array, Sparse


def compiled_csr(matrix: Sparse) -> tuple[Array, Array, Array]:
    """indptr int64, indices int32, data float64, read-only: one set of types, so a kernel compiles once.

    Nothing of the size of the matrix is copied unless its indices are int64; memory maps stay maps.
    """
    arrays = (
        np.require(matrix.indptr, np.int64),
        np.require(matrix.indices, np.int32),
        np.require(matrix.data, np.float64),
    )
    views = tuple(array.view(np.ndarray) for array in arrays)
    for view in views:
        view.flags.writeable = False
    return views  # type: ignore[return-value]
