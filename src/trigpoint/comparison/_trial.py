"""One method on one split: landmarks, least squares, errors.

Values of the pool are propagated from the landmarks by hard least squares on the Laplacian. The error is

    classes   the share of samples whose largest value is not that of their class
    reals     sqrt(mean |z_est - z|^2), z scaled so that the mean of all has error 1

on the rest, the samples of the pool that are no landmarks, and on those held out. Where no landmark reaches,
a class is wrong, and a value is the landmarks' mean.

Seconds are of choosing alone, and of the processor: what else the machine does is not counted.
"""

import warnings
from functools import lru_cache
from time import process_time

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.alignment import laplacian
from trigpoint.comparison._contestants import Method, chosen
from trigpoint.comparison._labeled import Labeled
from trigpoint.comparison._loop import labels_of
from trigpoint.comparison._split import Setting, Split, held_out_values, split
from trigpoint.graph import neighbor_graph
from trigpoint.propagation import classify, propagate
from trigpoint.trials import Row, rng_for


def trial(
    known: Labeled, setting: Setting, method: Method, budgets: tuple[int, ...], number: int
) -> list[Row]:
    """The errors of one method at all budgets on one split, and the seconds that choosing took."""
    drawn = split(known, setting, number)
    labels = labels_of(known.targets[drawn.keep], known.classes)
    seed = int(rng_for(setting.seed, "method", number, method.name).integers(2**31))
    if method.own is None:
        _compile(method.method)
    rows = []
    for budget, picks, seconds in _picks(method, drawn, labels, budgets, seed):
        rest, held = errors(known, drawn, picks)
        rows.append(
            {
                "trial": number,
                "method": method.name,
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
        picks = chosen(method, drawn.X, drawn.graph, drawn.phi, count, seed, labels)
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
    chosen(Method(method, method), X, graph, laplacian(graph), 2, 0, np.arange(12) % 2)


def errors(known: Labeled, drawn: Split, landmarks: Ints) -> tuple[float, float]:
    """On the rest of the pool and on the samples held out."""
    truth = known.targets[drawn.keep]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of components without a landmark
        values = propagate(drawn.phi, landmarks, truth[landmarks])
    rest = np.delete(np.arange(len(truth)), landmarks)
    mean = truth[landmarks].mean(axis=0)
    held = held_out_values(known, drawn, values)
    score = _wrong if known.classes else _distance
    return score(values[rest], truth[rest], mean), score(held, known.targets[drawn.held], mean)


def _wrong(values: Floats, truth: Floats, mean: Floats) -> float:
    return float((classify(values).numbers != truth.argmax(axis=1)).mean())


def _distance(values: Floats, truth: Floats, mean: Floats) -> float:
    found = np.where(np.isnan(values), mean, values)
    return float(np.sqrt(((found - truth) ** 2).sum(axis=1).mean()))
