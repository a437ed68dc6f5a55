"""Arrays on disk: .npy (memory-mapped), .npz, scipy's sparse .npz, and IDX. Nothing is ever unpickled.

Arrays of more than two dimensions are flattened to one row a sample. float16 becomes float32.

A memory map of a file that is cut short kills the process that looks at it. So where the rows of a .npy are
shown while somebody may write the file anew, an array of modest size is read at once, and of a larger one
each row when it is asked for, with an error where it is not there.

IDX, the format of MNIST, is two zero bytes, a type, the number of dimensions, sizes, data, all big-endian.
"""

import gzip
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint._validation import REAL, check_features, check_finite
from trigpoint.io._files import CHUNK, check_file, reading
from trigpoint.io._safetensors import read_safetensors
from trigpoint.io._table import check_column, listed

MODEST = 200_000_000  # bytes of a .npy that is read at once
IDX_TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


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
        shape, by_columns, dtype = read_header(stream)
        start = stream.tell()
    check_header(path, shape, dtype, path.stat().st_size - start)
    return shape, by_columns, dtype, start


def check_rows(path: Path) -> tuple[tuple[int, int], np.dtype[Any]]:
    """Shape and type of the samples in a .npy that is whole; no data are read."""
    check_file(path)
    shape, _, dtype, _ = check_npy(path)
    if len(shape) != 2 or 0 in shape:
        raise InputError(path, "must hold samples in rows, (n_samples, n_features)", f"shape {shape}")
    if dtype.kind not in REAL:
        raise InputError(path, "must hold real numbers", f"dtype {dtype}")
    return (shape[0], shape[1]), dtype


def read_npz(path: Path, key: str | None, least: int = 2, argument: str = "key") -> Any:
    """An array of the file by its name: ``key``, else X, else the only one of ``least`` dimensions or more.

    A sparse matrix comes back as a `csr_array`. Errors call the key what the user does: ``argument``.
    """
    headers = npz_headers(path)
    if {"format", "shape", "data"} <= set(headers) and key is None:
        for header in headers.values():
            check_header(path, *header, exactly=True)
        with reading(path, "a sparse .npz"):
            with path.open("rb") as stream:
                matrix = sparse.csr_array(sparse.load_npz(stream))
            matrix.check_format(full_check=True)
        return matrix
    if key is None:
        key = _only(path, headers, least)
    check_column(path, list(headers), key, argument)
    check_header(path, *headers[key], exactly=True)
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
                    shape, _, dtype = read_header(stream)
                    n_bytes = member.file_size - stream.tell()
                    found[member.filename.removesuffix(".npy")] = (shape, dtype, n_bytes)
        return found


def _only(path: Path, headers: dict[str, Any], least: int) -> str:
    if "X" in headers:
        return "X"
    found = [name for name, (shape, _, _) in headers.items() if len(shape) >= least]
    if len(found) != 1:
        among = listed(list(headers)) or "none"
        raise InputError(path, "must hold an array called X or only one such array, or give key=", f"{among}")
    return found[0]


def read_header(stream: Any) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(stream)
    first = version == (1, 0)
    read = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
    return read(stream)


def check_header(
    path: Path, shape: tuple[int, ...], dtype: np.dtype[Any], n_bytes: int, exactly: bool = False
) -> None:
    """No pickled objects, and as many bytes as the shape promises, before any memory is asked for.

    In an archive ``exactly`` as many: its checksum is looked at when all bytes are read.
    """
    if dtype.hasobject:
        raise InputError(path, "must hold plain numbers or text", "pickled objects, which are never loaded")
    promised = dtype.itemsize
    for size in shape:
        promised *= int(size)
    if promised > n_bytes or any(size < 0 for size in shape):
        raise InputError(path, f"must hold the {promised} bytes of its shape {shape}; it was cut short")
    if exactly and promised != n_bytes:
        raise InputError(path, f"must hold the {promised} bytes of its shape {shape}", n_bytes)


def as_features(array: Any, path: Path, finite: bool = True) -> Any:
    """An array as (n, p) finite real features; a memory map stays one, and is not read unless checked."""
    if sparse.issparse(array):
        return check_features(array, str(path))
    if array.ndim < 2 or 0 in array.shape:
        raise InputError(path, "must hold samples in rows, (n_samples, n_features)", f"shape {array.shape}")
    if array.dtype.kind not in REAL:
        raise InputError(path, "must hold real numbers", f"dtype {array.dtype}")
    if array.dtype == np.float16 and isinstance(array, np.ndarray):
        array = array.astype(np.float32)  # whose sums do not overflow, at half the size of float64
    if finite:
        check_finite(array, str(path))
    return array if array.ndim == 2 else array.reshape(len(array), -1)


def read_features(path: Path, kind: str, key: str | None = None) -> Any:
    if kind == "safetensors":
        return as_features(read_safetensors(path, key), path)
    return as_features(read_npy(path) if kind == "npy" else read_npz(path, key), path)


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


def read_idx(path: Path) -> Array:
    """The array of an IDX file, plain or gzipped."""
    with path.open("rb") as raw:
        zipped = raw.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rb") if zipped else path.open("rb") as stream:
        shape, dtype = _header(path, stream)
        n_bytes = dtype.itemsize
        for size in shape:
            n_bytes *= size
        data = _read(path, stream, n_bytes + 1)
    if len(data) != n_bytes:
        found = "more" if len(data) > n_bytes else f"{len(data)}"
        raise InputError(path, f"must hold the {n_bytes} bytes of its shape {shape}; it holds {found}")
    return np.frombuffer(data, dtype=dtype).reshape(shape)


def _header(path: Path, stream: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    start = _read(path, stream, 4)
    if len(start) < 4 or start[:2] != b"\0\0" or start[2] not in IDX_TYPES or not 1 <= start[3] <= 4:
        raise InputError(
            path, f"must be an IDX file of 1 to 4 dimensions; its first bytes are {start.hex(' ')}"
        )
    sizes = _read(path, stream, 4 * start[3])
    if len(sizes) < 4 * start[3]:
        raise InputError(path, "must be a whole IDX file; it ends in its header")
    return tuple(np.frombuffer(sizes, ">u4").tolist()), np.dtype(IDX_TYPES[start[2]])


def _read(path: Path, stream: Any, n_bytes: int) -> bytearray:
    """Up to n_bytes, a piece at a time: a false header never asks for memory that the file cannot fill."""
    data = bytearray()
    with reading(path, "an IDX file"):
        while len(data) < n_bytes and (piece := stream.read(min(CHUNK, n_bytes - len(data)))):
            data += piece
    return data
