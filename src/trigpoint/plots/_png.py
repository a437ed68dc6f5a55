"""Pictures of few colors as PNG (for gray and color ones there is `io.png_bytes`).

A pixel is a number into a palette, which stands before the deflated rows; number 0 is transparent.
Each chunk is its length, its name, its data and their CRC-32; each row starts with a zero (no filter).
"""

import base64
import zlib
from collections.abc import Sequence

import numpy as np

from trigpoint._types import Array

INDEXED = 3  # the color type


def indexed_png(pixels: Array, palette: Sequence[str]) -> bytes:
    """The PNG file of (h, w) uint8 numbers: 0 is transparent, k the k-th "#rrggbb" from 1."""
    height, width = pixels.shape
    header = np.array([width, height], dtype=">u4").tobytes() + bytes([8, INDEXED, 0, 0, 0])
    colors = bytes(3) + b"".join(bytes.fromhex(color.removeprefix("#")) for color in palette)
    rows = np.pad(pixels, ((0, 0), (1, 0)))
    chunks = {b"IHDR": header, b"PLTE": colors, b"tRNS": bytes(1)}
    chunks |= {b"IDAT": zlib.compress(rows.tobytes(), 9), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks.items())


def _chunk(name: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")


def data_uri(picture: bytes, kind: str = "png") -> str:
    """An address that holds the picture itself."""
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
