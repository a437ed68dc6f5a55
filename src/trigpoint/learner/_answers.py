"""What the learner checks of its own arguments, beyond `_validation`."""

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints
from trigpoint._validation import check_integer, check_label, check_values


def check_seed(random_state: Any) -> int:
    """A whole number, since a run must repeat from its log and seed."""
    return check_integer(random_state, "random_state", 0)


def check_person(annotator: Any) -> str | None:
    """A name that a log can hold."""
    if annotator is not None and not (isinstance(annotator, str) and annotator.strip()):
        raise InputError("annotator", "must be a name: text that is not blank", repr(annotator))
    return None if annotator is None else str(annotator)


def check_cost(cost: Any, n: int) -> Floats:
    if cost is None:
        return np.ones(n)
    array = check_values(cost, n, "cost", "one number per sample")
    if array.ndim != 1 or array.min() <= 0.0:
        raise InputError("cost", "must be one positive number per sample", f"{array.min():g}")
    return array


def check_groups(groups: Any, n: int) -> Ints | None:
    """Groups by number; anything that sorts may name them."""
    if groups is None:
        return None
    array = np.asarray(groups)
    if array.shape != (n,):
        raise InputError("at_least_one_per", f"must have shape ({n},), a group per sample", array.shape)
    numbers_: Ints = np.unique(array.astype(str) if array.dtype == object else array, return_inverse=True)[1]
    return numbers_


def check_answers(
    labels: Any, task: str, name: str, count: int | None = None, width: int | None = None
) -> list[Any]:
    """Labels as plain values that a log can hold: None for unsure, lists for real targets and for tags."""
    if task == "tags" and count == 1 and isinstance(labels, set | frozenset):
        labels = [labels]
    if isinstance(labels, dict | set | frozenset):
        raise TypeError(f"{name} must be a sequence in the samples' order; got {type(labels).__name__}.")
    if isinstance(labels, np.ndarray) and labels.ndim == 0:
        labels = labels.item()
    if (
        isinstance(labels, str | bytes)
        or not hasattr(labels, "__len__")
        or (task == "regression" and count == 1 < len(labels) and _is_row(labels))
    ):
        labels = [labels]
    if count is not None and len(labels) != count:
        raise InputError(name, f"must be one for each of the {count} samples", len(labels))
    if task == "tags":
        return [_tags(label, name) for label in labels]
    if task == "regression":
        rows = [_target(label, name) for label in labels]
        width = width or next((len(row) for row in rows if row is not None), None)
        for row in rows:
            if row is not None and len(row) != width:
                raise InputError(name, f"must have {width} targets per sample, as the first", len(row))
        return rows
    return [_class(label, name) for label in labels]


def _is_row(labels: Any) -> bool:
    return all(isinstance(x, numbers.Real) for x in labels)


def _class(label: Any, name: str) -> Any:
    label = label.item() if isinstance(label, np.generic) else label
    if label is None:
        return None
    check_label(label, name, "must be classes")
    if not isinstance(label, str | bool | int | float):
        raise InputError(name, "must be strings, integers, numbers or booleans", repr(label))
    if label == -1 or (isinstance(label, int) and abs(label) >= 2**63):
        raise InputError(name, "must be 64-bit classes other than -1, which means unknown", repr(label))
    return label


def _tags(label: Any, name: str) -> list[Any] | None:
    if label is None:
        return None
    if not isinstance(label, set | frozenset | list | tuple | np.ndarray):
        raise InputError(name, "must be sets of tags, or None if unsure", repr(label))
    tags = {_class(tag, name) for tag in label}
    if None in tags:
        raise InputError(name, "must be sets of tags", f"{label!r}, with None among them")
    return in_order(tags)


def in_order(tags: Iterable[Any]) -> list[Any]:
    """Tags in the order of their names, whatever they are."""
    return sorted(tags, key=lambda tag: (str(tag), str(type(tag))))


def _target(label: Any, name: str) -> list[float] | None:
    if label is None:
        return None
    row = [label] if isinstance(label, numbers.Real) else list(np.ravel(label))
    if not all(isinstance(x, numbers.Real) and not isinstance(x, bool) for x in row):
        raise InputError(name, "must be real numbers", repr(label))
    values = [float(x) for x in row]
    if np.isnan(values).all():
        return None
    if not np.isfinite(values).all():
        raise InputError(name, "must be finite, or all NaN if unsure", repr(label))
    return values
