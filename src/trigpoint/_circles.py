"""The Gershgorin circles of a shifted alignment matrix.

    psi = phi + (max(0, -b_min) + alpha) I,   b_min = min_i (phi_ii - r_i),   r_i = sum_{j != i} |phi_ij|

Circle i has center c_i = psi_ii and radius r_i; the eigenvalues of psi lie in the union of
[c_i - r_i, c_i + r_i], and so all left ends, and all eigenvalues, are at least alpha > 0. Where
|phi_ii - r_i| <= 1e-12 r_i the difference is rounding, as in every row of a Laplacian, and is taken
as 0: equal circles then are equal to the last bit.

alpha=None is 0.001 times the mean of phi's diagonal (1 where that is not positive).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._kernels import compiled_csr
from trigpoint._kernels.circles import radii
from trigpoint._types import Floats
from trigpoint._validation import check_magnitude, check_number

DEFAULT_ALPHA = 1e-3  # of the mean diagonal
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Circles:
    """Left end c - r and right end c + r of each circle, the radii, and psi - phi as a number."""

    left: Floats  # (n,)
    right: Floats  # (n,)
    radius: Floats  # (n,)
    shift: float


def circles(phi: Any, alpha: float | None = None) -> Circles:
    """The circles of psi for a checked ``phi``, dense or `csr_array`."""
    diagonal = phi.diagonal()
    radius = _radii(phi)
    left = diagonal - radius
    left[np.abs(left) <= ROUNDING * radius] = 0.0
    lift = max(0.0, -float(left.min()))
    extra = default_alpha(diagonal) if alpha is None else check_alpha(alpha)
    return Circles((left + lift) + extra, (diagonal + radius) + (lift + extra), radius, lift + extra)


def check_alpha(alpha: float) -> float:
    alpha = check_number(alpha, "alpha", 0.0, strict=True)
    check_magnitude(np.array([alpha]), "alpha")
    return alpha


def default_alpha(diagonal: Floats, share: float = DEFAULT_ALPHA) -> float:
    mean = float(diagonal.mean())
    return share * mean if mean > 0 else 1.0


def _radii(phi: Any) -> Floats:
    if sparse.issparse(phi):
        return radii(*compiled_csr(phi))
    off = np.abs(phi)
    np.fill_diagonal(off, 0.0)
    return np.asarray(off.sum(axis=1))
