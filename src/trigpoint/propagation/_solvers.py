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

Large systems are renumbered for CG (reverse Cuthill-McKee), so that neighbors share cache lines.

Every solver returns the true relative residual ||b - A x|| / ||b|| of the worst column. A small
residual alone is no proof: across a very weak link it leaves everything open. So iterations carry
one more column, A s with s the near null vector (0 in rows of extreme weight, which would drown
the others), whose solution is known, and go on, or give way to a factorization, until they find it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NoReturn, TypeAlias

import numpy as np
from scipy.sparse import issparse
from scipy.sparse.csgraph import reverse_cuthill_mckee

from trigpoint._kernels.cg import WIDEST
from trigpoint._kernels.propagation_hops import farthest_hop
from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import singular
from trigpoint.propagation._conjugate import Iterate, jacobi_cg, norms
from trigpoint.propagation._direct import LARGEST, SMALL, cheap_order, solve_dense, solve_direct
from trigpoint.propagation._multigrid import amg_cg
from trigpoint.propagation._structure import is_dominant, is_laplacian_like

SOLVERS = ("auto", "direct", "jacobi_cg", "amg_cg")
FAR = 8  # hops from which CG is known to be slow
PROBE = 30  # iterations of the forecast
PATIENCE = 300  # iterations before CG may be given up: forecasts settle slowly
STALL = 1000  # further iterations at which it is
CG_PRICE = (0.9, 0.55)  # nanoseconds per entry of A: for each pass over it, and for each column
TRUST = 20  # after k iterations no forecast counts beyond this times k
LARGE = 50_000  # samples from which renumbering pays
Run: TypeAlias = Callable[[Floats | None, float], Iterate]
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
    padded, s = _with_known(A, B, near_null)
    found = _settled(_runner(solver, A, padded, near_null), s, tol)
    if found is None:
        _refuse_weak(A, solver, certain)
    return _finish(A, found, solver, certain)


def _with_known(A: Sparse, B: Floats, near_null: Floats | None) -> tuple[Floats, Floats]:
    """B with the column A s, and s."""
    s = np.ones(A.shape[0]) if near_null is None else near_null
    diagonal = A.diagonal()
    s = np.where(diagonal <= 1e3 * np.median(diagonal), s, 0.0)
    return np.column_stack([B, A @ s]), s


def _runner(solver: str, A: Sparse, padded: Floats, near_null: Floats | None) -> Run:
    if solver == "jacobi_cg":
        return lambda X, tol: jacobi_cg(A, padded, tol, X=X)
    return lambda X, tol: amg_cg(A, padded, tol, X=X, candidate=near_null)


def _settled(run: Run, s: Floats, tol: float, X: Floats | None = None) -> Iterate | None:
    """Iterate until the known column is found too; None where that cannot be."""
    found = run(X, tol)
    for _ in range(2):
        if not found.converged or knows(found.X[:, -1], s, tol):
            return found
        found = run(found.X, max(tol, 1e-12) * 1e-3)
    return found if knows(found.X[:, -1], s, tol) else None


def knows(x: Floats, s: Floats, tol: float) -> bool:
    """Whether x is s, as well as a residual of ``tol`` lets one ask."""
    return bool(np.abs(x - s).max() <= np.clip(1e4 * tol, 1e-4, 1e-2) * s.max())


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
    order = cheap_order(A, cg_price(A, n_columns, PROBE + _expected(probe)), n_columns)
    return ("jacobi_cg" if order is None else "direct"), order, None


def cg_price(A: Sparse, n_columns: int, iterations: float) -> float:
    """Nanoseconds that CG is expected to take, two threads sharing the columns in blocks."""
    share = -(-n_columns // 2)
    passes = -(-share // WIDEST)
    entries = A.nnz + 6 * A.shape[0]  # of A and of the vectors beside it
    return float(entries * (CG_PRICE[0] * passes + CG_PRICE[1] * share) * iterations)


def _expected(found: Iterate) -> float:
    """Further iterations; while residuals still rise, a forecast says only that there are many."""
    return min(found.forecast, TRUST * found.iterations)


def _automatic(A: Sparse, B: Floats, tol: float, near_null: Floats | None, certain: bool) -> Outcome:
    d = B.shape[1]
    widest = int(np.argmax(norms(B)))
    choice, order, known = choose(A, B[:, widest], d, tol)
    if choice == "direct":
        return _direct(A, B, tol, order, certain)
    start = np.zeros_like(B)
    start[:, widest] = 0.0 if known is None else known
    if known is not None or A.shape[0] < LARGE:
        return _iterative(A, B, tol, near_null, certain, start)
    turn = reverse_cuthill_mckee(A, symmetric_mode=True)
    scale = None if near_null is None else near_null[turn]
    found = _iterative(A[turn][:, turn], B[turn], tol, scale, certain, start)
    X = np.empty_like(B)
    X[turn] = found.X
    return replace(found, X=X)


def _iterative(
    A: Sparse, B: Floats, tol: float, near_null: Floats | None, certain: bool, start: Floats
) -> Outcome:
    """CG from ``start``; where it stalls, whatever else can do it."""
    n, d = B.shape
    padded, s = _with_known(A, B, near_null)

    def watched(X: Floats | None, goal: float) -> Iterate:
        return jacobi_cg(A, padded, goal, X=X, stop=_stalled)

    found = _settled(watched, s, tol, np.column_stack([start, np.zeros(n)]))
    if found is not None and found.converged:
        return _finish(A, found, "jacobi_cg", certain)
    if found is not None:
        order = cheap_order(A, cg_price(A, d, _expected(found)), d)
        if order is not None:
            return _direct(A, B, tol, order, certain)
        if is_laplacian_like(A):
            found = _settled(_runner("amg_cg", A, padded, near_null), s, tol, found.X)
            if found is not None and found.converged:
                return _finish(A, found, "amg_cg", certain)
    order = cheap_order(A, LARGEST, d)
    if order is not None:
        return _direct(A, B, tol, order, certain)
    if found is None:
        _refuse_weak(A, "jacobi_cg", certain)
    return _finish(A, jacobi_cg(A, padded, tol, X=found.X), "jacobi_cg", certain)


def _stalled(iterations: int, forecast: float) -> bool:
    return iterations >= PATIENCE and forecast > STALL


def _direct(A: Sparse, B: Floats, tol: float, order: Ints | None, certain: bool) -> Outcome:
    X = solve_direct(A, B, tol, order=order, certain=certain)
    return Outcome(X, "direct", 0, _worst(A, X, B))


def _finish(A: Sparse, found: Iterate, solver: str, certain: bool) -> Outcome:
    """The outcome of an iteration without the known column, unless A is singular."""
    if not certain:
        _refuse_singular(A, 500 + 5 * found.iterations)
    worst = float(found.residuals[:-1].max(initial=0.0))
    return Outcome(found.X[:, :-1], solver, found.iterations, worst)


def _refuse_singular(A: Sparse, iterations: int) -> None:
    """Iterations converge on a singular system too, to one of many solutions; not for a random column."""
    n = A.shape[0]
    random = np.random.default_rng(0).standard_normal(n) * np.sqrt(np.abs(A.diagonal()))
    if not jacobi_cg(A, random[:, None], 1e-2 / np.sqrt(n), max_iterations=iterations).converged:
        raise singular()


def _refuse_weak(A: Sparse, solver: str, certain: bool) -> NoReturn:
    if not certain:
        _refuse_singular(A, 2000)
    raise RuntimeError(
        f"solver {solver!r} cannot carry values across the weakest links of phi; "
        "choose solver='direct', or raise those weights."
    )


def _worst(A: Sparse, X: Floats, B: Floats) -> float:
    gaps, size = norms(B - A @ X), norms(B)
    return float(np.divide(gaps, size, out=np.zeros_like(gaps), where=size > 0).max(initial=0.0))
