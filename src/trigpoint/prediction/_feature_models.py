"""Models of the features alone: a linear one and a kernel machine, on the standardized features.

    linear   logistic regression, ridge 1
    kernel   support vector machine, exp(-|x - x'|^2 / (p v)) with p features of variance v

Both depend on inner products only. Where there are more features than labels, they see the coordinates of
the samples in the span of the labeled ones, and, for the kernel, how far a sample lies outside of it: the
answers are the same, and the work that of few features. A linear model gives probabilities. Those of the
machine are exp(2 f) over their sum, f its decision values. Predictions of labels that a model does not know
come from `FOLDS` folds, which share out each class in the order of the labels.

Labels that may be wrong count by how likely they are right; those below `LEAST` do not count. Of more than
`MOST` labels, the linear model is fitted on an even choice of `MOST`, and there is no machine.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._kernels import serial_blas
from trigpoint._progress import stage, track
from trigpoint._types import Floats, Ints
from trigpoint.views import View

MODELS = ("linear", "kernel")
FOLDS = 5
BLOCK = 4_000_000  # numbers held at once
LEAST = 0.05
MOST = 5000
DEAR = 2e9  # decisions, between pairs of classes, that the kernel machine may take for a pool


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Labeled samples, and how others are seen from them; the last coordinate is 0 at the labeled ones."""

    labeled: Floats
    scale: float  # p v
    basis: Any  # (l, p) labeled features where there are fewer labels than features, else None
    turn: Floats | None

    def of(self, Z: Any) -> Floats:
        if self.basis is None or self.turn is None:
            dense = Z.toarray() if issparse(Z) else Z
            return np.column_stack([np.asarray(dense, dtype=np.float64), np.zeros(Z.shape[0])])
        products = Z @ self.basis.T
        inside = (
            np.asarray(products.toarray() if issparse(products) else products, dtype=np.float64) @ self.turn
        )
        squares = (Z.multiply(Z) if issparse(Z) else np.square(Z, dtype=np.float64)).sum(axis=1)
        outside = np.maximum(np.asarray(squares).ravel() - np.square(inside).sum(axis=1), 0.0)
        return np.column_stack([inside, np.sqrt(outside)])


def coordinates(Z: Any) -> Coordinates:
    """Seen from these labeled samples, (l, p)."""
    n_labels, p = Z.shape
    total, squares = Z.sum(), (Z.multiply(Z) if issparse(Z) else np.square(Z)).sum()
    scale = float(squares / n_labels - p * (total / (n_labels * p)) ** 2)
    scale = scale if scale > 0 else 1.0
    if p <= n_labels:
        dense = np.asarray(Z.toarray() if issparse(Z) else Z, dtype=np.float64)
        return Coordinates(np.column_stack([dense, np.zeros(n_labels)]), scale, None, None)
    Z = Z.astype(np.float64)
    products = Z @ Z.T
    with serial_blas():
        squares, vectors = np.linalg.eigh(products.toarray() if issparse(products) else products)
    held = squares > 1e-12 * max(squares[-1], np.finfo(float).tiny)
    if not held.any():  # all features are 0
        nothing = np.zeros((n_labels, 1))
        return Coordinates(np.zeros((n_labels, 2)), scale, Z, nothing)
    turn = vectors[:, held] / np.sqrt(squares[held])
    labeled = vectors[:, held] * np.sqrt(squares[held])
    return Coordinates(np.column_stack([labeled, np.zeros(n_labels)]), scale, Z, turn)


@dataclass(frozen=True, eq=False)
class FeatureModel:
    """One fitted model: coordinates in, (m, k) probabilities out."""

    name: str
    fitted: Any  # None where one class is all that was seen
    seen: Ints
    n_classes: int

    def predict(self, C: Floats) -> Floats:
        p = np.zeros((len(C), self.n_classes))
        if self.fitted is None:
            p[:, self.seen] = 1.0
        elif self.name == "linear":
            p[:, self.seen] = self.fitted.predict_proba(C[:, :-1])
        else:
            p[:, self.seen] = _softmax(2.0 * self._decisions(C))
        return p

    def _decisions(self, C: Floats) -> Floats:
        f = self.fitted.decision_function(C)
        return np.column_stack([-f, f]) / 2.0 if f.ndim == 1 else f


def _softmax(f: Floats) -> Floats:
    e = np.exp(f - f.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def fit_model(
    name: str, C: Floats, codes: Ints, n_classes: int, scale: float, counts: Floats | None = None
) -> FeatureModel:
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    if counts is not None and (counts >= LEAST).any():
        held = counts >= LEAST
        C, codes, counts = C[held], codes[held], counts[held]
    seen = np.unique(codes)
    if len(seen) < 2:
        return FeatureModel(name, None, seen, n_classes)
    model = LogisticRegression(max_iter=200) if name == "linear" else SVC(gamma=1.0 / scale)
    with warnings.catch_warnings(), serial_blas():
        warnings.simplefilter("ignore")  # of iterations: the last digits do not matter
        model.fit(C[:, :-1] if name == "linear" else C, codes, sample_weight=counts)
    return FeatureModel(name, model, seen, n_classes)


def folds(codes: Ints) -> Ints:
    """(l,) the fold of each label, each class dealt out in turn."""
    fold = np.empty(len(codes), dtype=np.int64)
    fold[np.argsort(codes, kind="stable")] = np.arange(len(codes)) % FOLDS
    return fold


def left_out(
    name: str, seen: Coordinates, codes: Ints, n_classes: int, counts: Floats | None = None
) -> Floats:
    """(l, k) predictions of labels from the other folds."""
    fold, p = folds(codes), np.zeros((len(codes), n_classes))
    for number in track(range(min(FOLDS, len(codes))), f"{name} model, labels left out"):
        here = fold == number
        if here.all():
            p[:] = 1.0 / n_classes
            break
        others = None if counts is None else counts[~here]
        known = fit_model(name, seen.labeled[~here], codes[~here], n_classes, seen.scale, others)
        p[here] = known.predict(seen.labeled[here])
    return p


@dataclass(frozen=True, eq=False)
class FeatureModels:
    """Models that were fitted on the same labels."""

    standard: View
    seen: Coordinates
    models: tuple[FeatureModel, ...]

    def predict(self, X: Any) -> list[Floats]:
        """(n, k) of each model, in blocks of rows."""
        n, k = X.shape[0], self.models[0].n_classes
        found = [np.empty((n, k)) for _ in self.models]
        for rows in track(self._blocks(n, k), "models of features"):
            C = self.seen.of(self.standard.transform(X[rows]))
            for p, model in zip(found, self.models, strict=True):
                p[rows] = model.predict(C)
        return found

    def _blocks(self, n: int, k: int) -> list[slice]:
        width = max(self.seen.labeled.shape[1], k * (k - 1) // 2)
        step = max(1, BLOCK // width)
        return [slice(start, start + step) for start in range(0, n, step)]


def model_names(n_samples: int, n_classes: int, n_labels: int) -> tuple[str, ...]:
    """Those that are not too dear."""
    cheap = n_samples * n_classes * (n_classes - 1) / 2 <= DEAR and n_labels <= MOST
    return MODELS if cheap else MODELS[:1]


def fit_models(
    X: Any,
    standard: View,
    names: tuple[str, ...],
    landmarks: Ints,
    codes: Ints,
    n_classes: int,
    counts: Floats | None = None,
) -> tuple[FeatureModels, list[Floats]]:
    """The models, and what each says of the labels that it does not know; labels count ``counts``, (l,)."""
    some = _even_choice(codes)
    seen = coordinates(standard.transform(X[landmarks[some]]))
    known, weights = codes[some], None if counts is None else counts[some]
    with stage("models of features"):
        fitted = tuple(fit_model(name, seen.labeled, known, n_classes, seen.scale, weights) for name in names)
    models = FeatureModels(standard, seen, fitted)
    said = [left_out(name, seen, known, n_classes, weights) for name in names]
    if len(some) == len(codes):
        return models, said
    everything = models.predict(X[landmarks])
    for p, inside in zip(everything, said, strict=True):
        p[some] = inside
    return models, everything


def _even_choice(codes: Ints) -> Ints:
    """Places of at most `MOST` labels, of each class about the same share."""
    if len(codes) <= MOST:
        return np.arange(len(codes))
    places = np.linspace(0, len(codes) - 1, MOST).round().astype(np.int64)
    return np.sort(np.argsort(codes, kind="stable")[places])
