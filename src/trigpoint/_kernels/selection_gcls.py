"""The exact greedy search of Gershgorin circle-based landmark selection, and its two-candidate variant.

Five tournaments keep the extremes over the unlabeled set U: of t (what each sample has in common
with the landmarks), of the right ends right - t, of the left ends left + t, of the largest
g_j = t_j + max_{i in N(j)} |psi_ij| that one deletion can make of t_j, and of the tie rule's key.
See `trigpoint.selection._gcls` for why few candidates suffice.
"""

from typing import NamedTuple

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.tournament import DEPTH, new_trees, play, put, top, top_outside
from trigpoint._types import Array

T, ENDS, STARTS, GAIN, KEY = range(5)  # columns of trees
LINK, LEFT, RIGHT = range(3)  # columns of cells
MARK, BESIDE, SEEN = range(3)  # rows of marks
SLACK = 1e-14  # above the rounding of Q, so that no candidate is passed over because of it


class Search(NamedTuple):
    """All that the search knows of psi and U."""

    indptr: Array
    indices: Array
    data: Array
    cells: Array  # (n, 3): g - t, left, right
    trees: Array  # tournaments of t, right - t, -(left + t), g and the key; deleted samples have -inf
    size: int  # the row of the first leaf
    order: Array  # the tie rule's order of equal keys; the key, its tree and SEEN count in it
    place: Array  # its inverse
    marks: Array  # (3, n) stamps
    clock: Array  # (1,): the last stamp
    spread: bool  # whether the key is -t (else it is constant)
    stack: Array


@kernel
def _fill(indptr: Array, indices: Array, data: Array, cells: Array, leaves: Array) -> None:
    """LINK of the cells, and the leaves, while all samples are in U."""
    for i in range(len(cells)):
        link = 0.0
        for q in range(indptr[i], indptr[i + 1]):
            if indices[q] != i:
                link = max(link, abs(data[q]))
        cells[i, LINK] = leaves[i, GAIN] = link
        leaves[i, ENDS], leaves[i, STARTS] = cells[i, RIGHT], -cells[i, LEFT]
        leaves[i, T] = leaves[i, KEY] = 0.0


def start(
    indptr: Array, indices: Array, data: Array, left: Array, right: Array, order: Array, spread: bool
) -> Search:
    """Put together here, not in compiled code: handing a record back to Python crashes at Ctrl-C."""
    n = len(left)
    place = np.empty(n, np.int32)
    place[order] = np.arange(n, dtype=np.int32)
    cells, trees = np.empty((n, 3)), new_trees(n, 5)
    cells[:, LEFT], cells[:, RIGHT] = left, right
    size = len(trees) - n
    _fill(indptr, indices, data, cells, trees[size:])
    play(trees, size)
    marks, clock, stack = np.zeros((3, n), np.int64), np.zeros(1, np.int64), np.empty(DEPTH, np.int64)
    return Search(indptr, indices, data, cells, trees, size, order, place, marks, clock, spread, stack)


@kernel
def _at(array: Array, k: int) -> int:
    """An index from a narrow array, as wide as all others: functions then compile once."""
    return np.int64(array[k])  # type: ignore[return-value]


@kernel
def _alive(s: Search, i: int) -> bool:
    return s.trees[s.size + i, T] > -np.inf  # type: ignore[no-any-return]


@kernel
def _leader(s: Search, column: int) -> int:
    return top(s.trees, s.size, column)


@kernel
def _next_stamp(s: Search) -> int:
    s.clock[0] += 1
    return s.clock[0]  # type: ignore[no-any-return]


@kernel
def delete(s: Search, i: int) -> None:
    """Make i a landmark."""
    for column in range(5):
        put(s.trees, column, s.size + (_at(s.place, i) if column == KEY else i), -np.inf)
    for q in range(s.indptr[i], s.indptr[i + 1]):
        j = _at(s.indices, q)
        if _alive(s, j):
            _add(s, j, abs(s.data[q]))


@kernel
def delete_all(s: Search, landmarks: Array) -> None:
    for i in landmarks:
        delete(s, i)


@kernel
def _add(s: Search, j: int, weight: float) -> None:
    cell, leaf = s.cells[j], s.size + j
    t = s.trees[leaf, T] + weight
    if weight == cell[LINK]:
        cell[LINK] = _largest_link(s, j)
    put(s.trees, T, leaf, t)
    put(s.trees, ENDS, leaf, cell[RIGHT] - t)
    put(s.trees, STARTS, leaf, -(cell[LEFT] + t))
    put(s.trees, GAIN, leaf, t + cell[LINK])
    if s.spread:
        put(s.trees, KEY, s.size + _at(s.place, j), -t)


@kernel
def _largest_link(s: Search, j: int) -> float:
    largest = 0.0
    for q in range(s.indptr[j], s.indptr[j + 1]):
        i = _at(s.indices, q)
        if i != j and _alive(s, i):
            largest = max(largest, abs(s.data[q]))
    return largest


@kernel
def _ratio(A: float, B: float, C: float) -> float:
    """Q of the extremes; infinite while no sample of U touches a landmark, or next to nothing does."""
    return (A + B) / (A * C) if A * C > 0.0 else np.inf


@kernel
def _surrogate_without(s: Search, i: int) -> float:
    """Q(U without i), exactly as if i were deleted."""
    stamp, marks = _next_stamp(s), s.marks[MARK]
    marks[i] = stamp
    other = top_outside(s.trees, s.size, T, marks, stamp, s.stack)
    if other < 0:
        return np.inf
    A, B, C = s.trees[s.size + other, T], -np.inf, np.inf
    for q in range(s.indptr[i], s.indptr[i + 1]):
        j = _at(s.indices, q)
        if j != i and _alive(s, j):
            t = s.trees[s.size + j, T] + abs(s.data[q])
            A, B, C = max(A, t), max(B, s.cells[j, RIGHT] - t), min(C, s.cells[j, LEFT] + t)
            marks[j] = stamp
    far = top_outside(s.trees, s.size, ENDS, marks, stamp, s.stack)
    near = top_outside(s.trees, s.size, STARTS, marks, stamp, s.stack)
    if far >= 0:
        B, C = max(B, s.trees[s.size + far, ENDS]), min(C, -s.trees[s.size + near, STARTS])
    return _ratio(A, B, C)


@kernel
def _first(s: Search, a: int, b: int) -> int:
    """The one of a and b that the tie rule prefers."""
    if s.spread and s.trees[s.size + a, T] != s.trees[s.size + b, T]:
        return a if s.trees[s.size + a, T] < s.trees[s.size + b, T] else b
    return a if s.place[a] < s.place[b] else b


@kernel
def _stays(s: Search, pick: int, i: int) -> bool:
    """Whether the tie rule prefers pick to i; no t is below 0, so its place may tell without a look at i."""
    if s.place[pick] < s.place[i] and (not s.spread or s.trees[s.size + pick, T] == 0.0):
        return True
    return _first(s, pick, i) == pick


@kernel
def _try(s: Search, i: int, turn: int, best: float, pick: int) -> tuple[float, int]:
    """The better one of the best candidate so far and i, unless i was tried in this turn."""
    if s.marks[SEEN, s.place[i]] == turn or not _alive(s, i):
        return best, pick
    s.marks[SEEN, s.place[i]] = turn
    found = _surrogate_without(s, i)
    if found < best:
        return found, i
    return best, _first(s, pick, i) if found == best else pick


@kernel
def _runner_up(s: Search, column: int, i: int) -> tuple[int, int]:
    """The second in a tournament that i leads, and the stamp in BESIDE of its neighborhood."""
    stamp = _next_stamp(s)
    s.marks[MARK, i] = stamp
    second = top_outside(s.trees, s.size, column, s.marks[MARK], stamp, s.stack)
    if second >= 0:
        s.marks[BESIDE, second] = stamp
        for q in range(s.indptr[second], s.indptr[second + 1]):
            s.marks[BESIDE, s.indices[q]] = stamp
    return second, stamp


@kernel
def _try_left(s: Search, near: int, turn: int, best: float, pick: int) -> tuple[float, int]:
    """All candidates that may raise C: around its holder, and around a second holder where there is one."""
    second, stamp = _runner_up(s, STARTS, near)
    shared = second >= 0 and s.trees[s.size + second, STARTS] == s.trees[s.size + near, STARTS]
    if not shared or s.marks[BESIDE, near] == stamp:
        best, pick = _try(s, near, turn, best, pick)
    for q in range(s.indptr[near], s.indptr[near + 1]):
        i = _at(s.indices, q)
        if not shared or s.marks[BESIDE, i] == stamp:
            best, pick = _try(s, i, turn, best, pick)
    return best, pick


@kernel
def _try_right(
    s: Search, far: int, A: float, C: float, idle: float, turn: int, best: float, pick: int
) -> tuple[float, int]:
    """All candidates that may lower B: around its holder, and around a second holder where there is one.

    The holder of A and whoever may raise C have been tried. So where none can raise A, a neighbor i
    attains at least the Q of A, C and what is left of the right ends: that of the holder, and the
    second one if i does not touch it. Whoever cannot win so need not be tried.
    """
    second, stamp = _runner_up(s, ENDS, far)
    shared = second >= 0 and s.trees[s.size + second, ENDS] == s.trees[s.size + far, ENDS]
    if not shared or s.marks[BESIDE, far] == stamp:
        best, pick = _try(s, far, turn, best, pick)
    flat = s.trees[s.size + _leader(s, GAIN), GAIN] <= A
    for q in range(s.indptr[far], s.indptr[far + 1]):
        i = _at(s.indices, q)
        touches = s.marks[BESIDE, i] == stamp
        if i == far or not _alive(s, i) or (shared and not touches):
            continue
        if flat:
            B = s.cells[far, RIGHT] - (s.trees[s.size + far, T] + abs(s.data[q]))
            if second >= 0 and not touches:
                B = max(B, s.trees[s.size + second, ENDS])
            least = _ratio(A, B, C)
            if least > best or (best <= least < idle and _stays(s, pick, i)):
                continue
        best, pick = _try(s, i, turn, best, pick)
    return best, pick


@kernel
def _try_gains(
    s: Search, A: float, B: float, C: float, idle: float, turn: int, best: float, pick: int
) -> tuple[float, int]:
    """All candidates that raise A, as far as they may reach the best: down the tournament of g.

    Whoever may change B or C has been tried. The others attain the Q of B, C and their best raise.
    """
    stack = np.empty(DEPTH, np.int64)
    stack[0] = 1
    depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if node >= len(s.trees):
            continue
        gain = s.trees[node, GAIN]
        if gain <= A or _ratio(gain, B, C) > best * (1.0 + SLACK):
            continue
        if node < s.size:
            stack[depth], stack[depth + 1] = 2 * node + 1, 2 * node
            depth += 2
            continue
        j = node - s.size
        for q in range(s.indptr[j], s.indptr[j + 1]):
            i = _at(s.indices, q)
            raised = s.trees[s.size + j, T] + abs(s.data[q])
            least = _ratio(raised, B, C)
            if i == j or raised <= A or least > best * (1.0 + SLACK):
                continue
            if not (best <= least < idle and _stays(s, pick, i)):
                best, pick = _try(s, i, turn, best, pick)
    return best, pick


@kernel
def _best(s: Search) -> int:
    """The i in U of least Q(U without i), by the tie rule among equals."""
    turn = _next_stamp(s)
    holder, far, near = _leader(s, T), _leader(s, ENDS), _leader(s, STARTS)
    A, B, C = s.trees[s.size + holder, T], s.trees[s.size + far, ENDS], -s.trees[s.size + near, STARTS]
    idle = _ratio(A, B, C)  # what every sample attains that need not be tried
    best, pick = _surrogate_without(s, holder), holder
    s.marks[SEEN, s.place[holder]] = turn
    best, pick = _try_left(s, near, turn, best, pick)
    best, pick = _try_right(s, far, A, C, idle, turn, best, pick)
    best, pick = _try_gains(s, A, B, C, idle, turn, best, pick)
    if idle > best:
        return pick
    k = top_outside(s.trees, s.size, KEY, s.marks[SEEN], turn, s.stack)
    if k < 0:
        return pick
    other = _at(s.order, k)
    return other if idle < best else _first(s, pick, other)


@kernel
def exact(s: Search, picks: Array) -> None:
    """Fill ``picks`` with the next choices of the greedy search."""
    for k in range(len(picks)):
        picks[k] = _best(s)
        delete(s, picks[k])


@kernel
def two_candidates(s: Search, widest: Array, picks: Array, cursor: int) -> int:
    """The same with two candidates a step: the first of U in ``widest``, and the leftmost left end.

    Returns how far in ``widest`` all are landmarks, to go on from there.
    """
    for k in range(len(picks)):
        while not _alive(s, widest[cursor]):
            cursor += 1
        wide, near = widest[cursor], _leader(s, STARTS)
        picks[k] = near if _surrogate_without(s, near) < _surrogate_without(s, wide) else wide
        delete(s, picks[k])
    return cursor
