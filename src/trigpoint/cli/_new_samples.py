"""New samples for a model: read as its pool was, predicted, and what the model says of itself."""

from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import typer

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint.cli._infer import tag_columns
from trigpoint.cli._output import print_json
from trigpoint.estimators import Model
from trigpoint.io import MissingColumnError, Samples, read_pool
from trigpoint.propagation import classify, decode

KINDS = {
    "table": "a table",
    "text": "a table with a column of texts",
    "images": "pictures",
    "array": "an array",
}


def read_new(model: Model, path: Path, options: dict[str, Any]) -> Samples:
    """With the recipe of the pool, where it has one; refused if the model cannot know such samples."""
    given = {name: value for name, value in options.items() if value is not None}
    recipe = model.recipe
    if recipe is not None:
        if "features" in given:
            raise InputError("--features", f"must be left out: the model reads {KINDS[recipe.kind]} itself")
        given["recipe"] = recipe
        if recipe.kind == "text" and model.about["notes"].get("text_column"):
            given.setdefault("text_column", model.about["notes"]["text_column"])
    named = model.about["notes"].get("id_column") if "id_column" not in given else None
    try:
        samples = _read_named(path, given, named)
    except InputError as error:
        unasked = options["text_column"] is None and not isinstance(error, MissingColumnError)
        if recipe is not None and error.argument in ("recipe", *["text_column"] * unasked):
            rule = f"must be {KINDS[recipe.kind]}, as the pool of the model was"
            raise InputError(path, rule, "a folder" if path.is_dir() else f"a {path.suffix} file") from None
        if recipe is not None and error.argument == "columns":
            raise InputError(path, error.rule, error.value) from None
        raise
    _check_known(model, samples)
    return samples


def _read_named(path: Path, given: dict[str, Any], id_column: str | None) -> Samples:
    """With the ids of a column that need not be there."""
    if id_column is None:
        return read_pool(path, **given)
    try:
        return read_pool(path, id_column=id_column, **given)
    except InputError as error:
        if error.argument != "id_column":
            raise
        return read_pool(path, **given)


def _check_known(model: Model, samples: Samples) -> None:
    """Whether the features are those of the model."""
    if samples.X is None:
        raise InputError(samples.path, "must hold features; it is a graph")
    if model.recipe is None and samples.recipe is not None:
        kind = KINDS[samples.kind]
        rule = "must be an array, or come with --features FILE: the model was made from given features"
        raise InputError(samples.path, rule, kind)
    p, expected = samples.X.shape[1], model.about["n_features"]
    if p != expected:
        raise InputError(samples.path, f"must have {expected} features a sample, as the model knows them", p)


def predictions(model: Model, X: Any) -> tuple[dict[str, Any], int]:
    """The columns of `trigpoint propagate`, and for how many samples nothing is known."""
    estimator = copy(model.estimator)
    estimator.recipe_ = estimator._file_recipe = None  # of data frames; X holds features already
    if model.about["task"] == "tags":
        tags = [str(tag) for tag in estimator.classes_]
        return tag_columns(estimator.predict_proba(X), estimator.threshold_, tags)
    if model.about["task"] == "classification":
        said = classify(estimator.predict_proba(X))
        columns = {
            "predicted": decode(estimator.classes_, said.numbers),
            "probability": said.probabilities.max(axis=1),
            "uncertainty": said.uncertainty,
        }
        return columns, int((said.numbers < 0).sum())
    if estimator.uncertainty_ is None:
        values = estimator.predict(X)
        found = {"value": values}
    else:
        values, std = estimator.predict(X, return_std=True)
        found = {"value": values, "std": std}
    targets = list(model.about["notes"].get("target_names", ()))
    columns = {}
    for what, array in found.items():
        columns |= _named(what, array, targets)
    return columns, int(np.isnan(values.reshape(len(values), -1)).any(axis=1).sum())


def _named(what: str, array: Floats, targets: list[str]) -> dict[str, Floats]:
    if array.ndim == 1:
        return {what: array}
    d = array.shape[1]
    names = targets if len(targets) == d else [str(j) for j in range(d)]
    return {f"{what}_{name}": array[:, j] for j, name in enumerate(names)}


def print_about(path: Path, about: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json({"model": str(path), **about})
        return
    for line in told(path, about):
        typer.echo(line)


def told(path: Path, about: dict[str, Any]) -> list[str]:
    """What a model was made from, in lines."""
    classes, pool = about["classes"], about["pool"]
    kind = "tags" if about["task"] == "tags" else "classes"
    what = "real values" if classes is None else f"{len(classes)} {kind}: {', '.join(classes[:10])}"
    lines = [f"{path}: predicts {what}{', ...' * (classes is not None and len(classes) > 10)}"]
    rows = {"made": about["made"]}
    if pool is not None:
        rows["pool"] = f"{pool['path']}, {KINDS[pool['kind']]}, fingerprint {pool['fingerprint']}"
    rows["samples"] = f"{about['n_samples']}, {about['n_features']} features each"
    rows["labels"] = str(about["n_labels"])
    if about["left_out_error"] is not None:
        error = about["left_out_error"]
        rows["error"] = f"{error:.1%} of labels left out" if classes else f"{error:.4g} at values left out"
    rows["weights"] = ", ".join(f"{name} {weight:.0%}" for name, weight in about["weights"].items())
    for used, name in ((True, "columns"), (False, "left out")):
        columns = [one for one in (pool or {}).get("columns", ()) if (one["use"] is not None) == used]
        if columns:
            rows[name] = ", ".join(f"{one['name']} ({one['use'] or one['why']})" for one in columns)
    rows["versions"] = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    return lines + [f"  {name:<9} {text}" for name, text in rows.items()]
