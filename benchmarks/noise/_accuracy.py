"""One cell of learning through noise: errors on a pool of which 200 random labels are known, some wrong.

auto       `predict_classes(..., noise="auto")`
today      the same with noise=0, which takes each label to be right
logistic   logistic regression on standardized features
"""

import warnings
from time import process_time

import numpy as np
from _pools import KINDS, drawn
from sklearn.linear_model import LogisticRegression

from trigpoint.prediction import predict_classes
from trigpoint.trials import rng_for

LABELS = 200
SHARES = (0.1, 0.2, 0.3)
CELLS = [(share, kind) for share in SHARES for kind in KINDS] + [(0.0, "uniform")]
WAYS = ("auto", "today", "logistic")


def trial(pool, number, share, kind, folder, most, seed):
    data = drawn(pool, number, folder, most, seed)
    n = len(data.y)
    rng = rng_for(seed, "accuracy", pool, number, share, kind)
    samples = np.sort(rng.permutation(n)[: min(LABELS, n // 2)])
    rest = np.setdiff1d(np.arange(n), samples)
    given, wrong = data.corrupted(samples, share, kind, rng)
    row = {"pool": pool, "trial": number, "share": share, "kind": kind, "n": n, "classes": data.n_classes}
    row |= {"labels": len(samples), "wrong": int(wrong.sum()), "judged": len(rest)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for way, noise in (("today", 0), ("auto", "auto")):
            start = process_time()
            found = predict_classes(data.viewed, samples, given, data.n_classes, noise=noise)
            row[f"{way}_seconds"] = process_time() - start
            row[way] = float(np.mean(found.probabilities[rest].argmax(axis=1) != data.y[rest]))
        row["believed"] = found.believed
        row["share_found"] = found.noise.share
        model = LogisticRegression(max_iter=1000).fit(data.scaled[samples], given)
    row["logistic"] = float(np.mean(model.predict(data.scaled[rest]) != data.y[rest]))
    return [row]
