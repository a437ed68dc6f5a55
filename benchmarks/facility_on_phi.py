"""Does the default selector choose well on every alignment matrix?

Landmarks of `facility` on phi itself, of `facility` on the graph's Laplacian, and random ones (mean of 10
draws): the error of least squares on the rest, on that phi. TRIGPOINT_DATA names the folder of the ISOMAP
faces, which are left out without it. Run: ./dev bench facility_on_phi [--quick]
"""

import os
import warnings
from collections.abc import Iterator

import numpy as np
from _figures import Figure, main
from sklearn.datasets import load_digits

import trigpoint as tp
from trigpoint.datasets import load_isomap_faces, make_swiss_roll

K, BUDGETS, DRAWS = 10, (20, 50, 100), 10


def pools() -> Iterator[tuple[str, np.ndarray, np.ndarray, bool, int]]:
    """Name, X, targets, whether these are one-hot classes, dimension."""
    digits = load_digits()
    yield "digits", digits.data, np.eye(10)[digits.target], True, 6
    roll = make_swiss_roll(1000, random_state=0)
    yield "swiss roll", roll.X, roll.values, False, 2
    folder = os.environ.get("TRIGPOINT_DATA")
    if folder:
        faces = load_isomap_faces(folder)
        yield "ISOMAP faces", faces.images.reshape(len(faces.images), -1), faces.values, False, 3


def error(phi, landmarks, targets, classes):
    values = tp.propagate(phi, landmarks, targets[landmarks])
    rest = np.setdiff1d(np.arange(len(targets)), landmarks)
    if classes:
        return float((np.nan_to_num(values[rest]).argmax(axis=1) != targets[rest].argmax(axis=1)).mean())
    found = np.where(np.isnan(values), targets[landmarks].mean(axis=0), values)
    return float(np.sqrt((((found - targets)[rest] / targets.std(axis=0)) ** 2).mean()))


def measured(quick):
    for count, (name, X, targets, classes, d) in enumerate(pools()):
        if quick and count != 1:
            continue
        graph = tp.neighbor_graph(X, K)
        plain = tp.laplacian(graph)
        matrices = {
            "laplacian": plain,
            "diffusion": tp.diffusion(graph),
            "lle": tp.lle(graph, X),
            f"ltsa, d = {d}": tp.ltsa(graph, X, d),
        }
        for matrix, phi in matrices.items():
            for budget in BUDGETS[:1] if quick else BUDGETS:
                random = [tp.select(phi, budget, method="random", random_state=seed) for seed in range(DRAWS)]
                sets = ([*random], [tp.select(phi, budget)], [tp.select(plain, budget)])
                errors = [100 * np.mean([error(phi, one, targets, classes) for one in some]) for some in sets]
                title = f"{name}, {matrix}, {budget}: error"
                yield Figure(title, errors[1], "%", "random", errors[0])
                yield Figure(f"{title}, chosen on the Laplacian", errors[2], "%")


def figures(quick):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield from measured(quick)


if __name__ == "__main__":
    main(figures, __doc__)
