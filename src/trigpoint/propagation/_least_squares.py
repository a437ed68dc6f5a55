"""Least-squares propagation (Yang, Fu, Zha & Barlow, 2006).

Hard landmarks keep their values; the others minimize z^T phi z + gamma ||z_U||^2:

    (phi_UU + gamma I) z_U = -phi_UL z_L.

Soft landmarks only pull: with E the indicator of the landmarks, weighted by beta, all of z
minimizes z^T phi z + sum_L beta_i (z_i - y_i)^2 + gamma ||z_U||^2:

    (phi + beta E + gamma (I - E)) z = beta E y,

which is solved for x = z - y_0, with y_0 = y where beta_i > phi_ii and 0 elsewhere: the right-hand
side -phi y_0 + beta E (y - y_0) does not grow with beta, so that a small residual means an
accurate z for any beta.

Where phi annihilates s instead of the constant, z stands for u = s * z in both. Samples in a
component without a landmark are not part of the system.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from trigpoint._types import Floats, Ints, Sparse
from trigpoint.propagation._reach import Reach
from trigpoint.propagation._solver import Outcome, Solver
from trigpoint.propagation._structure import principal


@dataclass(frozen=True, eq=False)
class Field:
    """A pool with landmarks, ready to solve: phi, the null vector s, and how landmarks hold."""

    phi: Sparse
    landmarks: Ints
    found: Reach
    scale: Floats | None  # s; None where s = 1
    beta: Floats | None  # (l,); None: hard landmarks
    gamma: float

    @cached_property
    def unknown(self) -> Ints:
        """(m,) samples that the system is for, sorted."""
        free = self.found.reached.copy()
        if self.beta is None:
            free[self.landmarks] = False
        return np.flatnonzero(free)

    @cached_property
    def solver(self) -> Solver:
        """Of the system's matrix."""
        weight = np.full(self.phi.shape[0], self.gamma)
        if self.beta is not None:
            weight[self.landmarks] = self.beta
        A = self.phi if len(self.unknown) == len(weight) else self._unknown_part()
        scale = None if self.scale is None else self.scale[self.unknown]
        return Solver(_add_diagonal(A, weight[self.unknown]), scale)

    def _unknown_part(self) -> Sparse:
        if sparse.issparse(self.phi):
            return principal(self.phi, self.unknown)
        return self.phi[self.unknown][:, self.unknown]

    def targets(self, values: Floats) -> Floats:
        """u at the landmarks, (l, d)."""
        return values if self.scale is None else values * self.scale[self.landmarks, None]

    def equations(self, values: Floats) -> tuple[Floats, Floats | float]:
        """B of A x = B, (m, d), and the start from which u = start + x."""
        targets = self.targets(values)
        if self.beta is None:
            return -(self.phi[:, self.landmarks] @ targets)[self.unknown], 0.0
        start = np.zeros((self.phi.shape[0], targets.shape[1]))
        strong = self.beta > self.phi.diagonal()[self.landmarks]
        start[self.landmarks[strong]] = targets[strong]
        rhs = np.asarray(-(self.phi @ start))
        rhs[self.landmarks[~strong]] += self.beta[~strong, None] * targets[~strong]
        return rhs[self.unknown], start[self.unknown]


def least_squares(field: Field, values: Floats, method: str, tol: float) -> tuple[Floats, Outcome]:
    """z of shape (n, d), NaN where no landmark reaches, and how the system was solved."""
    z = np.full((field.phi.shape[0], values.shape[1]), np.nan)
    if field.beta is None:
        z[field.landmarks] = values
    if len(field.unknown) == 0:
        return z, Outcome(np.empty((0, values.shape[1])), "none", 0, 0.0)
    B, start = field.equations(values)
    outcome = field.solver.solve(B, tol=tol, method=method)
    u = start + outcome.X
    z[field.unknown] = u if field.scale is None else u / field.scale[field.unknown, None]
    return z, outcome


def _add_diagonal(A: Sparse, shift: Floats) -> Sparse:
    if not shift.any():
        return A
    if sparse.issparse(A):
        return sparse.csr_array(A + sparse.diags_array(shift))
    return A + np.diag(shift)
