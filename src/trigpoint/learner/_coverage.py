"""Coverage: facility location on the graph, whatever the labels say.

With S_ij how much a label at i tells of j (`resolvent_correlations`) and best_j = max S_kj over the samples k
that are labeled or asked for, the next question is

    argmax_i  sum_j w_j max(0, S_ij - best_j)  /  cost_i,

with equal weights w. Samples that were asked for weigh nothing. Each pick raises ``best``, so that no two of
a batch ask the same. The sum is submodular: greedy reaches 1 - 1/e of what any questions can cover. In large
pools few questions cover cells of samples instead (`_cells`).
"""

import numpy as np

from trigpoint._kernels.selection_push import cover, cover_by
from trigpoint._kernels.tournament import new_trees
from trigpoint._types import Array, Floats, Ints
from trigpoint.learner._cells import cover_cells, few_questions
from trigpoint.learner._situation import Choose, Situation


def coverage(now: Situation) -> Choose:
    return weighted_coverage(now, np.ones(now.n))


def weighted_coverage(now: Situation, weights: Floats) -> Choose:
    asked, weights = now.taken, weights.copy()

    def choose(allowed: Array, count: int) -> Ints:
        nonlocal asked
        picks = None
        if few_questions(now.n, len(asked) + count):
            picks = cover_cells(now, weights, asked, allowed, count)
        if picks is None:
            picks = _cover_samples(now, weights, asked, allowed, count)
        asked, weights[picks] = np.append(asked, picks), 0.0
        return picks

    return choose


def _cover_samples(now: Situation, weights: Floats, asked: Ints, allowed: Array, count: int) -> Ints:
    S, picks = now.correlations(), np.empty(count, dtype=np.int64)
    arrays = S.indptr, S.indices, S.data
    best = covered(now, asked)
    cover(*arrays, weights.copy(), best, allowed.copy(), now.cost, new_trees(now.n, 1), picks)
    return picks


def covered(now: Situation, asked: Ints) -> Floats:
    """(n,) best, the largest S_kj over what was asked for."""
    S, best = now.correlations(), np.zeros(now.n)
    for i in asked:
        cover_by(S.indptr, S.indices, S.data, best, i)
    return best
