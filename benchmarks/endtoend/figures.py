"""Numbers from rows. A cell is a pool, a split and a budget.

An error counts as half a sample at least, so ratios are finite. The ratio of two ways on a pool is the
geometric mean over the cells that both have, and over pools the geometric mean of theirs: pools count alike.
Intervals hold 95 % of 10,000 bootstrap draws of the pools.
"""

from dataclasses import dataclass

import numpy as np
from pools import POOLS, WHOLE

DRAWS = 10_000
LEAST = 3  # splits from which a pool and a budget are judged


@dataclass(frozen=True)
class Figure:
    """One number a pool, the mean over pools with its interval, and the worst pool."""

    by_pool: dict[str, float]
    mean: float
    low: float
    high: float

    @property
    def worst(self):
        return max(self.by_pool, key=self.by_pool.get)

    def among(self, group, log=True):
        """Of the pools of one group; None where it has none."""
        part = {pool: value for pool, value in self.by_pool.items() if POOLS[pool].group == group}
        return figure(part, log) if part else None


def figure(by_pool, log=True):
    values = np.array(list(by_pool.values()))
    values = np.log(values) if log else values
    draws = np.random.default_rng(0).integers(len(values), size=(DRAWS, len(values)))
    low, high = np.percentile(values[draws].mean(axis=1), [2.5, 97.5])
    back = np.exp if log else float
    return Figure(by_pool, float(back(values.mean())), float(back(low)), float(back(high)))


def errors(rows):
    """way -> pool -> (budget, split) -> error, half a sample at least."""
    found = {}
    for row in rows:
        if row["held_out"] is not None:
            cells = found.setdefault(row["method"], {}).setdefault(row["pool"], {})
            cells[row["budget"], row["trial"]] = max(row["held_out"], 0.5 / row["judged"])
    return found


def ratio(held, way, to, budget=None):
    """By pool; None where the two share no cell."""
    by_pool = {}
    for pool, cells in held.get(way, {}).items():
        logs = log_ratios(cells, held.get(to, {}).get(pool, {}), budget)
        if logs:
            by_pool[pool] = float(np.exp(np.mean(list(logs.values()))))
    return figure(by_pool) if by_pool else None


def best_ratio(held, way, others, budget=None):
    """To the best of others on each pool: where the ratio is largest."""
    found = [one for one in (ratio(held, way, to, budget) for to in others) if one is not None]
    pools = dict.fromkeys(pool for one in found for pool in one.by_pool)
    by_pool = {pool: max(one.by_pool.get(pool, 0.0) for one in found) for pool in pools}
    return figure(by_pool) if by_pool else None


def log_ratios(cells, others, budget=None):
    return {
        cell: np.log(cells[cell] / others[cell])
        for cell in cells
        if cell in others and (budget is None or cell[0] == budget)
    }


def worse_cells(held, way, to):
    """Pools and budgets of LEAST splits or more: how many, and the ratios of those where ``way`` is worse."""
    count, worse = 0, {}
    for pool, cells in held.get(way, {}).items():
        logs = log_ratios(cells, held.get(to, {}).get(pool, {}))
        for budget in sorted({cell[0] for cell in logs}):
            found = [value for cell, value in logs.items() if cell[0] == budget]
            if len(found) >= LEAST:
                count += 1
                if np.mean(found) > 0:
                    worse[pool, budget] = float(np.exp(np.mean(found)))
    return count, worse


def calibration(rows, way, budget=None):
    """Mean expected calibration error by pool."""
    by_pool = {}
    for row in rows:
        if row["method"] == way and row["ece"] is not None and budget in (None, row["budget"]):
            by_pool.setdefault(row["pool"], []).append(row["ece"])
    return (
        figure({pool: float(np.mean(found)) for pool, found in by_pool.items()}, False) if by_pool else None
    )


def mean_of(rows, what, pool, way, budget, whole=False):
    """NaN where there is none."""
    found = [
        row[what]
        for row in rows
        if (row["pool"], row["method"], row["budget"]) == (pool, way, budget)
        and (row["trial"] == WHOLE) == whole
        and row[what] is not None
    ]
    return float(np.mean(found)) if found else np.nan
