"""Classes of all samples, and of new ones, from the labels of a few.

Predictors are one a view, which spreads labels on its graph (`_spread`), and two models of the features
(`_feature_models`). Spread values become probabilities as in `propagation.classify`, and then their squares,
scaled to sum to one, because spread values are far too cautious. `_mixture` weighs all of them. Where no
label reaches a sample in a view, that view says nothing of it. New samples take the spread values of their
neighbors in each view (`propagation.extend`). A copy of pool samples gets what they have.

Labels may be wrong (``noise``). From what the mixture says of labels without knowing them, `_label_noise`
tells how likely each is right, w, and what share e of them is wrong. But labels may also be contradicted
because there are too few of them, and then e falls as they become more. So half of the labels are predicted
from the other half. If e' are wrong by that, the share of wrong labels is e* = 2 e - e', in [0, e], as if the
rest fell like 1 / l.

Noise is believed if the likelihood speaks for it, and e* l >= 1. Then all predictors are fitted again, up to
`ROUNDS` times, with labels that count w: in models as weights of samples, in views as values of variance
s / (D_i w_i), where D is the degree in units of its median, and s in `PULLS` is what predicts left out labels
best. The labeled samples then have the probabilities R of `_label_noise`. Otherwise labels are kept exactly.
With more than `MANY` labels there is one round, and e* = e.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._progress import track
from trigpoint._types import Array, Floats, Ints
from trigpoint.prediction._feature_models import FeatureModels, fit_models, model_names
from trigpoint.prediction._label_noise import SUPPORT, LabelNoise, label_noise
from trigpoint.prediction._mixture import mixed, sharpened, temperature_of, weights_of
from trigpoint.prediction._pool_views import PoolView, ViewedPool, warn_unknown
from trigpoint.prediction._spread import Spread, relative_degrees
from trigpoint.propagation import classify, copies, extend

PREDICTORS = ("auto", "propagation", "linear")
ENOUGH = 20  # random labels
SQUARE = 0.5  # the temperature of spread values
ROUNDS = 3
PULLS = (3.0, 1.0, 10.0)  # the first for more than `FEW` labels
FEW = 500
JUDGED = 5  # other labels of its class that a label needs, if judging it is all that is asked for
MANY = 5000  # labels, from which on there is one round, and e* = e
LEAST = 0.05  # w, at least


@dataclass(frozen=True, eq=False)
class ClassPredictor:
    """A mixture that was fitted on labels.

    Attributes
    ----------
    probabilities : (n, k), NaN where nothing is known; at labeled samples one-hot, unless noise is believed
    weights : predictor -> weight; views by their names, and "linear", "kernel"
    errors : predictor -> share of the labels that it gets wrong without knowing them
    temperature : of the mixture
    left_out : (l, k) what the mixture says of the labels, each without knowing it
    noise : LabelNoise, or None if labels were taken to be right
    believed : whether noise was believed, so that labels pull
    """

    pool: ViewedPool
    probabilities: Floats
    weights: dict[str, float]
    errors: dict[str, float]
    temperature: float
    left_out: Floats
    spread_values: tuple[Floats, ...]
    models: FeatureModels | None
    noise: LabelNoise | None = None
    believed: bool = False

    @property
    def share_of_wrong(self) -> float:
        """Of the labels; 0 where noise is not believed."""
        known = self.noise is not None and self.believed and not np.isnan(self.noise.share)
        return self.noise.share if self.noise is not None and known else 0.0

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


@dataclass(frozen=True, eq=False)
class Members:
    """The predictors, fitted on labels that count differently or all alike."""

    names: tuple[str, ...]
    left: list[Floats]  # (l, k) what each says of labels without knowing them
    spread_values: tuple[Floats, ...]  # (n, k), a view
    models: FeatureModels | None

    def said(self, X: Any) -> list[Floats]:
        """(n, k) what each says of the pool."""
        said = [_probabilities(values) for values in self.spread_values]
        return said if self.models is None else said + self.models.predict(X)

    def said_of(self, X: Any, samples: Ints) -> list[Floats]:
        """(m, k) what each says of some samples of the pool."""
        said = [_probabilities(values[samples]) for values in self.spread_values]
        return said if self.models is None else said + self.models.predict(X[samples])


def predict_classes(
    pool: ViewedPool,
    landmarks: Ints,
    codes: Ints,
    n_classes: int,
    predictor: str = "auto",
    at_random: Ints | None = None,
    *,
    noise: float | str = 0.0,
    trusted: Array | None = None,
    judge: bool = False,
    counts: Floats | None = None,
) -> ClassPredictor:
    """Predict the classes of all samples from those of some, by a mixture of predictors.

    Parameters
    ----------
    pool : ViewedPool
    landmarks, codes : (l,), the labeled samples and their class numbers
    predictor : "auto" or "linear", which leaves the views out; a pool without features has only its graph
    at_random : places among the landmarks that were drawn at random, optional
        `ENOUGH` of them set the temperature alone: chosen samples are harder to predict than others.
    noise : share of the labels that are wrong; "auto" estimates it
    trusted : (l,) bool, labels that are right for certain, optional
    judge : whether each label is to be judged in any case, also if noise is not believed
    counts : (l,) how much each label counts, in models and in the weights of predictors; optional

    Returns
    -------
    ClassPredictor
        ``probabilities`` of all samples, ``left_out`` of the labeled ones without their own labels,
        ``weights`` of the predictors; it predicts new samples, too.

    Notes
    -----
    Cost: for each view a linear system with a column for each class, and one with a column for each label,
    which gives all left-out predictions at once; a linear model and, up to some thousands of labels, a
    kernel machine. It is what `ManifoldClassifier` does.

    See Also
    --------
    trigpoint.ManifoldClassifier : makes the views, and takes labels by their names.

    Examples
    --------
    >>> import numpy as np
    >>> from trigpoint.prediction import predict_classes, viewed_pool
    >>> X = np.concatenate([np.random.default_rng(0).normal(k * 9, 1, (20, 8)) for k in range(2)])
    >>> found = predict_classes(viewed_pool(X), np.array([3, 30]), np.array([0, 1]), 2)
    >>> found.probabilities.argmax(axis=1)[[0, 39]]
    array([0, 1])
    """
    y = np.eye(n_classes)[codes]
    members = _fit(pool, landmarks, codes, y, predictor, counts)
    weights, together = _together(members, y, counts)
    found, believed, kept, support = None, False, 1.0, JUDGED if judge else SUPPORT
    share = None if noise == "auto" else float(noise)
    if noise != 0:
        found = label_noise(together, codes, share, trusted, support)
        believed = bool(found.judged.any()) and (judge or share is not None or found.gain > 0)
        if believed and share is None and len(codes) <= MANY:
            kept = _lasting(pool, landmarks, codes, y, predictor, weights, found, support)
            believed = judge or found.share * kept * len(codes) >= 1.0
        found = found.lessened(kept)
    for _ in range(ROUNDS if len(codes) <= MANY else 1):
        if found is None or not believed:
            break
        before, right = found, np.maximum(found.right, LEAST)
        each = right if counts is None else right * counts
        members = _fit(pool, landmarks, codes, y, predictor, each, right)
        weights, together = _together(members, y, each)
        found = label_noise(together, codes, share, trusted, support).lessened(kept)
        if abs(found.share - before.share) * len(codes) < 0.5:
            break
    T, at_labels = _certainty(together, y, at_random, found if believed else None)
    p = sharpened(mixed(members.said(pool.X), weights), T)
    p[landmarks] = at_labels
    warn_unknown(pool, landmarks, p)
    wrong = [float((each.argmax(axis=1) != codes).mean()) for each in members.left]
    return ClassPredictor(
        pool,
        p,
        dict(zip(members.names, weights.tolist(), strict=True)),
        dict(zip(members.names, wrong, strict=True)),
        T,
        sharpened(together, T),
        members.spread_values,
        members.models,
        found,
        believed,
    )


def _lasting(
    pool: ViewedPool,
    landmarks: Ints,
    codes: Ints,
    y: Floats,
    predictor: str,
    weights: Floats,
    found: LabelNoise,
    support: int,
) -> float:
    """e* / e."""
    half, q = np.empty(len(codes), dtype=bool), np.zeros_like(y)
    half[np.argsort(codes, kind="stable")] = np.arange(len(codes)) % 2 == 0
    for here in (half, ~half):
        others = landmarks[~here]
        if not here.any() or len(others) == 0:
            return 1.0
        members = _fit(pool, landmarks[here], codes[here], y[here], predictor, None)
        q[~here] = mixed(members.said_of(pool.X, others), weights)
    earlier = label_noise(np.nan_to_num(q, nan=1.0 / y.shape[1]), codes, None, found.sure, support).share
    return float(np.clip(2.0 - earlier / found.share, 0.0, 1.0)) if found.share > 0 else 1.0


def _certainty(
    together: Floats, y: Floats, at_random: Ints | None, noise: LabelNoise | None
) -> tuple[float, Floats]:
    """The temperature of the mixture, and (l, k) probabilities of the labeled samples."""
    if noise is not None:
        return noise.temperature, noise.posterior
    some = slice(None) if at_random is None or len(at_random) < ENOUGH else at_random
    return temperature_of(together[some], y[some]), y


def _together(members: Members, y: Floats, counts: Floats | None) -> tuple[Floats, Floats]:
    weights = weights_of(members.left, y, counts=counts)
    return weights, mixed(members.left, weights)


def _fit(
    pool: ViewedPool,
    landmarks: Ints,
    codes: Ints,
    y: Floats,
    predictor: str,
    counts: Floats | None,
    right: Floats | None = None,
) -> Members:
    """Models of labels that count ``counts``; views keep labels, or are pulled if they may be wrong."""
    names: list[str] = []
    left, kept = [], []
    views = () if predictor == "linear" and pool.X is not None else pool.views
    for seen in track(views, "predictors"):
        found = seen.spread(landmarks, y) if right is None else _pulled(seen, landmarks, y, right)
        names.append(seen.name)
        left.append(_probabilities(found.left_out))
        kept.append(seen.reached(landmarks, found.values))
    models = None
    if pool.X is not None:
        k = y.shape[1]
        wanted = model_names(pool.n_samples, k, len(codes)) if views else ("linear",)
        models, outside = fit_models(pool.X, pool.standard, wanted, landmarks, codes, k, counts)
        names += wanted
        left += outside
    return Members(tuple(names), left, tuple(kept), models)


def _pulled(seen: PoolView, landmarks: Ints, y: Floats, counts: Floats) -> Spread:
    """With the pull that predicts left out labels best."""
    noise = 1.0 / (relative_degrees(seen.phi)[landmarks] * counts)
    some = PULLS if len(landmarks) <= FEW else PULLS[:1]
    tried = [seen.spread(landmarks, y, noise=s * noise) for s in some]

    def error(found: Spread) -> float:
        return float(counts @ np.square(_probabilities(found.left_out) - y).sum(axis=1))

    return tried[0] if len(tried) == 1 else min(tried, key=error)


def _probabilities(values: Floats) -> Floats:
    return sharpened(classify(values).probabilities, SQUARE)
