"""The smallest eigenvalue of a sparse symmetric A, by Davidson's method with thick restarts.

A basis V of a few columns holds the best x = V s so far, s the first eigenvector of V^T A V. With
theta = x^T A x and r = A x - theta x, the basis grows by M r, M a rough inverse of A near theta.
At `BASIS` columns it shrinks to the best `KEEP` and the x of the step before, which carries on as
conjugate gradients do ("GD+1", Stathopoulos 2007). With M = (A - sigma I)^-1 this is Lanczos on
that inverse; with M = I, Lanczos on A; with M = D^-1, conjugate gradients on the Rayleigh quotient.

It is ||r|| itself that tells when to stop, whatever M is: an eigenvalue of A lies within ||r|| of
theta, and none below the smallest, so theta bounds that from above.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from trigpoint._types import Floats

BASIS, KEEP = 16, 5
GOAL = 1e-8  # ||r|| / |theta|
EXHAUSTED = 1e-10  # share of M r outside the basis below which it brings nothing new


@dataclass(frozen=True, eq=False)
class Ritz:
    """An estimate from above of the smallest eigenvalue."""

    value: float
    vector: Floats
    residual: float  # ||A x - value x||

    @property
    def settled(self) -> bool:
        return self.residual <= GOAL * abs(self.value)


def smallest_eigenvalue(
    apply: Callable[[Floats], Floats], precondition: Callable[[Floats], Floats], start: Floats, limit: int
) -> Ritz:
    """The best that about ``limit`` products with A find, settled or not."""
    size = min(BASIS, len(start))
    V, W = np.empty((size, len(start))), np.empty((size, len(start)))  # rows: the basis, and A times it
    T = np.zeros((size, size))
    j, new = 0, precondition(start)
    before = np.zeros(0)
    for _ in range(limit):
        new, share = _orthonormal(new, V[:j])
        if share <= EXHAUSTED:
            break
        V[j], W[j] = new, apply(new)
        T[j, : j + 1] = T[: j + 1, j] = V[: j + 1] @ W[j]
        j += 1
        values, S = linalg.eigh(T[:j, :j])
        x = S[:, 0] @ V[:j]
        rest = S[:, 0] @ W[:j] - values[0] * x
        if np.linalg.norm(rest) <= 0.5 * GOAL * abs(values[0]):
            break
        if j == size:
            j = _restart(V, W, T, S, before)
            before = np.eye(1, j)[0]
        else:
            before = S[:, 0]
        new = precondition(rest)
    return _measured(apply, x)


def _measured(apply: Callable[[Floats], Floats], x: Floats) -> Ritz:
    """The estimate with its true residual: that of the recurrence has drifted by some roundings."""
    x = x / np.linalg.norm(x)
    image = apply(x)
    value = float(x @ image)
    return Ritz(value, x, float(np.linalg.norm(image - value * x)))


def _orthonormal(x: Floats, V: Floats) -> tuple[Floats, float]:
    """x without its part in the span of the rows of V, and how much of x that leaves."""
    x = x / np.linalg.norm(x)
    left = x - (V @ x) @ V
    share = float(np.linalg.norm(left))
    left = left - (V @ left) @ V
    return left / (np.linalg.norm(left) or 1.0), share


def _restart(V: Floats, W: Floats, T: Floats, S: Floats, before: Floats) -> int:
    """Keep the best vectors and the part of the last x outside them; returns how many there are."""
    kept = S[:, : min(KEEP, len(S) - 1)]
    last = np.append(before, np.zeros(len(S) - len(before)))
    last, share = _orthonormal(last, kept.T) if last.any() else (last, 0.0)
    C = np.column_stack([kept, last]) if share > EXHAUSTED and kept.shape[1] + 1 < len(S) else kept
    k = int(C.shape[1])
    V[:k], W[:k] = C.T @ V, C.T @ W
    T[:] = 0.0
    T[:k, :k] = V[:k] @ W[:k].T
    return k
