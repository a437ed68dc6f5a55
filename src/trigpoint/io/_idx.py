"""IDX, the format of MNIST: two zero bytes, a type, the number of dimensions, sizes, data, all big-endian."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.io._files import CHUNK, reading

TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


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
    if len(start) < 4 or start[:2] != b"\0\0" or start[2] not in TYPES or not 1 <= start[3] <= 4:
        raise InputError(
            path, f"must be an IDX file of 1 to 4 dimensions; its first bytes are {start.hex(' ')}"
        )
    sizes = _read(path, stream, 4 * start[3])
    if len(sizes) < 4 * start[3]:
        raise InputError(path, "must be a whole IDX file; it ends in its header")
    return tuple(np.frombuffer(sizes, ">u4").tolist()), np.dtype(TYPES[start[2]])


def _read(path: Path, stream: Any, n_bytes: int) -> bytearray:
    """Up to n_bytes, a piece at a time: a false header never asks for memory that the file cannot fill."""
    data = bytearray()
    with reading(path, "an IDX file"):
        while len(data) < n_bytes and (piece := stream.read(min(CHUNK, n_bytes - len(data)))):
            data += piece
    return data
