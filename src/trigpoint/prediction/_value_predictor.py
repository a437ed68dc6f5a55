"""Real values of all samples, and of new ones, from those of a few.

Predictors are two a view, which spread values on its graph with A^-1 and with the smoother A^-1 D A^-1
(`_spread`), and a ridge regression on the standardized features. All of them work on values less their mean
at the landmarks. `_mixture` weighs them by what they say of values that they do not know, each target in
units of its own. With r_i the error of the mixture there and S_ii the precision of the field of phi at i
without its value, unit^2 = mean of r_i^2 S_ii: at this scale the field's standard deviations fit the mixture.

Values may be wrong (``noise``). `_value_noise` tells how likely each is right, w, and the share of wrong
ones. If noise is believed, all are fitted again with values that count w: in views as values of variance
s / (D_i w_i), where D is the degree in units of its median and s in `PULLS` is what predicts left
out values best; in the regression with a ridge divided by w. Labeled samples keep their values all the same.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._kernels import serial_blas
from trigpoint._progress import track
from trigpoint._types import Floats, Ints
from trigpoint.prediction._mixture import mixed, weights_of
from trigpoint.prediction._pool_views import PoolView, ViewedPool, warn_unknown
from trigpoint.prediction._spread import Spread, relative_degrees, smooth_possible, spread, typical_degree
from trigpoint.prediction._value_noise import ValueNoise, value_noise
from trigpoint.propagation import copies, extend

RIDGE = 1.0  # of the mean squared length of a labeled sample
BLOCK = 4_000_000
MOST = 5000  # labels
PULLS = (0.1, 1.0, 10.0)
LEAST = 0.01  # w, at least
ROUNDS = 2
TINY = 1e-6  # what a value counts, at least


@dataclass(frozen=True, eq=False)
class ValuePredictor:
    """A mixture that was fitted on values.

    Attributes
    ----------
    values : (n, d); those of the labeled samples are kept, NaN where nothing is known
    weights : predictor -> weight: views by their names, "name^2" for A^-1 D A^-1, and "linear"
    errors : predictor -> root mean squared error at labeled samples whose values it does not know
    residuals : (l, d) errors of the mixture there
    noise : ValueNoise, or None if values were taken to be right
    believed : whether noise was believed, so that values pull
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
    noise: ValueNoise | None = None
    believed: bool = False

    @property
    def share_of_wrong(self) -> float:
        """Of the values; 0 where noise is not believed."""
        known = self.noise is not None and self.believed and not np.isnan(self.noise.share)
        return self.noise.share if self.noise is not None and known else 0.0

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
        return field_units(self.main.phi if phi is None else phi, self.landmarks, self.residuals)

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


def field_units(phi: Any, landmarks: Ints, residuals: Floats) -> Floats:
    """(d,) scale of the standard deviations of a field of phi, by the errors at landmarks left out."""
    precision = spread(phi, landmarks, residuals).precision * typical_degree(phi)
    return np.asarray(np.sqrt((np.square(residuals) * precision[:, None]).mean(axis=0)))


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


def _ridge(pool: ViewedPool, landmarks: Ints, y: Floats, counts: Floats | None) -> Ridge:
    """On an even choice of at most `MOST` labels."""
    some = np.unique(np.linspace(0, len(y) - 1, min(len(y), MOST)).round().astype(np.int64))
    Z = pool.standard.transform(pool.X[landmarks[some]])
    K = _products(Z, Z)
    scale = float(np.mean(K.diagonal())) or 1.0
    K = K / scale + 1.0  # and a constant
    each = 1.0 if counts is None else np.maximum(counts[some], TINY)
    K.flat[:: len(K) + 1] += RIDGE / max(len(K), 1) ** 0.5 / each
    with serial_blas():
        inverse = np.linalg.inv(K)
        pull = inverse @ y[some]
    left_out = y[some] - pull / inverse.diagonal()[:, None]
    found = Ridge(pool, Z, pull, scale, left_out)
    if len(some) == len(y):
        return found
    everything = found.predict(pool.X[landmarks])
    everything[some] = left_out
    return replace(found, left_out=everything)


@dataclass(frozen=True, eq=False)
class Members:
    """The predictors, fitted on values that count differently or all alike."""

    names: list[str]
    left: list[Floats]  # (l, d) what each says of values without knowing them
    fields: list[tuple[PoolView, Floats]]  # (n, d)
    ridge: Ridge | None
    weights: Floats

    def together(self) -> Floats:
        return mixed(self.left, self.weights)

    def said(self, X: Any) -> list[Floats]:
        """(n, d) what each says of the pool."""
        said = [values for _, values in self.fields]
        return said if self.ridge is None else [*said, self.ridge.predict(X)]


def predict_values(
    pool: ViewedPool,
    landmarks: Ints,
    values: Floats,
    predictor: str = "auto",
    *,
    noise: float | str = 0.0,
    judge: bool = False,
    counts: Floats | None = None,
) -> ValuePredictor:
    """Predict the values of all samples from those of some, by a mixture of predictors.

    ``predictor`` may be "linear", which leaves the views out. ``noise`` is the share of values that are
    wrong, or "auto"; with ``judge`` each value is judged in any case, also if noise is not believed.
    ``counts`` is (l,), how much each value counts, in the regression and in the weights of predictors.
    """
    mean = values.mean(axis=0) if counts is None else counts @ values / counts.sum()
    y = values - mean
    members = _fit(pool, landmarks, y, predictor, counts)
    share = None if noise == "auto" else float(noise)
    found = value_noise(y, members.together(), share) if noise != 0 else None
    believed = found is not None and (judge or share is not None or found.gain > 0)
    for _ in range(ROUNDS):
        if found is None or not believed:
            break
        right = np.maximum(found.right, LEAST)
        each = right if counts is None else right * counts
        mean = each @ values / each.sum()
        y = values - mean
        members = _fit(pool, landmarks, y, predictor, each, right)
        found = value_noise(y, members.together(), share)
    others = members.together()
    z = mixed(members.said(pool.X), members.weights) + mean
    z[landmarks] = values
    warn_unknown(pool, landmarks, z)
    return ValuePredictor(
        pool,
        z,
        dict(zip(members.names, members.weights.tolist(), strict=True)),
        {
            name: float(np.sqrt(np.square(p - y).mean()))
            for name, p in zip(members.names, members.left, strict=True)
        },
        others - y,
        landmarks,
        tuple(members.fields),
        mean,
        members.ridge,
        found,
        believed,
    )


def _fit(
    pool: ViewedPool,
    landmarks: Ints,
    y: Floats,
    predictor: str,
    counts: Floats | None,
    right: Floats | None = None,
) -> Members:
    """A regression of values that count ``counts``; views keep values, or are pulled if they may be wrong."""
    names, left, fields = [], [], []
    views = () if predictor == "linear" and pool.X is not None else pool.views
    for seen in track(views, "predictors"):
        for order in (1, 2):
            if order == 2 and not smooth_possible(seen.phi, len(landmarks)):
                continue
            found = _spread(seen, landmarks, y, order, right)
            names.append(seen.name + ("^2" if order == 2 else ""))
            left.append(found.left_out)
            fields.append((seen, seen.reached(landmarks, found.values)))
    ridge = None
    if pool.X is not None:
        ridge = _ridge(pool, landmarks, y, counts)
        names.append("linear")
        left.append(ridge.left_out)
    size = np.sqrt(np.square(y).mean(axis=0))
    size = np.where(size > 0, size, 1.0)  # (d,) so that the unit of a target does not matter
    weights = weights_of([p / size for p in left], y / size, y.shape[1], counts)
    return Members(names, left, fields, ridge, weights)


def _spread(seen: PoolView, landmarks: Ints, y: Floats, order: int, counts: Floats | None) -> Spread:
    """If values may be wrong, with the pull that predicts left out values best."""
    if counts is None:
        return seen.spread(landmarks, y, order)
    noise = 1.0 / (relative_degrees(seen.phi)[landmarks] * counts)
    tried = [seen.spread(landmarks, y, order, s * noise) for s in PULLS]
    return min(tried, key=lambda found: float(counts @ np.square(found.left_out - y).sum(axis=1)))
