"""The search for neighbors in a large pool on a cluster: that of one machine (`graph/_refined`), in parts.

    blocks of rows ─▶ a cut into lists ─▶ samples go to the part that owns their list ─▶ a few directions
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
from trigpoint.distributed._cluster import Job, after, at, nothing, worker_memory
from trigpoint.distributed._features import Features
from trigpoint.distributed._partitions import DistributedGraph
from trigpoint.graph import (
    CHECKED,
    POOR,
    Crowds,
    Joined,
    NeighborGraph,
    Neighbors,
    Notes,
    Part,
    Points,
    along_few,
    another_cut,
    another_round,
    answered,
    arrived,
    asked,
    axes_of,
    block_of_rows,
    bordering,
    compared,
    copies,
    counts_to_try,
    crowds_of_blocks,
    evenly,
    exact_gaps,
    first_lists,
    frame,
    frequent_rows,
    in_few,
    in_one,
    is_integral,
    joined_part,
    judged_places,
    least_copies,
    list_width,
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
    will_do,
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
        self.m, self.width, self.n_features = len(self.rows), list_width(k), those.n_features
        self.workers = sorted(worker_memory(job.client))
        self.threads = max(job.client.nthreads().values())
        self.short: list[Any] = []  # parts along a few directions

    def graph(self) -> DistributedGraph:
        seeds = search_seeds(self.rng)
        crowds = self._crowds()
        self._enter(crowds)
        self._cut(seeds[0])
        self._judge(seeds[1])
        self._shorten()
        self._rounds(self._start(seeds[2:]))
        self.short = []
        return self._home(self._answers(), crowds)

    def on(self, step: str, t: int, function: Callable[..., Any], *args: Any, shelves: bool = False) -> Any:
        """The future of a function, at the worker of part t as long as it lives."""
        return self.job.submit(step, alone, function, *args, shelves=shelves, **at(self._worker(t)))

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
                turn = self.on("turn", before, nothing, made[before])
            made.append(self.on(step, t, after, turn, function, *args))
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
        pieces = self.each("centers", training_points, self.parts, self.n, seed)
        if counts_to_try(self.n_features):
            self.axes = self.job.submit("directions", alone, axes_of, pieces, self.n, seed)
        homes, lists, places = self._lists(self.parts, pieces, seed)
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

    def _lists(
        self, parts: list[Any], pieces: list[Any], seed: int
    ) -> tuple[list[Any], list[int], list[int]]:
        """A cut: the list of each sample, and the first list and first place of each run of lists."""
        job = self.job
        cut = job.submit("centers", trained, pieces, self.n, seed)
        homes = self.each("place", placed, parts, cut)
        sizes = job.results("lists", self.each("place", sizes_of_lists, homes, cut))
        lists, places = evenly(sizes, self.m)
        return homes, lists.tolist(), places.tolist()

    def _judge(self, seed: int) -> None:
        """Places whose true neighbors tell the recall, their points, distances and neighbors."""
        self.judged = judged_places(self.n, np.random.default_rng(seed))
        queries = self._asking(self.parts, self.judged)
        self.asking = self.job.submit("truth", _stacked, queries)
        self.truth, self.neighbors = self._true(self.parts, self.asking, self.k, by_place=True)

    def _asking(self, parts: list[Any], places: Ints) -> list[Any]:
        return self.each("truth", _queries, parts, self._own(places), True)

    def _own(self, places: Ints) -> list[Ints]:
        """Rows of each part, from places that ascend."""
        return [places[(places >= a) & (places < b)] - a for a, b in pairwise(self.places)]

    def _true(self, parts: list[Any], asking: Any, k: int, by_place: bool = False) -> tuple[Floats, Ints]:
        """Squared distances and names, or places, of the nearest to those who ask, by exact search."""
        job = self.job
        near = self.each("truth", _nearest, parts, asking, k, by_place)
        found: tuple[Floats, Ints] = job.result("truth", job.submit("truth", nearest_of_parts, near, k))
        return found

    def _shorten(self) -> None:
        """Parts along as few directions as will do, or as they are."""
        some, true = self.judged[::CHECKED], self.neighbors[::CHECKED]
        for q in counts_to_try(self.n_features):
            self.short = self.each("directions", along_few, self.parts, self.axes, q)
            asking = self.job.submit("truth", _stacked, self._asking(self.short, some))
            if will_do(self._true(self.short, asking, self.width, by_place=True)[1], true):
                self.short_like = in_few(np.zeros((1, q), np.float32))
                return
        self.short, self.short_like = self.parts, self.like

    def _start(self, seeds: list[int]) -> float:
        """The first lists, from a few cuts; returns their recall."""
        self.found = self.in_turn("join", first_lists, self.short, self.width)
        recalls: list[float] = []
        while another_cut(recalls):
            if recalls:
                self._another_cut(seeds[len(recalls)])
            recalls.append(self._recall("cuts"))
        return recalls[-1]

    def _another_cut(self, seed: int) -> None:
        pieces = self.each("centers", training_points, self.short, self.n, seed)
        homes, lists, _ = self._lists(self.short, pieces, seed)
        far = self.each("send", reach, self.found)
        sent = [
            [self.on("send", s, moved, self.short[s], homes[s], *run, far[s]) for s in range(self.m)]
            for run in pairwise(lists)
        ]
        met = self.in_turn("join", compared, sent, lists[:-1], lists[1:], self.short_like, self.width)
        del sent
        after = []
        for t, run in enumerate(pairwise(self.places)):
            own = [self.on("send", s, met_between, met[s], *run) for s in range(self.m)]
            after.append(self.on("merge", t, merged_cut, self.short[t], self.found[t], own))
        self.found = after

    def _recall(self, stage: str) -> float:
        some = self.job.results(stage, self.each("recall", _some_lists, self.found, self._own(self.judged)))
        ids = np.concatenate(some)
        gaps = self.job.results(stage, self.each("recall", _gaps, self.parts, self.asking, ids))
        return share_found(np.min(gaps, axis=0), self.truth)

    def _rounds(self, recall: float) -> None:
        """Rounds as long as they pay; where that is not enough, again with lists twice as long."""
        recalls, wider = [recall], False
        while True:
            while another_round(recalls):
                self._round()
                recalls.append(self._recall("rounds"))
            if wider or recalls[-1] >= POOR:
                return
            wider, recalls = True, recalls[-1:]
            self.width *= 2
            self.found = self.each("merge", widened, self.found, self.width)

    def _borders(self, parts: list[Any], with_lists: bool) -> list[list[Any]]:
        """For each part what it must know of the others, in their order."""
        wanted = self.each("send", asked, parts, self.found)
        return [
            [
                self.on("send", s, bordering, parts[s], self.found[s], wanted[t], *run, with_lists)
                for s in range(self.m)
                if s != t
            ]
            for t, run in enumerate(pairwise(self.places))
        ]

    def _round(self) -> None:
        borders = self._borders(self.short, True)
        joined = self.in_turn("join", joined_part, self.short, self.found, borders)
        after = []
        for t, run in enumerate(pairwise(self.places)):
            own = [self.on("send", s, _notes_for, joined[s], *run) for s in range(self.m) if s != t]
            after.append(self.on("merge", t, _merge_joined, self.short[t], joined[t], own))
        self.found = after

    def _answers(self) -> list[Any]:
        """Exact distances; lists are not needed any more."""
        borders = self._borders(self.parts, False)
        answers = self.in_turn("answer", answered, self.parts, self.found, borders, self.k)
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
            given = (own, *run, self.like, self.metric, recall)
            lists.append(self.on("lists", b, _block_graph, *given, shelves=True))
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
            asking = self.job.submit("truth", _stacked, queries)
            names = self.job.result("truth", self.job.submit("truth", _names, asking))
            squared, nearest = self._true(self.parts, asking, self.k)
            order = np.argsort(names)
            changes.insert(0, (names[order], squared[order], nearest[order].astype(np.int32)))
        return changes

    def _measured(self, answers: list[Any], crowds: Crowds | None, changes: list[Answer]) -> float:
        rows = np.arange(self.bounds[-1])
        if crowds is not None:
            rows = np.setdiff1d(rows, crowds.members, assume_unique=True)
        if len(rows) == 0:
            return 1.0
        own = self.each("truth", _rows_of, self.parts, rows[measured_rows(len(rows), self.rng)])
        picked = self.job.results("recall", self.each("recall", _picked, self.parts, own, answers))
        names, squared = (np.concatenate(each) for each in zip(*picked, strict=True))
        for known, better, _ in changes:
            at = np.minimum(np.searchsorted(known, names), len(known) - 1)
            squared = np.where((known[at] == names)[:, None], better[at], squared)
        asking = self.job.submit("truth", _stacked, self.each("truth", _queries, self.parts, own))
        return share_exact(squared, self._true(self.parts, asking, self.k)[0])


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


def _queries(part: Part, rows: Ints, by_place: bool = False) -> _Queries:
    some = part.only(rows)
    return _Queries(part.first + rows if by_place else part.names[rows], some.X, some.scale)


def _stacked(queries: list[_Queries]) -> _Queries:
    return _Queries(*map(in_one, zip(*queries, strict=True)))


def _names(asking: _Queries) -> Ints:
    return asking.names


def _nearest(part: Part, asking: _Queries, k: int, by_place: bool) -> tuple[Floats, Ints]:
    """Squared distances and names of the nearest of this part, ties by name; never the one that asks.

    By place: places stand for names.
    """
    if len(part.names) == 0:
        return np.empty((len(asking.names), 0)), np.empty((len(asking.names), 0), dtype=np.int64)
    order = np.arange(len(part.names)) if by_place else np.argsort(part.names)
    names = order + part.first if by_place else part.names[order]
    squared, at = nearest_points(part.pool if by_place else part.only(order), _points(part, asking), k + 1)
    return np.where(names[at] == asking.names[:, None], np.inf, squared), names[at]


def _points(part: Part, asking: _Queries) -> Points:
    return Points(asking.X, asking.scale, part.unit, part.center, part.integral)


def _some_lists(found: Neighbors, rows: Ints) -> Array:
    return found.ids[rows]


def _gaps(part: Part, asking: _Queries, ids: Array) -> Floats:
    return exact_gaps(part.pool, part.first, _points(part, asking), ids)


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
