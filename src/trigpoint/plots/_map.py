"""The pool as a map, for a web page: dots in the colors of their groups, marks on top.

Up to `DRAWN` dots are lines of no length with round ends, in SVG: they are as large on a phone as
on a screen, and eleven characters each. More become one picture of pixels for light pages and one
for dark: samples cover each other in random order, so no group hides another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.plots._groups import Group
from trigpoint.plots._palette import DARK, LIGHT, colors
from trigpoint.plots._png import data_uri, indexed_png

WIDTH, MARGIN = 720, 16
DRAWN = 5000  # dots as SVG
PIXELS = 2  # of the raster, for each unit of the drawing
MARKED = 1000


@dataclass(frozen=True, eq=False)
class Mark:
    """Samples to point out, by a symbol of the page's style sheet: "trig" or "cross"."""

    symbol: str
    samples: Ints
    titles: Sequence[str] = ()  # said when the mouse rests on one


def map_picture(coordinates: Floats, groups: Sequence[Group], marks: Sequence[Mark], alt: str) -> str:
    """The map as HTML."""
    places, height = _places(coordinates)
    known = np.asarray(np.isfinite(places).all(axis=1))
    dots = _dots(places, groups, known) if known.sum() <= DRAWN else _raster(places, height, groups, known)
    on_top = "".join(_marked(places, mark, known) for mark in marks)
    return (
        f'<svg class="map" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(alt)}">'
        f"{_SYMBOLS}{dots}{on_top}{_tags(places, groups, known)}</svg>"
    )


_SYMBOLS = (
    '<defs><g id="trig"><path d="M0-7.5 6.6 4h-13.2z"/><circle r="1.3"/></g>'
    '<g id="cross"><path class="halo" d="M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5"/>'
    '<path d="M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5"/></g></defs>'
)


def _places(coordinates: Floats) -> tuple[Floats, int]:
    """Coordinates in the drawing, y down; and its height, for equal scales on both axes."""
    known = np.isfinite(coordinates).all(axis=1)
    if not known.any():
        return np.full_like(coordinates, np.nan), WIDTH // 2
    unit = coordinates / (np.abs(coordinates[known]).max() or 1.0)
    low, high = unit[known].min(axis=0), unit[known].max(axis=0)
    across, up = np.maximum(high - low, 1e-12)
    height = int(np.clip(WIDTH * up / across, 0.45 * WIDTH, WIDTH))
    scale = min((WIDTH - 2 * MARGIN) / across, (height - 2 * MARGIN) / up)
    return np.array([WIDTH / 2, height / 2]) + scale * (unit - (low + high) / 2) * [1, -1], height


def _dots(places: Floats, groups: Sequence[Group], known: Array) -> str:
    size = float(np.clip(190 / np.sqrt(max(known.sum(), 1)), 3.4, 8.0))
    paths = []
    for group in groups:
        dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places[group.members[known[group.members]]])
        paths.append(
            f'<path class="dot" style="stroke:var(--{group.color});stroke-width:{size:.1f}px" d="{dots}"/>'
        )
    return "".join(paths)


def _raster(places: Floats, height: int, groups: Sequence[Group], known: Array) -> str:
    pixels = np.zeros((PIXELS * height, PIXELS * WIDTH), dtype=np.uint8)
    codes = np.zeros(len(places), dtype=np.uint8)
    names = sorted({group.color for group in groups})
    for group in groups:
        codes[group.members] = 1 + names.index(group.color)
    order = np.random.default_rng(0).permutation(np.flatnonzero(known & (codes > 0)))
    column, row = (PIXELS * places[order]).astype(int).T
    for across, down in _disc(len(order)):
        pixels[row + down, column + across] = codes[order]
    light, dark = (
        data_uri(indexed_png(pixels, [colors(palette)[name] for name in names])) for palette in (LIGHT, DARK)
    )
    return "".join(
        f'<image class="{scheme}" width="{WIDTH}" height="{height}" href="{uri}"/>'
        for scheme, uri in (("in-light", light), ("in-dark", dark))
    )


def _disc(n: int) -> list[tuple[int, int]]:
    """The pixels of a dot: fewer, where there are more dots."""
    if n > 200_000:
        return [(0, 0)]
    if n > 30_000:
        return [(0, 0), (1, 0), (0, 1), (1, 1)]
    return [
        (x, y)
        for x in range(-1, 3)
        for y in range(-1, 3)
        if (x, y) not in [(-1, -1), (-1, 2), (2, -1), (2, 2)]
    ]


def _marked(places: Floats, mark: Mark, known: Array) -> str:
    titles = list(mark.titles) or [""] * len(mark.samples)
    uses = []
    for sample, title in zip(mark.samples[:MARKED], titles, strict=False):
        if known[sample]:
            x, y = places[sample]
            said = f"<title>{escape(title)}</title>" if title else ""
            uses.append(f'<g transform="translate({x:.1f} {y:.1f})">{said}<use href="#{mark.symbol}"/></g>')
    size = np.clip((80 / max(len(uses), 1)) ** 0.5, 0.5, 1.0)
    return f'<g class="{mark.symbol}" style="--size:{size:.2f}">{"".join(uses)}</g>' if uses else ""


def _tags(places: Floats, groups: Sequence[Group], known: Array) -> str:
    texts = []
    for group in groups:
        members = group.members[known[group.members]]
        if group.tag and len(members):
            x, y = np.median(places[members], axis=0)
            tag = group.tag if len(group.tag) <= 18 else f"{group.tag[:17]}…"
            texts.append(f'<text x="{x:.0f}" y="{y:.0f}">{escape(tag)}</text>')
    return f'<g class="tags">{"".join(texts)}</g>' if texts else ""
