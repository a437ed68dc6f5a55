"""Rows of trials as series: one array over trials for each cell and method, so that pairs stay pairs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from trigpoint._types import Floats
from trigpoint.trials._results import Row
from trigpoint.trials._statistics import Estimate, estimate, verdict

Cell = tuple[object, ...]
LEAST = 3  # trials of a comparison


@dataclass(frozen=True, eq=False)
class Series:
    """``held[cell][method]`` is (trials,), NaN where a method was not run."""

    held: dict[Cell, dict[str, Floats]]

    @property
    def cells(self) -> list[Cell]:
        return list(self.held)

    def methods(self, order: Iterable[str]) -> list[str]:
        """Those of ``order`` that have a trial in some cell."""
        there = {name for cell in self.held.values() for name in cell}
        return [name for name in order if name in there]

    def where(self, *start: object) -> "Series":
        """The cells that start so, with the rest of their names."""
        return Series(
            {cell[len(start) :]: got for cell, got in self.held.items() if cell[: len(start)] == start}
        )

    def estimate(self, cell: Cell, method: str) -> Estimate:
        return estimate(self.held[cell].get(method, np.empty(0)))


def series(rows: Sequence[Row], by: Sequence[str], measure: str) -> Series:
    """The measure in cells of equal values of ``by``, in the order of the rows."""
    trials = 1 + max((row["trial"] for row in rows), default=0)
    held: dict[Cell, dict[str, Floats]] = {}
    for row in rows:
        cell = held.setdefault(tuple(row[name] for name in by), {})
        values = cell.setdefault(row["method"], np.full(trials, np.nan))
        values[row["trial"]] = np.nan if row[measure] is None else row[measure]
    return Series(held)


@dataclass(frozen=True)
class Tally:
    """Comparisons of one side with another: how often lower (95 %), neither, higher, or not compared."""

    lower: int = 0
    even: int = 0
    higher: int = 0
    left_out: int = 0

    @property
    def total(self) -> int:
        return self.lower + self.even + self.higher


def tally(pairs: Iterable[tuple[Floats, Floats]]) -> Tally:
    """Pairs of series over the same trials; pairs that share fewer than three trials are left out."""
    counts = [0, 0, 0, 0]
    for a, b in pairs:
        enough = np.sum(np.isfinite(a) & np.isfinite(b)) >= LEAST
        counts[verdict(a, b) + 1 if enough else 3] += 1
    return Tally(*counts)


def against(held: Series, method: str, others: Iterable[str]) -> Tally:
    """One method against others, in every cell."""
    names = [name for name in others if name != method]
    return tally(
        (got[method], got[name])
        for got in held.held.values()
        for name in names
        if method in got and name in got
    )
