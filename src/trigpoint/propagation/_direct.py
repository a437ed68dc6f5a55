"""Direct solution of symmetric systems: A = P^T L U P by SuperLU on diagonal pivots, dense ones by Cholesky.

SuperLU orders by multiple minimum degree. What that costs is foreseen from the levels of A's graph
(`_levels`), in nanoseconds, fitted on curves, surfaces and clouds of up to 50 dimensions:

    250 nnz(A) + 0.05 sum w^3 + 0.4 sum w^2 for each right-hand side.

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

from trigpoint._types import Floats, Sparse
from trigpoint._validation import indefinite, singular
from trigpoint.propagation._levels import widths
from trigpoint.propagation._reach import components

ENTRY, CUBE, SQUARE = 250.0, 0.05, 0.4  # nanoseconds


@dataclass(frozen=True)
class Price:
    """Nanoseconds that a factorization is expected to take, and each right-hand side after it."""

    factor: float
    column: float

    def __call__(self, n_columns: int) -> float:
        return self.factor + self.column * n_columns


def direct_price(A: Sparse) -> Price:
    w = widths(A)
    return Price(ENTRY * A.nnz + CUBE * float(np.sum(w**3)), SQUARE * float(np.sum(w**2)))


@dataclass(frozen=True, eq=False)
class Factor:
    """A factorization of A; SuperLU keeps its order inside it."""

    lu: Any

    @property
    def pivots(self) -> Floats:
        """D of L D L^T, in the order of A, with the signs of A's eigenvalues."""
        return np.asarray(self.lu.U.diagonal()[self.lu.perm_c])

    def solve(self, B: Floats) -> Floats:
        return np.asarray(self.lu.solve(B))


def factorize(A: Sparse) -> Factor:
    """Factor a symmetric csr_array."""
    columns = sparse.csc_array((A.data, A.indices, A.indptr), shape=A.shape)  # A is its own transpose
    try:
        lu = splu(
            columns,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            relax=8,
            panel_size=8,
            options={"SymmetricMode": True},
        )
    except RuntimeError as error:
        if "singular" not in str(error):
            raise
        raise singular() from None
    return Factor(lu)


def definite_factor(A: Sparse, certain: bool) -> Factor:
    """A factorization of A, refused where A is not positive definite; ``certain``: it is, or singular."""
    factor = factorize(A)
    if not certain and factor.pivots.min() < -least_pivot(A.shape[0]) * float(A.diagonal().max()):
        raise indefinite()
    probes = _probes(A, certain)
    _refuse_singular(A, probes, factor.solve(probes))
    return factor


def refined(A: Sparse, B: Floats, factor: Factor, tol: float) -> Floats:
    """X with A X = B, refined once where rounding left more than ``tol``."""
    X = factor.solve(B)
    rest = B - A @ X
    if np.any(np.linalg.norm(rest, axis=0) > tol * np.linalg.norm(B, axis=0)):
        X = X + factor.solve(rest)
    return X


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
