"""Rows of an undirected graph from directed lists: a sample's own list merged with those that list it.

The lists are those of a `NeighborGraph`: row i is ``indices[indptr[i]:indptr[i + 1]]``, in any order. Turned
around, sample j is listed by ``sources[ends[j]:ends[j + 1]]``, ascending, as the ``ranks``-th entry of each.
Every kernel works on a range of samples, and writes for those alone.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array

FEW = 32  # entries that are sorted by insertion


@kernel
def count_sources(indices: Array, ends: Array) -> None:
    """ends[j + 1] = where the list of j's sources ends; ``ends`` comes filled with 0."""
    for q in range(len(indices)):
        ends[indices[q] + 1] += 1
    for j in range(len(ends) - 1):
        ends[j + 1] += ends[j]


@kernel
def fill_sources(
    start: int, stop: int, indptr: Array, indices: Array, ends: Array, sources: Array, ranks: Array
) -> None:
    """The sources of the samples start..stop, and the place of these in their sources' lists."""
    free = ends[start:stop].copy()
    for i in range(len(indptr) - 1):
        for q in range(indptr[i], indptr[i + 1]):
            j = indices[q]
            if start <= j < stop:
                at = free[j - start]
                sources[at], ranks[at] = i, q - indptr[i]
                free[j - start] = at + 1


@kernel
def _sorted_list(indices: Array, first: int, last: int, columns: Array, slots: Array) -> int:
    """The entries first..last with their slots, by ascending column; returns how many."""
    size = last - first
    if size > FEW:
        order = np.argsort(indices[first:last], kind="mergesort")
        for k in range(size):
            columns[k], slots[k] = indices[first + order[k]], first + order[k]
        return size
    for k in range(size):
        column, at = indices[first + k], k
        while at > 0 and columns[at - 1] > column:
            columns[at], slots[at] = columns[at - 1], slots[at - 1]
            at -= 1
        columns[at], slots[at] = column, first + k
    return size


@kernel
def merge_rows(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    listed: Array,
    ends: Array,
    sources: Array,
    ranks: Array,
    counts: Array,
    columns: Array,
    there: Array,
    back: Array,
) -> int:
    """The neighbors of the samples start..stop in either direction, ascending; returns how many in all.

    ``there`` gets what i lists beside j, ``back`` what j lists beside i; where only one of them lists the
    other, both get that. None is its own neighbor. Arrays have room for both directions.
    """
    longest = 0
    for i in range(start, stop):
        longest = max(longest, indptr[i + 1] - indptr[i])
    own, slots = np.empty(longest, np.int64), np.empty(longest, np.int64)
    end = 0
    for i in range(start, stop):
        first = end
        size = _sorted_list(indices, indptr[i], indptr[i + 1], own, slots)
        a, b, last = 0, ends[i], ends[i + 1]
        while a < size or b < last:
            j = own[a] if a < size else np.int64(sources[b])
            if b < last and sources[b] < j:
                j = np.int64(sources[b])
            forth, returned = -1.0, -1.0
            while a < size and own[a] == j:
                forth = max(forth, listed[slots[a]])
                a += 1
            while b < last and sources[b] == j:
                returned = max(returned, listed[indptr[j] + np.int64(ranks[b])])
                b += 1
            if j != i:
                columns[end] = j
                there[end] = forth if forth >= 0.0 else returned
                back[end] = returned if returned >= 0.0 else forth
                end += 1
        counts[i - start] = end - first
    return end


@kernel
def count_merged(
    start: int, stop: int, indptr: Array, indices: Array, ends: Array, sources: Array, counts: Array
) -> None:
    """How many neighbors the samples start..stop have in either direction, as `merge_rows` finds them."""
    longest = 0
    for i in range(start, stop):
        longest = max(longest, indptr[i + 1] - indptr[i])
    own, slots = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for i in range(start, stop):
        size = _sorted_list(indices, indptr[i], indptr[i + 1], own, slots)
        a, b, last, count = 0, ends[i], ends[i + 1], 0
        while a < size or b < last:
            j = own[a] if a < size else np.int64(sources[b])
            if b < last and sources[b] < j:
                j = np.int64(sources[b])
            while a < size and own[a] == j:
                a += 1
            while b < last and sources[b] == j:
                b += 1
            if j != i:
                count += 1
        counts[i] = count


@kernel
def place_rows(
    start: int,
    stop: int,
    counts: Array,
    columns: Array,
    values: Array,
    diagonal: Array,
    indptr: Array,
    indices: Array,
    data: Array,
) -> None:
    """Rows start..stop of diag(diagonal) - W into the arrays of a CSR matrix, the diagonal stored."""
    end = 0
    for i in range(start, stop):
        at, waiting = indptr[i], True
        for _ in range(counts[i - start]):
            j = columns[end]
            if waiting and j > i:
                indices[at], data[at] = i, diagonal[i - start]
                at += 1
                waiting = False
            indices[at], data[at] = j, -values[end]
            at += 1
            end += 1
        if waiting:
            indices[at], data[at] = i, diagonal[i - start]
