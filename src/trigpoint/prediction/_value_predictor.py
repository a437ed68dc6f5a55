"""Real values of all samples, and of new ones, from those of a few.

Predictors are two a view, which spread values on its graph with A^-1 and with the smoother A^-1 D A^-1
(`_spread`), and a ridge regression on the standardized features. All of them work on values less their mean
at the landmarks. `_mixture` weighs them by what they say of values that they do not know, each target in
units of its own. With r_i the error of the mixture there and S_ii the precision of the field of phi at i
without its value, unit^2 = mean of r_i^2 S_ii: at this scale the field's standard deviations fit the mixture.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._kernels import serial_blas
from trigpoint._types import Floats, Ints
from trigpoint.prediction._mixture import mixed, weights_of
from trigpoint.prediction._pool_views import PoolView, ViewedPool, warn_unknown
from trigpoint.prediction._spread import smooth_possible, spread, typical_degree
from trigpoint.propagation import copies, extend

RIDGE = 1.0  # of the mean squared length of a labeled sample
BLOCK = 4_000_000


@dataclass(frozen=True, eq=False)
class ValuePredictor:
    """A mixture that was fitted on values.

    Attributes
    ----------
    values : (n, d); those of the labeled samples are kept, NaN where nothing is known
    weights : predictor -> weight: views by their names, "name^2" for A^-1 D A^-1, and "linear"
    errors : predictor -> root mean squared error at labeled samples whose values it does not know
    residuals : (l, d) errors of the mixture there
    """

    pool: ViewedPool
    values: Floats
    weights: dict[str, float]
    errors: dict[str, float]
    residuals: Floats
    landmarks: Ints
    fields: tuple[tuple[PoolView, Floats], ...]
    mean: Floats
    ridge: "Ridge | None"

    @property
    def main(self) -> PoolView:
        """The view that counts most."""
        counts = {seen.name: 0.0 for seen in self.pool.views}
        for name, weight in self.weights.items():
            if name.removesuffix("^2") in counts:
                counts[name.removesuffix("^2")] += weight
        return max(self.pool.views, key=lambda seen: (counts[seen.name], -seen.nearness))

    def units(self, phi: Any = None) -> Floats:
        """(d,) scale of the standard deviations of a field of phi (default: that of the main view).

        Infinite where one value is all there is.
        """
        if len(self.landmarks) < 2:
            return np.full(self.residuals.shape[1], np.inf)
        phi = self.main.phi if phi is None else phi
        precision = spread(phi, self.landmarks, self.residuals).precision * typical_degree(phi)
        return np.asarray(np.sqrt((np.square(self.residuals) * precision[:, None]).mean(axis=0)))

    def new(self, X_new: Any, weights: str = "self_tuning") -> Floats:
        """(m, d) values of samples, of the pool or new; ``weights`` as for `extend`."""
        said = []
        for seen, values in self.fields:
            said.append(extend(seen.graph, seen.X, seen.transform(X_new), values, weights=weights))
        if self.ridge is not None:
            said.append(self.ridge.predict(X_new))
        found = mixed(said, np.array(list(self.weights.values()))) + self.mean
        first = self.pool.views[0]
        same = copies(first.graph, first.X, first.transform(X_new), self.values)
        return np.where(np.isnan(same), found, same)


@dataclass(frozen=True, eq=False)
class Ridge:
    """K (K + ridge I)^-1 y with K the inner products of standardized features, and a constant."""

    pool: ViewedPool
    labeled: Any
    pull: Floats
    scale: float
    left_out: Floats

    def predict(self, X: Any) -> Floats:
        found = np.empty((X.shape[0], self.pull.shape[1]))
        step = max(1, BLOCK // len(self.pull))
        for start in range(0, len(found), step):
            rows = slice(start, start + step)
            found[rows] = (
                _products(self.pool.standard.transform(X[rows]), self.labeled) / self.scale + 1.0
            ) @ self.pull
        return found


def _products(Z: Any, labeled: Any) -> Floats:
    found = Z @ labeled.T
    return np.asarray(found.toarray() if issparse(found) else found, dtype=np.float64)


def _ridge(pool: ViewedPool, landmarks: Ints, y: Floats) -> Ridge:
    Z = pool.standard.transform(pool.X[landmarks])
    K = _products(Z, Z)
    scale = float(np.mean(K.diagonal())) or 1.0
    K = K / scale + 1.0  # and a constant
    K.flat[:: len(K) + 1] += RIDGE / max(len(K), 1) ** 0.5
    with serial_blas():
        inverse = np.linalg.inv(K)
        pull = inverse @ y
    return Ridge(pool, Z, pull, scale, y - pull / inverse.diagonal()[:, None])


def predict_values(
    pool: ViewedPool, landmarks: Ints, values: Floats, predictor: str = "auto"
) -> ValuePredictor:
    """Fit the predictors and mix them; ``predictor`` may be "linear", which leaves the views out."""
    mean = values.mean(axis=0)
    y = values - mean
    names, left, said, fields = [], [], [], []
    for seen in () if predictor == "linear" and pool.X is not None else pool.views:
        for order in (1, 2):
            if order == 2 and not smooth_possible(seen.phi, len(landmarks)):
                continue
            found = seen.spread(landmarks, y, order)
            names.append(seen.name + ("^2" if order == 2 else ""))
            left.append(found.left_out)
            fields.append((seen, seen.reached(landmarks, found.values)))
            said.append(fields[-1][1])
    ridge = None
    if pool.X is not None:
        ridge = _ridge(pool, landmarks, y)
        names.append("linear")
        left.append(ridge.left_out)
        said.append(ridge.predict(pool.X))
    size = np.sqrt(np.square(y).mean(axis=0))
    size = np.where(size > 0, size, 1.0)  # (d,) so that the unit of a target does not matter
    weights = weights_of([p / size for p in left], y / size, y.shape[1])
    z = mixed(said, weights) + mean
    z[landmarks] = values
    warn_unknown(pool, landmarks, z)
    return ValuePredictor(
        pool,
        z,
        dict(zip(names, weights.tolist(), strict=True)),
        {name: float(np.sqrt(np.square(p - y).mean())) for name, p in zip(names, left, strict=True)},
        mixed(left, weights) - y,
        landmarks,
        tuple(fields),
        mean,
        ridge,
    )
