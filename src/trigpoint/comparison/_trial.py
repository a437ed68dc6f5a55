"""One method on one split: landmarks, predictions of all predictors, errors. The error is

    classes   the share of samples whose largest value is not that of their class
    reals     sqrt(mean |z_est - z|^2), z scaled so that the mean of all has error 1

on the rest, the samples of the pool that are no landmarks, and on those held out. Where a predictor knows
nothing, a class is wrong, and a value is the landmarks' mean.

Seconds are of choosing alone, and of the processor: what else the machine does is not counted. "auto" makes a
graph of its own, which they include; all others are given that of the split.
"""

from functools import lru_cache
from time import process_time

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.alignment import laplacian
from trigpoint.comparison._contestants import Method, chosen
from trigpoint.comparison._labeled import Labeled
from trigpoint.comparison._loop import labels_of
from trigpoint.comparison._predictors import Predictor, predicted
from trigpoint.comparison._split import Setting, Split, split
from trigpoint.graph import neighbor_graph
from trigpoint.trials import Row, rng_for


def trial(
    known: Labeled,
    setting: Setting,
    method: Method,
    predictors: tuple[Predictor, ...],
    budgets: tuple[int, ...],
    number: int,
) -> list[Row]:
    """The errors of one method at all budgets on one split, and the seconds that choosing took."""
    drawn = split(known, setting, number)
    labels = labels_of(known.targets[drawn.keep], known.classes)
    seed = int(rng_for(setting.seed, "method", number, method.name).integers(2**31))
    if method.own is None:
        _compile(method.method)
    rows = []
    for budget, picks, seconds in _picks(method, drawn, labels, budgets, seed):
        for predictor in predictors:
            rest, held = errors(known, drawn, picks, predictor)
            rows.append(
                {
                    "trial": number,
                    "method": method.name,
                    "predictor": predictor.name,
                    "n_landmarks": budget,
                    "rest": rest,
                    "held_out": held,
                    "seconds": seconds,
                }
            )
    return rows


def _picks(
    method: Method, drawn: Split, labels: Array, budgets: tuple[int, ...], seed: int
) -> list[tuple[int, Ints, float]]:
    """Budget, landmarks, seconds; nested methods are asked once, and all budgets have its seconds."""
    found, nested = [], method.nested(budgets[-1])
    for count in budgets[-1:] if nested else budgets:
        start = process_time()
        picks = chosen(method, drawn, count, seed, labels)
        found.append((count, picks, process_time() - start))
    if not nested:
        return found
    ((_, picks, seconds),) = found
    return [(budget, picks[:budget], seconds) for budget in budgets]


@lru_cache
def _compile(method: str) -> None:
    """A first call on almost nothing, so that loading and compiling are not timed."""
    X = np.random.default_rng(0).standard_normal((12, 3))
    graph = neighbor_graph(X, 4)
    made = Setting(0.25, 4, "euclidean", 0)
    tiny = Split(np.arange(12), np.empty(0, dtype=np.int64), X, graph, laplacian(graph), made)
    chosen(Method(method, method), tiny, 2, 0, np.arange(12) % 2)


def errors(known: Labeled, drawn: Split, landmarks: Ints, predictor: Predictor) -> tuple[float, float]:
    """On the rest of the pool and on the samples held out."""
    pool, held = predicted(predictor, known, drawn, landmarks)
    truth = known.targets[drawn.keep]
    rest = np.delete(np.arange(len(truth)), landmarks)
    mean = truth[landmarks].mean(axis=0)
    score = _wrong if known.classes else _distance
    return score(pool[rest], truth[rest], mean), score(held, known.targets[drawn.held], mean)


def _wrong(numbers: Array, truth: Floats, mean: Floats) -> float:
    return float((numbers != truth.argmax(axis=1)).mean())


def _distance(values: Floats, truth: Floats, mean: Floats) -> float:
    found = np.where(np.isnan(values), mean, values)
    return float(np.sqrt(((found - truth) ** 2).sum(axis=1).mean()))
