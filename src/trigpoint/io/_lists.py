"""Columns whose cells are lists of numbers: embeddings.

A list of d numbers a sample becomes (n, d) features. Lists of floats, or of a fixed length, may be embeddings
without being asked for; other lists of whole numbers are rather tokens or tags. float16 and float32 stay
small: float32, as do whole numbers of up to 16 bits. All else becomes float64. Lists of different lengths,
missing lists and numbers that are missing or not finite are refused, by row and column.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array

Place = Callable[[int], str]  # row -> how a person finds the cell
BLOCK = 4096  # lists


class Lists:
    """A column of lists, as it is in its file or frame, and not looked at yet.

    Attributes
    ----------
    likely : whether these may be embeddings without being asked for
    """

    def __init__(self, cells: Any, likely: bool) -> None:
        self._cells, self.likely = cells, likely  # an arrow column, or an array or list of lists

    def __len__(self) -> int:
        return len(self._cells)

    def vectors(self, place: Place) -> Array:
        """(n, d) float32 or float64, finite."""
        blocks = _arrow_blocks if hasattr(self._cells, "chunks") else _blocks
        X = np.empty((0, 0), np.float32)
        for start, block in blocks(self._cells, place):
            if start == 0:
                X = np.empty((len(self), block.shape[1]), _held(block.dtype))
            elif _held(block.dtype) == np.float64 != X.dtype:
                X = X.astype(np.float64)
            _check_finite(block, start, place)
            X[start : start + len(block)] = block
        return X


def _held(dtype: Any) -> Any:
    """What numbers of this type are held as."""
    small = dtype.itemsize <= (4 if dtype.kind == "f" else 2)
    return np.float32 if small else np.float64


def _check_finite(block: Array, start: int, place: Place) -> None:
    bad = ~np.isfinite(block) if block.dtype.kind == "f" else np.zeros(0, bool)
    if bad.any():
        i, j = (int(k) for k in np.argwhere(bad)[0])
        found = f"{block[i, j]} at place {j + 1}"
        raise InputError(f"{place(start + i)}:", "must be a list of finite numbers", found)


def _check_length(found: int, width: int, place: str) -> None:
    if found != width or width == 0:
        rule = f"must be a list of {width} numbers, as the first one is" if width else "must not be empty"
        raise InputError(f"{place}:", rule, f"{found} numbers")


def _blocks(cells: Any, place: Place) -> Iterator[tuple[int, Array]]:
    width = len(_row(cells[0], place(0)))
    for start in range(0, len(cells), BLOCK):
        rows = []
        for i, cell in enumerate(cells[start : start + BLOCK], start):
            rows.append(_row(cell, place(i)))
            _check_length(len(rows[-1]), width, place(i))
        yield start, np.stack(rows)


def _row(cell: Any, place: str) -> Array:
    if cell is None or (isinstance(cell, float) and cell != cell):
        raise InputError(f"{place}:", "must be a list of numbers", "nothing")
    try:
        row = np.asarray(cell)
    except ValueError:  # lists of different lengths in it
        raise InputError(f"{place}:", "must be a list of numbers", "lists in it") from None
    if row.ndim != 1 or (row.dtype.kind not in "iuf" and row.size):
        odd = "nothing in it" if None in row.ravel().tolist() else f"{row.ndim} dimensions of {row.dtype}"
        raise InputError(f"{place}:", "must be a list of numbers", odd)
    return row


def _arrow_blocks(column: Any, place: Place) -> Iterator[tuple[int, Array]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    start, width = 0, -1
    for chunk in column.chunks:
        if chunk.null_count:
            i = int(np.flatnonzero(chunk.is_null().to_numpy(zero_copy_only=False))[0])
            raise InputError(f"{place(start + i)}:", "must be a list of numbers", "nothing")
        lengths = pc.list_value_length(chunk).to_numpy(zero_copy_only=False)
        if not len(lengths):
            continue
        width = int(lengths[0]) if start == 0 else width
        odd = int(np.argmax(lengths != width)) if width else 0  # 0 where there is none
        _check_length(int(lengths[odd]), width, place(start + odd))
        values = chunk.flatten()
        if values.null_count:
            j = int(np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False))[0])
            raise InputError(f"{place(start + j // width)}:", "must be a list of numbers", "nothing in it")
        if pa.types.is_decimal(values.type):
            values = values.cast(pa.float64(), safe=False)
        yield start, values.to_numpy(zero_copy_only=False).reshape(-1, width)
        start += len(lengths)


def arrow_lists(column: Any) -> Lists | None:
    """The lists of numbers that an arrow column holds, else None."""
    import pyarrow.types as of

    kind = column.type
    fixed = of.is_fixed_size_list(kind)
    if not (fixed or of.is_list(kind) or of.is_large_list(kind)):
        return None
    inner = kind.value_type
    if not (of.is_floating(inner) or of.is_integer(inner) or of.is_decimal(inner)):
        return None
    return Lists(column, fixed or of.is_floating(inner))


def object_lists(cells: Any) -> Lists | None:
    """The same of Python's own lists, tuples and arrays: all of numbers, as far as the first tells."""
    first = next((cell for cell in cells if cell is not None and cell is not np.nan), None)
    if not isinstance(first, list | tuple | np.ndarray) or len(first) == 0:
        return None
    if isinstance(first, np.ndarray):
        return Lists(cells, first.dtype.kind == "f") if first.dtype.kind in "iuf" else None
    if not all(isinstance(x, int | float | None) and not isinstance(x, bool) for x in first):
        return None
    return Lists(cells, any(isinstance(x, float) for x in first))
