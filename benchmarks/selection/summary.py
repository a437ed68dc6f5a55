"""All pools together: mean rank, geometric mean of the error relative to random, worst cell, cost.

A cell is a pool and a budget, its error the mean over splits. Methods that are not feasible on some pools
have fewer cells, so their means are over other cells; the last column sets auto beside them on theirs.
"""

import numpy as np

from trigpoint.plots import curves_picture
from trigpoint.trials import Page, markdown, number, series, series_panel, write_page

AUTO, RANDOM = "auto", "random"
STRONG = (AUTO, RANDOM)
WHERE = {"held_out": "samples held out", "rest": "unlabeled rest of the pool"}
GROUPS = {"all": "All pools", "judging": "Pools that judge", "tuning": "Pools on which settings were chosen"}


def rows_of(found, pools, peaks):
    """One row a pool, budget and method."""
    rows = []
    for name, comparison in found.items():
        for row in comparison.table():
            memory = (
                peaks.get(name, {}).get(row["method"])
                if row["n_landmarks"] == comparison.budgets[-1]
                else None
            )
            rows.append({"pool": name, "group": pools[name].group, **row, "peak_mb": memory})
    return rows


def standings(found, where):
    """Method, cells, geometric mean, mean rank, worst ratio and its cell, auto on the same; best first."""
    ratios, ranks = {}, {}
    for pool, comparison in found.items():
        for name in comparison.methods:
            for budget, value in zip(comparison.budgets, comparison.ratios(name, where=where), strict=True):
                ratios.setdefault(name, {})[(pool, budget)] = value
        for name, rank in comparison.mean_ranks(where=where).items():
            ranks.setdefault(name, []).append(rank)
    lines = []
    for name, cells in ratios.items():
        worst = max(cells, key=cells.get)
        beside = [ratios[AUTO][cell] / value for cell, value in cells.items() if cell in ratios.get(AUTO, {})]
        lines.append(
            (
                name,
                len(cells),
                geometric(cells.values()),
                float(np.mean(ranks[name])),
                cells[worst],
                f"{worst[0]}, {worst[1]}",
                geometric(beside) if beside else float("nan"),
            )
        )
    return sorted(lines, key=lambda line: line[2])


def geometric(values):
    return float(np.exp(np.mean(np.log(list(values)))))


def write(folder, found, pools, peaks, notes):
    """README.md, summary.csv, trials.csv and selection.png."""
    blocks = ["# The bake-off of selectors\n", *notes]
    for group, title in GROUPS.items():
        part = {name: one for name, one in found.items() if group in ("all", pools[name].group)}
        if not part:
            continue
        for where, what in WHERE.items():
            blocks += [f"## {title}: error on the {what}\n", _standings_table(standings(part, where))]
    blocks += ["## Seconds and memory of choosing, at the largest budget\n", _cost_table(found, peaks)]
    for name, comparison in found.items():
        blocks += [f"# {name}\n", comparison.winner() + "\n", comparison.markdown()]
    trials = [{"pool": name, **row} for name, comparison in found.items() for row in comparison.rows]
    page = Page(blocks, rows_of(found, pools, peaks), {"selection.png": _picture(found)})
    write_page(folder, page, trials)


def _standings_table(lines):
    head = ["", "cells", "× random", "mean rank", "worst", "where", "auto ÷ it, same cells"]
    rows = [
        [name, str(cells), f"{mean:.3f}", f"{rank:.2f}", f"{worst:.2f}", place, f"{beside:.3f}"]
        for name, cells, mean, rank, worst, place, beside in lines
    ]
    return markdown(head, rows)


def _cost_table(found, peaks):
    names = list(dict.fromkeys(name for one in found.values() for name in one.methods))
    rows = []
    for name in names:
        row = [name]
        for pool, comparison in found.items():
            if name not in comparison.methods:
                row.append("")
                continue
            seconds = np.median(comparison.seconds[comparison.methods.index(name), -1])
            memory = peaks.get(pool, {}).get(name)
            row.append(number(float(seconds)) + (f" s, {memory:.0f} MB" if memory is not None else " s"))
        rows.append(row)
    return markdown(["", *found], rows)


def _picture(found):
    rows = [
        [
            series_panel(
                series(comparison.rows, ("n_landmarks",), where),
                comparison.methods,
                f"{name}, {what}",
                "landmarks",
                "error",
                STRONG,
            )
            for where, what in WHERE.items()
        ]
        for name, comparison in found.items()
    ]
    return curves_picture(rows, "Error against the number of landmarks")
