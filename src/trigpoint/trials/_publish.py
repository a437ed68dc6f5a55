"""What trials found, ready to be written to their folder, and their series as curves with 95 % bands:

README.md     tables to read, with the verdicts
summary.csv   means, 95 % intervals, numbers of trials
trials.csv    every trial
*.png         the figures
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint.io import write_table, write_text
from trigpoint.plots import Curve, Panel, Strip, contact_sheet, save_picture
from trigpoint.trials._results import Row
from trigpoint.trials._series import Series


@dataclass(frozen=True, eq=False)
class Page:
    blocks: list[str]  # Markdown
    summary: list[Row]
    figures: dict[str, Any] = field(default_factory=dict)  # file name -> figure
    sheets: dict[str, list[Strip]] = field(default_factory=dict)  # file name -> rows of pictures


def write_page(folder: Path, page: Page, rows: list[Row]) -> None:
    """All of it, each file whole; the page that tells of the others comes last."""
    for name, figure in page.figures.items():
        save_picture(figure, folder / name)
    for name, strips in page.sheets.items():
        contact_sheet(strips, folder / name)
    write_table(folder / "trials.csv", columns(rows))
    write_table(folder / "summary.csv", columns(page.summary))
    pictures = [f"![{Path(name).stem.replace('_', ' ')}]({name})\n" for name in (*page.figures, *page.sheets)]
    write_text(folder / "README.md", "\n".join([*page.blocks, *pictures]))


def columns(rows: list[Row]) -> dict[str, list[Any]]:
    """A table by columns, numbers to six digits, nothing where there is none."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [_cell(row.get(name)) for row in rows] for name in names}


def _cell(value: Any) -> Any:
    if value is None or value != value:  # NaN
        return ""
    return float(f"{value:.6g}") if isinstance(value, float) else value


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
