"""The ways from features and a budget to classes of all samples, each in the few lines that a user writes.

ours       LandmarkSelector chooses, ManifoldClassifier predicts, all defaults
random     the same classifier, random labels
loop       ActiveLearner asks ten at a time; ManifoldClassifier with its labels predicts new samples
kmeans     the samples nearest to the centers of k-means on scaled columns; logistic regression
others     on the labels of ours

Logistic regression, SVM and nearest neighbor scale columns first. LabelSpreading and graphlearning take X as
it is. They know no new samples, so those held out are in the graph from the start, unlabeled. graphlearning
has its own weights, of ten exact neighbors.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC

import trigpoint as tp

BATCH = 10
NEIGHBORS = 10


@dataclass(frozen=True, eq=False)
class Predicted:
    held: Any  # (m,) classes of the samples held out
    pool: Any = None  # (n,) classes of the pool
    probabilities: Any = None  # (m, c) of the samples held out
    classes: Any = None  # (c,)


def one_shot(data, budget):
    return tp.LandmarkSelector(budget).fit(data.X).landmarks_


def manifold(data, labeled):
    y = np.full(data.n, -1)
    y[labeled] = data.y[labeled]
    classifier = tp.ManifoldClassifier().fit(data.X, y)
    if not len(data.y_held):
        return Predicted(data.y_held, classifier.transduction_)
    return Predicted(
        classifier.predict(data.X_held),
        classifier.transduction_,
        classifier.predict_proba(data.X_held),
        classifier.classes_,
    )


def loop(data):
    """For each budget, the samples asked for and what the learner says of the pool."""
    learner = tp.ActiveLearner(data.X)
    for budget in data.budgets:
        while len(learner.labels) < budget:
            samples = learner.ask(BATCH)
            learner.tell(samples, data.y[samples].tolist())
        yield budget, np.array(list(learner.labels)), learner.predict()


def kmeans_centers(data, budget, seed):
    """For each center the nearest sample that no other center has."""
    Z = scaler(data.X).fit_transform(data.X)
    centers = KMeans(budget, n_init=1, random_state=seed).fit(Z).cluster_centers_
    away = pairwise_distances(centers, Z)
    chosen = []
    for row in away:
        row[chosen] = np.inf
        chosen.append(int(row.argmin()))
    return np.array(chosen)


def scaler(X):
    return StandardScaler(with_mean=not sparse.issparse(X))


def logistic(data, labeled):
    return fitted(LogisticRegression(max_iter=1000), data, labeled)


def svm(data, labeled):
    return fitted(SVC(), data, labeled)


def nearest(data, labeled):
    return fitted(KNeighborsClassifier(1), data, labeled)


def fitted(estimator, data, labeled):
    y = data.y[labeled]
    if len(np.unique(y)) == 1:
        return Predicted(np.full(len(data.y_held), y[0]))
    model = make_pipeline(scaler(data.X), estimator).fit(data.X[labeled], y)
    return Predicted(model.predict(data.X_held))


def spreading(data, labeled):
    X = together(data)
    y = np.full(X.shape[0], -1)
    y[labeled] = data.y[labeled]
    model = LabelSpreading(kernel="knn", n_neighbors=NEIGHBORS).fit(X, y)
    return Predicted(model.transduction_[data.n :])


def laplace(data, labeled):
    from graphlearning.ssl import laplace as model

    return learned(model, data, labeled)


def poisson(data, labeled):
    from graphlearning.ssl import poisson as model

    return learned(model, data, labeled)


def learned(model, data, labeled):
    """Classes are numbered without a gap for it. Distances of 0 would give it weights of 0 / 0."""
    from graphlearning.weightmatrix import knn

    classes, codes = np.unique(data.y[labeled], return_inverse=True)
    if len(classes) == 1:
        return Predicted(np.full(len(data.y_held), classes[0]))
    X = together(data)
    distances, indices = NearestNeighbors(n_neighbors=NEIGHBORS + 1).fit(X).kneighbors(X)
    least = 1e-9 * np.median(distances[:, -1])
    W = knn(None, NEIGHBORS, knn_data=(indices, np.maximum(distances, least)))
    found = model(W).fit_predict(labeled, codes)
    return Predicted(classes[np.asarray(found, dtype=int)][data.n :])


def together(data):
    parts = [data.X, data.X_held]
    return sparse.vstack(parts).tocsr() if sparse.issparse(data.X) else np.concatenate(parts)


PREDICTORS = {
    "logistic": logistic,
    "svm": svm,
    "1nn": nearest,
    "spreading": spreading,
    "laplace": laplace,
    "poisson": poisson,
}
OURS = ("ours", "random", "loop")
WAYS = {
    "ours": "ours, one shot",
    "random": "ours, random labels",
    "loop": "ours, in the loop",
    "logistic": "logistic regression, our labels",
    "kmeans": "logistic regression, k-means labels",
    "svm": "SVM, our labels",
    "1nn": "nearest neighbor, our labels",
    "spreading": "LabelSpreading, our labels",
    "laplace": "graphlearning Laplace, our labels",
    "poisson": "graphlearning Poisson, our labels",
}
PEERS = ("svm", "1nn", "spreading", "laplace", "poisson")


def missing():
    """Ways whose package is not installed here."""
    return [] if find_spec("graphlearning") else ["laplace", "poisson"]
