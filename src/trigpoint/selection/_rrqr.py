"""Rank-revealing QR: the columns of B that the others explain best, phi = B^T B (Hong & Pan, 1992).

Pivoted QR orders the columns of B: next comes the one with the largest residual off the span of those
before it. The first pivots are well conditioned, so the landmarks are the *last* l of them, the last
one first, which leaves phi_UU = R_11^T R_11 on the others. B itself is not needed: the squared residuals
are the diagonal of the Schur complement S of the pivots P so far, and pivoted Cholesky keeps it,

    S = phi - phi_:P phi_PP^-1 phi_P:,     next pivot = argmax_i s_ii.

Residuals that differ by less than 1e-9 of the largest, or by less than rounding = n eps max_i phi_ii,
tie, and of those the lower index is the earlier landmark. Residuals up to rounding are zero: phi has
rank no higher, and the samples that remain come last, in the same order among themselves. Samples in
``initial`` are landmarks already, so the others are factored without them. Nested by construction.

phi must be positive semidefinite, up to 1e-8 of its largest entry on the diagonal. The greedy pivots
need not meet the appendix's bound, which some order attains. O(n^3) and one (n, n) array, whatever
n_landmarks: at most 10,000 samples.
"""

import numpy as np
from scipy.linalg.blas import dsyrk

from trigpoint._kernels import serial_blas
from trigpoint._progress import track
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import indefinite
from trigpoint.selection._dense import TIE, principal_block
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

LIMIT = 10_000  # samples
PANEL = 64  # pivots after which the Schur complement is brought up to date, in one product
DEFINITE = 1e-8  # of the largest diagonal entry


def rrqr(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    rest = np.flatnonzero(pool.free())
    largest = float(np.abs(pool.phi.diagonal()).max())
    with serial_blas():
        order = _pivots(principal_block(pool.phi, rest).T, largest, pool.n * np.finfo(float).eps * largest)
    return rest[order[::-1][:n_landmarks]]


SELECTOR = Selector("rrqr", rrqr, uses_phi=True, nested=True, limit=LIMIT)


def _pivots(S: Floats, largest: float, rounding: float) -> Ints:
    """All samples in the order of pivoting; the lower triangle of S, in Fortran order, is overwritten."""
    m = len(S)
    residual, waiting = S.diagonal().copy(), np.ones(m, dtype=bool)
    panel = np.zeros((m, PANEL), order="F")  # columns of the Cholesky factor that S lacks yet
    order = np.empty(m, dtype=np.int64)
    for step in track(range(m), "landmarks"):
        column = step % PANEL
        if step and column == 0:
            S = dsyrk(-1.0, panel, beta=1.0, c=S, lower=1, overwrite_c=1)
        if residual.min() < -DEFINITE * largest:
            raise indefinite()
        pivot = _last_best(residual, waiting, rounding)
        if residual[pivot] <= rounding:
            _check_nothing_left(S, panel[:, :column], waiting, largest)
            order[step:] = np.flatnonzero(waiting)[::-1]
            break
        factor = _lower_column(S, pivot) - panel[:, :column] @ panel[pivot, :column]
        panel[:, column] = np.where(waiting, factor / np.sqrt(residual[pivot]), 0.0)
        residual -= panel[:, column] ** 2
        order[step], waiting[pivot], residual[pivot] = pivot, False, 0.0
    return order


def _last_best(residual: Floats, waiting: Array, rounding: float) -> int:
    best = residual[waiting].max()
    return int(np.flatnonzero(waiting & (residual >= best - max(TIE * best, rounding)))[-1])


def _lower_column(S: Floats, i: int) -> Floats:
    return np.concatenate([S[i, :i], S[i:, i]])


def _check_nothing_left(S: Floats, panel: Floats, waiting: Array, largest: float) -> None:
    """Where a PSD matrix has a zero diagonal it is zero."""
    spots = np.flatnonzero(waiting)
    for i in spots.tolist():
        left = _lower_column(S, i)[spots] - panel[spots] @ panel[i]
        if np.abs(left).max() > DEFINITE * largest:
            raise indefinite()
