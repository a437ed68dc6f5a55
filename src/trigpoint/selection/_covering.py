"""Landmarks that cover a pool: greedily, then by exchanges.

    F(L) = sum_j w_j max_{i in L} S_ij

is monotone and submodular. Greedy, argmax_i sum_j w_j max(0, S_ij - best_j) with best_j = max S_ij over the i
chosen so far, reaches 1 - 1/e of the largest F, and sees only what was chosen before. Exchanges mend that:
candidates come in the order of what they cover alone, and one takes the place of a landmark, of that for
which F grows most, wherever F grows (Schubert & Rousseeuw, 2021: k-medoids, here of similarities). The end is
a set that no single exchange makes better, or the last of `SWEEPS`.

A sparse S is covered by compiled code, an (n, n) array by numpy, with the same choices (`_whole_covering`).
"""

from typing import Any

import numpy as np

from trigpoint._kernels.selection_push import cover, cover_by
from trigpoint._kernels.selection_swap import all_best, exchange, losses
from trigpoint._kernels.tournament import new_trees
from trigpoint._progress import track
from trigpoint._types import Array, Floats, Ints
from trigpoint.selection import _whole_covering as whole

CHUNK = 1000  # picks, or candidates, between two chances to interrupt
SWEEPS = 10
LEAST = 1e-7  # of F: what an exchange must bring


def covering(S: Any, weights: Floats, count: int, initial: Ints, among: Array | None = None) -> Ints:
    """``count`` rows of S in order of choice, greedily; none of ``initial``, which count as chosen."""
    n = S.shape[0]
    free = np.ones(n, dtype=np.bool_) if among is None else among.copy()
    free[initial] = False
    if isinstance(S, np.ndarray):
        return whole.greedy(S, weights, count, initial, free)
    arrays, weights = (S.indptr, S.indices, S.data), weights.copy()
    best, trees = np.zeros(n), new_trees(n, 1)
    for i in initial:
        cover_by(*arrays, best, i)
    weights[initial] = 0.0
    picks = np.empty(count, dtype=np.int64)
    for k in track(range(0, count, CHUNK), "landmarks"):
        cover(*arrays, weights, best, free, np.ones(n), trees, picks[k : k + CHUNK])
    return picks


def best_covering(S: Any, weights: Floats, count: int, initial: Ints) -> Ints:
    """The same, improved by exchanges; S symmetric. In the order in which greedy would choose them."""
    picks = covering(S, weights, count, initial)
    kept = exchanged(S, weights, picks, initial)
    among = np.zeros(S.shape[0], dtype=np.bool_)
    among[kept] = True
    return covering(S, weights, count, initial, among)


def exchanged(S: Any, weights: Floats, picks: Ints, initial: Ints) -> Ints:
    """Landmarks in place of ``picks``, beside ``initial``, of which no exchange of one covers more."""
    landmarks = np.concatenate([initial, picks])
    if isinstance(S, np.ndarray):
        whole.exchange(S, weights, landmarks, len(initial), SWEEPS, LEAST)
        return landmarks[len(initial) :]
    arrays, n = (S.indptr, S.indices, S.data), S.shape[0]
    place = np.full(n, -1, dtype=np.int64)
    place[landmarks] = np.arange(len(landmarks))
    best, owner, loss = np.zeros((n, 2)), np.empty((n, 2), dtype=np.int64), np.zeros(len(landmarks))
    all_best(*arrays, place, best, owner)
    losses(weights, best, owner, loss)
    order = np.argsort(-(S @ weights), kind="stable")
    for _ in range(SWEEPS):
        least, made = LEAST * float(weights @ best[:, 0]), 0
        for start in track(range(0, n, CHUNK), "exchanges"):
            some = order[start : start + CHUNK]
            made += exchange(*arrays, weights, some, least, len(initial), landmarks, place, best, owner, loss)
        if not made:
            break
    return landmarks[len(initial) :]
