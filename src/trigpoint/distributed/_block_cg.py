"""Conjugate gradients on blocks of rows, with one exchange between workers in each iteration.

For A = phi on the samples without a value, all columns at once, in the form of Chronopoulos and Gear (1989):

    u = M r,  w = A u;   gamma = r.u,  delta = w.u;   b = gamma / gamma',  a = gamma / (delta - b gamma / a')
    p = u + b p,  s = w + b s,  x += a p,  r -= a s

A block keeps its own rows of x, r, p, s, u, w, and r and s of the halo: samples of other blocks that its rows
name. So all that travels are w of the halo and the sums gamma and delta, both at once, from each block to
each other one; all of them find a and b from the same sums in the same order. M is Jacobi plus a
coarse correction,

    M r = D^-1 r + P C^-1 P^T r,     C = P^T A P,

P the indicator of aggregates. P^T r follows from P^T w by the same recurrences, so it rides with the sums.
Of a Laplacian these are its groups, of some six samples each, none on two blocks, and C^-1 is one cycle of
multigrid on them, which every block makes for itself (`propagation/_cycle`): a hundred iterations or less,
whatever the pool and the number of blocks. Of other matrices they are at most `CELLS` aggregates
(`_block_parts`), and C^-1 is the inverse.

Here is what a task does with its block; `_row_solver` sends the tasks.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy import linalg, sparse

from trigpoint._kernels import compiled_csr
from trigpoint._kernels.block_cg import advance, dots, multiply, precondition
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.distributed._block_parts import NOBODY
from trigpoint.propagation import Cycle, cycle_of

CELLS = 1000
EXTREME = 1e3  # times the median diagonal: such rows would drown the others in the known column


@dataclass(frozen=True, eq=False)
class System:
    """A block's rows of A, and what it needs to know of its halo."""

    number: int  # of the block
    A: Sparse  # (own, own + halo)
    B: Floats  # (own, c)
    inverse: Floats  # (own + halo, 1) of the diagonal; 0 for samples that are no unknowns
    owner: Ints  # (own + halo,) aggregates
    shown: Ints  # the own rows that are in the halo of another block
    sources: list[tuple[int, Ints]]  # for each other block, in order: its number, and which of its shown rows
    known: Array  # (own,) bool: where the known column is 1
    P_transposed: Sparse  # (aggregates, own) their indicator; of groups: only those of this block
    groups: bool  # whether aggregates are groups, each on one block


@dataclass(frozen=True, eq=False)
class State:
    """Vectors of the own rows, of which u goes on with the halo; all but the halo's are changed in place."""

    x: Floats
    r: Floats
    p: Floats
    s: Floats
    u: Floats
    w: Floats
    halo_r: Floats
    halo_s: Floats

    def changeable(self, anew: bool) -> "State":
        """With vectors that may be changed: copies, if ``anew``, or where they cannot be written to."""
        vectors = (self.x, self.r, self.p, self.s, self.u, self.w)
        x, r, p, s, u, w = (v.copy() if anew or not v.flags.writeable else v for v in vectors)
        return State(x, r, p, s, u, w, self.halo_r, self.halo_s)


@dataclass(frozen=True, eq=False)
class Sums:
    """What a block adds to the sums."""

    gamma: Floats
    delta: Floats
    square: Floats
    coarse: Floats  # P^T w, (aggregates, c), or of the block's own groups


@dataclass(frozen=True, eq=False)
class Scalars:
    """One number a column, and the coarse vectors."""

    a: Floats
    b: Floats
    gamma: Floats
    live: Array
    square: Floats  # ||r||^2
    goals: Floats  # of ||r||
    coarse_r: Floats
    coarse_s: Floats
    y: Floats  # C^-1 P^T r, and a row of zeros for samples without an aggregate


@dataclass(frozen=True, eq=False)
class Message:
    """What a block tells the others: vectors at the samples that they name, and its part of the sums."""

    shown: Floats
    sums: Sums


@dataclass(frozen=True, eq=False)
class Step:
    """Where a block stands: u and w are new, and the others have not been heard."""

    state: State
    scalars: Scalars
    message: Message


def needed(rows: Sparse, first: int, unknown: Array, bounds: Ints) -> list[Ints]:
    """The unknowns of each block that these rows name, as numbers within that block; none of its own."""
    named = np.zeros(rows.shape[1], dtype=bool)
    row_of = np.repeat(np.arange(first, first + rows.shape[0]), np.diff(rows.indptr))
    named[rows.indices[unknown[row_of]]] = True
    named &= unknown
    named[first : first + rows.shape[0]] = False
    return [np.flatnonzero(named[a:b]) for a, b in pairwise(bounds)]


def union(needs: list[Ints]) -> Ints:
    return np.unique(np.concatenate(needs)) if needs else np.empty(0, dtype=np.int64)


def system(
    rows: Sparse, b: int, bounds: Ints, needs: list[Ints], shown: list[Ints], unknown: Array, owner: Ints,
    diagonal: Floats, landmarks: Ints, values: Floats, mine: tuple[int, int], groups: bool,
) -> System:  # fmt: skip
    """``mine`` are the aggregates that this block sums up."""
    n, first = rows.shape[1], int(bounds[b])
    own = np.arange(first, first + rows.shape[0])
    others = [t for t in range(len(shown)) if t != b]
    halo = np.concatenate([np.empty(0, np.int64), *(needs[t] + bounds[t] for t in others)])
    place = np.full(n, NOBODY, dtype=np.int64)
    place[own], place[halo] = np.arange(len(own)), len(own) + np.arange(len(halo))
    row_of = np.repeat(np.arange(len(own)), np.diff(rows.indptr))
    keep = unknown[own[row_of]] & unknown[rows.indices]
    shape = (len(own), len(own) + len(halo))
    indptr = np.concatenate([[0], np.cumsum(keep)])[rows.indptr]
    A = sparse.csr_array((rows.data[keep], place[rows.indices[keep]].astype(np.int32), indptr), shape=shape)
    everyone = np.concatenate([own, halo])
    free = unknown[everyone]
    inverse = np.divide(1.0, diagonal[everyone], where=free, out=np.zeros(len(everyone)))
    known = free & (diagonal[everyone] <= EXTREME * np.median(diagonal[unknown]))
    B = np.column_stack([-(rows[:, landmarks] @ values), A @ known.astype(np.float64)])
    B[~unknown[own]] = 0.0
    sources = [(t, np.searchsorted(shown[t], needs[t])) for t in others]
    owner = np.where(free, owner[everyone], NOBODY)
    P_transposed = _indicator(owner[: len(own)], *mine)
    return System(
        b, A, B, inverse[:, None], owner, shown[b], sources, known[: len(own)], P_transposed, groups
    )


def cycle(pieces: list[Sparse]) -> Cycle:
    """About C^-1, where aggregates are groups."""
    return cycle_of(_total(pieces))


def _total(pieces: list[Sparse]) -> Sparse:
    total = pieces[0]
    for piece in pieces[1:]:
        total = total + piece
    return sparse.csr_array(total)


def inverse(pieces: list[Sparse]) -> Floats:
    C: Floats = _total(pieces).toarray()
    held = C.diagonal() > 0  # others are aggregates that nobody joined
    C.flat[:: len(C) + 1] += np.where(held, 1e-12 * C.diagonal(), 1.0)
    found: Floats = linalg.cho_solve(linalg.cho_factor(C), np.eye(len(C)))
    found[~held] = 0.0
    found[:, ~held] = 0.0
    return np.asarray((found + found.T) / 2)


def squares(system: System) -> Floats:
    return np.asarray(np.einsum("ij,ij->j", system.B, system.B))


def zeros(system: System) -> Floats:
    return np.zeros_like(system.B)


def shown(system: System, x: Floats) -> Floats:
    return x[system.shown]


def _halo(system: System, shown: list[Floats], width: int) -> Floats:
    """The values of the halo, from what the others show."""
    pieces = [part[at] for part, (_, at) in zip(shown, system.sources, strict=True)]
    return np.concatenate([np.empty((0, width)), *pieces])


def _indicator(owner: Ints, first: int, stop: int) -> Sparse:
    """P^T of some samples, and of the aggregates from first to stop."""
    there = np.flatnonzero(owner != NOBODY)
    entries = np.ones(len(there)), (owner[there] - first, there)
    return sparse.csr_array(entries, shape=(stop - first, len(owner)))


def residual(system: System, x: Floats, shown: list[Floats]) -> Step:
    """r = B - A x, to begin with."""
    r = system.B - system.A @ np.concatenate([x, _halo(system, shown, x.shape[1])])
    zero = np.zeros(x.shape[1])
    sums = Sums(zero, zero, np.einsum("ij,ij->j", r, r), system.P_transposed @ r)
    none = np.empty((0, len(zero)))
    start = Scalars(zero, zero, zero, np.ones(len(zero), bool), zero, zero, none, none, none)
    return Step(State(x, r, none, none, none, none, none, none), start, Message(r[system.shown], sums))


def square_of(step: Step) -> Floats:
    return step.message.sums.square


def message_of(step: Step) -> Message:
    return step.message


def _in_order(system: System, own: Message, others: list[Message]) -> list[Sums]:
    """The parts of all blocks, so that all add them up alike."""
    messages = [*others[: system.number], own, *others[system.number :]]
    return [message.sums for message in messages]


def begin(
    system: System, inverse: Floats | Cycle, x: Floats, begun: Step, others: list[Message], goals: Floats
) -> Step:
    coarse_r = _coarse(_in_order(system, begun.message, others), system.groups)
    y = _lifted(inverse, coarse_r)
    scalars = replace(begun.scalars, goals=goals, coarse_r=coarse_r, coarse_s=np.zeros_like(coarse_r), y=y)
    halo_r = _halo(system, [one.shown for one in others], x.shape[1])
    p, s, w = (np.zeros_like(x) for _ in range(3))
    u = np.zeros((system.A.shape[1], x.shape[1]))
    state = State(x.copy(), begun.state.r.copy(), p, s, u, w, halo_r, np.zeros_like(halo_r))
    return _multiplied(system, state, scalars)


def _coarse(sums: list[Sums], groups: bool) -> Floats:
    """P^T w of all blocks."""
    parts = [one.coarse for one in sums]
    return np.concatenate(parts) if groups else np.sum(parts, axis=0)


def _lifted(inverse: Floats | Cycle, coarse_r: Floats) -> Floats:
    found = inverse.solve(coarse_r) if isinstance(inverse, Cycle) else inverse @ coarse_r
    return np.concatenate([found, np.zeros((1, coarse_r.shape[1]))])


def iterate(
    system: System, inverse: Floats | Cycle, step: Step, others: list[Message], anew: bool = False
) -> Step:
    """The next step. The vectors of the one before are changed, unless ``anew``."""
    if not step.scalars.live.any():
        return step
    scalars = _scalars(step.scalars, _in_order(system, step.message, others), inverse, system.groups)
    if not scalars.live.any():
        return replace(step, scalars=scalars)
    a, b, state = scalars.a, scalars.b, step.state.changeable(anew)
    advance(state.u, state.w, a, b, state.p, state.s, state.x, state.r)
    halo_s = _halo(system, [one.shown for one in others], len(a)) + b * state.halo_s
    halo_r = state.halo_r - a * halo_s
    return _multiplied(system, replace(state, halo_r=halo_r, halo_s=halo_s), scalars)


def _multiplied(system: System, state: State, scalars: Scalars) -> Step:
    """u = M r and w = A u, and what the others have to hear of them."""
    precondition(state.r, state.halo_r, system.inverse, scalars.y, system.owner, state.u)
    multiply(compiled_csr(system.A), state.u, state.w)
    gamma, delta, square = dots(state.r, state.u, state.w)
    sums = Sums(gamma, delta, square, system.P_transposed @ state.w)
    return Step(state, scalars, Message(state.w[system.shown], sums))


def _scalars(before: Scalars, sums: list[Sums], inverse: Floats | Cycle, groups: bool) -> Scalars:
    """a and b of the next update, by column; both are 0 for one that is solved, or meets no curvature."""
    gamma, delta, square = (sum(getattr(one, name) for one in sums) for name in ("gamma", "delta", "square"))
    with np.errstate(divide="ignore", invalid="ignore"):
        b = np.where(before.gamma > 0, gamma / before.gamma, 0.0)
        curvature = delta - np.where(before.a > 0, b * gamma / before.a, 0.0)
        live = before.live & (np.sqrt(square) > before.goals) & (curvature > 0) & (gamma > 0)
        a = np.where(live, gamma / curvature, 0.0)
    b = np.where(live, b, 0.0)
    coarse_s = _coarse(sums, groups) + b * before.coarse_s
    coarse_r = before.coarse_r - a * coarse_s
    y = _lifted(inverse, coarse_r)
    return Scalars(a, b, gamma, live, square, before.goals, coarse_r, coarse_s, y)


def told(step: Step) -> tuple[Floats, Array]:
    return step.scalars.square, step.scalars.live


def x_of(step: Step) -> Floats:
    return step.state.x


def off_known(system: System, x: Floats) -> float:
    """How far the known column is from its solution."""
    off = np.abs(x[:, -1] - system.known)
    return float(np.max(off, where=system.inverse[: len(off), 0] > 0, initial=0.0))
