"""Columns that say nothing, say the same twice, or say too much.

constant    all values are equal
repeated    a column equals an earlier one
counting    whole numbers, all different, that have no gaps or go up row by row: an id, and no feature
leaking     the column alone tells the label, and most others do not. With the labels in the order of the
            column (equal values at random), the share of neighbors whose labels differ, relative to a random
            order,

                rough = (changes - (k - 1)) / ((l - 1) (1 - sum_c p_c^2)),

            is below `SMOOTH`; k classes need k - 1 changes. For real targets,
            rough = sum (y_i+1 - y_i)^2 / (2 l var y). At most a third of the columns are below `ROUGH`: if
            more are, the labels are easy to tell, as those of iris. It takes `ENOUGH` labels. Labels that the
            others doubt do not count. Without them, the smoothest column of ten real tables is at 0.26.
            A leaking column may still be a good feature, unless it is a copy of the labels (`copies_labels`).

Sparse features are words and the like: their columns may be constant or repeated, and nothing else.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import csc_array, issparse

from trigpoint._types import Array, Ints
from trigpoint.features import copies_labels, counts_rows

ENOUGH = 30  # labels, or rows that count up
SOME = 5000  # labels that are enough to find a leak
SMOOTH, ROUGH = 0.03, 0.2
AT_ONCE = 2**22  # numbers


def constant_columns(X: Any) -> Ints:
    if not issparse(X):
        low = X[0].copy()
        high = low.copy()
        for a, b in _steps(len(X), X.shape[1]):
            np.minimum(low, X[a:b].min(axis=0), out=low)
            np.maximum(high, X[a:b].max(axis=0), out=high)
        return np.flatnonzero(low == high)
    held = csc_array(X)
    stored = np.diff(held.indptr)
    some = np.flatnonzero((stored > 0) & (stored == X.shape[0]))
    flat = [j for j in some if np.ptp(held.data[held.indptr[j] : held.indptr[j + 1]]) == 0]
    return np.sort(np.concatenate([np.flatnonzero(stored == 0), np.array(flat, dtype=np.int64)]))


def repeated_columns(X: Any, constant: Ints) -> list[Ints]:
    """Groups of equal columns; constant ones are left out."""
    seen: dict[bytes, list[int]] = {}
    skip = set(constant.tolist())
    for j, content in enumerate(_contents(X)):
        if j not in skip:
            seen.setdefault(content, []).append(j)
    return [np.array(group, dtype=np.int64) for group in seen.values() if len(group) > 1]


def _contents(X: Any) -> Iterator[bytes]:
    """A hash of each column; −0 is 0."""
    if issparse(X):
        held = csc_array(X)
        for a, b in zip(held.indptr[:-1], held.indptr[1:], strict=True):
            yield _hash(held.indices[a:b], held.data[a:b])
        return
    n, p = X.shape
    for a, b in _steps(p, n):
        for column in np.ascontiguousarray(X[:, a:b].T):
            yield _hash(column)


def _hash(*parts: Array) -> bytes:
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        found.update(np.ascontiguousarray(part + part.dtype.type(0)).tobytes())
    return found.digest()


def _steps(total: int, width: int) -> Iterator[tuple[int, int]]:
    step = max(1, AT_ONCE // max(width, 1))
    for a in range(0, total, step):
        yield a, min(a + step, total)


def counting_columns(X: Any) -> Ints:
    n, p = X.shape
    if issparse(X) or n < ENOUGH or p < 2:
        return np.empty(0, dtype=np.int64)
    maybe = np.flatnonzero((X[:2] == np.rint(X[:2])).all(axis=0) & (X[0] != X[1]))
    return np.array([j for j in maybe if counts_rows(X[:, j])], dtype=np.int64)


def leaking_columns(X: Any, samples: Ints, labels: Array, rng: np.random.Generator) -> tuple[Ints, bool]:
    """The columns that tell the label alone, and whether one is a copy of it.

    ``labels`` (l,) are codes of classes (int) or real values.
    """
    p = X.shape[1]
    nothing = np.empty(0, dtype=np.int64), False
    if issparse(X) or p < 2 or len(samples) < ENOUGH:
        return nothing
    some = rng.permutation(len(samples))[:SOME]
    rough = _roughness(labels[some])
    if rough is None:
        return nothing
    rows = samples[some]
    found = np.empty(p)
    for a, b in _steps(p, len(rows)):
        block = X[rows, a:b] if b - a < p else X[rows]
        for j in range(a, b):
            found[j] = rough(np.argsort(block[:, j - a], kind="stable"))
    easy = 3 * np.count_nonzero(found < ROUGH) > p
    if easy:
        return nothing
    leaks = np.flatnonzero(found < SMOOTH)
    return leaks, any(copies_labels(X[rows, j], labels[some]) for j in leaks)


def _roughness(labels: Array) -> Callable[[Ints], float] | None:
    """Of an order of the labels; None where they are all the same, or too few a class."""
    if labels.dtype.kind == "f":
        unit = 2.0 * len(labels) * float(labels.var())
        return None if unit <= 0 else lambda order: float((np.diff(labels[order]) ** 2).sum()) / unit
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    if len(shares) < 2 or len(labels) < 5 * len(shares):
        return None
    unit = (len(labels) - 1) * (1.0 - float((shares**2).sum()))
    return lambda order: (np.count_nonzero(np.diff(labels[order])) - len(shares) + 1) / unit
