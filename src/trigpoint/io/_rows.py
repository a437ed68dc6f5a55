"""The rows of a .npy file, to be shown while somebody may write the file anew.

A memory map of a file that is cut short kills the process that looks at it. So an array of modest size is
read at once, and of a larger one each row when it is asked for, with an error where it is not there.
"""

from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.io._arrays import check_npy
from trigpoint.io._files import reading

MODEST = 200_000_000  # bytes


def read_rows(path: Path) -> Any:
    """The array of a file: in memory, or its rows on disk where it is large."""
    shape, by_columns, dtype, start = check_npy(path)
    n_bytes = dtype.itemsize * int(np.prod(shape, dtype=object))
    if n_bytes > MODEST and shape and not by_columns:
        return Rows(path, shape, dtype, start)
    with reading(path, "a .npy array"), path.open("rb") as stream:
        return np.load(stream, allow_pickle=False)


class Rows:
    """An array on disk, of which one row can be had at a time; more dimensions are flattened to one row."""

    def __init__(self, path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], start: int) -> None:
        self.shape = shape if len(shape) < 2 else (shape[0], int(np.prod(shape[1:], dtype=object)))
        self.dtype, self.ndim = dtype, len(self.shape)
        self._path, self._start = path, start
        self._size = path.stat().st_size

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, i: int) -> Array:
        n_bytes = self.shape[1] * self.dtype.itemsize
        with self._path.open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(self._start + i * n_bytes)
            found = stream.read(n_bytes)
        if size != self._size or len(found) != n_bytes:
            was = f"with {self._size} bytes, as it was when it was opened"
            raise InputError(self._path, f"must stay {was}; it has {size}")
        return np.frombuffer(found, self.dtype)
