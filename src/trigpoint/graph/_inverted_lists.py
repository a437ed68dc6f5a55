"""Approximate nearest neighbors by inverted lists, probed in batches.

k-means cuts the pool into about 2 sqrt(n) lists, and a query looks through the lists whose centers
are nearest to it. Queries that probe the same list are answered together by one matrix product:
several times faster than one query at a time, and, unlike graph indexes built by racing threads,
the same answer on every run and on any number of threads.

How many lists? For a sample of rows the true neighbors are found exactly; the place of each
true neighbor's list in its row's order of lists tells the recall of every number of probes at
once. We take the fewest that reach TARGET, but look through about MAX_SCAN samples a query at most.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from trigpoint._kernels import run_blocks, scan
from trigpoint._types import Array
from trigpoint.graph._exact import NOBODY, QUERIES, SPARE, Task, exact_by_products, scan_all
from trigpoint.graph._points import Points

TARGET = 0.994  # on the tuning sample; leaves room for 0.99 on the one that measures
MAX_SCAN = 100_000
SAMPLE = 1000
SWEEP = 8192  # queries a block


@dataclass(frozen=True, eq=False)
class _Lists:
    centers: Array  # (c, p) float32
    members: list[Array]  # c arrays of pool samples
    home: Array  # (n,) the list of each pool sample that is in one


def approximate_neighbors(task: Task, k: int, rng: np.random.Generator) -> Array | None:
    """Candidates (m, k + SPARE) for every row, unordered; None where brute force costs no more."""
    lists = _cut(task.pool, task.ids, rng)
    probes = _tune(lists, task, k, rng)
    if 2 * probes > len(lists.members) and len(task.ids) <= MAX_SCAN:
        return None
    affordable = max(1, MAX_SCAN * len(lists.members) // len(task.ids))
    room = min(k + SPARE, task.n_candidates)
    found = _probe(lists, task, room, min(probes, affordable))
    short = np.flatnonzero((found == NOBODY).any(axis=1))  # too few samples in the lists probed
    if len(short):
        found[short] = scan_all(task.only(short), room, np.float64)[0]
    return found


def _cut(pool: Points, ids: Array, rng: np.random.Generator) -> _Lists:
    """Lists of at most four times the mean length; longer ones are cut, their center repeated."""
    n_lists = max(1, min(int(2 * np.sqrt(len(ids))), len(ids)))
    centers = _centers(pool, ids, n_lists, rng)
    home = _homes(pool, ids, centers)
    order = np.argsort(home, kind="stable")
    bounds = np.searchsorted(home[order], np.arange(n_lists + 1))
    cap = 4 * -(-len(ids) // n_lists)
    pieces = [
        (c, ids[order[a : min(a + cap, bounds[c + 1])]])
        for c in range(n_lists)
        for a in range(bounds[c], bounds[c + 1], cap)
    ]
    lists = np.empty(len(pool), dtype=np.int64)
    for name, (_, piece) in enumerate(pieces):
        lists[piece] = name
    return _Lists(centers[[c for c, _ in pieces]], [piece for _, piece in pieces], lists)


def _centers(pool: Points, ids: Array, n_lists: int, rng: np.random.Generator, steps: int = 8) -> Array:
    """A few steps of Lloyd's algorithm on a sample, in one fixed order of summation."""
    size = min(len(ids), 40 * n_lists)
    rows = rng.choice(ids, size, replace=False)
    sample = pool.block(rows, np.float32)
    centers = sample[:n_lists].copy()
    for _ in range(steps):
        home = _homes(pool, rows, centers)
        membership = csr_array((np.ones(size, np.float32), home, np.arange(size + 1)), shape=(size, n_lists))
        counts = np.bincount(home, minlength=n_lists)
        centers[counts > 0] = (membership.T @ sample)[counts > 0] / counts[counts > 0, None]
    return centers


def _homes(those: Points, rows: Array, centers: Array) -> Array:
    """The nearest center of each row."""
    homes = np.empty(len(rows), dtype=np.int64)

    def work(start: int, stop: int) -> None:
        homes[start:stop] = _nearest_centers(those.block(rows[start:stop], np.float32), centers, 1)[:, 0]

    run_blocks(work, len(rows), QUERIES, "lists")
    return homes


def _nearest_centers(Q: Array, centers: Array, k: int) -> Array:
    """The k nearest centers (m, k) of each query, unordered."""
    nearest = np.empty((len(Q), k), dtype=np.int64)
    with np.errstate(over="ignore", invalid="ignore"):  # outliers that float32 cannot hold go anywhere
        squares, twice = np.einsum("ij,ij->i", centers, centers), 2 * centers.T
        for a in range(0, len(Q), QUERIES):
            far = squares - Q[a : a + QUERIES] @ twice
            order = far.argmin(axis=1)[:, None] if k == 1 else far.argpartition(k - 1, axis=1)
            nearest[a : a + QUERIES] = order[:, :k]
    return nearest


def _tune(lists: _Lists, task: Task, k: int, rng: np.random.Generator) -> int:
    """The fewest probes whose recall on a sample of rows reaches TARGET."""
    m = len(task.rows)
    sample = task.only(np.sort(rng.choice(m, min(SAMPLE, m), replace=False)))
    truth = exact_by_products(sample, k)[1]  # (s, k)
    Q = task.queries.block(sample.rows, np.float32)
    far = np.einsum("ij,ij->i", lists.centers, lists.centers) - 2 * Q @ lists.centers.T  # (s, c)
    place = np.argsort(np.argsort(far, axis=1, kind="stable"), axis=1, kind="stable")
    needed = np.sort(np.take_along_axis(place, lists.home[truth], axis=1), axis=None) + 1
    return int(needed[int(np.ceil(TARGET * len(needed))) - 1])


def _probe(lists: _Lists, task: Task, room: int, probes: int) -> Array:
    """Look through each row's nearest lists, the rows that share a list together."""
    best_d = np.full((len(task.rows), room), np.inf, np.float32)
    best_i = np.full((len(task.rows), room), NOBODY)
    # Neighboring queries probe the same lists, so sweep over them list by list.
    homes = lists.home[task.rows] if task.within else _homes(task.queries, task.rows, lists.centers)
    sweep = np.argsort(homes, kind="stable")

    def work(start: int, stop: int) -> None:
        places = sweep[start:stop]
        Q = task.queries.block(task.rows[places], np.float32)
        own = task.own(places)
        near = _nearest_centers(Q, lists.centers, probes).ravel()
        order = np.argsort(near.astype(np.uint16) if len(lists.members) < 2**16 else near, kind="stable")
        names, first = np.unique(near[order], return_index=True)
        asking_each = np.split(order // probes, first[1:])
        # The rows' own lists come first: what is far is then told at the first look.
        for at in np.argsort(~np.isin(names, homes[places]), kind="stable"):
            piece, asking = lists.members[names[at]], asking_each[at]
            C = task.pool.block(piece, np.float32)
            for a in range(0, len(asking), QUERIES):
                some = asking[a : a + QUERIES]
                scan(Q[some], own[some], places[some], C, piece, best_d, best_i)

    run_blocks(work, len(task.rows), SWEEP, "neighbors")
    return best_i
