"""Classes of all samples, and of new ones, from the labels of a few.

Predictors are one a view, which spreads labels on its graph (`_spread`), and two models of the features
(`_feature_models`). Spread values become probabilities as in `propagation.classify`, and then their squares,
scaled to sum to one, because spread values are far too cautious. `_mixture` weighs all of them. Where no
label reaches a sample in a view, that view says nothing of it. New samples take the spread values of their
neighbors in each view (`propagation.extend`). A copy of pool samples gets what they have.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._types import Floats, Ints
from trigpoint.prediction._feature_models import FeatureModels, fit_models, model_names
from trigpoint.prediction._mixture import mixed, sharpened, temperature_of, weights_of
from trigpoint.prediction._pool_views import PoolView, ViewedPool, warn_unknown
from trigpoint.propagation import classify, copies, extend

PREDICTORS = ("auto", "propagation", "linear")
ENOUGH = 20  # random labels
SQUARE = 0.5  # the temperature of spread values


@dataclass(frozen=True, eq=False)
class ClassPredictor:
    """A mixture that was fitted on labels.

    Attributes
    ----------
    probabilities : (n, k); one-hot at the labeled samples, NaN where nothing is known
    weights : predictor -> weight; views by their names, and "linear", "kernel"
    errors : predictor -> share of the labels that it gets wrong without knowing them
    temperature : of the mixture
    left_out : (l, k) what the mixture says of the labels, each without knowing it
    """

    pool: ViewedPool
    probabilities: Floats
    weights: dict[str, float]
    errors: dict[str, float]
    temperature: float
    left_out: Floats
    spread_values: tuple[Floats, ...]
    models: FeatureModels | None

    @property
    def main(self) -> PoolView:
        """The view that counts most; without labels that tell, the one of least nearness."""
        views = self.pool.views
        most = max((self.weights.get(seen.name, 0.0) for seen in views), default=0.0)
        best = [seen for seen in views if self.weights.get(seen.name, 0.0) >= most * (1 - 1e-9)]
        return self.pool.main if self.pool.main in best else best[0]

    def new(self, X_new: Any) -> Floats:
        """(m, k) probabilities of samples, of the pool or new."""
        said = []
        for seen, values in zip(self.pool.views, self.spread_values, strict=False):  # none for "linear"
            said.append(_probabilities(extend(seen.graph, seen.X, seen.transform(X_new), values)))
        if self.models is not None:
            said += self.models.predict(X_new)
        first = self.pool.views[0]
        found = sharpened(mixed(said, np.array(list(self.weights.values()))), self.temperature)
        same = copies(first.graph, first.X, first.transform(X_new), self.probabilities)
        return np.where(np.isnan(same), found, same)


def predict_classes(
    pool: ViewedPool,
    landmarks: Ints,
    codes: Ints,
    n_classes: int,
    predictor: str = "auto",
    at_random: Ints | None = None,
) -> ClassPredictor:
    """Fit the predictors and mix them.

    Parameters
    ----------
    pool : ViewedPool
    landmarks, codes : (l,), the labeled samples and their class numbers
    predictor : "auto" or "linear", which leaves the views out; a pool without features has only its graph
    at_random : places among the landmarks that were drawn at random, optional
        `ENOUGH` of them set the temperature alone: chosen samples are harder to predict than others.
    """
    y = np.eye(n_classes)[codes]
    names, left, said, kept = [], [], [], []
    views = () if predictor == "linear" and pool.X is not None else pool.views
    for seen in views:
        found = seen.spread(landmarks, y)
        values = seen.reached(landmarks, found.values)
        names.append(seen.name)
        left.append(_probabilities(found.left_out))
        said.append(_probabilities(values))
        kept.append(values)
    models = None
    if pool.X is not None:
        wanted = model_names(pool.n_samples, n_classes) if views else ("linear",)
        models, outside = fit_models(pool.X, pool.standard, wanted, landmarks, codes, n_classes)
        names += wanted
        left += outside
        said += models.predict(pool.X)
    weights = weights_of(left, y)
    together = mixed(left, weights)
    some = slice(None) if at_random is None or len(at_random) < ENOUGH else at_random
    T = temperature_of(together[some], y[some])
    p = sharpened(mixed(said, weights), T)
    p[landmarks] = y
    warn_unknown(pool, landmarks, p)
    wrong = [float((each.argmax(axis=1) != codes).mean()) for each in left]
    return ClassPredictor(
        pool,
        p,
        dict(zip(names, weights.tolist(), strict=True)),
        dict(zip(names, wrong, strict=True)),
        T,
        sharpened(together, T),
        tuple(kept),
        models,
    )


def _probabilities(values: Floats) -> Floats:
    return sharpened(classify(values).probabilities, SQUARE)
