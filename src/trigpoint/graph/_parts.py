"""A pool in parts: blocks of rows first, then parts of the order of the lists of a cut (`_regions`).

Each part holds the points of consecutive places. To cut the pool, all parts give some of their points, one
process trains the centers, and each part finds the lists of its own points. Who owns a list gets the points
that belong to it. Training rows come from seeds, and a point's list does not depend on those beside it, so
lists are those of one machine, however the pool is cut into parts.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.graph._directions import along, principal_axes
from trigpoint.graph._points import Points, points, typical_rows
from trigpoint.graph._regions import Cut, gather_lists, place_all, train, training_rows


class Part(NamedTuple):
    """Samples of consecutive places, and what makes points of them.

    Attributes
    ----------
    first : the place of the first
    names : (n,) int64, the numbers of the samples in the pool
    bounds : (m + 1,) int64, list j has the samples from bounds[j] to bounds[j + 1]; (0, n) in a block of rows
    X, scale, unit, center, integral : as of `Points`
    """

    first: int
    names: Ints
    bounds: Ints
    X: Array
    scale: Floats | None
    unit: float
    center: Floats
    integral: bool

    @property
    def pool(self) -> Points:
        return Points(self.X, self.scale, self.unit, self.center, self.integral)

    @property
    def stop(self) -> int:
        return self.first + len(self.names)

    def only(self, rows: Array) -> Points:
        return self.pool.only(rows)


class Moved(NamedTuple):
    """Samples on their way to those who own their lists."""

    which: Array  # (n,) ascending: names, or places
    home: Array  # (n,) int32, their lists
    X: Array
    scale: Floats | None
    reach: Array | None  # (n,) float32, beyond which they look for no neighbor


def typical(X: Array, first: int, n: int) -> Array:
    """Those of the rows from ``first`` on that tell what is typical of a pool of n."""
    rows = typical_rows(n) - first
    return X[rows[(rows >= 0) & (rows < len(X))]]


def frame(pieces: list[Array], metric: str, whole: list[bool]) -> Points:
    """One point with the origin and the unit of the pool, from its typical rows."""
    found = points(np.concatenate(pieces), metric, integral=all(whole))
    return Points(found.X[:1], None, found.unit, found.center, found.integral)


def block_of_rows(X: Array, rows: Ints, row: int, metric: str, like: Points, first: int) -> Part:
    """Some rows of a block as a part; ``row`` is the block's first, ``first`` their place among such rows."""
    some = X if len(rows) == len(X) else X[rows]
    pool = points(some, metric, like=like)
    bounds = np.array([0, len(rows)], dtype=np.int64)
    return Part(first, rows + row, bounds, some, pool.scale, like.unit, like.center, like.integral)


def training_points(part: Part, n: int, seed: int) -> Array:
    """Those of the training points of a cut that lie here, in the order of places."""
    rows = np.sort(training_rows(n, np.random.default_rng(seed))) - part.first
    return part.pool.block(rows[(rows >= 0) & (rows < len(part.names))], np.float32)


def trained(pieces: list[Array], n: int, seed: int) -> Cut:
    """The cut of a pool of n, from all training points."""
    rng = np.random.default_rng(seed)
    return train(_in_random_order(pieces, training_rows(n, rng)), n, rng)


def axes_of(pieces: list[Array], n: int, seed: int) -> Array:
    """The directions of a pool of n, from the training points of its first cut."""
    return principal_axes(_in_random_order(pieces, training_rows(n, np.random.default_rng(seed))))


def _in_random_order(pieces: list[Array], rows: Ints) -> Array:
    sample = np.empty((len(rows), pieces[0].shape[1]), np.float32)
    sample[np.argsort(rows)] = np.concatenate(pieces)
    return sample


def along_few(part: Part, axes: Array, q: int) -> Part:
    """The part along q directions; its samples are named by their places."""
    short = along(part.pool, axes[:, :q], np.empty((len(part.names), q), np.float32))
    return Part(
        part.first,
        np.arange(part.first, part.stop),
        part.bounds,
        short.X,
        None,
        short.unit,
        short.center,
        False,
    )


def placed(part: Part, cut: Cut) -> Array:
    """The list of each sample, int32."""
    home = np.empty(len(part.names), dtype=np.int32)
    place_all(cut, part.pool, np.arange(len(home)), home)
    return home


def sizes_of_lists(home: Array, cut: Cut) -> Ints:
    return np.bincount(home, minlength=len(cut.centers))


def evenly(sizes: list[Ints], m: int) -> tuple[Ints, Ints]:
    """m runs of lists with about as many samples each: (m + 1,) first lists and first places."""
    ends = np.concatenate([[0], np.cumsum(np.sum(sizes, axis=0))])
    lists = np.searchsorted(ends, ends[-1] * np.arange(m + 1) / m)
    lists[-1] = len(ends) - 1
    return lists, ends[lists]


def moved(part: Part, home: Array, first: int, last: int, reach: Array | None = None) -> Moved:
    """The samples that belong to the lists from first to last; by place if there is a reach, else by name."""
    rows = np.flatnonzero((home >= first) & (home < last))
    some = part.only(rows)
    which = part.names[rows] if reach is None else (part.first + rows).astype(np.int32)
    return Moved(which, home[rows], some.X, some.scale, None if reach is None else reach[rows])


def arrived(pieces: list[Moved], first: int, last: int, like: Points, place: int) -> Part:
    """The part that owns the lists from first to last; ``place`` is its first."""
    names, home, X, scale, _ = joined_pieces(pieces)
    lists = gather_lists(home, first, last)
    scale = None if scale is None else scale[lists.order]
    return Part(
        place, names[lists.order], lists.bounds, X[lists.order], scale, like.unit, like.center, like.integral
    )


def joined_pieces(pieces: list[Moved]) -> Moved:
    """All pieces as one, in the order of parts."""
    return Moved(*map(in_one, zip(*pieces, strict=True)))


def in_one(arrays: Sequence[Any]) -> Any:
    """Some arrays as one; None if they are None."""
    return None if arrays[0] is None else np.concatenate(arrays)
