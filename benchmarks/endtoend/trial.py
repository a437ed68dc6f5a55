"""One way on one split: a row for each budget.

held_out   share of the samples held out whose class is wrong
rest       the same of the pool's samples without a label, where the way tells
ece        expected calibration error on the samples held out: the mean over samples of |confidence - share
           that is right| in ten equal bins of the largest probability
seconds    of the processor: from features to classes, but for choosing where the labels are those of ours
failed     why there is no error, where a peer raised one
"""

import warnings
from time import process_time

import numpy as np
from pools import WHOLE, split
from ways import OURS, PREDICTORS, kmeans_centers, loop, manifold, one_shot

from trigpoint.trials import rng_for

BINS = 10


def trial(pool, number, way, folder, most, seed, landmarks=None):
    """``landmarks`` by budget, for ways that take those of ours."""
    data = split(pool, number, folder, most, seed)
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of convergence, of samples that no label reaches
        for budget, labeled, found, seconds, failed in found_by(way, pool, number, data, seed, landmarks):
            row = {"pool": pool, "trial": number, "method": way, "budget": budget, "n": data.n}
            row |= {"judged": len(data.y_held), "classes": int(data.y.max()) + 1}
            row |= {"held_out": None, "rest": None, "ece": None, "seconds": seconds, "failed": failed}
            if found is not None:
                row |= errors(data, labeled, found)
            rows.append(row | ({"landmarks": labeled.tolist()} if way == "ours" else {}))
    return rows


def found_by(way, pool, number, data, seed, landmarks):
    """Budget, labeled samples, what was predicted, seconds, and why nothing was."""
    if way == "loop":
        start = process_time()
        spent = 0.0  # on predicting, which the next budget does not need
        for budget, labeled, known in loop(data):
            asked = process_time()
            found = manifold(data, labeled)
            end = process_time()
            yield budget, labeled, replaced(found, known), end - start - spent, ""
            spent += end - asked
        return
    for budget in data.budgets:
        start = process_time()
        if way == "ours":
            labeled = one_shot(data, budget)
        elif way == "random":
            labeled = rng_for(seed, "random", pool, number).permutation(data.n)[:budget]
        elif way == "kmeans":
            labeled = kmeans_centers(data, budget, int(rng_for(seed, way, pool, number).integers(2**31)))
        else:
            labeled = np.array(landmarks[budget])
        predictor = manifold if way in OURS else PREDICTORS["logistic" if way == "kmeans" else way]
        try:
            found, failed = predictor(data, labeled), ""
        except Exception as error:
            if way in OURS:
                raise
            found, failed = None, f"{type(error).__name__}: {error}"
        yield budget, labeled, found, process_time() - start, failed


def replaced(found, known):
    """What the learner itself says of the pool."""
    return type(found)(found.held, known, found.probabilities, found.classes)


def errors(data, labeled, found):
    row = {}
    if len(data.y_held):
        row["held_out"] = float(np.mean(found.held != data.y_held))
    if found.pool is not None:
        rest = np.delete(np.arange(data.n), labeled)
        row["rest"] = float(np.mean(found.pool[rest] != data.y[rest]))
    if found.probabilities is not None:
        row["ece"] = calibration_error(found.probabilities, found.classes, data.y_held)
    return row


def calibration_error(probabilities, classes, truth):
    """Unknown classes have no confidence and are wrong."""
    known = np.nan_to_num(probabilities, nan=0.0)
    confidence = known.max(axis=1)
    right = (classes[known.argmax(axis=1)] == truth) & (confidence > 0)
    bins = np.clip(np.ceil(confidence * BINS).astype(int) - 1, 0, BINS - 1)
    gaps = np.bincount(bins, confidence - right, BINS)
    return float(np.abs(gaps).sum() / len(truth))


def task_name(pool, number, way, mark=""):
    spelled = number if number == WHOLE else f"{number:03d}"
    return "-".join([pool, spelled, way, *([mark] if mark else [])])
