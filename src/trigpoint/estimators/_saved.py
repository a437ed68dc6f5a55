"""Fitted estimators in files: a model that predicts new samples, without pickles.

One archive (`io._archive`) holds the parameters, what was fitted, how the samples became features (the
recipe), and a record of what the model was made from. It is about as large as the features and the graphs of
the pool: those are what new samples are compared with.
"""

import warnings
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from os import PathLike
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from trigpoint._errors import InputError
from trigpoint._versions import library_versions
from trigpoint.alignment import align
from trigpoint.estimators._base import check_options
from trigpoint.estimators._classifier import ManifoldClassifier
from trigpoint.estimators._regressor import ManifoldRegressor, Part
from trigpoint.features import ColumnUse, Recipe, recipe_from
from trigpoint.graph import NeighborGraph
from trigpoint.io import (
    ArchiveKind,
    Form,
    Samples,
    form_of,
    from_plain,
    read_archive,
    to_plain,
    write_archive,
)
from trigpoint.prediction import forms

MODEL = ArchiveKind("model", 1, "trigpoint.save_model")
ESTIMATORS: dict[str, type] = {kind.__name__: kind for kind in (ManifoldClassifier, ManifoldRegressor)}
PHI = "alignment_matrix_"  # made anew
FRAME = ("recipe_", "columns_", "_file_recipe")  # kept as plain values


@dataclass(frozen=True, eq=False)
class Model:
    """What a model file holds.

    Attributes
    ----------
    estimator : ManifoldClassifier or ManifoldRegressor, fitted
    recipe : how samples become features, for `read_pool`; None if the features were given
    about : what the model was made from: plain values
    """

    estimator: Any
    recipe: Recipe | None
    about: dict[str, Any]


def save_model(
    path: str | PathLike[str],
    estimator: Any,
    *,
    samples: Samples | None = None,
    notes: dict[str, Any] | None = None,
) -> None:
    """Write a fitted estimator to one file, whole or not at all.

    Parameters
    ----------
    path : of the file; by custom it ends in .trigpoint
    estimator : ManifoldClassifier or ManifoldRegressor, fitted
    samples : what `read_pool` returned, if the features come from there
        Their recipe is kept, so that `trigpoint predict` reads new files in the same way.
    notes : further plain values to keep with it, optional
        `trigpoint predict` knows "text_column" and "target_names".

    Notes
    -----
    Cost: a file about as large as the features of the pool, which are not compressed. They can be read there:
    do not pass it on where the pool is secret (docs/models.md).

    See Also
    --------
    load_model : reads it.
    ActiveLearner : has a `save` of its own, which keeps questions and answers, too.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "small.trigpoint"
    >>> X = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]]
    >>> clf = tp.ManifoldClassifier(n_neighbors=3).fit(X, [3, -1, -1, -1, -1, 5])
    >>> tp.save_model(path, clf)
    >>> tp.load_model(path).predict([[1.5], [8.5]])
    array([3, 5])
    """
    if type(estimator) not in ESTIMATORS.values():
        rule = "must be a ManifoldClassifier or ManifoldRegressor"
        raise InputError("estimator", rule, f"a {type(estimator).__name__}")
    check_is_fitted(estimator)
    parameters = estimator.get_params(deep=False)
    apart = {PHI, *FRAME, *parameters}
    fitted = {name: value for name, value in vars(estimator).items() if name not in apart}
    of_file = estimator._file_recipe if samples is None else samples.recipe
    recipes = [_state(of_file), _state(estimator.recipe_)]
    columns = [asdict(use) for use in estimator.columns_]
    try:
        kept, arrays = to_plain([parameters, fitted, recipes, columns], _forms(estimator, estimator._pool.X))
    except TypeError as error:
        raise InputError("estimator", f"must hold plain values and arrays to be saved; {error}") from None
    about = _about(estimator, samples, notes or {})
    write_archive(path, MODEL, {"about": about, "estimator": type(estimator).__name__, "kept": kept}, arrays)


def load_model(path: str | PathLike[str]) -> Any:
    """The fitted estimator that `save_model` wrote; it predicts the same.

    Parameters
    ----------
    path : of the file

    Returns
    -------
    ManifoldClassifier or ManifoldRegressor

    Notes
    -----
    Cost: the file is read once, into as much memory as it has bytes. Nothing in it is code, and nothing is
    unpickled, so files of others are safe to open.

    See Also
    --------
    save_model : writes it.
    trigpoint.estimators.read_model : the recipe and the record of the file, too.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "small.trigpoint"
    >>> X = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]]
    >>> clf = tp.ManifoldClassifier(n_neighbors=3).fit(X, [3, -1, -1, -1, -1, 5])
    >>> tp.save_model(path, clf)
    >>> tp.load_model(path).predict([[1.5], [8.5]])
    array([3, 5])
    """
    return read_model(path).estimator


def read_model(path: str | PathLike[str]) -> Model:
    """The estimator of a file, its recipe, and what it was made from.

    Parameters
    ----------
    path : of a file that `save_model` wrote

    Returns
    -------
    Model
        ``estimator``, ``recipe`` (for `read_pool`) and ``about``, what it was made from.

    Notes
    -----
    Cost: the file is read once, into as much memory as it has bytes.

    See Also
    --------
    trigpoint.load_model : the estimator alone.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> from trigpoint.estimators import read_model
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "small.trigpoint"
    >>> tp.save_model(path, tp.ManifoldClassifier(n_neighbors=1).fit([[0.0], [1.0], [5.0]], ["a", None, "b"]))
    >>> read_model(path).about["n_samples"]
    3
    """
    found, arrays = read_archive(path, MODEL)
    try:
        parameters, fitted, states, columns = found["kept"]
        estimator = ESTIMATORS[found["estimator"]](**from_plain(parameters, arrays))
        vars(estimator).update(from_plain(fitted, arrays, _forms(estimator, None)))
        setattr(estimator, PHI, estimator._seen.phi)
        files, frames = (
            None if state is None else recipe_from(state) for state in from_plain(states, arrays)
        )
        uses = tuple(ColumnUse(**use) for use in from_plain(columns, arrays))
        estimator.recipe_, estimator.columns_ = None, uses
        _try(estimator)
        estimator.recipe_ = frames
        if files is not None:
            estimator._file_recipe = files
        return Model(estimator, files or frames, dict(found["about"]))
    except Exception as error:  # whatever other contents make of their readers
        said = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        raise InputError(path, f"must be a file written by {MODEL.writer}; {said}") from None


def _state(recipe: Recipe | None) -> dict[str, Any] | None:
    return None if recipe is None else recipe.state()


def _forms(estimator: Any, X: Any) -> tuple[Form, ...]:
    """Of all that the estimator holds, with X of its pool."""

    def aligned(graph: NeighborGraph, features: Any) -> Any:
        options = check_options(estimator.alignment_options, "alignment_options")
        return align(estimator.alignment, graph, features, **options)

    return (form_of(Part), *forms(X, aligned))


def _try(estimator: Any) -> None:
    """Predict a sample, so that a file whose parts do not fit each other is refused now and not later."""
    X = estimator._pool.X
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns without names
        estimator.predict(np.ones((1, estimator.graph_.n_samples)) if X is None else X[:1])


def _about(estimator: Any, samples: Samples | None, notes: dict[str, Any]) -> dict[str, Any]:
    """Plain values for people."""
    classes = getattr(estimator, "classes_", None)
    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": library_versions(),
        "task": _task(estimator),
        "classes": None if classes is None else [str(label) for label in classes],
        "n_samples": estimator.graph_.n_samples,
        "n_features": estimator.n_features_in_,
        "n_labels": len(estimator.landmarks_),
        "weights": estimator.weights_,
        "left_out_error": estimator.left_out_error_,
        "left_out_errors": estimator.left_out_errors_,
        "pool": None if samples is None else _pool(samples),
        "notes": notes,
    }


def _task(estimator: Any) -> str:
    if isinstance(estimator, ManifoldRegressor):
        return "regression"
    return "classification" if estimator._tagged is None else "tags"


def _pool(samples: Samples) -> dict[str, Any]:
    return {
        "path": samples.path.name,
        "kind": samples.kind,
        "fingerprint": samples.fingerprint,
        "columns": [asdict(column) for column in samples.columns],
    }
