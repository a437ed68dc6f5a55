"""The demonstration of the authors' toolbox: the two angles of an open torus, beside what it recorded.

Selection, least squares and Spec are all on LTSA with K = 8 and d = 2. The toolbox's record does not say how
many samples it drew; we take 500, where random landmarks have the errors that it recorded for them.
"""

from itertools import product
from time import perf_counter

from trigpoint import alignment, datasets, graph
from trigpoint.experiments._paper_methods import METHODS, Method, Pool, picks_for
from trigpoint.experiments._regression import error, inferred
from trigpoint.experiments._settings import Preset
from trigpoint.trials import Row, Task, rng_for

NOISES = (0.0, 0.05)
N_NEIGHBORS, N_COMPONENTS = 8, 2
TOOLBOX = {  # our names to those of its record; its four-candidate variant is not among our methods
    "Random": "Random",
    "MaxMinGeo": "GD (farthest point, Euclidean)",
    "ApproxDPP": "DPP",
    "MinCond": "GC (MinCond)",
    "GCLS, two candidates": "HGC (GCLS, two candidates)",
}


def tasks(preset: Preset, trials: int, slow_trials: int | None, seed: int, folder: str | None) -> list[Task]:
    """A task a noise, trial and method."""
    slow = preset.torus_slow_trials if slow_trials is None else slow_trials
    return [
        Task(
            _name(noise, number, method),
            method.slug,
            {
                "n_samples": preset.torus_n,
                "budgets": preset.torus_budgets,
                "noise": noise,
                "number": number,
                "name": method.name,
                "seed": seed,
            },
        )
        for noise, number, method in product(NOISES, range(trials), METHODS.values())
        if not method.slow or number < slow
    ]


def name_of(row: Row) -> str:
    """The task that a row comes from."""
    return _name(row["noise"], row["trial"], METHODS[row["method"]])


def _name(noise: float, number: int, method: Method) -> str:
    return f"noise{noise:g}-{number:03d}-{method.slug}"


def trial(
    n_samples: int, budgets: tuple[int, ...], noise: float, number: int, name: str, seed: int
) -> list[Row]:
    """The errors of one method at all budgets on one torus."""
    held = datasets.make_torus(n_samples, noise=noise, random_state=rng_for(seed, "torus", number))
    nearest = graph.neighbor_graph(held.X, N_NEIGHBORS)
    pool = Pool(held.X, nearest, alignment.ltsa(nearest, held.X, N_COMPONENTS))
    start = perf_counter()
    picks = picks_for(METHODS[name], pool, budgets, rng_for(seed, "torus", number, name))
    seconds = perf_counter() - start
    return [
        {
            "noise": noise,
            "trial": number,
            "method": name,
            "n_landmarks": budget,
            "ls_error": error(inferred(pool.phi, landmarks, held.values), held.values, landmarks),
            "spec_error": error(
                inferred(pool.phi, landmarks, held.values, "spectral"), held.values, landmarks
            ),
            "seconds": seconds,
        }
        for budget, landmarks in picks.items()
    ]
