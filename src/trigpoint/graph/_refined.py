"""Approximate neighbors inside a large pool: a rough start, then neighbors introduce each other.

The pool is cut into lists of samples that lie together (`_regions`), and all samples of a list are compared.
Another cut has other borders, so a few cuts find more than as many lists of one cut. In each round, the
neighbors of every sample, and those it is a neighbor of, are compared with each other (Dong, Moses & Li,
2011), and each keeps the nearest of whom it met (`_kernels.joins`). Rounds end when the recall on a sample of
rows reaches TARGET, or hardly grows.

Both steps cost the same for each sample however large the pool is, up to the share of distances to centers,
O(sqrt(n)) a sample. Lists, and joins, do not depend on the order in which they come, so the answer is the
same on any number of threads.

Lists hold more entries than are asked for: too short ones lead rounds into dead ends.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from trigpoint._kernels import n_threads, run_blocks
from trigpoint._kernels.joins import join, join_all, meet, merge, nearest_exactly
from trigpoint._progress import track
from trigpoint._types import Array, Floats, Ints
from trigpoint.graph._exact import Task, exact_by_products
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
MORE = 0.05  # of recall: where a cut brings less, a round is cheaper
ROUNDS = 12
GAIN = 0.002  # of recall: less is not worth another round
GROUP = 50_000  # rows whose joins are merged at a time, at most
JOINED = 5_000  # rows that one thread joins at a time
NOTES = 600 * JOINED  # pairs that it may note before they are merged
COPIED = 65_536
Judge: TypeAlias = Callable[[Array], float]
KINDS = {"ids": np.int32, "near": np.float32, "fresh": np.uint8}


@dataclass(frozen=True, eq=False)
class Widths:
    """How long lists of neighbors are.

    Attributes
    ----------
    kept : entries that a sample keeps
    early : how many of them are compared in the first round, when many will not last
    """

    kept: int
    early: int


def widths(k: int) -> Widths:
    kept = int(np.clip(2 * k, 24, k + 20))
    return Widths(kept, 2 * kept // 3)


class Neighbors(NamedTuple):
    """Lists of neighbors under way; all numbers are places in the order of the lists."""

    ids: Array  # (n, r) int32, -1: free
    near: Array  # (n, r) float32, squared distances
    fresh: Array  # (n, r) uint8


def refined_neighbors(
    task: Task, k: int, rng: np.random.Generator, work: Workspace
) -> tuple[Floats, Array] | None:
    """Squared distances (m, k), ascending, and indices of each row's neighbors; None if too few are found.

    The task is within a pool, and all its rows are among its ids.
    """
    seeds = work.facts.setdefault("seeds", search_seeds(rng))
    n, wide = len(task.ids), widths(k)
    if k >= n // 2:
        return None
    lists = _cut(task, seeds[0], work)
    pool = _sorted_points(task, lists, work)
    judge = _judge(task, lists, k, np.random.default_rng(seeds[1]))
    made = work.facts.setdefault("rounds", 0)
    found = _start(pool, lists, seeds[2:], wide, judge, work) if made == 0 else _arrays(n, wide, work, made)
    recalls = work.facts.setdefault("recalls", [judge(found.near)])
    for number in track(range(made, ROUNDS), "rounds"):
        if not another_round(recalls):
            break
        found = _round(pool, found, wide, work, number + 1)
        recalls.append(judge(found.near))
        work.finish(f"round {number + 1}", rounds=number + 1)
        _forget(work, number)
    most_met = {company_widths(wide, number)[1] for number in (1, 2)}
    work.drop("fresh", "sizes", *(f"{name} {most}" for name in ("company", "news") for most in most_met))
    return None if recalls[-1] < POOR else _answer(task, lists, pool, found, k, work)


def search_seeds(rng: np.random.Generator) -> list[int]:
    """Of the first cut, of the judge, and of further cuts by their number."""
    return [int(seed) for seed in rng.integers(2**62, size=2 + CUTS)]


def _cut(task: Task, seed: int, work: Workspace) -> Lists:
    rng = np.random.default_rng(seed)
    sample = task.pool.block(task.ids[training_rows(len(task.ids), rng)], np.float32)
    cut = train(sample, len(task.ids), rng)
    home = work.array("home", (len(task.ids),), np.int32)
    if not work.done("placed"):
        place_all(cut, task.pool, task.ids, home)
        work.finish("placed")
    return gather_lists(home, 0, len(cut.centers))


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


def _judge(task: Task, lists: Lists, k: int, rng: np.random.Generator) -> Judge:
    """A function of squared distances (n, r), in the order of lists: the recall on a sample of rows."""
    some = judged_places(len(task.ids), rng)
    truth = exact_by_products(Task(task.pool, task.ids, task.pool, task.ids[lists.order[some]], True), k)[0]

    def recall(near: Array) -> float:
        return share_found(near[some], truth, k)

    return recall


def judged_places(n: int, rng: np.random.Generator) -> Ints:
    """Places, in the order of lists, whose true neighbors tell the recall."""
    return np.sort(rng.choice(n, min(SAMPLE, n), replace=False))


def share_found(near: Array, truth: Floats, k: int) -> float:
    """The recall of some lists, from their squared distances (s, r) and the true ones (s, k)."""
    return float(np.mean(np.sort(near, axis=1)[:, :k] <= truth[:, -1:] * (1 + 1e-5)))


def another_cut(recalls: list[float]) -> bool:
    """Whether one more cut may pay, by the recall after each."""
    before = recalls[-2] if len(recalls) > 1 else 0.0
    return not recalls or (len(recalls) < CUTS and before + MORE <= recalls[-1] < TARGET)


def another_round(recalls: list[float]) -> bool:
    """Whether one more round may pay, by the recall before all and after each."""
    grows = len(recalls) < 2 or recalls[-1] >= recalls[-2] + GAIN
    return len(recalls) <= ROUNDS and recalls[-1] < TARGET and grows


def _start(
    pool: Points, lists: Lists, seeds: list[int], wide: Widths, judge: Judge, work: Workspace
) -> Neighbors:
    """Whom each sample meets in the list that it belongs to, in several cuts of the pool."""
    found = _arrays(len(pool), wide, work, 0)
    recalls: list[float] = work.facts.setdefault("cuts", [])
    if not recalls:
        found.ids[:], found.near[:], found.fresh[:] = -1, np.inf, 0
    for number in track(range(len(recalls), CUTS), "cuts"):
        if not another_cut(recalls):
            break
        again = Lists(np.arange(len(pool)), lists.bounds) if number == 0 else cut_again(pool, seeds[number])
        join_lists(pool, again, found)
        recalls.append(judge(found.near))
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
    X = parts(pool)

    def work(start: int, stop: int) -> None:
        for k in range(start, stop):
            members = lists.order[lists.bounds[k] : lists.bounds[k + 1]]
            join_all(*X, members, found.ids, found.near, found.fresh)

    run_blocks(work, len(lists.bounds) - 1, 16, "lists")


def parts(pool: Points) -> tuple[Array, Floats, Array]:
    """What kernels need to make points: X, factors, center."""
    factor = np.array([pool.unit]) if pool.scale is None else pool.scale
    return pool.X, factor, pool.center.astype(np.float32)


def _arrays(n: int, wide: Widths, work: Workspace, number: int) -> Neighbors:
    """Lists after so many rounds: in a folder those before are left as they were until a round is over."""
    names = [f"{name} {number}" if work.folder else name for name in KINDS]
    return Neighbors(*(work.array(name, (n, wide.kept), KINDS[name.split()[0]]) for name in names))


def _round(pool: Points, found: Neighbors, wide: Widths, work: Workspace, number: int) -> Neighbors:
    """Lists after one more round."""
    after = _arrays(len(pool), wide, work, number)
    if after.ids is not found.ids:
        after.ids[:], after.near[:], after.fresh[:] = found.ids, found.near, found.fresh
    n = len(found.ids)
    first, most = company_widths(wide, number)
    company = work.array(f"company {most}", (n, most), np.int32)
    news = work.array(f"news {most}", (n, most), np.uint8)
    sizes = work.array("sizes", (n,), np.int32)

    ids, fresh = (np.ascontiguousarray(each[:, :first].T) for each in (found.ids, found.fresh))

    def meeting(start: int, stop: int) -> None:
        rows = slice(start, stop)
        meet(ids, fresh, start, stop, company[rows], news[rows], sizes[rows])

    run_blocks(meeting, n, max(COPIED, -(-n // 2)), "meeting")
    reach = np.ascontiguousarray(found.near[:, -1])
    after.fresh[:, :first] = 0
    join_and_merge(pool, found.ids, reach, (company, news, sizes), after)
    return after


def company_widths(wide: Widths, number: int) -> tuple[int, int]:
    """How many of each list meet in a round, and how many may be compared in it."""
    first = wide.early if number == 1 else wide.kept
    return first, first + first // 2


def _forget(work: Workspace, number: int) -> None:
    if work.folder is not None:
        work.drop(*(f"{name} {number}" for name in KINDS))


def join_and_merge(
    pool: Points, ids: Array, reach: Array, met: tuple[Array, Array, Array], after: Neighbors
) -> None:
    """Join all rows and merge what they note, a group at a time so that notes stay few."""
    n, size = len(met[0]), min(GROUP, 2 * n_threads() * JOINED)
    for group in track(range(0, n, size), "joins"):
        spans = [(a, min(a + JOINED, n)) for a in range(group, min(group + size, n), JOINED)]
        while spans:
            notes, spans = joined(pool, ids, reach, met, spans)
            merged(notes, after)


def joined(
    pool: Points, ids: Array, reach: Array, met: tuple[Array, Array, Array], spans: list[tuple[int, int]]
) -> tuple[tuple[Array, Array, Array], list[tuple[int, int]]]:
    """What the rows of some spans note, (row, id, gap), and the spans for which there was no room."""
    X = parts(pool)
    notes: list[tuple[Array, ...]] = [()] * len(spans)
    rest: list[int] = [0] * len(spans)

    def work(at: int, _: int) -> None:
        noted = np.empty(NOTES, np.int32), np.empty(NOTES, np.int32), np.empty(NOTES, np.float32)
        count, rest[at] = join(*X, ids, reach, *met, *spans[at], noted)
        notes[at] = tuple(array[:count].copy() for array in noted)

    run_blocks(work, len(spans), 1)
    rows, others, gaps = (np.concatenate(each) for each in zip(*notes, strict=True))
    left = [(begin, stop) for begin, (_, stop) in zip(rest, spans, strict=True) if begin < stop]
    return (rows, others, gaps), left


def merged(notes: tuple[Array, Array, Array], after: Neighbors) -> None:
    """Give lists what was noted for them; threads take turns, since two must not change one list."""
    turns = n_threads()

    def work(turn: int, _: int) -> None:
        merge(*notes, turn, turns, after.ids, after.near, after.fresh)

    run_blocks(work, turns, 1)


def _answer(
    task: Task, lists: Lists, pool: Points, found: Neighbors, k: int, work: Workspace
) -> tuple[Floats, Array]:
    """The k nearest of each row of the task by exact distances."""
    names = task.ids[lists.order]
    squared = work.array("squared", (len(task.rows), k), np.float64)
    indices = work.array("indices", (len(task.rows), k), np.int32)
    X, factor, _ = parts(pool)
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
