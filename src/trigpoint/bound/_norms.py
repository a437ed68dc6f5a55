"""The terms of the bound that need no eigenvalues, from the circles of psi_UU.

With t = r - s, the sum of |psi_ij| over the landmarks j, and u the sum over the others:

    ||psi_UL||_inf = max_U t = A        ||psi_UU||_1 = max_U (c + s) = max_U (right - t) = B
    ||psi_UL||_1   = max_L u            C = min_U (c - s) = min_U (left + t)

    Q = (A + B) / (A C) = (B / C) (1 / A + 1 / B) >= kappa (1 / ||psi_UL||_inf + 1 / ||psi_UU||_1)

No link to a landmark makes A = 0, and Q and the bounds infinite. No sample without a label leaves
nothing that noise could change: norms, Q and bounds are then 0, and kappa is 1.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._circles import Circles
from trigpoint._kernels import compiled_csr
from trigpoint._kernels.bound_path import extremes_along, split_radii
from trigpoint._types import Array, Ints, Sparse


@dataclass(frozen=True, eq=False)
class Norms:
    """Numbers, or arrays over picks."""

    inf: Any  # A
    one: Any
    rest: Any  # B
    least: Any  # C
    empty: Any  # no sample is without a label

    def gershgorin(self) -> Any:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.where(self.empty, 0.0, np.divide(self.inf + self.rest, self.inf * self.least))

    def bound(self, kappa: Any, norm: Any) -> Any:
        """kappa (1 / norm + 1 / ||psi_UU||_1)."""
        with np.errstate(divide="ignore", over="ignore"):
            terms = np.divide(1.0, norm) + np.divide(1.0, self.rest)
        return np.where(self.empty, 0.0 * kappa, kappa * np.where(self.empty, 0.0, terms))


def rows_of(phi: Any) -> Sparse:
    """phi as compressed rows, for the kernels."""
    return phi if sparse.issparse(phi) else sparse.csr_array(phi)


def norms_of(phi: Any, circles: Circles, labeled: Array) -> Norms:
    """For one set of landmarks, given as a mask."""
    t, u = split_radii(*compiled_csr(rows_of(phi)), labeled)
    rest = ~labeled
    if not rest.any():
        return Norms(0.0, 0.0, 0.0, np.inf, True)
    B, C = (circles.right - t)[rest].max(), (circles.left + t)[rest].min()
    return Norms(float(t[rest].max()), float(u[labeled].max()), float(B), float(C), False)


def norms_along(phi: Any, circles: Circles, landmarks: Ints) -> Norms:
    """After each pick, in order."""
    A, B, C, one = extremes_along(*compiled_csr(rows_of(phi)), circles.left, circles.right, landmarks)
    empty = np.arange(1, len(landmarks) + 1) == len(circles.left)
    return Norms(np.maximum(A, 0.0), one, np.maximum(B, 0.0), C, empty)
