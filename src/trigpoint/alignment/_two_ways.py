"""W = max(W, W^T) of a large graph, row block by row block, straight into the arrays of the result.

The lists are turned around once: for each sample its sources, the samples that list it, ascending. A row of
W is then its own list, sorted, merged with its sources, and needs no other row. With L entries in the lists
this takes 4 L bytes for the sources and L for the places of samples in their sources' lists (4 L where a
list has more than 255), the result, and one block. The values are those of `whole_weights` to the last bit:
every entry is weighed by the same formula, and sums go over the same entries in the same order.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array

from trigpoint._kernels import run_blocks
from trigpoint._kernels.two_ways import count_merged, count_sources, fill_sources, merge_rows, place_rows
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.alignment._weighing import Weighing
from trigpoint.graph import NeighborGraph

ROWS = 1 << 14  # that one thread takes at a time
PARTS = 4  # in which lists are turned around
Make: TypeAlias = Callable[[str, int, type], Array]


def in_memory(name: str, size: int, dtype: type) -> Array:
    """How the arrays of a matrix are made by default; others may map a file."""
    return np.empty(size, dtype)


class TwoWays:
    """A graph and its lists turned around, weighed by one formula."""

    def __init__(self, graph: NeighborGraph, weighing: Weighing) -> None:
        self.n, self.weighing = graph.n_samples, weighing
        self.indptr, self.indices = np.asarray(graph.indptr), np.asarray(graph.indices)
        self.ends = np.zeros(self.n + 1, np.int64)
        count_sources(self.indices, self.ends)
        longest = int(np.diff(self.indptr).max(initial=0))
        self.sources = np.empty(len(self.indices), np.int32)
        self.ranks = np.empty(len(self.indices), np.uint8 if longest < 256 else np.int32)
        lists = self.indptr, self.indices, self.ends, self.sources, self.ranks
        run_blocks(lambda start, stop: fill_sources(start, stop, *lists), self.n, -(-self.n // PARTS))

    def rows(self, start: int, stop: int) -> tuple[Ints, Array, Floats]:
        """Rows start..stop of W: entries of each, columns and values; no zeros."""
        room = int(self.indptr[stop] - self.indptr[start] + self.ends[stop] - self.ends[start])
        counts, columns = np.empty(stop - start, np.int64), np.empty(room, np.int32)
        there, back = np.empty(room), np.empty(room)
        lists = self.indptr, self.indices, np.asarray(self.weighing.listed)
        turned = self.ends, self.sources, self.ranks
        size = merge_rows(start, stop, *lists, *turned, counts, columns, there, back)
        columns = columns[:size]
        values = self._weighed(start, counts, columns, there[:size], back[:size])
        if self.weighing.vanishes:
            kept = values != 0.0
            rows = np.repeat(np.arange(stop - start), counts)[kept]
            return np.bincount(rows, minlength=stop - start), columns[kept], values[kept]
        return counts, columns, values

    def _weighed(self, start: int, counts: Ints, columns: Array, there: Floats, back: Floats) -> Floats:
        """The larger one of both directions, which mostly agree."""
        scales = self.weighing.scales
        if scales is None:
            return np.maximum(self.weighing(there), self.weighing(back))
        own, other = np.repeat(scales[start : start + len(counts)], counts), scales[columns]
        values = self.weighing(there, own, other)
        differ = np.flatnonzero(there != back)
        if len(differ):
            again = self.weighing(back[differ], own[differ], other[differ])
            values[differ] = np.maximum(values[differ], again)
        return values

    def counts(self) -> Ints:
        """(n,) entries of each row of W."""
        counts = np.empty(self.n, np.int64)

        def work(start: int, stop: int) -> None:
            if self.weighing.vanishes:
                counts[start:stop] = self.rows(start, stop)[0]
            else:
                count_merged(start, stop, self.indptr, self.indices, self.ends, self.sources, counts)

        run_blocks(work, self.n, ROWS)
        return counts


def two_way_weights(graph: NeighborGraph, weighing: Weighing) -> Sparse:
    """W as a canonical `csr_array`."""
    ways = TwoWays(graph, weighing)
    indptr = ends_of(ways.counts())
    indices, data = np.empty(indptr[-1], np.int32), np.empty(indptr[-1])

    def work(start: int, stop: int) -> None:
        _, columns, values = ways.rows(start, stop)
        indices[indptr[start] : indptr[stop]] = columns
        data[indptr[start] : indptr[stop]] = values

    run_blocks(work, ways.n, ROWS, "weights")
    return _canonical(data, indices, indptr.astype(width_of(indptr)))


def two_way_laplacian(
    graph: NeighborGraph, weighing: Weighing, normalized: bool, make: Make = in_memory
) -> Sparse:
    """D - W, or I - D^-1/2 W D^-1/2, in arrays from ``make(name, size, dtype)``."""
    ways = TwoWays(graph, weighing)
    n, counts = ways.n, ways.counts()
    counts += 1  # the diagonal
    ends = ends_of(counts)
    indptr = make("indptr", n + 1, width_of(ends))
    indptr[:] = ends
    indices, data = make("indices", int(ends[-1]), np.int32), make("data", int(ends[-1]), np.float64)
    totals = np.zeros(n)

    def work(start: int, stop: int) -> None:
        found, columns, values = ways.rows(start, stop)
        row_sums(found, values, totals[start:stop])
        out = ends, np.asarray(indices), np.asarray(data)
        place_rows(start, stop, found, columns, values, totals[start:stop], *out)

    run_blocks(work, n, ROWS, "weights")
    if normalized:
        _normalize(ends, indices, data, totals)
    return _canonical(data, indices, indptr)


def row_sums(counts: Ints, values: Floats, sums: Floats) -> None:
    """Of the rows that hold something, into ``sums``; added up as scipy does, to the last bit."""
    filled = np.flatnonzero(counts)
    if len(filled):
        sums[filled] = np.add.reduceat(values, (np.cumsum(counts) - counts)[filled])


def ends_of(counts: Ints) -> Ints:
    ends = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=ends[1:])
    return ends


def width_of(ends: Ints) -> type:
    """int32 where that will do: beside int64, scipy would widen the indices too."""
    return np.int32 if ends[-1] <= np.iinfo(np.int32).max else np.int64


def _normalize(indptr: Ints, indices: Array, data: Floats, totals: Floats) -> None:
    """From D - W to I - D^-1/2 W D^-1/2, in place."""
    touched = totals > 0
    scale = np.divide(1.0, np.sqrt(totals), where=touched, out=np.zeros_like(totals))

    def work(start: int, stop: int) -> None:
        rows = np.repeat(np.arange(start, stop), np.diff(indptr[start : stop + 1]))
        block = slice(indptr[start], indptr[stop])
        columns = indices[block]
        data[block] *= scale[rows] * scale[columns]
        data[block][rows == columns] = touched[start:stop]

    run_blocks(work, len(totals), ROWS)


def _canonical(data: Floats, indices: Array, indptr: Ints) -> Sparse:
    n = len(indptr) - 1
    matrix = csr_array((data, indices, indptr), shape=(n, n))
    matrix.has_canonical_format = True  # by construction: scipy need not look
    return matrix
