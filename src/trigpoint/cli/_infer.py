"""Labels of all samples from those of a few, as columns of a table.

Classes are those of `propagation.classify`, with the largest probability and the uncertainty. Real values
are propagated as they are, with their standard deviations. Where no label reaches, class, probability and
value are empty; the uncertainty is 1, the standard deviation infinite.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import UnreachedWarning
from trigpoint._types import Floats, Sparse
from trigpoint.cli._errors import tell
from trigpoint.io import Labels
from trigpoint.propagation import UnknownScaleError, classify, decode, propagate, uncertainty


@dataclass(frozen=True, eq=False)
class Inferred:
    columns: dict[str, Any]  # each (n,)
    n_unreached: int


def infer(phi: Sparse, labels: Labels, seed: int, std: bool) -> Inferred:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachedWarning)  # told by the caller, once
        if isinstance(labels.values, list):
            return _classes(phi, labels, labels.values)
        return _values(phi, labels, labels.values, seed, std)


def _classes(phi: Sparse, labels: Labels, given: list[str]) -> Inferred:
    classes, codes = np.unique(given, return_inverse=True)
    found = classify(propagate(phi, labels.indices, np.eye(len(classes))[codes]))
    columns = {
        "predicted": decode(classes.tolist(), found.numbers),
        "probability": found.probabilities.max(axis=1),
        "uncertainty": found.uncertainty,
    }
    return Inferred(columns, int((found.numbers < 0).sum()))


def _values(phi: Sparse, labels: Labels, given: Floats, seed: int, std: bool) -> Inferred:
    values = propagate(phi, labels.indices, given)
    unknown = np.isnan(values).reshape(len(values), -1).any(axis=1)
    columns = _named("value", values, labels)
    if std:
        columns |= _named("std", _std(phi, labels, given, seed, values), labels)
    return Inferred(columns, int(unknown.sum()))


def _std(phi: Sparse, labels: Labels, given: Floats, seed: int, values: Floats) -> Floats:
    try:
        return uncertainty(phi, labels.indices, given, random_state=seed)
    except UnknownScaleError as error:
        tell(f"no standard deviations: {error}")
        return np.full_like(values, np.nan)


def _named(what: str, array: Floats, labels: Labels) -> dict[str, Floats]:
    """One column, or one for each target, called as in the file of labels where that has names."""
    if array.ndim == 1:
        return {what: array}
    d = array.shape[1]
    names = labels.columns if len(labels.columns) == d else [str(j) for j in range(d)]
    return {f"{what}_{name}": array[:, j] for j, name in enumerate(names)}
