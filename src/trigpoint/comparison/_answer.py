"""A comparison as a page: the answer, tables and a picture."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint.comparison._comparison import WHERE, Comparison
from trigpoint.comparison._contestants import RANDOM
from trigpoint.plots import curves_picture
from trigpoint.trials import Page, Series, budget_table, markdown, number, series, series_panel, write_page

TITLES = {"held_out": "samples held out", "rest": "unlabeled rest of the pool"}
UNITS = {"classification": "wrong labels (%)", "regression": "error (%); predicting the mean gives 100"}
PICTURE = "compare.png"
WIDTH = 90  # letters of a line above the picture


def write(found: Comparison, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    page = Page([_opening(found), tables(found)], found.table(), {PICTURE: picture(found)})
    write_page(folder, page, found.rows)
    return folder


def _opening(found: Comparison) -> str:
    others = len(found.one_shot) - 1  # beside random
    splits = "splits" if found.n_splits > 1 else "split"
    flattered = f" {found.best()} was picked as the best of {others}, which flatters it a little."
    return (
        "# Does it beat random?\n\n"
        f"**{_answer(found)}** "
        f"On the samples held out; {UNITS[found.task]}.{flattered if others > 1 else ''}\n\n"
        f"{found.n_splits} {splits}: {found.n_pool} samples as the pool that landmarks are chosen from, "
        f"{found.n_held_out} held out. One graph a split, least squares for all methods.\n"
    )


def _answer(found: Comparison) -> str:
    return " ".join(filter(None, [found.winner(), found.loop()]))


def tables(found: Comparison) -> str:
    """Over all budgets, those with labels in the loop apart; then the errors at each."""
    blocks = ["## Over all budgets\n", _overall(found, found.one_shot, RANDOM)]
    if found.asks:
        blocks += ["## Labels in the loop\n", found.loop() + "\n", _overall(found, found.asks, found.best())]
    for where in WHERE:
        held = _percent(found, where)
        blocks += [f"## Error on the {TITLES[where]}\n", budget_table(held, found.methods, {}, ())]
    return "\n".join(blocks)


def _overall(found: Comparison, names: Sequence[str], to: str) -> str:
    """One line a method, the best first; held against ``to``."""
    ranks = {where: found.mean_ranks(where=where) for where in WHERE}
    lines = []
    for name in sorted(names, key=lambda name: found.overall(name, to=to).value):
        row = [name]
        for where in WHERE:
            times = found.overall(name, to=to, where=where)
            budget, worst = found.worst(name, to=to, where=where)
            interval = "" if name == to else f" ({number(times.low)}–{number(times.high)})"
            row += [f"{number(times.value)}{interval}", f"{ranks[where][name]:.2f}"]
            row += [f"{number(worst)} at {budget}"]
        row.append(number(float(np.nanmedian(found.seconds[found.methods.index(name), -1]))))
        lines.append(row)
    heads = [f"{head}, {where.replace('_', ' ')}" for where in WHERE for head in (f"× {to}", "rank", "worst")]
    return markdown(["", *heads, "CPU seconds"], lines)


def picture(found: Comparison) -> Any:
    strong = [name for name in (found.best(), RANDOM) if name in found.methods]
    panels = []
    for where in WHERE:
        held = _percent(found, where)
        panels.append(
            series_panel(held, found.methods, TITLES[where], "landmarks", UNITS[found.task], strong)
        )
    return curves_picture([panels], textwrap.fill(_answer(found), WIDTH))


def _percent(found: Comparison, where: str) -> Series:
    held = series(found.rows, ("n_landmarks",), where).held
    return Series({cell: {name: 100 * got for name, got in part.items()} for cell, part in held.items()})
