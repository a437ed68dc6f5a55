"""All samples of a list are compared, and each keeps the nearest of them (lists as in `joins`).

One matrix product tells the pairs that are worth it; `SLACK` allows for its rounding. The gaps of these are
summed from differences. At most r samples may come into a list of r, so where more are within its reach, a
bisection finds a smaller one first.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.gaps import holds, place, squared_gap
from trigpoint._types import Array, Floats, Ints

SLACK = 2e-7  # of |x|^2 + |y|^2, for each feature
ROWS = 64  # of a table of products
SPARE = 4  # of r entries that are wanted, r / SPARE more may be looked at
STEPS = 60  # of a bisection
TINY = 1e-30


@kernel
def join_all(
    points: Array, factor: Floats, center: Array, members: Ints, ids: Array, near: Array, fresh: Array
) -> None:
    """Compare some samples with each other, all of them, and let each keep the nearest."""
    c, p, r = len(members), points.shape[1], ids.shape[1]
    G, nothing = np.empty((c, p), np.float32), np.zeros((1, p), np.float32)
    squares, least = np.empty(c, np.float32), np.empty(c, np.float32)
    room = np.empty(c + 1, np.int32), np.empty(c, np.int32), np.empty(c, np.float32)
    products = np.empty(min(c, ROWS) * c, np.float32)
    slack = np.float32(SLACK * p)
    most, guess = 0.0, 1.0
    for s in range(c):
        i = members[s]
        place(points, i, factor[i] if len(factor) > 1 else factor[0], center, G, s)
        squares[s] = squared_gap(G, s, nothing, 0)
        most = max(most, squares[s])
    for first in range(0, c, ROWS):
        some = G[first : first + ROWS]
        table = products[: len(some) * c].reshape(len(some), c)
        np.dot(some, G.T, table)
        for a in range(len(some)):
            at, i = first + a, members[first + a]
            for b in range(c):
                both = squares[at] + squares[b]
                least[b] = both - 2 * table[a, b] - slack * both
            least[at] = np.nan  # within no reach
            reach = near[i, r - 1]
            if _count_within(least, reach) > r + r // SPARE:
                guess = _reach_of(r, least, guess)
                reach = min(reach, guess + 3 * slack * (squares[at] + most))
            _take(G, at, least, reach, members, room, ids, near, fresh, i)


@kernel
def _count_within(values: Array, reach: float) -> int:
    """How many do not exceed it, counted in the types that vector instructions take."""
    most, count = np.float32(reach), np.int32(0)
    for b in range(len(values)):
        count = np.int32(count + np.int32(values[b] <= most))
    return count  # type: ignore[return-value]


@kernel
def _reach_of(r: int, values: Array, guess: float) -> float:
    """A number that at least r values do not exceed, and few more; ``guess`` is where to look first."""
    low, high, reach = -np.inf, np.inf, guess
    for _ in range(STEPS):
        count = _count_within(values, reach)
        if r <= count <= r + r // SPARE:
            return reach
        if count < r:
            low = reach
        else:
            high = reach
        if high == np.inf:
            reach = max(2 * reach, TINY)
        elif low == -np.inf:
            reach = reach / 2 if reach > TINY else -1.0
        else:
            reach = low + (high - low) / 2
    return high


@kernel
def _take(
    G: Array,
    at: int,
    least: Array,
    reach: float,
    members: Ints,
    room: tuple[Array, Array, Array],
    ids: Array,
    near: Array,
    fresh: Array,
    i: int,
) -> None:
    """Give list i those within reach, all at once."""
    some, new, gaps = room
    r, n, m = ids.shape[1], 0, 0
    far = np.float32(reach)
    for b in range(len(least)):  # without a branch, which nobody could foresee
        some[n] = b
        n += least[b] <= far
    for e in range(n):
        b = some[e]
        other = np.int32(members[b])
        if holds(ids, i, r, other):
            continue
        gap = squared_gap(G, at, G, b)
        if gap > near[i, r - 1]:
            continue
        free = m
        while free > 0 and (gaps[free - 1] > gap or (gaps[free - 1] == gap and new[free - 1] > other)):
            gaps[free], new[free] = gaps[free - 1], new[free - 1]
            free -= 1
        gaps[free], new[free] = gap, other
        m += 1
    if m > 0:
        _blend(new, gaps, m, ids, near, fresh, i)


@kernel
def _blend(new: Array, gaps: Array, m: int, ids: Array, near: Array, fresh: Array, i: int) -> None:
    """Merge the first m of some new entries, nearest first and none of them known, into list i."""
    a, b = 0, 0  # how many of the old and of the new stay
    for _ in range(ids.shape[1]):
        if b < m and (
            ids[i, a] < 0 or gaps[b] < near[i, a] or (gaps[b] == near[i, a] and new[b] < ids[i, a])
        ):
            b += 1
        elif ids[i, a] < 0:
            break
        else:
            a += 1
    for at in range(a + b - 1, -1, -1):
        if b == 0:
            break
        if a > 0 and (
            near[i, a - 1] > gaps[b - 1] or (near[i, a - 1] == gaps[b - 1] and ids[i, a - 1] > new[b - 1])
        ):
            a -= 1
            near[i, at], ids[i, at], fresh[i, at] = near[i, a], ids[i, a], fresh[i, a]
        else:
            b -= 1
            near[i, at], ids[i, at], fresh[i, at] = gaps[b], new[b], 1
