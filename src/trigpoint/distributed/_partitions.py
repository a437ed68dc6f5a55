"""A graph or an alignment matrix on a cluster: blocks of rows, each a future that a worker holds.

The records are small and frozen. Block b has the rows ``bounds[b]`` to ``bounds[b + 1]``, as a
`NeighborGraph` or a `csr_array` of these rows, with the numbers of all samples in its columns. Futures belong
to their client, and so do the records.

What `scatter` sends travels in tasks that the scheduler keeps, so that a dead worker loses nothing. So it is
for what one machine has anyway; larger pools are built on the cluster, from a file or a Dask array.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._types import Ints, Sparse
from trigpoint._validation import check_alignment, check_integer
from trigpoint.distributed._cluster import Job, current_client, worker_memory
from trigpoint.graph import NeighborGraph

LEAST_ROWS = 1000  # of a block, unless somebody asks for less
BLOCK_SHARE = 0.05  # of a worker's memory that a block may take: a task holds a few of them


@dataclass(frozen=True, eq=False)
class DistributedGraph:
    """A neighbor graph whose lists lie on workers.

    Attributes
    ----------
    client : distributed.Client
    partitions : futures of `NeighborGraph`, block by block
    bounds : (m + 1,) int64, the first row of each block, and n
    metric, method, recall : as of `NeighborGraph`
    own_weights : whether it has similarities of its own
    """

    client: Any
    partitions: tuple[Any, ...]
    bounds: Ints
    metric: str
    method: str
    recall: float
    own_weights: bool = False

    @property
    def n_samples(self) -> int:
        return int(self.bounds[-1])

    def gather(self) -> NeighborGraph:
        """The whole graph, in this process."""
        with Job(self.client, "graph-gather") as job:
            return joined_graph(job.results("gather", self.partitions))


@dataclass(frozen=True, eq=False)
class DistributedMatrix:
    """An alignment matrix whose rows lie on workers.

    Attributes
    ----------
    client : distributed.Client
    partitions : futures of `csr_array`, (rows, n), block by block
    bounds : (m + 1,) int64, the first row of each block, and n
    """

    client: Any
    partitions: tuple[Any, ...]
    bounds: Ints

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.bounds[-1]), int(self.bounds[-1])

    def gather(self) -> Sparse:
        """The whole matrix, a `csr_array` in this process."""
        with Job(self.client, "phi-gather") as job:
            return joined_matrix(job.results("gather", self.partitions))


def scatter(thing: Any, client: Any = None, n_partitions: int | None = None) -> Any:
    """A graph or an alignment matrix of this process, on the cluster.

    Parameters
    ----------
    thing : NeighborGraph, or (n, n) symmetric sparse matrix
    client : distributed.Client, optional
        Default: the current one.
    n_partitions : int, optional
        Blocks of rows; default two for each worker, more where they would not fit its memory.

    Returns
    -------
    DistributedGraph or DistributedMatrix

    Notes
    -----
    Cost: the bytes of the graph or matrix are moved once.

    See Also
    --------
    trigpoint.distributed.neighbor_graph : makes the graph where it is needed.
    """
    client = current_client(client)
    is_graph = isinstance(thing, NeighborGraph)
    if not is_graph:
        thing = sparse.csr_array(check_alignment(thing))
    n = thing.n_samples if is_graph else thing.shape[0]
    size = 12 * len(thing.indices) + 8 * n
    bounds = row_bounds(n, size, client, n_partitions)
    cut = rows_of_graph if is_graph else _rows_of_matrix
    with Job(client, "scatter") as job:
        parts = tuple(
            job.each("rows", _itself, [cut(thing, a, b) for a, b in pairwise(bounds)], shelves=True)
        )
        job.wait("scatter", parts)
    if is_graph:
        own = thing.similarities is not None
        return DistributedGraph(client, parts, bounds, thing.metric, thing.method, thing.recall, own)
    return DistributedMatrix(client, parts, bounds)


def check_matrix(phi: Any) -> None:
    if not isinstance(phi, DistributedMatrix):
        raise TypeError(
            f"phi must be a DistributedMatrix; got {type(phi).__name__}: distributed.scatter makes one."
        )


def matrix_bytes(job: Job, phi: DistributedMatrix) -> int:
    """Bytes of all of phi."""
    return int(sum(job.results("size", job.each("size", _bytes, phi.partitions))))


def _bytes(rows: Sparse) -> int:
    return int(rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes)


def row_bounds(n: int, size: float, client: Any, n_partitions: int | None = None) -> Ints:
    """Even blocks of n rows that take ``size`` bytes together."""
    if n_partitions is None:
        room = worker_memory(client)
        fitting = int(np.ceil(size / (BLOCK_SHARE * min(room.values()))))
        n_partitions = min(max(2 * len(room), fitting), max(1, n // LEAST_ROWS))
    m = check_integer(n_partitions, "n_partitions", 1, n, f" for {n} samples")
    return np.arange(m + 1, dtype=np.int64) * n // m


def joined_graph(blocks: list[NeighborGraph]) -> NeighborGraph:
    like = blocks[0]
    counts = np.concatenate([np.diff(block.indptr) for block in blocks])
    own = None
    if like.similarities is not None:
        own = np.concatenate([block.similarities for block in blocks])
    return NeighborGraph(
        np.concatenate([[0], np.cumsum(counts)]),
        np.concatenate([block.indices for block in blocks]),
        np.concatenate([block.distances for block in blocks]),
        own,
        like.metric,
        like.method,
        like.recall,
    )


def joined_matrix(blocks: list[Sparse]) -> Sparse:
    counts = np.concatenate([np.diff(block.indptr) for block in blocks])
    indptr = np.concatenate([[0], np.cumsum(counts)])
    indices = np.concatenate([block.indices for block in blocks])
    data = np.concatenate([block.data for block in blocks])
    return sparse.csr_array((data, indices, indptr), shape=(len(counts), blocks[0].shape[1]))


def _itself(block: Any) -> Any:
    return block


def rows_of_graph(graph: NeighborGraph, a: int, b: int) -> NeighborGraph:
    entries = slice(graph.indptr[a], graph.indptr[b])
    own = None if graph.similarities is None else graph.similarities[entries].copy()
    return NeighborGraph(
        graph.indptr[a : b + 1] - graph.indptr[a],
        graph.indices[entries].copy(),
        graph.distances[entries].copy(),
        own,
        graph.metric,
        graph.method,
        graph.recall,
    )


def _rows_of_matrix(phi: Sparse, a: int, b: int) -> Sparse:
    return phi[a:b]
