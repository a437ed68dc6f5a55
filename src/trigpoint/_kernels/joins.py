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

Gaps are summed from differences, and so are the same from both ends.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.gaps import holds, place, squared_gap
from trigpoint._types import Array, Floats


@kernel
def meet(ids: Array, fresh: Array, start: int, stop: int, company: Array, news: Array, sizes: Array) -> None:
    """Fill the rows from start to stop."""
    width = ids.shape[1]
    begin = np.zeros(stop - start + 1, np.int64)
    for i in range(len(ids)):
        for r in range(width):
            j = ids[i, r]
            if j >= start and j < stop:
                begin[j - start + 1] += 1
    begin = np.cumsum(begin)
    end = begin.copy()
    who, marks = np.empty(begin[-1], np.int32), np.empty(begin[-1], np.int16)  # those who name j, by number
    for i in range(len(ids)):
        for r in range(width):
            j = ids[i, r]
            if j >= start and j < stop:
                e = end[j - start]
                who[e], marks[e] = i, 2 * r + fresh[i, r]
                end[j - start] = e + 1
    before = np.empty(width + 1, np.int32)
    for j in range(start, stop):
        row, size = j - start, 0
        for r in range(width):
            if ids[j, r] >= 0:
                company[row, size], news[row, size] = ids[j, r], fresh[j, r]
                size += 1
        sizes[row] = _fill(who, marks, begin[row], begin[row + 1], before, company, news, row, size)


@kernel
def _fill(
    who: Array,
    marks: Array,
    begin: int,
    end: int,
    before: Array,
    company: Array,
    news: Array,
    row: int,
    size: int,
) -> int:
    """Add to a row of company those of ``who`` that are not there, by rank, as far as there is room."""
    most = company.shape[1]
    before[:] = 0
    for e in range(begin, end):
        if holds(company, row, size, who[e]):
            marks[e] = -1
        else:
            before[marks[e] // 2 + 1] += 1
    for r in range(1, len(before)):
        before[r] += before[r - 1]
    for e in range(begin, end):
        if marks[e] >= 0:
            r = marks[e] // 2
            at = size + before[r]
            before[r] += 1
            if at < most:
                company[row, at], news[row, at] = who[e], marks[e] % 2
    return min(most, size + before[-1])  # type: ignore[no-any-return]


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
    most, p, r = company.shape[1], points.shape[1], ids.shape[1]
    G, known = np.empty((most, p), np.float32), np.empty((most, r), np.int32)
    who, far = np.empty(most, np.int32), np.empty(most, np.float32)
    one, two = np.empty(most * most + 1, np.int32), np.empty(most * most + 1, np.int32)
    between = np.empty(most * most + 1, np.float32)
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
            place(points, i, factor[i] if len(factor) > 1 else factor[0], center, G, s)
            far[s] = reach[i]
            for e in range(r):  # all at once: to wait for memory at every pair takes longer
                known[s, e] = ids[i, e]
        n_close = 0  # counted without a branch, which nobody could foresee; so are the notes
        for a in range(n_new):
            for b in range(a + 1, size):
                gap = squared_gap(G, a, G, b)
                one[n_close], two[n_close], between[n_close] = a, b, gap
                n_close += gap <= max(far[a], far[b])
        for e in range(n_close):
            a, b, gap = one[e], two[e], between[e]
            rows[count], others[count], gaps[count] = who[a], who[b], gap
            count += (gap <= far[a]) & (not holds(known, a, r, who[b]))
            rows[count], others[count], gaps[count] = who[b], who[a], gap
            count += (gap <= far[b]) & (not holds(known, b, r, who[a]))
    return count, stop


@kernel
def merge(
    rows: Array, others: Array, gaps: Array, turn: int, turns: int, ids: Array, near: Array, fresh: Array
) -> None:
    """Give the rows i with i % turns = turn what was noted for them."""
    for e in range(len(rows)):
        i = rows[e]
        if i % turns == turn:
            _insert(others[e], gaps[e], ids, near, fresh, i)


@kernel
def _insert(other: np.int32 | int, gap: float, ids: Array, near: Array, fresh: Array, i: int) -> None:
    """Give list i another entry, unless it is there or too far."""
    last = ids.shape[1] - 1
    if gap > near[i, last] or (gap == near[i, last] and 0 <= ids[i, last] <= other):
        return
    if holds(ids, i, last + 1, other):
        return
    at = last
    while at > 0 and (near[i, at - 1] > gap or (near[i, at - 1] == gap and ids[i, at - 1] > other)):
        near[i, at], ids[i, at], fresh[i, at] = near[i, at - 1], ids[i, at - 1], fresh[i, at - 1]
        at -= 1
    near[i, at], ids[i, at], fresh[i, at] = gap, other, 1
