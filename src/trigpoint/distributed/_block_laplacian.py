"""The Laplacian on a cluster: the maths of `alignment/_block_rows`, one task for each block and step.

    scales of all samples ─▶ exponents of a block ─▶ c, m of the graph ─▶ W of a block ─▶
    W^T by pairs of blocks ─▶ max(W, W^T) of a block ─▶ phi of a block

Between workers travel the scales, 8 n bytes to each, a few numbers, and every edge once. Partitions of the
graph are cut into blocks of about `ROWS` samples. What is made of a block lies on its worker's disk until it
is needed (`_shelf`), so a worker holds its lists and what one block is made into.
"""

from itertools import pairwise
from operator import getitem
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats, Sparse
from trigpoint.alignment import (
    PERPLEXITY,
    Shape,
    block_powers,
    block_sample,
    check_weights,
    filled_scales,
    laplacian_block,
    last_distances,
    plain_block,
    sampled_lists,
    symmetric_block,
    tuned_block,
    tuning,
    turned,
    warn_of_underflow,
)
from trigpoint.distributed._cluster import Job, worker_memory
from trigpoint.distributed._partitions import DistributedGraph, DistributedMatrix, rows_of_graph
from trigpoint.graph import NeighborGraph

ROWS = 1 << 16  # samples of a block, or a few more
BLOCKS = 8  # of a worker, at most, unless the graph has more partitions: each sends to each


def laplacian(
    graph: DistributedGraph,
    weights: str = "auto",
    *,
    normalized: bool = False,
    sigma: float | None = None,
    perplexity: float | None = PERPLEXITY,
) -> DistributedMatrix:
    """The Laplacian of a distributed graph, equal to `trigpoint.laplacian` of the whole to the last bit.

    Parameters
    ----------
    graph : DistributedGraph
    weights, normalized, sigma, perplexity
        As for `trigpoint.laplacian`.

    Returns
    -------
    DistributedMatrix, in the partitions of the graph, or smaller ones; it lies on the workers' disks

    Notes
    -----
    Cost: O(m) for m edges, shared by the workers. Rows of neighbors on other workers are moved: a tenth of
    the bytes of the graph or less.

    See Also
    --------
    trigpoint.laplacian : on one machine.
    """
    if not isinstance(graph, DistributedGraph):
        raise TypeError(f"graph must be a DistributedGraph; got {type(graph).__name__}: scatter makes one.")
    n = graph.n_samples
    check_weights(Shape(n, None, n), weights, sigma, perplexity)
    if weights == "own" and not graph.own_weights:
        raise InputError("weights='own'", "needs a graph with similarities of its own; this one has none")
    if weights == "auto":
        weights = "own" if graph.own_weights else "self_tuning"
    with Job(graph.client, "laplacian") as job:
        lists = _Lists(job, graph)
        bounds, m = lists.bounds, len(lists.bounds) - 1
        W = _directed(lists, weights, sigma, perplexity)
        pieces = job.in_turn("turn", turned, W, [bounds] * m, shelves=True)
        homes, first = job.homes(m), bounds[:-1].tolist()
        given = [
            [_piece(job, one, t, home) for one, home in zip(pieces, homes, strict=True)] for t in range(m)
        ]
        del pieces
        if normalized:
            whole = job.in_turn("symmetric", symmetric_block, W, given, shelves=True)
            del W, given
            totals = job.submit("degrees", _joined, job.each("degrees", getitem, whole, [1] * m))
            phi = job.in_turn("phi", laplacian_block, whole, first, [totals] * m, shelves=True)
            del whole
        else:
            phi = job.in_turn("phi", _plain, W, given, first, shelves=True)
            del W, given
        job.wait("laplacian", phi)
    return DistributedMatrix(graph.client, tuple(phi), bounds)


def _piece(job: Job, pieces: Any, t: int, home: dict[str, Any]) -> Any:
    return job.submit("turn", getitem, pieces, t, opens=False, **home)


class _Lists:
    """The lists of a graph in blocks of `ROWS` samples or a few more, each within one partition."""

    def __init__(self, job: Job, graph: DistributedGraph) -> None:
        m, n = len(graph.partitions), graph.n_samples
        wanted = min(n // ROWS, BLOCKS * len(worker_memory(job.client)))
        self.job, self.n, cuts = job, n, max(1, -(-wanted // m))
        self.parts: list[Any] = []  # the partition of each block, and its rows there
        bounds = [0]
        for part, (a, b) in zip(graph.partitions, pairwise(graph.bounds.tolist()), strict=True):
            ends = np.unique(np.arange(cuts + 1) * (b - a) // cuts).tolist()
            self.parts += [(part, *run) for run in pairwise(ends)]
            bounds += [a + end for end in ends[1:]]
        self.bounds = np.array(bounds, dtype=np.int64)

    def each(self, step: str, function: Any, *columns: Any, shelves: bool = False) -> list[Any]:
        """A task for each block; what is no list is for all."""
        m = len(self.parts)
        lists = [column if isinstance(column, list) else [column] * m for column in columns]
        parts, starts, stops = (list(some) for some in zip(*self.parts, strict=True))
        return self.job.each(step, _of_rows, [function] * m, parts, starts, stops, *lists, shelves=shelves)


def _of_rows(function: Any, part: NeighborGraph, start: int, stop: int, *args: Any) -> Any:
    return function(rows_of_graph(part, start, stop), *args)


def _directed(lists: _Lists, weights: str, sigma: float | None, perplexity: float | None) -> list[Any]:
    """Futures of the weights of each block's own lists."""
    job, n = lists.job, lists.n
    scales: Any = None
    if weights == "self_tuning" or (weights == "heat" and sigma is None):
        scales = job.submit("scales", _filled, lists.each("scales", last_distances))
    if weights != "self_tuning":
        if scales is not None:
            sigma = job.submit("scales", getitem, scales, 1)
        W = lists.each("weights", plain_block, weights, sigma, n, shelves=True)
        if weights == "heat":
            counts = np.sum(job.results("weights", job.each("weights", _lost, W)), axis=0)
            warn_of_underflow(int(counts[0]), int(counts[1]))
        return W
    scales = job.submit("scales", getitem, scales, 0)
    powers = lists.each("exponents", block_powers, scales, lists.bounds[:-1].tolist(), shelves=True)
    least = job.each("sharpness", _least, powers)
    counts = job.results("exponents", job.each("sharpness", len, least))
    samples = lists.each("sharpness", block_sample, powers, sampled_lists(counts))
    c_and_middle = job.submit("sharpness", tuning, samples, least, perplexity)
    return lists.each("weights", tuned_block, powers, c_and_middle, n, shelves=True)


def _filled(lasts: list[Floats]) -> tuple[Floats, float]:
    return filled_scales(np.concatenate(lasts))


def _plain(W: Sparse, pieces: list[Sparse], first: int) -> Sparse:
    """In one task, so that no worker holds max(W, W^T) of all its blocks."""
    return laplacian_block(symmetric_block(W, pieces), first)


def _joined(parts: list[Floats]) -> Floats:
    return np.concatenate(parts)


def _least(powers: Any) -> Floats:
    least: Floats = powers.least
    return least


def _lost(W: Any) -> tuple[int, int]:
    """Entries that are 0, and all entries."""
    return W.nnz - int(np.count_nonzero(W.data)), W.nnz
