"""Exchanging one landmark for another where that covers more."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array


@kernel
def _two_best(
    indptr: Array, indices: Array, data: Array, place: Array, j: int, best: Array, owner: Array
) -> None:
    """The two landmarks that cover j most: S in best[j], places in owner[j]; 0 and -1 where there is none.

    place[i] is the place of landmark i, -1 of others. S is symmetric, so row j tells who covers j. Of equals
    the lower place comes first.
    """
    best[j, 0], best[j, 1] = 0.0, 0.0
    owner[j, 0], owner[j, 1] = -1, -1
    for q in range(indptr[j], indptr[j + 1]):
        if place[indices[q]] >= 0:
            _enter(best, owner, j, data[q], place[indices[q]])


@kernel
def _enter(best: Array, owner: Array, j: int, s: float, k: int) -> None:
    """The landmark of place k covers j by s: among the two best, if it is."""
    if s > best[j, 0] or (s == best[j, 0] and k < owner[j, 0]):
        best[j, 1], owner[j, 1] = best[j, 0], owner[j, 0]
        best[j, 0], owner[j, 0] = s, k
    elif s > best[j, 1] or (s == best[j, 1] and k < owner[j, 1]):
        best[j, 1], owner[j, 1] = s, k


@kernel
def all_best(indptr: Array, indices: Array, data: Array, place: Array, best: Array, owner: Array) -> None:
    for j in range(len(place)):
        _two_best(indptr, indices, data, place, j, best, owner)


@kernel
def losses(weights: Array, best: Array, owner: Array, loss: Array) -> None:
    """What each landmark alone covers: sum of w_j (best_j - second_j) over the j it covers most."""
    loss[:] = 0.0
    for j in range(len(weights)):
        if owner[j, 0] >= 0:
            loss[owner[j, 0]] += weights[j] * (best[j, 0] - best[j, 1])


@kernel
def _replaced(
    indptr: Array,
    indices: Array,
    data: Array,
    weights: Array,
    best: Array,
    owner: Array,
    less: Array,
    touched: Array,
    i: int,
) -> tuple[float, int]:
    """What i covers beyond the landmarks; and how many of these lose less by leaving, in ``touched``.

    less_k adds up what i would cover of that which only k covers.
    """
    gain, n_touched = 0.0, 0
    for q in range(indptr[i], indptr[i + 1]):
        j, s = indices[q], data[q]
        if s <= best[j, 1]:
            continue
        k = owner[j, 0]
        gain += weights[j] * max(0.0, s - best[j, 0])
        saved = weights[j] * (min(s, best[j, 0]) - best[j, 1])
        if saved > 0.0:
            if less[k] == 0.0:
                touched[n_touched] = k
                n_touched += 1
            less[k] += saved
    return gain, n_touched


@kernel
def exchange(
    indptr: Array,
    indices: Array,
    data: Array,
    weights: Array,
    order: Array,
    least: float,
    fixed: int,
    landmarks: Array,
    place: Array,
    best: Array,
    owner: Array,
    loss: Array,
) -> int:
    """One sweep over the candidates in ``order``: each takes the place of the landmark it replaces best.

    That is done where sum_j w_j best_j grows by more than ``least``. The first ``fixed`` landmarks stay. All
    arrays from ``landmarks`` on are kept up to date. Returns the number of exchanges.
    """
    less = np.zeros(len(landmarks))
    touched = np.empty(len(landmarks), np.int64)
    cheapest = fixed + int(np.argmin(loss[fixed:]))
    exchanges = 0
    for candidate in order:
        i = int(candidate)
        if place[i] >= 0:
            continue
        gain, n_touched = _replaced(indptr, indices, data, weights, best, owner, less, touched, i)
        out, value = cheapest, less[cheapest] - loss[cheapest]
        for t in range(n_touched):
            k = touched[t]
            if k >= fixed and less[k] - loss[k] > value:
                out, value = k, less[k] - loss[k]
        for t in range(n_touched):
            less[touched[t]] = 0.0
        if gain + value <= least:
            continue
        gone = landmarks[out]
        place[gone], place[i], landmarks[out] = -1, out, i
        for q in range(indptr[gone], indptr[gone + 1]):
            j = int(indices[q])
            if owner[j, 0] == out or owner[j, 1] == out:
                _two_best(indptr, indices, data, place, j, best, owner)
        for q in range(indptr[i], indptr[i + 1]):
            j = indices[q]
            if owner[j, 0] != out and owner[j, 1] != out:
                _enter(best, owner, j, data[q], out)
        losses(weights, best, owner, loss)
        cheapest = fixed + int(np.argmin(loss[fixed:]))
        exchanges += 1
    return exchanges
