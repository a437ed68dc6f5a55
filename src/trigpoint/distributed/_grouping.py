"""The groups of a Laplacian whose rows lie on a cluster, those of one machine (`alignment/_group_rows`).

    strongest link of each sample ─▶ strong links of a block ─▶ groups, on one worker
      ─▶ rows of those who are left ─▶ all groups, on that worker
      ─▶ rows of a block by ranges of groups ─▶ rows of the groups' matrix, range by range ─▶ that matrix

One worker gets a few bytes for each strong link, and the matrix of groups. No worker has all of phi, and
about phi itself travels once between workers.
"""

from itertools import pairwise
from operator import getitem
from typing import Any

import numpy as np

from trigpoint._types import Array, Ints
from trigpoint.alignment import (
    block_is_laplacian,
    block_links,
    block_strongest,
    completed,
    cut_by_groups,
    founded,
    groups_of_ranges,
    rows_among,
    rows_of_groups,
)
from trigpoint.distributed._block_parts import block_diagonal, joined
from trigpoint.distributed._cluster import Job, at
from trigpoint.distributed._partitions import DistributedMatrix


def is_laplacian(job: Job, phi: DistributedMatrix) -> bool:
    """Whether phi is a Laplacian without zeros off its diagonal."""
    first = phi.bounds[:-1].tolist()
    return all(job.results("groups", job.each("groups", block_is_laplacian, phi.partitions, first)))


def cluster_groups(job: Job, phi: DistributedMatrix, given: Ints, worker: str) -> tuple[Any, Any]:
    """Futures of the diagonal of a Laplacian, and of its `Groups`; both on this worker, if it lives."""
    rows, first, m = list(phi.partitions), phi.bounds[:-1].tolist(), len(phi.partitions)
    there = at(worker)
    diagonal = job.submit("groups", joined, job.each("groups", block_diagonal, rows, first), **there)
    strongest = job.submit("groups", joined, job.each("groups", block_strongest, rows, first), **there)
    links = job.each("groups", block_links, rows, first, [strongest] * m, shelves=True)
    found = job.submit("groups", founded, links, diagonal, given, **there)
    del links, strongest
    waiting = job.submit("groups", _waiting, found, **there)
    rest = job.each("groups", rows_among, rows, first, [waiting] * m)
    both = job.submit("groups", completed, found, rest, **there)
    del found, rest, waiting
    owner, centers = (job.submit("groups", getitem, both, k, **there) for k in range(2))
    del both
    count = job.result("groups", job.submit("groups", len, centers, **there))
    ends = np.arange(m + 1, dtype=np.int64) * count // m
    pieces = job.in_turn("cut", cut_by_groups, rows, first, [owner] * m, [ends] * m, shelves=True)
    homes = job.homes(m)
    given_to = [
        [
            job.submit("cut", getitem, one, r, opens=False, **home)
            for one, home in zip(pieces, homes, strict=True)
        ]
        for r in range(m)
    ]
    del pieces
    starts, stops = (list(some) for some in zip(*pairwise(ends.tolist()), strict=True))
    ranges = job.in_turn("cut", rows_of_groups, given_to, starts, stops, [count] * m, shelves=True)
    del given_to
    return diagonal, job.submit("groups", groups_of_ranges, owner, centers, ranges, **there)


def _waiting(found: Any) -> Array:
    waiting: Array = found.waiting
    return waiting
