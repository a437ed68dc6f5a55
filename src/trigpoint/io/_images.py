"""Pictures as features (resized, grey or in color, one row of pixel values 0 to 255 a picture), and as PNG.

A PNG file is a signature, a header, deflated rows and an end. Each chunk is its length, its name, its data
and their CRC-32; each row starts with a zero (no filter).
"""

import os
import struct
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._progress import track
from trigpoint._types import Array
from trigpoint.io._files import IDX_NAME, reading

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp")


def find_images(folder: Path) -> dict[str, Path]:
    """Every picture below a folder by its relative path, sorted; hidden ones are left out."""
    found = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            if name.lower().endswith(SUFFIXES) and not name.startswith("."):
                path = Path(place) / name
                found[path.relative_to(folder).as_posix()] = path
    if not found:
        idx = sorted(path.name for path in folder.iterdir() if IDX_NAME.search(path.name))
        hint = f"; to read its IDX files, name one, such as {idx[0]}" if idx else ""
        raise InputError(folder, f"must hold pictures ({', '.join(SUFFIXES)}); it holds none{hint}")
    for name in found:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(folder, "must have file names in UTF-8", f"{name!a}") from None
    return dict(sorted(found.items()))


def image_features(paths: list[Path], size: tuple[int, int], color: bool) -> Array:
    """(n, h * w) or (n, h * w * 3) float32."""
    X = np.empty((len(paths), size[0] * size[1] * (3 if color else 1)), dtype=np.float32)

    def work(i: int) -> None:
        X[i] = _pixels(paths[i], size, color).ravel()

    with warnings.catch_warnings(), ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
        warnings.simplefilter("ignore")  # pillow warns of odd metadata; what it cannot read is an error
        list(track(pool.map(work, range(len(paths))), "pictures", len(paths)))  # raises the first error
    return X


def _pixels(path: Path, size: tuple[int, int], color: bool) -> Array:
    from PIL import Image, ImageOps

    with reading(path, "a picture"), Image.open(path) as file:
        file.draft("RGB" if color else "L", (2 * size[1], 2 * size[0]))  # lets JPEG decode at a fraction
        picture = _opaque(_eight_bits(ImageOps.exif_transpose(file)))
        resized = picture.convert("RGB" if color else "L").resize(size[::-1], Image.Resampling.BOX)
        return np.asarray(resized, dtype=np.float32)


def _eight_bits(picture: Any) -> Any:
    """Grey of 16 bits brought to 8, which plain conversion would clip."""
    from PIL import Image

    if picture.mode[0] not in "IF":
        return picture
    values = np.asarray(picture)
    if picture.mode == "F" or values.min() < 0 or values.max() > 65535:
        raise ValueError(f"its pixels are not 8 or 16 bits (mode {picture.mode}, up to {values.max():g})")
    return Image.fromarray((values / 257).round().astype(np.uint8))


def _opaque(picture: Any) -> Any:
    """Transparent pixels as on white paper."""
    from PIL import Image

    if "A" not in picture.getbands() and "transparency" not in picture.info:
        return picture
    paper = Image.new("RGBA", picture.size, "white")
    paper.alpha_composite(picture.convert("RGBA"))
    return paper


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
