"""Greedy coverage: argmax_i sum_j w_j max(0, S_ij - best_j), best_j = max S_ij over the i chosen so far."""

import numpy as np

from trigpoint._kernels._selection_push import cover, cover_by
from trigpoint._kernels._tournament import new_trees
from trigpoint._types import Floats, Ints, Sparse

CHUNK = 1000  # picks between two chances to interrupt


def covering(S: Sparse, weights: Floats, count: int, initial: Ints) -> Ints:
    """``count`` rows of S in order of choice, none of ``initial``, which count as chosen."""
    arrays, n = (S.indptr, S.indices, S.data), S.shape[0]
    best, free, trees = np.zeros(n), np.ones(n, dtype=np.bool_), new_trees(n, 1)
    weights = weights.copy()
    for i in initial:
        cover_by(*arrays, best, i)
    free[initial], weights[initial] = False, 0.0
    picks = np.empty(count, dtype=np.int64)
    for k in range(0, count, CHUNK):
        cover(*arrays, weights, best, free, np.ones(n), trees, picks[k : k + CHUNK])
    return picks
