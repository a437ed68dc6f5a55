"""Sets of tags of all samples, and of new ones, from those of a few.

A sample has any number of t tags, perhaps none. Y is (l, t), 1 where a labeled sample has a tag, else 0.
Predictors are one a view, which spreads Y less its mean m on its graph (`_spread`: one solve for all tags)
and adds m again, and models of the features (`_tag_models`). Each says for each tag how likely it is present,
p in [0, 1]. `_mixture` weighs them, with weights that all tags share: by the sum of squared errors at labels
that are left out. The mixture p becomes p^(1/T) / (p^(1/T) + (1 - p)^(1/T)), with one T for all tags.

One threshold h for all tags: a tag is present where p > h. h is such that the labeled samples, each predicted
without its label, have as many tags in all as they really have. It lies between `EDGE` and 1 - `EDGE`. Rare
tags that are hard to tell have small p wherever they are: with 1/2 they would never be found.

The uncertainty of a sample is the chance that its set is not exactly right, if tags were independent:

    1 - prod_j (p_j if p_j > h else 1 - p_j).

Labeled samples keep their tags. Where no label reaches a sample in a view, that view says nothing of it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.prediction._mixture import mixed, sharpened, temperature_of, weights_of
from trigpoint.prediction._pool_views import PoolView, ViewedPool, best_view, warn_unknown
from trigpoint.prediction._tag_models import TagModels, fit_tag_models, in_range
from trigpoint.propagation import copies, extend

ENOUGH = 20  # random labels
EDGE = 0.2
FLAT = 0.5  # the threshold where labels say nothing of it
SURE = 1e-9  # probabilities are never quite 0 or 1, as scikit-learn asks


@dataclass(frozen=True, eq=False)
class TagPredictor:
    """A mixture that was fitted on sets of tags.

    Attributes
    ----------
    probabilities : (n, t) of each tag; `SURE` or 1 - `SURE` at labeled samples, NaN where nothing is known
    weights : predictor -> weight; views by their names, and "linear", "kernel"
    errors : predictor -> share of the tags of labels, present or absent, that it gets wrong without knowing
        them, by the threshold 1/2
    temperature : of the mixture
    threshold : h, a tag is present where its probability is larger
    left_out : (l, t) what the mixture says of the labels, each without knowing it
    views : those that labels are spread in
    spread_values : (n, t), a view
    """

    pool: ViewedPool
    probabilities: Floats
    weights: dict[str, float]
    errors: dict[str, float]
    temperature: float
    threshold: float
    left_out: Floats
    views: tuple[PoolView, ...]
    spread_values: tuple[Floats, ...]
    models: TagModels | None

    @property
    def share_of_wrong(self) -> float:
        """Tags are taken to be right."""
        return 0.0

    @property
    def main(self) -> PoolView:
        """The view that counts most; without labels that tell, the one of least nearness."""
        found = self.views or self.pool.views
        return max(found, key=lambda seen: (self.weights.get(seen.name, 0.0), -seen.nearness))

    def new(self, X_new: Any) -> Floats:
        """(m, t) probabilities of samples, of the pool or new."""
        said = []
        for seen, values in zip(self.views, self.spread_values, strict=True):
            said.append(extend(seen.graph, seen.X, seen.transform(X_new), values))
        if self.models is not None:
            said += self.models.predict(X_new)
        found = tempered(mixed(said, np.array(list(self.weights.values()))), self.temperature)
        first = self.pool.views[0]
        same = copies(first.graph, first.X, first.transform(X_new), self.probabilities)
        return np.where(np.isnan(same), found, same)


def predict_tags(
    pool: ViewedPool,
    landmarks: Ints,
    Y: Floats,
    predictor: str = "auto",
    at_random: Ints | None = None,
    *,
    counts: Floats | None = None,
) -> TagPredictor:
    """Predict the tags of all samples from those of some, by a mixture of predictors.

    Parameters
    ----------
    pool : ViewedPool
    landmarks : (l,), the labeled samples
    Y : (l, t) their tags, 1 or 0
    predictor : "auto"; "linear", which leaves views and the kernel machine out; or "propagation", one view
        alone, the one that predicts left out labels best. A pool without features has only its graph.
    at_random : places among the landmarks that were drawn at random, optional
        `ENOUGH` of them set temperature and threshold: chosen samples are harder to predict than others.
    counts : (l,) how much each label counts, optional
    """
    views = _views(pool, landmarks, Y, predictor)
    names, left, kept, m = [], [], [], Y.mean(axis=0)
    for seen in views:
        found = seen.spread(landmarks, Y - m)
        names.append(seen.name)
        left.append(in_range(found.left_out + m))
        kept.append(in_range(seen.reached(landmarks, found.values + m)))
    models = None
    if pool.X is not None and predictor != "propagation":
        models, outside = fit_tag_models(
            pool.X, pool.standard, landmarks, Y, counts, only_linear=predictor == "linear"
        )
        names += models.names
        left += outside
    weights = weights_of(left, Y, counts=counts)
    together = mixed(left, weights)
    some = slice(None) if at_random is None or len(at_random) < ENOUGH else at_random
    T = temperature_of(_pairs(together[some]), _pairs(Y[some]))
    together = tempered(together, T)
    said = kept if models is None else kept + models.predict(pool.X)
    p = tempered(mixed(said, weights), T)
    p[landmarks] = np.clip(Y, SURE, 1.0 - SURE)
    warn_unknown(pool, landmarks, p)
    return TagPredictor(
        pool,
        p,
        dict(zip(names, weights.tolist(), strict=True)),
        {name: float(((q > FLAT) != (Y > FLAT)).mean()) for name, q in zip(names, left, strict=True)},
        T,
        threshold_of(together[some], Y[some]),
        together,
        views,
        tuple(kept),
        models,
    )


def _views(pool: ViewedPool, landmarks: Ints, Y: Floats, predictor: str) -> tuple[PoolView, ...]:
    if predictor == "linear" and pool.X is not None:
        return ()
    return (best_view(pool, landmarks, Y)[0],) if predictor == "propagation" else pool.views


def threshold_of(left_out: Floats, Y: Floats) -> float:
    """h, between the last presence that counts and the next one."""
    count, p = int(Y.sum()), np.sort(left_out, axis=None)[::-1]
    if count == 0 or count == len(p):
        return FLAT
    return float(np.clip((p[count - 1] + p[count]) / 2.0, EDGE, 1.0 - EDGE))


def tempered(p: Floats, temperature: float) -> Floats:
    """(n, t) presences with a temperature, each beside its absence; never quite 0 or 1."""
    return np.clip(sharpened(_pairs(p), temperature)[:, 1].reshape(p.shape), SURE, 1.0 - SURE)


def _pairs(p: Floats) -> Floats:
    """(n t, 2) absence and presence."""
    return np.stack([1.0 - p, p], axis=-1).reshape(-1, 2)


def present(probabilities: Floats, threshold: float) -> Array:
    """(n, t) bool: which tags a sample has; none where nothing is known."""
    return np.asarray(np.nan_to_num(probabilities, nan=0.0) > threshold)


def tag_uncertainty(probabilities: Floats, threshold: float) -> Floats:
    """(n,) the chance that a set is not exactly right; 1 where nothing is known."""
    said = np.where(present(probabilities, threshold), probabilities, 1.0 - probabilities)
    return np.asarray(1.0 - np.nan_to_num(said.prod(axis=1), nan=0.0))
