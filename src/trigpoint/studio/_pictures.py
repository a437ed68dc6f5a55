"""The picture of a sample, by its number: only pictures of the pool can be asked for, never a path.

A file is served as it is where browsers can show it, by what its first bytes say and not by its name;
TIFF, and grey of 16 bits, become PNG.

A picture may be asked for with a side, one of `SIDES`: then it is no larger than that. It is made with
pillow, upright, and kept for a while. It is the file itself where that is small enough, where it moves
(except as a thumbnail), and where pillow is missing.

A file must lie in the pool's folder when it is served, with all links followed. One that was a link to
somewhere else when the studio opened may still be served, as long as it leads to the same place: pools
made of links are common, but a link that is changed later must not open the rest of the disk.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Literal, TypeAlias, get_args

import numpy as np

from trigpoint._errors import needs_extra
from trigpoint._types import Array
from trigpoint.io import Samples, content, png_bytes
from trigpoint.studio._made import Kept, Makers

Side: TypeAlias = Literal[160, 400, 800, 1600, 2560]
SIDES: tuple[int, ...] = get_args(Side)  # pixels of the longer edge that a page may ask for
THUMBNAIL = 400  # the largest side of a thumbnail: one that moves stands still there
QUALITY = 85  # of JPEG
LARGEST = 100_000_000  # bytes of a file that is served
KEPT = 64_000_000  # bytes of made pictures that are kept
MANY_PIXELS = 25_000_000  # of a picture that is decoded alone, since it needs much memory
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
        self._kept = Kept[Picture](KEPT, lambda picture: len(picture.content))
        self._makers = Makers[tuple[int, int | None], Picture](self._made)
        self._usual: int | None = None  # the side of the last picture that was no thumbnail
        if samples.kind == "images" and not isinstance(samples.shown, np.ndarray):
            self._links = {
                i: os.path.realpath(path) for i, path in enumerate(samples.shown) if path.is_symlink()
            }

    def picture(self, i: int, side: int | None = None, known: str = "") -> "Future[Picture]":
        """The picture of sample i, with the longer edge of at most ``side`` pixels; from any thread.

        ``known`` names etags that the browser has: one of these is told without its content.

        Raises
        ------
        PictureMissingError
            The sample has no picture, or it is not there any more.
        PictureUnreadableError
            The file cannot be shown; raised by the future, too.
        """
        if side is not None and side > THUMBNAIL:
            self._usual = side
        shown = content(self._samples, i)
        if "pixels" in shown:
            return _done(_of_pixels(shown["pixels"], side))
        with self._file(i) as (stream, etag):
            if f'"{_named(etag, side)}"' in known:
                return _done(Picture(b"", "png", _named(etag, side)))
            kept = self._kept.get(_named(etag, side))
            if kept is not None:
                return _done(kept)
            if side is None or find_spec("PIL") is None:
                whole = stream.read()
                kind = kind_of_picture(whole)
                if kind is not None and not (_is_deep(whole) and find_spec("PIL")):
                    return _done(Picture(whole, kind, etag))
        return self._makers.now((i, side), listed=side is not None and side <= THUMBNAIL)

    def ahead(self, i: int) -> None:
        """Somebody will look at sample i soon: its picture is made at the side that pages last asked for."""
        if self._usual is not None:
            self._makers.ahead((i, self._usual))

    def _made(self, which: tuple[int, int | None]) -> Picture:
        i, side = which
        with self._file(i) as (stream, etag):
            name = _named(etag, side)
            kept = self._kept.get(name)
            if kept is not None:
                return kept
            larger = self._larger(etag, side)
            whole = larger.content if larger else stream.read()
        drawn = _drawn(whole, self._samples.ids[i], side)
        if drawn is None:  # small enough, and as browsers like it
            return Picture(whole, str(kind_of_picture(whole)), etag)
        return self._kept.put(name, Picture(*drawn, name))

    def _larger(self, etag: str, side: int | None) -> Picture | None:
        """A thumbnail is made of a larger picture that was made before, which is quicker."""
        if side is None or side > THUMBNAIL:
            return None
        made = (self._kept.get(_named(etag, other)) for other in SIDES if other > side)
        return next((picture for picture in made if picture), None)

    @contextmanager
    def _file(self, i: int) -> Iterator[tuple[BinaryIO, str]]:
        shown = content(self._samples, i)
        if "image" not in shown:
            raise PictureMissingError(f"sample {i} must be a picture; it is not.")
        with _opened(self._inside(i, shown["image"]), shown["id"]) as found:
            yield found

    def _inside(self, i: int, path: Path) -> Path:
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(self._folder) and self._links.get(i) != str(real):
            raise PictureMissingError(
                f"{self._samples.ids[i]} must lie in the pool's folder; it now points elsewhere."
            )
        return real


def _done(picture: Picture) -> "Future[Picture]":
    found: Future[Picture] = Future()
    found.set_result(picture)
    return found


def _named(etag: str, side: int | None) -> str:
    return etag if side is None else f"{etag}-{side}"


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


@lru_cache(maxsize=10_000)
def _size(path: str, changed: int, n_bytes: int) -> tuple[int, int] | None:
    from PIL import Image

    try:
        with Image.open(path, formats=FORMATS) as picture:
            turned = Image.Image.getexif(picture).get(0x0112, 1) >= 5  # that of a PNG decodes all of it
            stored = getattr(picture, "tag_v2", {})  # of a TIFF, which may be turned already
            width, height = stored.get(0x0100, picture.width), stored.get(0x0101, picture.height)
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


def _is_deep(content: bytes) -> bool:
    """Whether it is PNG of 16 bits and grey, of which browsers show the upper 8: mostly black."""
    return content.startswith(KINDS[0][0]) and content[24:26] == b"\x10\x00"


def _drawn(content: bytes, name: str, side: int | None) -> tuple[bytes, str] | None:
    """Decoded, upright, no larger than asked for; None where it is small enough as it is.

    PNG, or JPEG where a side is given and nothing shines through.
    """
    if find_spec("PIL") is None:
        raise PictureUnreadableError(f"{name} {needs_extra('pillow', 'files')}.")
    from PIL import Image

    try:
        with Image.open(BytesIO(content), formats=FORMATS) as opened:
            _check_pixels(name, *opened.size)
            if side is not None and kind_of_picture(content) and _is_fine(opened, side):
                return None
            if side is not None:
                width, height = opened.size  # JPEG can be decoded at a half, a quarter or an eighth
                opened.draft(None, (width * side // max(width, height), height * side // max(width, height)))
            with _alone if opened.width * opened.height > MANY_PIXELS else nullcontext():
                return _saved(_upright(opened, side), side)
    except PictureUnreadableError:
        raise
    except Exception as error:  # whatever a damaged file makes pillow raise
        said = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        raise PictureUnreadableError(
            f"{name} must be a picture, whole and undamaged; reading it failed: {said[:200]}."
        ) from None


_alone = Lock()


def _is_fine(opened: Any, side: int) -> bool:
    """Whether a browser may have the file itself: it is small enough, or moves."""
    moves = side > THUMBNAIL and getattr(opened, "is_animated", False)
    return moves or (max(opened.size) <= side and opened.mode[0] not in "IF")


def _upright(opened: Any, side: int | None) -> Any:
    """RGB, or RGBA where something shines through, in its final size."""
    from PIL import ImageOps

    profile = opened.info.get("icc_profile") if opened.mode in ("RGB", "RGBA") else None
    plain = opened.mode == "RGBA" or not opened.has_transparency_data
    if side is not None and plain and opened.mode in ("L", "RGB", "RGBA", "CMYK"):
        opened.thumbnail((side, side))  # before the rest, which then has less to do
    upright = _eight_bits(ImageOps.exif_transpose(opened))
    mode = "RGBA" if upright.has_transparency_data else "RGB"
    drawn = upright if upright.mode == mode else upright.convert(mode)
    if side is not None:
        drawn.thumbnail((side, side))
    drawn.info = {} if profile is None else {"icc_profile": profile}
    return drawn


def _saved(drawn: Any, side: int | None) -> tuple[bytes, str]:
    kind = "png" if side is None or drawn.mode == "RGBA" else "jpeg"
    sink = BytesIO()
    drawn.save(sink, kind, quality=QUALITY, compress_level=1, icc_profile=drawn.info.get("icc_profile"))
    return sink.getvalue(), kind


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


def _of_pixels(pixels: Any, side: int | None) -> Picture:
    """A picture of an array; it is made smaller by leaving rows and columns out."""
    step = 1 if side is None else -(-max(pixels.shape) // side)
    content = png_bytes(np.ascontiguousarray(pixels[::step, ::step]))
    return Picture(content, "png", hashlib.blake2b(content, digest_size=12).hexdigest())
