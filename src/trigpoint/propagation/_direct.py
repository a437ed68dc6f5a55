"""Direct solution of sparse symmetric systems: A = P^T L U P by SuperLU on diagonal pivots.

The elimination order comes from `_kernels.minimum_degree`, which prices the factorization before
it is made, or for small systems from SuperLU's own multiple minimum degree.

A is called singular where its inverse is out of reach of double precision: where a pivot of the
scaled matrix S = D^-1/2 A D^-1/2, D = diag(A), comes down to rounding, 100 n eps (a null vector
spread over n samples leaves a last pivot of about n eps). Two extra right-hand sides tell without
unpacking the factors: where structure does not already settle it, a unit vector e_k for each
component, since (S^-1)_kk is the inverse of k's pivot when k is eliminated last; and for null
vectors that vanish there a random vector g, for which max |S^-1 g| > 1e12.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import splu

from trigpoint._kernels.propagation_order import minimum_degree
from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import indefinite, singular
from trigpoint.propagation._reach import components

SMALL = 500  # below, ordering and pricing cost more than they can save
FILL_PRICE = 70.0  # nanoseconds per entry of L, fitted on manifolds of 1 to 50 dimensions
FLOP_PRICE = 0.13  # nanoseconds per multiplication
SOLVE_PRICE = 2.0  # nanoseconds per entry of L and right-hand side
LARGEST = 1.2e11  # the price of the largest factorization that is tried unasked: two minutes, 2 GB


@dataclass(frozen=True, eq=False)
class Factor:
    """A factorization of A in the order ``order``; SuperLU keeps its own order inside it."""

    lu: Any
    order: Ints | None

    def solve(self, B: Floats) -> Floats:
        if self.order is None:
            return np.asarray(self.lu.solve(B))
        X = np.empty_like(B)
        X[self.order] = self.lu.solve(B[self.order])
        return X


def cheap_order(A: Sparse, limit: float, n_columns: int = 1) -> Ints | None:
    """An elimination order if factor and solves cost less than ``limit`` nanoseconds, else None."""
    if A.shape[0] <= SMALL:
        return np.arange(A.shape[0])
    price = FILL_PRICE + SOLVE_PRICE * n_columns
    order, _, flops = minimum_degree(A.indptr, A.indices, price, FLOP_PRICE, min(limit, LARGEST))
    return order if np.isfinite(flops) else None


def factorize(A: Sparse, order: Ints | None = None) -> Factor:
    """Factor a symmetric csr_array; without an order, find the best one known."""
    if order is None and A.shape[0] > SMALL:
        order = minimum_degree(A.indptr, A.indices, 0.0, 0.0, np.inf)[0]
    if A.shape[0] <= SMALL:
        order, spec = None, "MMD_AT_PLUS_A"
    else:
        A, spec = A[order][:, order], "NATURAL"
    columns = sparse.csc_array((A.data, A.indices, A.indptr), shape=A.shape)  # A is its own transpose
    try:
        lu = splu(
            columns,
            permc_spec=spec,
            diag_pivot_thresh=0.0,
            relax=8,
            panel_size=8,
            options={"SymmetricMode": True},
        )
    except RuntimeError as error:
        if "singular" not in str(error):
            raise
        raise singular() from None
    return Factor(lu, order)


def solve_direct(
    A: Sparse, B: Floats, tol: float, *, order: Ints | None = None, certain: bool = False
) -> Floats:
    """X with A X = B, refined once where rounding left more than ``tol``."""
    factor = factorize(A, order)
    if not certain:
        _refuse_indefinite(A, factor)
    probes = _probes(A, certain)
    solved = factor.solve(np.column_stack([B, probes]))
    X, answers = solved[:, : B.shape[1]], solved[:, B.shape[1] :]
    _refuse_singular(A, probes, answers)
    rest = B - A @ X
    if np.any(np.linalg.norm(rest, axis=0) > tol * np.linalg.norm(B, axis=0)):
        X = X + factor.solve(rest)
    return X


def _refuse_indefinite(A: Sparse, factor: Factor) -> None:
    """On diagonal pivots U holds D of L D L^T, whose signs are those of A's eigenvalues."""
    pivots = factor.lu.U.diagonal()
    if pivots.min() < -least_pivot(len(pivots)) * float(A.diagonal().max()):
        raise indefinite()


def _probes(A: Sparse, certain: bool) -> Floats:
    """D^1/2 times the right-hand sides that a singular S cannot answer."""
    root = np.sqrt(np.abs(A.diagonal()))
    random = np.random.default_rng(0).standard_normal(len(root))
    if certain:
        return np.column_stack([root * random])
    unit = np.zeros(len(root))
    unit[np.unique(components(A)[1], return_index=True)[1]] = 1.0
    return np.column_stack([root * random, root * unit])


def _refuse_singular(A: Sparse, probes: Floats, answers: Floats) -> None:
    scaled = np.sqrt(np.abs(A.diagonal()))[:, None] * answers
    sizes = np.abs(scaled).max(axis=0)
    if probes.shape[1] == 2:
        sizes[1] = np.abs(scaled[probes[:, 1] != 0.0, 1]).max()
    limits = np.array([1e12, 1.0 / least_pivot(len(scaled))])[: len(sizes)]
    if not np.all(sizes <= limits):
        raise singular()


def least_pivot(n: int) -> float:
    """The pivot of a matrix of unit diagonal that is told from 0."""
    return 100.0 * n * float(np.finfo(np.float64).eps)


def solve_dense(A: Floats, B: Floats) -> Floats:
    """X with A X = B for a dense symmetric positive definite A, by Cholesky."""
    root = np.sqrt(A.diagonal())
    S = A / root[:, None] / root  # unit diagonal, so that pivots can be compared
    try:
        factor = linalg.cho_factor(S)
    except linalg.LinAlgError:
        low = float(linalg.eigvalsh(S, subset_by_index=[0, 0])[0])
        raise indefinite() if low < -least_pivot(len(S)) else singular() from None
    if float(np.diagonal(factor[0]).min()) ** 2 <= least_pivot(len(S)):
        raise singular()
    return np.asarray(linalg.cho_solve(factor, B / root[:, None]) / root[:, None])
