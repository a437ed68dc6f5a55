"""Regression: key points, poses and lights inferred from a few labeled images.

A trial draws n samples from the pool, makes one graph of them, and selects landmarks on its Laplacian
and on LTSA with every method. Values of the rest come from least squares on the Laplacian and from
Spec on LTSA, as in the paper. The error is 100 |Z_est - Z| / |Z| over the unlabeled, in Frobenius norms.
Samples that no landmark reaches get the mean of the landmarks.
"""

import warnings
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from time import perf_counter

import numpy as np

from trigpoint import alignment, graph, propagation
from trigpoint._types import Floats, Ints, Sparse
from trigpoint.experiments._paper_methods import METHODS, Method, Pool, picks_for
from trigpoint.experiments._pools import features
from trigpoint.experiments._settings import CONDITIONS, Preset, RegressionSet
from trigpoint.trials import Row, Task, rng_for

LAPLACIAN, LTSA = "laplacian", "ltsa"


def tasks(preset: Preset, trials: int, slow_trials: int | None, seed: int, folder: str | None) -> list[Task]:
    """A task a data set, condition, trial and method; the slow methods come last."""
    found = []
    for known in preset.regression:
        if known.real and folder is None:
            continue
        for condition, number, method in product(CONDITIONS, range(trials), METHODS.values()):
            if method.slow and number >= (known.slow_trials if slow_trials is None else slow_trials):
                continue
            arguments = {
                "known": known,
                "condition": condition,
                "number": number,
                "name": method.name,
                "seed": seed,
                "folder": folder if known.real else None,
            }
            name = _name(known.name, condition, number, method)
            found.append(Task(name, f"{known.name}-{method.slug}", arguments))
    return sorted(found, key=lambda task: METHODS[task.arguments["name"]].slow)


def name_of(row: Row) -> str:
    """The task that a row comes from."""
    return _name(row["dataset"], row["condition"], row["trial"], METHODS[row["method"]])


def _name(dataset: str, condition: str, number: int, method: Method) -> str:
    return f"{dataset}-{condition}-{number:03d}-{method.slug}"


def trial(
    known: RegressionSet, condition: str, number: int, name: str, seed: int, folder: str | None
) -> list[Row]:
    """The errors of one method at all budgets on one draw."""
    case, method = prepared(known, condition, number, seed, folder), METHODS[name]
    rows = []
    for matrix in (LAPLACIAN, LTSA):
        if matrix == LTSA and (not method.uses_phi or (method.slow and not known.slow_ltsa)):
            continue
        start = perf_counter()
        pool = Pool(case.X, case.graph, case.phi[matrix])
        picks = picks_for(method, pool, known.budgets, rng_for(seed, known.name, number, name))
        seconds = perf_counter() - start
        rows += [
            {
                "dataset": known.name,
                "condition": condition,
                "trial": number,
                "selected_on": matrix,
                "method": name,
                "n_landmarks": budget,
                **errors(case, landmarks),
                "seconds": seconds,
            }
            for budget, landmarks in picks.items()
        ]
    return rows


@dataclass(frozen=True, eq=False)
class Case:
    """One draw of a trial, ready to select on."""

    keep: Ints  # which samples of the pool
    X: Floats
    Z: Floats
    graph: graph.NeighborGraph
    phi: dict[str, Sparse]


@lru_cache(maxsize=2)
def prepared(known: RegressionSet, condition: str, number: int, seed: int, folder: str | None) -> Case:
    """The draw of a trial with its graph, Laplacian and LTSA matrix."""
    pool = features(known, condition, folder)
    keep = drawn(known, len(pool.X), number, seed)
    X, Z = pool.X[keep], pool.values[keep]
    nearest = graph.neighbor_graph(X, known.n_neighbors)
    phi = {
        LAPLACIAN: alignment.laplacian(nearest, perplexity=None),
        LTSA: alignment.ltsa(nearest, X, Z.shape[1]),
    }
    return Case(keep, X, Z, nearest, phi)


def drawn(known: RegressionSet, n_pool: int, number: int, seed: int) -> Ints:
    """The samples of a trial: the same for clean and noisy, so that these can be compared."""
    order = rng_for(seed, known.name, number).permutation(n_pool)[: known.n_samples]
    return np.sort(order).astype(np.int64)


def errors(case: Case, landmarks: Ints) -> dict[str, float]:
    """Of LS on the Laplacian, of Spec on LTSA, and of no inference at all: the mean of the landmarks."""
    mean = np.broadcast_to(case.Z[landmarks].mean(axis=0), case.Z.shape)
    return {
        "ls_error": error(inferred(case.phi[LAPLACIAN], landmarks, case.Z), case.Z, landmarks),
        "spec_error": error(inferred(case.phi[LTSA], landmarks, case.Z, "spectral"), case.Z, landmarks),
        "mean_error": error(mean, case.Z, landmarks),
    }


def inferred(phi: Sparse, landmarks: Ints, Z: Floats, method: str = "least_squares") -> Floats:
    """Values of all samples from those of the landmarks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of components without a landmark
        found = propagation.propagate(phi, landmarks, Z[landmarks], method=method)
    return np.where(np.isfinite(found), found, Z[landmarks].mean(axis=0))


def error(found: Floats, Z: Floats, landmarks: Ints) -> float:
    """Relative, in percent, over the unlabeled samples."""
    rest = np.delete(np.arange(len(Z)), landmarks)
    return float(100 * np.linalg.norm(found[rest] - Z[rest]) / np.linalg.norm(Z[rest]))
