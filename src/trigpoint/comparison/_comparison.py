"""What a comparison found.

A method is held against random on the same splits. At one budget: the difference of the errors and their
ratio, with paired 95 % intervals. Over all budgets: the geometric mean of the ratios of mean errors, with the
interval of the jackknife over splits; the mean rank among the methods; the worst ratio of any budget.

Methods that are told labels as they choose are counted apart, and held against the best of the others. An
error that is NaN was not measured: a method may have fewer splits than the others, and is then compared, and
ranked, on those that it has.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint._validation import check_choice
from trigpoint.comparison._contestants import RANDOM
from trigpoint.trials import Estimate, Ratio, Row, estimate, overall_ratio, ratio, series, verdict

WHERE = ("held_out", "rest")
TOGETHER = " over all budgets together"
TINY = 1e-12  # error of real values that counts as none


@dataclass(frozen=True, eq=False)
class Comparison:
    """Errors of methods at budgets on splits.

    Attributes
    ----------
    methods : names, "random" among them
    budgets : numbers of landmarks, ascending
    task : "classification" or "regression"
    errors : {"held_out": (methods, budgets, splits), "rest": the same}
        Share of wrong labels, or error relative to that of the mean.
    seconds : (methods, budgets, splits), of the processor, to choose; nested methods choose once for all
    n_pool, n_held_out : samples of every split
    settings : what else the figures depend on
    rows : every trial
    asks : the methods that were told labels as they chose
    """

    methods: tuple[str, ...]
    budgets: tuple[int, ...]
    task: str
    errors: dict[str, Floats]
    seconds: Floats
    n_pool: int
    n_held_out: int
    settings: dict[str, Any]
    rows: list[Row]
    asks: tuple[str, ...] = ()

    @property
    def n_splits(self) -> int:
        return int(self.seconds.shape[2])

    @property
    def one_shot(self) -> tuple[str, ...]:
        """The methods that chose without a label."""
        return tuple(name for name in self.methods if name not in self.asks)

    def mean(self, method: str, budget: int, *, where: str = "held_out") -> Estimate:
        """The mean error with its 95 % interval."""
        return estimate(self._at(method, budget, where))

    def difference(self, method: str, budget: int, *, to: str = RANDOM, where: str = "held_out") -> Estimate:
        """The mean of error minus error of ``to``, paired."""
        return estimate(self._at(method, budget, where) - self._at(to, budget, where))

    def ratio(self, method: str, budget: int, *, to: str = RANDOM, where: str = "held_out") -> Ratio:
        """The mean error over that of ``to``, paired."""
        found = ratio(self._at(method, budget, where), self._at(to, budget, where))
        return replace(found, low=found.value, high=found.value) if method == to else found

    def ratios(self, method: str, *, to: str = RANDOM, where: str = "held_out") -> Floats:
        """The ratios at all budgets, (budgets,), errors of 0 as the least that could be seen."""
        held = self._errors(where)
        there = self._there(method) & self._there(to)
        floor = self._floor(where, int(there.sum()))
        means = [np.maximum(held[self._row(name)][:, there].mean(axis=1), floor) for name in (method, to)]
        return np.asarray(means[0] / means[1])

    def overall(self, method: str, *, to: str = RANDOM, where: str = "held_out") -> Ratio:
        """The geometric mean of the ratios over all budgets."""
        held = self._errors(where)
        floor = self._floor(where, int((self._there(method) & self._there(to)).sum()))
        return overall_ratio(held[self._row(method)], held[self._row(to)], floor)

    def mean_ranks(self, *, among: Sequence[str] | None = None, where: str = "held_out") -> dict[str, float]:
        """The rank of a method's mean error, 1 the best, ties shared; mean over budgets.

        Every method is ranked ``among`` these and itself; by default those that choose without a label
        and have all splits.
        """
        if among is None:
            among = [name for name in self.one_shot if self._there(name).all()]
        return {name: float(np.mean(self._ranks(name, among, where))) for name in self.methods}

    def worst(self, method: str, *, to: str = RANDOM, where: str = "held_out") -> tuple[int, float]:
        """The budget where a method does worst beside ``to``, and the ratio there."""
        ratios = self.ratios(method, to=to, where=where)
        place = int(np.argmax(ratios))
        return self.budgets[place], float(ratios[place])

    def best(self, *, where: str = "held_out") -> str:
        """The method, of those that choose without a label, whose overall ratio is lowest.

        Random only where it is alone.
        """
        others = [name for name in self.one_shot if name != RANDOM]
        return min(others, key=lambda name: self.overall(name, where=where).value, default=RANDOM)

    def winner(self, *, where: str = "held_out") -> str:
        """The answer in one sentence."""
        name = self.best(where=where)
        if name == RANDOM:
            return f"Only random was compared{' of those that see no label' if self.asks else ''}."
        found = self.overall(name, where=where)
        won = [b for b in self.budgets if self._verdict(name, b, where) < 0]
        if len(won) == len(self.budgets):
            return f"{name} beats random at every budget: {_size(found)}."
        if found.high < 1:
            part = f", significantly at {len(won)} of {len(self.budgets)} budgets" if won else TOGETHER
            return f"{name} beats random{part}: {_size(found)}."
        others = {other: self.overall(other, where=where) for other in self.one_shot if other != RANDOM}
        sure = [other for other in others if others[other].high < 1]
        if sure:
            second = min(sure, key=lambda other: others[other].value)
            return (
                f"{second} beats random{TOGETHER}: {_size(others[second])}; "
                f"{name} has a lower error, but does not beat random significantly: {_size(found)}."
            )
        surely = "" if found.low > 1 else " significantly"
        return f"No method beats random{surely}; the best is {name}: {_size(found)}."

    def loop(self, *, where: str = "held_out") -> str:
        """What labels in the loop bring beside the best method without; empty where no method asks."""
        if not self.asks:
            return ""
        best = self.best(where=where)
        name = min(self.asks, key=lambda name: self.overall(name, to=best, where=where).value)
        found = self.overall(name, to=best, where=where)
        size = f"{name} has {found.value:.2f} times the error of {best}{_interval(found)}"
        if best == RANDOM:
            size += ", including the gain from coverage alone"
        if found.high < 1:
            return f"Labels in the loop help: {size}."
        if found.low > 1:
            return f"Labels in the loop do harm: {size}."
        return f"Labels in the loop make no significant difference: {size}."

    def table(self, *, where: str | None = None) -> list[Row]:
        """One row a method and budget; of both measures, or of one."""
        measures = WHERE if where is None else (check_choice(where, "where", WHERE),)
        return [
            self._line(measure, name, budget)
            for measure in measures
            for budget in self.budgets
            for name in self.methods
        ]

    def markdown(self) -> str:
        """The tables to read."""
        from trigpoint.comparison._answer import tables

        return tables(self)

    def picture(self) -> Any:
        """Errors against budgets with 95 % bands, on the held out and on the rest: a matplotlib figure."""
        from trigpoint.comparison._answer import picture

        return picture(self)

    def write(self, folder: str | Path) -> Path:
        """README.md, summary.csv, trials.csv and compare.png in a folder; returns it."""
        from trigpoint.comparison._answer import write

        return write(self, Path(folder))

    def _line(self, where: str, name: str, budget: int) -> Row:
        mean, gap = self.mean(name, budget, where=where), self.difference(name, budget, where=where)
        times, m = self.ratio(name, budget, where=where), self._row(name)
        return {
            "measure": where,
            "n_landmarks": budget,
            "method": name,
            "error": mean.mean,
            "ci95": mean.ci95,
            "difference": gap.mean,
            "difference_ci95": gap.ci95,
            "ratio": times.value,
            "ratio_low": times.low,
            "ratio_high": times.high,
            "seconds": float(np.nanmedian(self.seconds[m, self.budgets.index(budget)])),
            "splits": mean.trials,
            "told_labels": name in self.asks,
        }

    def _row(self, method: str) -> int:
        return self.methods.index(check_choice(method, "method", self.methods))

    def _errors(self, where: str) -> Floats:
        return self.errors[check_choice(where, "where", WHERE)]

    def _at(self, method: str, budget: int, where: str) -> Floats:
        if budget not in self.budgets:
            raise InputError("budget", f"must be one of {list(self.budgets)}", repr(budget))
        return np.asarray(self._errors(where)[self._row(method), self.budgets.index(budget)])

    def _verdict(self, method: str, budget: int, where: str) -> int:
        return verdict(self._at(method, budget, where), self._at(RANDOM, budget, where))

    def _there(self, method: str) -> Array:
        """Which splits a method has."""
        return np.asarray(np.isfinite(self.seconds[self._row(method)]).all(axis=0))

    def _ranks(self, method: str, among: Sequence[str], where: str) -> Floats:
        """(budgets,), on the splits that the method has."""
        held = self._errors(where)[:, :, self._there(method)].mean(axis=2)
        own, others = held[self._row(method)], held[[self._row(name) for name in among if name != method]]
        return np.asarray(1 + (others < own).sum(axis=0) + 0.5 * (others == own).sum(axis=0))

    def _floor(self, where: str, splits: int) -> float:
        """Half a wrong label in all splits, below which nothing could be seen."""
        if self.task == "regression":
            return TINY
        count = self.n_held_out if where == "held_out" else self.n_pool - self.budgets[-1]
        return 0.5 / (max(splits, 1) * count)


def _size(found: Ratio) -> str:
    return f"error {found.value:.2f} times as large{_interval(found)}"


def _interval(found: Ratio) -> str:
    if np.isnan(found.low):
        return " (one split, no interval)"
    return f" (95 %: {found.low:.2f}–{found.high:.2f})"


def gathered(rows: list[Row], methods: Sequence[str], budgets: Sequence[int], measure: str) -> Floats:
    """(methods, budgets, splits) from rows."""
    held = series(rows, ("n_landmarks",), measure).held
    return np.array([[held[(budget,)][name] for budget in budgets] for name in methods])
