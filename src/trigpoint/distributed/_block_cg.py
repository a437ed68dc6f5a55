"""Conjugate gradients on blocks of rows, preconditioned by multigrid on all of them together.

For A = phi on the samples without a value, all columns at once. A block keeps its own rows; the halo is the
samples of other blocks that its rows name. One iteration has five tasks for each block, and after each of
them the blocks hear each other:

    smooth     x += a p,  r -= a q,  z = (G + L)^-1 r         tells z at borders, and r.r
    restrict   t = P^T (r - A z)                              tells t
    descend    e = C^-1 t, for some of the columns            tells e
    correct    z += P e,  z += (G + L^T)^-1 (r - A z)         tells z at borders, r.z and z.q
    turn       p = z + b p,  q = A p                          tells p.q

with a = r.z / p.q and b = -a z.q / (r'.z'), as in `propagation/_multigrid`. L is what lies below the diagonal
within the block, and G the diagonal, to which what is tied to the halo is added: so the sweeps need nothing
from other blocks, and are convergent for every positive definite A (Baker, Falgout, Kolev & Yang, 2011). The
corrections see the whole residual. So a cycle is worth as much as on one machine, whatever the blocks.

P is the indicator of aggregates. Of a Laplacian these are its groups, of some six samples each, none on two
blocks, and C^-1, where C = P^T A P, is one cycle of multigrid on them (`propagation/_cycle`), for which each
block takes some of the columns. Of other matrices they are at most `CELLS` aggregates (`_block_parts`), and
C^-1 is the inverse. z is in single precision and all else in double, as on one machine.

Here is what a task does with its block; `_row_solver` sends the tasks.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, sparse

from trigpoint._kernels import compiled_csr
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.distributed._block_parts import NOBODY
from trigpoint.distributed._sizes import Sized
from trigpoint.propagation import Cycle, cycle_of

CELLS = 1000
EXTREME = 1e3  # times the median diagonal: such rows would drown the others in the known column


@dataclass(frozen=True, eq=False)
class System(Sized):
    """A block's rows of A, and what it needs to know of its halo.

    Attributes
    ----------
    number : of the block
    A : (own, own + halo), columns ascending
    B : (own, c)
    data : entries of A in single precision, and in units of ``unit``, the median of the diagonal
    inverse, rest : (own,) of 1 / G and G - D in these units; 0 for samples that are no unknowns
    owner : (own + halo,) the aggregate of each; `NOBODY` for samples that are no unknowns
    mine : the aggregates that this block sums up, from one to before another
    shown : the own rows that are in the halo of another block
    sources : for each other block, in order, which of its shown rows are in this halo
    known : (own,) bool, where the known column is 1
    groups : whether aggregates are groups, each on one block
    """

    number: int
    A: Sparse
    B: Floats
    unit: float
    data: Array
    inverse: Array
    rest: Array
    owner: Array
    mine: tuple[int, int]
    shown: Ints
    sources: list[Ints]
    known: Array
    groups: bool

    @property
    def single(self) -> tuple[Array, Array, Array]:
        indptr, indices, _ = compiled_csr(self.A)
        return indptr, indices, self.data


class Message(NamedTuple):
    """What a block tells the others: values at the samples that they name, and its part of sums."""

    shown: Array | None
    sums: Any


@dataclass(frozen=True, eq=False)
class Scalars:
    """One number a column, the same in all blocks."""

    goals: Floats  # of ||r||
    step: Floats  # a
    rz: Floats
    square: Floats  # ||r||^2
    live: Array


@dataclass(frozen=True, eq=False)
class State(Sized):
    """Where a block stands, and what it tells. Vectors are changed in place; p and z go on with the halo."""

    x: Floats
    r: Floats
    p: Floats
    q: Floats
    z: Array
    scalars: Scalars
    message: Message

    def changeable(self, anew: bool = False) -> "State":
        """With vectors that may be changed: copies, if ``anew``, or where they cannot be written to."""
        vectors = {name: getattr(self, name) for name in ("x", "r", "p", "q", "z")}
        copies = {name: v.copy() for name, v in vectors.items() if anew or not v.flags.writeable}
        return replace(self, **copies)


class Begun(NamedTuple):
    """r = B - A x, to begin with."""

    r: Floats
    square: Floats


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
    place = np.full(n, NOBODY, dtype=np.int32)
    place[own], place[halo] = np.arange(len(own)), len(own) + np.arange(len(halo))
    row_of = np.repeat(np.arange(len(own)), np.diff(rows.indptr))
    keep = unknown[own[row_of]] & unknown[rows.indices]
    shape = (len(own), len(own) + len(halo))
    indptr = np.concatenate([[0], np.cumsum(keep)])[rows.indptr]
    A = sparse.csr_array((rows.data[keep], place[rows.indices[keep]], indptr), shape=shape)
    del keep, row_of, place
    A.sort_indices()
    everyone = np.concatenate([own, halo])
    free, unit = unknown[everyone], float(np.median(diagonal[unknown])) if unknown.any() else 1.0
    known = free & (diagonal[everyone] <= EXTREME * unit)
    B = np.column_stack([-(rows[:, landmarks] @ values), A @ known.astype(np.float64)])
    B[~unknown[own]] = 0.0
    rest = abs(A[:, len(own) :]).sum(axis=1) / unit
    whole = diagonal[own] / unit + rest
    inverse = np.divide(1.0, whole, where=unknown[own] & (whole > 0), out=np.zeros(len(own)))
    return System(
        number=b,
        A=A,
        B=B,
        unit=unit,
        data=(A.data / unit).astype(np.float32),
        inverse=inverse.astype(np.float32),
        rest=rest.astype(np.float32),
        owner=np.where(free, owner[everyone], NOBODY).astype(np.int32),
        mine=mine,
        shown=shown[b],
        sources=[np.searchsorted(shown[t], needs[t]) for t in others],
        known=known[: len(own)],
        groups=groups,
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


def message_of(state: State) -> Message:
    return state.message


def _with_halo(system: System, own: Array, shown: list[Any]) -> Array:
    """Own rows, and those of the halo from what the others show."""
    pieces = [part[at] for part, at in zip(shown, system.sources, strict=True)]
    return np.concatenate([own, *pieces])


def _fill_halo(system: System, z: Array, others: list[Message]) -> None:
    start = system.A.shape[0]
    for one, at in zip(others, system.sources, strict=True):
        assert one.shown is not None
        z[start : start + len(at)] = one.shown[at]
        start += len(at)


def _in_order(system: System, own: Message, others: list[Message]) -> list[Any]:
    """The parts of all blocks, so that all add them up alike."""
    messages = [*others[: system.number], own, *others[system.number :]]
    return [message.sums for message in messages]


def residual(system: System, x: Floats, shown: list[Floats]) -> Begun:
    r = system.B - system.A @ _with_halo(system, x, shown)
    return Begun(r, np.einsum("ij,ij->j", r, r))


def square_of(begun: Begun) -> Floats:
    return begun.square


def begin(system: System, x: Floats, begun: Begun, goals: Floats) -> State:
    """The first smoothing."""
    (n, c), everyone = x.shape, system.A.shape[1]
    none = np.zeros(c)
    scalars = Scalars(goals, none, none, np.ones(c), np.ones(c, dtype=bool))
    p, q, z = np.zeros((everyone, c)), np.zeros((n, c)), np.zeros((everyone, c), np.float32)
    state = State(x.copy(), begun.r.copy(), p, q, z, scalars, Message(None, None))
    return _smoothed(system, state, begun.square)


def smooth(system: System, state: State, others: list[Message], anew: bool = False) -> State:
    """The step along p, then z. Vectors of the state before are changed, unless ``anew``."""
    from trigpoint._kernels.block_cg import block_steps

    if not state.scalars.live.any():
        return state
    state, scalars = state.changeable(anew), state.scalars
    pq = np.sum(_in_order(system, state.message, others), axis=0)
    live = scalars.live & (pq > 0.0)
    step = np.divide(scalars.rz, pq, where=live, out=np.zeros_like(pq))
    square = np.empty_like(pq)
    block_steps(len(pq)).advance(step, state.p, state.q, state.x, state.r, square)
    return _smoothed(system, replace(state, scalars=replace(scalars, step=step, live=live)), square)


def _smoothed(system: System, state: State, square: Floats) -> State:
    from trigpoint._kernels.cycles import steps

    steps(len(square)).forth(*system.single, system.inverse, state.r, state.z)
    return replace(state, message=Message(state.z[system.shown], square))


def restrict(system: System, state: State, others: list[Message]) -> State:
    from trigpoint._kernels.block_cg import block_steps

    if not state.scalars.live.any():
        return state
    scalars = state.scalars
    square = np.sum(_in_order(system, state.message, others), axis=0)
    live = scalars.live & (np.sqrt(square) > scalars.goals)
    scalars = replace(scalars, square=np.where(scalars.live, square, scalars.square), live=live)
    if not live.any():
        return replace(state, scalars=scalars)
    state = state.changeable()
    _fill_halo(system, state.z, others)
    first, stop = system.mine
    owner = np.where(system.owner == NOBODY, NOBODY, system.owner - first).astype(np.int32)
    t = np.empty((stop - first + 1, len(live)), np.float32)  # the last one is nobody's
    block_steps(len(live)).restrict(*system.single, system.rest, owner, state.z, t)
    return replace(state, scalars=scalars, message=Message(None, t[:-1]))


def descend(system: System, inverse: Floats | Cycle, state: State, others: list[Message]) -> Array:
    """This block's columns of e, in single precision and in units of A's median diagonal."""
    c, count = len(state.scalars.live), len(others) + 1
    mine = np.array_split(np.arange(c), count)[system.number]
    if not state.scalars.live.any() or len(mine) == 0:
        return np.empty((0, len(mine)), np.float32)
    parts = [t[:, mine].astype(np.float64) for t in _in_order(system, state.message, others)]
    t = np.concatenate(parts) if system.groups else np.sum(parts, axis=0)
    e = inverse.solve(t) if isinstance(inverse, Cycle) else inverse @ t
    return np.asarray(e * system.unit, dtype=np.float32)


def correct(system: System, state: State, e: list[Array]) -> State:
    """``e`` of all blocks, in order."""
    from trigpoint._kernels.block_cg import block_steps
    from trigpoint._kernels.cycles import steps

    if not state.scalars.live.any():
        return state
    state, c = state.changeable(), len(state.scalars.live)
    E = np.zeros((len(e[0]) + 1, c), np.float32)  # the last one is nobody's
    np.concatenate([some for some in e if some.shape[1]], axis=1, out=E[:-1])
    block_steps(c).back(*system.single, system.inverse, system.owner, E, state.r, state.z)
    rz, zq = np.empty((2, c))
    steps(c).products(state.r, state.z, state.q, rz, zq)
    return replace(state, message=Message(state.z[system.shown], np.stack([rz, zq])))


def turn(system: System, state: State, others: list[Message]) -> State:
    from trigpoint._kernels.cycles import steps

    if not state.scalars.live.any():
        return state
    state, scalars = state.changeable(), state.scalars
    rz, zq = np.sum(_in_order(system, state.message, others), axis=0)
    live = scalars.live & (rz > 0.0)
    b = np.divide(-scalars.step * zq, scalars.rz, where=scalars.rz > 0.0, out=np.zeros_like(rz))
    _fill_halo(system, state.z, others)
    pq = np.empty_like(rz)
    steps(len(rz)).turn(*compiled_csr(system.A), state.z, b, state.p, state.q, pq)
    return replace(state, scalars=replace(scalars, rz=rz, live=live), message=Message(None, pq))


def told(state: State) -> tuple[Floats, Array]:
    return state.scalars.square, state.scalars.live


def x_of(state: State) -> Floats:
    return state.x


def off_known(system: System, x: Floats) -> float:
    """How far the known column is from its solution."""
    off = np.abs(x[:, -1] - system.known)
    return float(np.max(off, where=system.inverse > 0, initial=0.0))
