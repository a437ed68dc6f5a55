"""Approximate neighbors inside a large pool: a rough start, then neighbors introduce each other.

Samples are compared along as few directions as will do (`_directions`), and ranked in all features at last.
The pool is cut into lists of samples that lie together (`_regions`), and all samples of a list are compared.
Another cut has other borders, so a few cuts find more than as many lists of one cut. In each round, the
neighbors of every sample, and those it is a neighbor of, are compared with each other (Dong, Moses & Li,
2011), and each keeps the nearest of whom it met (`_kernels/joins`). Rounds end when the recall on a sample of
rows reaches TARGET, or hardly grows.

Both steps cost the same for each sample however large the pool is, up to the share of distances to centers,
O(sqrt(n)) a sample. Lists, and joins, do not depend on the order in which they come, so the answer is the
same on any number of threads.

Lists hold more entries than are asked for: too short ones lead rounds into dead ends.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from trigpoint._kernels import n_threads, run_blocks
from trigpoint._kernels.gaps import nearest_exactly
from trigpoint._kernels.joins import join, meet, merge
from trigpoint._kernels.meetings import join_all
from trigpoint._progress import stage, track
from trigpoint._types import Array, Floats, Ints
from trigpoint.graph._directions import CHECKED, along, counts_to_try, in_few, principal_axes, will_do
from trigpoint.graph._exact import Task, exact_by_products, squared_gaps
from trigpoint.graph._points import Points
from trigpoint.graph._regions import (
    Lists,
    gather_lists,
    place_all,
    train,
    training_rows,
)
from trigpoint.graph._workspace import Workspace

TARGET = 0.991  # on the tuning sample; leaves room for 0.99 on the one that measures
POOR = 0.99  # less than that is not enough
SAMPLE = 1000
CUTS = 12  # at most
MORE = 0.06  # of recall: where a cut brings less, a round is cheaper
ROUNDS = 12
GAIN = 0.002  # of recall: less is not worth another round
JOINED = 5_000  # rows that one thread joins at a time
NOTES = 100 * JOINED  # pairs that it may note before they are merged
COPIED = 65_536
MET = 1_000_000  # rows whose company one thread gathers at a time, at most
KINDS = {"ids": np.int32, "near": np.float32, "fresh": np.uint8}


def list_width(k: int) -> int:
    """How many neighbors a sample keeps until k of them are asked for: whole vectors of numbers."""
    return 8 * int(np.ceil(np.clip(2 * k, 24, k + 20) / 8))


def most_met(width: int) -> int:
    """How many may be compared with each other: a sample's list, and half as many of those who name it."""
    return width + width // 2


class Neighbors(NamedTuple):
    """Lists of neighbors under way; all numbers are places in the order of the lists."""

    ids: Array  # (n, r) int32, -1: free
    near: Array  # (n, r) float32, squared distances
    fresh: Array  # (n, r) uint8


Judge: TypeAlias = Callable[[Neighbors], float]


def refined_neighbors(
    task: Task, k: int, rng: np.random.Generator, work: Workspace
) -> tuple[Floats, Array] | None:
    """Squared distances (m, k), ascending, and indices of each row's neighbors; None if too few are found.

    The task is within a pool, and all its rows are among its ids.
    """
    seeds = work.facts.setdefault("seeds", search_seeds(rng))
    n, width = len(task.ids), list_width(k)
    if k >= n // 2:
        return None
    sample, lists = _cut(task, seeds[0], work)
    pool = _sorted_points(task, lists, work)
    judged = judged_places(n, np.random.default_rng(seeds[1]))
    truth = _truth(pool, judged, k, work)
    short = _along_few(pool, sample, judged, truth[1], width, work)
    del sample

    def judge(found: Neighbors) -> float:
        return share_found(exact_gaps(pool, 0, pool.only(judged), found.ids[judged]), truth[0])

    made = work.facts.setdefault("rounds", 0)
    found = (
        _start(short, lists, seeds[2:], width, judge, work) if made == 0 else _arrays(n, width, work, made)
    )
    recalls = work.facts.setdefault("recalls", [judge(found)])
    for number in track(range(made, ROUNDS), "rounds"):
        if not another_round(recalls):
            break
        found = _round(short, found, width, work, number + 1)
        recalls.append(judge(found))
        work.finish(f"round {number + 1}", rounds=number + 1)
        _forget(work, number)
    work.drop("short", "fresh", "company", "news", "sizes")
    return None if recalls[-1] < POOR else _answer(task, lists, pool, found, k, work)


def search_seeds(rng: np.random.Generator) -> list[int]:
    """Of the first cut, of the judge, and of further cuts by their number."""
    return [int(seed) for seed in rng.integers(2**62, size=2 + CUTS)]


def _cut(task: Task, seed: int, work: Workspace) -> tuple[Array, Lists]:
    """Training points in random order, and the lists that the pool is cut into."""
    rng = np.random.default_rng(seed)
    sample = task.pool.block(task.ids[training_rows(len(task.ids), rng)], np.float32)
    cut = train(sample, len(task.ids), rng)
    home = work.array("home", (len(task.ids),), np.int32)
    if not work.done("placed"):
        place_all(cut, task.pool, task.ids, home)
        work.finish("placed")
    return sample, gather_lists(home, 0, len(cut.centers))


def _sorted_points(task: Task, lists: Lists, work: Workspace) -> Points:
    """The pool's samples in the order of lists."""
    pool, rows = task.pool, task.ids[lists.order]
    X = work.array("points", (len(rows), pool.X.shape[1]), pool.X.dtype)
    if not work.done("sorted"):

        def copy(start: int, stop: int) -> None:
            X[start:stop] = pool.X[rows[start:stop]]

        run_blocks(copy, len(rows), COPIED, "points")
        work.finish("sorted")
    scale = None if pool.scale is None else pool.scale[rows]
    return Points(X, scale, pool.unit, pool.center, pool.integral)


def judged_places(n: int, rng: np.random.Generator) -> Ints:
    """Places, in the order of lists, whose true neighbors tell the recall."""
    return np.sort(rng.choice(n, min(SAMPLE, n), replace=False))


def _among(pool: Points, places: Ints) -> Task:
    """The search for the neighbors of some places among all."""
    return Task(pool, np.arange(len(pool)), pool, places, True)


def _truth(pool: Points, judged: Ints, k: int, work: Workspace) -> tuple[Floats, Ints]:
    """Squared distances (s, k) and places of the true neighbors of those judged."""
    shape = (len(judged), k)
    squared, near = work.array("true gaps", shape, np.float64), work.array("true", shape, np.int64)
    if not work.done("truth"):
        squared[:], near[:] = exact_by_products(_among(pool, judged), k)
        work.finish("truth")
    return squared, near


def exact_gaps(pool: Points, first: int, asking: Points, ids: Array) -> Floats:
    """Squared distances (s, r) of some points to those in their lists.

    ``pool`` has the places from ``first`` on; those elsewhere, and free entries, are infinitely far.
    """
    gaps = np.full(ids.shape, np.inf)
    at, entries = np.nonzero((ids >= first) & (ids < first + len(pool)))
    pairs = Task(pool, np.arange(len(pool)), asking, np.arange(len(asking)), False)
    gaps[at, entries] = squared_gaps(pairs, ids[at, entries] - first, at)
    return gaps


def share_found(gaps: Floats, truth: Floats) -> float:
    """The recall of some lists, from their squared distances (s, r) and the true ones (s, k)."""
    k = truth.shape[1]
    return float(np.mean(np.sort(gaps, axis=1)[:, :k] <= truth[:, -1:] * (1 + 1e-9)))


def _along_few(pool: Points, sample: Array, judged: Ints, true: Ints, width: int, work: Workspace) -> Points:
    """The pool along as few directions as will do, or as it is; ``true`` are neighbors of those judged."""
    if not work.done("directions"):
        work.finish("directions", directions=_how_few(pool, sample, judged, true, width, work))
    q = work.facts["directions"]
    return pool if q == 0 else in_few(work.array("short", (len(pool), q), np.float32))


def _how_few(pool: Points, sample: Array, judged: Ints, true: Ints, width: int, work: Workspace) -> int:
    """How many directions will do, 0 if all features are needed; leaves points along them behind."""
    counts = [q for q in counts_to_try(sample.shape[1]) if not work.done(f"without {q}")]
    axes = principal_axes(sample) if counts else sample
    for q in counts:
        short = along(pool, axes[:, :q], work.array("short", (len(pool), q), np.float32))
        near = exact_by_products(_among(short, judged[::CHECKED]), width)[1]
        if will_do(near, true[::CHECKED]):
            return q
        work.drop("short")
        work.finish(f"without {q}")
    return 0


def another_cut(recalls: list[float]) -> bool:
    """Whether one more cut may pay, by the recall after each."""
    before = recalls[-2] if len(recalls) > 1 else 0.0
    return not recalls or (len(recalls) < CUTS and before + MORE <= recalls[-1] < TARGET)


def another_round(recalls: list[float]) -> bool:
    """Whether one more round may pay, by the recall before all and after each."""
    grows = len(recalls) < 2 or recalls[-1] >= recalls[-2] + GAIN
    return len(recalls) <= ROUNDS and recalls[-1] < TARGET and grows


def _start(
    pool: Points,
    lists: Lists,
    seeds: list[int],
    width: int,
    judge: Judge,
    work: Workspace,
) -> Neighbors:
    """Whom each sample meets in the list that it belongs to, in several cuts of the pool."""
    found = _arrays(len(pool), width, work, 0)
    recalls: list[float] = work.facts.setdefault("cuts", [])
    if not recalls:
        found.ids[:], found.near[:], found.fresh[:] = -1, np.inf, 0
    for number in track(range(len(recalls), CUTS), "cuts"):
        if not another_cut(recalls):
            break
        again = Lists(np.arange(len(pool)), lists.bounds) if number == 0 else cut_again(pool, seeds[number])
        join_lists(pool, again, found)
        recalls.append(judge(found))
        work.finish(f"cut {number}")
    return found


def cut_again(pool: Points, seed: int) -> Lists:
    rng = np.random.default_rng(seed)
    cut = train(pool.block(training_rows(len(pool), rng), np.float32), len(pool), rng)
    home = np.empty(len(pool), dtype=np.int32)
    place_all(cut, pool, np.arange(len(pool)), home)
    return gather_lists(home, 0, len(cut.centers))


def join_lists(pool: Points, lists: Lists, found: Neighbors) -> None:
    """Compare all samples of each list; no sample is in two of them, so lists may come in any order."""
    X = pool.raw

    def work(start: int, stop: int) -> None:
        for k in range(start, stop):
            members = lists.order[lists.bounds[k] : lists.bounds[k + 1]]
            join_all(*X, members, found.ids, found.near, found.fresh)

    run_blocks(work, len(lists.bounds) - 1, 16, "lists")


def _arrays(n: int, width: int, work: Workspace, number: int) -> Neighbors:
    """Lists after so many rounds: in a folder those before are left as they were until a round is over."""
    names = [f"{name} {number}" if work.folder else name for name in KINDS]
    return Neighbors(*(work.array(name, (n, width), KINDS[name.split()[0]]) for name in names))


def _round(pool: Points, found: Neighbors, width: int, work: Workspace, number: int) -> Neighbors:
    """Lists after one more round."""
    after = _arrays(len(pool), width, work, number)
    if after.ids is not found.ids:
        after.ids[:], after.near[:], after.fresh[:] = found.ids, found.near, found.fresh
    n, most = len(found.ids), most_met(width)
    company = work.array("company", (n, most), np.int32)
    news = work.array("news", (n, most), np.uint8)
    sizes = work.array("sizes", (n,), np.int32)

    def meeting(start: int, stop: int) -> None:
        rows = slice(start, stop)
        meet(found.ids, found.fresh, start, stop, company[rows], news[rows], sizes[rows])

    run_blocks(meeting, n, min(max(COPIED, -(-n // 2)), MET), "meeting")
    reach = np.ascontiguousarray(found.near[:, -1])
    after.fresh[:] = 0
    join_and_merge(pool, found.ids, reach, (company, news, sizes), after)
    return after


def _forget(work: Workspace, number: int) -> None:
    if work.folder is not None:
        work.drop(*(f"{name} {number}" for name in KINDS))


def join_and_merge(
    pool: Points, ids: Array, reach: Array, met: tuple[Array, Array, Array], after: Neighbors
) -> None:
    """Join all rows and merge what they note, a group at a time so that notes stay few."""
    (n, most), X = met[0].shape, pool.raw
    size = max(NOTES, most**2)  # what one row may bring
    room = [
        (np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.float32))
        for _ in range(2 * n_threads())
    ]
    spans = [(a, min(a + JOINED, n)) for a in range(0, n, JOINED)]
    with stage("joins", n) as told:
        while spans:
            some, spans = spans[: len(room)], spans[len(room) :]
            ends = _joined(X, ids, reach, met, some, room)
            noted = zip(room, ends, strict=False)
            _merged([tuple(each[:count] for each in notes) for notes, (count, _) in noted], after)
            told.advance(sum(end - begin for (begin, _), (_, end) in zip(some, ends, strict=True)))
            left = [(end, stop) for (_, stop), (_, end) in zip(some, ends, strict=True) if end < stop]
            spans = left + spans


def _joined(
    X: tuple[Array, Floats, Array],
    ids: Array,
    reach: Array,
    met: tuple[Array, Array, Array],
    spans: list[tuple[int, int]],
    room: list[tuple[Array, Array, Array]],
) -> list[tuple[int, int]]:
    """For each span how much its rows note, (row, id, gap), and where there was no more room."""
    ends = [(0, 0)] * len(spans)

    def work(at: int, _: int) -> None:
        ends[at] = join(*X, ids, reach, *met, *spans[at], room[at])

    run_blocks(work, len(spans), 1)
    return ends


def _merged(notes: list[tuple[Array, ...]], after: Neighbors) -> None:
    """Give lists what was noted for them; threads take turns, since two must not change one list."""
    turns = n_threads()

    def work(turn: int, _: int) -> None:
        for rows, others, gaps in notes:
            merge(rows, others, gaps, turn, turns, after.ids, after.near, after.fresh)

    run_blocks(work, turns, 1)


def _answer(
    task: Task, lists: Lists, pool: Points, found: Neighbors, k: int, work: Workspace
) -> tuple[Floats, Array]:
    """The k nearest of each row of the task by exact distances."""
    names = task.ids[lists.order]
    squared = work.array("squared", (len(task.rows), k), np.float64)
    indices = work.array("indices", (len(task.rows), k), np.int32)
    X, factor, _ = pool.raw
    wanted = np.full(len(task.pool), -1, dtype=np.int64)
    wanted[task.rows] = np.arange(len(task.rows))
    short: list[Array] = []

    def answering(start: int, stop: int) -> None:
        gaps, near = np.empty((stop - start, k)), np.empty((stop - start, k), dtype=np.int64)
        few = nearest_exactly(X, factor, found.ids, names, start, stop, gaps, near)
        if few:
            short.append(names[start:stop][near[:, 0] < 0])
        at = wanted[names[start:stop]]
        kept = at >= 0
        squared[at[kept]], indices[at[kept]] = gaps[kept], near[kept]

    run_blocks(answering, len(names), COPIED, "distances")
    if short:
        rows = np.sort(np.concatenate(short))
        rows = rows[wanted[rows] >= 0]
        squared[wanted[rows]], indices[wanted[rows]] = exact_by_products(
            Task(task.pool, task.ids, task.queries, rows, task.within), k
        )
    return squared, indices
