"""A pool cut into regions, and regions into lists of samples that lie together.

k-means on a sample of the pool gives about sqrt(n / LENGTH) regions, and k-means in each region gives its
lists, of about `LENGTH` samples. A sample belongs to the region whose center is nearest, and there to the
list whose center is. So a sample is placed by about 2 sqrt(n / LENGTH) distances, whatever else there is.
Lists of more than four times `LENGTH` are cut.

In the order of the lists, samples that are near each other lie near each other in memory, or in a file:
regions are halved across their longest direction again and again, and those of one half come first. So if
parts of that order lie on different machines, few neighbors lie on different parts.

A row's list does not depend on the rows beside it.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from trigpoint._kernels import run_blocks
from trigpoint._kernels.centers import settle
from trigpoint._types import Array, Ints
from trigpoint.graph._points import Points

LENGTH = 250
TRAINING = 20  # samples for each list
STEPS = 6  # of Lloyd's algorithm
BLOCK = 512  # rows of a table of distances
SLACK = 4e-7  # of |q|^2 + |c|^2, for each feature: what products in float32 may be wrong by
PLACED = 65_536  # rows that one thread places at a time


@dataclass(frozen=True, eq=False)
class Cut:
    """Centers of lists, in the order of their regions.

    Attributes
    ----------
    regions : (c, p) float32
    centers : (m, p) float32
    first : (c + 1,) int64, region r has the lists from first[r] to first[r + 1]
    """

    regions: Array
    centers: Array
    first: Ints


@dataclass(frozen=True, eq=False)
class Lists:
    """Which samples belong to which list.

    Attributes
    ----------
    order : (n,) samples in the order of lists, ascending inside
    bounds : (m + 1,) int64, list k has the places from bounds[k] to bounds[k + 1] of that order
    """

    order: Ints
    bounds: Ints


def training_rows(n: int, rng: np.random.Generator) -> Ints:
    """(s,) rows to train on, in random order."""
    return rng.choice(n, min(n, TRAINING * max(1, n // LENGTH)), replace=False)


def train(sample: Array, n: int, rng: np.random.Generator) -> Cut:
    """Regions and lists for a pool of n samples, from some of them: (s, p) float32, in random order."""
    n_lists = max(1, n // LENGTH)
    n_regions = max(1, round(np.sqrt(n_lists)))
    some = sample[: 100 * n_regions]
    regions = _lloyd(some, some[:n_regions].copy())
    regions = regions[compact_order(regions)]
    home = nearest_center(sample, regions)
    order = np.argsort(home, kind="stable")
    bounds = np.searchsorted(home[order], np.arange(n_regions + 1))
    parts: list[Array] = [regions[:0]] * n_regions

    def work(start: int, stop: int) -> None:
        for r in range(start, stop):
            members = sample[order[bounds[r] : bounds[r + 1]]]
            wanted = max(1, round(n_lists * len(members) / len(sample)))
            begin = members[:wanted].copy() if len(members) else regions[r : r + 1].copy()
            parts[r] = _lloyd(members, begin) if len(members) > wanted else begin

    run_blocks(work, n_regions, 1, "lists")
    first = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
    return Cut(regions, np.concatenate(parts), first.astype(np.int64))


def _lloyd(sample: Array, centers: Array) -> Array:
    """k-means from these centers, in one fixed order of summation; a center without samples stays."""
    size, count = len(sample), len(centers)
    for _ in range(STEPS):
        home = nearest_center(sample, centers)
        membership = csr_array((np.ones(size, np.float32), home, np.arange(size + 1)), shape=(size, count))
        counts = np.bincount(home, minlength=count)
        there = counts > 0
        centers[there] = (membership.T @ sample)[there] / counts[there, None]
    return centers


def compact_order(centers: Array) -> Ints:
    """(c,) an order in which centers of any run lie together."""
    if len(centers) < 3:
        return np.arange(len(centers))
    spread = np.nan_to_num(centers.astype(np.float64))
    spread -= np.median(spread, axis=0)
    far = 4 * np.median(np.abs(spread)) or 1.0  # a few regions far from all others must not decide
    spread = np.clip(spread, -far, far)
    direction = np.linalg.svd(spread, full_matrices=False)[2][0]
    direction *= np.sign(direction[np.abs(direction).argmax()])  # another cut of the pool points the same way
    order = np.argsort(spread @ direction, kind="stable")
    halves = np.array_split(order, 2)
    return np.concatenate([half[compact_order(centers[half])] for half in halves])


def nearest_center(Q: Array, centers: Array) -> Ints:
    """(m,) the nearest center of each row, whatever rows are beside it.

    What a matrix product rounds to depends on where in the matrix a row stands. So centers that could be
    nearest, with `SLACK` for the rounding, are compared by differences.
    """
    home = np.empty(len(Q), dtype=np.int64)
    slack = np.float32(SLACK * Q.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):  # outliers that float32 cannot hold go anywhere
        squares, twice = np.einsum("ij,ij->i", centers, centers), 2 * centers.T
        least = squares - slack * squares
        for a in range(0, len(Q), BLOCK):
            some, found = Q[a : a + BLOCK], home[a : a + BLOCK]
            low = some @ twice
            np.subtract(least, low, out=low)
            found[:] = low.argmin(axis=1)
            sizes = squares[found] + np.einsum("ij,ij->i", some, some)
            limit = low[np.arange(len(found)), found] + 2 * slack * sizes
            several = np.count_nonzero(low <= limit[:, None], axis=1) != 1
            settle(some, centers, low, limit, slack, np.flatnonzero(several), found)
    return home


def place(cut: Cut, Q: Array) -> Ints:
    """(m,) the list of each row of a block of points."""
    region = nearest_center(Q, cut.regions)
    order = np.argsort(region, kind="stable")
    names, start = np.unique(region[order], return_index=True)
    lists = np.empty(len(Q), dtype=np.int64)
    for r, rows in zip(names, np.split(order, start[1:]), strict=True):
        lists[rows] = cut.first[r] + nearest_center(Q[rows], cut.centers[cut.first[r] : cut.first[r + 1]])
    return lists


def place_all(cut: Cut, pool: Points, rows: Ints, home: Array) -> None:
    """Write the list of each of some rows of a pool."""

    def work(start: int, stop: int) -> None:
        home[start:stop] = place(cut, pool.block(rows[start:stop], np.float32))

    run_blocks(work, len(rows), PLACED, "lists")


def gather_lists(home: Array, first: int, last: int) -> Lists:
    """The lists from first to last, from the one of each sample."""
    order = np.argsort(home, kind="stable")
    begin = np.searchsorted(home[order], np.arange(first, last + 1))
    cap = 4 * LENGTH
    pieces = np.maximum(1, -(-np.diff(begin) // cap))
    bounds = np.concatenate(
        [begin[k] + cap * np.arange(pieces[k]) for k in range(len(pieces))] + [begin[-1:]]
    )
    return Lists(order, bounds)
