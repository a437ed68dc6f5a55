"""A comparison as a page: the answer, tables and a picture."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint.comparison._comparison import WHERE, Comparison
from trigpoint.comparison._contestants import RANDOM
from trigpoint.comparison._sentences import in_words, way_in_words
from trigpoint.plots import curves_picture
from trigpoint.trials import (
    Page,
    Ratio,
    Series,
    budget_table,
    markdown,
    number,
    series,
    series_panel,
    write_page,
)

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
    best, count = found.best(), others
    if len(found.predictors) > 1:
        best, count = way_in_words(*found.ways()[0]), len(found.ways())
    flattered = f" {best} was picked as the best of {count}, which flatters it a little."
    return (
        "# What is best on this pool?\n\n"
        f"**{in_words(found)}** "
        f"On the samples held out; {UNITS[found.task]}.{flattered if count > 1 else ''}\n\n"
        f"{found.n_splits} {splits}: {found.n_pool} samples as the pool that landmarks are chosen from, "
        f"{found.n_held_out} held out. The same splits and predictors for all methods.\n"
    )


def tables(found: Comparison) -> str:
    """Ways; methods over all budgets, those with labels in the loop apart; then the errors at each."""
    blocks = []
    if len(found.predictors) > 1:
        blocks += ["## Methods and predictors: error on the samples held out, all budgets\n", _ways(found)]
        blocks += ["## The same over that of random labels\n", _beside_random(found)]
    blocks += [f"## Over all budgets{_first(found)}\n", _overall(found, found.one_shot, RANDOM)]
    if found.asks:
        blocks += [f"## Labels in the loop{_first(found)}\n", found.loop() + "\n"]
        blocks.append(_overall(found, found.asks, found.best()))
    for where in WHERE:
        names = [_named(found, method, by) for method in found.methods for by in found.predictors]
        blocks += [f"## Error on the {TITLES[where]}\n", budget_table(_percent(found, where), names, {}, ())]
    return "\n".join(blocks)


def _first(found: Comparison) -> str:
    return f", with {found.predictors[0]}" if len(found.predictors) > 1 else ""


def _named(found: Comparison, method: str, predictor: str) -> str:
    return method if len(found.predictors) == 1 else f"{method}, {predictor}"


def _ways(found: Comparison) -> str:
    """Geometric means over budgets, in %; the best way that saw no label is bold."""
    best, lines = found.ways()[0], []
    for method in found.methods:
        cells = []
        for by in found.predictors:
            text = number(100 * found.over_budgets(method, predictor=by))
            cells.append(f"**{text}**" if (method, by) == best else text)
        lines.append([method, *cells])
    return markdown(["", *found.predictors], lines)


def _beside_random(found: Comparison) -> str:
    return markdown(
        ["", *found.predictors],
        [
            [method, *(_ratio(found.overall(method, predictor=by)) for by in found.predictors)]
            for method in found.methods
            if method != RANDOM
        ],
    )


def _ratio(found: Ratio) -> str:
    return f"{number(found.value)} ({number(found.low)}–{number(found.high)})"


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
    """All methods with the first predictor, and the best way."""
    first = found.predictors[0]
    best = found.ways()[0]
    ways = dict.fromkeys([*((method, first) for method in found.methods), best])
    names = [_named(found, *way) for way in ways]
    strong = [_named(found, *way) for way in (best, (found.best(), first), (RANDOM, first))]
    panels = [
        series_panel(_percent(found, where), names, TITLES[where], "landmarks", UNITS[found.task], strong)
        for where in WHERE
    ]
    return curves_picture([panels], textwrap.fill(in_words(found), WIDTH))


def _percent(found: Comparison, where: str) -> Series:
    rows = [{**row, "method": _named(found, row["method"], row["predictor"])} for row in found.rows]
    held = series(rows, ("n_landmarks",), where).held
    return Series({cell: {name: 100 * got for name, got in part.items()} for cell, part in held.items()})
