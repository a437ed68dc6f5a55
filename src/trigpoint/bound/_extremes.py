"""The extreme eigenvalues of A = psi_UU, each as an interval that holds it.

    dense     up to 500 samples, or where phi is dense: LAPACK, right to n eps lambda_max
    sparse    otherwise: Davidson's method, from a random start. For lambda_max without a
              preconditioner. For lambda_min with a factorization of A - sigma I where that is
              cheap, elsewhere with the diagonal, and with a dear factorization where that fails

sigma lies just below the shift, as no eigenvalue of A does if phi is positive semidefinite; where
the pivots tell that phi is not, just below C, the least left end of A's circles.

The residual ||A x - theta x|| is the half-width of the interval around theta; that the eigenvalue
in it is the extreme one rests on the random start, in which every eigenvector has a part, and on
the residual being small: before that, theta may rest at an eigenvalue inside the spectrum. Circles
need no such trust: no eigenvalue lies outside [C, B]. Intervals are cut there, so a condition
number never exceeds B / C, and reach that far where the residual did not become small.
"""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse

from trigpoint._circles import default_alpha
from trigpoint._kernels import compiled_csr, serial_blas
from trigpoint._kernels.bound_path import principal
from trigpoint._types import Array, Floats, Sparse
from trigpoint.bound._davidson import Ritz, smallest_eigenvalue
from trigpoint.propagation import Factor, affordable, factorize

DENSE = 500
SERIAL = 2000  # below, a second thread gains little, and on busy cores costs twenty times as much
DIRECT_STEPS, STEPS = 200, 2000  # steps of Davidson with a factorization, and without one
NUDGE = 1e-5  # of alpha's default, so that A - sigma I is positive definite


@dataclass(frozen=True)
class Extremes:
    """lambda_min lies in [low, low_above], lambda_max in [high_below, high]."""

    low: float
    low_above: float
    high_below: float
    high: float
    method: str

    def condition_number(self, B: float, C: float) -> tuple[float, float]:
        """At least kappa, and by which share of kappa it may be too large."""
        kappa = max(min(self.high, B) / max(self.low, C), 1.0)
        return kappa, max(kappa * self.low_above / self.high_below - 1.0, 0.0)


def extremes(phi: Any, rest: Array, shift: float, floor: float) -> Extremes:
    """Of the rows and columns ``rest`` of phi + shift I, no eigenvalue of which is below ``floor``."""
    if is_dense(phi):
        values = dense_spectrum(phi, rest, shift)
        least, most, error = float(values[0]), float(values[-1]), rounding(values)
        return Extremes(least - error, least, most, most + error, "dense")
    A = submatrix(phi, rest, shift)
    low, high = _smallest(A, shift, floor), largest(A)
    least = low.value - low.residual if low.settled else 0.0
    most = high.residual - high.value if high.settled else np.inf
    return Extremes(least, low.value, -high.value, most, "sparse")


def is_dense(phi: Any) -> bool:
    """Whether eigenvalues come from LAPACK."""
    return not sparse.issparse(phi) or phi.shape[0] <= DENSE


def dense_spectrum(phi: Any, rest: Array, shift: float) -> Floats:
    """All eigenvalues of psi_UU, ascending."""
    if sparse.issparse(phi):
        A = submatrix(phi, rest, shift).toarray()
    else:
        A = phi[np.ix_(rest, rest)]
        A[np.diag_indices(len(rest))] += shift
    with serial_blas() if len(A) <= SERIAL else nullcontext():
        return np.asarray(linalg.eigvalsh(A, overwrite_a=True, check_finite=False))


def rounding(values: Floats) -> float:
    """What LAPACK may be wrong by."""
    return float(len(values) * np.finfo(float).eps * np.abs(values).max())


def submatrix(phi: Sparse, rest: Array, shift: float) -> Sparse:
    """psi_UU, the only copy of phi that is made."""
    place = np.full(phi.shape[0], -1, dtype=np.int64)
    place[rest] = np.arange(len(rest))
    indptr, indices, data = principal(*compiled_csr(phi), place, len(rest), shift)
    return sparse.csr_array((data, indices, indptr), shape=(len(rest), len(rest)))


def largest(A: Sparse) -> Ritz:
    """The smallest eigenvalue of -A."""
    return smallest_eigenvalue(lambda x: -(A @ x), lambda r: r, _start(A), STEPS)


def _smallest(A: Sparse, shift: float, floor: float) -> Ritz:
    for precondition, limit in _preconditioners(A, shift, floor):
        found = smallest_eigenvalue(lambda x: np.asarray(A @ x), precondition, _start(A), limit)
        if found.settled:
            break
    return found


def _preconditioners(
    A: Sparse, shift: float, floor: float
) -> Iterator[tuple[Callable[[Floats], Floats], int]]:
    """Rough inverses of A, the cheapest first, each with the number of steps it is good for."""
    diagonal = A.diagonal() - shift
    scale = default_alpha(diagonal)
    if not affordable(A, STEPS):  # a step is no less than an iteration of CG, and all may be in vain
        weights = np.maximum(diagonal, 0.0) + scale
        yield (lambda r: r / weights), STEPS
    if affordable(A):
        factor = _positive_factor(A, shift - NUDGE * scale)
        if factor is None:  # phi_UU is indefinite
            factor = _factor(A, floor - NUDGE * scale)
        yield factor.solve, DIRECT_STEPS


def _positive_factor(A: Sparse, sigma: float) -> Factor | None:
    """None where A - sigma I is not positive definite: its pivots have the signs of its eigenvalues."""
    try:
        factor = _factor(A, sigma)
    except ValueError:  # a pivot is 0
        return None
    return factor if factor.pivots.min() > 0.0 else None


def _factor(A: Sparse, sigma: float) -> Factor:
    return factorize(sparse.csr_array(A - sparse.diags_array(np.full(A.shape[0], sigma))))


def _start(A: Sparse) -> Floats:
    return np.asarray(np.random.default_rng(0).standard_normal(A.shape[0]))
