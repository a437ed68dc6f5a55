"""The figures of the suites: means over trials with 95 % bands."""

from collections.abc import Sequence
from typing import Any

from trigpoint.experiments._claims import OURS
from trigpoint.plots import Panel, curves_picture
from trigpoint.trials import Series, series_panel

STRONG = ("GCLS", "GCLS, two candidates", OURS)


def panel(
    held: Series, methods: Sequence[str], title: str, x_label: str, y_label: str, log: bool = False
) -> Panel:
    """One panel of a series whose cells are (x,)."""
    return series_panel(held, methods, title, x_label, y_label, STRONG, log)


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
