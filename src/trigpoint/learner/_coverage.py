"""Coverage: facility location on the graph, whatever the labels say.

With S_ij how much a label at i tells of j (`selection._resolvent`) and best_j = max S_kj over the samples k
that are labeled or asked for, the next question is

    argmax_i  sum_j w_j max(0, S_ij - best_j)  /  cost_i,

with equal weights w, times those of samples that count differently. Samples that were asked for weigh
nothing. Each pick raises ``best``, so that no two of a batch ask the same. The sum is submodular: greedy
reaches 1 - 1/e of what any questions can cover.

Few questions must reach far, many need not. The scale of S is that of `selection._facility` for a number of
landmarks that grows with the questions, earlier ones included. It is their number, rounded up to a power of
two, so that the scale seldom changes, and divided by `FURTHER`: weights say where to look closer, so that S
may reach further than where coverage decides alone.

Large pools: S of samples is sparse, at the scale `ALPHA`, and reaches some hundred of them. While questions
are so few that each must speak for more, coverage is taken on the graph of `CELLS` cells
(`selection._cells`), where S is affordable at any scale. A cell weighs what its samples weigh together. It
is asked of through the allowed sample of which its center tells most.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trigpoint._kernels.selection_push import cover, cover_by
from trigpoint._kernels.tournament import new_trees
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.learner._situation import Choose, Situation
from trigpoint.selection import Cells, Resolvent, coarse_pool, in_units, resolvent_correlations, scale_for

WHOLE = 2000  # samples
CELLS = 1000  # fewer than where landmarks are chosen once: the scale changes as questions are asked
ALPHA = 0.1  # in large pools a value is handed on some ten steps
FURTHER = 2
FEW = 4  # cells a question


def coverage(now: Situation) -> Choose:
    return weighted_coverage(now, np.ones(now.n))


def weighted_coverage(now: Situation, weights: Floats) -> Choose:
    asked, weights = now.taken, weights * now.sample_weight

    def choose(allowed: Array, count: int) -> Ints:
        nonlocal asked
        picks = None
        if few_questions(now.n, now.total):
            picks = cover_cells(now, weights, asked, allowed, count)
        if picks is None:
            picks = _cover_samples(now, weights, asked, allowed, count)
        asked, weights[picks] = np.append(asked, picks), 0.0
        return picks

    return choose


def _cover_samples(now: Situation, weights: Floats, asked: Ints, allowed: Array, count: int) -> Ints:
    S, picks = correlations(now), np.empty(count, dtype=np.int64)
    arrays = S.indptr, S.indices, S.data
    best = covered(S, asked)
    cover(*arrays, weights.copy(), best, allowed.copy(), now.cost, new_trees(now.n, 1), picks)
    return picks


def correlations(now: Situation) -> Sparse:
    """S of the samples."""
    if now.n > WHOLE:
        if "S" not in now.kept:
            now.kept["S"] = resolvent_correlations(now.phi, alpha=ALPHA)
        return now.kept["S"]
    count = landmarks_for(now.total)
    if now.kept.get("count") != count:
        A, R = in_units(now.phi)
        found = sparse.csr_array(scale_for(A.toarray(), R, count).S)
        found.indptr = found.indptr.astype(np.int64)
        now.kept["count"], now.kept["S"] = count, found
    return now.kept["S"]


def landmarks_for(questions: int) -> int:
    """That the scale is for."""
    rounded: int = 1 << (questions - 1).bit_length()
    return max(1, rounded // FURTHER)


def covered(S: Sparse, asked: Ints) -> Floats:
    """(n,) best, the largest S_kj over what was asked for."""
    best = np.zeros(S.shape[0])
    for i in asked:
        cover_by(S.indptr, S.indices, S.data, best, i)
    return best


def few_questions(n: int, count: int) -> bool:
    """Whether cells are to be covered by so many questions, earlier ones included."""
    return n > WHOLE and FEW * count <= CELLS


@dataclass(frozen=True, eq=False)
class Candidates:
    """A sample for each cell."""

    free: Array  # (m,) bool: whether there is one
    samples: Ints


def cover_cells(now: Situation, weights: Floats, asked: Ints, allowed: Array, count: int) -> Ints | None:
    """``count`` samples, each of another cell; None where fewer cells have one to ask for."""
    if "cells" not in now.kept:
        now.kept["cells"] = coarse_pool(now.phi, np.empty(0, dtype=np.int64), CELLS)
    cells: Cells = now.kept["cells"]
    found = candidates(cells, allowed)
    if found.free.sum() < count:
        return None
    scale = _scale(now, cells, landmarks_for(now.total))
    S, m = sparse.csr_array(scale.S), len(cells.centers)
    arrays = S.indptr.astype(np.int64), S.indices, S.data
    best, owner = np.zeros(m), cells.owner[asked]
    for c in owner[owner >= 0]:
        cover_by(*arrays, best, c)
    there = cells.owner >= 0
    each = np.bincount(cells.owner[there], weights[there], m)
    picks = np.empty(count, dtype=np.int64)
    cover(*arrays, each, best, found.free, now.cost[found.samples], new_trees(m, 1), picks)
    return found.samples[picks]


def candidates(cells: Cells, allowed: Array) -> Candidates:
    """Of each cell the allowed sample of which its center tells most, the first of equals."""
    some = np.flatnonzero(allowed & (cells.owner >= 0))
    order = some[np.lexsort((-cells.nearness[some], cells.owner[some]))]
    held, first = np.unique(cells.owner[order], return_index=True)
    samples, free = cells.centers.copy(), np.zeros(len(cells.centers), dtype=np.bool_)
    samples[held], free[held] = order[first], True
    return Candidates(free, samples)


def _scale(now: Situation, cells: Cells, count: int) -> Resolvent:
    if now.kept.get("cell_count") != count:
        now.kept["cell_count"], now.kept["cell_scale"] = count, scale_for(cells.A, cells.R, count)
    scale: Resolvent = now.kept["cell_scale"]
    return scale
