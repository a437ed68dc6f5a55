"""One cell of the ranking of labels: a pool, a share and a kind of wrong labels, all labeled or a tenth.

`tp.label_issues` gets features and labels. cleanlab gets the same labels, and probabilities of two models
that did not see them (five folds): logistic regression on standardized features, and the 10 nearest neighbors
on standardized or raw features, as we choose ourselves (`base_name`). A row has

ours                                average precision of the ranking
logistic, knn; *_margin             of cleanlab's, by self_confidence (its default) and by normalized_margin
n_wrong, low, high                  our estimate of the number of wrong labels, and its 90 % interval
logistic_counted, knn_counted       cleanlab's estimate (num_label_issues)
logistic_found, knn_found           how many it reports (find_label_issues)
seconds, peer_seconds               of the processor: `label_issues` from the features on; models and cleanlab
"""

import warnings
from time import process_time

import numpy as np
from _pools import KINDS, drawn
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.neighbors import KNeighborsClassifier

import trigpoint as tp
from trigpoint.trials import rng_for
from trigpoint.views import base_name

SHARES = (0.05, 0.1, 0.2)
LABELED = (1.0, 0.1)
CELLS = [(labeled, share, kind) for labeled in LABELED for share in SHARES for kind in KINDS]
CELLS += [(labeled, 0.0, "uniform") for labeled in LABELED]
PEERS = ("logistic", "knn")
FOLDS, NEIGHBORS = 5, 10


def trial(pool, number, labeled, share, kind, folder, most, seed):
    data = drawn(pool, number, folder, most, seed)
    n = len(data.y)
    rng = rng_for(seed, pool, number, labeled, share, kind)
    samples = np.sort(rng.permutation(n)[: round(labeled * n)])
    given, wrong = data.corrupted(samples, share, kind, rng)
    row = {"pool": pool, "trial": number, "labeled": labeled, "share": share, "kind": kind}
    row |= {"n": n, "classes": data.n_classes, "labels": len(samples), "wrong": int(wrong.sum())}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of convergence, and cleanlab's of classes without a label
        row |= ours(data, samples, given, wrong)
        row |= theirs(data, samples, given, wrong)
    return [row]


def ours(data, samples, given, wrong):
    labels = np.full(len(data.y), -1)
    labels[samples] = given
    start = process_time()
    found = tp.label_issues(data.X, labels)
    row = {"seconds": process_time() - start}
    rank = np.empty(len(samples))
    rank[found.ranked] = np.arange(len(samples))
    return row | {
        "ours": precision(wrong, -rank),
        "n_wrong": found.n_wrong,
        "low": found.low,
        "high": found.high,
    }


def theirs(data, samples, given, wrong):
    from cleanlab.count import num_label_issues
    from cleanlab.filter import find_label_issues
    from cleanlab.rank import get_label_quality_scores

    classes, codes = np.unique(given, return_inverse=True)  # it wants each class to have a label
    dense = not sparse.issparse(data.X)
    near = data.scaled if dense and base_name(data.X) == "standard" else data.X
    models = {
        "logistic": (LogisticRegression(max_iter=200), data.scaled),
        "knn": (neighbors(len(samples), dense), near),
    }
    row, start = {}, process_time()
    for name, (model, X) in models.items():
        p = outside(model, X[samples], codes, len(classes))
        row[name] = precision(wrong, -get_label_quality_scores(codes, p))
        margin = get_label_quality_scores(codes, p, method="normalized_margin")
        row[f"{name}_margin"] = precision(wrong, -margin)
        row[f"{name}_counted"] = int(num_label_issues(codes, p))
        row[f"{name}_found"] = int(find_label_issues(codes, p, n_jobs=1).sum())
    return row | {"peer_seconds": process_time() - start}


def neighbors(n_labels, dense):
    count = min(NEIGHBORS, n_labels * (FOLDS - 1) // FOLDS)
    return KNeighborsClassifier(count, metric="euclidean" if dense else "cosine")


def outside(model, X, codes, k):
    """(l, k) probabilities of labels from the other folds, which share out each class."""
    fold, p = np.empty(len(codes), dtype=int), np.zeros((len(codes), k))
    fold[np.argsort(codes, kind="stable")] = np.arange(len(codes)) % FOLDS
    for number in range(FOLDS):
        here = fold == number
        model.fit(X[~here], codes[~here])
        p[np.ix_(here, model.classes_)] = model.predict_proba(X[here])
    return np.clip(p, 1e-9, 1.0)


def precision(wrong, score):
    return float(average_precision_score(wrong, score)) if wrong.any() else None
