"""Sparse symmetric positive definite systems A X = B, by the solver that suits them.

    direct      factorization; wins where fill stays small: curves, surfaces, trees
    jacobi_cg   wins on graphs of high dimension, where fill explodes and few iterations do
    amg_cg      for large systems on which both are slow
    auto        the first two compared by predicted cost, the third when the second stalls

``auto`` never compares clocks, only counts, so it decides alike on every machine. CG carries a
value one hop an iteration, and on manifolds takes more than ten times the h hops from the
landmarks to the farthest sample. The elimination order prices a factorization exactly, and is
given up as soon as that price passes a limit. So where h >= 8, a factorization that costs less
than 10 h iterations is made at once. Elsewhere 30 iterations on one column forecast what CG will
need, and that is the limit. CG is watched from then on: once it expects more than `STALL` further
iterations, the factorization is priced again against those, and multigrid goes on from where CG
stands if A has the signs of a Laplacian.

Every solver returns the true relative residual ||b - A x|| / ||b|| of the worst column.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import issparse

from trigpoint._kernels._propagation_hops import farthest_hop
from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import SINGULAR
from trigpoint.propagation._conjugate import Iterate, jacobi_cg, norms
from trigpoint.propagation._direct import LARGEST, SMALL, cheap_order, solve_dense, solve_direct
from trigpoint.propagation._multigrid import amg_cg
from trigpoint.propagation._structure import is_dominant, is_laplacian_like

SOLVERS = ("auto", "direct", "jacobi_cg", "amg_cg")
FAR = 8  # hops from which CG is known to be slow
PROBE = 30  # iterations of the forecast
PATIENCE = 300  # iterations before CG may be given up: forecasts settle slowly
STALL = 1000  # further iterations at which it is
CG_PRICE = 0.7  # nanoseconds per entry of A and column, two threads sharing the columns
USEFUL = 1e-6  # a residual above this is an error, below it a warning


@dataclass(frozen=True, eq=False)
class Outcome:
    """The solution of a system and how it was found."""

    X: Floats
    solver: str
    iterations: int
    residual: float


def solve_system(
    A: Sparse, B: Floats, *, solver: str = "auto", tol: float = 1e-10, near_null: Floats | None = None
) -> Outcome:
    """Solve A X = B for symmetric A and B of shape (n, d).

    ``near_null`` is a positive vector that A nearly annihilates (default: constant). Raises
    ValueError where A is singular.
    """
    if not issparse(A):
        X = solve_dense(A, B)
        return Outcome(X, "dense", 0, _worst(A, X, B))
    certain = is_dominant(A, near_null)
    if solver == "auto":
        return _automatic(A, B, tol, near_null, certain)
    if solver == "direct":
        return _direct(A, B, tol, None, certain)
    if solver == "jacobi_cg":
        return _finish(A, jacobi_cg(A, B, tol), solver, certain)
    return _finish(A, amg_cg(A, B, tol, candidate=near_null), solver, certain)


def choose(A: Sparse, b: Floats, n_columns: int, tol: float) -> tuple[str, Ints | None, Floats | None]:
    """Solver for ``n_columns`` columns like ``b``: "direct" with an elimination order, or "jacobi_cg".

    The third item is the solution for b, where the forecast came upon it.
    """
    if A.shape[0] <= SMALL:
        return "direct", None, None
    far = farthest_hop(A.indptr, A.indices, b != 0.0)
    if far >= FAR:
        order = cheap_order(A, cg_price(A, n_columns, 10 * far), n_columns)
        if order is not None:
            return "direct", order, None
    probe = jacobi_cg(A, b[:, None], tol, max_iterations=PROBE, leg=PROBE // 2)
    if probe.converged:
        return "jacobi_cg", None, probe.X[:, 0]
    order = cheap_order(A, cg_price(A, n_columns, PROBE + probe.forecast), n_columns)
    return ("jacobi_cg" if order is None else "direct"), order, None


def cg_price(A: Sparse, n_columns: int, iterations: float) -> float:
    """Nanoseconds that CG is expected to take."""
    return float(CG_PRICE * (A.nnz + 6 * A.shape[0]) * n_columns * iterations)


def _automatic(A: Sparse, B: Floats, tol: float, near_null: Floats | None, certain: bool) -> Outcome:
    d = B.shape[1]
    widest = int(np.argmax(norms(B)))
    choice, order, known = choose(A, B[:, widest], d, tol)
    if choice == "direct":
        return _direct(A, B, tol, order, certain)
    X = np.zeros_like(B)
    X[:, widest] = 0.0 if known is None else known
    found = jacobi_cg(A, B, tol, X=X, stop=_stalled)
    if found.converged:
        return _finish(A, found, "jacobi_cg", certain)
    order = cheap_order(A, min(LARGEST, cg_price(A, d, found.forecast)), d)
    if order is not None:
        return _direct(A, B, tol, order, certain)
    return _last_resort(A, B, tol, found, near_null, certain)


def _stalled(iterations: int, forecast: float) -> bool:
    return iterations >= PATIENCE and forecast > STALL


def _last_resort(
    A: Sparse, B: Floats, tol: float, found: Iterate, near_null: Floats | None, certain: bool
) -> Outcome:
    """CG stalled and a factorization looked too dear: multigrid, then any factorization that fits."""
    if is_laplacian_like(A):
        found = amg_cg(A, B, tol, X=found.X, candidate=near_null)
        if found.converged:
            return _finish(A, found, "amg_cg", certain)
    order = cheap_order(A, LARGEST, B.shape[1])
    if order is not None:
        return _direct(A, B, tol, order, certain)
    return _finish(A, jacobi_cg(A, B, tol, X=found.X), "jacobi_cg", certain)


def _direct(A: Sparse, B: Floats, tol: float, order: Ints | None, certain: bool) -> Outcome:
    X = solve_direct(A, B, tol, order=order, certain=certain)
    return Outcome(X, "direct", 0, _worst(A, X, B))


def _finish(A: Sparse, found: Iterate, solver: str, certain: bool) -> Outcome:
    """The outcome of an iteration, unless A is singular.

    Iterations converge on a singular system too, to one of many solutions. A random right-hand
    side has none; so one is tried, unless A is known to be regular.
    """
    if not certain:
        n = A.shape[0]
        random = np.random.default_rng(0).standard_normal(n) * np.sqrt(np.abs(A.diagonal()))
        enough = 500 + 5 * found.iterations
        if not jacobi_cg(A, random[:, None], 1e-2 / np.sqrt(n), max_iterations=enough).converged:
            raise ValueError(SINGULAR)
    return Outcome(found.X, solver, found.iterations, float(found.residuals.max(initial=0.0)))


def _worst(A: Sparse, X: Floats, B: Floats) -> float:
    gaps, size = norms(B - A @ X), norms(B)
    return float(np.divide(gaps, size, out=np.zeros_like(gaps), where=size > 0).max(initial=0.0))
