"""A series as curves with 95 % bands."""

from collections.abc import Sequence

import numpy as np

from trigpoint.plots import Curve, Panel
from trigpoint.trials._series import Series


def series_panel(
    held: Series,
    methods: Sequence[str],
    title: str,
    x_label: str,
    y_label: str,
    strong: Sequence[str] = (),
    log: bool = False,
) -> Panel:
    """One panel of a series whose cells are (x,)."""
    x = np.array([float(str(cell[-1])) for cell in held.cells])
    curves = []
    for name in methods:
        found = [held.estimate(cell, name) for cell in held.cells]
        there = np.array([one.trials > 0 for one in found], dtype=bool)
        if there.any():
            mean, half = np.array([[one.mean, one.ci95] for one in found]).T
            curves.append(Curve(name, x[there], mean[there], half[there], name in strong))
    return Panel(title, curves, x_label, y_label, log)
