"""Real targets: questions by the posterior covariance C of a Gaussian field (`selection._field`).

    least_variance     argmax_i  ||C_.i||^2 / C_ii  / cost_i     what a label takes from the trace of C
    largest_variance   argmax_i  C_ii               / cost_i

The trace of C is the expected squared error of the rest, so the first is expected error reduction, known as
V-optimality (Ji & Han, 2012); the labels themselves do not enter. The second is uncertainty sampling; it
asks for outliers. Each pick is taken into C at once, so a batch is what single questions would be.
"""

import numpy as np

from trigpoint.learner._fields import following_field, trace_gain
from trigpoint.learner._situation import Choose, Situation, one_by_one

ALPHA = 0.01  # of the degree


def least_variance(now: Situation) -> Choose:
    known = following_field(now, ALPHA)
    return one_by_one(lambda: trace_gain(known.field), known.take, now.cost)


def largest_variance(now: Situation) -> Choose:
    known = following_field(now, ALPHA)
    return one_by_one(lambda: np.array(known.field.variance), known.take, now.cost)
