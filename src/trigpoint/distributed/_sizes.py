"""How many bytes our things hold, for Dask, which knows that of arrays and tuples, but not of these.

It decides by this what to write to disk and where to send a task, and counts what moves.
"""

from functools import lru_cache
from typing import Any


class Sized:
    """Has the size of what it holds."""

    def __sizeof__(self) -> int:
        from dask.sizeof import sizeof

        return sum(int(sizeof(held)) for held in vars(self).values())


@lru_cache
def teach_sizes() -> None:
    """Once in a process: scipy's sparse arrays."""
    from dask.sizeof import sizeof
    from scipy.sparse import csr_array

    def size_of(matrix: csr_array) -> int:
        return int(matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes)

    register: Any = sizeof.register
    register(csr_array, size_of)
