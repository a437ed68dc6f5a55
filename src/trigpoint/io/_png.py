"""A picture as PNG, by the standard library alone: signature, header, deflated rows, end.

Each chunk is its length, its name, its data and their CRC-32; each row starts with a zero (no filter).
"""

import struct
import zlib
from typing import Any

import numpy as np

from trigpoint._errors import InputError


def png_bytes(pixels: Any) -> bytes:
    """The PNG file of an (h, w) or (h, w, 3) array of uint8."""
    array = np.asarray(pixels)
    gray = array.ndim == 2
    if array.dtype != np.uint8 or array.size == 0 or not (gray or (array.ndim == 3 and array.shape[2] == 3)):
        raise InputError(
            "pixels", "must be uint8 of shape (h, w) or (h, w, 3)", f"{array.dtype} of shape {array.shape}"
        )
    height, width = array.shape[:2]
    header = struct.pack(">IIBBBBB", width, height, 8, 0 if gray else 2, 0, 0, 0)
    rows = np.zeros((height, 1 + array[0].size), dtype=np.uint8)
    rows[:, 1:] = array.reshape(height, -1)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
