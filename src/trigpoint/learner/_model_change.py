"""Model change: the label that is expected to move the propagated values most (Miller & Bertozzi, 2021).

On a Gaussian field with covariance C given the labels (`selection._field`, alpha = 0.05), class c at i
changes all values by (e_c - f_i) C_.i / C_ii, f_i the probabilities of i. The next question is

    argmax_i  ||C_.i|| / C_ii  sum_c f_ic ||e_c - f_i||  /  cost_i.

Within a batch f stays, which is its expectation, and C is given each pick. Until two classes are known the
label could not change anything, and coverage decides.

Real targets: the change is Gaussian of variance C_ii, so that its expected size is ||C_.i|| / sqrt(C_ii):
the order of `_fields`.
"""

import numpy as np

from trigpoint._types import Floats
from trigpoint.learner._coverage import coverage
from trigpoint.learner._fields import following_field
from trigpoint.learner._situation import Choose, Situation, one_by_one

ALPHA = 0.05  # of the degree


def model_change(now: Situation) -> Choose:
    if not now.tells_classes_apart():
        return coverage(now)
    known, surprise = following_field(now, ALPHA), expected_surprise(now.probabilities)
    return one_by_one(
        lambda: surprise * np.sqrt(known.field.squares) / known.field.variance, known.take, now.cost
    )


def expected_surprise(f: Floats) -> Floats:
    """(n,) sum_c f_c ||e_c - f||, with ||e_c - f||^2 = ||f||^2 + 1 - 2 f_c."""
    squared = (f**2).sum(axis=1, keepdims=True) + 1.0 - 2.0 * f
    return np.asarray((f * np.sqrt(np.maximum(squared, 0.0))).sum(axis=1))
