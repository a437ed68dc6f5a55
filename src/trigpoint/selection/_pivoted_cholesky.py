"""The pivots of a Cholesky factorization of the graph's correlations (Fine & Scheinberg, 2001; Chen, Epperly,
Tropp & Webber, 2023).

    S_ij = C_ij / sqrt(C_ii C_jj),     C = (phi + alpha R)^-1  (`_field`).

Factor S column by column. After pivots L, what is left of its diagonal is the share of a sample's variance
that labels of L do not explain, d_i = C'_ii / C_ii with C' the covariance given L, and the trace of what is
left is the error of the approximation of S from its columns L. The next pivot is

    greedy    the largest d_i: the sample of which least is known, as in farthest point
    random    a draw in proportion to d_i: denser where samples are dense, and outliers stay rare

All d_i are 1 at first, and d_i is 1 still wherever no landmark reaches: those within 1e-3 of the largest tie,
and of them the best connected comes first, the one of least C_ii, then the lower index.

The factor itself, n times l numbers, is never made: `_field` has d from one local solve a pivot. Nested
(beyond 10,000 samples for up to 1,000 landmarks, as `_field` then draws whom to choose from, random pivots
too).
"""

import numpy as np

from trigpoint._kernels.selection_draws import draw
from trigpoint._types import Floats, Ints
from trigpoint._validation import check_choice
from trigpoint.selection._field import NESTED_TO, Field, check_rate, condition, greedy, unlabeled_field
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

ALPHA = 0.05  # of the degree
PIVOTS = ("greedy", "random")
TIE = 1e-3


def pivoted_cholesky(
    pool: Pool,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    pivots: str = "greedy",
    alpha: float = ALPHA,
) -> Ints:
    field = unlabeled_field(pool, n_landmarks, alpha)
    before = field.variance.copy()
    if pivots == "greedy":
        return greedy(field, pool.initial, n_landmarks, lambda field: _ranked(field, before))
    return _drawn(field, pool.initial, before, rng.random(n_landmarks))


def _check(pivots: str, alpha: float) -> None:
    check_choice(pivots, "pivots", PIVOTS)
    check_rate(alpha)


SELECTOR = Selector(
    "pivoted_cholesky",
    pivoted_cholesky,
    uses_phi=True,
    takes_dense=False,
    nested=True,
    nested_to=NESTED_TO,
    check=_check,
)


def _ranked(field: Field, before: Floats) -> Floats:
    """Larger the better connected, for samples that tie with the largest share; 0 for others."""
    share = field.variance / before
    largest = share[field.waiting & field.choice].max()
    return np.where(share >= largest - TIE, before.min() / before, 0.0)


def _drawn(field: Field, initial: Ints, before: Floats, shares: Floats) -> Ints:
    for i in initial:
        condition(field, int(i))
    picks = np.empty(len(shares), dtype=np.int64)
    for step, share in enumerate(shares):
        open_to = field.waiting & field.choice
        picks[step] = draw(np.where(open_to, field.variance / before, 0.0), share)
        condition(field, int(picks[step]))
    return picks
