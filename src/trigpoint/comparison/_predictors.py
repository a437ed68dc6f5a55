"""Predictors as they are compared: a name, and how the labels of landmarks become those of all other samples.

auto          `ManifoldClassifier` or `ManifoldRegressor` on the features of the pool; where the pool is a
              graph, the same as propagation
propagation   hard least squares on the Laplacian of the split, `extend` for samples held out
logistic      logistic regression on scaled columns, for classes; ridge regression is "ridge", for real values
svm           a support vector machine with RBF kernel on scaled columns
1-nn          the value of the nearest landmark, in scaled columns

or a model of the user's: an estimator of scikit-learn, or any object with fit and predict. One that learns
from unlabeled samples (ours, LabelPropagation, LabelSpreading) is fitted to the whole pool, with -1 or NaN
where no landmark is; all others to the landmarks alone. Where all landmarks are of one class, that is what
these predict.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Ints
from trigpoint.comparison._labeled import Labeled
from trigpoint.comparison._loop import labels_of
from trigpoint.comparison._split import Split, held_out_values
from trigpoint.estimators import ManifoldClassifier, ManifoldRegressor
from trigpoint.propagation import classify, propagate

AUTO, PROPAGATION = "auto", "propagation"
ON_GRAPHS = (AUTO, PROPAGATION)
FOR_CLASSES = (AUTO, PROPAGATION, "logistic", "svm", "1-nn")
FOR_VALUES = (AUTO, PROPAGATION, "ridge", "svm", "1-nn")
PREDICTORS = tuple(dict.fromkeys((*FOR_CLASSES, *FOR_VALUES)))


@dataclass(frozen=True)
class Predictor:
    name: str
    kind: str = ""  # one of those above
    own: Any = None  # an estimator instead

    @property
    def spelled(self) -> str:
        """All that its predictions depend on."""
        return self.kind if self.own is None else " ".join(repr(self.own).split())


def check_predictors(predictors: Any, known: Labeled) -> list[Predictor]:
    """Predictors in the order of the user. Those of a pool that is a graph need no features."""
    if predictors is None:
        names = FOR_CLASSES if known.classes else FOR_VALUES
        predictors = names if known.graph is None else (AUTO,)
    if isinstance(predictors, str) or not isinstance(predictors, Sequence | Mapping) or not predictors:
        rule = "must be a list of names, models and (name, model), or a dict of name: model"
        raise InputError("predictors", rule, repr(predictors))
    if isinstance(predictors, Mapping):
        named = [(name, name if how is None else how) for name, how in predictors.items()]
    else:
        named = [_named(one) for one in predictors]
    found = [_predictor(name, how, known) for name, how in named]
    if len({one.name for one in found}) < len(found):
        raise InputError("predictors", "must have distinct names", [one.name for one in found])
    return found


def _named(one: Any) -> tuple[Any, Any]:
    """A name, a (name, model), or a model, whose name is that of its class."""
    if isinstance(one, tuple) and len(one) == 2:
        return one
    return one if isinstance(one, str) else type(one).__name__, one


def _predictor(name: Any, how: Any, known: Labeled) -> Predictor:
    if not isinstance(name, str):
        raise InputError("predictors", "must have names", repr(name))
    if isinstance(how, str):
        choices = FOR_CLASSES if known.classes else FOR_VALUES
        if how not in choices:
            of = "classes" if known.classes else "real values"
            raise InputError("predictors", f"must be among {', '.join(choices)} for {of}", repr(how))
        if known.X is None and how not in ON_GRAPHS:
            raise InputError(
                "predictors", f"must be among {', '.join(ON_GRAPHS)} without features", repr(how)
            )
        return Predictor(name, how)
    _check_estimator(name, how, known)
    return Predictor(name, own=how)


def _check_estimator(name: str, how: Any, known: Labeled) -> None:
    from sklearn.base import is_classifier, is_regressor

    if isinstance(how, type) or not hasattr(how, "fit") or not hasattr(how, "predict"):
        rule = "must be a name or a model, an object with fit and predict"
        raise InputError(f"predictors[{name!r}]", rule, repr(how))
    fits, kind = (is_classifier, "classifier") if known.classes else (is_regressor, "regressor")
    if hasattr(how, "__sklearn_tags__") and not fits(how):
        raise InputError(f"predictors[{name!r}]", f"must be a {kind} for {known.task}", repr(how))
    if known.X is None:
        raise InputError(f"predictors[{name!r}]", "needs features; this pool is a graph")


def predicted(predictor: Predictor, known: Labeled, drawn: Split, landmarks: Ints) -> tuple[Array, Array]:
    """What the labels of landmarks say of the pool and of the samples held out.

    Classes by number, (n,) and (m,), -1 where unknown; or values, (n, d) and (m, d), NaN where unknown.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of samples that no landmark reaches, of solvers that stop early
        if predictor.kind == PROPAGATION or (predictor.kind == AUTO and drawn.made is None):
            return _propagated(known, drawn, landmarks)
        found = _fitted(predictor, known, drawn, landmarks)
    if known.classes:
        return found
    d = known.targets.shape[1]
    return found[0].reshape(-1, d), found[1].reshape(-1, d)


def _propagated(known: Labeled, drawn: Split, landmarks: Ints) -> tuple[Array, Array]:
    values = propagate(drawn.phi, landmarks, known.targets[drawn.keep[landmarks]])
    held = held_out_values(known, drawn, values)
    return (classify(values).numbers, classify(held).numbers) if known.classes else (values, held)


def _fitted(predictor: Predictor, known: Labeled, drawn: Split, landmarks: Ints) -> tuple[Array, Array]:
    labels = labels_of(known.targets[drawn.keep], known.classes)
    held = known.X[drawn.held]
    model = _model(predictor, known, drawn)
    if _learns_from_unlabeled(model):
        unknown = -1 if known.classes else np.nan
        given = np.full_like(labels, unknown)
        given[landmarks] = labels[landmarks]
        model.fit(drawn.X, given)
        return np.asarray(model.transduction_), np.asarray(model.predict(held))
    some = labels[landmarks]
    if known.classes and len(np.unique(some)) == 1:
        return np.full(len(labels), some[0]), np.full(len(drawn.held), some[0])
    try:
        model.fit(drawn.X[landmarks], some)
        return np.asarray(model.predict(drawn.X)), np.asarray(model.predict(held))
    except ValueError as error:
        rule = f"cannot learn from {len(landmarks)} landmarks: {error}"
        raise InputError(f"predictors[{predictor.name!r}]", rule) from error


def _learns_from_unlabeled(model: Any) -> bool:
    from sklearn.semi_supervised import LabelPropagation, LabelSpreading

    return isinstance(model, ManifoldClassifier | ManifoldRegressor | LabelPropagation | LabelSpreading)


def _model(predictor: Predictor, known: Labeled, drawn: Split) -> Any:
    """An estimator that has not been fitted."""
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.multioutput import MultiOutputRegressor
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, SVR

    if predictor.own is not None:
        return clone(predictor.own, safe=False)
    if predictor.kind == AUTO and drawn.made is not None:
        of_graphs = drawn.made.of_graphs
        if known.classes:
            return ManifoldClassifier(**of_graphs)
        return ManifoldRegressor(compute_std=False, **of_graphs)
    one = known.targets.shape[1] == 1
    models = {
        "logistic": LogisticRegression(max_iter=1000),
        "ridge": Ridge(),
        "svm": SVC() if known.classes else SVR() if one else MultiOutputRegressor(SVR()),
        "1-nn": KNeighborsClassifier(1) if known.classes else KNeighborsRegressor(1),
    }
    scaler = StandardScaler(with_mean=not sparse.issparse(known.X))
    return make_pipeline(scaler, models[predictor.kind])
