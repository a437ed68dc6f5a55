"""Exact nearest neighbors in few dimensions by a k-d tree.

The tree compares differences in float64, so only ties are open: a row whose k-th and last
candidates are equally far (to rounding) is asked again for everything within d_k.
"""

from typing import TYPE_CHECKING

import numpy as np

from trigpoint._kernels import run_blocks
from trigpoint._types import Array, Floats
from trigpoint.graph._exact import Task, nearest_of_each, rerank

if TYPE_CHECKING:
    from scipy.spatial import KDTree

TREE_FEATURES = 5  # up to here a tree beats matrix products
ROWS = 4096


def exact_by_tree(task: Task, k: int) -> tuple[Floats, Array]:
    """Squared distances (m, k), ascending, and indices (m, k) of the nearest pool samples."""
    from scipy.spatial import KDTree  # takes a quarter of a second, so only when used

    room = min(k + 1, task.n_candidates)
    tree = KDTree(task.pool.uncentered(task.ids))
    found, reach = _query(tree, task, room)
    squared, indices = rerank(task, found, k)
    if room < task.n_candidates:
        kth = squared[:, -1]
        tied = np.flatnonzero((kth > 0) & (kth * (1 + 1e-12) >= reach))
        squared[tied], indices[tied] = _within(tree, task.only(tied), np.sqrt(kth[tied]), k)
    return squared, indices


def _query(tree: "KDTree", task: Task, room: int) -> tuple[Array, Floats]:
    """Candidates (m, room) and the last one's squared distance."""
    found = np.empty((len(task.rows), room), dtype=np.int64)
    reach = np.empty(len(task.rows))
    asked = np.arange(1, room + 1 + int(task.within))

    def work(start: int, stop: int) -> None:
        distances, places = tree.query(task.queries.uncentered(task.rows[start:stop]), k=asked)
        ids = task.ids[places]
        if task.within:  # drop the query itself, or the last candidate where it was not found
            drop = ids == task.own(slice(start, stop))[:, None]
            drop[~drop.any(axis=1), -1] = True
            ids, distances = (a[~drop].reshape(len(drop), room) for a in (ids, distances))
        found[start:stop], reach[start:stop] = ids, distances[:, -1] ** 2

    run_blocks(work, len(task.rows), ROWS, "neighbors")
    return found, reach


def _within(tree: "KDTree", task: Task, radius: Floats, k: int) -> tuple[Floats, Array]:
    """The k nearest of all samples within a radius, which holds at least k."""
    squared = np.empty((len(task.rows), k))
    indices = np.empty((len(task.rows), k), dtype=np.int64)

    def work(start: int, stop: int) -> None:
        Q = task.queries.uncentered(task.rows[start:stop])
        balls = tree.query_ball_point(Q, radius[start:stop] * (1 + 1e-9))
        rows = np.repeat(np.arange(stop - start), [len(ball) for ball in balls])
        ids = task.ids[np.concatenate(balls).astype(np.int64)]
        other = ids != task.own(slice(start, stop))[rows]
        rows, ids = rows[other], ids[other]
        gaps = task.pool.uncentered(ids) - Q[rows]
        d = np.einsum("ij,ij->i", gaps, gaps)
        squared[start:stop], indices[start:stop] = nearest_of_each(rows, d, ids, stop - start, k)

    run_blocks(work, len(task.rows), ROWS, "neighbors")
    return squared, indices
