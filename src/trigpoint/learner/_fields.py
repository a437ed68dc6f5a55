"""A Gaussian field that follows the questions: made once, then given each sample that is asked for.

What a label at i would do depends on the covariance C of all samples given those that were asked for, not on
their answers (`selection._field`, `selection._gaussian_field`). A sample whose answer is still to come, or
that a person was unsure of, counts as known: so the questions of a batch differ.
"""

import numpy as np

from trigpoint._types import Floats
from trigpoint.learner._situation import Situation
from trigpoint.selection._field import Field, condition, unlabeled_field
from trigpoint.selection._pool import Pool


def following_field(now: Situation, alpha: float) -> Field:
    """Variances C_ii and squares (C^2)_ii given what was asked for, in pools of any size.

    Beyond 10,000 samples only 10,000 of them, drawn once, have squares: the others count as hardly
    telling of anyone.
    """
    if "field" not in now.kept:
        pool = Pool(now.phi, None, None, np.empty(0, dtype=np.int64), "field")
        now.kept["field"] = unlabeled_field(pool, 0, alpha, "squares")
    field: Field = now.kept["field"]
    for i in now.taken[field.waiting[now.taken]]:
        condition(field, int(i))
    return field


def trace_gain(field: Field) -> Floats:
    """(n,) what a label takes from the trace of C: ||c_i||^2 / C_ii."""
    return np.asarray(field.squares / field.variance)
