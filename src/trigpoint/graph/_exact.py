"""Exact nearest neighbors: fast in float32 or by a k-d tree, then proven row by row.

A first search returns k + SPARE candidates a query. Their distances are computed anew in float64
from the differences x - y. A row is settled when its k-th true distance lies below everything that
the first search may have missed, rounding included:

    d_k^2 + e < f_last - e,     e = (p + 4) eps (||q|| + max ||c||)^2,

f_last the last candidate's distance as the first search saw it and eps its unit roundoff. The
others (ties, tight clusters far from the origin) are searched again in float64, and those that
float64 products cannot tell apart either by the differences themselves. Equal distances: lower
index first.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import KDTree

from trigpoint._kernels import run_blocks, scan
from trigpoint._types import Array, Floats
from trigpoint.graph._points import BLOCK, Points

SPARE = 8
TREE_FEATURES = 5  # up to here a k-d tree beats the matrix product
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

    def own(self, places: Any) -> Array:
        """The sample that each of some of the rows must not find; -1 for none."""
        rows = self.rows[places]
        return rows if self.within else np.full(len(rows), -1)

    def only(self, places: Array) -> "Task":
        return Task(self.pool, self.ids, self.queries, self.rows[places], self.within)


def exact_neighbors(task: Task, k: int) -> tuple[Floats, Array]:
    """Squared distances (m, k), ascending, and indices (m, k) of the nearest pool samples."""
    room = min(k + SPARE, task.n_candidates)
    first = _tree if task.pool.X.shape[1] <= TREE_FEATURES else _scan32
    found, reach, error = first(task, room)
    squared, indices = rerank(task, found, k)
    if room < task.n_candidates:
        kth = squared[:, -1]
        _settle(task, np.flatnonzero((kth > 0) & (kth + error >= reach - error)), squared, indices)
    return squared, indices


def _settle(task: Task, places: Array, squared: Floats, indices: Array) -> None:
    """Search the rows at these places again in float64, then by differences where that is too coarse."""
    if not len(places):
        return
    k = squared.shape[1]
    again = task.only(places)
    squared[places], indices[places] = rerank(again, scan_all(again, k, np.float64)[0], k)
    kth = squared[places, -1]
    for place in places[(kth > 0) & (_rounding(again, np.float64) > 1e-6 * kth)]:
        gaps = _differences(task, task.rows[place])
        gaps[task.ids == task.own([place])] = np.inf
        nearest = np.lexsort((task.ids, gaps))[:k]
        squared[place], indices[place] = gaps[nearest], task.ids[nearest]


def _differences(task: Task, row: int) -> Floats:
    """Squared distances of one query row to all ids, without the matrix-product formula."""
    q = task.queries.uncentered(np.array([row]))
    parts = [task.pool.uncentered(task.ids[a : a + BLOCK]) - q for a in range(0, len(task.ids), BLOCK)]
    return np.concatenate([np.einsum("ij,ij->i", part, part) for part in parts])


def _tree(task: Task, room: int) -> tuple[Array, Floats, Floats]:
    tree = KDTree(task.pool.block(task.ids))
    asked = room + int(task.within)
    found = np.empty((len(task.rows), room), dtype=np.int64)
    reach = np.empty(len(task.rows))

    def work(start: int, stop: int) -> None:
        Q = task.queries.block(task.rows[start:stop])
        distances, places = tree.query(Q, k=np.arange(1, asked + 1))
        ids = task.ids[places]
        if task.within:  # drop the query itself, or the last candidate where it was not found
            drop = ids == task.own(slice(start, stop))[:, None]
            drop[~drop.any(axis=1), -1] = True
            ids, distances = (a[~drop].reshape(len(drop), room) for a in (ids, distances))
        found[start:stop], reach[start:stop] = ids, distances[:, -1] ** 2

    run_blocks(work, len(task.rows), BLOCK)
    return found, reach, 1e-14 * reach


def _scan32(task: Task, room: int) -> tuple[Array, Floats, Floats]:
    return *scan_all(task, room, np.float32), _rounding(task, np.float32)


def _rounding(task: Task, dtype: Any) -> Floats:
    """The error e of the matrix-product formula in this type, per row."""
    unit = (task.pool.X.shape[1] + 4) * float(np.finfo(dtype).eps)
    reach = _norms(task.queries, task.rows) + _norms(task.pool, task.ids).max()
    return np.asarray(unit * reach**2)


def _norms(those: Points, rows: Array) -> Floats:
    parts = (those.block(rows[a : a + BLOCK]) for a in range(0, len(rows), BLOCK))
    return np.concatenate([np.linalg.norm(part, axis=1) for part in parts])


def scan_all(task: Task, k: int, dtype: Any) -> tuple[Array, Floats]:
    """The k best ids of each row by brute force, unordered, and the worst squared distance kept."""
    best_d = np.full((len(task.rows), k), np.inf, dtype)
    best_i = np.full((len(task.rows), k), NOBODY)

    def work(start: int, stop: int) -> None:
        Q = task.queries.block(task.rows[start:stop], dtype)
        own, heaps = task.own(slice(start, stop)), np.arange(start, stop)
        for a in range(0, len(task.ids), BLOCK):
            some = task.ids[a : a + BLOCK]
            scan(Q, own, heaps, task.pool.block(some, dtype), some, best_d, best_i)

    run_blocks(work, len(task.rows), QUERIES)
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

    run_blocks(work, len(found), max(1, 2**21 // (found.shape[1] * p)))
    return squared, indices


def nearest_first(squared: Floats, ids: Array, k: int) -> tuple[Floats, Array]:
    """The k least of each row, ascending, ties by id."""
    order = np.lexsort((ids, squared))[:, :k]
    return np.take_along_axis(squared, order, axis=1), np.take_along_axis(ids, order, axis=1)
