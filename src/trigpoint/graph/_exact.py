"""Exact nearest neighbors: fast in float32, then proven row by row.

A search by matrix products returns k + SPARE candidates a query. Their distances are computed anew
in float64 from the differences x - y. A row is settled when its k-th true distance lies below
everything that the search may have missed, rounding included:

    d_k^2 + e < f_last - e,     e = (p + 4) eps (2 ||q|| + d_k)^2,

f_last the last candidate's distance as the search saw it and eps its unit roundoff; e bounds the
error of the product formula for every sample within d_k of q, whose norm is at most ||q|| + d_k.
Rows that are not settled (ties, tight clusters far from the origin) are searched again in float64, where
whole numbers are exact and every row is settled, and the rest by the differences themselves. Equal
distances: lower index first. Small pools skip float32: with f_k the k-th least distance as float64 products
see it, the nearest are among all samples with f <= f_k + 2 e. Few dimensions have a k-d tree of
their own (`_tree`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._kernels import run_blocks, scan
from trigpoint._types import Array, Floats
from trigpoint.graph._points import Points

FEW, SMALL = 5000, 2**30  # samples and multiplications: not worth a second of compiling
GROUP = 16
SPARE = 8
QUERIES = 512  # rows a block of queries
NOBODY = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Task:
    """Find neighbors of some query rows among some pool samples."""

    pool: Points
    ids: Array  # (c,) the pool samples that may be found, ascending
    queries: Points
    rows: Array  # (m,) the query rows to answer
    within: bool  # queries are the pool itself: row i must not find sample i

    @property
    def n_candidates(self) -> int:
        return len(self.ids) - int(self.within)

    @property
    def integral(self) -> bool:
        """Small whole numbers: their float64 products are exact."""
        return self.pool.integral and self.queries.integral

    def own(self, places: Any) -> Array:
        """The sample that each of some of the rows must not find; -1 for none."""
        rows = self.rows[places]
        return rows if self.within else np.full(len(rows), -1)

    def only(self, places: Array) -> "Task":
        return Task(self.pool, self.ids, self.queries, self.rows[places], self.within)


def exact_by_products(task: Task, k: int) -> tuple[Floats, Array]:
    """Squared distances (m, k), ascending, and indices (m, k) of the nearest pool samples."""
    if len(task.ids) <= FEW and len(task.rows) * len(task.ids) * task.pool.X.shape[1] <= SMALL:
        return _by_bounds(task, k)
    room = min(k + SPARE, task.n_candidates)
    squared, indices, settled = _proven(task, k, room, np.float32)
    if not settled.all():
        again = np.flatnonzero(~settled)
        squared[again], indices[again], settled[again] = _proven(task.only(again), k, room, np.float64)
    if not settled.all():
        again = np.flatnonzero(~settled)
        squared[again], indices[again] = _by_differences(task.only(again), k)
    return squared, indices


def _by_bounds(task: Task, k: int) -> tuple[Floats, Array]:
    """In float64 and without compiled code: the nearest are among all with f <= f_k + 2 e."""
    squared = np.empty((len(task.rows), k))
    indices = np.empty((len(task.rows), k), dtype=np.int64)
    C = task.pool.block(task.ids)
    with np.errstate(over="ignore"):
        norms, twice = np.einsum("ij,ij->i", C, C), -2 * C.T
    unit = 0.0 if task.integral else (C.shape[1] + 4) * float(np.finfo(np.float64).eps)

    def work(start: int, stop: int) -> None:
        rows, own = task.rows[start:stop], task.own(slice(start, stop))
        Q = task.queries.block(rows)
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is far from all that does not
            f = Q @ twice  # (b, c)
            f += norms
            q = np.einsum("ij,ij->i", Q, Q)[:, None]
            least = _least(f, k + int(task.within))  # f_k or more, without ||q||^2
            error = unit * (2 * np.sqrt(q) + np.sqrt(np.maximum(q + least, 0))) ** 2
            at, columns = np.nonzero(~(f > least + 2 * error))  # NaN, an overflow, is looked at
        other = task.ids[columns] != own[at]
        at, columns = at[other], columns[other]
        ids = task.ids[columns]
        d = f[at, columns] + q[at, 0] if task.integral else squared_gaps(task, ids, rows[at])
        squared[start:stop], indices[start:stop] = nearest_of_each(at, d, ids, stop - start, k)

    run_blocks(work, len(task.rows), max(16, 2**17 // len(task.ids)), "neighbors")
    return squared, indices


def _least(f: Floats, k: int) -> Floats:
    """The k-th least of each row or little more, (m, 1): the least of k groups are k of the row."""
    groups = f.shape[1] // GROUP
    if groups > 2 * k:
        f = f[:, : groups * GROUP].reshape(len(f), GROUP, groups).min(axis=1)
    return np.partition(f, k - 1, axis=1)[:, k - 1 : k]


def squared_gaps(task: Task, ids: Array, rows: Array) -> Floats:
    """||x_id - q_row||^2 of each pair, by differences, a few megabytes at a time."""
    size = max(1, 2**17 // task.pool.X.shape[1])
    parts = (
        task.pool.uncentered(ids[a : a + size]) - task.queries.uncentered(rows[a : a + size])
        for a in range(0, len(ids), size)
    )
    return np.concatenate([np.empty(0), *(np.einsum("ij,ij->i", part, part) for part in parts)])


def _proven(task: Task, k: int, room: int, dtype: Any) -> tuple[Floats, Array, Array]:
    """The k nearest as a search in this type sees them, and which rows are settled."""
    found, reach = scan_all(task, room, dtype)
    blind = (found == NOBODY).any(axis=1)
    found[blind] = task.ids[0]  # anything: the row is searched again
    squared, indices = rerank(task, found, k)
    if room == task.n_candidates or (dtype == np.float64 and task.integral):
        return squared, indices, ~blind
    kth = squared[:, -1]
    unit = (task.pool.X.shape[1] + 4) * float(np.finfo(dtype).eps)
    with np.errstate(over="ignore"):
        error = unit * (2 * _norms(task) + np.sqrt(kth)) ** 2
        return squared, indices, ~blind & ((kth == 0) | (kth + error < reach - error))


def _norms(task: Task) -> Floats:
    """||q|| of the task's rows."""
    size = task.queries.step
    parts = (task.queries.block(task.rows[a : a + size]) for a in range(0, len(task.rows), size))
    return np.concatenate([np.linalg.norm(part, axis=1) for part in parts])


def _by_differences(task: Task, k: int) -> tuple[Floats, Array]:
    """Every distance of every row from differences: slow, and never wrong."""
    squared = np.empty((len(task.rows), k))
    indices = np.empty((len(task.rows), k), dtype=np.int64)
    size = task.pool.step

    def work(start: int, stop: int) -> None:
        for place in range(start, stop):
            q = task.queries.uncentered(task.rows[[place]])
            parts = (task.pool.uncentered(task.ids[a : a + size]) - q for a in range(0, len(task.ids), size))
            gaps = np.concatenate([np.einsum("ij,ij->i", part, part) for part in parts])
            gaps[task.ids == task.own([place])] = np.inf
            nearest = np.flatnonzero(gaps <= np.partition(gaps, k - 1)[k - 1])
            squared[place], indices[place] = (
                found[0] for found in nearest_first(gaps[None, nearest], task.ids[None, nearest], k)
            )

    run_blocks(work, len(task.rows), 16, "neighbors")
    return squared, indices


def scan_all(task: Task, k: int, dtype: Any) -> tuple[Array, Floats]:
    """The k best ids of each row by brute force, unordered, and the worst squared distance kept."""
    best_d = np.full((len(task.rows), k), np.inf, dtype)
    best_i = np.full((len(task.rows), k), NOBODY)
    size = task.pool.step

    def work(start: int, stop: int) -> None:
        Q = task.queries.block(task.rows[start:stop], dtype)
        own, heaps = task.own(slice(start, stop)), np.arange(start, stop)
        for a in range(0, len(task.ids), size):
            some = task.ids[a : a + size]
            scan(Q, own, heaps, task.pool.block(some, dtype), some, best_d, best_i)

    run_blocks(work, len(task.rows), QUERIES, "neighbors")
    return best_i, best_d[:, 0].astype(np.float64)  # the root of a heap is its largest


def rerank(task: Task, found: Array, k: int) -> tuple[Floats, Array]:
    """The k nearest of the found candidates (m, c) by float64 differences, ties by index."""
    squared = np.empty((len(found), k))
    indices = np.empty((len(found), k), dtype=np.int64)
    p = task.pool.X.shape[1]

    def work(start: int, stop: int) -> None:
        some = found[start:stop]  # (b, c)
        near = task.pool.uncentered(some.ravel()).reshape(*some.shape, p)
        gaps = near - task.queries.uncentered(task.rows[start:stop])[:, None]
        squared[start:stop], indices[start:stop] = nearest_first(
            np.einsum("ijk,ijk->ij", gaps, gaps), some, k
        )

    run_blocks(work, len(found), max(1, 2**18 // (found.shape[1] * p)), "distances")
    return squared, indices


def nearest_first(squared: Floats, ids: Array, k: int) -> tuple[Floats, Array]:
    """The k least of each row, ascending, ties by id."""
    order = np.lexsort((ids, squared))[:, :k]
    return np.take_along_axis(squared, order, axis=1), np.take_along_axis(ids, order, axis=1)


def nearest_of_each(rows: Array, squared: Floats, ids: Array, n_rows: int, k: int) -> tuple[Floats, Array]:
    """The same for lists of different lengths: entry e belongs to row ``rows[e]``."""
    order = np.lexsort((ids, squared, rows))
    starts = np.searchsorted(rows[order], np.arange(n_rows))
    first = order[starts[:, None] + np.arange(k)]
    return squared[first], ids[first]
