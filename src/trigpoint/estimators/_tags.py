"""Sets of tags as targets of an estimator: what may be given, and what it is turned into.

An indicator is (n, t), 1 where a sample has a tag, else 0: dense, or sparse, as of `MultiLabelBinarizer`.
A dense row of -1 or of NaN is unlabeled. Or each sample has a set (list, tuple) of tags, perhaps an empty
one, and None where it is unlabeled. Lists of numbers that are all as long as each other are an indicator.
"""

from collections.abc import Collection
from numbers import Number
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints

SETS = (set, frozenset, list, tuple, np.ndarray)


def check_for_tags(noise: Any, class_prior: Any, beta: Any) -> None:
    """Refuse what has no meaning for tags."""
    for name, value in (("class_prior", class_prior), ("beta", beta)):
        if value is not None:
            raise InputError(name, "must be None for tags", repr(value))
    if noise not in ("auto", 0):
        raise InputError("noise", "must be 'auto' or 0 for tags, which are taken to be right", repr(noise))


def is_tags(y: Any) -> bool:
    """Whether y holds sets of tags rather than classes; one dense column holds classes."""
    if issparse(y):
        return True
    if getattr(y, "ndim", 0) == 2:
        return bool(y.shape[1] > 1)
    rows = _rows(y)
    return rows is not None and any(isinstance(row, SETS) for row in rows)


def _rows(y: Any) -> list[Any] | None:
    """The entries of a list, a tuple or an array of objects."""
    if isinstance(y, list | tuple):
        return list(y)
    array = np.asarray(y)
    return array.tolist() if array.ndim == 1 and array.dtype == object else None


def encode_tags(y: Any) -> tuple[Array, Floats]:
    """The tags, sorted, and (n, t) 1 or 0 for each; rows of NaN where unlabeled."""
    indicator = _indicator(y)
    classes, Y = _from_sets(_rows(y) or []) if indicator is None else _from_indicator(indicator)
    if np.isnan(Y).all():
        raise InputError("y", f"must hold the tags of at least one sample; all {len(Y)} are unlabeled")
    return classes, Y


def _indicator(y: Any) -> Floats | None:
    """As numbers, if that is what is given."""
    if issparse(y):
        return np.asarray(y.toarray(), dtype=np.float64)
    rows = _rows(y)
    if rows is not None:
        whole = all(isinstance(row, list | tuple | np.ndarray) for row in rows)
        alike = whole and len({np.shape(row) for row in rows}) == 1 and np.size(rows[0]) > 1
        if not alike or not all(isinstance(x, Number | np.bool_) for row in rows for x in np.ravel(row)):
            return None
        return np.array(rows, dtype=np.float64)
    try:
        return np.asarray(y).astype(np.float64)
    except (TypeError, ValueError):
        given = f"{type(y).__name__} of {np.asarray(y).dtype}"
        raise InputError("Unknown label type: y", "must be 0 or 1 for each tag", given) from None


def _from_indicator(given: Floats) -> tuple[Array, Floats]:
    Y = np.where(given == -1, np.nan, given)
    known = Y[~np.isnan(Y)]
    odd = known[(known != 0) & (known != 1)]
    if len(odd):
        rule = "must be 0 or 1 for each tag, or hold sets of tags"
        raise InputError("Unknown label type: y", rule, f"{odd[0]:g} among them")
    missing = np.isnan(Y)
    partly = np.flatnonzero(missing.any(axis=1) & ~missing.all(axis=1))
    if len(partly):
        rule = "must tell all tags of a sample, or none (a row of -1 or NaN)"
        raise InputError("y", rule, f"a row that tells some, sample {partly[0]}")
    return np.arange(Y.shape[1]), Y


def _from_sets(rows: list[Any]) -> tuple[Array, Floats]:
    sets = [_tags(row, place) for place, row in enumerate(rows)]
    names = {tag for row in sets if row is not None for tag in row}
    if not names:
        raise InputError("y", "must hold at least one tag", "no tag of any sample")
    if len({isinstance(tag, str) for tag in names}) > 1:
        raise InputError("Unknown label type: y", "must hold tags of one kind", "text and numbers")
    classes = sorted(names)
    column = {tag: j for j, tag in enumerate(classes)}
    Y = np.zeros((len(sets), len(classes)))
    for i, row in enumerate(sets):
        Y[i, :] = np.nan if row is None else 0.0
        Y[i, [column[tag] for tag in row or ()]] = 1.0
    return np.array(classes), Y


def _tags(row: Any, place: int) -> Collection[Any] | None:
    if row is None or (isinstance(row, float) and np.isnan(row)):
        return None
    if not isinstance(row, SETS):
        raise InputError("y", "must be a set of tags, or None, for each sample", f"{row!r}, sample {place}")
    tags = {tag.item() if isinstance(tag, np.generic) else tag for tag in row}
    odd = [tag for tag in tags if not isinstance(tag, str | int)]
    if odd:
        raise InputError("y", "must hold tags that are text or whole numbers", f"{odd[0]!r}, sample {place}")
    return tags


def decode_tags(probabilities: Floats, present: Array) -> Ints:
    """(n, t) 1 where a tag is present, else 0; rows of -1 where nothing is known."""
    unknown = np.isnan(probabilities).any(axis=1, keepdims=True)
    return np.where(unknown, -1, present.astype(np.int64))


def truth_in_columns(y: Any, classes: Array, m: int) -> Floats:
    """(m, t) true tags in the columns of ``classes``; a tag that is not among them makes a row of NaN."""
    if len(_rows(y) or []) == 0 or _indicator(y) is not None:
        found = encode_tags(y)[1]
        if found.shape != (m, len(classes)):
            raise InputError("y", f"must have shape ({m}, {len(classes)})", f"shape {found.shape}")
        return found
    column = {tag: j for j, tag in enumerate(classes.tolist())}
    Y = np.zeros((m, len(classes)))
    for i, row in enumerate(_rows(y) or []):
        tags = _tags(row, i)
        if tags is None or any(tag not in column for tag in tags):
            Y[i] = np.nan
        else:
            Y[i, [column[tag] for tag in tags]] = 1.0
    return Y
