"""Uncertainty: the sample whose two likeliest classes are closest (smallest margin; Settles, 2012, ch. 2).

With f_1 >= f_2 the two largest probabilities of a sample and best_i its coverage (`_coverage`), the next
question is

    argmax_i  (1 - f_1i + f_2i) (1 - best_i)  /  cost_i.

The second factor keeps a batch, and one question after another, from asking for the same spot. Until
two classes are known there is no margin, and coverage decides. Margins alone ask for outliers and forget
the rest of the pool: see docs/learner.md for what that costs.

Real targets: the sample of the largest posterior variance (`_fields`).
"""

import numpy as np

from trigpoint._kernels.selection_push import cover_by
from trigpoint._types import Floats
from trigpoint.learner._coverage import correlations, coverage, covered
from trigpoint.learner._situation import Choose, Situation, one_by_one


def uncertainty(now: Situation) -> Choose:
    if not now.tells_classes_apart():
        return coverage(now)
    S = correlations(now)
    best, ambiguity = covered(S, now.taken), (1.0 - margin(now.probabilities)) * now.sample_weight

    def take(i: int) -> None:
        cover_by(S.indptr, S.indices, S.data, best, i)

    return one_by_one(lambda: ambiguity * (1.0 - best), take, now.cost)


def margin(probability: Floats) -> Floats:
    """(n,) the largest probability less the second; two classes at least."""
    second, first = np.partition(probability, -2, axis=1)[:, -2:].T
    return np.asarray(first - second)
