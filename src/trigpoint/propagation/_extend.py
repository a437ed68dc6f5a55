"""Values for samples that were not in the pool.

A new sample joins the graph as one more node, tied to its K nearest pool samples, whose values
stay as they are. Least squares then gives it their weighted mean, z = sum_j w_j z_j / sum_j w_j:

    self_tuning   w_j = exp(-d_j^2 / (s s_j)), s_j the distance of j to its last listed neighbor
                  and s that of the new sample to its K-th
    binary        w_j = 1
    linear        w the shortest of the vectors that minimize |sum_j w_j x_j - x| with sum 1, so
                  that affine functions of flat data are reproduced

Neighbors whose value is NaN are left out, and where all are, so is the new value. A new sample at
distance 0 from pool samples takes the mean of their values.
"""

from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import helmert

from trigpoint._types import Array, Floats
from trigpoint._validation import check_choice, check_features, check_integer, check_pool_values
from trigpoint.graph import NeighborGraph, nearest

WEIGHTS = ("self_tuning", "binary", "linear")
CHUNK = 2_000_000  # numbers held at once


def extend(
    graph: NeighborGraph,
    X: Any,
    X_new: Any,
    values: Any,
    *,
    weights: str = "self_tuning",
    n_neighbors: int | None = None,
) -> Floats:
    """Values of new samples from those of the pool.

    Parameters
    ----------
    graph : NeighborGraph
        The pool's graph, made from features.
    X : (n, p) array or sparse matrix
        The pool.
    X_new : (m, p) array or sparse matrix
    values : (n,) or (n, d)
        Values of the pool, such as `propagate` returns; NaN where unknown.
    weights : "self_tuning", "binary" or "linear"
    n_neighbors : int, optional
        Default: as in the graph.

    Returns
    -------
    (m,) or (m, d) float64
        NaN where no neighbor has a value.
    """
    if not isinstance(graph, NeighborGraph):
        raise TypeError(f"graph must be a NeighborGraph; got {type(graph).__name__}.")
    if graph.metric not in ("euclidean", "cosine"):
        raise ValueError(
            "graph must be made from features for new samples to have neighbors in it; "
            f"got metric={graph.metric!r}."
        )
    n = graph.n_samples
    X = check_features(X)
    if X.shape[0] != n:
        raise ValueError(f"X must hold the {n} samples of the graph; got {X.shape[0]}.")
    X_new = check_features(X_new, "X_new", n_features=X.shape[1])
    values = check_pool_values(values, n)
    check_choice(weights, "weights", WEIGHTS)
    k = _default_neighbors(graph) if n_neighbors is None else n_neighbors
    k = check_integer(k, "n_neighbors", 1, n, f" for {n} samples")
    distances, indices = nearest(X, X_new, k, metric=graph.metric)
    known = values.reshape(n, -1)[indices]  # (m, K, d)
    if weights == "linear":
        means = _linear_means(X, X_new, indices, known)
    else:
        exponents = _exponents(graph, distances, indices) if weights == "self_tuning" else 0.0 * distances
        means = _means(exponents, known)
    same = distances == 0.0
    touching = same.any(axis=1)
    means[touching] = _means(np.where(same, 0.0, np.inf)[touching], known[touching])
    return means.reshape((-1, *values.shape[1:]))


def _default_neighbors(graph: NeighborGraph) -> int:
    """K of the graph, or the median length of its lists."""
    return graph.n_neighbors or max(1, int(np.median(np.diff(graph.indptr))))


def _exponents(graph: NeighborGraph, distances: Floats, indices: Array) -> Floats:
    """d^2 / (s s_j), with the typical scale in place of 0."""
    listed = np.diff(graph.indptr) > 0
    scales = np.zeros(graph.n_samples)
    scales[listed] = graph.distances[graph.indptr[1:][listed] - 1]
    positive = scales[scales > 0]
    typical = float(np.median(positive)) if len(positive) else 1.0
    own = np.where(distances[:, -1:] > 0, distances[:, -1:], typical)
    return np.asarray((distances / own) * (distances / np.where(scales > 0, scales, typical)[indices]))


def _means(exponents: Floats, known: Floats) -> Floats:
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


def _linear_means(X: Any, X_new: Any, indices: Array, known: Floats) -> Floats:
    means = np.empty(known[:, 0].shape)
    there = ~np.isnan(known)
    step = max(1, CHUNK // (indices.shape[1] * X.shape[1]))
    for start in range(0, len(indices), step):
        rows = slice(start, start + step)
        C = _patches(X, X_new, indices[rows], rows)
        means[rows] = np.einsum("mk,mkd->md", _shortest(C), np.where(there[rows], known[rows], 0.0))
        for i, column in zip(*np.nonzero(~there[rows].all(axis=1)), strict=True):
            kept = there[start + i, :, column]
            w = _shortest(C[i : i + 1, kept])[0] if kept.any() else np.full(1, np.nan)
            means[start + i, column] = np.sum(w * known[start + i, kept, column]) if kept.any() else np.nan
    return means


def _patches(X: Any, X_new: Any, indices: Array, rows: slice) -> Floats:
    """Neighbors relative to the new sample, (m, K, p)."""
    m, K = indices.shape
    near, new = X[indices.ravel()], X_new[rows]
    near = near.toarray() if sparse.issparse(near) else near
    new = new.toarray() if sparse.issparse(new) else new
    return np.asarray(near.reshape(m, K, -1), np.float64) - np.asarray(new[:, None], np.float64)


def _shortest(C: Floats) -> Floats:
    """Rows of weights (m, K): w = 1/K + H v sums to one, v the shortest best."""
    K = C.shape[1]
    if K == 1:
        return np.ones((len(C), 1))
    H = helmert(K).T  # (K, K - 1), orthonormal, orthogonal to 1
    center = C.mean(axis=1)[..., None]  # (m, p, 1)
    v = -np.linalg.pinv(C.swapaxes(1, 2) @ H, rcond=1e-6) @ center
    return np.asarray(1.0 / K + (H @ v)[..., 0])
