"""A model of the user's: its probabilities or values in place of our predictor's.

A copy of the model is fitted to the labels so far, once for each state of them; the user's object never is.
It sees the features of the labeled samples as they are, or what ``model_X`` holds of them: texts, say.
Classes are given as they were told; a model that refuses these gets their numbers from 0 on, as some need.

Its predictions of labels that it does not know come from `FOLDS` folds, which share out each class in the
order of the labels. They are made when somebody asks for them, since each fold is a fit of its own.

Questions are chosen by the model's doubt, on the graph of the view where labels that are left out are
predicted best (`prediction.best_view`). As long as fewer than two classes have a label, coverage decides.
So it does where the model refuses the labels so far (`ValueError`), with a warning that says why: many
models need some labels of each class.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints
from trigpoint.learner._beliefs import Beliefs, Known, deviations
from trigpoint.prediction import PoolView, ViewedPool, best_view, field_units
from trigpoint.propagation import classify

FOLDS = 5
METHODS = ("auto", "coverage", "uncertainty")
SUM = 1e-3  # how far the probabilities of a sample may be from 1 in all: float32 of many classes
ROLES = {"classification": ("classifier", "predict_proba"), "regression": ("regressor", "predict")}


@dataclass(frozen=True, eq=False)
class OwnModel:
    """A model that is never fitted, and what it sees of the pool; None where that is the features."""

    model: Any
    X: Any

    @property
    def name(self) -> str:
        return type(self.model).__name__

    def sees(self, pool: ViewedPool) -> Any:
        if self.X is None:
            return pool.X
        _check_seen(self.X, pool.n_samples)  # the pool may have grown
        return self.X


def check_model(
    model: Any, model_X: Any, features: bool, n: int, settings: dict[str, Any]
) -> OwnModel | None:
    """The model with what it sees, or None; settings that speak of our own predictor must be left alone."""
    task, method = settings["task"], settings["method"]
    predictor, noise = settings["predictor"], settings["noise"]
    if model is None:
        if model_X is not None:
            raise InputError("model_X", "must be None without a model")
        return None
    if task not in ROLES:
        raise InputError("model", f"must be None for task={task!r}")
    role, answer = ROLES[task]
    if isinstance(model, type) or not hasattr(model, "fit") or not hasattr(model, answer):
        rule = f"must be a {role}, an object with fit and {answer}"
        raise InputError("model", rule, f"{_said_of(model)}, which has no {_missing(model, answer)}")
    if method not in METHODS:
        rule = f"must be {', '.join(METHODS[:-1])} or {METHODS[-1]} with a model of your own"
        raise InputError("method", rule, repr(method))
    if predictor != "auto":
        raise InputError("predictor", "must be left at 'auto' with a model of your own", repr(predictor))
    if noise not in ("auto", 0):
        raise InputError("noise", "must be 'auto' or 0 with a model of your own", repr(noise))
    if not features and model_X is None:
        raise InputError("model_X", "must be given with a model: this pool has no features")
    _copy(model)
    return OwnModel(model, None if model_X is None else _check_seen(model_X, n))


def _said_of(model: Any) -> str:
    return f"the class {model.__name__}" if isinstance(model, type) else repr(model)


def _missing(model: Any, answer: str) -> str:
    if isinstance(model, type):
        return f"settings yet: give {model.__name__}()"
    return answer if hasattr(model, "fit") else "fit"


def _check_seen(model_X: Any, n: int) -> Any:
    count = n_rows(model_X)
    if isinstance(model_X, str) or count != n:
        raise InputError("model_X", f"must have one row or text for each of {n} samples", count)
    return model_X.tocsr() if issparse(model_X) else model_X


def _copy(model: Any) -> Any:
    from sklearn.base import clone

    try:
        return clone(model, safe=False)
    except Exception as error:
        raise InputError("model", f"must be an object that can be copied; {error}") from None


def n_rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def rows(X: Any, places: Ints) -> Any:
    """Of an array, a sparse matrix, a data frame or a list."""
    if hasattr(X, "iloc"):
        return X.iloc[places]
    return X[places] if hasattr(X, "shape") else [X[i] for i in places]


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted model.

    Attributes
    ----------
    model : None where one class is all that was told
    columns : places among the classes of what it says; None for real targets
    width : classes, or targets a sample
    """

    model: Any
    columns: Ints | None
    width: int

    def __call__(self, X: Any) -> Floats:
        """(m, d) probabilities of the classes, or real values; all of them finite."""
        if self.columns is None:
            values = np.asarray(self.model.predict(X), dtype=np.float64)
            values = values[:, None] if values.ndim == 1 else values
            _check_numbers(values, self.width, "values")
            return values
        p = np.zeros((n_rows(X), self.width))
        p[:, self.columns] = 1.0 if self.model is None else self._probabilities(X)
        return p

    def _probabilities(self, X: Any) -> Floats:
        assert self.columns is not None
        found = np.asarray(self.model.predict_proba(X), dtype=np.float64)
        _check_numbers(found, len(self.columns), "probabilities")
        if len(found) and (found.min() < -SUM or np.abs(found.sum(axis=1) - 1.0).max() > SUM):
            raise InputError("model", "must give probabilities: at least 0, with the sum 1 for a sample")
        return found


def _check_numbers(found: Floats, width: int, what: str) -> None:
    if found.ndim != 2 or found.shape[1] != width:
        raise InputError("model", f"must give {width} {what} a sample", f"shape {found.shape}")
    if not np.isfinite(found).all():
        row = int(np.argmax(~np.isfinite(found).all(axis=1)))
        raise InputError("model", f"must give finite {what}", f"{found[row].tolist()} for row {row}")


def fit(own: OwnModel, X: Any, known: Known, places: Ints) -> Fitted:
    """To these of the labels; a plain ValueError where the model refuses them."""
    values = known.values[places]
    given = rows(X, known.landmarks[places])
    if not known.classes:
        flat = values[:, 0] if values.shape[1] == 1 else values
        return Fitted(_fit(own, given, flat), None, values.shape[1])
    seen, codes = np.unique(values.argmax(axis=1), return_inverse=True)
    if len(seen) == 1:
        return Fitted(None, seen, len(known.classes))
    labels = [known.classes[k] for k in seen]
    named = np.array(labels)
    if named.tolist() == labels:  # of one type
        try:
            return _classifier(_fit(own, given, named[codes]), dict(zip(labels, seen, strict=True)), known)
        except InputError:
            raise
        except ValueError:  # XGBoost takes classes only as 0, ..., k - 1
            pass
    return _classifier(_fit(own, given, codes), dict(enumerate(seen)), known)


def _fit(own: OwnModel, X: Any, y: Any) -> Any:
    model = _copy(own.model)
    try:
        model.fit(X, y)
    except ValueError:
        raise
    except Exception as error:
        raise InputError("model", f"cannot be fitted to {len(y)} labels: {_words(error)}") from error
    return model


def _classifier(model: Any, place: dict[Any, int], known: Known) -> Fitted:
    if not hasattr(model, "classes_"):
        raise InputError("model", "must have classes_ once it is fitted, as those of scikit-learn")
    found = np.asarray(model.classes_).tolist()
    if len(found) != len(place) or not set(found) <= set(place):
        raise InputError("model", f"must have the classes that it was given, {list(place)}", found)
    return Fitted(model, np.array([place[c] for c in found], dtype=np.int64), len(known.classes))


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


@dataclass(frozen=True, eq=False)
class ModelBeliefs:
    """What the model says of one state of the labels; the attributes are those of `Beliefs`."""

    known: Known
    values: Floats
    view: PoolView
    weights: dict[str, float]
    own: OwnModel
    X: Any  # as the model sees the pool
    fitted: Fitted | None  # None as long as there are too few labels

    noise = 0.0
    threshold = 0.5  # of tags, which it does not know

    def doubts(self) -> Floats:
        """(n,) the uncertainty of classes."""
        return classify(self.values).uncertainty

    def contradicted(self) -> Ints:
        """None: a model takes labels to be right."""
        return np.empty(0, dtype=np.int64)

    @cached_property
    def left_out(self) -> Floats:
        """(l, d) of each label, from a model without those of its fold; NaN where there is none."""
        found, everything = np.full(self.known.values.shape, np.nan), np.arange(len(self.known.landmarks))
        if self.fitted is None:
            return found
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they came when it was fitted to all labels
            for there in _folds(self.known):
                others = np.setdiff1d(everything, there)
                try:
                    fitted = fit(self.own, self.X, self.known, others)
                    found[there] = fitted(rows(self.X, self.known.landmarks[there]))
                except InputError:
                    raise
                except ValueError:
                    continue  # too few are left
        return found

    def new(self, X_new: Any) -> Floats:
        """(m, d) of other samples, as the model sees them."""
        if self.fitted is None:
            return np.full((n_rows(X_new), self.values.shape[1]), np.nan)
        return self.fitted(X_new)

    def deviations(self) -> Floats:
        """(n, d) standard deviations: those of a field given the labels, scaled by the errors left out."""
        residuals = self.left_out - self.known.values
        if len(residuals) < 2 or np.isnan(residuals).any():
            return np.full(self.values.shape, np.inf)
        units = field_units(self.view.phi, self.known.landmarks, residuals)
        return deviations(self.view, self.known.landmarks, units)


Said = Beliefs | ModelBeliefs


def model_beliefs(own: OwnModel, pool: ViewedPool, known: Known) -> ModelBeliefs:
    """What a copy of the model says once it is fitted to these labels."""
    X, count, fitted = own.sees(pool), len(known.landmarks), None
    values = np.full((pool.n_samples, known.values.shape[1]), np.nan)
    if count:
        try:
            fitted = fit(own, X, known, np.arange(count))
            values = fitted(X)
        except InputError:
            raise
        except ValueError as error:
            said = f"the model cannot be fitted to {count} labels yet: it predicts nothing, and coverage asks"
            warnings.warn(f"{said}. {_words(error)}", UserWarning, stacklevel=2)
            fitted = None
    weights = {} if fitted is None else {own.name: 1.0}
    return ModelBeliefs(known, values, _view(pool, known), weights, own, X, fitted)


def _view(pool: ViewedPool, known: Known) -> PoolView:
    told = len(known.landmarks) if not known.classes else len(known.seen)
    if not known.decides or told < 2:
        return pool.main
    _ = [view.inverse for view in pool.views]  # kept, since labels come again and again
    middle = 0.0 if known.classes else known.values.mean(axis=0)
    return best_view(pool, known.landmarks, known.values - middle)[0]


def _folds(known: Known) -> Iterator[Ints]:
    """Places of the labels of each fold: each class is dealt out in turn, real targets as they came."""
    count = len(known.landmarks)
    order = np.argsort(known.values.argmax(axis=1), kind="stable") if known.classes else np.arange(count)
    if count > 1:
        yield from (order[number::FOLDS] for number in range(min(FOLDS, count)))
