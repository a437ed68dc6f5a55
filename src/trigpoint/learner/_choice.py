"""Which samples to ask for next: coverage of the pool, weighted by doubt.

With S_ij how much a label at i tells of j (`resolvent_correlations`), best_j = max S_kj over the samples k
that are labeled or asked for, and u_j the current doubt of j, the next question is

    argmax_i  sum_j u_j max(0, S_ij - best_j)  /  cost_i.

With few labels u is flat and this is facility location; as labels arrive it moves to where classes meet.
No u is below `LEAST`: where all that is known agrees, there may still be a class that nobody has seen, and
the questions go on covering. Samples about which a person was unsure count as covered.
Within a batch ``best`` grows by each pick, so that no two ask the same. Groups that must be covered
(``groups``) come first: until each of them has a sample, only theirs are candidates.

Every now and then (``audits``) the question is the next sample of one random order of the whole pool that
has no label yet: the samples that this order has come to are a uniform sample of the pool. All other
questions are chosen as if the audits were not known, for otherwise they would keep away from them, and the
audits would be harder to predict than the rest.
"""

from dataclasses import dataclass

import numpy as np

from trigpoint._kernels._selection_push import cover, cover_by
from trigpoint._kernels._tournament import new_trees
from trigpoint._types import Array, Floats, Ints, Sparse

LEAST = 0.05  # doubt


@dataclass(frozen=True, eq=False)
class Wishes:
    """What a question costs, and who must not be forgotten."""

    cost: Floats  # (n,) positive
    groups: Ints | None  # (n,) numbers of groups


def is_audit(question: int, share: float) -> bool:
    """Whether the question of this number, from 0, is drawn at random."""
    return int((question + 1) * share) > int(question * share)


def choose(
    S: Sparse,
    doubt: Floats,
    taken: Ints,
    free: Array,
    wishes: Wishes,
    audits: Array,
    order: Ints,
) -> Ints:
    """A sample for each entry of ``audits``, the first free of ``order`` where true; ``free`` is changed."""
    best, weights = np.zeros(len(free)), np.maximum(doubt, LEAST)
    arrays = S.indptr, S.indices, S.data
    trees = new_trees(len(free), 1)
    for i in taken:
        cover_by(*arrays, best, i)
    picks = np.empty(len(audits), dtype=np.int64)
    step = 0
    while step < len(audits):
        run = 1
        allowed = _wanted(wishes.groups, np.append(taken, picks[:step]), free)
        if audits[step]:
            picks[step] = order[np.argmax(free[order])]
        else:
            if allowed is free:  # no group waits: the questions up to the next audit in one go
                run = int(np.argmax(np.append(audits[step:], True)))
            cover(*arrays, weights, best, allowed.copy(), wishes.cost, trees, picks[step : step + run])
        free[picks[step : step + run]] = False
        step += run
    return picks


def _wanted(groups: Ints | None, chosen: Ints, free: Array) -> Array:
    """The free samples of groups that have none yet; all free samples where there is no such group."""
    if groups is None:
        return free
    covered = np.zeros(int(groups.max()) + 1, dtype=bool)
    covered[groups[chosen]] = True
    waiting = free & ~covered[groups]
    return waiting if waiting.any() else free
