"""Estimators of what was predicted elsewhere: nothing is fitted again."""

from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints
from trigpoint.estimators._base import Propagated
from trigpoint.estimators._classifier import ManifoldClassifier
from trigpoint.estimators._regressor import ManifoldRegressor, Part
from trigpoint.prediction import ClassPredictor, TagPredictor, ValuePredictor, ViewedPool
from trigpoint.propagation import encode


def classifier_of(
    found: ClassPredictor | Propagated, landmarks: Ints, codes: Ints, classes: Any, **parameters: Any
) -> ManifoldClassifier:
    """A fitted classifier.

    Parameters
    ----------
    found : what was predicted
    landmarks, codes : (l,), the labeled samples and their class numbers
    classes : (k,) the classes of these numbers; `classes_` has them sorted
    parameters : of the estimator
    """
    estimator = ManifoldClassifier(**parameters)
    estimator.n_features_in_, estimator.recipe_, estimator.columns_ = _n_features(found.pool), None, ()
    estimator.classes_, places = encode(list(classes))
    estimator.landmarks_ = np.sort(landmarks)
    estimator._take(found, codes, order=np.argsort(places))
    return estimator


def tagger_of(
    found: TagPredictor, landmarks: Ints, given: Floats, tags: Any, **parameters: Any
) -> ManifoldClassifier:
    """A fitted classifier of tags; ``given`` are (l, t) those of the labeled samples, 1 or 0."""
    estimator = ManifoldClassifier(**parameters)
    estimator.n_features_in_, estimator.recipe_, estimator.columns_ = _n_features(found.pool), None, ()
    try:
        order = np.array(sorted(range(len(tags)), key=lambda j: tags[j]), dtype=np.int64)
    except TypeError:
        raise InputError("tags", "must be of one kind to be sorted", f"{list(tags)}") from None
    estimator.classes_ = np.array([tags[j] for j in order])
    estimator.landmarks_ = np.sort(landmarks)
    estimator._take_tags(found, given, order)
    return estimator


def regressor_of(
    found: ValuePredictor | Propagated,
    landmarks: Ints,
    given: Floats,
    std: Floats | None,
    ndim: int,
    **parameters: Any,
) -> ManifoldRegressor:
    """A fitted regressor.

    Parameters
    ----------
    found : what was predicted
    landmarks, given : (l,), (l, d), the labeled samples and their values
    std : (n, d) standard deviations of all samples, or None
    ndim : of predictions: 1 for (n,), 2 for (n, d)
    parameters : of the estimator
    """
    estimator = ManifoldRegressor(compute_std=std is not None, **parameters)
    estimator.n_features_in_, estimator.recipe_, estimator.columns_ = _n_features(found.pool), None, ()
    estimator.landmarks_ = np.sort(landmarks)
    if isinstance(found, ValuePredictor):
        part = Part(found.values, found.main, found.weights, found.errors, found)
    else:
        part = Part(found.values, found.seen, found.weights, found.errors, None)
    posterior = None if std is None else (std, estimator._new_units(part, landmarks, given))
    estimator._take(found.pool, [(np.arange(given.shape[1]), part, posterior)], ndim)
    return estimator


def _n_features(pool: ViewedPool) -> int:
    """Of new samples: features, or distances to the pool."""
    graph = pool.views[0].graph
    if pool.X is None and graph.metric != "precomputed":
        raise InputError("an estimator", "needs features or distances; the pool is a graph")
    return graph.n_samples if pool.X is None else int(pool.X.shape[1])
