"""Some rows and columns of a sparse matrix, in a new order."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array


@kernel
def count_kept(
    start: int, stop: int, indptr: Array, indices: Array, samples: Array, place: Array, counts: Array
) -> None:
    """Entries of the new rows start..stop: those of the rows ``samples`` whose columns have a place >= 0."""
    for k in range(start, stop):
        i, count = samples[k], 0
        for q in range(indptr[i], indptr[i + 1]):
            if place[indices[q]] >= 0:
                count += 1
        counts[k] = count


@kernel
def fill_kept(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    data: Array,
    samples: Array,
    place: Array,
    ends: Array,
    columns: Array,
    values: Array,
) -> None:
    """The new rows start..stop, columns ascending."""
    for k in range(start, stop):
        i, first = samples[k], ends[k]
        end = first
        for q in range(indptr[i], indptr[i + 1]):
            column = place[indices[q]]
            if column >= 0:
                at = end
                if end - first < 64:  # by insertion: most rows are short
                    while at > first and columns[at - 1] > column:
                        columns[at], values[at] = columns[at - 1], values[at - 1]
                        at -= 1
                columns[at], values[at] = column, data[q]
                end += 1
        if end - first > 64:
            order = np.argsort(columns[first:end], kind="mergesort")
            columns[first:end] = columns[first:end][order]
            values[first:end] = values[first:end][order]
