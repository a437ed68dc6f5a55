"""Folders of .npy shards: one array in parts, in the order of their names, numbers as numbers.

All shards are (n_i, p) arrays of real numbers with the same p. Headers are looked at first, all of them; then
the rows stream through, a block at a time, and are never in memory as a whole.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint._validation import REAL, check_block, held_type
from trigpoint.io._arrays import check_npy
from trigpoint.io._files import by_number, check_file, reading
from trigpoint.io._images import SUFFIXES

SHARD = ".npy"
LARGE = 2**28  # bytes of a file that is not held in memory in another type
BLOCK = 2**22  # bytes of rows to read at a time


def shard_files(path: Path) -> dict[str, Path]:
    """The shards of a folder by name, in order; hidden ones are left out. A link may lead nowhere."""
    found = {
        file.name: file
        for file in path.iterdir()
        if file.suffix.lower() == SHARD and not file.name.startswith(".") and not file.is_dir()
    }
    return {name: found[name] for name in sorted(found, key=by_number)}


def is_shards(path: Path) -> bool:
    """Whether a folder holds arrays and no pictures, which arrays may lie beside."""
    if not path.is_dir() or not shard_files(path):
        return False
    return not any(file.suffix.lower() in SUFFIXES for file in path.rglob("*"))


@dataclass(frozen=True)
class Shards:
    """Files whose headers are known to fit; there may be one only."""

    files: tuple[Path, ...]
    counts: tuple[int, ...]
    width: int
    dtype: np.dtype[Any]

    @property
    def shape(self) -> tuple[int, int]:
        return sum(self.counts), self.width

    def blocks(self) -> Iterator[Array]:
        """All rows in order, in the type of the whole; the first number that is not finite is an error."""
        for file in self.files:
            start = 0
            for rows in _rows(file):
                block = rows.astype(self.dtype, copy=False)
                check_block(block, str(file), start)
                start += len(block)
                yield block


def is_other_type(file: Path) -> bool:
    """Whether a .npy is large, and of a type that must become another to be used (float16, whole numbers)."""
    shape, _, dtype, _ = check_npy(file)
    fits = len(shape) == 2 and 0 not in shape and dtype.kind in REAL and not dtype.hasobject
    return fits and dtype != held_type(dtype) and file.stat().st_size >= LARGE


def shards(path: Path, files: Iterable[Path]) -> Shards:
    """The shards of a folder, all looked at: no data are read."""
    files = tuple(files)
    counts: list[int] = []
    widths: list[int] = []
    types: list[np.dtype[Any]] = []
    for file in files:
        check_file(file)
        shape, _, dtype, _ = check_npy(file)
        if len(shape) != 2 or shape[1] == 0:
            raise InputError(file, "must hold samples in rows, (n_samples, n_features)", f"shape {shape}")
        if dtype.kind not in REAL:
            raise InputError(file, "must hold real numbers", f"dtype {dtype}")
        if widths and shape[1] != widths[0]:
            raise InputError(file, f"must have {widths[0]} columns, as {files[0].name} has", shape[1])
        counts.append(shape[0])
        widths.append(shape[1])
        types.append(held_type(dtype))
    if sum(counts) == 0:
        raise InputError(path, "must hold at least one row; its shards hold none")
    return Shards(files, tuple(counts), widths[0], np.result_type(*types))


def _rows(file: Path) -> Iterator[Array]:
    """By reading, and not by a map, whose pages would stay in memory; columns first must be mapped."""
    (n, p), by_columns, dtype, offset = _header(file)
    step = max(1, BLOCK // (p * dtype.itemsize))
    if by_columns:
        whole = np.lib.format.open_memmap(file, mode="r")
        yield from (whole[start : start + step] for start in range(0, n, step))
        return
    with reading(file, "a .npy array"), file.open("rb") as stream:
        stream.seek(offset)
        for start in range(0, n, step):
            count = min(step, n - start)
            data = stream.read(count * p * dtype.itemsize)
            if len(data) < count * p * dtype.itemsize:
                raise InputError(file, "must not change while it is read; it was cut short")
            yield np.frombuffer(data, dtype).reshape(count, p)


def _header(file: Path) -> tuple[tuple[int, int], bool, np.dtype[Any], int]:
    (n, p), by_columns, dtype, offset = check_npy(file)
    return (n, p), by_columns, dtype, offset
