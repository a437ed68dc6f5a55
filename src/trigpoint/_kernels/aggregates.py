"""Samples in small groups along their strong links, and the Laplacian of the groups."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.stoppable import stoppable
from trigpoint._types import Array


@kernel
def strongest_links(indptr: Array, indices: Array, data: Array, first: int, strongest: Array) -> None:
    """The largest weight -phi_ij of each sample from ``first`` on; 0 where it has none."""
    for i in range(len(strongest)):
        most = 0.0
        for q in range(indptr[i], indptr[i + 1]):
            if indices[q] != first + i:
                most = max(most, -data[q])
        strongest[i] = most


@kernel
def found_groups(
    indptr: Array,
    indices: Array,
    data: Array,
    strongest: Array,
    order: Array,
    n_first: int,
    share: float,
    most: int,
    owner: Array,
    centers: Array,
    sizes: Array,
) -> int:
    """Groups of up to ``most`` samples, into ``owner`` (-1 before), ``centers`` and ``sizes``; how many.

    The first ``n_first`` of ``order`` are centers. Then whoever comes in order with none of its strong
    neighbors in a group takes all of them. j is strong for i where its weight is ``share`` of the strongest
    of either.
    """
    count = 0
    for k in range(n_first):
        owner[order[k]], centers[count], sizes[count] = count, order[k], 1
        count += 1
    for k in range(n_first, len(order)):
        i = order[k]
        if owner[i] >= 0:
            continue
        alone = True
        for q in range(indptr[i], indptr[i + 1]):
            j = indices[q]
            if j != i and owner[j] >= 0 and -data[q] >= share * min(strongest[i], strongest[j]):
                alone = False
                break
        if alone:
            owner[i], centers[count], sizes[count] = count, i, 1
            for q in range(indptr[i], indptr[i + 1]):
                j = indices[q]
                strong = -data[q] > 0.0 and -data[q] >= share * min(strongest[i], strongest[j])
                if j != i and strong and sizes[count] < most:
                    owner[j] = count
                    sizes[count] += 1
            count += 1
    return count


@kernel
def found_on_links(
    indptr: Array,
    links: Array,
    order: Array,
    n_first: int,
    most: int,
    owner: Array,
    centers: Array,
    sizes: Array,
) -> int:
    """As `found_groups`, from the strong neighbors of each sample alone, in the order of its row."""
    count = 0
    for k in range(n_first):
        owner[order[k]], centers[count], sizes[count] = count, order[k], 1
        count += 1
    for k in range(n_first, len(order)):
        i = order[k]
        if owner[i] >= 0:
            continue
        alone = True
        for q in range(indptr[i], indptr[i + 1]):
            if owner[links[q]] >= 0:
                alone = False
                break
        if alone:
            owner[i], centers[count], sizes[count] = count, i, 1
            for q in range(indptr[i], indptr[i + 1]):
                if sizes[count] < most:
                    owner[links[q]] = count
                    sizes[count] += 1
            count += 1
    return count


@kernel
def join_groups(
    indptr: Array,
    indices: Array,
    data: Array,
    waiting: Array,
    rows: Array,
    n_groups: int,
    most: int,
    owner: Array,
    centers: Array,
    sizes: Array,
) -> int:
    """The samples that are in no group, in order, join that of their strongest neighbor, or stay alone.

    Sample ``waiting[k]`` has the row ``rows[k]`` of the matrix. Returns how many groups there are then.
    """
    count = n_groups
    for k in range(len(waiting)):
        i = waiting[k]
        best, weight = -1, 0.0
        for q in range(indptr[rows[k]], indptr[rows[k] + 1]):
            c = owner[indices[q]]
            if -data[q] > weight and 0 <= c < n_groups and sizes[c] < most:
                best, weight = c, -data[q]
        if best < 0:
            best, centers[count], sizes[count] = count, i, 0
            count += 1
        owner[i] = best
        sizes[best] += 1
    return count


@stoppable
@kernel
def between_groups(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    data: Array,
    owner: Array,
    members: Array,
    ends: Array,
    ground: Array,
) -> tuple[Array, Array, Array]:
    """Rows start..stop of the groups' matrix: entries of each, columns ascending, values.

    Group c has the samples ``members[ends[c]:ends[c + 1]]``. The diagonal, stored, is the sum of the weights
    and of ``ground[c]``, which is what the rows of the group sum up to.
    """
    room = stop - start
    for k in range(ends[start], ends[stop]):
        room += indptr[members[k] + 1] - indptr[members[k]]
    counts = np.zeros(stop - start, np.int64)
    columns, values = np.empty(room, np.int32), np.empty(room)
    total, seen = np.zeros(len(ends) - 1), np.full(len(ends) - 1, -1, np.int32)
    end = 0
    for c in range(start, stop):
        first = end
        columns[end], seen[c] = c, c
        end += 1
        degree = ground[c]
        for k in range(ends[c], ends[c + 1]):
            i = members[k]
            for q in range(indptr[i], indptr[i + 1]):
                other = owner[indices[q]]
                if other == c:
                    continue
                if seen[other] != c:
                    seen[other] = c
                    columns[end] = other
                    end += 1
                total[other] += data[q]
        columns[first:end].sort()
        here = first
        for at in range(first, end):
            values[at] = total[columns[at]]
            total[columns[at]] = 0.0
            degree -= values[at]
            if columns[at] == c:
                here = at
        values[here] = degree
        counts[c - start] = end - first
    return counts, columns[:end].copy(), values[:end].copy()
