"""The linear system of least-squares propagation.

Hard landmarks keep their values; the others minimize z^T phi z + gamma ||z_U||^2:

    (phi_UU + gamma I) z_U = -phi_UL z_L.

Soft landmarks only pull: with E the indicator of the landmarks, weighted by beta, all of z
minimizes z^T phi z + sum_L beta_i (z_i - y_i)^2 + gamma ||z_U||^2:

    (phi + beta E + gamma (I - E)) z = beta E y.

which is solved for x = z - y_0, with y_0 = y where beta_i > phi_ii and 0 elsewhere: the right-hand
side -phi y_0 + beta E (y - y_0) does not grow with beta, so that a small residual means an
accurate z for any beta.

Where phi annihilates s instead of the constant, z stands for u = s * z in both. Samples in a
component without a landmark are not part of the system.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Floats, Ints, Sparse


@dataclass(frozen=True, eq=False)
class System:
    """A x = B and u = start + x for the samples ``unknown``; u = s * z."""

    A: Sparse
    B: Floats  # (m, d)
    unknown: Ints  # (m,), sorted
    start: Floats | float  # (m, d)


def hard_system(phi: Sparse, landmarks: Ints, targets: Floats, reached: Array, gamma: float) -> System:
    """``targets`` holds u at the landmarks, (l, d)."""
    free = reached.copy()
    free[landmarks] = False
    unknown = np.flatnonzero(free)
    rows = phi[unknown]
    A = _add_diagonal(rows[:, unknown], np.full(len(unknown), gamma))
    return System(A, np.asarray(-(rows[:, landmarks] @ targets)), unknown, 0.0)


def soft_system(
    phi: Sparse, landmarks: Ints, targets: Floats, reached: Array, gamma: float, beta: Floats
) -> System:
    """``beta`` holds one weight per landmark."""
    n = phi.shape[0]
    weight = np.full(n, gamma)
    weight[landmarks] = beta
    start = np.zeros((n, targets.shape[1]))
    strong = beta > phi.diagonal()[landmarks]
    start[landmarks[strong]] = targets[strong]
    rhs = np.asarray(-(phi @ start))
    rhs[landmarks[~strong]] += beta[~strong, None] * targets[~strong]
    unknown = np.flatnonzero(reached)
    A = phi if len(unknown) == n else phi[unknown][:, unknown]
    return System(_add_diagonal(A, weight[unknown]), rhs[unknown], unknown, start[unknown])


def _add_diagonal(A: Sparse, shift: Floats) -> Sparse:
    if not shift.any():
        return A
    if sparse.issparse(A):
        return sparse.csr_array(A + sparse.diags_array(shift))
    return A + np.diag(shift)
