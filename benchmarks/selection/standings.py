"""All pools together. A cell is a pool and a budget; its ratio, the mean error over that of random.

Methods that are not feasible everywhere have fewer cells, so their means are over other cells than those of
the others: auto is set beside each on the same cells. Ranks are two: among all the methods of a pool, and
among those only that have every cell and every split, with the method itself.
"""

from dataclasses import dataclass

import numpy as np

AUTO, RANDOM = "auto", "random"


@dataclass(frozen=True)
class Standing:
    name: str
    cells: int
    trials: str  # a cell
    ratio: float  # geometric mean of the ratios to random
    rank: float
    rank_among_full: float
    full: bool  # has every cell and every split
    worst: float
    where: str
    beside_auto: float  # auto's error over its own


def standings(found, where):
    """Of the methods that choose without a label, the lowest ratio first."""
    names = list(dict.fromkeys(name for one in found.values() for name in one.one_shot))
    full = [name for name in names if all(is_full(one, name) for one in found.values())]
    ranks = {pool: one.mean_ranks(where=where) for pool, one in found.items()}
    even = {pool: one.mean_ranks(among=full, where=where) for pool, one in found.items()}
    lines = []
    for name in names:
        cells = ratios(found, name, RANDOM, where)
        worst = max(cells, key=cells.get)
        pools = [pool for pool, one in found.items() if name in one.methods]
        lines.append(
            Standing(
                name,
                len(cells),
                trials(found, name),
                geometric(cells.values()),
                float(np.mean([ranks[pool][name] for pool in pools])),
                float(np.mean([even[pool][name] for pool in pools])),
                name in full,
                cells[worst],
                f"{worst[0]}, {worst[1]}",
                1 / geometric(ratios(found, name, AUTO, where).values()),
            )
        )
    return sorted(lines, key=lambda line: line.ratio)


def ratios(found, name, to, where):
    """(pool, budget) -> the error over that of ``to``, where both were run."""
    return {
        (pool, budget): float(value)
        for pool, one in found.items()
        if name in one.methods and to in one.methods
        for budget, value in zip(one.budgets, one.ratios(name, to=to, where=where), strict=True)
    }


def is_full(one, name):
    return name in one.methods and bool(np.isfinite(one.seconds[one.methods.index(name)]).all())


def trials(found, name):
    """How many a cell has: 10, or 5–10."""
    counts = [one.mean(name, one.budgets[0]).trials for one in found.values() if name in one.methods]
    return str(counts[0]) if min(counts) == max(counts) else f"{min(counts)}–{max(counts)}"


def geometric(values):
    """NaN of nothing."""
    values = list(values)
    return float(np.exp(np.mean(np.log(values)))) if values else float("nan")
