"""A sheet of pictures in titled rows, with key points over them where there are some."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.plots._figure import empty_figure
from trigpoint.plots._save import check_picture, save_picture

WIDTH = 12.0  # of the sheet; all sizes in inches
MARGIN, GAP, TITLE, CAPTION = 0.2, 0.07, 0.30, 0.17
LARGEST = 2.0  # a picture's width
TEXT = "#222222"
CIRCLE: dict[str, Any] = {"ls": "", "marker": "o", "mfc": "none", "mec": "#18a558"}
CROSS: dict[str, Any] = {"ls": "", "marker": "x", "color": "#e02440"}


@dataclass(frozen=True, eq=False)
class Strip:
    """A row of a sheet.

    Attributes
    ----------
    title : shown above the row
    images : (k, h, w) in [0, 1]
    captions : k texts, one below each picture, or None
    truth, estimate : (k, m, 2) key points as x, y in pixels, or None: green circles and red crosses
    """

    title: str
    images: Array
    captions: Sequence[str] | None = None
    truth: Array | None = None
    estimate: Array | None = None


def contact_sheet(rows: Sequence[Strip], path: str | Path) -> None:
    """Draw the rows one below the other and write the sheet, whole or not at all; .png, .svg or .pdf.

    Parameters
    ----------
    rows : of `Strip`
    path : of the picture

    Notes
    -----
    Cost: one small drawing for each picture of a row. It needs matplotlib, in the extra `trigpoint[plots]`.

    See Also
    --------
    trigpoint.report.write_report : a page, without matplotlib.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> from trigpoint.plots import Strip, contact_sheet
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "digits.png"
    >>> contact_sheet([Strip("digits", tp.datasets.load_digits().images[:3])], path)
    >>> path.read_bytes()[1:4]
    b'PNG'
    """
    path = Path(path)
    check_picture(path)
    if not len(rows):
        raise InputError("rows", "must hold at least one Strip", "none")
    for k, row in enumerate(rows):
        _check(row, f"rows[{k}]")
    save_picture(_sheet(rows), path)


def _sheet(rows: Sequence[Strip]) -> Any:
    columns = max(len(row.images) for row in rows)
    cell = min(LARGEST, (WIDTH - 2 * MARGIN + GAP) / columns - GAP)
    width = 2 * MARGIN + columns * (cell + GAP) - GAP
    pointed = any(row.truth is not None or row.estimate is not None for row in rows)
    legend = TITLE if pointed else 0.0
    height = 2 * MARGIN + sum(_height(row, cell) for row in rows) + legend
    figure = empty_figure(figsize=(width, height), facecolor="white")
    top = height - MARGIN
    for row in rows:
        _draw(figure, row, cell, top)
        top -= _height(row, cell)
    if pointed:
        _legend(figure, rows)
    return figure


def _height(row: Strip, cell: float) -> float:
    below = CAPTION if row.captions is not None else 0.0
    return float(TITLE + cell * row.images.shape[1] / row.images.shape[2] + below + GAP)


def _draw(figure: Any, row: Strip, cell: float, top: float) -> None:
    width, height = figure.get_size_inches()
    tall = cell * row.images.shape[1] / row.images.shape[2]
    figure.text(MARGIN / width, (top - 0.6 * TITLE) / height, row.title, fontsize=11, color=TEXT, va="center")
    for k, image in enumerate(row.images):
        left, bottom = MARGIN + k * (cell + GAP), top - TITLE - tall
        axis = figure.add_axes((left / width, bottom / height, cell / width, tall / height))
        axis.imshow(image, cmap="gray", vmin=0, vmax=1, interpolation="nearest", aspect="auto")
        axis.set_axis_off()
        axis.autoscale(False)  # points beyond the edge move nothing
        _mark(axis, row, k, cell)
        if row.captions is not None:
            place = ((left + cell / 2) / width, (bottom - 0.55 * CAPTION) / height)
            figure.text(*place, row.captions[k], fontsize=8, color=TEXT, ha="center", va="center")


def _mark(axis: Any, row: Strip, k: int, cell: float) -> None:
    for points, look in ((row.truth, CIRCLE), (row.estimate, CROSS)):
        if points is not None:
            size = 4.5 * cell * min(1.0, (16 / max(points.shape[1], 1)) ** 0.5)  # many points, small marks
            axis.plot(*points[k].T, ms=size, mew=min(1.6, size / 4), clip_on=False, **look)


def _legend(figure: Any, rows: Sequence[Strip]) -> None:
    from matplotlib.lines import Line2D

    marks = []
    if any(row.truth is not None for row in rows):
        marks.append(Line2D([], [], mew=1.6, label="true", **CIRCLE))
    if any(row.estimate is not None for row in rows):
        marks.append(Line2D([], [], mew=1.6, label="estimated", **CROSS))
    figure.legend(handles=marks, loc="lower center", ncols=2, frameon=False, fontsize=10, borderaxespad=0.2)


def _check(row: Strip, name: str) -> None:
    shape = row.images.shape
    if len(shape) != 3 or 0 in shape:
        raise InputError(f"{name}.images", "must have shape (k, h, w), none of them 0", shape)
    if row.captions is not None and len(row.captions) != shape[0]:
        raise InputError(
            f"{name}.captions", f"must be one for each of {shape[0]} images", f"{len(row.captions)}"
        )
    for label, points in (("truth", row.truth), ("estimate", row.estimate)):
        if points is not None and (points.ndim != 3 or points.shape[::2] != (shape[0], 2)):
            raise InputError(
                f"{name}.{label}", f"must have shape ({shape[0]}, m, 2), x and y", f"{points.shape}"
            )
