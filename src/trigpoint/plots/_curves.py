"""Curves with their confidence, in panels that share one legend, by matplotlib."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._types import Floats
from trigpoint.plots._figure import empty_figure

QUIET = (
    *("#7f7f7f", "#b0892f", "#4c9f70", "#8a6bbf", "#3fa0b5"),
    *("#c0709a", "#6b8e23", "#a0674b", "#5b7fb0", "#2f4f4f"),
)
MARKERS = "os^vD<>pPX"
STRONG = ("#d62728", "#ff7f0e", "#1f3fd0", "#c020c0")


@dataclass(frozen=True, eq=False)
class Curve:
    """One line; ``half`` is half the width of its band. A strong one is drawn thick and last."""

    name: str
    x: Floats
    y: Floats
    half: Floats
    strong: bool = False


@dataclass(frozen=True, eq=False)
class Panel:
    title: str
    curves: Sequence[Curve]
    x_label: str
    y_label: str
    log: bool = False  # both axes


def curves_picture(rows: Sequence[Sequence[Panel]], title: str) -> Any:
    """Panels in rows of equal length, colors and marks by the order of names over all of them."""
    across = len(rows[0])
    figure = empty_figure(figsize=(5.2 * across + 2.2, 3.9 * len(rows) + 0.3), layout="constrained")
    figure.suptitle(title, fontsize=13)
    axes = figure.subplots(len(rows), across, squeeze=False)
    looks = _looks(rows)
    handles: dict[str, Any] = {}
    for axis, panel in zip(axes.ravel(), [panel for row in rows for panel in row], strict=True):
        for curve in sorted(panel.curves, key=lambda curve: curve.strong):
            handles[curve.name] = _draw(axis, curve, looks[curve.name], panel.log)
        axis.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
        axis.grid(alpha=0.25, which="both" if panel.log else "major")
        if panel.log:
            axis.set(xscale="log", yscale="log")
        else:
            axis.set_ylim(*_heights(panel))
    named = [name for name in looks if name in handles]
    figure.legend(
        [handles[name] for name in named], named, loc="outside right upper", fontsize=9, frameon=False
    )
    return figure


def _looks(rows: Sequence[Sequence[Panel]]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    count = {True: 0, False: 0}
    for curve in (curve for row in rows for panel in row for curve in panel.curves):
        if curve.name in found:
            continue
        place = count[curve.strong]
        count[curve.strong] += 1
        colors = STRONG if curve.strong else QUIET
        found[curve.name] = {
            "color": colors[place % len(colors)],
            "marker": MARKERS[place % len(MARKERS)],
            "linewidth": 2.2 if curve.strong else 1.1,
            "markersize": 6 if curve.strong else 4.5,
        }
    return found


def _heights(panel: Panel) -> tuple[float, float]:
    """Room for all means, whatever the width of the bands."""
    means = np.concatenate([curve.y for curve in panel.curves])
    low, high = float(np.nanmin(means)), float(np.nanmax(means))
    room = 0.08 * ((high - low) or abs(high) or 1.0)
    return low - room, high + room


def _draw(axis: Any, curve: Curve, look: dict[str, Any], log: bool) -> Any:
    order = np.argsort(curve.x)
    x, y, half = curve.x[order], curve.y[order], np.nan_to_num(curve.half[order])
    low = np.maximum(y - half, y / 3) if log else y - half  # a band down to zero has no place on a log axis
    axis.fill_between(x, low, y + half, color=look["color"], alpha=0.13, linewidth=0)
    return axis.plot(x, y, **look)[0]
