"""All of phi on one worker: block after block is copied into its place.

A task that takes all blocks would hold what the others sent beside the whole that it makes of them. Here a
block has left when the next one comes. Each task writes its own rows into arrays that it got from the task
before, so a task that is done again writes the same numbers into the same places.
"""

from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Sparse
from trigpoint.distributed._cluster import Job, at
from trigpoint.distributed._partitions import DistributedMatrix

Rows = tuple[Array, Array, Array]  # indptr, indices, data


def whole_matrix(job: Job, phi: DistributedMatrix, worker: str) -> Any:
    """The future of phi as a `csr_array` on this worker, or on another one if it dies."""
    where = at(worker)
    counts = job.results("size", job.each("size", _entries, phi.partitions))
    starts = np.concatenate([[0], np.cumsum(counts)])
    held = job.submit("whole", _room, phi.shape[0], int(starts[-1]), **where)
    for block, row, entry in zip(phi.partitions, phi.bounds.tolist(), starts.tolist(), strict=False):
        held = job.submit("whole", _with_rows, held, block, row, entry, **where)
    return job.submit("whole", _matrix, held, **where)


def _entries(rows: Sparse) -> int:
    return int(rows.nnz)


def _room(n: int, entries: int) -> Rows:
    index = np.int32 if max(n, entries) < 2**31 else np.int64
    return np.zeros(n + 1, index), np.empty(entries, index), np.empty(entries)


def _with_rows(held: Rows, rows: Sparse, row: int, entry: int) -> Rows:
    indptr, indices, data = held = (
        held if held[0].flags.writeable else (held[0].copy(), held[1].copy(), held[2].copy())
    )  # what another process sent may be read-only
    indptr[row + 1 : row + 1 + rows.shape[0]] = rows.indptr[1:] + entry
    indices[entry : entry + rows.nnz], data[entry : entry + rows.nnz] = rows.indices, rows.data
    return held


def _matrix(held: Rows) -> Sparse:
    indptr, indices, data = held
    n = len(indptr) - 1
    return sparse.csr_array((data, indices, indptr), shape=(n, n))
