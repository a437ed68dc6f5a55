"""A sample's picture, small enough to show two hundred of them, as an address that holds it."""

from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.io import png_bytes
from trigpoint.plots import data_uri

LARGEST = 128  # pixels on a side
SHARP = 48  # pixels on a side up to which pixels are drawn as squares
FILE_LIMIT = 100_000  # bytes of a file that is shown as it is
KINDS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp"}


@dataclass(frozen=True)
class Thumbnail:
    """``uri`` is "" where the picture cannot be shown, and ``problem`` says why."""

    uri: str
    sharp: bool = False
    problem: str = ""


def thumbnail(image: Any) -> Thumbnail:
    """Of the path of a picture, or of pixels."""
    if isinstance(image, str | Path):
        try:
            return Thumbnail(_opened(Path(image)) if find_spec("PIL") else _as_it_is(Path(image)))
        except (OSError, ValueError) as error:
            return Thumbnail("", problem=str(error))
    small = shrunk(np.asarray(image))
    return Thumbnail(data_uri(png_bytes(small)), sharp=max(small.shape[:2]) <= SHARP)


def shrunk(image: Array, largest: int = LARGEST) -> Array:
    """Averaged over blocks until no side has more than ``largest`` pixels."""
    if image.ndim not in (2, 3) or 0 in image.shape or max(image.shape[:2]) <= largest:
        return image
    sides = np.array(image.shape[:2])
    size = np.maximum(sides * largest // sides.max(), 1)
    starts = [np.arange(new) * old // new for old, new in zip(sides, size, strict=True)]
    sums = np.add.reduceat(np.add.reduceat(image.astype(float), starts[0], axis=0), starts[1], axis=1)
    lengths = [np.diff([*start, old]) for start, old in zip(starts, sides, strict=True)]
    blocks = np.multiply.outer(*lengths).reshape(*size, *[1] * (image.ndim - 2))
    return np.rint(sums / blocks).astype(image.dtype)


def _opened(path: Path) -> str:
    from PIL import Image, ImageOps

    try:
        with Image.open(path) as picture:
            picture.draft("RGB", (LARGEST, LARGEST))
            picture.thumbnail((LARGEST, LARGEST))
            upright = ImageOps.exif_transpose(picture)
            clear = upright.has_transparency_data
            kind, mode = ("png", "RGBA") if clear else ("jpeg", "RGB")
            file = BytesIO()
            upright.convert(mode).save(file, kind, quality=80)
    except Image.DecompressionBombError as error:
        raise InputError(path.name, f"must be a picture of modest size; {error}") from None
    return data_uri(file.getvalue(), kind)


def _as_it_is(path: Path) -> str:
    if path.stat().st_size > FILE_LIMIT:
        raise InputError(
            path.name, f"must have at most {FILE_LIMIT} bytes, or install pillow to have it shrunk"
        )
    content = path.read_bytes()
    kind = next((name for start, name in KINDS.items() if content.startswith(start)), None)
    if kind is None:
        raise InputError(path.name, "must be a PNG, JPEG, GIF or WebP picture")
    return data_uri(content, kind)
