"""The picture of a sample, by its number: only pictures of the pool can be asked for, never a path.

A file is served as it is where browsers can show it, by what its first bytes say and not by its name;
TIFF becomes PNG. Thumbnails are made with pillow, and a picture stands in for its own where there is none.

A file must lie in the pool's folder when it is served, with all links followed. One that was a link to
somewhere else when the studio opened may still be served, as long as it leads to the same place: pools
made of links are common, but a link that is changed later must not open the rest of the disk.
"""

import hashlib
import os
import stat
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

import numpy as np

from trigpoint._types import Array
from trigpoint.io import Samples, content, png_bytes

SMALL = 160  # pixels a side of a thumbnail
LARGEST = 100_000_000  # bytes of a file that is served
KEPT = 2000  # thumbnails that are kept
LIGHT = 50_000  # bytes of a thumbnail that may be kept
MOST_PIXELS = 100_000_000  # of a picture that is decoded here
BLOCK = 256  # rows of pixels that are stretched at a time
KINDS = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF8", "gif"), (b"BM", "bmp"))
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF")  # pillow would run a program for some others


@dataclass(frozen=True)
class Picture:
    content: bytes
    kind: str  # "png", "jpeg", "gif", "bmp" or "webp"
    etag: str


class PictureMissingError(Exception):
    """A sample without a picture, or whose picture is not there any more."""


class PictureUnreadableError(Exception):
    """A picture that is there and cannot be shown."""


class Pictures:
    """The pictures of a pool. Made once, when the studio opens: it remembers where links lead."""

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        self._folder = Path(os.path.realpath(samples.path))
        self._links: dict[int, str] = {}
        self._made: OrderedDict[str, Picture] = OrderedDict()  # by etag, the last used last
        self._lock = Lock()
        self._drawing = Lock()  # one picture is decoded at a time: a large one needs much memory
        if samples.kind == "images" and not isinstance(samples.shown, np.ndarray):
            self._links = {
                i: os.path.realpath(path) for i, path in enumerate(samples.shown) if path.is_symlink()
            }

    def picture(self, i: int, small: bool = False) -> Picture:
        """The picture of sample i, not larger than `SMALL` where ``small``; from any thread.

        Raises
        ------
        PictureMissingError
            The sample has no picture, or it is not there any more.
        PictureUnreadableError
            The file cannot be shown.
        """
        shown = content(self._samples, i)
        if "pixels" in shown:
            return _of_pixels(shown["pixels"], small)
        if "image" not in shown:
            raise PictureMissingError(f"sample {i} must be a picture; it is not.")
        with _opened(self._inside(i, shown["image"]), shown["id"]) as (stream, etag):
            etag = f"{etag}-small" if small else etag
            return self._kept(etag) or self._made_of(stream.read(), shown["id"], etag, small)

    def _made_of(self, content: bytes, name: str, etag: str, small: bool) -> Picture:
        kind = kind_of_picture(content)
        if kind is not None and (not small or find_spec("PIL") is None):
            return Picture(content, kind, etag)
        with self._drawing:
            made = self._kept(etag)  # by another thread, meanwhile
            return made or self._keep(Picture(*_drawn(content, name, SMALL if small else None), etag), small)

    def _inside(self, i: int, path: Path) -> Path:
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(self._folder) and self._links.get(i) != str(real):
            raise PictureMissingError(
                f"{self._samples.ids[i]} must lie in the pool's folder; it now points elsewhere."
            )
        return real

    def _kept(self, etag: str) -> Picture | None:
        with self._lock:
            if etag in self._made:
                self._made.move_to_end(etag)
            return self._made.get(etag)

    def _keep(self, picture: Picture, small: bool) -> Picture:
        if small and len(picture.content) <= LIGHT:
            with self._lock:
                self._made[picture.etag] = picture
                if len(self._made) > KEPT:
                    self._made.popitem(last=False)
        return picture


def picture_size(samples: Samples, i: int) -> list[int] | None:
    """[width, height] in pixels, upright as browsers show it; None where it cannot be told."""
    shown = content(samples, i)
    if "pixels" in shown:
        height, width = shown["pixels"].shape
        return [width, height]
    if "image" not in shown or find_spec("PIL") is None:
        return None
    try:
        found = shown["image"].stat()
        size = (
            _size(str(shown["image"]), found.st_mtime_ns, found.st_size)
            if stat.S_ISREG(found.st_mode)
            else None
        )
    except OSError:
        return None
    return None if size is None else list(size)


@lru_cache(maxsize=KEPT)
def _size(path: str, changed: int, n_bytes: int) -> tuple[int, int] | None:
    from PIL import Image

    try:
        with Image.open(path, formats=FORMATS) as picture:
            turned = picture.getexif().get(0x0112, 1) >= 5
            width, height = picture.size
            return (height, width) if turned else (width, height)
    except Exception:  # whatever a damaged file makes pillow raise
        return None


@contextmanager
def _opened(path: Path, name: str) -> Iterator[tuple[BinaryIO, str]]:
    """An ordinary file, which is no link at this moment, and what tells this state of it from all others."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        raise PictureMissingError(
            f"{name} must be in the pool's folder; it cannot be read: {error.strerror}."
        ) from None
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise PictureMissingError(f"{name} must be a file; it is something else.")
        if found.st_size > LARGEST:
            raise PictureUnreadableError(
                f"{name} must have at most {LARGEST:,} bytes to be shown; it has {found.st_size:,}."
            )
        facts = f"{path}\0{found.st_mtime_ns}\0{found.st_size}\0{found.st_ino}"
        yield stream, hashlib.blake2b(os.fsencode(facts), digest_size=12).hexdigest()


def kind_of_picture(content: bytes) -> str | None:
    """What a browser can show, by the first bytes; None for what it cannot."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "webp"
    return next((kind for start, kind in KINDS if content.startswith(start)), None)


def _drawn(content: bytes, name: str, largest: int | None) -> tuple[bytes, str]:
    """Decoded, upright, no larger than asked for; PNG, or JPEG where small and opaque."""
    if find_spec("PIL") is None:
        raise PictureUnreadableError(
            f'{name} needs pillow to be shown; install it with: pip install "trigpoint[files]".'
        )
    from PIL import Image, ImageOps

    try:
        with Image.open(BytesIO(content), formats=FORMATS) as opened:
            _check_pixels(name, *opened.size)
            if largest is not None:
                opened.draft("RGB", (2 * largest, 2 * largest))
            upright = _eight_bits(ImageOps.exif_transpose(opened))
            clear = upright.has_transparency_data
            kind = "jpeg" if largest is not None and not clear else "png"
            drawn = upright.convert("RGBA" if clear else "RGB")
            if largest is not None:
                drawn.thumbnail((largest, largest))
            sink = BytesIO()
            drawn.save(sink, kind)
            return sink.getvalue(), kind
    except PictureUnreadableError:
        raise
    except Exception as error:  # whatever a damaged file makes pillow raise
        said = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        raise PictureUnreadableError(
            f"{name} must be a picture, whole and undamaged; reading it failed: {said[:200]}."
        ) from None


def _check_pixels(name: str, width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        found = f"{width} x {height}"
        raise PictureUnreadableError(
            f"{name} must have at most {MOST_PIXELS:,} pixels to be drawn; it has {found}."
        )


def _eight_bits(picture: Any) -> Any:
    """Grey of more than 8 bits, stretched over its own range: a screen has no more."""
    from PIL import Image

    if picture.mode[0] not in "IF":
        return picture
    pixels = np.asarray(picture)
    parts = [slice(k, k + BLOCK) for k in range(0, len(pixels), BLOCK)]

    def values(part: slice) -> Array:
        return np.nan_to_num(pixels[part].astype(np.float64))

    low, high = min(values(part).min() for part in parts), max(values(part).max() for part in parts)
    drawn = np.empty(pixels.shape, dtype=np.uint8)
    for part in parts:
        drawn[part] = (values(part) - low) * (255 / max(high - low, 1e-300))
    return Image.fromarray(drawn)


def _of_pixels(pixels: Any, small: bool) -> Picture:
    """A picture of an array; it is made small by leaving rows and columns out."""
    step = -(-max(pixels.shape) // SMALL) if small else 1
    content = png_bytes(np.ascontiguousarray(pixels[::step, ::step]))
    return Picture(content, "png", hashlib.blake2b(content, digest_size=12).hexdigest())
