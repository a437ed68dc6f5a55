"""Pictures of matplotlib on disk: what can be written is checked first, and written whole or not at all."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError, needs_extra
from trigpoint.io import atomic_path

FORMATS = (".png", ".svg", ".pdf")
DPI, MOST_PIXELS = 150, 5_200_000


def check_picture(path: Path) -> None:
    """Refuse what could not be written in the end, before anything is computed."""
    if find_spec("matplotlib") is None:
        raise InputError("output", needs_extra("matplotlib", "plots"))
    if path.suffix.lower() not in FORMATS:
        raise InputError("output", f"must end in {', '.join(FORMATS)}", repr(str(path)))
    if not path.absolute().parent.is_dir():
        raise InputError("output", "must lie in a folder that exists", repr(str(path)))


def save_picture(figure: Any, path: Path, few_colors: bool = False) -> None:
    """Write the whole picture or nothing.

    A PNG of ``few_colors`` has a palette of 256: charts then take a quarter of the bytes. Figures that would
    be very large get fewer dots per inch.
    """
    width, height = figure.get_size_inches()
    dpi = min(DPI, int((MOST_PIXELS / (width * height)) ** 0.5))
    kind = path.suffix.removeprefix(".").lower()
    with atomic_path(path) as part:
        figure.savefig(part, dpi=dpi, format=kind)
        if few_colors and kind == "png":
            _reduce_colors(part)


def _reduce_colors(file: Path) -> None:
    from PIL import Image  # matplotlib cannot be without it

    with Image.open(file) as picture:
        few = picture.convert("RGB").quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(file, "png", optimize=True)
