"""The Laplacian on a cluster: the maths of `alignment/_block_rows`, one task for each block and step.

    scales of all samples ─▶ exponents of a block ─▶ c, m of the graph ─▶ W of a block ─▶
    W^T by pairs of blocks ─▶ max(W, W^T) of a block ─▶ phi of a block

Between workers travel the scales, 8 n bytes to each, a few numbers, and every edge once.
"""

from itertools import pairwise
from operator import getitem
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats
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
from trigpoint.distributed._cluster import Job
from trigpoint.distributed._partitions import DistributedGraph, DistributedMatrix


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
    DistributedMatrix, in the partitions of the graph
    """
    if not isinstance(graph, DistributedGraph):
        raise TypeError(f"graph must be a DistributedGraph; got {type(graph).__name__}: scatter makes one.")
    n, bounds = graph.n_samples, graph.bounds
    check_weights(Shape(n, None, n), weights, sigma, perplexity)
    if weights == "own" and not graph.own_weights:
        raise InputError("weights='own'", "needs a graph with similarities of its own; this one has none")
    if weights == "auto":
        weights = "own" if graph.own_weights else "self_tuning"
    with Job(graph.client, "laplacian") as job:
        W = _directed(job, graph, weights, sigma, perplexity)
        pieces = job.each("turn", turned, W, [bounds] * len(W))
        whole = [
            job.submit(
                "symmetric", symmetric_block, W[t], [job.submit("turn", getitem, one, t) for one in pieces]
            )
            for t in range(len(W))
        ]
        del pieces, W
        first = [int(a) for a in bounds[:-1]]
        if normalized:
            totals = job.submit("degrees", _joined, job.each("degrees", getitem, whole, [1] * len(whole)))
            phi = job.each("phi", laplacian_block, whole, first, [totals] * len(first))
        else:
            phi = job.each("phi", laplacian_block, whole, first)
        del whole
        job.wait("laplacian", phi)
    return DistributedMatrix(graph.client, tuple(phi), bounds)


def _directed(
    job: Job, graph: DistributedGraph, weights: str, sigma: float | None, perplexity: float | None
) -> list[Any]:
    """Futures of the weights of each block's own lists."""
    n, parts = graph.n_samples, graph.partitions
    scales: Any = None
    if weights == "self_tuning" or (weights == "heat" and sigma is None):
        scales = job.submit("scales", _filled, job.each("scales", last_distances, parts))
    if weights != "self_tuning":
        if scales is not None:
            sigma = job.submit("scales", getitem, scales, 1)
        m = len(parts)
        W = job.each("weights", plain_block, parts, [weights] * m, [sigma] * m, [n] * m)
        if weights == "heat":
            counts = np.sum(job.results("weights", job.each("weights", _lost, W)), axis=0)
            warn_of_underflow(int(counts[0]), int(counts[1]))
        return W
    scales = job.submit("scales", getitem, scales, 0)
    powers = [
        job.submit("exponents", block_powers, rows, scales, int(a))
        for rows, (a, _) in zip(parts, pairwise(graph.bounds), strict=True)
    ]
    least = job.each("sharpness", _least, powers)
    counts = job.results("exponents", job.each("sharpness", len, least))
    samples = job.each("sharpness", block_sample, parts, powers, sampled_lists(counts))
    c_and_middle = job.submit("sharpness", tuning, samples, least, perplexity)
    m = len(parts)
    return job.each("weights", tuned_block, parts, powers, [c_and_middle] * m, [n] * m)


def _filled(lasts: list[Floats]) -> tuple[Floats, float]:
    return filled_scales(np.concatenate(lasts))


def _joined(parts: list[Floats]) -> Floats:
    return np.concatenate(parts)


def _least(powers: Any) -> Floats:
    least: Floats = powers.least
    return least


def _lost(W: Any) -> tuple[int, int]:
    """Entries that are 0, and all entries."""
    return W.nnz - int(np.count_nonzero(W.data)), W.nnz
