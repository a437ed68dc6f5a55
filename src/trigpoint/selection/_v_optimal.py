"""V-optimality: least variance of what is left (Ji & Han, 2012), in pools of any size.

The next landmark is the i whose label takes most from the trace of the posterior covariance C (`_field`),

    tr C - tr C' = ||c_i||^2 / C_ii = (C^2)_ii / C_ii.

The trace falls submodularly (Ma, Garnett & Schneider, 2013), so greedy on the exact C reaches 1 - 1/e of what
any landmarks, of those that may be chosen, can take. Nested (beyond 10,000 samples for up to 1,000 landmarks,
as `_field` then draws whom to choose from); ties, within 1e-9, go to the lower index.

`gaussian_field` is the same rule in dense arithmetic with a prior that all but vanishes. ``alpha``, 0.01,
lets the field forget, so that columns of C are local and a pick is cheap. Against that prior it is better on
curves and surfaces and worse at small budgets in high dimensions, where single outliers vary most: see
docs/selection.md. The less of it, the slower.
"""

import numpy as np

from trigpoint._types import Floats, Ints
from trigpoint.selection._field import NESTED_TO, Field, check_rate, greedy, unlabeled_field
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

ALPHA = 0.01  # of the degree


def v_optimal(pool: Pool, n_landmarks: int, rng: np.random.Generator, *, alpha: float = ALPHA) -> Ints:
    field = unlabeled_field(pool, n_landmarks, alpha, "squares")
    return greedy(field, pool.initial, n_landmarks, _gains)


SELECTOR = Selector(
    "v_optimal",
    v_optimal,
    uses_phi=True,
    takes_dense=False,
    nested=True,
    nested_to=NESTED_TO,
    check=check_rate,
)


def _gains(field: Field) -> Floats:
    return field.squares / field.variance
