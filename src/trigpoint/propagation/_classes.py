"""Classes: from labels to numbers, from propagated one-hot values to classes, and back to labels.

Row z_i of propagated one-hot values is what the labels say of sample i. Negative entries (LLE and LTSA
may overshoot) are cut to 0, what is missing from 1 is spread evenly over the k classes, and rows sum to
one:

    q = max(z_i, 0),     p_i = (q + max(0, 1 - sum q) / k) / sum(the same).

The class is the one of largest probability, the uncertainty 1 - max p_i. Where no label reaches, z_i is NaN:
so are the probabilities; the class number is -1, and the uncertainty 1.

With class proportions r, class mass normalization (Zhu, Ghahramani & Lafferty, 2003) then scales the
probability of class c by r_c / m_c, m_c being the mean of q_c over the samples without a label.

A given label is unknown where it is -1, None or NaN; its class number is -1, too.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints


@dataclass(frozen=True, eq=False)
class Classes:
    """What propagated values say of the classes.

    Attributes
    ----------
    probabilities : (n, k) float64; rows sum to one, NaN where no label reaches
    numbers : (n,) int64, the column of the largest probability; -1 where no label reaches
    uncertainty : (n,) float64, one minus the largest probability; 1 where no label reaches
    """

    probabilities: Floats
    numbers: Ints
    uncertainty: Floats


def classify(values: Any, *, prior: Floats | None = None, landmarks: Ints | None = None) -> Classes:
    """Probabilities, class numbers and uncertainty from propagated one-hot values.

    Parameters
    ----------
    values : (n, k)
        As `propagate` returns them for one-hot rows at the landmarks.
    prior : (k,), optional
        Proportions of the classes in the pool.
    landmarks : (l,) int, optional
        The labeled samples, which do not count when ``prior`` is compared with what was propagated.

    Returns
    -------
    Classes

    Notes
    -----
    Cost: O(n k) for each of a few passes.

    See Also
    --------
    trigpoint.ManifoldClassifier : with names of classes, and with calibrated probabilities.

    Examples
    --------
    >>> from trigpoint.propagation import classify
    >>> classify([[0.9, 0.1], [0.3, 0.7]]).numbers
    array([0, 1])
    """
    q = np.maximum(np.asarray(values, dtype=np.float64), 0.0)
    p = _filled(q)
    if prior is not None:
        p = p * mass_ratio(q, prior, landmarks)
        p /= p.sum(axis=1, keepdims=True)
    if p.shape[1] == 0:
        return Classes(p, np.full(len(p), -1, dtype=np.int64), np.ones(len(p)))
    known = np.asarray(~np.isnan(p).any(axis=1))
    filled = np.where(known[:, None], p, 0.0)
    numbers = np.where(known, filled.argmax(axis=1), -1)
    return Classes(p, numbers, 1.0 - filled.max(axis=1))


def _filled(q: Floats) -> Floats:
    missing = np.maximum(1.0 - q.sum(axis=1, keepdims=True), 0.0)
    q = q + missing / max(q.shape[1], 1)
    return np.asarray(q / q.sum(axis=1, keepdims=True))


def mass_ratio(values: Floats, prior: Floats, landmarks: Ints | None = None) -> Floats:
    """(k,) r_c / m_c; 1 for a class that no sample has a share in."""
    q = np.maximum(values, 0.0)
    rest = q if landmarks is None else np.delete(q, landmarks, axis=0)
    rest = rest[~np.isnan(rest).any(axis=1)]
    mass = rest.sum(axis=0) / max(len(rest), 1)
    return np.asarray(np.divide(prior, mass, out=np.ones_like(mass), where=mass > 0))


def decode(classes: Array | Sequence[Hashable], numbers: Ints) -> Array:
    """The classes of these numbers; -1 stands for unknown, which is -1 where classes are numbers, else None.

    An array of classes keeps its type where nothing is unknown. Other sequences give an int64 array
    where all classes are integers, else an array of objects.

    Notes
    -----
    Cost: O(n).

    See Also
    --------
    trigpoint.propagation.encode : the way there.

    Examples
    --------
    >>> from trigpoint.propagation import decode
    >>> decode(["cat", "dog"], [1, 0, -1]).tolist()
    ['dog', 'cat', None]
    """
    if not isinstance(classes, np.ndarray):
        whole = all(isinstance(label, int) and not isinstance(label, bool) for label in classes)
        table = np.empty(len(classes), dtype=np.int64 if whole else object)
        table[:] = list(classes)
    elif (numbers >= 0).all():
        return classes[numbers]
    else:
        kind = classes.dtype.kind
        table = classes.astype(classes.dtype if kind in "if" else np.int64 if kind == "u" else object)
    return np.append(table, np.array([None if table.dtype == object else -1], dtype=table.dtype))[numbers]


def encode(y: Any) -> tuple[Array, Ints]:
    """The classes, sorted, and the class number of each sample, -1 where unlabeled.

    Parameters
    ----------
    y : (n,) labels: integers, texts or others of one kind; -1, None or NaN where unlabeled

    Returns
    -------
    classes : (k,)
    numbers : (n,) int64

    Notes
    -----
    Cost: O(n log n). Numbers that are not whole are refused: they are values, not classes.

    See Also
    --------
    trigpoint.propagation.decode : the way back.

    Examples
    --------
    >>> from trigpoint.propagation import encode
    >>> encode(["dog", None, "cat"])[1]
    array([ 1, -1,  0])
    """
    y = label_array(y)
    if y.ndim != 1:
        raise InputError("y", "must hold one label per sample", f"shape {y.shape}")
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
    if known.dtype.kind == "O" and all(isinstance(label, Number | np.bool_) for label in known):
        return np.array(known.tolist())
    return known
