"""Covering where S is an (n, n) array: the choices of the kernels that `_covering` uses, with numpy alone.

So the first choice from a small pool waits for no compiler. Sums add their terms in the order of j, so that
they are those of the kernels to the last bit.

Greedy. Gains only fall as ``best`` rises, so the largest of the old gains, computed anew, is the next pick if
it stays the largest. `FEW` of the largest are computed at a time.

Exchanges. Most candidates are turned down, and those between two exchanges meet the same landmarks: `MANY`
are judged at a time, up to the first that is taken. With b_j >= c_j the two largest S_ji over landmarks i,
and k(j) the place of the first, candidate i gains and saves

    gain_i = sum_j w_j max(0, S_ij - b_j),     less_ik = sum_{j: k(j) = k} w_j max(0, min(S_ij, b_j) - c_j),

and takes the place k for which less_ik - loss_k is largest, loss_k = sum_{j: k(j) = k} w_j (b_j - c_j).
"""

import numpy as np

from trigpoint._progress import stage, track
from trigpoint._types import Array, Floats, Ints

FEW, MANY = 16, 64  # rows at a time


def greedy(S: Array, weights: Floats, count: int, initial: Ints, free: Array) -> Ints:
    """``count`` of the free rows, of equals the first; ``initial`` counts as chosen."""
    weights, picks, candidates = weights.copy(), np.empty(count, dtype=np.int64), np.flatnonzero(free)
    weights[initial] = 0.0
    best = S[initial].max(axis=0, initial=0.0)
    gains, fresh = _sums(S, weights, candidates), np.zeros(len(candidates), dtype=np.bool_)
    for step in track(range(count), "landmarks"):
        while not fresh[at := int(np.argmax(gains))]:
            some = np.append(_largest(gains), at)
            gains[some], fresh[some] = _gains(S, weights, best, candidates[some]), True
        i = picks[step] = candidates[at]
        gains[at], weights[i], fresh[:] = -np.inf, 0.0, False
        np.maximum(best, S[i], out=best)
    return picks


def _largest(gains: Floats) -> Ints:
    """Where the `FEW` largest are, as far as they may still be chosen."""
    some = np.argpartition(gains, -FEW)[-FEW:] if len(gains) > FEW else np.arange(len(gains))
    return some[gains[some] > -np.inf]


def _sums(S: Array, weights: Floats, rows: Ints) -> Floats:
    """sum_j w_j S_ij for some i; added up one by one, unlike `np.sum`."""
    sums = np.empty(len(rows))
    for start in range(0, len(rows), FEW):
        terms = S[rows[start : start + FEW]] * weights
        sums[start : start + FEW] = np.cumsum(terms, axis=1, out=terms)[:, -1]
    return sums


def _gains(S: Array, weights: Floats, best: Array, rows: Ints) -> Floats:
    """sum_j w_j max(0, S_ij - best_j) for some i."""
    row, j, s = _beyond(S[rows], best)
    return np.asarray(np.bincount(row, weights[j] * (s - best[j]), len(rows)), dtype=np.float64)


def _beyond(rows: Array, best: Array) -> tuple[Ints, Ints, Floats]:
    """Row, column and value of the entries that exceed ``best`` of their column, row by row."""
    flat = np.flatnonzero(rows > best)
    row = flat // len(best)
    return row, flat - row * len(best), rows.ravel()[flat].astype(np.float64)


def exchange(S: Array, weights: Floats, landmarks: Ints, fixed: int, sweeps: int, least: float) -> None:
    """Change ``landmarks``, but the first ``fixed``, while F grows by ``least`` of itself; S_ii = 1."""
    n = len(S)
    order = np.argsort(-_sums(S, weights, np.arange(n)), kind="stable")
    best, owner = np.zeros((2, n), dtype=S.dtype), np.full((2, n), -1)
    _two_best(S, landmarks, np.arange(n), best, owner)
    for _ in range(sweeps):
        bar, start, made = least * float(weights @ best[0]), 0, False
        loss = _losses(weights, best, owner, len(landmarks))
        with stage("exchanges", n) as told:
            while start < n:
                some = order[start : start + MANY]
                step, out = _first_exchange(S, weights, some, landmarks, fixed, best, owner, loss, bar)
                start += step
                told.advance(step)
                if out >= 0:
                    landmarks[out], made = order[start - 1], True
                    _two_best(S, landmarks, np.flatnonzero((owner == out).any(axis=0)), best, owner)
                    _enter(S[landmarks[out]], out, best, owner)
                    loss = _losses(weights, best, owner, len(landmarks))
        if not made:
            break


def _first_exchange(
    S: Array,
    weights: Floats,
    candidates: Ints,
    landmarks: Ints,
    fixed: int,
    best: Array,
    owner: Ints,
    loss: Floats,
    bar: float,
) -> tuple[int, int]:
    """How many candidates have been judged, and the place that the last of them takes, -1 for none.

    Of places that are worth the same, the one whose loss is least; else the first that is met going by j.
    """
    m, n_places = len(candidates), len(loss)
    row, j, s = _beyond(S[candidates], best[1])
    first = best[0, j]
    gain = np.bincount(row, weights[j] * np.maximum(s - first, 0.0), m)
    saved = weights[j] * (np.minimum(s, first) - best[1, j])
    place = np.maximum(owner[0, j], 0)  # where none covers j, nothing is saved
    worth = np.bincount(row * n_places + place, saved, m * n_places).reshape(m, n_places) - loss
    worth[:, :fixed] = -np.inf
    most = worth.max(axis=1)
    better = (gain + most > bar) & ~np.isin(candidates, landmarks)
    if not better.any():
        return m, -1
    at = int(np.argmax(better))
    cheapest = fixed + int(np.argmin(loss[fixed:]))
    if worth[at, cheapest] == most[at]:
        return at + 1, cheapest
    met = owner[0, j[(row == at) & (saved > 0.0)]]
    return at + 1, int(met[worth[at, met] == most[at]][0])


def _two_best(S: Array, landmarks: Ints, samples: Ints, best: Array, owner: Ints) -> None:
    """Anew for some samples; of equals the lower place first."""
    near = S[np.ix_(samples, landmarks)]
    for rank in range(min(2, len(landmarks))):
        place = near.argmax(axis=1)
        found = near[np.arange(len(near)), place]
        best[rank, samples], owner[rank, samples] = np.maximum(found, 0.0), np.where(found > 0.0, place, -1)
        near[np.arange(len(near)), place] = -1.0


def _enter(s: Array, k: int, best: Array, owner: Ints) -> None:
    """The landmark of place k covers samples by s: among their two best, where it is."""
    new = (owner != k).all(axis=0)
    first = new & ((s > best[0]) | ((s == best[0]) & (k < owner[0])))
    second = new & ~first & ((s > best[1]) | ((s == best[1]) & (k < owner[1])))
    best[1, first], owner[1, first] = best[0, first], owner[0, first]
    best[0, first], owner[0, first] = s[first], k
    best[1, second], owner[1, second] = s[second], k


def _losses(weights: Floats, best: Array, owner: Ints, n_landmarks: int) -> Floats:
    """What each landmark alone covers."""
    held = owner[0] >= 0
    more = weights * (best[0].astype(np.float64) - best[1])
    return np.asarray(np.bincount(owner[0, held], more[held], n_landmarks), dtype=np.float64)
