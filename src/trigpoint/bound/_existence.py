"""The condition number that some set of l landmarks attains (the paper's appendix, after Hong & Pan, 1992).

    min over U, |U| = n - l, of kappa(psi_UU)  <=  [l (n - l) + 1] lambda_1 / lambda_{n-l},

lambda_1 >= ... >= lambda_n the eigenvalues of psi; lambda_{n-l} is the (l + 1)-th smallest. Loose,
but it needs no landmarks: a set whose kappa exceeds it is proven to be a poor one.

Sparse matrices above `DENSE` samples would need l + 1 eigenvectors: there is no answer beyond `MOST`
landmarks, or where phi is dear to factor.
"""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._circles import Circles
from trigpoint.bound._extremes import STEPS, dense_spectrum, largest, rounding, submatrix
from trigpoint.propagation import Quadratic, affordable, smallest_eigenvectors

DENSE = 2000
MOST = 20


def attainable(phi: Any, n_landmarks: int, disks: Circles) -> float:
    """At least the theorem's value; NaN where it is out of reach."""
    n = int(phi.shape[0])
    if n_landmarks == n:
        return 1.0
    dense = not issparse(phi) or n <= DENSE
    low, high = _dense(phi, n_landmarks, disks) if dense else _sparse(phi, n_landmarks, disks)
    return float(n_landmarks * (n - n_landmarks) + 1) * high / max(low, float(disks.left.min()))


def _dense(phi: Any, n_landmarks: int, disks: Circles) -> tuple[float, float]:
    """Bounds of lambda_{n-l} from below and of lambda_1 from above."""
    values = dense_spectrum(phi, np.arange(phi.shape[0]), disks.shift)
    error = rounding(values)
    return float(values[n_landmarks]) - error, float(values[-1]) + error


def _sparse(phi: Any, n_landmarks: int, disks: Circles) -> tuple[float, float]:
    n = phi.shape[0]
    if n_landmarks > MOST or not affordable(phi, STEPS):
        return float("nan"), float("nan")
    M = Quadratic(phi, np.empty((n, 0)), 0.0)
    try:
        pairs = smallest_eigenvectors(M, n_landmarks + 1, None, np.random.default_rng(0))
    except RuntimeError:  # not converged
        return float("nan"), float("nan")
    last = pairs.vectors[:, -1]
    low = float(last @ (M @ last)) - pairs.residual * M.bound() + disks.shift
    high = largest(submatrix(phi, np.arange(n), disks.shift))
    return low, high.residual - high.value if high.settled else float(disks.right.max())
