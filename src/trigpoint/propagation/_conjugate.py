"""Conjugate gradients over many right-hand sides, preconditioned by the diagonal or by Gauss-Seidel sweeps.

Columns go in blocks of at most eight, and for large matrices to a compiled kernel, the blocks to threads;
small matrices are not worth the compiling, and as fast without. Work is done in legs of 50 iterations:
between legs Ctrl-C is heard, finished columns leave their block, and the speed over the later half of the
way so far gives a forecast of the iterations still needed,

    (k - k/2) * log(||r_k|| / goal) / log(||r_k/2|| / ||r_k||),

for the slowest column; residuals go up and down, so a shorter stretch would not tell. In the end
||r|| <= tol ||b|| is checked on the true residual; where the recurrence drifted from it, the
iteration starts again from where it stands.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import joblib
import numpy as np

from trigpoint._kernels import compiled_csr, run_blocks
from trigpoint._progress import Stage, stage
from trigpoint._types import Array, Floats, Sparse
from trigpoint.propagation._structure import COMPILED

LEG = 50
WIDEST = 8  # columns of a block
PASS_PRICE, COLUMN_PRICE = 0.9, 0.55  # nanoseconds per entry of A: for each pass over it, for each column


@dataclass(frozen=True, eq=False)
class Iterate:
    """Where an iterative solver stands.

    Attributes
    ----------
    X : (n, d) float64
    residuals : (d,) float64, ||b - A x|| / ||b|| of each column
    iterations : of the column that took most
    forecast : further iterations expected at the present speed; 0 when converged
    """

    X: Floats
    residuals: Floats
    iterations: int
    forecast: float

    @property
    def converged(self) -> bool:
        return self.forecast == 0.0


@dataclass(eq=False)
class _Block:
    """Columns that share one pass over A."""

    columns: Array
    X: Floats
    R: Floats
    P: Floats
    rz: Floats
    goals: Floats
    norms: Floats
    live: Array
    turn: Floats
    done: int = 0


def cg_price(A: Sparse, n_columns: int, iterations: float) -> float:
    """Nanoseconds that so many iterations take, two threads sharing the columns in blocks."""
    share = -(-n_columns // 2)
    passes = -(-share // WIDEST)
    entries = A.nnz + 6 * A.shape[0]  # of A and of the vectors beside it
    return float(entries * (PASS_PRICE * passes + COLUMN_PRICE * share) * iterations)


def jacobi_cg(
    A: Sparse,
    B: Floats,
    tol: float | Floats,
    *,
    X: Floats | None = None,
    max_iterations: int | None = None,
    leg: int = LEG,
    stop: Callable[[int, float], bool] | None = None,
) -> Iterate:
    """Solve A X = B from X (default 0).

    ``tol`` may differ by column; ``stop(iterations, forecast)`` may end the work after any leg.
    """
    return _conjugate(A, B, tol, X, max_iterations, leg, stop, sweeps=False)


def sgs_cg(
    A: Sparse,
    B: Floats,
    tol: float | Floats,
    *,
    X: Floats | None = None,
    max_iterations: int | None = None,
    leg: int = LEG,
    stop: Callable[[int, float], bool] | None = None,
) -> Iterate:
    """As `jacobi_cg`, preconditioned by symmetric Gauss-Seidel sweeps; always compiled. A is canonical."""
    return _conjugate(A, B, tol, X, max_iterations, leg, stop, sweeps=True)


def _conjugate(
    A: Sparse,
    B: Floats,
    tol: float | Floats,
    X: Floats | None,
    max_iterations: int | None,
    leg: int,
    stop: Callable[[int, float], bool] | None,
    sweeps: bool,
) -> Iterate:
    limit = max_iterations or max(5_000, min(10 * A.shape[0], 50_000))
    if A.diagonal().min() <= 0.0:  # not positive definite
        limit = 0
    X = np.zeros_like(B) if X is None else X.copy()
    R = B - A @ X if X.any() else B
    sizes = norms(B)
    goals = tol * sizes
    made, forecast = 0, float("inf")
    with stage("conjugate gradients") as told:
        for _ in range(3):
            left = np.flatnonzero(norms(R) > goals)
            if len(left) == 0 or made >= limit:
                break
            made, forecast = _run(A, X, R, goals, left, made, limit, leg, stop, told, sweeps)
            R = B - A @ X
            if forecast > 0.0:
                break
    gaps = norms(R)
    if np.all(gaps <= goals * (1 + 1e-6)):
        forecast = 0.0
    elif forecast == 0.0:
        forecast = float("inf")
    residuals = np.divide(gaps, sizes, out=np.zeros_like(gaps), where=sizes > 0)
    return Iterate(X, residuals, made, forecast)


def norms(B: Floats) -> Floats:
    """Column norms, each summed in the same order whatever stands beside it."""
    return np.array([np.sqrt(np.sum(np.square(column))) for column in _columns(B)])


def _run(
    A: Sparse,
    X: Floats,
    R: Floats,
    goals: Floats,
    columns: Array,
    made: int,
    limit: int,
    leg: int,
    stop: Callable[[int, float], bool] | None,
    told: Stage,
    sweeps: bool,
) -> tuple[int, float]:
    """Iterate on ``columns`` of X in place; returns iterations made and the forecast."""
    diagonal = A.diagonal()
    inverse = 1.0 / diagonal
    leg_of = _sweeping_leg(A, diagonal) if sweeps else _leg_for(A, inverse)
    blocks = [_block(X, R, inverse, goals, part) for part in split_columns(columns, A.nnz)]
    if sweeps:
        for block in blocks:
            _begin_sweeps(A, diagonal, block)
    forecast = float("inf")
    size = norms(R)
    trail = [(made, size.copy())]  # iterations made and ||r|| of every column
    while blocks and made < limit:
        steps = min(leg, limit - made)

        def work(start: int, end: int, blocks: list[_Block] = blocks, steps: int = steps) -> None:
            for b in blocks[start:end]:
                b.done = leg_of(b, steps)

        run_blocks(work, len(blocks), 1)
        more = max(block.done for block in blocks)
        made += more
        for block in blocks:
            X[:, block.columns] = block.X
            size[block.columns] = block.norms
        trail.append((made, size.copy()))
        told.advance(more, f"residual {worst(size, goals):.2g} times its goal")
        forecast = _forecast(trail[len(trail) // 2], trail[-1], goals)
        blocks = [kept for block in blocks if (kept := _shrink(block)) is not None]
        if blocks and stop is not None and stop(made, forecast):
            break
    return made, forecast


def worst(size: Floats, goals: Floats) -> float:
    """The worst ||r|| by its goal."""
    return float(np.max(size[goals > 0] / goals[goals > 0], initial=0.0))


def _leg_for(A: Sparse, inverse: Floats) -> Callable[[_Block, int], int]:
    """Some iterations on a block, in place; returns how many were made. Compiled where A is large."""
    if A.nnz < COMPILED:
        return lambda b, steps: _plain_leg(A, inverse, b, steps)
    from trigpoint._kernels.cg import cg_leg

    matrix = compiled_csr(A)
    return lambda b, steps: cg_leg(matrix, inverse, b.X, b.R, b.P, b.rz, b.live, b.goals, b.norms, steps)


def _sweeping_leg(A: Sparse, diagonal: Floats) -> Callable[[_Block, int], int]:
    from trigpoint._kernels.cg import sweep_leg

    matrix = compiled_csr(A)
    return lambda b, steps: sweep_leg(
        matrix, diagonal, b.X, b.R, b.P, b.rz, b.turn, b.live, b.goals, b.norms, steps
    )


def _begin_sweeps(A: Sparse, diagonal: Floats, b: _Block) -> None:
    """u in place of r; p is made by the first iteration."""
    from trigpoint._kernels.cg import sweep_forth

    sweep_forth(*compiled_csr(A), diagonal, b.R)
    b.rz = np.array([np.sum(u * u * diagonal) for u in _columns(b.R)])


def _columns(B: Floats) -> Iterator[Floats]:
    """One after the other, each contiguous."""
    return (np.ascontiguousarray(B[:, k]) for k in range(B.shape[1]))


def _plain_leg(A: Sparse, inverse: Floats, b: _Block, steps: int) -> int:
    """As `_kernels.cg`, whose formulas these are; a row for each column, so that rows are summed alike."""
    X, R, P = (np.ascontiguousarray(part.T) for part in (b.X, b.R, b.P))  # (c, n)
    done = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        while done < steps and b.live.any():
            done += 1
            Q = np.ascontiguousarray((A @ P.T).T)
            pq = np.einsum("ij,ij->i", P, Q)
            b.live &= pq > 0.0
            step = np.where(b.live, b.rz / pq, 0.0)[:, None]
            X += step * P
            R -= step * Q
            Z = R * inverse
            new = np.einsum("ij,ij->i", R, Z)
            turn = np.where(b.live, new / b.rz, 0.0)[:, None]
            b.rz[b.live] = new[b.live]
            b.norms[b.live] = np.sqrt(np.einsum("ij,ij->i", R, R))[b.live]
            b.live &= b.norms > b.goals
            P = Z + turn * P
    b.X[:], b.R[:], b.P[:] = X.T, R.T, P.T
    return done


def split_columns(columns: Array, nnz: int) -> list[Array]:
    """Blocks of at most `WIDEST` columns; as many as there are cores where that is worth a thread."""
    wanted = min(joblib.cpu_count(), len(columns)) if nnz * len(columns) > 1_000_000 else 1
    return np.array_split(columns, max(wanted, -(-len(columns) // WIDEST)))


def _block(X: Floats, R: Floats, inverse: Floats, goals: Floats, columns: Array) -> _Block:
    start = np.ascontiguousarray(R[:, columns])
    rz = np.array([np.sum(r * r * inverse) for r in _columns(start)])
    live = np.ones(len(columns), dtype=bool)
    return _Block(
        columns,
        np.ascontiguousarray(X[:, columns]),
        start,
        start * inverse[:, None],
        rz,
        goals[columns],
        norms(start),
        live,
        np.zeros(len(columns)),
    )


def _forecast(then: tuple[int, Floats], now: tuple[int, Floats], goals: Floats) -> float:
    """Iterations that the slowest column still needs, at its speed between then and now."""
    (before, start), (after, size) = then, now
    left = size > goals
    if not left.any():
        return 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        speed = np.log(start[left] / size[left]) / (after - before)
        needed = np.where(speed > 0, np.log(size[left] / goals[left]) / speed, np.inf)
    return float(np.max(needed))


def _shrink(block: _Block) -> _Block | None:
    """The block without the columns that stand still, or None."""
    if block.live.all():
        return block
    if not block.live.any():
        return None
    keep = block.live
    X, R, P = (np.ascontiguousarray(part[:, keep]) for part in (block.X, block.R, block.P))
    rest = (block.rz[keep], block.goals[keep], block.norms[keep], keep[keep], block.turn[keep])
    return _Block(block.columns[keep], X, R, P, *rest)
