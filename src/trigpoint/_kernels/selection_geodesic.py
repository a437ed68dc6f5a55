"""Dijkstra's algorithm that never starts over, and the sample it leaves farthest off.

gap_j is the length of the shortest path from j to any source, and a new source continues where the
last search stopped: its gap falls to 0, and whatever falls with it is settled in order of gap. The
farthest sample comes from a max-heap of old gaps: gaps only fall, so an entry at the root whose gap
is still the old one is farthest indeed, and any other sinks to where its gap now belongs.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.stoppable import stoppable
from trigpoint._types import Array, Floats, Ints


@stoppable
@kernel
def undirected(indptr: Ints, indices: Array, lengths: Floats) -> tuple[Ints, Array, Floats]:
    """The union of both directions in compressed rows; of several lengths the shortest holds."""
    n = len(indptr) - 1
    starts = np.zeros(n + 1, np.int64)
    for i in range(n):
        starts[i + 1] += indptr[i + 1] - indptr[i]
        for q in range(indptr[i], indptr[i + 1]):
            starts[indices[q] + 1] += 1
    for i in range(n):
        starts[i + 1] += starts[i]
    free = starts[:-1].copy()
    others, d = np.empty(starts[n], np.int32), np.empty(starts[n])
    for i in range(n):
        for q in range(indptr[i], indptr[i + 1]):
            j = indices[q]
            others[free[i]], d[free[i]] = j, lengths[q]
            free[i] += 1
            others[free[j]], d[free[j]] = i, lengths[q]
            free[j] += 1
    end = _merge_repeats(starts, others, d, free)
    return starts, others[:end], d[:end]


@kernel
def _merge_repeats(starts: Ints, others: Array, d: Floats, seen: Ints) -> int:
    """Every neighbor once a row, in place; returns how many entries are left."""
    seen[:] = -1
    begin = end = 0
    for i in range(len(starts) - 1):
        first, stop = end, starts[i + 1]
        for q in range(begin, stop):
            j = others[q]
            if seen[j] >= first:
                d[seen[j]] = min(d[seen[j]], d[q])
            else:
                seen[j] = end
                others[end], d[end] = j, d[q]
                end += 1
        begin, starts[i + 1] = stop, end
    return end


@kernel
def close_in(
    indptr: Ints,
    indices: Array,
    lengths: Floats,
    gap: Floats,
    heap: Array,
    place: Array,
    size: int,
    work: int,
) -> tuple[int, int]:
    """Settle the samples in the heap, and those whose gap falls with theirs, nearest first.

    The first ``size`` entries of ``heap`` are a min-heap of samples by gap, and ``place`` says where
    in it a sample is (-1: nowhere). Stops after about ``work`` entries of the adjacency, and goes on
    when called again; returns the size of the heap and the work left over.
    """
    while size > 0 and work > 0:
        i = heap[0]
        place[i] = -1
        size -= 1
        if size > 0:
            _sink(gap, heap, place, size, heap[size])
        work -= 1 + indptr[i + 1] - indptr[i]
        for q in range(indptr[i], indptr[i + 1]):
            j, d = indices[q], gap[i] + lengths[q]
            if d < gap[j]:
                gap[j] = d
                if place[j] < 0:
                    place[j] = size
                    size += 1
                _rise(gap, heap, place, j)
    return size, work


@kernel
def _rise(gap: Floats, heap: Array, place: Array, j: int) -> None:
    """Move j, whose gap has fallen, from its place toward the root."""
    spot = place[j]
    while spot > 0:
        parent = (spot - 1) // 2
        if gap[heap[parent]] <= gap[j]:
            break
        heap[spot] = heap[parent]
        place[heap[spot]] = spot
        spot = parent
    heap[spot] = j
    place[j] = spot


@kernel
def _sink(gap: Floats, heap: Array, place: Array, size: int, j: int) -> None:
    """Fill the empty root by j."""
    spot = 0
    while True:
        child = 2 * spot + 1
        if child + 1 < size and gap[heap[child + 1]] < gap[heap[child]]:
            child += 1
        if child >= size or gap[j] <= gap[heap[child]]:
            break
        heap[spot] = heap[child]
        place[heap[spot]] = spot
        spot = child
    heap[spot] = j
    place[j] = spot


@kernel
def take_farthest(gap: Floats, old: Floats, order: Array, size: int) -> int:
    """The sample of largest gap, lowest index among equals; the heap loses it from its root.

    The first ``size`` entries of ``order`` are a max-heap of samples by the gaps in ``old``, which
    stand beside them: those of today, or larger ones.
    """
    i = order[0]
    while gap[i] < old[0]:
        _sink_farthest(old, order, size, gap[i], i)
        i = order[0]
    if size > 1:
        _sink_farthest(old, order, size - 1, old[size - 1], order[size - 1])
    return int(i)


@kernel
def _sink_farthest(old: Floats, order: Array, size: int, g: float, i: int) -> None:
    """Put sample i with gap g in the place of the root."""
    spot = 0
    while True:
        child = 2 * spot + 1
        right = child + 1
        if right < size and _before(old[right], order[right], old[child], order[child]):
            child = right
        if child >= size or _before(g, i, old[child], order[child]):
            break
        old[spot], order[spot] = old[child], order[child]
        spot = child
    old[spot], order[spot] = g, i


@kernel
def _before(g: float, i: int, h: float, j: int) -> bool:
    return g > h or (g == h and i < j)


@kernel
def traverse(
    indptr: Ints,
    indices: Array,
    lengths: Floats,
    gap: Floats,
    heap: Array,
    place: Array,
    size: int,
    old: Floats,
    order: Array,
    picks: Ints,
    done: int,
    work: int,
) -> tuple[int, int]:
    """Fill ``picks`` from ``done`` on, as far as ``work`` goes; returns the heap's size and ``done``.

    Of the gaps that the last pick lowers, those still to be settled wait in the heap.
    """
    while done < len(picks):
        size, work = close_in(indptr, indices, lengths, gap, heap, place, size, work)
        if work <= 0:
            break
        i = take_farthest(gap, old, order, len(order) - done)
        picks[done] = i
        done += 1
        gap[i] = 0.0
        heap[0] = i
        place[i] = 0
        size = 1
    return size, done
