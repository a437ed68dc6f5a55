"""Neighbors of a common neighbor are often neighbors: compare them, and let each keep its nearest.

Lists of neighbors are rows of (n, r) arrays, nearest first, ties by number: ``ids`` int32 with -1 in free
places, ``gaps`` float32 squared distances with infinity there, ``fresh`` whether an entry has come since the
last round. A round has three steps, each of them on a range of rows:

    meet    row j of ``company`` gets the neighbors of j, and those of whom j is one, nearest rank first
    join    all pairs in a row of company, at least one of them fresh, are compared; who would be among the r
            nearest of the other, as these were when the round began, is noted: (row, id, gap)
    merge   rows take what was noted for them, each row in the turn of its number

What a join notes depends on its own row only, and a merge keeps the r least of all that it is given, each
id once, whatever their order. So results do not depend on how rows are grouped.

Pairs are compared by one small matrix product, whose rounding `SLACK` allows for; the gap of a pair that is
noted is summed from differences, and so is the same from both ends.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel, summing_kernel
from trigpoint._types import Array, Floats, Ints

SLACK = 2e-7  # of |x|^2 + |y|^2, for each feature
ROWS = 64  # of a table of products
LOOK = 32  # numbers to compare at a time


@kernel
def meet(ids: Array, fresh: Array, start: int, stop: int, company: Array, news: Array, sizes: Array) -> None:
    """Fill the rows from start to stop; ``ids`` and ``fresh`` are (r, n), in the order of reading."""
    first, most = len(ids), company.shape[1]
    for j in range(start, stop):
        size = 0
        for r in range(first):
            if ids[r, j] >= 0:
                company[j - start, size], news[j - start, size] = ids[r, j], fresh[r, j]
                size += 1
        sizes[j - start] = size
    for r in range(first):
        for i in range(ids.shape[1]):
            j = ids[r, i]
            if j < start or j >= stop or sizes[j - start] == most:
                continue
            _add(company[j - start], news[j - start], sizes, j - start, i, fresh[r, i])


@kernel
def _add(row: Array, news: Array, sizes: Array, at: int, i: int, fresh: int) -> None:
    size = sizes[at]
    if _lists(row[:size], i):
        return
    row[size], news[size] = i, fresh
    sizes[at] = size + 1


@kernel
def join(
    points: Array,
    factor: Floats,
    center: Array,
    ids: Array,
    reach: Array,
    company: Array,
    news: Array,
    sizes: Array,
    start: int,
    stop: int,
    noted: tuple[Array, Array, Array],
) -> tuple[int, int]:
    """Compare the company of the rows from start to stop; returns how much was noted, and where to go on.

    Points are ``factor x - center``; factor is one number or one for each row. ``reach`` is the gap of the
    last in each list. It stops early where there is no room for what one more row may bring.
    """
    rows, others, gaps = noted
    most, p = company.shape[1], points.shape[1]
    G = np.empty((most, p), np.float32)
    products = np.empty(most * most, np.float32)
    who, far = np.empty(most, np.int32), np.empty(most, np.float32)
    squares = np.empty(most, np.float32)
    nothing = np.zeros(p, np.float32)
    slack = np.float32(SLACK * p)
    count = 0
    for j in range(start, stop):
        size, n_new = sizes[j], 0
        if count + size * size > len(rows):
            return count, j
        for s in range(size):
            if news[j, s]:
                who[n_new] = company[j, s]
                n_new += 1
        if n_new == 0:
            continue
        end = n_new
        for s in range(size):
            if not news[j, s]:
                who[end] = company[j, s]
                end += 1
        for s in range(size):
            i = who[s]
            _place(points[i], factor[i] if len(factor) > 1 else factor[0], center, G[s])
            far[s], squares[s] = reach[i], squared_gap(G[s], nothing)
        table = products[: n_new * size].reshape(n_new, size)
        np.dot(G[:n_new], G[:size].T, table)
        for a in range(n_new):
            for b in range(a + 1, size):
                both = squares[a] + squares[b]
                least = both - 2 * table[a, b] - slack * both
                if least <= far[a] or least <= far[b]:
                    gap = squared_gap(G[a], G[b])
                    if gap <= far[a] and not _lists(ids[who[a]], who[b]):
                        rows[count], others[count], gaps[count] = who[a], who[b], gap
                        count += 1
                    if gap <= far[b] and not _lists(ids[who[b]], who[a]):
                        rows[count], others[count], gaps[count] = who[b], who[a], gap
                        count += 1
    return count, stop


@kernel
def _lists(row: Array, i: int) -> bool:
    """Whether a list holds i; all of it is looked at, which compiles to vector instructions."""
    found = False
    for s in range(len(row)):
        found |= row[s] == i
    return found


@kernel
def _place(x: Array, factor: float, center: Array, out: Array) -> None:
    if factor == 1.0:  # by far the most frequent, and twice as fast
        for t in range(len(x)):
            out[t] = np.float32(x[t]) - center[t]
        return
    for t in range(len(x)):
        out[t] = np.float32(x[t] * factor) - center[t]


@summing_kernel
def squared_gap(x: Array, y: Array) -> float:
    """||x - y||^2 in the type of x."""
    total = x[0] - x[0]
    for t in range(len(x)):
        total += (x[t] - y[t]) * (x[t] - y[t])
    return total  # type: ignore[no-any-return]


@kernel
def merge(
    rows: Array, others: Array, gaps: Array, turn: int, turns: int, ids: Array, near: Array, fresh: Array
) -> None:
    """Give the rows i with i % turns = turn what was noted for them."""
    r = ids.shape[1]
    for e in range(len(rows)):
        i = rows[e]
        if i % turns == turn:
            _insert(others[e], gaps[e], ids[i], near[i], fresh[i], r)


@kernel
def _insert(other: int, gap: float, ids: Array, near: Array, fresh: Array, r: int) -> None:
    if gap > near[r - 1] or (gap == near[r - 1] and 0 <= ids[r - 1] <= other):
        return
    if _lists(ids, other):
        return
    at = r - 1
    while at > 0 and (near[at - 1] > gap or (near[at - 1] == gap and ids[at - 1] > other)):
        near[at], ids[at], fresh[at] = near[at - 1], ids[at - 1], fresh[at - 1]
        at -= 1
    near[at], ids[at], fresh[at] = gap, other, 1


@kernel
def nearest_exactly(
    points: Array,
    factor: Floats,
    ids: Array,
    names: Ints,
    start: int,
    stop: int,
    squared: Floats,
    found: Array,
) -> int:
    """The k nearest of each row's list by float64 differences of ``factor x``, ties by name.

    ``squared`` and ``found``, (stop - start, k), get the squared distances and the names; a row with too few
    entries gets -1 at first. Returns how many such rows there are.
    """
    r, k, p = ids.shape[1], found.shape[1], points.shape[1]
    short = 0
    gaps, order = np.empty(r), np.empty(r, np.int64)
    x, y = np.empty(p), np.empty(p)
    for i in range(start, stop):
        _lift(points[i], factor[i] if len(factor) > 1 else factor[0], x)
        count = 0
        for s in range(r):
            j = ids[i, s]
            if j < 0:
                continue
            _lift(points[j], factor[j] if len(factor) > 1 else factor[0], y)
            gap, name = squared_gap(x, y), names[j]
            at = count
            while at > 0 and (gaps[at - 1] > gap or (gaps[at - 1] == gap and order[at - 1] > name)):
                gaps[at], order[at] = gaps[at - 1], order[at - 1]
                at -= 1
            gaps[at], order[at] = gap, name
            count += 1
        if count < k:
            short += 1
            found[i - start, 0] = -1
            continue
        for s in range(k):
            squared[i - start, s], found[i - start, s] = gaps[s], order[s]
    return short


@kernel
def _lift(x: Array, factor: float, out: Floats) -> None:
    for t in range(len(x)):
        out[t] = x[t] * factor


@kernel
def join_all(
    points: Array, factor: Floats, center: Array, members: Ints, ids: Array, near: Array, fresh: Array
) -> None:
    """Compare some samples with each other, all of them, and let each keep the nearest."""
    c, p, r = len(members), points.shape[1], ids.shape[1]
    G, nothing = np.empty((c, p), np.float32), np.zeros(p, np.float32)
    squares, least = np.empty(c, np.float32), np.empty(c, np.float32)
    products = np.empty(min(c, ROWS) * c, np.float32)
    slack = np.float32(SLACK * p)
    for s in range(c):
        i = members[s]
        _place(points[i], factor[i] if len(factor) > 1 else factor[0], center, G[s])
        squares[s] = squared_gap(G[s], nothing)
    for first in range(0, c, ROWS):
        some = G[first : first + ROWS]
        table = products[: len(some) * c].reshape(len(some), c)
        np.dot(some, G.T, table)
        for a in range(len(some)):
            at, i = first + a, members[first + a]
            for b in range(c):
                both = squares[at] + squares[b]
                least[b] = both - 2 * table[a, b] - slack * both
            _keep_nearest(G, at, least, members, ids[i], near[i], fresh[i], r)


@kernel
def _keep_nearest(
    G: Array, at: int, least: Array, members: Ints, ids: Array, near: Array, fresh: Array, r: int
) -> None:
    reach = near[r - 1]
    for begin in range(0, len(least), LOOK):
        end = min(begin + LOOK, len(least))
        close = 0  # counting compiles to vector instructions, and most often there is none
        for b in range(begin, end):
            close += least[b] <= reach
        if close == 0:
            continue
        for b in range(begin, end):
            if least[b] <= reach and b != at:
                _insert(members[b], squared_gap(G[at], G[b]), ids, near, fresh, r)
                reach = near[r - 1]
