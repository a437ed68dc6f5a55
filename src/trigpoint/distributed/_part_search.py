"""The search for neighbors in a large pool on a cluster: that of one machine (`graph/_refined`), in parts.

    blocks of rows ─▶ a cut into lists ─▶ samples go to the part that owns their list
      ─▶ lists compared, in a few cuts ─▶ rounds in which parts exchange what lies at their borders
      ─▶ exact distances ─▶ lists sent back to the blocks of rows

Training rows, centers, comparisons and the rules that end cuts and rounds are those of one machine, so the
lists are the same to the last bit (`graph/_parts`, `graph/_part_rounds`), for any number of workers and
partitions.

Parts that lie beside each other are given to one worker, and only the points and lists at borders travel.
Tasks are functions of other tasks' results; those of a step are let go as soon as the next is submitted.

Where the recall stays below 0.99, one machine searches inverted lists. Here lists of neighbors are made twice
as long, and rounds go on.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from trigpoint._kernels import one_thread
from trigpoint._types import Array, Floats, Ints
from trigpoint.distributed._cluster import Job, worker_memory
from trigpoint.distributed._features import Features
from trigpoint.distributed._partitions import DistributedGraph
from trigpoint.graph import (
    POOR,
    Crowds,
    Joined,
    NeighborGraph,
    Neighbors,
    Notes,
    Part,
    Points,
    Widths,
    another_cut,
    another_round,
    answered,
    arrived,
    asked,
    block_of_rows,
    bordering,
    compared,
    copies,
    crowds_of_blocks,
    evenly,
    first_lists,
    frame,
    frequent_rows,
    in_one,
    is_integral,
    joined_part,
    judged_places,
    least_copies,
    measured_rows,
    merged_cut,
    merged_notes,
    met_between,
    moved,
    nearest_of_parts,
    nearest_points,
    notes_between,
    placed,
    reach,
    search_seeds,
    share_exact,
    share_found,
    sizes_of_lists,
    suspects,
    trained,
    training_points,
    typical,
    widened,
    widths,
)

Answer: TypeAlias = tuple[Ints, Floats, Array]  # samples, ascending, squared distances and neighbors


def alone(function: Callable[..., Any], *args: Any) -> Any:
    with one_thread():
        return function(*args)


class Search:
    """The stages of a search; parts, lists and notes are futures, one for each part."""

    def __init__(self, job: Job, those: Features, k: int, metric: str, rng: np.random.Generator) -> None:
        self.job, self.k, self.metric, self.rng = job, k, metric, rng
        self.rows, self.bounds = list(those.partitions), those.bounds
        self.m, self.wide = len(self.rows), widths(k)
        self.workers = sorted(worker_memory(job.client))
        self.threads = max(job.client.nthreads().values())

    def graph(self) -> DistributedGraph:
        seeds = search_seeds(self.rng)
        crowds = self._crowds()
        self._enter(crowds)
        self._cut(seeds[0])
        truth = self._judge(seeds[1])
        self._rounds(self._start(seeds[2:], truth), truth)
        return self._home(self._answers(), crowds)

    def on(self, step: str, t: int, function: Callable[..., Any], *args: Any) -> Any:
        """The future of a function, at the worker of part t as long as it lives."""
        where = self._worker(t)
        return self.job.submit(step, alone, function, *args, workers=[where], allow_other_workers=True)

    def _worker(self, t: int) -> str:
        return self.workers[t * len(self.workers) // self.m]

    def in_turn(self, step: str, function: Callable[..., Any], *columns: Any) -> list[Any]:
        """As `each`, for what takes long and much memory: a worker has as many ready as it has threads.

        Of those that wait, Dask would hand some to workers that are done, with all that they need.
        """
        made: list[Any] = []
        for t, args in enumerate(zip(*self._turns(columns), strict=True)):
            before = t - self.threads
            turn = None
            if before >= 0 and self._worker(before) == self._worker(t):
                turn = self.on("turn", before, _nothing, made[before])
            made.append(self.on(step, t, _after, turn, function, *args))
        return made

    def each(self, step: str, function: Callable[..., Any], *columns: Any) -> list[Any]:
        """The same for all parts; what is no list is for all of them."""
        turns = self._turns(columns)
        return [self.on(step, t, function, *args) for t, args in enumerate(zip(*turns, strict=True))]

    def _turns(self, columns: tuple[Any, ...]) -> list[list[Any]]:
        return [each if isinstance(each, list) else [each] * self.m for each in columns]

    def _crowds(self) -> Crowds | None:
        job, first = self.job, self.bounds[:-1].tolist()
        frequent = self.each("crowds", frequent_rows, self.rows, least_copies(self.k, self.m))
        keys = job.result("crowds", job.submit("crowds", suspects, frequent, self.k))
        if not len(keys):
            return None
        found = self.each("crowds", copies, self.rows, first, keys)
        crowds: Crowds = job.result("crowds", job.submit("crowds", crowds_of_blocks, found, self.k))
        return crowds if len(crowds.members) else None

    def _enter(self, crowds: Crowds | None) -> None:
        """Blocks of rows become parts; samples that are hidden in crowds stay behind."""
        first, n = self.bounds[:-1].tolist(), int(self.bounds[-1])
        self.like = self.job.submit(
            "frame",
            frame,
            self.each("frame", typical, self.rows, first, n),
            self.metric,
            self.each("frame", is_integral, self.rows),
        )
        hidden = np.empty(0, dtype=np.int64) if crowds is None else crowds.hidden
        seen = [
            np.setdiff1d(np.arange(b - a), hidden[(hidden >= a) & (hidden < b)] - a, assume_unique=True)
            if crowds is not None
            else int(b - a)
            for a, b in pairwise(self.bounds)
        ]
        counts = [some if isinstance(some, int) else len(some) for some in seen]
        places = [0, *np.cumsum(counts).tolist()]
        self.n = places[-1]
        self.parts = self.each("frame", _block, self.rows, seen, first, self.metric, self.like, places[:-1])
        self.rows = []

    def _cut(self, seed: int) -> None:
        """Parts of rows become parts of the order of lists."""
        homes, lists, places = self._lists(seed)
        sent = [
            [
                self.on("send", b, moved, part, home, *run)
                for b, (part, home) in enumerate(zip(self.parts, homes, strict=True))
            ]
            for run in pairwise(lists)
        ]
        self.places = places
        self.parts = self.each("send", arrived, sent, lists[:-1], lists[1:], self.like, places[:-1])
        del homes, sent
        self.job.wait("lists", self.parts)

    def _lists(self, seed: int) -> tuple[list[Any], list[int], list[int]]:
        """A cut: the list of each sample, and the first list and first place of each run of lists."""
        job = self.job
        cut = job.submit(
            "centers", trained, self.each("centers", training_points, self.parts, self.n, seed), self.n, seed
        )
        homes = self.each("place", placed, self.parts, cut)
        sizes = job.results("lists", self.each("place", sizes_of_lists, homes, cut))
        lists, places = evenly(sizes, self.m)
        return homes, lists.tolist(), places.tolist()

    def _judge(self, seed: int) -> tuple[list[Ints], Floats]:
        """Rows of each part, and the true squared distances of all of them."""
        places = judged_places(self.n, np.random.default_rng(seed))
        own = [places[(places >= a) & (places < b)] - a for a, b in pairwise(self.places)]
        return own, self._true(self.each("truth", _queries, self.parts, own))[0]

    def _true(self, queries: list[Any]) -> tuple[Floats, Ints]:
        """Squared distances and samples of the nearest to some samples of each part, by exact search."""
        job = self.job
        them = job.submit("truth", _stacked, queries)
        near = self.each("truth", _nearest, self.parts, them, self.k)
        found: tuple[Floats, Ints] = job.result("truth", job.submit("truth", nearest_of_parts, near, self.k))
        return found

    def _start(self, seeds: list[int], truth: tuple[list[Ints], Floats]) -> float:
        """The first lists, from a few cuts; returns their recall."""
        self.found = self.in_turn("join", first_lists, self.parts, self.wide.kept)
        recalls: list[float] = []
        while another_cut(recalls):
            if recalls:
                self._another_cut(seeds[len(recalls)])
            recalls.append(self._recall("cuts", truth))
        return recalls[-1]

    def _another_cut(self, seed: int) -> None:
        homes, lists, _ = self._lists(seed)
        far = self.each("send", reach, self.found)
        sent = [
            [self.on("send", s, moved, self.parts[s], homes[s], *run, far[s]) for s in range(self.m)]
            for run in pairwise(lists)
        ]
        met = self.in_turn("join", compared, sent, lists[:-1], lists[1:], self.like, self.wide.kept)
        del sent
        after = []
        for t, run in enumerate(pairwise(self.places)):
            own = [self.on("send", s, met_between, met[s], *run) for s in range(self.m)]
            after.append(self.on("merge", t, merged_cut, self.parts[t], self.found[t], own))
        self.found = after

    def _recall(self, stage: str, truth: tuple[list[Ints], Floats]) -> float:
        near = self.job.results(stage, self.each("recall", _gaps, self.found, truth[0]))
        return share_found(np.concatenate(near), truth[1], self.k)

    def _rounds(self, recall: float, truth: tuple[list[Ints], Floats]) -> None:
        """Rounds as long as they pay; where that is not enough, again with lists twice as long."""
        recalls, number, wider = [recall], 0, False
        while True:
            while another_round(recalls):
                number += 1
                self._round(number)
                recalls.append(self._recall("rounds", truth))
            if wider or recalls[-1] >= POOR:
                return
            wider, recalls = True, recalls[-1:]
            self.wide = Widths(2 * self.wide.kept, 2 * self.wide.early)
            self.found = self.each("merge", widened, self.found, self.wide.kept)

    def _borders(self, with_lists: bool) -> list[list[Any]]:
        """For each part what it must know of the others, in their order."""
        wanted = self.each("send", asked, self.parts, self.found)
        return [
            [
                self.on("send", s, bordering, self.parts[s], self.found[s], wanted[t], *run, with_lists)
                for s in range(self.m)
                if s != t
            ]
            for t, run in enumerate(pairwise(self.places))
        ]

    def _round(self, number: int) -> None:
        borders = self._borders(True)
        joined = self.in_turn("join", joined_part, self.parts, self.found, borders, self.wide, number)
        after = []
        for t, run in enumerate(pairwise(self.places)):
            own = [self.on("send", s, _notes_for, joined[s], *run) for s in range(self.m) if s != t]
            after.append(self.on("merge", t, _merge_joined, self.parts[t], joined[t], own))
        self.found = after

    def _answers(self) -> list[Any]:
        """Exact distances; lists are not needed any more."""
        answers = self.in_turn("answer", answered, self.parts, self.found, self._borders(False), self.k)
        self.found = []
        return answers

    def _home(self, answers: list[Any], crowds: Crowds | None) -> DistributedGraph:
        """Lists in the order of rows, and their recall."""
        changes = self._changes(answers, crowds)
        recall = self._measured(answers, crowds, changes)
        self.parts = []
        lists = []
        for b, run in enumerate(pairwise(self.bounds.tolist())):
            own = [self.on("lists", t, _between, answers[t], *run) for t in range(self.m)]
            own += [_between(change, *run) for change in changes]
            lists.append(self.on("lists", b, _block_graph, own, *run, self.like, self.metric, recall))
        del answers, own
        self.job.wait("lists", lists)
        return DistributedGraph(
            self.job.client, tuple(lists), self.bounds, self.metric, "approximate", recall
        )

    def _changes(self, answers: list[Any], crowds: Crowds | None) -> list[Answer]:
        """Answers that no list of neighbors holds: of crowds, and of samples that have met too few."""
        changes = []
        if crowds is not None:
            changes.append((crowds.members, np.zeros(crowds.ring.shape), crowds.ring.astype(np.int32)))
        short = np.sort(np.concatenate(self.job.results("distances", self.each("answer", _short, answers))))
        if len(short):
            queries = self.each(
                "truth", _queries, self.parts, self.each("truth", _rows_of, self.parts, short)
            )
            names = self.job.result("truth", self.job.submit("truth", _names, queries))
            squared, nearest = self._true(queries)
            order = np.argsort(names)
            changes.insert(0, (names[order], squared[order], nearest[order].astype(np.int32)))
        return changes

    def _measured(self, answers: list[Any], crowds: Crowds | None, changes: list[Answer]) -> float:
        rows = np.arange(self.bounds[-1])
        if crowds is not None:
            rows = np.setdiff1d(rows, crowds.members, assume_unique=True)
        own = self.each("truth", _rows_of, self.parts, rows[measured_rows(len(rows), self.rng)])
        picked = self.job.results("recall", self.each("recall", _picked, self.parts, own, answers))
        names, squared = (np.concatenate(each) for each in zip(*picked, strict=True))
        for known, better, _ in changes:
            at = np.minimum(np.searchsorted(known, names), len(known) - 1)
            squared = np.where((known[at] == names)[:, None], better[at], squared)
        return share_exact(squared, self._true(self.each("truth", _queries, self.parts, own))[0])


def _nothing(_: Any) -> None:
    """What a task waits for, without its result."""


def _after(_: None, function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


def _block(X: Array, rows: Ints | int, row: int, metric: str, like: Points, first: int) -> Part:
    rows = np.arange(rows) if isinstance(rows, int) else rows
    return block_of_rows(X, rows, row, metric, like, first)


class _Queries(NamedTuple):
    """Samples that ask for their true neighbors."""

    names: Ints
    X: Array
    scale: Floats | None


def _rows_of(part: Part, names: Ints) -> Ints:
    return np.flatnonzero(np.isin(part.names, names))


def _queries(part: Part, rows: Ints) -> _Queries:
    some = part.only(rows)
    return _Queries(part.names[rows], some.X, some.scale)


def _stacked(queries: list[_Queries]) -> _Queries:
    return _Queries(*map(in_one, zip(*queries, strict=True)))


def _names(queries: list[_Queries]) -> Ints:
    return _stacked(queries).names


def _nearest(part: Part, asking: _Queries, k: int) -> tuple[Floats, Ints]:
    """Squared distances and samples of the nearest of this part, ties by sample; never the one that asks."""
    if len(part.names) == 0:
        return np.empty((len(asking.names), 0)), np.empty((len(asking.names), 0), dtype=np.int64)
    order = np.argsort(part.names)
    queries = Points(asking.X, asking.scale, part.unit, part.center, part.integral)
    squared, at = nearest_points(part.only(order), queries, k + 1)
    samples = part.names[order][at]
    return np.where(samples == asking.names[:, None], np.inf, squared), samples


def _gaps(found: Neighbors, rows: Ints) -> Array:
    return found.near[rows]


def _notes_for(joined: Joined, first: int, stop: int) -> Notes:
    return notes_between(joined.notes, first, stop)


def _merge_joined(part: Part, joined: Joined, notes: list[Notes]) -> Neighbors:
    return merged_notes(part, joined.found, notes)


def _short(answer: tuple[Ints, Floats, Array, Ints]) -> Ints:
    return answer[3]


def _picked(part: Part, rows: Ints, answer: tuple[Ints, Floats, Array, Ints]) -> tuple[Ints, Floats]:
    names = part.names[rows]
    return names, answer[1][np.searchsorted(answer[0], names)]


def _between(answer: tuple[Any, ...], a: int, b: int) -> Answer:
    """Of the samples from a to b."""
    here = slice(*np.searchsorted(answer[0], [a, b]))
    return answer[0][here], answer[1][here], answer[2][here]


def _block_graph(
    answers: list[Answer], a: int, b: int, like: Points, metric: str, recall: float
) -> NeighborGraph:
    k = answers[0][1].shape[1]
    distances, nearest = np.empty((b - a, k)), np.empty((b - a, k), np.int32)
    for names, squared, near in answers:
        distances[names - a] = squared / 2 if metric == "cosine" else np.sqrt(squared) / like.unit
        nearest[names - a] = near
    indptr = np.arange(b - a + 1) * k
    return NeighborGraph(indptr, nearest.ravel(), distances.ravel(), None, metric, "approximate", recall)
