"""The slowest modes of a graph: eigenvectors of its normalized Laplacian of smallest eigenvalue.

    N = I - D^-1/2 W D^-1/2,     eigenvalues in [0, 2].

Up to DENSE samples by LAPACK. Beyond, by subspace iteration on a Chebyshev filter (Zhou, Saad, Tiago &
Chelikowsky, 2006): a block of random vectors is multiplied by the polynomial in N that is small on [b, 2] and
grows fastest below b, the largest Ritz value at hand, and made orthonormal, for ROUNDS rounds. Nothing is
factored, and multiple eigenvalues (a 0 for each component of the graph) come out with their multiplicity.
The vectors need not have converged: they serve as coordinates. On surfaces of many samples, where many
eigenvalues are near 0, they are mixtures of slow modes, not the slowest.
"""

import numpy as np
from scipy import linalg, sparse

from trigpoint._kernels import serial_blas
from trigpoint._types import Floats, Sparse

DENSE = 1000  # samples
DEGREE = 40  # of a polynomial
ROUNDS = 4
SPARE = 8  # vectors beyond those asked for, so that the last of them converge


def slow_modes(phi: Sparse, k: int, rng: np.random.Generator) -> Floats:
    """(n, k or more) orthonormal vectors, slowest first; phi a Laplacian whose samples all have edges.

    More than k only in small pools of more than k components, one for each.
    """
    n = phi.shape[0]
    root = sparse.diags_array(1.0 / np.sqrt(phi.diagonal()))
    N = sparse.csr_array(root @ phi @ root)
    with serial_blas():
        if n <= DENSE:
            values, vectors = linalg.eigh(N.toarray())
            return np.asarray(vectors[:, : max(k, int((values < 1e-9).sum()))])
        return _filtered(N, k, rng)


def _filtered(N: Sparse, k: int, rng: np.random.Generator) -> Floats:
    Q = np.linalg.qr(rng.standard_normal((N.shape[0], k + SPARE)))[0]
    bound = 0.5
    for _ in range(ROUNDS):
        Q = np.linalg.qr(_chebyshev(N, Q, bound))[0]
        values, turn = np.linalg.eigh(Q.T @ (N @ Q))
        Q = Q @ turn
        bound = float(np.clip(values[-1], 1e-6, 1.0))
    return np.asarray(Q[:, :k])


def _chebyshev(N: Sparse, X: Floats, bound: float) -> Floats:
    """T_m((N - c) / h) X, c and h the middle and half the length of [bound, 2], scaled as it grows."""
    c, h = (2.0 + bound) / 2.0, (2.0 - bound) / 2.0
    sigma = start = -h / c  # T_m is divided by its value at 0
    before, now = X, (N @ X - c * X) * (sigma / h)
    for _ in range(1, DEGREE):
        following = 1.0 / (2.0 / start - sigma)
        before, now = now, (N @ now - c * now) * (2.0 * following / h) - (sigma * following) * before
        sigma = following
    return np.asarray(now)
