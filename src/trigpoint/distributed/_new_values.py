"""Values for new samples on a cluster, as `trigpoint.extend`.

Each block of the pool's features tells its nearest to every new sample, and the nearest of all blocks are
kept; the search is exact. With d_j their distances, s_j the scales of the pool's samples and c the sharpness
of the graph, the new value is the mean of the neighbors' values with the weights exp(-c d_j^2 / (s s_j)), s
the distance to the last.
"""

from itertools import pairwise
from operator import getitem
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_choice, check_features, check_integer, check_pool_values
from trigpoint.alignment import (
    PERPLEXITY,
    block_powers,
    block_sample,
    check_perplexity,
    filled_scales,
    last_distances,
    sampled_lists,
    tuning,
)
from trigpoint.distributed._cluster import Job
from trigpoint.distributed._features import Features, features
from trigpoint.distributed._partitions import DistributedGraph
from trigpoint.graph import NeighborGraph, nearest_in_part, nearest_of_parts
from trigpoint.propagation import coincide, weighted_means

WEIGHTS = ("self_tuning", "binary")
ROWS = 20_000  # new samples that one task takes


def predict(
    graph: DistributedGraph,
    X: Any,
    X_new: Any,
    values: Any,
    *,
    weights: str = "self_tuning",
    n_neighbors: int | None = None,
    perplexity: float | None = PERPLEXITY,
) -> Floats:
    """Values of new samples from those of the pool, on a cluster.

    Parameters
    ----------
    graph : DistributedGraph
        The pool's graph, made from features.
    X : the pool, as for `trigpoint.distributed.neighbor_graph`
    X_new : (m, p) array
    values : (n,) or (n, d)
        Values of the pool, such as `propagate` returns; NaN where unknown.
    weights : "self_tuning" or "binary"
    n_neighbors : int, optional
        Default: as in the graph.
    perplexity : float > 1, or None
        Of "self_tuning", as for `trigpoint.laplacian`.

    Returns
    -------
    (m,) or (m, d) float64
        As `trigpoint.extend`: NaN where no neighbor has a value.

    Notes
    -----
    Cost: the neighbors of m new samples among n, about m n p multiplications, shared by the workers.

    See Also
    --------
    trigpoint.extend : on one machine.
    """
    if not isinstance(graph, DistributedGraph):
        raise TypeError(f"graph must be a DistributedGraph; got {type(graph).__name__}: scatter makes one.")
    if graph.metric not in ("euclidean", "cosine"):
        raise InputError("graph", "must be made from features", f"metric={graph.metric!r}")
    check_choice(weights, "weights", WEIGHTS)
    check_perplexity(perplexity)
    n = graph.n_samples
    values = check_pool_values(values, n)
    with Job(graph.client, "predict") as job:
        those = features(job, X, graph.metric, len(graph.partitions))
        if those.n_samples != n:
            raise InputError("X", f"must hold the {n} samples of the graph", those.n_samples)
        new = check_features(X_new, "X_new", n_features=those.n_features)
        k = n_neighbors
        if k is None:
            k = int(job.result("graph", job.submit("graph", _usual, list(graph.partitions))))
        k = check_integer(k, "n_neighbors", 1, n, f" for {n} samples")
        distances, indices = _nearest(job, those, _as_rows(new, graph.metric), k, graph.metric)
        known = values.reshape(n, -1)[indices]
        exponents = np.where(np.isfinite(distances), 0.0, np.inf)
        if weights == "self_tuning":
            exponents = _exponents(job, graph, distances, indices, perplexity)
    means = weighted_means(exponents, known)
    same = coincide(graph.metric, distances)
    touching = same.any(axis=1)
    means[touching] = weighted_means(np.where(same, 0.0, np.inf)[touching], known[touching])
    return means.reshape((-1, *values.shape[1:]))


def _as_rows(new: Array, metric: str) -> Array:
    if metric != "cosine":
        return new
    lengths = np.linalg.norm(new.astype(np.float64), axis=1)
    if lengths.min() == 0.0:
        raise InputError(
            "X_new", "must have no row of zeros for metric='cosine' on a cluster", int(lengths.argmin())
        )
    return np.asarray(new / lengths[:, None])


def _usual(blocks: list[NeighborGraph]) -> int:
    """K of the graph, or the median length of its lists."""
    return max(1, int(np.median(np.concatenate([np.diff(block.indptr) for block in blocks]))))


def _nearest(job: Job, those: Features, new: Array, k: int, metric: str) -> tuple[Floats, Ints]:
    chunks = []
    for start in range(0, len(new), ROWS):
        queries = job.submit("new", _itself, new[start : start + ROWS])
        parts = [
            job.submit("nearest", _in_block, part, queries, int(a), k)
            for part, (a, _) in zip(those.partitions, pairwise(those.bounds), strict=True)
        ]
        chunks.append(job.submit("nearest", nearest_of_parts, parts, k))
    found = job.results("neighbors", chunks)
    squared, indices = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return squared / 2 if metric == "cosine" else np.sqrt(squared), indices


def _itself(rows: Array) -> Array:
    return rows


def _in_block(block: Array, queries: Array, first: int, k: int) -> tuple[Floats, Ints]:
    squared, places = nearest_in_part(block, queries, k)
    return squared, places + first


def _exponents(
    job: Job, graph: DistributedGraph, distances: Floats, indices: Ints, perplexity: float | None
) -> Floats:
    """c d^2 / (s s_j), with the typical scale in place of 0."""
    parts = graph.partitions
    both = job.submit("scales", _filled, job.each("scales", last_distances, parts))
    scales = job.submit("scales", getitem, both, 0)
    powers = [
        job.submit("exponents", block_powers, rows, scales, int(a))
        for rows, a in zip(parts, graph.bounds, strict=False)
    ]
    least = job.each("sharpness", _least, powers)
    counts = job.results("sharpness", job.each("sharpness", len, least))
    samples = job.each("sharpness", block_sample, parts, powers, sampled_lists(counts))
    c, _ = job.result("sharpness", job.submit("sharpness", tuning, samples, least, perplexity))
    near, typical = job.result("scales", job.submit("scales", _some_scales, both, indices))
    last = distances.max(axis=1, keepdims=True)
    own = np.where(last > 0, last, typical)
    return np.asarray(c * (distances / own) * (distances / near))


def _filled(lasts: list[Floats]) -> tuple[Floats, float]:
    return filled_scales(np.concatenate(lasts))


def _least(powers: Any) -> Floats:
    least: Floats = powers.least
    return least


def _some_scales(both: tuple[Floats, float], indices: Ints) -> tuple[Floats, float]:
    return both[0][indices], both[1]
