"""Classification: people recognized from a dictionary that was learned on a few labeled images.

A trial draws its own random projection of the images, makes one graph of all, and labels samples in
the order that a method selects them, until every class has l labels. LC-KSVD with a support vector
machine on its codes learns from the first l of each class and is tested on the samples that were never
labeled, as in the paper. Methods differ in how many labels they spend before every class has enough,
and where nearly all are spent few are left to test on: so the accuracy on all samples that were not
trained on is given too.
"""

from functools import lru_cache
from itertools import product
from time import perf_counter

import numpy as np

from trigpoint import alignment, datasets, graph
from trigpoint._types import Array, Floats, Ints
from trigpoint.dictionary import LCKSVDClassifier
from trigpoint.experiments._paper_methods import METHODS, Method, Pool, chosen, starts_of
from trigpoint.experiments._settings import ClassificationSet, Preset
from trigpoint.trials import Row, Task, rng_for

LOADERS = {"ar": datasets.load_ar_faces, "yaleb": datasets.load_extended_yaleb}
N_NEIGHBORS = 30
MORE = 0.1  # of the pool, asked for at a time by methods that are not nested


def check_data(preset: Preset, folder: str) -> None:
    """Refuse a folder that lacks the data."""
    for known in preset.classification:
        LOADERS[known.name](folder)


def tasks(preset: Preset, trials: int, slow_trials: int | None, seed: int, folder: str | None) -> list[Task]:
    """A task a trial, data set and method. Slow methods only where asked for: they take hours a trial."""
    return [
        Task(
            _name(known.name, number, method),
            f"{known.name}-{method.slug}",
            {
                "known": known,
                "name": method.name,
                "number": number,
                "sparsity": preset.sparsity,
                "iterations": preset.dictionary_iterations,
                "seed": seed,
                "folder": folder,
            },
        )
        for number, known, method in product(range(trials), preset.classification, METHODS.values())
        if not method.slow or number < (slow_trials or 0)
    ]


def name_of(row: Row) -> str:
    """The task that a row comes from."""
    return _name(row["dataset"], row["trial"], METHODS[row["method"]])


def _name(dataset: str, number: int, method: Method) -> str:
    return f"{dataset}-{number:03d}-{method.slug}"


def trial(
    known: ClassificationSet,
    name: str,
    number: int,
    sparsity: int,
    iterations: int,
    seed: int,
    folder: str,
) -> list[Row]:
    """Accuracies of one method at every number of labels a class, on one projection."""
    pool, y = prepared(known, number, seed, folder)
    X, method, rows = pool.X, METHODS[name], []
    order, selecting = np.empty(0, dtype=np.int64), 0.0
    for count in known.labels_per_class:
        if not (method.nested and len(order)):
            start = perf_counter()
            enough = max(known.labels_per_class) if method.nested else count
            order = labeling_order(method, pool, y, enough, rng_for(seed, known.name, number, name))
            selecting = perf_counter() - start
        train, spent = first_of_each_class(order, y, count)
        start = perf_counter()
        model = LCKSVDClassifier(
            known.atoms_per_class * len(np.unique(y)),
            sparsity=sparsity,
            n_iterations=iterations,
            random_state=int(rng_for(seed, known.name, number, count).integers(2**31)),
        ).fit(X[train], y[train])
        untrained = np.delete(np.arange(len(y)), train)
        right = np.zeros(len(y), dtype=bool)
        right[untrained] = model.predict(X[untrained]) == y[untrained]
        unlabeled = np.delete(np.arange(len(y)), order[:spent])
        rows.append(
            {
                "dataset": known.name,
                "trial": number,
                "method": name,
                "labels_per_class": count,
                "labels_spent": spent,
                "n_unlabeled": len(unlabeled),
                "accuracy": share(right[unlabeled]),
                "accuracy_untrained": share(right[untrained]),
                "select_seconds": selecting,
                "train_seconds": perf_counter() - start,
            }
        )
    return rows


def share(right: Array) -> float:
    """In percent; NaN of nothing."""
    return float(100 * right.mean()) if len(right) else float("nan")


@lru_cache(maxsize=1)  # the methods of a trial follow each other
def prepared(known: ClassificationSet, number: int, seed: int, folder: str) -> tuple[Pool, Ints]:
    """The features of a trial with their graph and Laplacian, and the classes."""
    X, y = projected(known, number, seed, folder)
    nearest = graph.neighbor_graph(X, N_NEIGHBORS)
    return Pool(X, nearest, alignment.laplacian(nearest, perplexity=None)), y


def projected(known: ClassificationSet, number: int, seed: int, folder: str) -> tuple[Floats, Ints]:
    """The features of a trial, and the classes."""
    held = LOADERS[known.name](folder)
    keep = np.flatnonzero(np.isin(held.labels, np.unique(held.labels)[: known.people]))
    rng = rng_for(seed, known.name, number)
    return datasets.random_faces(held.images[keep], known.n_features, random_state=rng), held.labels[keep]


def labeling_order(known: Method, pool: Pool, y: Ints, enough: int, rng: np.random.Generator) -> Ints:
    """Samples in the order of labeling, at least until every class has enough."""
    n = len(y)
    order, seed = starts_of(known, n, rng), int(rng.integers(2**31))
    if known.nested:
        return chosen(known, pool, n - len(order), order, seed)
    order = chosen(known, pool, enough * len(np.unique(y)) - len(order), order, seed)
    while len(order) < n and first_of_each_class(order, y, enough)[1] is None:
        order = chosen(known, pool, min(int(MORE * n), n - len(order)), order, seed)
    return order


def first_of_each_class(order: Ints, y: Ints, count: int) -> tuple[Ints, int | None]:
    """The first ``count`` samples of each class, and how many labels that took; None: more than these."""
    firsts = [order[y[order] == label][:count] for label in np.unique(y)]
    if min(len(first) for first in firsts) < count:
        return np.concatenate(firsts), None
    place = np.empty(len(y), dtype=np.int64)
    place[order] = np.arange(len(order))
    train = np.concatenate(firsts)
    return train, int(place[train].max()) + 1
