"""Columns of the inverse of a Laplacian plus a ridge, by local pushes, and greedy coverage by them."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.stoppable import stoppable
from trigpoint._kernels.tournament import play, put, top
from trigpoint._types import Array


@stoppable
@kernel
def push_columns(
    indptr: Array, indices: Array, data: Array, diagonal: Array, cutoff: float, start: int, stop: int
) -> tuple[Array, Array, Array]:
    """Columns start..stop of A^-1, A = diag(``diagonal``) + the off-diagonal entries, none positive.

    Returns entries per column, rows and values. A residual r_k is pushed on, x_k += r_k / a_kk, while that
    exceeds ``cutoff`` / a_ii, the first push of column i; all that was pushed to is kept. First in, first
    out: the same on every machine.
    """
    n = len(indptr) - 1
    x, r = np.zeros(n), np.zeros(n)
    waiting, seen = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    queue, touched = np.empty(n, np.int32), np.empty(n, np.int32)
    counts = np.zeros(stop - start, np.int64)
    rows, values = np.empty(64 * (stop - start), np.int32), np.empty(64 * (stop - start), np.float32)
    end = 0
    for i in range(start, stop):
        least = cutoff / diagonal[i]
        r[i], waiting[i], seen[i] = 1.0, True, True
        queue[0], touched[0] = i, i
        head, size, n_touched = 0, 1, 1
        while size > 0:
            j = queue[head]
            head = head + 1 if head + 1 < n else 0
            size -= 1
            waiting[j] = False
            step = r[j] / diagonal[j]
            x[j] += step
            r[j] = 0.0
            for q in range(indptr[j], indptr[j + 1]):
                k = indices[q]
                if k == j:
                    continue
                r[k] -= data[q] * step
                if not seen[k]:
                    seen[k] = True
                    touched[n_touched] = k
                    n_touched += 1
                if not waiting[k] and r[k] > least * diagonal[k]:
                    waiting[k] = True
                    queue[(head + size) % n] = k
                    size += 1
        if end + n_touched > len(rows):
            rows = np.concatenate((rows, np.empty(len(rows) + n_touched, np.int32)))
            values = np.concatenate((values, np.empty(len(values) + n_touched, np.float32)))
        first = end
        for a in range(n_touched):
            k = touched[a]
            if x[k] > 0.0:
                rows[end], values[end] = k, x[k]
                end += 1
            x[k] = r[k] = 0.0
            seen[k] = False
        counts[i - start] = end - first
    return counts, rows[:end].copy(), values[:end].copy()


@kernel
def _gain(indptr: Array, indices: Array, data: Array, weights: Array, best: Array, i: int) -> float:
    gain = 0.0
    for q in range(indptr[i], indptr[i + 1]):
        j = indices[q]
        gain += weights[j] * max(0.0, data[q] - best[j])
    return gain


@kernel
def cover_by(indptr: Array, indices: Array, data: Array, best: Array, i: int) -> None:
    """best_j = max(best_j, S_ij): what i, once labeled, covers."""
    for q in range(indptr[i], indptr[i + 1]):
        best[indices[q]] = max(best[indices[q]], data[q])


@kernel
def cover(
    indptr: Array,
    indices: Array,
    data: Array,
    weights: Array,
    best: Array,
    free: Array,
    price: Array,
    trees: Array,
    picks: Array,
) -> None:
    """Fill ``picks``: each the free i of largest gain sum_j w_j max(0, S_ij - best_j), over its price.

    Gains only fall as ``best`` rises, so one that is still largest when computed anew is largest (lazy
    greedy). ``trees`` is a tournament of n leaves, to be filled here; picks leave ``free``, and weigh 0.
    """
    n = len(best)
    size = len(trees) - n
    for i in range(n):
        if free[i]:
            trees[size + i, 0] = _gain(indptr, indices, data, weights, best, i) / price[i]
        else:
            trees[size + i, 0] = -np.inf
    play(trees, size)
    for step in range(len(picks)):
        while True:
            i = top(trees, size, 0)
            now = _gain(indptr, indices, data, weights, best, i) / price[i]
            if now == trees[size + i, 0]:
                break
            put(trees, 0, size + i, now)
        picks[step] = i
        free[i] = False
        weights[i] = 0.0
        put(trees, 0, size + i, -np.inf)
        cover_by(indptr, indices, data, best, i)
