"""Values for samples that were not in the pool.

A new sample joins the graph as one more node, tied to its K nearest pool samples, whose values
stay as they are. Least squares then gives it their weighted mean, z = sum_j w_j z_j / sum_j w_j:

    self_tuning   w_j = exp(-c d_j^2 / (s s_j)), s_j the distance of j to its last listed neighbor
                  and s that of the new sample to its K-th, c the sharpness of the graph
    binary        w_j = 1
    linear        w the shortest of the vectors that minimize |sum_j w_j x_j - x| with sum 1, so
                  that affine functions of flat data are reproduced

Neighbors whose value is NaN are left out, and where all are, so is the new value. A new sample at
distance 0 from pool samples takes the mean of their values. Where the graph was made from given
distances, so are the new sample's neighbors; "linear" then has no features to work on.
"""

from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint._validation import (
    check_choice,
    check_features,
    check_integer,
    check_new_distances,
    check_pool_values,
)
from trigpoint.alignment import PERPLEXITY, check_perplexity, local_scales, sharpness, shortest_weights
from trigpoint.graph import NeighborGraph, nearest, nearest_given

WEIGHTS = ("self_tuning", "binary", "linear")
CHUNK = 2_000_000  # numbers held at once
STEADY = 1e-6  # share of a patch below which its directions are noise
SAME_ANGLE = 1e-28  # cosine distance that rounding leaves between copies of different length


def extend(
    graph: NeighborGraph,
    X: Any,
    X_new: Any,
    values: Any,
    *,
    weights: str = "self_tuning",
    n_neighbors: int | None = None,
    perplexity: float | None = PERPLEXITY,
) -> Floats:
    """Values of new samples from those of the pool.

    Parameters
    ----------
    graph : NeighborGraph
        The pool's graph, made from features or from given distances.
    X : (n, p) array or sparse matrix
        The pool; None where the graph was made from given distances.
    X_new : (m, p) array or sparse matrix
        Where the graph was made from given distances, those to the pool, (m, n).
    values : (n,) or (n, d)
        Values of the pool, such as `propagate` returns; NaN where unknown.
    weights : "self_tuning", "binary" or "linear"
    n_neighbors : int, optional
        Default: as in the graph.
    perplexity : float > 1, or None
        Of "self_tuning", as for `laplacian`.

    Returns
    -------
    (m,) or (m, d) float64
        NaN where no neighbor has a value.

    Notes
    -----
    Cost: a search for the neighbors of the m new samples among the n of the pool, then O(mK).

    See Also
    --------
    ManifoldClassifier, ManifoldRegressor : their predict takes new samples, with the whole mixture.
    ActiveLearner : ``learner.add`` makes new samples part of the pool.

    Examples
    --------
    >>> import numpy as np, trigpoint as tp
    >>> X = np.arange(6.0)[:, None]
    >>> graph = tp.neighbor_graph(X, n_neighbors=2)
    >>> tp.extend(graph, X, [[2.5], [5.0]], 10 * X[:, 0]).round(6)
    array([25., 50.])
    """
    X, X_new = check_new(graph, X, X_new)
    values = check_pool_values(values, graph.n_samples)
    check_choice(weights, "weights", WEIGHTS if X is not None else WEIGHTS[:2])
    check_perplexity(perplexity)
    distances, indices = neighbors_in_pool(graph, X, X_new, n_neighbors)
    known = values.reshape(graph.n_samples, -1)[indices]  # (m, K, d)
    if weights == "linear":
        means = _linear_means(X, X_new, indices, known, graph.metric)
    elif weights == "self_tuning":
        means = weighted_means(exponents(graph, distances, indices, perplexity), known)
    else:
        means = weighted_means(np.where(np.isfinite(distances), 0.0, np.inf), known)
    same = coincide(graph.metric, distances)
    touching = same.any(axis=1)
    means[touching] = weighted_means(np.where(same, 0.0, np.inf)[touching], known[touching])
    return means.reshape((-1, *values.shape[1:]))


def check_new(graph: Any, X: Any, X_new: Any) -> tuple[Any, Any]:
    """The pool (None for given distances) and the new samples, fit for each other."""
    if not isinstance(graph, NeighborGraph):
        raise TypeError(f"graph must be a NeighborGraph; got {type(graph).__name__}.")
    n = graph.n_samples
    if graph.metric == "precomputed":
        if X is not None:
            raise InputError(
                "X", "must be None for a graph made from distances; X_new holds those to the pool"
            )
        return None, check_new_distances(X_new, n)
    if graph.metric not in ("euclidean", "cosine"):
        raise InputError(
            "graph",
            "must be made from features or distances for new samples to have neighbors in it",
            f"metric={graph.metric!r}",
        )
    X = check_features(X)
    if X.shape[0] != n:
        raise InputError("X", f"must hold the {n} samples of the graph", X.shape[0])
    return X, check_features(X_new, "X_new", n_features=X.shape[1])


def neighbors_in_pool(
    graph: NeighborGraph, X: Any, X_new: Any, n_neighbors: int | None
) -> tuple[Floats, Array]:
    """Distances (m, K), ascending, and indices of the pool samples nearest to new ones."""
    k = _default_neighbors(graph) if n_neighbors is None else n_neighbors
    k = check_integer(k, "n_neighbors", 1, graph.n_samples, f" for {graph.n_samples} samples")
    return nearest_given(X_new, k) if X is None else nearest(X, X_new, k, metric=graph.metric)


def coincide(metric: str, distances: Floats) -> Array:
    """Which neighbors are copies of the new sample."""
    return distances <= (SAME_ANGLE if metric == "cosine" else 0.0)


def _default_neighbors(graph: NeighborGraph) -> int:
    """K of the graph, or the median length of its lists."""
    return graph.n_neighbors or max(1, int(np.median(np.diff(graph.indptr))))


def exponents(graph: NeighborGraph, distances: Floats, indices: Array, perplexity: float | None) -> Floats:
    """c d^2 / (s s_j), with the typical scale in place of 0; infinite where there is no neighbor."""
    scales, typical = local_scales(graph)
    last = distances.max(axis=1, keepdims=True, where=np.isfinite(distances), initial=0.0)
    own = np.where(last > 0, last, typical)
    return np.asarray(sharpness(graph, perplexity) * (distances / own) * (distances / scales[indices]))


def weighted_means(exponents: Floats, known: Floats) -> Floats:
    """Means of (m, K, d) values with weights exp(-exponents), over those that are not NaN."""
    there = ~np.isnan(known)
    exponents = np.where(there, exponents[:, :, None], np.inf)
    least = exponents.min(axis=1, keepdims=True)  # so that the nearest weighs 1, however far it is
    weights = np.exp(-(exponents - np.where(np.isfinite(least), least, 0.0)))
    total = weights.sum(axis=1)
    means: Floats = np.divide(
        (weights * np.where(there, known, 0.0)).sum(axis=1),
        total,
        out=np.full(total.shape, np.nan),
        where=total > 0,
    )
    return means


def _linear_means(X: Any, X_new: Any, indices: Array, known: Floats, metric: str) -> Floats:
    """Reconstruct each new sample from its neighbors, and its values from theirs."""
    means = np.empty(known[:, 0].shape)
    there = ~np.isnan(known)
    step = max(1, CHUNK // (indices.shape[1] * X.shape[1]))
    for start in range(0, len(indices), step):
        rows = slice(start, start + step)
        C, floor = _patches(X, X_new, indices[rows], rows, metric)
        weights = _reconstruction(C, floor)
        means[rows] = np.einsum("mk,mkd->md", weights, np.where(there[rows], known[rows], 0.0))
        for i, column in zip(*np.nonzero(~there[rows].all(axis=1)), strict=True):
            kept = there[start + i, :, column]
            w = _reconstruction(C[[i]][:, kept], floor[[i]])[0] if kept.any() else np.full(1, np.nan)
            means[start + i, column] = np.sum(w * known[start + i, kept, column]) if kept.any() else np.nan
    return means


def _patches(X: Any, X_new: Any, indices: Array, rows: slice, metric: str) -> tuple[Floats, Floats]:
    """Neighbors relative to the new sample, (m, K, p), and what rounding may leave of them, (m,)."""
    m, K = indices.shape
    near = _dense(X[indices.ravel()], metric).reshape(m, K, -1)
    new = _dense(X_new[rows], metric)[:, None]
    eps = max(K, near.shape[2]) * np.finfo(np.float64).eps
    return near - new, eps * np.maximum(np.abs(near).max(axis=(1, 2)), np.abs(new).max(axis=(1, 2)))


def _dense(rows: Any, metric: str) -> Floats:
    """Rows as float64; of length 1 for cosine, which knows no lengths (0 where all are zero)."""
    array: Floats = np.asarray(rows.toarray() if sparse.issparse(rows) else rows, dtype=np.float64)
    if metric != "cosine":
        return array
    norms: Floats = np.linalg.norm(array, axis=1, keepdims=True)
    return array / np.where(norms > 0, norms, 1.0)


def _reconstruction(C: Floats, floor: Floats) -> Floats:
    """The shortest best weights (m, K); directions below STEADY of the patch count as none."""
    size = np.sqrt(np.einsum("ijk,ijk->i", C, C))
    return shortest_weights(C, np.zeros(len(C)), np.maximum(floor, STEADY * size))


def copies(graph: NeighborGraph, X: Any, X_new: Any, values: Any) -> Floats:
    """Values of those new samples that are copies of pool samples, the mean of theirs; NaN for all others.

    Parameters are those of `extend`.
    """
    X, X_new = check_new(graph, X, X_new)
    values = check_pool_values(values, graph.n_samples)
    distances, indices = neighbors_in_pool(graph, X, X_new, None)
    same = np.where(coincide(graph.metric, distances), 0.0, np.inf)
    means = weighted_means(same, values.reshape(graph.n_samples, -1)[indices])
    return means.reshape((-1, *values.shape[1:]))
