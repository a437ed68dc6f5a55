"""Models of the features for tags, all of them as arrays: a linear one and a kernel machine.

    linear   logistic regression, ridge 1, one a tag against its absence
    kernel   kernel ridge regression of all tags together,  m + K (K + RIDGE I)^-1 (Y - m),
             K = 1 + exp(-|x - x'|^2 / (p v))  with p standardized features of variance v, m the mean of Y

Both see the samples as `_feature_models` does, by `Coordinates`. What the linear model says of labels that it
does not know comes from folds. For the kernel machine, with H = (K + RIDGE I)^-1, it is
Y_i - (H (Y - m))_i / H_ii. A tag that all labeled samples have, or none, is certain.

Labels that count c have ridge / c. Of more than `MOST` labels, an even choice of `MOST` is used.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from trigpoint._kernels import serial_blas
from trigpoint._types import Floats, Ints
from trigpoint.prediction._feature_models import (
    BLOCK,
    DEAR,
    Coordinates,
    Linear,
    coordinates,
    fit_model,
    left_out,
)
from trigpoint.views import View

MOST = 2000  # labels
RIDGE = 0.1
TINY = 1e-6  # what a label counts, at least


@dataclass(frozen=True, eq=False)
class TagModels:
    """Models that were fitted on the same labels.

    Attributes
    ----------
    standard, seen : how samples are seen
    coefficients, constants : (c, t), (t,) of the linear model; a tag that is certain has an infinite constant
    pull : (l, t) of the kernel machine, H (Y - m); None without one
    mean : (t,) m
    """

    standard: View
    seen: Coordinates
    coefficients: Floats
    constants: Floats
    pull: Floats | None
    mean: Floats

    @property
    def names(self) -> tuple[str, ...]:
        return ("linear",) if self.pull is None else ("linear", "kernel")

    def predict(self, X: Any) -> list[Floats]:
        """(n, t) of each model, in blocks of rows."""
        n, t = X.shape[0], len(self.mean)
        found = [np.empty((n, t)) for _ in self.names]
        step = max(1, BLOCK // max(self.seen.labeled.shape))
        for start in range(0, n, step):
            rows = slice(start, start + step)
            C = self.seen.of(self.standard.transform(X[rows]))
            found[0][rows] = expit(C[:, :-1] @ self.coefficients + self.constants)
            if self.pull is not None:
                found[1][rows] = in_range(_kernel(C, self.seen) @ self.pull + self.mean)
        return found


def in_range(values: Floats) -> Floats:
    """Presences, between 0 and 1; NaN stays."""
    return np.clip(values, 0.0, 1.0)


def fit_tag_models(
    X: Any, standard: View, landmarks: Ints, Y: Floats, counts: Floats | None, *, only_linear: bool = False
) -> tuple[TagModels, list[Floats]]:
    """The models, and (l, t) what each says of labels that it does not know."""
    some = np.unique(np.linspace(0, len(Y) - 1, min(len(Y), MOST)).round().astype(np.int64))
    seen = coordinates(standard.transform(X[landmarks[some]]))
    known, weights = Y[some], None if counts is None else counts[some]
    coefficients, constants, linear = _fit_linear(seen, known, weights)
    said, pull = [linear], None
    if not only_linear and X.shape[0] * len(some) <= DEAR:
        pull, outside = _fit_kernel(seen, known, weights)
        said.append(outside)
    models = TagModels(standard, seen, coefficients, constants, pull, known.mean(axis=0))
    if len(some) == len(Y):
        return models, said
    everything = models.predict(X[landmarks])
    for p, inside in zip(everything, said, strict=True):
        p[some] = inside
    return models, everything


def _fit_linear(seen: Coordinates, Y: Floats, counts: Floats | None) -> tuple[Floats, Floats, Floats]:
    t = Y.shape[1]
    coefficients, constants = np.zeros((seen.labeled.shape[1] - 1, t)), np.empty(t)
    outside = np.empty_like(Y)
    for tag in range(t):
        codes = Y[:, tag].astype(np.int64)
        found = fit_model("linear", seen.labeled, codes, 2, seen.scale, counts)
        if isinstance(found.fitted, Linear):
            coefficients[:, tag], constants[tag] = found.fitted.slopes[0], found.fitted.constants[0]
        else:
            constants[tag] = np.inf if found.seen[0] == 1 else -np.inf
        outside[:, tag] = left_out("linear", seen, codes, 2, counts)[:, 1]
    return coefficients, constants, outside


def _fit_kernel(seen: Coordinates, Y: Floats, counts: Floats | None) -> tuple[Floats, Floats]:
    K = _kernel(seen.labeled, seen)
    K.flat[:: len(K) + 1] += RIDGE if counts is None else RIDGE / np.maximum(counts, TINY)
    with serial_blas():
        H = np.linalg.inv(K)
        pull = H @ (Y - Y.mean(axis=0))
    return pull, in_range(Y - pull / H.diagonal()[:, None])


def _kernel(C: Floats, seen: Coordinates) -> Floats:
    """(m, l) K, of samples and the labeled ones."""
    labeled = seen.labeled
    with serial_blas():
        products = C @ labeled.T
    squares = np.square(C).sum(axis=1)[:, None] + np.square(labeled).sum(axis=1) - 2.0 * products
    return np.asarray(1.0 + np.exp(-np.maximum(squares, 0.0) / seen.scale))
