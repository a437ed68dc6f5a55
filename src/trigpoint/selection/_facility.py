"""Facility location: cover the pool, as labels spread on the graph.

With S_ij in [0, 1] how much a label at i tells of j (`_resolvent`: correlations of (phi + alpha R)^-1),
the landmarks L are chosen one by one to make

    F(L) = sum_j max_{i in L} S_ij

large: next comes argmax_i sum_j max(0, S_ij - best_j), best_j = max over the landmarks so far. F is
monotone and submodular, so greedy reaches 1 - 1/e of the best F for every number of landmarks, and lazy
evaluation makes a pick cheap. ``initial`` counts as chosen. Nested; ties go to the lower index.

S is taken on the Laplacian of the graph; where none is given, on the Laplacian whose weights are |phi_ij|,
which is phi itself if that is one. A dense phi needs the graph.

Measured (docs/selection.md): the best one-shot coverage at small budgets, and on no pool worse than random
landmarks. Farthest point is better at large budgets on clean curves and surfaces.
"""

import numpy as np

from trigpoint._kernels._selection_push import cover, cover_by
from trigpoint._kernels._tournament import new_trees
from trigpoint._types import Ints
from trigpoint.selection._pool import Pool
from trigpoint.selection._resolvent import resolvent_correlations

CHUNK = 1000  # picks between two chances to interrupt


def facility(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    S = resolvent_correlations(pool.laplacian())
    arrays = S.indptr, S.indices, S.data
    best, free, trees = np.zeros(pool.n), pool.free(), new_trees(pool.n, 1)
    weights, price = np.ones(pool.n), np.ones(pool.n)
    for i in pool.initial:
        cover_by(*arrays, best, i)
    picks = np.empty(n_landmarks, dtype=np.int64)
    for k in range(0, n_landmarks, CHUNK):
        cover(*arrays, weights, best, free, price, trees, picks[k : k + CHUNK])
    return picks
