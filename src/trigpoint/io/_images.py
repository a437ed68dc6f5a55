"""Pictures as pixels (resized, grey or in color, 0 to 255), and as PNG. A damaged file is left out, and told.

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
from trigpoint.io._files import IDX_NAME

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp")
NAMED = 5  # pictures that a line names


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
        others = ".npy shards, or .parquet or .arrow files"
        raise InputError(folder, f"must hold pictures ({', '.join(SUFFIXES)}), {others}; it holds none{hint}")
    for name in found:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(folder, "must have file names in UTF-8", f"{name!a}") from None
    return dict(sorted(found.items()))


def image_pixels(files: dict[str, Path], size: tuple[int, int], color: bool) -> tuple[Array, dict[str, str]]:
    """The pixels of all files that can be read, (m, h, w) or (m, h, w, 3) uint8, and why others cannot."""
    found = np.empty((len(files), *size, 3) if color else (len(files), *size), dtype=np.uint8)
    paths = list(files.values())

    def why_not(i: int) -> str | None:
        try:
            found[i] = _pixels(paths[i], size, color)
        except MemoryError:
            raise
        except Exception as error:  # whatever a damaged file makes pillow raise
            return _reason(paths[i], error)
        return None

    with warnings.catch_warnings(), ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as pool:
        warnings.simplefilter("ignore")  # pillow warns of odd metadata; what it cannot read is an error
        reasons = list(track(pool.map(why_not, range(len(paths))), "pictures", len(paths)))
    skipped = {name: why for name, why in zip(files, reasons, strict=True) if why is not None}
    return found if not skipped else found[[why is None for why in reasons]], skipped


def told_skipped(skipped: dict[str, str], n: int) -> str:
    """In a line: how many of n pictures could not be read, and which.

    >>> told_skipped({"a.png": "truncated", "b.png": "empty"}, 80)
    '2 of 80 pictures could not be read and are left out: a.png (truncated), b.png (empty)'
    """
    named = [f"{name} ({why})" for name, why in list(skipped.items())[:NAMED]]
    more = len(skipped) - len(named)
    few = len(skipped) == 1
    words = f"{len(skipped)} of {n} pictures could not be read and {'is' if few else 'are'} left out: "
    return words + ", ".join(named) + (f", and {more} more" if more else "")


def _pixels(path: Path, size: tuple[int, int], color: bool) -> Array:
    from PIL import Image, ImageOps

    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise ValueError("not a file")
    with Image.open(path) as file:
        file.draft("RGB" if color else "L", (2 * size[1], 2 * size[0]))  # lets JPEG decode at a fraction
        picture = _opaque(_eight_bits(ImageOps.exif_transpose(file)))
        resized = picture.convert("RGB" if color else "L").resize(size[::-1], Image.Resampling.BOX)
        return np.asarray(resized)


def _reason(path: Path, error: Exception) -> str:
    """Why a picture cannot be read, in a few words that name no path."""
    from PIL import Image, UnidentifiedImageError

    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    if path.is_file() and path.stat().st_size == 0:
        return "empty"
    if isinstance(error, UnidentifiedImageError):
        return "not a picture of a known kind"
    if isinstance(error, Image.DecompressionBombError):
        return "too many pixels"
    said = " ".join(str(error).split()).rstrip(".")
    if "truncated" in said.lower():
        return "truncated"
    known = said.replace(str(path), path.name)[:100]
    return f"damaged: {known}" if known else "damaged"


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
