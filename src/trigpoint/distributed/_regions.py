"""Regions: a pool on a cluster, cut along its graph instead of along its rows.

Seeds, one in `REGION` samples, grow along the strongest edges until they meet (`_block_parts`); samples that
no seed reaches form regions by their numbers. So regions are as compact as the graph lets them be, and do
not depend on partitions. Each block then sends every region the rows that belong to it, on the columns that
do so too.
"""

from operator import getitem
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Ints, Sparse
from trigpoint.distributed._block_parts import adopted, joined, seeded
from trigpoint.distributed._cluster import Job
from trigpoint.distributed._partitions import DistributedMatrix

REGION = 20_000  # samples, about
ROUNDS = 60
ASK = 10  # rounds between two looks at whether any sample is left


def region_of_each(job: Job, phi: DistributedMatrix) -> Any:
    """The future of (n,) int64, the region of each sample, numbered from 0 without gaps."""
    n, rows = phi.shape[0], list(phi.partitions)
    first, nobody = [int(a) for a in phi.bounds[:-1]], [None] * len(rows)
    region = job.submit("regions", _seeds, n, max(1, n // REGION))
    left = n
    for k in range(ROUNDS):
        region = job.submit(
            "regions", joined, job.each("regions", adopted, rows, first, [region] * len(rows), nobody)
        )
        if k % ASK == ASK - 1:
            before, left = left, job.result("regions", job.submit("regions", _count_left, region))
            if left in (0, before):
                break
    return job.submit("regions", _whole_numbers, region)


def region_matrices(job: Job, phi: DistributedMatrix, region: Any, sizes: Ints) -> list[Any]:
    """For each region the future of its samples and its part of phi."""
    cut = [
        job.submit("cut", _cut, rows, int(a), region, len(sizes))
        for rows, a in zip(phi.partitions, phi.bounds, strict=False)
    ]
    return [
        job.submit("cut", _put_together, [job.submit("cut", getitem, one, g) for one in cut])
        for g in range(len(sizes))
    ]


def _seeds(n: int, count: int) -> Ints:
    return seeded(np.ones(n, dtype=bool), count)


def _count_left(region: Ints) -> int:
    return int(np.count_nonzero(region < 0))


def _whole_numbers(region: Ints) -> Ints:
    left = region < 0
    number = np.where(left, region.max() + 1 + np.arange(len(region)) // REGION, region)
    return np.unique(number, return_inverse=True)[1].astype(np.int64)


def _cut(rows: Sparse, first: int, region: Ints, count: int) -> list[tuple[Array, Sparse]]:
    """Of a block, for each region: its samples there, and their rows on the columns of the region."""
    own = region[first : first + rows.shape[0]]
    place = _places(region, count)
    row_of = np.repeat(np.arange(len(own)), np.diff(rows.indptr))
    inside = region[rows.indices] == own[row_of]
    sizes = np.bincount(region, minlength=count)
    kept = sparse.csr_array(
        (
            rows.data[inside],
            place[rows.indices[inside]],
            np.concatenate([[0], np.cumsum(inside)])[rows.indptr],
        ),
        shape=(len(own), int(sizes.max())),
    )
    there = [np.flatnonzero(own == g) for g in range(count)]
    return [(some + first, kept[some][:, : sizes[g]]) for g, some in enumerate(there)]


def _places(region: Ints, count: int) -> Ints:
    """The number of each sample within its region."""
    order = np.argsort(region, kind="stable")
    starts = np.searchsorted(region[order], np.arange(count))
    place = np.empty(len(region), dtype=np.int64)
    place[order] = np.arange(len(region)) - starts[region[order]]
    return place


def _put_together(pieces: list[tuple[Array, Sparse]]) -> tuple[Ints, Sparse]:
    samples = np.concatenate([some for some, _ in pieces])
    return samples, sparse.csr_array(sparse.vstack([rows for _, rows in pieces], format="csr"))
