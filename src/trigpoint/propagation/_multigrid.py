"""Conjugate gradients preconditioned by smoothed aggregation (algebraic multigrid).

The hierarchy is built once for all right-hand sides. It is told the vector that A nearly
annihilates, the constant of a Laplacian, so that coarse levels keep it. One V-cycle with symmetric
Gauss-Seidel is a symmetric positive definite preconditioner M^-1, and columns are solved in turn.
"""

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_matrix

from trigpoint._types import Floats, Sparse
from trigpoint.propagation._conjugate import Iterate, norms

MAX_ITERATIONS = 300
PRICE = 20.0  # nanoseconds per entry of A, column and iteration
USUAL = 150  # iterations on graphs that are hard for CG


def amg_price(A: Sparse, n_columns: int) -> float:
    """Nanoseconds that a solution is expected to take."""
    return float(PRICE * (A.nnz + 6 * A.shape[0]) * n_columns * USUAL)


def amg_cg(
    A: Sparse,
    B: Floats,
    tol: float | Floats,
    *,
    X: Floats | None = None,
    candidate: Floats | None = None,
    max_iterations: int = MAX_ITERATIONS,
) -> Iterate:
    """Solve A X = B from X (default 0); ``candidate`` is the near null vector (default constant)."""
    X = np.zeros_like(B) if X is None else X.copy()
    goals = tol * norms(B)
    cycle = _v_cycle(A, candidate)
    made = 0
    for column in range(B.shape[1]):
        x, iterations = _solve(
            A, B[:, column], X[:, column].copy(), cycle, float(goals[column]), max_iterations
        )
        X[:, column] = x
        made = max(made, iterations)
    gaps, size = norms(B - A @ X), norms(B)
    residuals = np.divide(gaps, size, out=np.zeros_like(gaps), where=size > 0)
    return Iterate(X, residuals, made, float("inf") if np.any(gaps > goals * (1 + 1e-6)) else 0.0)


def _v_cycle(A: Sparse, candidate: Floats | None) -> Callable[[Floats], Floats]:
    from pyamg import smoothed_aggregation_solver

    matrix = csr_matrix((A.data, A.indices.astype(np.int32), A.indptr.astype(np.int32)), shape=A.shape)
    matrix.sort_indices()
    hierarchy = smoothed_aggregation_solver(
        matrix,
        B=np.ones((A.shape[0], 1)) if candidate is None else candidate[:, None],
        symmetry="symmetric",
        smooth=("jacobi", {"omega": 4.0 / 3.0, "weighting": "local"}),  # the default draws random vectors
        max_coarse=200,
    )
    preconditioner = hierarchy.aspreconditioner(cycle="V")
    return lambda r: np.asarray(preconditioner @ r)


def _solve(
    A: Sparse,
    b: Floats,
    x: Floats,
    cycle: Callable[[Floats], Floats],
    goal: float,
    max_iterations: int,
) -> tuple[Floats, int]:
    r = b - A @ x
    p, rz = np.zeros_like(b), 1.0
    for iteration in range(max_iterations):
        if np.linalg.norm(r) <= goal:
            return x, iteration
        z = cycle(r)
        new = float(r @ z)
        p = z + (new / rz if iteration else 0.0) * p
        q = A @ p
        curvature = float(p @ q)
        if not (new > 0.0 and curvature > 0.0):  # A or the cycle is not positive definite
            return x, iteration
        x = x + (new / curvature) * p
        r = r - (new / curvature) * q
        rz = new
    return x, max_iterations
