"""Literal GCLS beside random landmarks, the default and farthest point, and its tie rules beside each other.

    ./dev bench gcls_quality [--quick]

Error of least squares on the unlabeled rest, K = 10, Laplacian with self-tuning and with binary weights, at a
small and at a large budget; mean of 10 draws of 75 % of each pool. Relative error (%) for real targets, share
of wrong labels (%) for classes. Faces and YaleB need TRIGPOINT_DATA. --quick: the swiss roll, two draws.
"""

import os
import warnings
from pathlib import Path

import numpy as np
from _figures import Figure, main
from sklearn.datasets import load_digits, make_swiss_roll

import trigpoint as tp

DRAWS = 10
METHODS = {
    "random": {"method": "random"},
    "facility": {"method": "facility"},
    "farthest": {"method": "maxmin_geodesic"},
    "gcls": {"method": "gcls"},
    "gcls, ties by index": {"method": "gcls", "ties": "index"},
    "two candidates": {"method": "gcls", "strategy": "two_candidates"},
}


def pools():
    """Name, features, one-hot or real targets, whether they are classes, budgets."""
    X, angle = make_swiss_roll(1300, random_state=0)
    yield "swiss roll", X, np.column_stack([angle, X[:, 1]]), False, (20, 160)
    X, y = load_digits(return_X_y=True)
    yield "digits", X, np.eye(10)[y], True, (20, 200)
    folder = os.environ.get("TRIGPOINT_DATA")
    if not folder:
        return
    faces = np.load(Path(folder) / "isomap_faces.npz")
    yield "ISOMAP faces", faces["images"].reshape(698, -1).astype(float), faces["labels"], False, (20, 120)
    yaleb = np.load(Path(folder) / "extended_yaleb.npz")
    yield (
        "Extended YaleB",
        yaleb["randomface504_seed0"].astype(float),
        np.eye(38)[np.unique(yaleb["labels"], return_inverse=True)[1]],
        True,
        (76, 608),
    )


def error(phi, landmarks, targets, classes):
    rest = np.setdiff1d(np.arange(len(targets)), landmarks)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of components without a landmark: they count as wrong, or as 0
        values = np.nan_to_num(tp.propagate(phi, landmarks, targets[landmarks]))[rest]
    truth = targets[rest]
    if classes:
        return 100 * np.mean(values.argmax(axis=1) != truth.argmax(axis=1))
    return 100 * np.linalg.norm(values - truth) / np.linalg.norm(truth)


def errors_of(X, targets, classes, budgets, weights, draws):
    """(budgets, methods) means over the draws."""
    errors = np.zeros((len(budgets), len(METHODS), draws))
    for draw in range(draws):
        keep = np.random.default_rng(draw).permutation(len(X))[: 3 * len(X) // 4]
        graph = tp.neighbor_graph(X[keep], 10)
        phi = tp.laplacian(graph, weights=weights)
        for m, options in enumerate(METHODS.values()):
            for b, budget in enumerate(budgets):
                picks = tp.select(phi, budget, graph=graph, random_state=draw, **options)
                errors[b, m, draw] = error(phi, picks, targets[keep], classes)
    return errors.mean(axis=2)


def figures(quick):
    ratios = []
    for count, (name, X, targets, classes, budgets) in enumerate(pools()):
        if quick and count:
            break
        for weights in ("self_tuning", "binary"):
            means = errors_of(X, targets, classes, budgets, weights, 2 if quick else DRAWS)
            ratios.append(means / means[:, :1])
            for budget, row in zip(budgets, means, strict=True):
                for method, found in zip(METHODS, row, strict=True):
                    yield Figure(f"{name}, {weights}, {budget}, {method}: error", found, "%")
    for b, size in enumerate(("small", "large")):
        geometric = np.exp(np.log([r[b] for r in ratios]).mean(axis=0))
        for method, found in zip(METHODS, geometric, strict=True):
            yield Figure(f"{method} to random, {size} budgets", found, "", detail="geometric mean")


if __name__ == "__main__":
    main(figures, __doc__)
