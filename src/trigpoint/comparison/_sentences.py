"""What a comparison says: which way is best, whether choosing beats random, what labels in the loop bring.

Our default is "auto" labels with the "auto" predictor. Where it is best, it is held against the best way
whose predictor is not ours; where another way is best, the sentence says so.
"""

from typing import TYPE_CHECKING

import numpy as np

from trigpoint.comparison._contestants import AUTO, RANDOM
from trigpoint.trials import Ratio

if TYPE_CHECKING:
    from trigpoint.comparison._comparison import Comparison

OURS = (AUTO, AUTO)
OUR_PREDICTORS = ("auto", "propagation")
TOGETHER = " over all budgets together"
PREDICTORS = {
    "auto": "our predictor",
    "propagation": "plain propagation",
    "logistic": "logistic regression",
    "ridge": "ridge regression",
    "svm": "an SVM",
    "1-nn": "the nearest neighbor",
}


def in_words(found: "Comparison") -> str:
    """All answers, one sentence each."""
    beside = found.winner()
    if len(found.predictors) > 1:
        beside = f"With {_predictor(found.predictors[0])}: {beside}"
    return " ".join(filter(None, [found.answer(), beside, found.loop()]))


def best_in_words(found: "Comparison", where: str) -> str:
    if len(found.predictors) == 1:
        return ""
    best, *others = found.ways(where=where)
    least = f"On this pool, {way_in_words(*best)} have the least error"
    if OURS in others:
        return f"{least}, not our default: {_beside(found, best, OURS, where)}."
    instead = [way for way in others if way[1] not in OUR_PREDICTORS]
    return f"{least}: {_beside(found, best, (instead or others)[0], where)}."


def _beside(found: "Comparison", way: tuple[str, str], other: tuple[str, str], where: str) -> str:
    (method, predictor), (to, to_predictor) = way, other
    times = found.overall(method, predictor=predictor, to=to, to_predictor=to_predictor, where=where)
    sure = times.high < 1 or times.low > 1
    said = f"{times.value:.2f} times that of {way_in_words(*other)}{_interval(times)}"
    return said if sure else f"{said}, which is no significant difference"


def way_in_words(method: str, predictor: str) -> str:
    """
    >>> way_in_words("kmeans", "logistic")
    'kmeans labels with logistic regression'
    """
    return f"{method} labels with {_predictor(predictor)}"


def _predictor(name: str) -> str:
    return PREDICTORS.get(name, name)


def winner_in_words(found: "Comparison", predictor: str | None, where: str) -> str:
    name = found.best(predictor=predictor, where=where)
    if name == RANDOM:
        return f"Only random was compared{' of those that see no label' if found.asks else ''}."
    others = {
        other: found.overall(other, predictor=predictor, where=where)
        for other in found.one_shot
        if other != RANDOM
    }
    best = others[name]
    won = [
        budget
        for budget in found.budgets
        if (gap := found.difference(name, budget, predictor=predictor, where=where)).mean + gap.ci95 < 0
    ]
    if len(won) == len(found.budgets):
        return f"{name} beats random at every budget: {_size(best)}."
    if best.high < 1:
        part = f", significantly at {len(won)} of {len(found.budgets)} budgets" if won else TOGETHER
        return f"{name} beats random{part}: {_size(best)}."
    sure = [other for other in others if others[other].high < 1]
    if sure:
        second = min(sure, key=lambda other: others[other].value)
        return (
            f"{second} beats random{TOGETHER}: {_size(others[second])}; "
            f"{name} has a lower error, but does not beat random significantly: {_size(best)}."
        )
    surely = "" if best.low > 1 else " significantly"
    return f"No method beats random{surely}; the best is {name}: {_size(best)}."


def loop_in_words(found: "Comparison", predictor: str | None, where: str) -> str:
    if not found.asks:
        return ""
    best = found.best(predictor=predictor, where=where)
    beside = {name: found.overall(name, predictor=predictor, to=best, where=where) for name in found.asks}
    name = min(beside, key=lambda name: beside[name].value)
    times = beside[name]
    size = f"{name} has {times.value:.2f} times the error of {best}{_interval(times)}"
    if best == RANDOM:
        size += ", including the gain from coverage alone"
    if times.high < 1:
        return f"Labels in the loop help: {size}."
    if times.low > 1:
        return f"Labels in the loop do harm: {size}."
    return f"Labels in the loop make no significant difference: {size}."


def _size(found: Ratio) -> str:
    return f"error {found.value:.2f} times as large{_interval(found)}"


def _interval(found: Ratio) -> str:
    if np.isnan(found.low):
        return " (one split, no interval)"
    return f" (95 %: {found.low:.2f}–{found.high:.2f})"
