"""Gershgorin disc alignment (Bai, Wang, Cheung, Nakatsukasa & Gao, 2020).

With a_i = 1 for landmarks and 0 for others, B = diag(a) + mu phi, phi a Laplacian (of another matrix, the
Laplacian whose weights are |phi_ij|). S B S^-1, S = diag(s), has the eigenvalues of B, and discs of
the left ends

    a_i + mu (d_i - s_i sum_j w_ij / s_j),

the least of which bounds the smallest eigenvalue of B from below. For a threshold T, a landmark i alone can
raise s_i above 1 until its disc's left end is T. That shrinks its neighbors' discs; where one's left end
passes T, its s is raised in turn, and so on: these samples are the set that i covers. Landmarks whose sets
cover the pool leave no eigenvalue below T. They are chosen by greedy set cover, and T is the largest that a
bisection finds for which ``n_landmarks`` cover the share ``coverage`` of what they cover for T = 1e-9, which
is all where each part of the graph gets one. 1 is the paper's rule; then few outliers decide T, and on digits
20 landmarks are twice as bad as for 0.95, the default, where the least eigenvalues may be below T.

If fewer cover all, the others cover what they can at the next larger T that was tried, given the first. Ties,
the rule in counting, go to the larger degree, then to the lower index. ``initial`` counts as chosen, with its
sets. Not nested: T depends on the number of landmarks.

**mu** is 0.01 over the median degree, so phi's unit does not matter. phi_UU, by which propagation with hard
labels divides, is mu^-1 B on the samples U without a label, so no eigenvalue of it is below T / mu. The less
mu, the tighter.

**Sets** grow by whole layers, so that the numbering does not matter, and a sample whose disc falls short may
be asked again from the next layer. (The paper goes sample by sample, asks each once, and stops after some
hops.) They stop with the layer in which they reach 8 n / n_landmarks samples. Where there are more than 20
samples a landmark (and more than 200), only so many, drawn at random, may become one: so a threshold takes
some hundred n steps, and sets as much memory, for any number of landmarks.
"""

from dataclasses import dataclass

import numpy as np

from trigpoint._kernels import compiled_csr, run_blocks
from trigpoint._kernels.selection_discs import aligned_sets
from trigpoint._kernels.selection_push import cover, cover_by
from trigpoint._kernels.tournament import new_trees
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_fraction, check_magnitude
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

COVERAGE = 0.95
MU = 0.01  # over the median degree
LEAST = 1e-9  # the threshold below which all are alike
STEPS = 10  # of the bisection: the factor 1e9 comes down to 1.02
REACH = 8  # times n / n_landmarks: the size at which sets stop
CANDIDATES = 20  # a landmark
FEWEST = 200  # candidates, however few the landmarks
ROWS = 1024  # sets that one thread makes at a time


@dataclass(frozen=True, eq=False)
class Discs:
    """The graph in units of its median degree, who may be chosen, and what a choice costs among equals."""

    arrays: tuple[Array, Array, Floats, Floats]
    centers: Ints
    free: Array
    price: Floats
    reach: int


@dataclass(frozen=True, eq=False)
class Sets:
    """What each sample covers, as CSR; empty for those that may not be chosen."""

    indptr: Ints
    indices: Array
    data: Array


def aligned(pool: Pool, n_landmarks: int, rng: np.random.Generator, *, coverage: float = COVERAGE) -> Ints:
    discs = _discs(pool, n_landmarks, rng)
    low, high = bracket(discs, pool.initial, n_landmarks, coverage)
    taken, goal = pool.initial, len(pool.initial) + n_landmarks
    for threshold in (low, high, high**0.5, high**0.25, 1.0):  # at 1 each covers itself alone
        if len(taken) < goal:
            more, _ = _covering(discs, _sets(discs, threshold), taken, goal - len(taken))
            taken = np.concatenate([taken, more])
    return taken[len(pool.initial) :]


def _check(coverage: float) -> None:
    check_fraction(coverage, "coverage")


SELECTOR = Selector("aligned", aligned, uses_phi=True, takes_dense=False, check=_check)


def _discs(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Discs:
    phi = pool.laplacian()
    check_magnitude(phi.data, "phi")
    degrees = phi.diagonal()
    typical = float(np.median(degrees[degrees > 0])) if (degrees > 0).any() else 1.0
    free = pool.free()
    some = np.flatnonzero(free)
    count = max(CANDIDATES * n_landmarks, FEWEST)
    if len(some) > count:
        free[rng.permutation(some)[count:]] = False
    places = np.argsort(np.argsort(-degrees, kind="stable"), kind="stable")
    price = 1.0 + 1e-8 * places / pool.n  # less than one sample in ten million
    indptr, indices, data = compiled_csr(phi)
    arrays = indptr, indices, data / typical, degrees / typical
    centers = np.union1d(np.flatnonzero(free), pool.initial)
    return Discs(arrays, centers, free, price, REACH * pool.n // n_landmarks)


def bracket(discs: Discs, initial: Ints, n_landmarks: int, share: float) -> tuple[float, float]:
    """The largest threshold found at which landmarks cover enough, and the least at which not."""
    goal = share * _covering(discs, _sets(discs, LEAST), initial, n_landmarks)[1]
    low, high = LEAST, 1.0
    for _ in range(STEPS):
        middle = float(np.sqrt(low * high))
        if _covering(discs, _sets(discs, middle), initial, n_landmarks)[1] >= goal:
            low = middle
        else:
            high = middle
    return low, high


def _sets(discs: Discs, threshold: float) -> Sets:
    n = len(discs.free)
    parts: dict[int, tuple[Ints, Array]] = {}

    def work(start: int, stop: int) -> None:
        parts[start] = aligned_sets(*discs.arrays, discs.centers[start:stop], MU, threshold, discs.reach)

    run_blocks(work, len(discs.centers), ROWS, "discs")
    counts, members = zip(*(parts[start] for start in sorted(parts)), strict=True)
    indptr = np.zeros(n + 1, dtype=np.int64)
    indptr[discs.centers + 1] = np.concatenate(counts)
    indices = np.concatenate(members)
    return Sets(np.cumsum(indptr), indices, np.ones(len(indices), dtype=np.float32))


def _covering(discs: Discs, sets: Sets, taken: Ints, count: int) -> tuple[Ints, int]:
    """Up to ``count`` picks by greedy set cover beside those taken, and how many samples all cover."""
    n = len(discs.free)
    arrays = sets.indptr, sets.indices, sets.data
    best, free = np.zeros(n), discs.free.copy()
    free[taken] = False
    for i in taken:
        cover_by(*arrays, best, i)
    gap = n - int(best.sum())
    picks = np.empty(min(count, gap, int(free.sum())), dtype=np.int64)
    cover(*arrays, np.ones(n), best, free, discs.price, new_trees(n, 1), picks)
    return _useful(sets, taken, picks), int(best.sum())


def _useful(sets: Sets, taken: Ints, picks: Ints) -> Ints:
    """The picks up to the last that covers something new."""
    covered = np.zeros(len(sets.indptr) - 1, dtype=bool)
    for step, i in enumerate(np.concatenate([taken, picks])):
        members = sets.indices[sets.indptr[i] : sets.indptr[i + 1]]
        if step >= len(taken) and covered[members].all():
            return picks[: step - len(taken)]
        covered[members] = True
    return picks
