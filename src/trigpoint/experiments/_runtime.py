"""Seconds of selection: against l on one pool, and against n at one l.

Times are taken one after the other, on one thread, the least of three after one that compiles
(slow methods once). They are seconds of the processor, so that other work on the machine counts little.
Building the graph and its Laplacian is not counted.
"""

from time import process_time

import numpy as np

from trigpoint import alignment, graph
from trigpoint.experiments._paper_methods import METHODS, Method, Pool, picks_for
from trigpoint.experiments._pools import features
from trigpoint.experiments._settings import Preset, RegressionSet
from trigpoint.trials import Row, Task, rng_for

REPEATS = 3


def tasks(preset: Preset, trials: int, slow_trials: int | None, seed: int, folder: str | None) -> list[Task]:
    """A task a trial, pool size and method."""
    sizes: dict[int, tuple[int, ...]] = dict.fromkeys(preset.runtime_sizes, (preset.runtime_l,))
    sizes[preset.runtime_n] = tuple(sorted({preset.runtime_l, *preset.runtime_budgets}))
    faces = preset.regression[0]
    known = RegressionSet(
        faces.name, faces.title, faces.paper, max(sizes), max(sizes), faces.n_features, faces.n_neighbors, ()
    )
    slow = trials if slow_trials is None else slow_trials
    return [
        Task(
            _name(n, number, method),
            f"n{n}-{method.slug}",
            {"known": known, "n": n, "budgets": budgets, "name": method.name, "number": number, "seed": seed},
        )
        for number in range(trials)
        for n, budgets in sorted(sizes.items())
        for method in METHODS.values()
        if not method.slow or (n <= preset.runtime_slow_n and number < slow)
    ]


def name_of(row: Row) -> str:
    """The task that a row comes from."""
    return _name(row["n"], row["trial"], METHODS[row["method"]])


def _name(n: int, number: int, method: Method) -> str:
    return f"n{n}-{number:03d}-{method.slug}"


def trial(
    known: RegressionSet, n: int, budgets: tuple[int, ...], name: str, number: int, seed: int
) -> list[Row]:
    """Seconds of one method at each budget, alone."""
    X = features(known, "clean", None).X
    X = X[rng_for(seed, known.name, n, number).permutation(len(X))[:n]]
    nearest = graph.neighbor_graph(X, known.n_neighbors)
    pool, method = Pool(X, nearest, alignment.laplacian(nearest, perplexity=None)), METHODS[name]
    rows = []
    repeats = 1 if method.slow else REPEATS
    if not method.slow:
        picks_for(method, pool, budgets[:1], rng_for(seed))  # compiles
    for budget in budgets:
        seconds = min(
            _once(method, pool, budget, rng_for(seed, known.name, number, name)) for _ in range(repeats)
        )
        rows.append(
            {
                "trial": number,
                "method": name,
                "n": n,
                "n_landmarks": budget,
                "seconds": seconds,
            }
        )
    return rows


def _once(method: Method, pool: Pool, budget: int, rng: np.random.Generator) -> float:
    start = process_time()
    picks_for(method, pool, [budget], rng)
    return process_time() - start
