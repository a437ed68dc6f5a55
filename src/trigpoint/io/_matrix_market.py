"""Matrix Market: a banner, comments, sizes, then entries.

    %%MatrixMarket matrix (coordinate|array) (real|integer|pattern) (general|symmetric|skew-symmetric)

Entries are "row column value" counted from 1 (coordinate; no value for a pattern), or the values
alone, column by column (array); of a symmetric matrix, those of one triangle. scipy's reader is faster,
but crashed the process on damaged array files here.
"""

import warnings
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint.io._files import reading

LAYOUTS = ("coordinate", "array")
FIELDS = {"real": 1, "double": 1, "integer": 1, "pattern": 0}  # values an entry
SYMMETRIES = {"general": 0, "symmetric": 1, "skew-symmetric": -1}  # sign of the mirror image
MOST = 2**31 - 1  # rows or columns


def read_matrix_market(path: Path) -> Any:
    """The matrix of a file: an array, or a `csr_array` of float64 with its entries added up."""
    with path.open(encoding="utf-8") as stream:
        layout, field, sign = _banner(path, _line(path, stream))
        sizes = _sizes(path, stream, 3 if layout == "coordinate" else 2)
        width = 2 + FIELDS[field] if layout == "coordinate" else 1
        entries = _entries(path, stream, width)
    if layout == "array":
        return _dense(path, entries.ravel(), sizes[0], sizes[1], sign)
    return _sparse(path, entries, sizes, sign)


def _line(path: Path, stream: TextIO) -> str:
    with reading(path, "a Matrix Market file"):
        return stream.readline(4096)


def _banner(path: Path, line: str) -> tuple[str, str, int]:
    words = line.lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise InputError(path, f"must be a Matrix Market file; its first line is {line.strip()[:60]!r}")
    layout, field, symmetry = words[2:]
    if layout not in LAYOUTS or field not in FIELDS or symmetry not in SYMMETRIES:
        rule = "a real, integer or pattern matrix, general or symmetric"
        raise InputError(path, f"must hold {rule}; it says {' '.join(words[2:])!r}")
    if layout == "array" and field == "pattern":
        raise InputError(path, "must hold values, because it is an array; it says 'pattern'")
    return layout, field, SYMMETRIES[symmetry]


def _sizes(path: Path, stream: TextIO, count: int) -> list[int]:
    line = _line(path, stream)
    while line.startswith("%") or line.isspace():
        line = _line(path, stream)
    words = line.split()
    if len(words) != count or not all(word.isascii() and word.isdigit() for word in words):
        raise InputError(path, f"must give {count} sizes below its comments", repr(line.strip()[:60]))
    sizes = [int(word) for word in words]
    if min(sizes[:2]) < 1 or max(sizes[:2]) > MOST:
        raise InputError(
            path, f"must have from 1 to {MOST} rows and columns; it says {sizes[0]} x {sizes[1]}"
        )
    return sizes


def _entries(path: Path, stream: TextIO, width: int) -> Floats:
    """(m, width) numbers, one entry a line."""
    with reading(path, "a Matrix Market file"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy warns where there is no entry at all
        entries: Floats = np.loadtxt(stream, comments="%", ndmin=2)
    if entries.size and entries.shape[1] != width:
        raise InputError(path, f"must have {width} numbers in each entry", entries.shape[1])
    return entries.reshape(-1, width)


def _check_count(path: Path, found: int, promised: int) -> None:
    if found != promised:
        raise InputError(path, f"must hold the {promised} entries that it promises", found)


def _dense(path: Path, values: Floats, rows: int, columns: int, sign: int) -> Array:
    if sign == 0:
        _check_count(path, len(values), rows * columns)
        return values.reshape(columns, rows).T
    _check_mirror(path, rows, columns)
    start = 0 if sign > 0 else 1  # a skew-symmetric matrix has no diagonal
    _check_count(path, len(values), rows * (rows + 1) // 2 - start * rows)
    matrix = np.zeros((rows, rows))
    upper = np.triu_indices(rows, start)
    matrix[upper] = sign * values
    matrix.T[upper] = values
    return matrix


def _sparse(path: Path, entries: Floats, sizes: list[int], sign: int) -> Any:
    rows, columns, promised = sizes
    _check_count(path, len(entries), promised)
    i, j = _indices(path, entries[:, 0], rows), _indices(path, entries[:, 1], columns)
    values = entries[:, 2] if entries.shape[1] > 2 else np.ones(len(entries))
    if sign:
        _check_mirror(path, rows, columns)
        off = i != j
        i, j = np.concatenate([i, j[off]]), np.concatenate([j, i[off]])
        values = np.concatenate([values, sign * values[off]])
    return sparse.csr_array((values, (i, j)), shape=(rows, columns))


def _check_mirror(path: Path, rows: int, columns: int) -> None:
    if rows != columns:
        raise InputError(path, f"must be square to be symmetric; it says {rows} x {columns}")


def _indices(path: Path, column: Floats, size: int) -> Ints:
    bad = np.flatnonzero(~((column >= 1) & (column <= size) & (column == np.rint(column))))
    if len(bad):
        place = f"entry {bad[0] + 1} says {column[bad[0]]:g}"
        raise InputError(path, f"must count rows and columns from 1 to {size}; {place}")
    return column.astype(np.int64) - 1
