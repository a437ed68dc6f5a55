"""What a question is chosen from: one record, so that every method has one signature.

    method(now) -> choose,     choose(allowed, count) -> (count,) int64, in order of choice

``now`` is all that is known when samples are asked for. ``choose`` may be called several times (audits and
groups come in between): it remembers what it chose, so that no two questions of a batch ask the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.learner._beliefs import Known
from trigpoint.prediction import PoolView
from trigpoint.selection import first_best

Choose = Callable[[Array, int], Ints]


@dataclass(frozen=True, eq=False)
class Situation:
    """The pool and the labels so far, without those of audits.

    Attributes
    ----------
    view : PoolView that counts most by these labels; its graph is the one that questions are chosen on
    known : the labels
    probabilities : (n, n_classes) what they say of classes, by the learner's predictor; flat where nothing
        is known, and unused for real targets
    taken : (m,) samples that count as asked: labeled, waiting for an answer, or unsure
    count : how many are to be chosen now
    cost : (n,) positive
    sample_weight : (n,) how much each sample counts
    kept : what a method wants to find again at the next question on this view
    passing : whether nobody will be asked for what is chosen, so that nothing kept may know of it
    """

    view: PoolView
    known: Known
    probabilities: Floats
    taken: Ints
    count: int
    cost: Floats
    sample_weight: Floats
    kept: dict[str, Any]
    passing: bool = False

    @property
    def phi(self) -> Sparse:
        return self.view.phi

    @property
    def n(self) -> int:
        return len(self.cost)

    @property
    def total(self) -> int:
        """All questions, up to those that are to be chosen now."""
        return len(self.taken) + self.count

    def tells_classes_apart(self) -> bool:
        """Whether two classes have a label: before that every probability is 1, or flat."""
        return len(self.known.seen) > 1


Method = Callable[[Situation], Choose]


def one_by_one(score: Callable[[], Floats], take: Callable[[int], None], cost: Floats) -> Choose:
    """The allowed sample of largest score by its cost, again and again; scores know of what was taken."""

    def choose(allowed: Array, count: int) -> Ints:
        allowed, picks = allowed.copy(), np.empty(count, dtype=np.int64)
        for step in range(count):
            i = first_best(score() / cost, allowed)
            picks[step], allowed[i] = i, False
            take(i)
        return picks

    return choose
