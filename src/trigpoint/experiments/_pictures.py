"""What the errors look like: samples of the first trial without a label, true and estimated key points.

Key points are values in pairs x, y. The real and the rendered faces have poses instead, and get the relative
error of each picture in words. Patches of the grid are put back into their whole pictures.
"""

import numpy as np

from trigpoint import datasets
from trigpoint._types import Floats, Ints
from trigpoint.experiments._claims import OURS
from trigpoint.experiments._paper_methods import METHODS, Pool, picks_for
from trigpoint.experiments._pools import pictures
from trigpoint.experiments._regression import LAPLACIAN, Case, error, inferred, prepared
from trigpoint.experiments._settings import Preset, RegressionSet
from trigpoint.plots import Strip
from trigpoint.trials import rng_for

SHOWN = ("GCLS", OURS)
COLUMNS = 8


def sheets(preset: Preset, seed: int, folder: str | None) -> dict[str, list[Strip]]:
    """One sheet per data set, by file name; one row per method, at the smallest budget, by least squares."""
    found = {}
    for known in preset.regression:
        if known.real and folder is None:
            continue
        place = folder if known.real else None
        case = prepared(known, "clean", 0, seed, place)
        landmarks = {name: _landmarks(known, case, name, seed) for name in SHOWN}
        rest = np.setdiff1d(np.arange(len(case.Z)), np.concatenate(list(landmarks.values())))
        held = pictures(known, place)
        found[f"{known.name}_pictures.png"] = [
            _strip(known, held, case, name, landmarks[name], rest) for name in SHOWN
        ]
    return found


def _landmarks(known: RegressionSet, case: Case, name: str, seed: int) -> Ints:
    budget = min(known.budgets)
    pool = Pool(case.X, case.graph, case.phi[LAPLACIAN])
    return picks_for(METHODS[name], pool, [budget], rng_for(seed, known.name, 0, name))[budget]


def _strip(
    known: RegressionSet, held: datasets.Pictures, case: Case, name: str, landmarks: Ints, rest: Ints
) -> Strip:
    """Some of ``rest``, the samples that no method labeled."""
    found = inferred(case.phi[LAPLACIAN], landmarks, case.Z)
    total = error(found, case.Z, landmarks)
    title = f"{known.title}: {name}, {len(landmarks)} of {len(case.Z)} labeled, error {total:.1f} %"
    if isinstance(held, datasets.DeformedGrid):
        return _scenes(title, held, case, found, rest)
    some = rest[np.linspace(0, len(rest) - 1, min(COLUMNS, len(rest))).astype(int)]
    images = held.images[case.keep[some]]
    if case.Z.shape[1] % 2:
        off = 100 * np.linalg.norm(found[some] - case.Z[some], axis=1) / np.linalg.norm(case.Z[some], axis=1)
        return Strip(title, images, [f"{one:.0f} %" for one in off])
    return Strip(title, images, None, _points(case.Z[some]), _points(found[some]))


def _points(values: Floats) -> Floats:
    return values.reshape(len(values), -1, 2)


def _scenes(title: str, held: datasets.DeformedGrid, case: Case, found: Floats, rest: Ints) -> Strip:
    """Whole pictures, those with most patches among the unlabeled; NaN hides the other key points."""
    scene, corner = held.image[case.keep], held.corner[case.keep]
    counts = np.bincount(scene[rest], minlength=len(held.scenes))
    best = np.sort(np.argsort(-counts, kind="stable")[: COLUMNS - 2])
    shape = (len(best), counts.max(), 4, 2)
    truth, guess = np.full(shape, np.nan), np.full(shape, np.nan)
    for row, number in enumerate(best):
        patches = rest[scene[rest] == number]
        shift = corner[patches][:, None, ::-1]  # row, column -> x, y
        truth[row, : len(patches)] = _points(case.Z[patches]) + shift
        guess[row, : len(patches)] = _points(found[patches]) + shift
    flat = (len(best), -1, 2)
    return Strip(title, held.scenes[best], None, truth.reshape(flat), guess.reshape(flat))
