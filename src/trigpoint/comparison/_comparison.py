"""What a comparison found.

A method is held against random on the same splits, with the same predictor: where none is named, the first.
At one budget: the difference of the errors and their ratio, with paired 95 % intervals. Over all budgets: the
geometric mean of the ratios of mean errors, with the interval of the jackknife over splits; the mean rank
among the methods; the worst ratio of any budget.

A way is a method with a predictor; ours are both "auto". The best way has the least geometric mean of its
mean errors at all budgets.

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
from trigpoint.comparison._sentences import OURS, best_in_words, loop_in_words, winner_in_words
from trigpoint.trials import Estimate, Ratio, Row, estimate, overall_ratio, ratio, series

WHERE = ("held_out", "rest")
TINY = 1e-12  # error of real values that counts as none


@dataclass(frozen=True, eq=False)
class Comparison:
    """Errors of methods and predictors at budgets on splits.

    Attributes
    ----------
    methods : names, "random" among them
    predictors : names; the first is that of `winner`, and of all figures where no other is named
    budgets : numbers of landmarks, ascending
    task : "classification" or "regression"
    errors : {"held_out": (methods, predictors, budgets, splits), "rest": the same}
        Share of wrong labels, or error relative to that of the mean.
    seconds : (methods, budgets, splits), of the processor, to choose; nested methods choose once for all
    n_pool, n_held_out : samples of every split
    settings : what else the figures depend on
    rows : every trial
    asks : the methods that were told labels as they chose
    """

    methods: tuple[str, ...]
    predictors: tuple[str, ...]
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

    def mean(
        self, method: str, budget: int, *, predictor: str | None = None, where: str = "held_out"
    ) -> Estimate:
        """The mean error with its 95 % interval."""
        return estimate(self._at(method, predictor, budget, where))

    def difference(
        self,
        method: str,
        budget: int,
        *,
        predictor: str | None = None,
        to: str = RANDOM,
        to_predictor: str | None = None,
        where: str = "held_out",
    ) -> Estimate:
        """The mean of error minus error of ``to``, paired; of the same predictor if no other is named."""
        other = self._at(to, to_predictor or predictor, budget, where)
        return estimate(self._at(method, predictor, budget, where) - other)

    def ratio(
        self,
        method: str,
        budget: int,
        *,
        predictor: str | None = None,
        to: str = RANDOM,
        to_predictor: str | None = None,
        where: str = "held_out",
    ) -> Ratio:
        """The mean error over that of ``to``, paired; of the same predictor if no other is named."""
        other = self._at(to, to_predictor or predictor, budget, where)
        found = ratio(self._at(method, predictor, budget, where), other)
        same = (method, self._by(predictor)) == (to, self._by(to_predictor or predictor))
        return replace(found, low=found.value, high=found.value) if same else found

    def ratios(
        self, method: str, *, predictor: str | None = None, to: str = RANDOM, where: str = "held_out"
    ) -> Floats:
        """The ratios at all budgets, (budgets,), errors of 0 as the least that could be seen."""
        there = self._there(method) & self._there(to)
        floor = self._floor(where, int(there.sum()))
        means = [
            np.maximum(self._way(name, predictor, where)[:, there].mean(axis=1), floor)
            for name in (method, to)
        ]
        return np.asarray(means[0] / means[1])

    def overall(
        self,
        method: str,
        *,
        predictor: str | None = None,
        to: str = RANDOM,
        to_predictor: str | None = None,
        where: str = "held_out",
    ) -> Ratio:
        """The geometric mean of the ratios over all budgets."""
        floor = self._floor(where, int((self._there(method) & self._there(to)).sum()))
        other = self._way(to, to_predictor or predictor, where)
        return overall_ratio(self._way(method, predictor, where), other, floor)

    def over_budgets(self, method: str, *, predictor: str | None = None, where: str = "held_out") -> float:
        """The geometric mean over budgets of the mean errors, errors of 0 as the least that could be seen."""
        there = self._there(method)
        means = self._way(method, predictor, where)[:, there].mean(axis=1)
        return float(np.exp(np.log(np.maximum(means, self._floor(where, int(there.sum())))).mean()))

    def mean_ranks(
        self,
        *,
        predictor: str | None = None,
        among: Sequence[str] | None = None,
        where: str = "held_out",
    ) -> dict[str, float]:
        """The rank of a method's mean error, 1 the best, ties shared; mean over budgets.

        Every method is ranked ``among`` these and itself; by default those that choose without a label
        and have all splits.
        """
        if among is None:
            among = [name for name in self.one_shot if self._there(name).all()]
        return {name: float(np.mean(self._ranks(name, predictor, among, where))) for name in self.methods}

    def worst(
        self, method: str, *, predictor: str | None = None, to: str = RANDOM, where: str = "held_out"
    ) -> tuple[int, float]:
        """The budget where a method does worst beside ``to``, and the ratio there."""
        ratios = self.ratios(method, predictor=predictor, to=to, where=where)
        place = int(np.argmax(ratios))
        return self.budgets[place], float(ratios[place])

    def best(self, *, predictor: str | None = None, where: str = "held_out") -> str:
        """The method, of those that choose without a label, whose overall ratio is lowest.

        Random only where it is alone.
        """
        others = [name for name in self.one_shot if name != RANDOM]
        return min(
            others,
            key=lambda name: self.overall(name, predictor=predictor, where=where).value,
            default=RANDOM,
        )

    def ways(self, *, where: str = "held_out") -> list[tuple[str, str]]:
        """Methods that choose without a label, each with every predictor, the least error first.

        Of equal ones ours comes first, then as they were given.
        """
        found = [(name, predictor) for name in self.one_shot for predictor in self.predictors]
        found.sort(key=lambda way: way != OURS)
        first = self.predictors[0]
        return sorted(
            found,
            key=lambda way: (
                self.overall(way[0], predictor=way[1], to=RANDOM, to_predictor=first, where=where).value
            ),
        )

    def answer(self, *, where: str = "held_out") -> str:
        """What is best on this pool, and whether it is ours; empty where there is one predictor."""
        return best_in_words(self, where)

    def winner(self, *, predictor: str | None = None, where: str = "held_out") -> str:
        """Whether a method beats random, in one sentence."""
        return winner_in_words(self, predictor, where)

    def loop(self, *, predictor: str | None = None, where: str = "held_out") -> str:
        """What labels in the loop bring beside the best method without; empty where no method asks."""
        return loop_in_words(self, predictor, where)

    def table(self, *, where: str | None = None) -> list[Row]:
        """One row a method, predictor and budget; of both measures, or of one."""
        measures = WHERE if where is None else (check_choice(where, "where", WHERE),)
        return [
            self._line(measure, name, predictor, budget)
            for measure in measures
            for budget in self.budgets
            for name in self.methods
            for predictor in self.predictors
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

    def _line(self, where: str, name: str, predictor: str, budget: int) -> Row:
        mean = self.mean(name, budget, predictor=predictor, where=where)
        gap = self.difference(name, budget, predictor=predictor, where=where)
        times, m = self.ratio(name, budget, predictor=predictor, where=where), self._row(name)
        return {
            "measure": where,
            "n_landmarks": budget,
            "method": name,
            "predictor": predictor,
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

    def _way(self, method: str, predictor: str | None, where: str) -> Floats:
        """(budgets, splits)."""
        return np.asarray(self._errors(where)[self._row(method), self._by(predictor)])

    def _by(self, predictor: str | None) -> int:
        """The place of a predictor; the first if none is named."""
        return self.predictors.index(
            check_choice(predictor or self.predictors[0], "predictor", self.predictors)
        )

    def _at(self, method: str, predictor: str | None, budget: int, where: str) -> Floats:
        if budget not in self.budgets:
            raise InputError("budget", f"must be one of {list(self.budgets)}", repr(budget))
        return np.asarray(self._way(method, predictor, where)[self.budgets.index(budget)])

    def _there(self, method: str) -> Array:
        """Which splits a method has."""
        return np.asarray(np.isfinite(self.seconds[self._row(method)]).all(axis=0))

    def _ranks(self, method: str, predictor: str | None, among: Sequence[str], where: str) -> Floats:
        """(budgets,), on the splits that the method has."""
        there = self._there(method)
        own = self._way(method, predictor, where)[:, there].mean(axis=1)
        rest = [self._way(name, predictor, where)[:, there].mean(axis=1) for name in among if name != method]
        others = np.array(rest).reshape(-1, len(own))
        return np.asarray(1 + (others < own).sum(axis=0) + 0.5 * (others == own).sum(axis=0))

    def _floor(self, where: str, splits: int) -> float:
        """Half a wrong label in all splits, below which nothing could be seen."""
        if self.task == "regression":
            return TINY
        count = self.n_held_out if where == "held_out" else self.n_pool - self.budgets[-1]
        return 0.5 / (max(splits, 1) * count)


def gathered(
    rows: list[Row], methods: Sequence[str], predictors: Sequence[str], budgets: Sequence[int], measure: str
) -> Floats:
    """(methods, predictors, budgets, splits) from rows."""
    held = series(rows, ("predictor", "n_landmarks"), measure).held
    return np.array(
        [[[held[by, budget][name] for budget in budgets] for by in predictors] for name in methods]
    )
