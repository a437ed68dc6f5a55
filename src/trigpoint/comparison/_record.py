"""What a comparison found.

A method is held against random on the same splits. At one budget: the difference of the errors and their
ratio, with paired 95 % intervals. Over all budgets: the geometric mean of the ratios of mean errors, with the
interval of the jackknife over splits; the mean rank among the methods; the worst ratio of any budget.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

from trigpoint._types import Floats
from trigpoint._validation import check_choice
from trigpoint.comparison._methods import RANDOM
from trigpoint.trials import Estimate, Ratio, Row, estimate, overall_ratio, ratio, series, verdict

WHERE = ("held_out", "rest")
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
    seconds : (methods, budgets, splits), of choosing; nested methods choose once for all budgets
    n_pool, n_held_out : samples of every split
    settings : what else the figures depend on
    rows : every trial
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

    @property
    def n_splits(self) -> int:
        return int(self.seconds.shape[2])

    def mean(self, method: str, budget: int, *, where: str = "held_out") -> Estimate:
        """The mean error with its 95 % interval."""
        return estimate(self._at(method, budget, where))

    def difference(self, method: str, budget: int, *, to: str = RANDOM, where: str = "held_out") -> Estimate:
        """The mean of error minus error of ``to``, paired."""
        return estimate(self._at(method, budget, where) - self._at(to, budget, where))

    def ratio(self, method: str, budget: int, *, to: str = RANDOM, where: str = "held_out") -> Ratio:
        """The mean error over that of ``to``, paired."""
        return ratio(self._at(method, budget, where), self._at(to, budget, where))

    def ratios(self, method: str, *, to: str = RANDOM, where: str = "held_out") -> Floats:
        """The ratios at all budgets, (budgets,), errors of 0 as the least that could be seen."""
        means = np.maximum(self._errors(where).mean(axis=2), self._floor(where))
        return np.asarray(means[self._row(method)] / means[self._row(to)])

    def overall(self, method: str, *, to: str = RANDOM, where: str = "held_out") -> Ratio:
        """The geometric mean of the ratios over all budgets."""
        held = self._errors(where)
        return overall_ratio(held[self._row(method)], held[self._row(to)], self._floor(where))

    def mean_ranks(self, *, where: str = "held_out") -> dict[str, float]:
        """The rank of a method's mean error among the methods, 1 the best, ties shared; mean over budgets."""
        ranks = rankdata(self._errors(where).mean(axis=2), axis=0).mean(axis=1)
        return dict(zip(self.methods, ranks.tolist(), strict=True))

    def worst(self, method: str, *, to: str = RANDOM, where: str = "held_out") -> tuple[int, float]:
        """The budget where a method does worst beside ``to``, and the ratio there."""
        ratios = self.ratios(method, to=to, where=where)
        place = int(np.argmax(ratios))
        return self.budgets[place], float(ratios[place])

    def best(self, *, where: str = "held_out") -> str:
        """The method other than random whose overall ratio is lowest; random where it is alone."""
        others = [name for name in self.methods if name != RANDOM]
        return min(others, key=lambda name: self.overall(name, where=where).value, default=RANDOM)

    def winner(self, *, where: str = "held_out") -> str:
        """The answer in one sentence."""
        name = self.best(where=where)
        if name == RANDOM:
            return "Only random was compared."
        found = self.overall(name, where=where)
        size = f"error {found.value:.2f} times as large{_interval(found)}"
        won = [b for b in self.budgets if self._verdict(name, b, where) < 0]
        if len(won) == len(self.budgets):
            return f"{name} beats random at every budget: {size}."
        if won and found.high < 1:
            return f"{name} beats random, for sure at {len(won)} of {len(self.budgets)} budgets: {size}."
        if found.high < 1:
            return f"{name} beats random over all budgets together: {size}."
        return f"No method beats random beyond doubt; the best is {name}: {size}."

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
        from trigpoint.comparison._page import tables

        return tables(self)

    def picture(self) -> Any:
        """Errors against budgets with 95 % bands, on the held out and on the rest: a matplotlib figure."""
        from trigpoint.comparison._page import picture

        return picture(self)

    def write(self, folder: str | Path) -> Path:
        """README.md, summary.csv, trials.csv and compare.png in a folder; returns it."""
        from trigpoint.comparison._page import write

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
            "seconds": float(np.median(self.seconds[m, self.budgets.index(budget)])),
            "splits": mean.trials,
        }

    def _row(self, method: str) -> int:
        return self.methods.index(check_choice(method, "method", self.methods))

    def _errors(self, where: str) -> Floats:
        return self.errors[check_choice(where, "where", WHERE)]

    def _at(self, method: str, budget: int, where: str) -> Floats:
        if budget not in self.budgets:
            raise ValueError(f"budget must be one of {list(self.budgets)}; got {budget!r}.")
        return np.asarray(self._errors(where)[self._row(method), self.budgets.index(budget)])

    def _verdict(self, method: str, budget: int, where: str) -> int:
        return verdict(self._at(method, budget, where), self._at(RANDOM, budget, where))

    def _floor(self, where: str) -> float:
        """Half a wrong label in all splits, below which nothing could be seen."""
        if self.task == "regression":
            return TINY
        count = self.n_held_out if where == "held_out" else self.n_pool - self.budgets[-1]
        return 0.5 / (self.n_splits * count)


def _interval(found: Ratio) -> str:
    if np.isnan(found.low):
        return " (one split, no interval)"
    return f" (95 %: {found.low:.2f}–{found.high:.2f})"


def gathered(rows: list[Row], methods: Sequence[str], budgets: Sequence[int], measure: str) -> Floats:
    """(methods, budgets, splits) from rows."""
    held = series(rows, ("n_landmarks",), measure).held
    return np.array([[held[(budget,)][name] for budget in budgets] for name in methods])
