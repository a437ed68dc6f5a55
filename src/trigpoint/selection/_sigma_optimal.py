"""Sigma-optimality: least variance of the pool's sum (Ma, Garnett & Schneider, 2013), in pools of any size.

The next landmark is the i whose label takes most from the sum of all entries of the posterior covariance C
(`_field`), which is the variance of the sum of all values that are not known,

    1^T C 1 - 1^T C' 1 = (sum_j C_ij)^2 / C_ii.

The variance of a sample alone, an outlier's too, counts for less than in V-optimality: it goes to the middle
of what moves together. The sum falls submodularly, so greedy on the exact C reaches 1 - 1/e of what any
landmarks, of those that may be chosen, can take. Nested (beyond 10,000 samples for up to 1,000 landmarks, as
`_field` then draws whom to choose from); ties, within 1e-9, go to the lower index. ``alpha`` is 0.05.
"""

import numpy as np

from trigpoint._types import Floats, Ints
from trigpoint.selection._field import NESTED_TO, Field, check_rate, greedy, unlabeled_field
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

ALPHA = 0.05  # of the degree


def sigma_optimal(pool: Pool, n_landmarks: int, rng: np.random.Generator, *, alpha: float = ALPHA) -> Ints:
    field = unlabeled_field(pool, n_landmarks, alpha, "sums")
    return greedy(field, pool.initial, n_landmarks, _gains)


SELECTOR = Selector(
    "sigma_optimal",
    sigma_optimal,
    uses_phi=True,
    takes_dense=False,
    nested=True,
    nested_to=NESTED_TO,
    check=check_rate,
)


def _gains(field: Field) -> Floats:
    return field.sums**2 / field.variance
