"""Arrays about as large as a pool that is a memory map.

Such a pool may be larger than the memory, and so may be what is made of it. It is then kept in a file without
a name, in the folder of temporary files (TMPDIR): the system may write to it what is not in use, and takes it
back with the last reference, however the process ends. The room on the disk is taken at once, since a disk
that is full would end a process where it writes to a map.
"""

import errno
import mmap
import os
import tempfile
from typing import Any, BinaryIO

import numpy as np

from trigpoint._types import Array

LARGE = 2**30  # bytes of a map


def is_large_map(array: Any) -> bool:
    """Whether an array is a memory map, or a view of one, and large."""
    if not isinstance(array, np.ndarray) or array.nbytes < LARGE:
        return False
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    return isinstance(base, mmap.mmap)


def empty_beside(pool: Any, shape: tuple[int, ...], dtype: Any) -> Array:
    """An array that is not filled yet: in memory, or in a file where the pool is a large memory map."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    if size == 0 or not is_large_map(pool):
        return np.empty(shape, dtype)
    with tempfile.TemporaryFile() as stream:
        take_room(stream, size, tempfile.gettempdir())
        return np.memmap(stream, dtype, "r+", shape=shape).view(np.ndarray)


def take_room(stream: BinaryIO, size: int, name: str) -> None:
    """Make a file this large, with room on the disk; an error names where there is too little."""
    try:
        if size and hasattr(os, "posix_fallocate"):
            os.posix_fallocate(stream.fileno(), 0, size)
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise OSError(error.errno, f"{error.strerror} ({size:,} bytes)", name) from None
    stream.truncate(size)
