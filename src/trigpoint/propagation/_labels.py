"""Labels of a pool, some of them unknown, as class numbers.

A label is unknown where it is -1, None or NaN; its class number is -1. `_classify.decode` is the way back.
"""

import numbers
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Ints


def encode(y: Any) -> tuple[Array, Ints]:
    """The classes, sorted, and the class number of each sample, -1 where unlabeled."""
    y = label_array(y)
    if y.ndim != 1:
        raise InputError("y", "must hold one label a sample", f"shape {y.shape}")
    unknown = _unknown(y)
    if unknown.all():
        raise InputError("y", f"must hold at least one label; all {len(y)} are unlabeled (-1, None or NaN)")
    known = _plain(y[~unknown])
    odd = known[known != np.rint(known)] if known.dtype.kind == "f" else known[:0]
    if len(odd):
        raise InputError("Unknown label type: continuous. y", "must hold classes", f"{odd[0]:g} among them")
    try:
        classes, found = np.unique(known, return_inverse=True)
    except TypeError:
        kinds = ", ".join(sorted({type(label).__name__ for label in known}))
        raise InputError("Unknown label type: y", "must hold labels of one kind", kinds) from None
    codes = np.full(len(y), -1, dtype=np.int64)
    codes[~unknown] = found
    return classes, codes


def label_array(y: Any) -> Array:
    """An array; of objects for a list with text in it, since numpy would make text of None and NaN there."""
    if not isinstance(y, list | tuple) or not any(isinstance(label, str) for label in y):
        return np.asarray(y)
    given = np.empty(len(y), dtype=object)
    given[:] = y
    return given


def _unknown(y: Array) -> Array:
    if y.dtype.kind in "US" and np.isin(np.array(["-1"]).astype(y.dtype), y).any():
        raise InputError("y", "must mark unlabeled samples by None in an object array", "the text '-1'")
    if y.dtype.kind == "f" and np.isinf(y).any():
        raise InputError("y", "must hold classes", f"{int(np.isinf(y).sum())} infinite numbers")
    if y.dtype.kind in "iuf":
        return np.asarray((y == -1) | np.isnan(y))
    if y.dtype.kind == "O":
        return np.fromiter((_is_unknown(label) for label in y), dtype=bool, count=len(y))
    return np.zeros(len(y), dtype=bool)


def _is_unknown(label: Any) -> bool:
    try:
        return label is None or bool(label != label) or bool(label == -1)
    except TypeError:  # pandas' NA does not compare
        return True


def _plain(known: Array) -> Array:
    """Numbers in an object array as an array of numbers."""
    if known.dtype.kind == "O" and all(isinstance(label, numbers.Number | np.bool_) for label in known):
        return np.array(known.tolist())
    return known
