"""Connected parts and aggregates of a matrix whose rows lie in blocks.

Parts: a block joins the samples that its rows link, which gives a label for each of the n samples. Two such
labelings are joined where a sample has one label in each: the parts of a bipartite graph of n links. So m
labelings become one in log m rounds.

Aggregates: some samples are seeds, and in every round a sample without an owner takes that of the neighbor to
which it is tied hardest, among those that have one. Neither depends on where rows are cut.
"""

import numpy as np
from scipy.sparse import csgraph, csr_array

from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.propagation import NEGLIGIBLE

NOBODY = -1


def block_diagonal(rows: Sparse, first: int) -> Floats:
    diagonal: Floats = rows.diagonal(first)
    return diagonal


def block_labels(rows: Sparse, first: int, diagonal: Floats) -> tuple[Array, int]:
    """A label for each sample, the same for those that the rows link; and the links that only one side feels.

    Links are the entries above `NEGLIGIBLE` of the lesser of the two diagonals, as in `propagation.reach`.
    """
    n = rows.shape[1]
    own = np.repeat(diagonal[first : first + rows.shape[0]], np.diff(rows.indptr))
    other, entries = diagonal[rows.indices], np.abs(rows.data)
    keep = entries > NEGLIGIBLE * np.minimum(own, other)
    one_sided = int(np.count_nonzero(keep & (entries <= NEGLIGIBLE * np.maximum(own, other))))
    ends = np.concatenate([[0], np.cumsum(keep)])[rows.indptr]
    indptr = np.full(n + 1, ends[-1])
    indptr[: first + 1] = 0
    indptr[first : first + len(ends)] = ends
    links = csr_array((np.ones(ends[-1], np.int8), rows.indices[keep], indptr), shape=(n, n))
    return csgraph.connected_components(links, connection="weak")[1].astype(np.int32), one_sided


def joined_labels(one: tuple[Array, int], other: tuple[Array, int]) -> tuple[Array, int]:
    a, b = one[0], other[0]
    rows, columns = int(a.max()) + 1, int(b.max()) + 1
    links = csr_array((np.ones(len(a), np.int8), (a, b + rows)), shape=(rows + columns, rows + columns))
    parts = csgraph.connected_components(links, connection="weak")[1].astype(np.int32)
    return parts[a], one[1] + other[1]


def seeded(among: Array, count: int) -> Ints:
    """(n,) the number of the seed at ``count`` evenly spaced samples of ``among``, else -1."""
    there = np.flatnonzero(among)
    owner = np.full(len(among), NOBODY, dtype=np.int64)
    some = there[np.linspace(0, len(there) - 1, min(count, len(there))).astype(np.int64)]
    owner[some] = np.arange(len(some))
    return owner


def adopted(rows: Sparse, first: int, owner: Ints, among: Array | None) -> Ints:
    """The owners of a block's samples after one more round; only those of ``among`` take part."""
    own = slice(first, first + rows.shape[0])
    mine = owner[own].copy()
    there = owner[rows.indices] != NOBODY
    strength = np.where(there, np.abs(rows.data), 0.0)
    wanting = mine == NOBODY
    if among is not None:
        wanting &= among[own]
    filled = np.diff(rows.indptr) > 0
    starts = rows.indptr[:-1][filled]
    most = np.zeros(len(mine))
    if len(starts):
        most[filled] = np.maximum.reduceat(strength, starts)
    row_of = np.repeat(np.arange(len(mine)), np.diff(rows.indptr))
    best = np.flatnonzero(there & (strength == most[row_of]) & (strength > 0) & wanting[row_of])
    takers, at = np.unique(row_of[best], return_index=True)  # the first of equals: the lowest column
    mine[takers] = owner[rows.indices[best[at]]]
    return mine


def joined(parts: list[Array]) -> Array:
    return np.concatenate(parts)


def coarse_block(rows: Sparse, first: int, owner: Ints, count: int) -> Sparse:
    """P^T A P as far as a block's rows tell, with P the indicator of owners; who has none is left out."""
    row_of = np.repeat(owner[first : first + rows.shape[0]], np.diff(rows.indptr))
    column_of = owner[rows.indices]
    both = (row_of != NOBODY) & (column_of != NOBODY)
    return csr_array((rows.data[both], (row_of[both], column_of[both])), shape=(count, count))
