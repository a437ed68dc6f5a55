"""Propagation in blocks of rows: the tasks of conjugate gradients (`_block_cg`), and who does them.

Tasks of a leg are sent at once, so that the client is asked once in `LEG` iterations. A dead worker's state
is computed again from the last states that others hold: every `KEPT` iterations all are put on two workers.
Once the recurrences say that all columns are solved, the true residuals b - A x are computed; where they
have drifted, the iteration starts again from x. One more column, whose solution is known to be 1, must come
out as 1: a small residual alone is no proof (`propagation/_solver`).
"""

from itertools import pairwise
from operator import getitem
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._progress import Stage, stage
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.distributed import _block_cg as block
from trigpoint.distributed._block_parts import (
    NOBODY,
    adopted,
    block_diagonal,
    block_labels,
    coarse_block,
    joined,
    joined_labels,
    seeded,
)
from trigpoint.distributed._cluster import SHARE, ClusterError, Job, at, worker_memory
from trigpoint.distributed._grouping import is_laplacian
from trigpoint.distributed._layout import Layout, laid_out
from trigpoint.distributed._partitions import DistributedMatrix, joined_matrix, matrix_bytes
from trigpoint.propagation import NULL, Reach, warn_unreached

ROUNDS = 8  # in which aggregates grow
LEG = 5
KEPT = 50
RESTARTS = 3
LIMIT = 5_000  # iterations
COLUMNS = 12  # solved at once: a state has five vectors for each
COPIES = 4  # of its rows: the partitions, the block, the system, and the vectors


class UnsolvedError(ClusterError):
    """The iteration did not converge."""


def solve_rows(job: Job, phi: DistributedMatrix, landmarks: Ints, values: Floats, tol: float) -> Floats:
    """z of shape (n, d), NaN where no landmark reaches."""
    if not is_laplacian(job, phi):
        return _solved(Blocks(job, phi, _block_count(job, phi)), landmarks, values, tol)
    layout = laid_out(job, phi)
    blocks = Blocks(job, layout.phi, len(layout.phi.partitions), layout)
    z: Floats = _solved(blocks, layout.place[landmarks].astype(np.int64), values, tol)[layout.place]
    return z


def _solved(blocks: "Blocks", landmarks: Ints, values: Floats, tol: float) -> Floats:
    unknown = blocks.unknown(landmarks)
    z = np.full((int(blocks.bounds[-1]), values.shape[1]), np.nan)
    z[landmarks] = values
    where = blocks.job.result("unknown", unknown)
    owner, inverse = blocks.coarse(unknown)
    for some in np.array_split(np.arange(values.shape[1]), max(1, -(-values.shape[1] // COLUMNS))):
        solution = blocks.solution(landmarks, values[:, some], unknown, owner, inverse, tol)
        z[np.ix_(where, some)] = solution[where]
    return z


def _block_count(job: Job, phi: DistributedMatrix) -> int:
    """One block a worker, where it may hold `COPIES` of its share of phi, since every cut costs messages."""
    room = worker_memory(job.client)
    m = len(phi.partitions)
    if m <= len(room):
        return m
    share = matrix_bytes(job, phi) / len(room)
    return len(room) if COPIES * share <= SHARE * min(room.values()) else m


class Blocks:
    """The rows of phi on their workers, and the stages of a solution."""

    def __init__(self, job: Job, phi: DistributedMatrix, n_blocks: int, layout: Layout | None = None) -> None:
        self.job, self.layout, m = job, layout, len(phi.partitions)
        names = sorted(worker_memory(job.client))
        ends = np.arange(n_blocks + 1) * m // n_blocks
        self.bounds = phi.bounds[ends]
        self.where = [at(names[b % len(names)]) for b in range(n_blocks)]
        self.first = [int(a) for a in self.bounds[:-1]]
        self.rows = list(phi.partitions)
        if n_blocks < m:
            groups = [list(phi.partitions[a:b]) for a, b in pairwise(ends)]
            self.rows = [
                job.submit("rows", joined_matrix, group, shelves=True, **where)
                for group, where in zip(groups, self.where, strict=True)
            ]
        self.diagonal = job.submit(
            "diagonal", joined, job.each("diagonal", block_diagonal, self.rows, self.first)
        )

    def each(self, step: str, function: Any, *columns: Any) -> list[Any]:
        """One task for each block, where the block lives; what is no list is for all."""
        m = len(self.rows)
        lists = [column if isinstance(column, list) else [column] * m for column in columns]
        return [
            self.job.submit(step, function, *args, **where)
            for where, *args in zip(self.where, *lists, strict=True)
        ]

    def unknown(self, landmarks: Ints) -> Any:
        """A future of (n,) bool; warns of samples that no landmark reaches."""
        job = self.job
        labels = self.each("parts", block_labels, self.rows, self.first, self.diagonal)
        while len(labels) > 1:
            pairs = [
                job.submit("parts", joined_labels, *labels[i : i + 2]) for i in range(0, len(labels) - 1, 2)
            ]
            labels = pairs + labels[2 * len(pairs) :]
        found = job.submit("parts", _reached, labels[0], landmarks)
        off = self.each("parts", _worst_sum, self.rows, self.first, self.diagonal)
        reached = job.result("parts", job.submit("parts", getitem, found, 0))
        if max(job.results("parts", off)) > NULL:
            rule = "must have rows that sum to 0 where it is solved in rows, as Laplacians do"
            raise InputError("phi", rule, "one whose rows do not: use split='columns'")
        warn_unreached(reached, "their values are NaN")
        return job.submit("unknown", getitem, found, 1)

    def solution(
        self, landmarks: Ints, values: Floats, unknown: Any, owner: Any, inverse: Any, tol: float
    ) -> Floats:
        """(n, d) where there are unknowns."""
        job, d = self.job, values.shape[1]
        largest = np.abs(values).max(axis=0, initial=0.0)
        largest = np.where(largest > 0.0, largest, 1.0)  # single precision ends at 1e-38
        systems = self._systems(landmarks, values / largest, unknown, owner)
        sizes = job.results("systems", self.each("systems", block.squares, systems))
        goals = np.sqrt(np.sum(sizes, axis=0))
        x: Any = None
        with stage("conjugate gradients") as told:
            made = 0
            for attempt in range(RESTARTS):
                sharper = 1.0 if attempt == 0 else 1e-3 if attempt > 1 else 1.0
                x, squares, made = self._run(systems, inverse, x, tol * sharper * goals, made, told)
                settled = np.sqrt(squares) <= tol * goals * (1 + 1e-6)
                off = max(job.results("check", self.each("check", block.off_known, systems, x)))
                if settled[:d].all() and off <= np.clip(1e4 * tol, 1e-4, 1e-2):
                    break
            else:
                worst = float(np.max(np.sqrt(squares[:d]) / np.where(goals[:d] > 0, goals[:d], 1.0)))
                raise UnsolvedError(
                    f"conjugate gradients stopped after {made} iterations at a relative residual of "
                    f"{worst:.2g}, {off:.2g} off on a column that is known; add landmarks, or use "
                    "split='columns'."
                )
        return np.concatenate(job.results("values", x))[:, :d] * largest

    def coarse(self, unknown: Any) -> tuple[Any, Any]:
        """Futures of the owner of each sample, and of C^-1."""
        job = self.job
        invert: Any
        if self.layout is not None:
            count, invert = self.layout.n_groups, block.cycle
            owner = job.submit("aggregates", _among, self.layout.owner, unknown)
        else:
            owner, count, invert = self._aggregates(unknown), block.CELLS, block.inverse
        pieces = self.each("aggregates", coarse_block, self.rows, self.first, owner, count)
        inverse = job.submit("aggregates", invert, pieces)
        job.wait("aggregates", [inverse])
        return owner, inverse

    def _aggregates(self, unknown: Any) -> Any:
        job, count = self.job, int(np.clip(self.bounds[-1] // 20, 1, block.CELLS))
        owner = job.submit("aggregates", seeded, unknown, count)
        for _ in range(ROUNDS):
            owner = job.submit(
                "aggregates", joined, self.each("aggregates", adopted, self.rows, self.first, owner, unknown)
            )
        return owner

    def _own_aggregates(self) -> list[tuple[int, int]]:
        """Those that each block sums up."""
        if self.layout is None:
            return [(0, block.CELLS)] * len(self.rows)
        return self.layout.ranges

    def _systems(self, landmarks: Ints, values: Floats, unknown: Any, owner: Any) -> list[Any]:
        job, bounds, m, mine = self.job, self.bounds, len(self.rows), self._own_aggregates()
        needs = self.each("halo", block.needed, self.rows, self.first, unknown, bounds)
        shown = [
            job.submit(
                "halo", block.union, [job.submit("halo", getitem, needs[b], t) for b in range(m) if b != t]
            )
            for t in range(m)
        ]
        return [
            job.submit(
                "systems", block.system, self.rows[b], b, bounds, needs[b], shown, unknown, owner,
                self.diagonal, landmarks, values, mine[b], self.layout is not None, **self.where[b],
            )
            for b in range(m)
        ]  # fmt: skip

    def _run(
        self, systems: list[Any], inverse: Any, x: Any, goals: Floats, made: int, told: Stage
    ) -> tuple[list[Any], Floats, int]:
        """x, its true ||r||^2 by column, and the iterations made in all."""
        x, begun, squares = self._residuals(systems, x)
        if np.all(np.sqrt(squares) <= goals * (1 + 1e-6)):
            return x, squares, made
        states = self.each("smooth", block.begin, systems, x, begun, goals)
        anew = False  # what is held twice must not be changed
        while True:
            for _ in range(LEG):
                states = self.each("restrict", block.restrict, systems, states, self._heard(states))
                e = self.each("descend", block.descend, systems, inverse, states, self._heard(states))
                states = self.each("correct", block.correct, systems, states, [e] * len(systems))
                states = self.each("turn", block.turn, systems, states, self._heard(states))
                states = self.each("smooth", block.smooth, systems, states, self._heard(states), anew)
                anew = False
            square, live = self.job.client.gather(self.job.submit("smooth", block.told, states[0]))
            before, made = made, made + LEG
            worst = float(np.max(np.sqrt(square[goals > 0]) / goals[goals > 0], initial=0.0))
            told.advance(LEG, f"residual {worst:.2g} times its goal")
            if not live.any() or made >= LIMIT:
                break
            if made // KEPT > before // KEPT:
                self.job.client.replicate(states, n=2)
                anew = True
        x = self.each("values", block.x_of, states)
        del states
        x, _, squares = self._residuals(systems, x)
        return x, squares, made

    def _residuals(self, systems: list[Any], x: Any) -> tuple[list[Any], list[Any], Floats]:
        """x, the residuals, and ||r||^2 by column; x is 0 where it is None."""
        if x is None:
            x = self.each("residual", block.zeros, systems)
        shown = self.each("residual", block.shown, systems, x)
        begun = self.each("residual", block.residual, systems, x, _others(shown))
        squares = self.job.results("residual", self.each("residual", block.square_of, begun))
        return x, begun, np.sum(squares, axis=0)

    def _heard(self, states: list[Any]) -> list[list[Any]]:
        """For each block what the others tell."""
        return _others(self.each("hear", block.message_of, states))


def _others(futures: list[Any]) -> list[list[Any]]:
    """For each block the futures of the others, in order."""
    return [[other for t, other in enumerate(futures) if t != b] for b in range(len(futures))]


def _reached(labels: tuple[Array, int], landmarks: Ints) -> tuple[Reach, Array]:
    parts, one_sided = labels
    if one_sided:
        rule = "must not tie samples so unevenly that one side cannot feel it, where it is solved in rows"
        raise InputError("phi", rule, f"{one_sided} such links: use split='columns'")
    held = np.zeros(int(parts.max()) + 1, dtype=bool)
    held[parts[landmarks]] = True
    unknown = held[parts]
    reached = Reach(parts, unknown.copy(), int(len(held) - held.sum()))
    unknown[landmarks] = False
    return reached, unknown


def _among(owner: Array, unknown: Array) -> Ints:
    return np.where(unknown, owner, NOBODY).astype(np.int64)


def _worst_sum(rows: Sparse, first: int, diagonal: Floats) -> float:
    """The largest |row sum| over its diagonal."""
    sums = np.abs(rows @ np.ones(rows.shape[1]))
    own = np.abs(diagonal[first : first + len(sums)])
    return float(np.max(sums / np.maximum(own, np.finfo(float).tiny), where=sums > 0, initial=0.0))
