"""Sparse symmetric positive definite systems A X = B: one object solves them, by the method that suits A.

    direct      factorization; wins where fill stays small: curves, surfaces, trees, small systems
    jacobi_cg   wins on graphs of high dimension, where fill explodes and few iterations do
    sgs_cg      the same with Gauss-Seidel sweeps: less than half the iterations, each 1.2 times as dear, but
                only compiled, so large systems take it where "CG" is said below, and small ones jacobi_cg
    amg_cg      multigrid: a few dozen iterations on any number of samples, each as dear as eight of sgs_cg
    auto        a factorization or CG by predicted cost; multigrid where CG would cost more

``auto`` never compares clocks, only counts, so it decides alike on every machine. What a factorization
costs is foreseen from the levels of the graph (`_direct`). CG carries a value one hop an iteration, and
on manifolds takes more than ten times the h hops from the ground (rows with A s != 0: next to landmarks)
to the farthest sample; matrices that are not diagonally dominant (LTSA, LLE: of fourth order) take more
than 10 h^2. So a factorization is made at once if it costs next to nothing, or less than that. Elsewhere
CG begins. It is watched: once the iterations that it still expects cost more than a factorization, that
is made. Once they cost more than multigrid usually does, multigrid goes on from where CG stands if A has
the signs of a Laplacian; what that cannot solve goes back to CG, and at last to a factorization. Since CG
takes more iterations the larger the pool is, systems from `HUGE` entries on begin with multigrid. Forecasts
are rough: with sharp weights, residuals may stand still for a thousand iterations before they fall. So none
counts beyond the iterations made, and no choice is given up before as much was spent on it as the next costs.

Large systems are renumbered for CG (reverse Cuthill-McKee), so that neighbors share cache lines.

Every answer comes with the true relative residual ||b - A x|| / ||b|| of the worst column. A small
residual alone is no proof: across a very weak link it leaves everything open. So iterations carry
one more column, A s with s the near null vector (0 in rows of extreme weight, which would drown
the others), whose solution is known, and go on, or give way to another method, until they find it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NoReturn, TypeAlias

import numpy as np
from scipy.sparse import issparse
from scipy.sparse.csgraph import reverse_cuthill_mckee

from trigpoint._types import Floats, Sparse
from trigpoint._validation import singular
from trigpoint.propagation._conjugate import Iterate, cg_price, jacobi_cg, norms, sgs_cg
from trigpoint.propagation._direct import (
    Factor,
    Price,
    definite_factor,
    direct_price,
    refined,
    solve_dense,
)
from trigpoint.propagation._levels import hops
from trigpoint.propagation._multigrid import System, amg_cg, amg_price, prepare
from trigpoint.propagation._structure import COMPILED, NULL, is_dominant, is_laplacian_like, principal

SOLVERS = ("auto", "direct", "jacobi_cg", "sgs_cg", "amg_cg")
CHEAP = 1e8  # nanoseconds that are not worth a thought
LARGEST = 1.2e11  # the price of the largest factorization that is tried unasked: two minutes, 2 GB
LARGE = 50_000  # samples from which renumbering pays
HUGE = 10_000_000  # entries of A from which multigrid is never slower
USEFUL = 1e-6  # a residual above this is an error, below it a warning
Run: TypeAlias = Callable[[Floats | None, float], Iterate]


@dataclass(frozen=True, eq=False)
class Outcome:
    """The solution of a system and how it was found."""

    X: Floats
    solver: str
    iterations: int
    residual: float


def affordable(A: Sparse, iterations: float | None = None) -> bool:
    """Whether a factorization costs less than so many iterations of CG; default: whether it is possible."""
    limit = LARGEST if iterations is None else min(cg_price(A, 1, iterations), LARGEST)
    return direct_price(A)(1) <= max(limit, CHEAP)


@dataclass(frozen=True, eq=False)
class Solver:
    """A symmetric A (sparse or dense), and all that is found out about it while it is solved.

    ``near_null`` is a positive vector that A nearly annihilates (default: constant). ValueError where A turns
    out to be singular or indefinite.
    """

    A: Sparse
    near_null: Floats | None = None

    @property
    def s(self) -> Floats:
        return np.ones(self.A.shape[0]) if self.near_null is None else self.near_null

    @cached_property
    def dominant(self) -> bool:
        """Whether A is diagonally dominant in the scaled sense, and so known to be semidefinite."""
        return is_dominant(self.A, self.near_null)

    @cached_property
    def price(self) -> Price:
        return direct_price(self.A)

    @cached_property
    def factor(self) -> Factor:
        return definite_factor(self.A, self.dominant)

    @cached_property
    def levels(self) -> System | None:
        """Those of multigrid."""
        return prepare(self.A, self.near_null)

    def can_factor(self, n_columns: int) -> bool:
        """Whether a factorization is possible in time and memory that nobody was asked about."""
        return self.price(n_columns) <= LARGEST

    def solve(self, B: Floats, *, tol: float = 1e-10, method: str = "auto", more: int = 0) -> Outcome:
        """A X = B for B of shape (n, d); ``more`` columns like these are to follow."""
        if not issparse(self.A):
            X = solve_dense(self.A, B)
            return Outcome(X, "dense", 0, _worst(self.A, X, B))
        columns = B.shape[1] + more
        if method == "direct" or (method == "auto" and self._factors(columns)):
            return self._direct(B, tol)
        if method == "auto":
            return self._automatic(B, tol, columns)
        padded, s = self._with_known(B)
        found = _settled(self._runner(method, padded), s, tol)
        if found is None:
            self._refuse_weak(method)
        return self._finish(found, method)

    def _factors(self, n_columns: int) -> bool:
        """Whether a factorization is there, or cheaper than CG can be."""
        if "factor" in vars(self):
            return True
        ground = np.flatnonzero(np.abs(self.A @ self.s) > NULL * np.abs(self.A.diagonal()) * self.s)
        far = hops(self.A, ground)
        least = cg_price(self.A, n_columns, 10 * far if self.dominant else 10 * far**2)
        return self.can_factor(n_columns) and self.price(n_columns) <= max(CHEAP, least)

    def _direct(self, B: Floats, tol: float) -> Outcome:
        X = refined(self.A, B, self.factor, tol)
        return Outcome(X, "direct", 0, _worst(self.A, X, B))

    def _automatic(self, B: Floats, tol: float, n_columns: int) -> Outcome:
        if self.A.nnz >= HUGE and is_laplacian_like(self.A):
            smooth = self._multigrid(*self._with_known(B), tol)
            if smooth is not None:
                return smooth
        if self.A.shape[0] < LARGE:
            return self._iterative(B, tol, n_columns)
        turn = reverse_cuthill_mckee(self.A, symmetric_mode=True)
        turned = Solver(principal(self.A, turn), None if self.near_null is None else self.near_null[turn])
        vars(turned).update(price=self.price, dominant=self.dominant)
        found = turned._iterative(B[turn], tol, n_columns)
        X = np.empty_like(B)
        X[turn] = found.X
        return replace(found, X=X)

    def _iterative(self, B: Floats, tol: float, n_columns: int) -> Outcome:
        """CG; where it stalls, whatever else can do it."""
        padded, s = self._with_known(B)

        def left(iterations: int, forecast: float) -> float:
            """What CG is still expected to cost."""
            return cg_price(self.A, n_columns, min(forecast, iterations))

        def dear(iterations: int, forecast: float) -> bool:
            return self.can_factor(n_columns) and self.price(n_columns) <= left(iterations, forecast)

        def stalled(iterations: int, forecast: float) -> bool:
            return laplacian_like and amg_price(self.A, n_columns) <= left(iterations, forecast)

        def cg(start: Floats | None, stop: Callable[[int, float], bool]) -> Iterate | None:
            return _settled(lambda X, goal: iterate(self.A, padded, goal, X=X, stop=stop), s, tol, start)

        method, iterate = ("sgs_cg", sgs_cg) if self.A.nnz >= COMPILED else ("jacobi_cg", jacobi_cg)
        laplacian_like = is_laplacian_like(self.A)
        found = cg(None, lambda *progress: dear(*progress) or stalled(*progress))
        if laplacian_like if found is None else stalled(found.iterations, found.forecast):
            smooth = self._multigrid(padded, s, tol, None if found is None else found.X)
            if smooth is not None:
                return smooth
            found = None if found is None else cg(found.X, dear)
        if found is not None and found.converged:
            return self._finish(found, method)
        if self.can_factor(n_columns):
            return self._direct(B, tol)
        if found is None:
            self._refuse_weak(method)
        return self._finish(found, method)

    def _multigrid(
        self, padded: Floats, s: Floats, tol: float, start: Floats | None = None
    ) -> Outcome | None:
        """None where it does not converge."""
        found = _settled(self._runner("amg_cg", padded), s, tol, start)
        return self._finish(found, "amg_cg") if found is not None and found.converged else None

    def _with_known(self, B: Floats) -> tuple[Floats, Floats]:
        """B with the column A s, and s."""
        diagonal = self.A.diagonal()
        s = np.where(diagonal <= 1e3 * np.median(diagonal), self.s, 0.0)
        return np.column_stack([B, self.A @ s]), s

    def _runner(self, method: str, padded: Floats) -> Run:
        if method in ("jacobi_cg", "sgs_cg"):
            iterate = jacobi_cg if method == "jacobi_cg" else sgs_cg
            return lambda X, tol: iterate(self.A, padded, tol, X=X)
        return lambda X, tol: amg_cg(self.A, padded, tol, X=X, prepared=self.levels)

    def _finish(self, found: Iterate, method: str) -> Outcome:
        """The outcome of an iteration without the known column, unless A is singular."""
        if not self.dominant:
            self._refuse_singular(500 + 5 * found.iterations)
        worst = float(found.residuals[:-1].max(initial=0.0))
        return Outcome(found.X[:, :-1], method, found.iterations, worst)

    def _refuse_singular(self, iterations: int) -> None:
        """Iterations converge on a singular system too, to one of many solutions; not for a random column."""
        n = self.A.shape[0]
        random = np.random.default_rng(0).standard_normal(n) * np.sqrt(np.abs(self.A.diagonal()))
        iterate = sgs_cg if self.A.nnz >= COMPILED else jacobi_cg
        if not iterate(self.A, random[:, None], 1e-2 / np.sqrt(n), max_iterations=iterations).converged:
            raise singular()

    def _refuse_weak(self, method: str) -> NoReturn:
        if not self.dominant:
            self._refuse_singular(2000)
        raise RuntimeError(
            f"solver {method!r} cannot carry values across the weakest links of phi; "
            "choose solver='direct', or raise those weights."
        )


def _settled(run: Run, s: Floats, tol: float, X: Floats | None = None) -> Iterate | None:
    """Iterate until the known column is found too; None where that cannot be."""
    found = run(X, tol)
    for _ in range(2):
        if not found.converged or _knows(found.X[:, -1], s, tol):
            return found
        found = run(found.X, max(tol, 1e-12) * 1e-3)
    return found if _knows(found.X[:, -1], s, tol) else None


def _knows(x: Floats, s: Floats, tol: float) -> bool:
    """Whether x is s, as well as a residual of ``tol`` lets one ask."""
    return bool(np.abs(x - s).max() <= np.clip(1e4 * tol, 1e-4, 1e-2) * s.max())


def _worst(A: Sparse, X: Floats, B: Floats) -> float:
    gaps, size = norms(B - A @ X), norms(B)
    return float(np.divide(gaps, size, out=np.zeros_like(gaps), where=size > 0).max(initial=0.0))
