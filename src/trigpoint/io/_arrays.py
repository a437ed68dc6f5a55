"""Arrays on disk: .npy (memory-mapped), .npz, and scipy's sparse .npz. Nothing is ever unpickled.

Arrays of more than two dimensions are flattened to one row a sample.
"""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint._validation import REAL, check_features, check_finite
from trigpoint.io._files import reading
from trigpoint.io._table import check_column, listed


def read_npy(path: Path) -> Array:
    """The array of a file, mapped and not loaded."""
    check_npy(path)
    with reading(path, "a .npy array"):
        return np.lib.format.open_memmap(path, mode="r")


def check_npy(path: Path) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Shape, order (True for columns first), type, and where the data begin, of a file that is whole."""
    with path.open("rb") as stream:
        if stream.read(6) != b"\x93NUMPY":
            raise InputError(path, "must be a .npy file of numpy; it does not start like one")
    with reading(path, "a .npy array"), path.open("rb") as stream:
        shape, by_columns, dtype = _read_header(stream)
        start = stream.tell()
    _check_header(path, shape, dtype, path.stat().st_size)
    return shape, by_columns, dtype, start


def read_npz(path: Path, key: str | None, least: int = 2, argument: str = "key") -> Any:
    """An array of the file by its name: ``key``, else X, else the only one of ``least`` dimensions or more.

    A sparse matrix comes back as a `csr_array`. Errors call the key what the user does: ``argument``.
    """
    headers = npz_headers(path)
    if {"format", "shape", "data"} <= set(headers) and key is None:
        with reading(path, "a sparse .npz"):
            with path.open("rb") as stream:
                matrix = sparse.csr_array(sparse.load_npz(stream))
            matrix.check_format(full_check=True)
        return matrix
    if key is None:
        key = _only(path, headers, least)
    check_column(path, list(headers), key, argument)
    _check_header(path, *headers[key])
    with (
        reading(path, "an .npz archive"),
        path.open("rb") as stream,  # numpy leaves its own open where the archive is bad
        np.load(stream, allow_pickle=False) as archive,
    ):
        return archive[key]


def npz_headers(path: Path) -> dict[str, tuple[tuple[int, ...], np.dtype[Any], int]]:
    """Shape, type and bytes of each array, without loading any."""
    with reading(path, "an .npz archive"), zipfile.ZipFile(path) as archive:
        found = {}
        for member in archive.infolist():
            if member.filename.endswith(".npy"):
                with archive.open(member) as stream:
                    shape, _, dtype = _read_header(stream)
                    found[member.filename.removesuffix(".npy")] = (shape, dtype, member.file_size)
        return found


def _only(path: Path, headers: dict[str, Any], least: int) -> str:
    if "X" in headers:
        return "X"
    found = [name for name, (shape, _, _) in headers.items() if len(shape) >= least]
    if len(found) != 1:
        among = listed(list(headers)) or "none"
        raise InputError(
            path, "must hold one array called X or one alone of its kind, or say key=", f"{among}"
        )
    return found[0]


def _read_header(stream: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(stream)
    first = version == (1, 0)
    read = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
    return read(stream)


def _check_header(path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], n_bytes: int) -> None:
    """No pickled objects, and as many bytes as the shape promises, before any memory is asked for."""
    if dtype.hasobject:
        raise InputError(path, "must hold plain numbers or text", "pickled objects, which are never loaded")
    promised = dtype.itemsize
    for size in shape:
        promised *= int(size)
    if promised > n_bytes or any(size < 0 for size in shape):
        raise InputError(path, f"must hold the {promised} bytes of its shape {shape}; it was cut short")


def as_features(array: Any, path: Path, finite: bool = True) -> Any:
    """An array as (n, p) finite real features; a memory map stays one, and is not read unless checked."""
    if sparse.issparse(array):
        return check_features(array, str(path))
    if array.ndim < 2 or 0 in array.shape:
        raise InputError(path, "must hold samples in rows, (n_samples, n_features)", f"shape {array.shape}")
    if array.dtype.kind not in REAL:
        raise InputError(path, "must hold real numbers", f"dtype {array.dtype}")
    if finite:
        check_finite(array, str(path))
    return array if array.ndim == 2 else array.reshape(len(array), -1)


def read_features(path: Path, kind: str, key: str | None = None) -> Any:
    return as_features(read_npy(path) if kind == "npy" else read_npz(path, key), path)
