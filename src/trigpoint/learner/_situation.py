"""What a question is chosen from: one record, so that every method has one signature.

    method(now) -> choose,     choose(allowed, count) -> (count,) int64, in order of choice

``now`` is all that is known when samples are asked for. ``choose`` may be called several times (audits and
groups come in between): it remembers what it chose, so that no two questions of a batch ask the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array

from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.learner._beliefs import Known, flat_probabilities
from trigpoint.selection import first_best

Choose = Callable[[Array, int], Ints]


@dataclass(frozen=True, eq=False)
class Situation:
    """The pool and the labels so far, without those of audits.

    Attributes
    ----------
    phi : (n, n) Laplacian
    correlations : gives S, how much a label at i tells of j; computed when it is first asked for
    known : the labels
    taken : (m,) samples that count as asked: labeled, waiting for an answer, or unsure
    cost : (n,) positive
    kept : what a method wants to find again at the next question
    passing : whether nobody will be asked for what is chosen, so that nothing kept may know of it
    """

    phi: Sparse
    correlations: Callable[[], Sparse]
    known: Known
    taken: Ints
    cost: Floats
    kept: dict[str, Any]
    passing: bool = False

    @property
    def n(self) -> int:
        return int(self.phi.shape[0])

    def tells_classes_apart(self) -> bool:
        """Whether two classes have a label: before that every probability is 1, or flat."""
        return int(self.known.values.any(axis=0).sum()) > 1

    def probabilities(self, rate: float = 0.0) -> Floats:
        """(n, n_classes), flat where no label reaches; values may forget at a rate at every step."""
        degrees = self.phi.diagonal()
        typical = float(np.median(degrees[degrees > 0])) if (degrees > 0).any() else 1.0
        phi = self.phi + diags_array(rate * np.maximum(degrees, typical)) if rate else self.phi
        return flat_probabilities(csr_array(phi), self.known)


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
