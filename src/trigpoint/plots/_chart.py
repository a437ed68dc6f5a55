"""Small charts for a web page, as SVG whose colors and letters come from the page's style sheet."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np

from trigpoint._types import Array, Floats, Ints

WIDTH, HEIGHT = 440, 270
TOP, RIGHT, BOTTOM, LEFT = 14, 16, 44, 50


@dataclass(frozen=True, eq=False)
class Line:
    """One line of a chart, where finite; ``kind`` is its class in the style sheet."""

    name: str
    x: Array
    y: Floats
    kind: str
    low: Floats | None = None  # of a band around it
    high: Floats | None = None
    dots: Ints = field(
        default_factory=lambda: np.empty(0, dtype=np.int64)
    )  # positions of points that are marked


@dataclass(frozen=True)
class _Axis:
    """Numbers to places: from ``low`` at ``start`` to ``high`` at ``end``."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: Array | float) -> Array:
        low, high, at = (np.log10(v) if self.log else np.asarray(v) for v in (self.low, self.high, value))
        return self.start + (self.end - self.start) * (at - low) / ((high - low) or 1.0)


def line_chart(
    lines: Sequence[Line], x_label: str, alt: str, *, log: bool = False, percent: bool = False
) -> str | None:
    """Lines against a shared x, or None where there is no finite point to draw."""
    drawn = [(line, np.isfinite(line.y) & ((line.y > 0) | (not log))) for line in lines]
    drawn = [(line, shown) for line, shown in drawn if shown.any()]
    if not drawn:
        return None
    xs = np.concatenate([line.x[shown] for line, shown in drawn])
    ys = np.concatenate([part for line, shown in drawn for part in _heights(line, shown)])
    across = _Axis(float(xs.min()), float(xs.max()), LEFT, WIDTH - RIGHT)
    if across.low == across.high:
        across = _Axis(across.low - 1, across.high + 1, LEFT, WIDTH - RIGHT)
    ticks = _log_ticks(ys) if log else _ticks(float(ys.min()), float(ys.max()), percent)
    up = _Axis(ticks[0], ticks[-1], HEIGHT - BOTTOM, TOP, log)
    frame = _frame(across, up, _x_ticks(across), ticks, x_label, percent)
    return _svg(
        frame + "".join(_band(*d, across, up) for d in drawn) + "".join(_line(*d, across, up) for d in drawn),
        alt,
    )


def histogram(values: Floats, x_label: str, alt: str, bins: int = 28) -> str | None:
    """How many values lie where, or None where none is finite."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None
    low, high = float(finite.min()), float(finite.max())
    counts, edges = np.histogram(finite, bins, (low, high) if high > low else (low - 0.5, high + 0.5))
    across = _Axis(edges[0], edges[-1], LEFT, WIDTH - RIGHT)
    ticks = _ticks(0.0, float(counts.max()), False)
    up = _Axis(0.0, ticks[-1], HEIGHT - BOTTOM, TOP)
    left, right = across(edges[:-1]), across(edges[1:])
    bars = "".join(
        f'<rect x="{a + 0.5:.1f}" y="{y:.1f}" width="{b - a - 1:.1f}" height="{up.start - y:.1f}"/>'
        for a, b, y in zip(left, right, up(counts), strict=True)
        if y < up.start
    )
    frame = _frame(across, up, _ticks(edges[0], edges[-1], False, inside=True), ticks, x_label, False)
    return _svg(f'{frame}<g class="bars">{bars}</g>', alt)


def _heights(line: Line, shown: Array) -> list[Floats]:
    parts = [line.y[shown]]
    parts += [edge[shown & np.isfinite(edge)] for edge in (line.low, line.high) if edge is not None]
    return parts


def _ticks(low: float, high: float, percent: bool, inside: bool = False) -> Floats:
    """About five round numbers around [low, high], or inside it."""
    span = (high - low) or abs(high) or 1.0
    unit = 10.0 ** np.floor(np.log10(span / 5))
    step = unit * next(m for m in (1, 2, 5, 10) if span / (unit * m) <= 5.5)
    tiny = -1e-9 if inside else 1e-9  # so that an end that is a round number itself stays one
    first, last = (np.ceil, np.floor) if inside else (np.floor, np.ceil)
    ticks = step * np.arange(first(low / step + tiny), last(high / step - tiny) + 1)
    if len(ticks) < 2:
        ticks = np.array([low - step, low] if percent and low >= 1 else [low, low + step])
    return np.asarray(ticks[ticks <= 1 + 1e-9] if percent and high <= 1 else ticks)


def _x_ticks(across: _Axis) -> Floats:
    ticks = _ticks(across.low, across.high, False, inside=True)
    return np.unique(np.rint(ticks)) if across.high - across.low >= 2 else ticks


def _log_ticks(ys: Floats) -> Floats:
    low, high = np.floor(np.log10(ys.min())), np.ceil(np.log10(ys.max()))
    decades = np.arange(low, max(high, low + 1) + 1)
    stride = int(np.ceil(len(decades) / 6))
    decades = np.arange(low, max(high, low + 1) + stride, stride)
    return 10.0**decades


def _frame(across: _Axis, up: _Axis, x_ticks: Floats, y_ticks: Floats, x_label: str, percent: bool) -> str:
    parts = []
    for tick in y_ticks:
        y = float(up(tick))
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_number(tick, percent)}</text>'
        )
    base = HEIGHT - BOTTOM
    parts.append(f'<path class="axis" d="M{LEFT} {base}H{WIDTH - RIGHT}"/>')
    for tick in x_ticks:
        x = float(across(tick))
        parts.append(f'<text x="{x:.1f}" y="{base + 18}" text-anchor="middle">{_number(tick, False)}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text class="name" x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x_label)}</text>'
    )
    return "".join(parts)


def _number(tick: float, percent: bool) -> str:
    if percent:
        return f"{100 * tick:.4g} %"
    return f"{tick:,.0f}" if 1000 <= abs(tick) < 1e6 else f"{tick + 0.0:.4g}"


def _points(x: Array, y: Array, across: _Axis, up: _Axis) -> list[str]:
    return [f"{a:.1f} {b:.1f}" for a, b in zip(across(x), up(y), strict=True)]


def _band(line: Line, shown: Array, across: _Axis, up: _Axis) -> str:
    if line.low is None or line.high is None:
        return ""
    shown = shown & np.isfinite(line.low) & np.isfinite(line.high)
    if shown.sum() < 2:
        return ""
    there = _points(line.x[shown], line.low[shown], across, up)
    back = _points(line.x[shown], line.high[shown], across, up)[::-1]
    return f'<path class="band {line.kind}" d="M{"L".join(there + back)}z"/>'


def _line(line: Line, shown: Array, across: _Axis, up: _Axis) -> str:
    path = "L".join(_points(line.x[shown], line.y[shown], across, up))
    dots = [k for k in (line.dots if shown.sum() > 1 else np.flatnonzero(shown)) if shown[k]]
    marked = "".join(f"M{point}h0" for point in _points(line.x[dots], line.y[dots], across, up))
    round_dots = f'<path class="point {line.kind}" d="{marked}"/>' if marked else ""
    return f'<path class="line {line.kind}" d="M{path}"/>{round_dots}'


def _svg(content: str, alt: str) -> str:
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg class="chart" {size} role="img" aria-label="{escape(alt)}">{content}</svg>'
