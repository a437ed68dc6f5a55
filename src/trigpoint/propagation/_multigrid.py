"""Conjugate gradients preconditioned by multigrid on groups of groups (`_hierarchy`).

One cycle z = M r on a level, with A = L + D + L^T:

    z = (D + L)^-1 r                    one sweep of Gauss-Seidel forth
    z += P e,  A_c e = P^T (r - A z)    the same on the groups; on levels with few entries once more,
                                        e += M_c (r_c - A_c e)
    z <- (D + L^T)^-1 (r - L z)         one sweep back

M is symmetric and positive definite. The number of cycles hardly grows with n. They run in single precision,
and all else in double: so M changes by rounding from one iteration to the next, and beta is taken as
z.(r - r') / (r'.z') (Notay, 2000), which does not mind. Columns go in blocks of at most eight to threads.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array

from trigpoint._kernels import compiled_csr, run_blocks
from trigpoint._progress import Stage, stage
from trigpoint._types import Array, Floats, Sparse
from trigpoint.propagation._conjugate import Iterate, norms, split_columns, worst
from trigpoint.propagation._hierarchy import Hierarchy, hierarchy
from trigpoint.propagation._structure import principal

MAX_ITERATIONS = 300
PRICE = 4.0  # nanoseconds per entry of A, column and iteration
SETUP = 400.0  # nanoseconds per entry of A
USUAL = 50  # iterations on graphs that are hard for CG
TWICE, FEW = 2, 0.25  # so many levels, of less than this share of the entries of A, are solved by two cycles
LEG = 5  # iterations between two looks at the clock
WIDE = 1e30  # of the least diagonal entry: single precision does not reach further


@dataclass(frozen=True, eq=False)
class System:
    """A in the order of its hierarchy."""

    levels: Hierarchy
    arrays: tuple[Array, Array, Array]  # of A
    scale: Array | None  # (n, 1) s in single precision

    @property
    def twice(self) -> list[int]:
        """Levels that are solved by two cycles."""
        entries = [len(level.data) for level in self.levels.levels]
        few = [at for at in range(1, len(entries) - 1) if entries[at] <= FEW * entries[0]]
        return few[:TWICE]


@dataclass(eq=False)
class _Block:
    """Columns that share one pass over A.

    ``vectors`` has R and X of every level, and room for two more where two cycles are made.
    """

    columns: Array
    X: Floats
    R: Floats
    P: Floats
    Q: Floats
    vectors: list[tuple[Array, ...]]
    goals: Floats
    norms: Floats
    live: Array
    rz: Floats
    step: Floats
    done: int = 0


def amg_price(A: Sparse, n_columns: int) -> float:
    """Nanoseconds that a solution is expected to take."""
    return float((A.nnz + 6 * A.shape[0]) * (SETUP + PRICE * -(-n_columns // 2) * USUAL))


def amg_cg(
    A: Sparse,
    B: Floats,
    tol: float | Floats,
    *,
    X: Floats | None = None,
    prepared: System | None = None,
    max_iterations: int = MAX_ITERATIONS,
) -> Iterate:
    """Solve A X = B from X (default 0); ``prepared`` is `prepare(A)`, where several solutions share it."""
    sizes = norms(B)
    goals, made = tol * sizes, 0
    X = np.zeros_like(B) if X is None else X.copy()
    R = B - A @ X if X.any() else B
    system = prepare(A) if prepared is None else prepared
    if system is not None:
        with stage("multigrid") as told:
            for _ in range(3):
                left = np.flatnonzero(norms(R) > goals)
                if len(left) == 0 or made >= max_iterations:
                    break
                before = made
                made = _run(system, X, R, goals, left, made, max_iterations, told)
                R = B - A @ X
                if made == before:
                    break
    gaps = norms(R)
    residuals = np.divide(gaps, sizes, out=np.zeros_like(gaps), where=sizes > 0)
    return Iterate(X, residuals, made, float("inf") if np.any(gaps > goals * (1 + 1e-6)) else 0.0)


def prepare(A: Sparse, s: Floats | None = None) -> System | None:
    """The levels of A, or with a near null vector s those of S A S, which nearly annihilates the constant.

    None where the diagonal is not positive, or single precision does not reach from its least to its largest.
    """
    diagonal = A.diagonal()
    if diagonal.min() <= 0.0 or diagonal.max() > WIDE * diagonal.min():
        return None
    if s is None:
        levels = hierarchy(A)
        return System(levels, compiled_csr(levels.A), None)
    levels = hierarchy(csr_array(diags_array(s) @ A @ diags_array(s)))
    turned = principal(A, levels.order)
    return System(levels, compiled_csr(turned), s[levels.order, None].astype(np.float32))


def _run(
    system: System,
    X: Floats,
    R: Floats,
    goals: Floats,
    columns: Array,
    made: int,
    limit: int,
    told: Stage,
) -> int:
    """Iterate on ``columns`` of X in place; returns iterations made."""
    order, nnz = system.levels.order, len(system.arrays[1])
    blocks = [_block(system, X, R, goals, part) for part in split_columns(columns, nnz)]
    while blocks and made < limit:
        count = min(LEG, limit - made)

        def work(start: int, end: int, blocks: list[_Block] = blocks, count: int = count) -> None:
            for block in blocks[start:end]:
                _iterate(system, block, count)

        run_blocks(work, len(blocks), 1)
        made += max(block.done for block in blocks)
        far = max(worst(block.norms, block.goals) for block in blocks)
        told.advance(count, f"residual {far:.2g} times its goal")
        for block in blocks:
            if not block.live.any() or made >= limit:
                X[np.ix_(order, block.columns)] = block.X
        blocks = [block for block in blocks if block.live.any()]
    return made


def _block(system: System, X: Floats, R: Floats, goals: Floats, columns: Array) -> _Block:
    order, width = system.levels.order, len(columns)
    start = np.ascontiguousarray(R[:, columns][order])
    vectors = _vectors(system, width)
    vectors[0][0][:] = start
    P, Q = np.zeros_like(start), np.zeros_like(start)
    first = np.ascontiguousarray(X[:, columns][order])
    live, none = np.ones(width, dtype=bool), np.zeros(width)
    return _Block(columns, first, start, P, Q, vectors, goals[columns], norms(start), live, none, none)


def _iterate(system: System, block: _Block, count: int) -> None:
    """Up to ``count`` iterations; a column stands still once it is solved, or meets no curvature."""
    from trigpoint._kernels.cycles import steps

    does, width = steps(block.X.shape[1]), block.X.shape[1]
    single, Z = block.vectors[0][:2]
    rz, zq, pq, rr = np.empty((4, width))
    block.done = 0
    with np.errstate(divide="ignore", invalid="ignore"):
        while block.done < count and block.live.any():
            if system.scale is not None:
                np.multiply(single, system.scale, out=single)
            _cycle(system.levels, does, block.vectors, 0, single, Z)
            if system.scale is not None:
                np.multiply(Z, system.scale, out=Z)
            does.products(block.R, Z, block.Q, rz, zq)
            beta = np.where(block.rz > 0.0, -block.step * zq / block.rz, 0.0)
            does.turn(*system.arrays, Z, beta, block.P, block.Q, pq)
            block.live &= (rz > 0.0) & (pq > 0.0)
            block.step, block.rz = np.where(block.live, rz / pq, 0.0), rz.copy()
            does.advance(block.step, block.P, block.Q, block.X, block.R, single, rr)
            block.norms[block.live] = np.sqrt(rr)[block.live]
            block.live &= block.norms > block.goals
            block.done += 1


def cycle(system: System, R: Floats) -> Array:
    """M R, (n, c) in single precision and in units of A's median diagonal, in the order of the levels."""
    from trigpoint._kernels.cycles import steps

    width, X = R.shape[1], np.empty(R.shape, np.float32)
    vectors = _vectors(system, width)
    _cycle(system.levels, steps(width), vectors, 0, np.ascontiguousarray(R, dtype=np.float32), X)
    return X


def _vectors(system: System, width: int) -> list[tuple[Array, ...]]:
    """Room for every level."""
    sizes = [len(level.inverse) for level in system.levels.levels]
    return [
        tuple(np.empty((n, width), np.float32) for _ in range(4 if at in system.twice else 2))
        for at, n in enumerate(sizes)
    ]


def _cycle(system: Hierarchy, does: Any, vectors: Any, at: int, R: Array, X: Array) -> None:
    """X = M R on one level."""
    level = system.levels[at]
    matrix = level.indptr, level.indices, level.data
    last = at + 1 == len(system.levels)
    if last and system.inverse is not None:
        does.dense(system.inverse, R, X)
        return
    does.forth(*matrix, level.inverse, R, X)
    if last:
        does.back(*matrix, level.inverse, level.owner, X, R, X)
        return
    below, found = vectors[at + 1][:2]
    does.restrict(*matrix, level.owner, X, below)
    _cycle(system, does, vectors, at + 1, below, found)
    if len(vectors[at + 1]) == 4:
        rest, more = vectors[at + 1][2:]
        coarse = system.levels[at + 1]
        does.residual(coarse.indptr, coarse.indices, coarse.data, below, found, rest)
        _cycle(system, does, vectors, at + 1, rest, more)
        found += more
    does.back(*matrix, level.inverse, level.owner, found, R, X)
