"""Where the samples of a Laplacian go, so that each worker has a region of the graph.

The groups of the Laplacian (`_grouping`) are grouped again and again, down to `FEW` clumps. These are put in
order along the second eigenvector of their Laplacian, where neighbors come close to each other, samples are
numbered clump by clump and group by group, and this order is cut evenly, between groups. So of the rows of a
worker few name samples of others, and no group lies on two workers.

Every block sends each worker the rows that it gets, in the new numbers.
"""

from dataclasses import dataclass
from itertools import pairwise
from operator import getitem
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, sparse

from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.alignment import Groups, groups
from trigpoint.distributed._cluster import Job, at, roomiest, worker_memory
from trigpoint.distributed._grouping import cluster_groups
from trigpoint.distributed._partitions import DistributedMatrix

FEW = 500  # clumps
MANY = 2500  # of which no eigenvector is computed
FEWER = 0.7  # clumps of clumps, at most; else they are not grouped any more
NONE = np.empty(0, dtype=np.int64)


class Order(NamedTuple):
    """Places of samples, and the groups in the order of places."""

    place: Array  # (n,) int32
    bounds: Ints  # (W + 1,) the first place of each worker
    owner: Array  # (n,) int32, the group at each place; groups are numbered as they are met
    ends: Ints  # (W + 1,) the first group of each worker


@dataclass(frozen=True, eq=False)
class Layout:
    """phi in its new order, one partition a worker."""

    phi: DistributedMatrix
    place: Array  # (n,) of each sample
    owner: Any  # future of (n,) int32, the group at each place
    ranges: list[tuple[int, int]]  # the groups of each partition

    @property
    def n_groups(self) -> int:
        return self.ranges[-1][1]


def laid_out(job: Job, phi: DistributedMatrix) -> Layout:
    """Of a Laplacian that stores no zeros off its diagonal."""
    worker, _ = roomiest(job.client)
    where = at(worker)
    count = len(worker_memory(job.client))
    _, found = cluster_groups(job, phi, NONE, worker)
    order = job.submit("layout", order_of_samples, found, count, **where)
    del found
    place, bounds, owner, groups_of = (job.submit("layout", getitem, order, k, **where) for k in range(4))
    del order
    here, ends, first_group = job.results("layout", [place, bounds, groups_of])
    m, first = len(phi.partitions), phi.bounds[:-1].tolist()
    pieces = job.in_turn("layout", sent, phi.partitions, first, [place] * m, [ends] * m, shelves=True)
    homes = job.homes(m)
    parts = [
        [
            job.submit("layout", getitem, one, w, opens=False, **home)
            for one, home in zip(pieces, homes, strict=True)
        ]
        for w in range(len(ends) - 1)
    ]
    del pieces
    starts, stops = ends[:-1].tolist(), ends[1:].tolist()
    rows = job.each("layout", arrived, parts, starts, stops, [phi.shape[0]] * len(starts), shelves=True)
    del parts
    job.wait("layout", rows)
    laid = DistributedMatrix(phi.client, tuple(rows), ends)
    return Layout(laid, here, owner, list(pairwise(first_group.tolist())))


def order_of_samples(found: Groups, count: int) -> Order:
    """Places for all samples of the groups, cut for so many workers, or fewer if groups are."""
    clump = clumps(found.phi)
    rank = np.empty(len(clump), dtype=np.int64)
    rank[np.lexsort((np.arange(len(clump)), clump))] = np.arange(len(clump))  # of groups
    group = rank[found.owner]
    order = np.argsort(group, kind="stable")
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    starts = np.searchsorted(group[order], np.arange(len(rank) + 1))  # the first place of each group
    wanted = np.arange(count + 1) * len(order) // count
    ends = np.unique(np.searchsorted(starts, wanted))
    return Order(place, starts[ends].astype(np.int64), group[order].astype(np.int32), ends)


def clumps(L: Sparse) -> Ints:
    """The number of the clump of each sample of a Laplacian; clumps of near numbers lie near each other."""
    owner = np.arange(L.shape[0])
    while L.shape[0] > FEW:
        found = groups(L, NONE)
        if len(found.centers) > FEWER * L.shape[0]:
            break
        owner, L = found.owner[owner], found.phi
    return line(L)[owner]


def line(L: Sparse) -> Ints:
    """The rank of each sample of a small Laplacian along its second eigenvector."""
    n = L.shape[0]
    rank = np.arange(n)
    if 2 < n <= MANY:
        degrees = L.diagonal()
        scale = np.divide(1.0, np.sqrt(degrees), where=degrees > 0, out=np.zeros(n))
        vectors: Floats = linalg.eigh(L.toarray() * scale * scale[:, None], subset_by_index=[1, 1])[1]
        rank[np.argsort(vectors[:, 0] * scale, kind="stable")] = np.arange(n)
    return rank


def sent(rows: Sparse, first: int, place: Array, bounds: Ints) -> list[tuple[Array, Sparse]]:
    """For each worker the places of the rows that it gets, and these rows, with places as columns."""
    own, found = place[first : first + rows.shape[0]], []
    for a, b in pairwise(bounds.tolist()):
        some = np.flatnonzero((own >= a) & (own < b))
        part = rows[some]
        arrays = part.data, place[part.indices], part.indptr
        found.append((own[some], sparse.csr_array(arrays, shape=part.shape)))
    return found


def arrived(pieces: list[tuple[Array, Sparse]], a: int, b: int, n: int) -> Sparse:
    """The rows of the places a to b, from what all blocks send."""
    counts = np.zeros(b - a, dtype=np.int64)
    for places, rows in pieces:
        counts[places - a] = np.diff(rows.indptr)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    indices, data = np.empty(indptr[-1], np.int32), np.empty(indptr[-1])
    for places, rows in pieces:
        lengths = np.diff(rows.indptr)
        to = np.repeat(indptr[places - a] - rows.indptr[:-1], lengths) + np.arange(rows.nnz)
        indices[to], data[to] = rows.indices, rows.data
    found = sparse.csr_array(
        (data, indices, indptr.astype(np.int32 if indptr[-1] < 2**31 else np.int64)), shape=(b - a, n)
    )
    found.sort_indices()
    return found
