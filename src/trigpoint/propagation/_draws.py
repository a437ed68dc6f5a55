"""Random vectors eta ~ N(0, A), without a square root of A as a dense matrix.

edges    A diagonally dominant with a positive s, as Laplacians are: with B = diag(s) A diag(s)
         B = sum_{i<j} |b_ij| f_ij f_ij^T + diag(slack), f_ij = e_i + sign(b_ij) e_j, slack >= 0,
         so one standard normal for each edge and sample gives eta = diag(s)^-1 F eps
pivots   from a factorization A = P^T L D L^T P, D > 0: eta = P^T L D^1/2 eps
"""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from trigpoint._types import Floats, Sparse
from trigpoint._validation import singular
from trigpoint.propagation._direct import Factor, least_pivot

Draw = Callable[[np.random.Generator, int], Floats]


def edge_draw(A: Sparse, s: Floats | None) -> tuple[Draw, int]:
    """A sampler of eta, (n, count) a call, and how many normals one column takes."""
    n = A.shape[0]
    s = np.ones(n) if s is None else s
    scaled = sparse.coo_array(A)
    upper = scaled.row < scaled.col
    i, j, a = (
        scaled.row[upper],
        scaled.col[upper],
        scaled.data[upper] * s[scaled.row[upper]] * s[scaled.col[upper]],
    )
    weight = np.sqrt(np.abs(a))
    slack = (2 * np.abs(A.diagonal()) * s - abs(A) @ s) * s  # of B; rounding may leave it below 0
    edge, own = np.arange(len(a)), len(a) + np.arange(n)
    entries = np.concatenate([weight / s[i], np.sign(a) * weight / s[j], np.sqrt(slack.clip(0.0)) / s])
    places = (np.concatenate([i, j, np.arange(n)]), np.concatenate([edge, edge, own]))
    F = sparse.csr_array((entries, places), shape=(n, len(a) + n))
    return (lambda rng, count: np.asarray(F @ rng.standard_normal((F.shape[1], count)))), F.shape[1]


def pivot_draw(A: Sparse, factor: Factor) -> tuple[Draw, int]:
    """As `edge_draw`, from a factorization of A; ValueError where A is not positive definite."""
    pivots = factor.lu.U.diagonal()
    diagonal = A.diagonal() if factor.order is None else A.diagonal()[factor.order]
    if np.any(pivots[factor.lu.perm_c] <= least_pivot(len(pivots)) * diagonal):
        raise singular()
    root = sparse.csr_array(factor.lu.L @ sparse.diags_array(np.sqrt(pivots)))[factor.lu.perm_c]
    n = len(pivots)

    def draw(rng: np.random.Generator, count: int) -> Floats:
        eta = np.asarray(root @ rng.standard_normal((n, count)))
        if factor.order is None:
            return eta
        unsorted = np.empty_like(eta)
        unsorted[factor.order] = eta
        return unsorted

    return draw, n
