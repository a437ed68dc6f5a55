"""From propagated one-hot values to classes, and from class numbers to labels.

Row z_i of propagated one-hot values is what the labels say of sample i. Negative entries (LLE and LTSA
may overshoot) are cut to 0, what is missing from 1 is spread evenly over the k classes, and rows sum to
one:

    q = max(z_i, 0),     p_i = (q + max(0, 1 - sum q) / k) / sum(the same).

The class is the one of largest probability, the uncertainty 1 - max p_i. Where no label reaches, z_i is NaN:
so are the probabilities; the class number is -1, and the uncertainty 1.

With class proportions r, class mass normalization (Zhu, Ghahramani & Lafferty, 2003) then scales the
probability of class c by r_c / m_c, m_c being the mean of q_c over the samples without a label.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

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
    """
    q = np.maximum(np.asarray(values, dtype=np.float64), 0.0)
    p = _filled(q)
    if prior is not None:
        p = p * _mass_ratio(q if landmarks is None else np.delete(q, landmarks, axis=0), prior)
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


def _mass_ratio(rest: Floats, prior: Floats) -> Floats:
    """r_c / m_c; 1 for a class that no sample has a share in."""
    rest = rest[~np.isnan(rest).any(axis=1)]
    mass = rest.sum(axis=0) / max(len(rest), 1)
    return np.asarray(np.divide(prior, mass, out=np.ones_like(mass), where=mass > 0))


def decode(classes: Array | Sequence[Hashable], numbers: Ints) -> Array:
    """The classes of these numbers; -1 stands for unknown, which is -1 where classes are numbers, else None.

    An array of classes keeps its type where nothing is unknown. Other sequences give an int64 array
    where all classes are integers, else an array of objects.
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
