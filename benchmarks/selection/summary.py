"""The page of a bake-off: standings by group of pools, labels in the loop, cost, who is missing, pools."""

import numpy as np
from picture import WHERE, picture
from pools import POOLS
from rivals import RIVALS
from standings import AUTO, RANDOM, geometric, ratios, standings, trials

from trigpoint.trials import Page, markdown, number, write_page

GROUPS = {
    "All pools": lambda pool: True,
    "Pools that judge": lambda pool: pool.group == "judging",
    "Pools on which settings were chosen": lambda pool: pool.group == "tuning",
    "Pools with features": lambda pool: pool.features,
}
READING = """\
Every split draws 75 % of a pool to choose from and holds 25 % out; one graph of 10 neighbors a split, and one
propagation, least squares, for all. A cell is a pool and a budget; × random is the geometric mean over cells
of the error over that of random on the same splits, where no wrong label at all counts as half of one.
Ranks: among all methods of a pool, and among those that have every cell and all splits, in brackets where a
method has not itself. Settings, ours and the peers' where their documentation leaves them open, were chosen
on some of the pools; the others judge. Seconds are of the processor, on one core.
"""


def write(folder, found, peaks):
    """README.md, summary.csv, trials.csv and selection.png of what was found."""
    blocks = ["# The bake-off of selectors\n", READING]
    for title, belongs in GROUPS.items():
        part = {name: one for name, one in found.items() if belongs(POOLS[name])}
        if part:
            blocks.append(f"## {title}: {', '.join(part)}\n")
            for where, what in WHERE.items():
                blocks += [f"Error on the {what}:\n", _standings_table(standings(part, where))]
    blocks += ["## Labels in the loop\n", _loop_table(found)]
    blocks += [
        "## Cost: CPU seconds of choosing at the largest budget, and peak memory\n",
        _cost_table(found, peaks),
    ]
    blocks += ["## Who is missing where\n", _missing_table(found)]
    for name, comparison in found.items():
        pool = POOLS[name]
        about = pool.load.__doc__
        blocks += [f"# {name} ({pool.group})\n", *([] if about is None else [about.strip() + "\n"])]
        blocks += [comparison.winner() + "\n", comparison.markdown()]
    rows = [{"pool": name, **row} for name, comparison in found.items() for row in comparison.rows]
    write_page(folder, Page(blocks, _summary(found, peaks), {"selection.png": picture(rows)}), rows)


def _standings_table(lines):
    head = [
        "",
        "cells",
        "trials a cell",
        "× random",
        "rank",
        "rank among full",
        "worst",
        "where",
        "auto ÷ it",
    ]
    rows = []
    for line in lines:
        even = f"{line.rank_among_full:.2f}"
        rows.append(
            [
                line.name,
                str(line.cells),
                line.trials,
                f"{line.ratio:.3f}",
                f"{line.rank:.2f}",
                even if line.full else f"({even})",
                f"{line.worst:.2f}",
                line.where,
                number(line.beside_auto),
            ]
        )
    return markdown(head, rows)


def _loop_table(found):
    """Methods that are told labels as they choose, beside random and auto on the same cells."""
    names = list(dict.fromkeys(name for one in found.values() for name in one.asks))
    if not names:
        return "No method with labels in the loop has been run.\n"
    heads = ["× random", "× auto", "worst × auto", "where"]
    rows = []
    for name in names:
        row = [name, str(len(ratios(found, name, RANDOM, "held_out"))), trials(found, name)]
        for where in WHERE:
            beside = ratios(found, name, AUTO, where)
            worst = max(beside, key=beside.get, default=None)
            row += [number(geometric(ratios(found, name, RANDOM, where).values()))]
            row += [number(geometric(beside.values()))]
            row += ["–", ""] if worst is None else [f"{beside[worst]:.2f}", f"{worst[0]}, {worst[1]}"]
        rows.append(row)
    columns = [f"{head}, {where.replace('_', ' ')}" for where in WHERE for head in heads]
    return markdown(["", "cells", "trials a cell", *columns], rows)


def _cost_table(found, peaks):
    names = list(dict.fromkeys(name for one in found.values() for name in one.methods))
    return markdown(
        ["", *found], [[name, *(_cost(found, peaks, pool, name) for pool in found)] for name in names]
    )


def _cost(found, peaks, pool, name):
    if name not in found[pool].methods:
        return ""
    memory = peaks.get(pool, {}).get(name)
    return number(_seconds(found[pool], name)) + ("" if memory is None else f" s, {memory:.0f} MB")


def _seconds(one, name):
    return float(np.nanmedian(one.seconds[one.methods.index(name), -1]))


def _missing_table(found):
    """Methods that could be run and never were are not told of."""
    ran = {name for one in found.values() for name in one.methods}
    rows = []
    for name, rival in RIVALS.items():
        reasons = {}
        for pool, one in found.items():
            why = rival.reason(POOLS[pool]) or ("not run" if name in ran else "")
            if why and name not in one.methods:
                reasons.setdefault(why, []).append(pool)
        if reasons:
            rows.append([name, "; ".join(f"{why}: {', '.join(pools)}" for why, pools in reasons.items())])
    return markdown(["", "why"], rows)


def _summary(found, peaks):
    """One row a pool, measure, budget and method."""
    rows = []
    for pool, one in found.items():
        for row in one.table():
            last = row["n_landmarks"] == one.budgets[-1]
            memory = peaks.get(pool, {}).get(row["method"]) if last else None
            rows.append({"pool": pool, "group": POOLS[pool].group, **row, "peak_mb": memory})
    return rows
