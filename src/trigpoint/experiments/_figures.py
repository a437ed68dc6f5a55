"""The figures of the suites: means over trials with 95 % bands."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from trigpoint.experiments._claims import OURS
from trigpoint.experiments._series import Series
from trigpoint.plots import Curve, Panel, curves_picture

STRONG = ("GCLS", "GCLS, two candidates", OURS)


def panel(
    held: Series, methods: Sequence[str], title: str, x_label: str, y_label: str, log: bool = False
) -> Panel:
    """One panel of a series whose cells are (x,)."""
    x = np.array([float(str(cell[-1])) for cell in held.cells])
    curves = []
    for name in methods:
        found = [held.estimate(cell, name) for cell in held.cells]
        there = np.array([one.trials > 0 for one in found], dtype=bool)
        if there.any():
            mean, half = np.array([[one.mean, one.ci95] for one in found]).T
            curves.append(Curve(name, x[there], mean[there], half[there], name in STRONG))
    return Panel(title, curves, x_label, y_label, log)


def regression_figure(ls: Series, spec: Series, title: str, methods: Sequence[str]) -> Any:
    """Four panels for one data set: LS and Spec, clean and noisy. Cells are (condition, l)."""
    rows = []
    for name, held in (("LS", ls), ("Spec", spec)):
        rows.append(
            [
                panel(
                    held.where(condition), methods, f"{name}, {condition}", "landmarks", "relative error (%)"
                )
                for condition in dict.fromkeys(cell[0] for cell in held.cells)
            ]
        )
    return curves_picture(rows, title)
