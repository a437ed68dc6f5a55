"""Squared distances of points, and what lists of neighbors hold.

Rows are told by their numbers: to make an array of a row takes longer than to read it.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel, summing_kernel
from trigpoint._types import Array, Floats, Ints


@summing_kernel
def squared_gap(X: Array, i: int, Y: Array, j: int) -> float:
    """||x_i - y_j||^2 in the type of X."""
    total = X[i, 0] - X[i, 0]
    for t in range(X.shape[1]):
        total += (X[i, t] - Y[j, t]) * (X[i, t] - Y[j, t])
    return total  # type: ignore[no-any-return]


@kernel
def place(points: Array, i: int, factor: float, center: Array, out: Array, at: int) -> None:
    """Row ``at`` of ``out`` becomes factor x_i - center."""
    if factor == 1.0:  # by far the most frequent, and twice as fast
        for t in range(len(center)):
            out[at, t] = np.float32(points[i, t]) - center[t]
        return
    for t in range(len(center)):
        out[at, t] = np.float32(points[i, t] * factor) - center[t]


@kernel
def holds(lists: Array, row: int, size: int, i: np.int32 | int) -> bool:
    """Whether the first entries of a list hold i; to look at all compiles to vector instructions."""
    found = False
    for s in range(size):
        found |= lists[row, s] == i
    return found


@kernel
def nearest_exactly(
    points: Array,
    factor: Floats,
    ids: Array,
    names: Ints,
    start: int,
    stop: int,
    squared: Floats,
    found: Array,
) -> int:
    """The k nearest of each row's list by float64 differences of ``factor x``, ties by name.

    ``squared`` and ``found``, (stop - start, k), get the squared distances and the names; a row with too few
    entries gets -1 at first. Returns how many such rows there are.
    """
    r, k, p = ids.shape[1], found.shape[1], points.shape[1]
    short = 0
    gaps, order = np.empty(r), np.empty(r, np.int64)
    lifted = np.empty((2, p))
    for i in range(start, stop):
        _lift(points, i, factor[i] if len(factor) > 1 else factor[0], lifted, 0)
        count = 0
        for s in range(r):
            j = ids[i, s]
            if j < 0:
                continue
            _lift(points, j, factor[j] if len(factor) > 1 else factor[0], lifted, 1)
            gap, name = squared_gap(lifted, 0, lifted, 1), names[j]
            at = count
            while at > 0 and (gaps[at - 1] > gap or (gaps[at - 1] == gap and order[at - 1] > name)):
                gaps[at], order[at] = gaps[at - 1], order[at - 1]
                at -= 1
            gaps[at], order[at] = gap, name
            count += 1
        if count < k:
            short += 1
            found[i - start, 0] = -1
            continue
        for s in range(k):
            squared[i - start, s], found[i - start, s] = gaps[s], order[s]
    return short


@kernel
def _lift(points: Array, i: int, factor: float, out: Floats, at: int) -> None:
    for t in range(points.shape[1]):
        out[at, t] = points[i, t] * factor
