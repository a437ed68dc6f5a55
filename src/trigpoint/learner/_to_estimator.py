"""A fitted estimator with the labels of a learner and what they say: nothing is fitted again."""

from dataclasses import replace
from typing import Any

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint.learner._beliefs import Beliefs
from trigpoint.learner._own_model import Said
from trigpoint.prediction import ViewedPool

SHARED = ("n_neighbors", "view", "predictor", "metric", "noise")  # parameters of both


def estimator_of(found: Said, pool: ViewedPool, settings: dict[str, Any], std: Floats) -> Any:
    """``std`` is (n,) or (n, d), of real targets."""
    from trigpoint.estimators import (
        Propagated,
        classifier_of,
        regressor_of,
        tagger_of,
    )  # scikit-learn takes a while

    if not isinstance(found, Beliefs):
        raise InputError("to_estimator", "has no meaning here: the model is yours, learner.model")
    if not found.weights:
        raise InputError("to_estimator", "needs labels; tell some first")
    known, given = found.known, {name: settings[name] for name in SHARED}
    said: Any = found.mixture
    if said is None:
        said = Propagated(replace(pool, views=(found.view,)), found.view, found.values, {})
    if known.tags:
        return tagger_of(said, known.landmarks, known.values, known.classes, **given)
    if known.classes:
        return classifier_of(said, known.landmarks, known.values.argmax(axis=1), known.classes, **given)
    d = known.values.shape[1]
    return regressor_of(said, known.landmarks, known.values, std.reshape(-1, d), min(d, 2), **given)
