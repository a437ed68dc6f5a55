"""The refined search (`_refined`) of a pool in parts, with the lists of neighbors that one machine finds.

Part t owns the samples at the places from ``first`` to ``stop`` and their lists of neighbors, which name
places. What crosses borders:

    cut      points go to those who own their lists in that cut, and notes (row, id, gap) come back
    round    asked      the places of others that my lists name
             bordering  of another part: these, and those who name a sample of mine: points, lists, reach
             joined     the company of my own rows is joined; what it notes for rows of others is kept apart
             merged     notes go to those who own the rows, and each list keeps its nearest
    answer   asked and bordering again; distances are exact

Inside a part, samples are numbered as they come in the order of places: the rows of others before mine, mine,
those after. So ties fall as by places. A join depends on one row of company alone, and a list keeps the least
of all that it is given, so neither the number of parts nor where they end changes any list.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from trigpoint._kernels.gaps import nearest_exactly
from trigpoint._kernels.joins import meet, merge
from trigpoint._kernels.runs import merge_runs
from trigpoint._types import Array, Floats, Ints
from trigpoint.graph._parts import Moved, Part, joined_pieces
from trigpoint.graph._points import Points
from trigpoint.graph._refined import (
    COPIED,
    KINDS,
    Neighbors,
    join_and_merge,
    join_lists,
    most_met,
)
from trigpoint.graph._regions import Lists, gather_lists

Notes: TypeAlias = tuple[Array, Array, Array]  # rows, ids (int32 places) and gaps (float32)


class Met(NamedTuple):
    """Whom samples met in another cut.

    Attributes
    ----------
    places : (n,) int32, ascending
    begin : (n + 1,) int64, whom places[i] met are the entries from begin[i] to begin[i + 1], nearest first
    ids, gaps : int32 places, float32
    """

    places: Array
    begin: Ints
    ids: Array
    gaps: Array


class Border(NamedTuple):
    """Samples of another part.

    Attributes
    ----------
    places : (h,) int32, ascending
    names : (h,) int64
    ids, fresh, reach : (h, r), (h, r) and (h,), of their lists; None where only points matter
    X, scale : as of `Points`
    """

    places: Array
    names: Ints
    ids: Array | None
    fresh: Array | None
    reach: Array | None
    X: Array
    scale: Floats | None


class Joined(NamedTuple):
    """The lists of a part after its own joins, and what it notes for others."""

    found: Neighbors
    notes: Notes


def no_neighbors(n: int, width: int) -> Neighbors:
    ids, near, fresh = (np.empty((n, width), kind) for kind in KINDS.values())
    ids[:], near[:], fresh[:] = -1, np.inf, 0
    return Neighbors(ids, near, fresh)


def first_lists(part: Part, width: int) -> Neighbors:
    """Whom each sample meets in its own list of the first cut."""
    found = no_neighbors(len(part.names), width)
    local = Part(*map(writable, part))
    join_lists(local.pool, Lists(np.arange(len(part.names)), local.bounds), found)
    return _numbered(found, np.arange(part.first, part.stop, dtype=np.int32))


def reach(found: Neighbors) -> Array:
    """The gap of the last in each list."""
    return np.ascontiguousarray(found.near[:, -1])


def compared(pieces: list[Moved], first: int, last: int, like: Points, width: int) -> Met:
    """Whom the samples of the lists from first to last, of another cut, meet within their reach."""
    some = joined_pieces(pieces)
    assert some.reach is not None
    found = no_neighbors(len(some.which), width)
    found.near[:] = np.nextafter(some.reach, np.float32(np.inf))[:, None]  # what is farther is not kept
    pool = Points(some.X, some.scale, like.unit, like.center, like.integral)
    join_lists(pool, gather_lists(some.home, first, last), found)
    close = found.ids >= 0
    begin = np.concatenate([[0], np.cumsum(close.sum(axis=1))])
    return Met(some.which, begin, some.which[found.ids[close]], found.near[close])


def met_between(met: Met, first: int, stop: int) -> Met:
    """Of the places from first to stop."""
    a, b = np.searchsorted(met.places, [first, stop])
    begin = met.begin[a : b + 1]
    entries = slice(begin[0], begin[-1])
    return Met(met.places[a:b], begin - begin[0], met.ids[entries], met.gaps[entries])


def merged_cut(part: Part, found: Neighbors, met: Sequence[Met]) -> Neighbors:
    """Lists with whom their samples met in another cut; each was met in one place.

    Arrays that can be written to are changed: to merge the same twice changes nothing.
    """
    after = Neighbors(*map(writable, found))
    for places, begin, ids, gaps in met:
        rows = places.astype(np.int64) - part.first
        runs = (writable(begin), writable(ids), writable(gaps))
        merge_runs(rows, *runs, after.ids, after.near, after.fresh)
    return after


def notes_between(notes: Notes, first: int, stop: int) -> Notes:
    """Those for the rows from first to stop."""
    here = slice(*np.searchsorted(notes[0], [first, stop]))
    rows, ids, gaps = (each[here] for each in notes)
    return rows, ids, gaps


def merged_notes(part: Part, found: Neighbors, noted: Sequence[Notes]) -> Neighbors:
    """Lists with what was noted for them; arrays that can be written to are changed, as in `merged_cut`."""
    after = Neighbors(*map(writable, found))
    for rows, ids, gaps in noted:
        if len(rows):
            local = (rows - part.first).astype(np.int32)
            merge(local, writable(ids), writable(gaps), 0, 1, after.ids, after.near, after.fresh)
    return after


def widened(found: Neighbors, width: int) -> Neighbors:
    """Longer lists, all of them fresh."""
    after = no_neighbors(len(found.ids), width)
    r = found.ids.shape[1]
    after.ids[:, :r], after.near[:, :r], after.fresh[:, :r] = found.ids, found.near, found.ids >= 0
    return after


def asked(part: Part, found: Neighbors) -> Array:
    """The places of other parts that lists name, ascending, int32."""
    ids = found.ids
    return np.unique(ids[(ids >= 0) & ((ids < part.first) | (ids >= part.stop))])


def bordering(
    part: Part, found: Neighbors, wanted: Array, first: int, stop: int, with_lists: bool = True
) -> Border:
    """What the part with the places from first to stop must know of this one."""
    a, b = np.searchsorted(wanted, [part.first, part.stop])
    here = np.zeros(len(part.names), dtype=bool)
    here[wanted[a:b] - part.first] = True
    if with_lists:
        here |= ((found.ids >= first) & (found.ids < stop)).any(axis=1)
    rows = np.flatnonzero(here)
    places, points = (part.first + rows).astype(np.int32), part.only(rows)
    border = Border(places, part.names[rows], None, None, None, points.X, points.scale)
    if not with_lists:
        return border
    return border._replace(ids=found.ids[rows], fresh=found.fresh[rows], reach=found.near[rows, -1])


def joined_part(part: Part, found: Neighbors, borders: Sequence[Border]) -> Joined:
    """Lists of a part after the joins of a round; ``borders`` come in the order of parts."""
    before, after = _sides(part, borders)
    places, pool = _known(part, before, after)
    lists = _known_lists(part, found, before, after, places)
    mine = slice(*np.searchsorted(places, [part.first, part.stop]))
    met = _company(lists, mine)
    lists.fresh[:] = 0
    far = np.concatenate([*(one.reach for one in before), reach(found), *(one.reach for one in after)])
    join_and_merge(pool, lists.ids, far, met, lists)
    del met
    return Joined(
        _numbered(Neighbors(*(each[mine] for each in lists)), places),
        _noted(lists, mine, places),
    )


def _sides(part: Part, borders: Sequence[Border]) -> tuple[list[Border], list[Border]]:
    some = [one for one in borders if len(one.places)]
    before = [one for one in some if one.places[0] < part.first]
    return before, [one for one in some if one.places[0] >= part.stop]


def _known(part: Part, before: list[Border], after: list[Border]) -> tuple[Array, Points]:
    """The places of all samples that are known here, ascending, and their points."""
    own = np.arange(part.first, part.stop, dtype=np.int32)
    places = np.concatenate([*(one.places for one in before), own, *(one.places for one in after)])
    X = np.concatenate([*(one.X for one in before), part.X, *(one.X for one in after)])
    scale = None
    if part.scale is not None:
        scale = np.concatenate([*(one.scale for one in before), part.scale, *(one.scale for one in after)])
    return places, Points(X, scale, part.unit, part.center, part.integral)


def _known_lists(
    part: Part, found: Neighbors, before: list[Border], after: list[Border], places: Array
) -> Neighbors:
    """Lists of all samples that are known here, in numbers of here; rows of others have no gaps yet."""
    names: list[Any] = [*(one.ids for one in before), found.ids, *(one.ids for one in after)]
    ids = np.concatenate([local_numbers(each, places, part) for each in names])
    fresh = np.concatenate([*(one.fresh for one in before), found.fresh, *(one.fresh for one in after)])
    near = np.full(ids.shape, np.inf, np.float32)
    start = sum(len(one.places) for one in before)
    near[start : start + len(found.near)] = found.near
    return Neighbors(ids, near, fresh)


def local_numbers(ids: Array, places: Array, part: Part) -> Array:
    """The numbers of some places among those that are known here, -1 for others."""
    start = int(np.searchsorted(places, part.first))
    local: Array = ids - np.int32(part.first - start)
    strange = (ids < part.first) | (ids >= part.stop)
    some = ids[strange]
    at = np.minimum(np.searchsorted(places, some), len(places) - 1)
    local[strange] = np.where(places[at] == some, at, -1)
    return local


def _company(lists: Neighbors, mine: slice) -> tuple[Array, Array, Array]:
    n, most = mine.stop - mine.start, most_met(lists.ids.shape[1])
    company, news, sizes = np.empty((n, most), np.int32), np.empty((n, most), np.uint8), np.empty(n, np.int32)
    meet(lists.ids, lists.fresh, mine.start, mine.stop, company, news, sizes)
    return company, news, sizes


def _numbered(found: Neighbors, places: Array) -> Neighbors:
    """Lists in places, from numbers of here; in the same array."""
    for a in range(0, len(found.ids), COPIED):
        some = found.ids[a : a + COPIED]
        some[:] = np.where(some >= 0, places[np.maximum(some, 0)], -1)
    return found


def _noted(lists: Neighbors, mine: slice, places: Array) -> Notes:
    """What has come to the rows of others; rows ascend."""
    new = lists.fresh.astype(bool)
    new[mine] = False
    rows = np.repeat(places, new.sum(axis=1))
    return rows, places[lists.ids[new]], lists.near[new]


def answered(
    part: Part, found: Neighbors, borders: Sequence[Border], k: int
) -> tuple[Ints, Floats, Array, Ints]:
    """Samples, ascending, with the k nearest of each by exact distances; and those with too few to tell."""
    before, after = _sides(part, borders)
    places, pool = _known(part, before, after)
    names = np.concatenate([*(one.names for one in before), part.names, *(one.names for one in after)])
    start, n = sum(len(one.places) for one in before), len(part.names)
    order = np.argsort(part.names, kind="stable")
    at = np.empty(n, dtype=np.int64)
    at[order] = np.arange(n)
    squared, nearest = np.empty((n, k)), np.empty((n, k), np.int32)
    X, factor, _ = pool.raw
    short = [part.names[:0]]
    ids = np.empty((len(places), found.ids.shape[1]), np.int32)
    ids[start : start + n] = local_numbers(found.ids, places, part)
    for a in range(0, n, COPIED):
        b = min(a + COPIED, n)
        gaps, near = np.empty((b - a, k)), np.empty((b - a, k), dtype=np.int64)
        if nearest_exactly(X, factor, ids, names, start + a, start + b, gaps, near):
            short.append(part.names[a:b][near[:, 0] < 0])
        squared[at[a:b]], nearest[at[a:b]] = gaps, near
    return part.names[order], squared, nearest, np.concatenate(short)


def writable(array: Any) -> Any:
    """Compiled code wants arrays that can be written to, even where it only reads."""
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        return array.copy()
    return array
