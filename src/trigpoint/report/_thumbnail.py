"""A sample's picture as an <img>, small enough to show two hundred of them."""

from html import escape
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._types import Array
from trigpoint.io import png_bytes
from trigpoint.plots import data_uri

LARGEST = 128  # pixels on a side
FILE_LIMIT = 100_000  # bytes of a file that is shown as it is
KINDS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp"}


def thumbnail(image: Any, alt: str) -> str:
    """An <img>, or a note that the file could not be shown."""
    if isinstance(image, str | Path):
        return _from_file(Path(image), alt)
    small = shrunk(np.asarray(image))
    kind = ' class="pixels"' if max(small.shape[:2]) <= 48 else ""
    return _img(data_uri(png_bytes(small)), alt, kind)


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


def _from_file(path: Path, alt: str) -> str:
    try:
        return _img(_opened(path) if find_spec("PIL") else _as_it_is(path), alt)
    except (OSError, ValueError) as error:
        return f'<span class="unseen" title="{escape(str(error))}">picture not shown</span>'


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
        raise ValueError(str(error)) from None
    return data_uri(file.getvalue(), kind)


def _as_it_is(path: Path) -> str:
    if path.stat().st_size > FILE_LIMIT:
        raise ValueError(f"{path.name} is larger than {FILE_LIMIT} bytes: install pillow to have it shrunk.")
    content = path.read_bytes()
    kind = next((name for start, name in KINDS.items() if content.startswith(start)), None)
    if kind is None:
        raise ValueError(f"{path.name} is no PNG, JPEG, GIF or WebP picture.")
    return data_uri(content, kind)


def _img(uri: str, alt: str, attributes: str = "") -> str:
    return f'<img{attributes} src="{uri}" alt="{escape(alt)}">'
