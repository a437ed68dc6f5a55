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
class Linear:
    """A logistic regression."""

    slopes: Floats  # (k, c); (1, c) for two classes
    constants: Floats

    def predict(self, C: Floats) -> Floats:
        with serial_blas():
            f = C[:, :-1] @ self.slopes.T + self.constants
        return _softmax(f if len(self.slopes) > 1 else np.column_stack([np.zeros(len(f)), f]))


@dataclass(frozen=True, eq=False)
class Machine:
    """A support vector machine that decides between pairs of classes, as libsvm lists them."""

    vectors: Floats  # (s, c), class by class
    counts: Ints  # (k,) of each class
    duals: Floats  # (k - 1, s), for each of the other classes
    constants: Floats  # one a pair
    gamma: float

    def predict(self, C: Floats) -> Floats:
        return _softmax(2.0 * self.decisions(C))

    def decisions(self, C: Floats) -> Floats:
        """(m, k) how many pairs a class wins, and by how much."""
        with serial_blas():
            squares = _squares(C)[:, None] + _squares(self.vectors) - 2.0 * (C @ self.vectors.T)
            K = np.exp(-self.gamma * np.maximum(squares, 0.0))
            if len(self.counts) == 2:
                f = K @ self.duals[0] + self.constants[0]
                return np.column_stack([-f, f]) / 2.0
            f = self._pairs(K)
        won, margin = f > 0, f.sum(axis=1)
        won |= (f == 0) & np.triu(np.ones(f.shape[:2], dtype=bool), 1)[:, :, None]  # the first wins a tie
        return np.asarray((won.sum(axis=1) + margin / (3.0 * (np.abs(margin) + 1.0))).T)

    def _pairs(self, K: Floats) -> Floats:
        """(k, k, m) what is said for a class against another; 0 against itself."""
        k = len(self.counts)
        f, start = np.zeros((k, k, len(K))), 0
        for i, count in enumerate(self.counts.tolist()):
            some = slice(start, start := start + count)
            f[i, np.arange(k) != i] = self.duals[:, some] @ K[:, some].T
        first, second = np.triu_indices(k, 1)
        f[first, second] += f[second, first] + self.constants[:, None]
        f[second, first] = -f[first, second]
        return f


def _squares(C: Floats) -> Floats:
    return np.asarray(np.einsum("ij,ij->i", C, C))


@dataclass(frozen=True, eq=False)
class FeatureModel:
    """One fitted model: coordinates in, (m, k) probabilities out."""

    fitted: Linear | Machine | None  # None where one class is all that was seen
    seen: Ints
    n_classes: int

    def predict(self, C: Floats) -> Floats:
        p = np.zeros((len(C), self.n_classes))
        p[:, self.seen] = 1.0 if self.fitted is None else self.fitted.predict(C)
        return p


def _softmax(f: Floats) -> Floats:
    e = np.exp(f - f.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def fit_model(
    name: str, C: Floats, codes: Ints, n_classes: int, scale: float, counts: Floats | None = None
) -> FeatureModel:
    if counts is not None and (counts >= LEAST).any():
        held = counts >= LEAST
        C, codes, counts = C[held], codes[held], counts[held]
    seen = np.unique(codes)
    if len(seen) < 2:
        return FeatureModel(None, seen, n_classes)
    with warnings.catch_warnings(), serial_blas():
        warnings.simplefilter("ignore")  # of iterations: the last digits do not matter
        fitted = _linear(C, codes, counts) if name == "linear" else _machine(C, codes, counts, 1.0 / scale)
    return FeatureModel(fitted, seen, n_classes)


def _linear(C: Floats, codes: Ints, counts: Floats | None) -> Linear:
    from sklearn.linear_model import LogisticRegression

    found = LogisticRegression(max_iter=200).fit(C[:, :-1], codes, sample_weight=counts)
    return Linear(found.coef_, found.intercept_)


def _machine(C: Floats, codes: Ints, counts: Floats | None, gamma: float) -> Machine:
    from sklearn.svm import SVC

    found = SVC(gamma=gamma).fit(C, codes, sample_weight=counts)
    return Machine(found.support_vectors_, found.n_support_, found.dual_coef_, found.intercept_, gamma)


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
        width = max(*self.seen.labeled.shape, 2 * k * k)
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
