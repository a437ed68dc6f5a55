"""The groups of `_groups` where rows lie in blocks: the same groups, and the same matrix to the last bit.

Who founds a group depends on strong links alone, and on their order in each row: about a third of phi, four
bytes each. So one process finds the groups, from the lists of strong neighbors that the blocks make and then
from the rows of those samples that no group took. The matrix between groups is made in ranges of groups: a
block cuts its rows by the range of their group and writes groups for samples in their columns. Whoever puts
a range together has the rows of a group in the order of its samples, and adds up what one machine adds up.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from trigpoint._kernels import compiled_csr
from trigpoint._kernels.aggregates import between_groups, found_on_links, join_groups, strongest_links
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.alignment._groups import MOST, STRONG, Groups, matrix_of, order_of

ROUNDING = 1e-9  # of a degree: what the row of a Laplacian may sum to


class Links(NamedTuple):
    """Some rows: how many entries each has, and the entries."""

    counts: Array
    columns: Array
    values: Floats | None


@dataclass(frozen=True, eq=False)
class Founded:
    """Groups around their founders, and who is in none yet, in the order in which they are asked."""

    n_groups: int
    owner: Array  # (n,) int32, -1 for none
    centers: Ints  # (n,), of which the first ``n_groups`` count
    sizes: Array
    waiting: Ints


def block_is_laplacian(rows: Sparse, first: int) -> bool:
    """Whether a block's rows are those of a Laplacian that stores no zeros off its diagonal."""
    diagonal = rows.diagonal(first)
    own = rows.indices == np.repeat(np.arange(first, first + rows.shape[0]), np.diff(rows.indptr))
    sums = np.abs(rows @ np.ones(rows.shape[1]))
    return bool((rows.data[~own] < 0.0).all() and (sums <= ROUNDING * diagonal).all())


def block_strongest(rows: Sparse, first: int) -> Floats:
    """The largest weight of each of a block's samples."""
    strongest = np.empty(rows.shape[0])
    strongest_links(*compiled_csr(rows), first, strongest)
    return strongest


def block_links(rows: Sparse, first: int, strongest: Floats) -> Links:
    """The strong neighbors of a block's samples."""
    counts = np.diff(rows.indptr)
    row_of = np.repeat(np.arange(first, first + rows.shape[0]), counts)
    least = STRONG * np.minimum(strongest[row_of], strongest[rows.indices])
    keep = (rows.indices != row_of) & (-rows.data >= least)
    kept = np.bincount(row_of[keep] - first, minlength=rows.shape[0]).astype(np.int32)
    return Links(kept, rows.indices[keep].astype(np.int32, copy=False), None)


def founded(links: list[Links], diagonal: Floats, given: Ints) -> Founded:
    """The groups that the strong links of all blocks make, the first of them around ``given``."""
    n, order = len(diagonal), order_of(diagonal, given)
    indptr = np.concatenate([[0], np.cumsum(np.concatenate([one.counts for one in links]), dtype=np.int64)])
    columns = np.concatenate([one.columns for one in links])
    owner, centers, sizes = np.full(n, -1, np.int32), np.empty(n, np.int64), np.zeros(n, np.int32)
    count = found_on_links(indptr, columns, order, len(given), MOST, owner, centers, sizes)
    return Founded(count, owner, centers, sizes, order[owner[order] < 0])


def rows_among(rows: Sparse, first: int, samples: Ints) -> Links:
    """The rows of a block that are among some samples."""
    mine = np.sort(samples[(samples >= first) & (samples < first + rows.shape[0])]) - first
    some = rows[mine]
    return Links(np.diff(some.indptr), some.indices.astype(np.int32, copy=False), some.data)


def completed(found: Founded, rest: list[Links]) -> tuple[Array, Ints]:
    """The group of each sample and the center of each group, from the rows of all who wait, ascending."""
    indptr = np.concatenate([[0], np.cumsum(np.concatenate([one.counts for one in rest]), dtype=np.int64)])
    columns = np.concatenate([one.columns for one in rest])
    values = np.concatenate([one.values for one in rest])
    owner, centers, sizes = found.owner.copy(), found.centers.copy(), found.sizes.copy()
    at = np.searchsorted(np.sort(found.waiting), found.waiting)
    sets = found.waiting, at, found.n_groups, MOST, owner, centers, sizes
    m = join_groups(indptr, columns, values, *sets)
    return owner, centers[:m].copy()


def cut_by_groups(rows: Sparse, first: int, owner: Array, ends: Ints) -> list[tuple[Array, Links]]:
    """For each range of groups the groups of a block's rows in it, and these rows with groups as columns."""
    own, found = owner[first : first + rows.shape[0]], []
    for start, stop in pairwise(ends.tolist()):
        some = np.flatnonzero((own >= start) & (own < stop))
        part = rows[some]
        found.append((own[some], Links(np.diff(part.indptr), owner[part.indices], part.data)))
    return found


def rows_of_groups(
    pieces: list[tuple[Array, Links]], start: int, stop: int, m: int, ground: Floats | None = None
) -> Links:
    """The rows start..stop of the matrix of m groups, from what all blocks have cut for them, in order."""
    own = np.concatenate([one for one, _ in pieces])
    counts, columns, values = (
        np.concatenate([getattr(links, name) for _, links in pieces]) for name in Links._fields
    )
    indptr = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    members = np.argsort(own, kind="stable").astype(np.int32)
    ends = np.searchsorted(own[members], np.arange(m + 1)).astype(np.int64)
    sums = np.zeros(m) if ground is None else ground
    same = np.arange(m, dtype=np.int32)
    return Links(*between_groups(start, stop, indptr, columns, values, same, members, ends, sums))


def groups_of_ranges(owner: Array, centers: Ints, rows: list[Links]) -> Groups:
    counts, columns, values = (np.concatenate([getattr(one, name) for one in rows]) for name in Links._fields)
    return Groups(centers, owner, matrix_of(counts, columns, values))
