"""Neighbor graphs from distances that somebody else computed.

A sparse matrix holds the distance from i to j where it has a stored entry, zero included; a dense
one holds them all. The diagonal is never a neighbor. Each row keeps its K nearest.
"""

from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint._validation import check_distances
from trigpoint.graph._graph import NeighborGraph, sorted_rows


def graph_from_distances(
    distances: Any, n_neighbors: int | None, *, metric: str = "precomputed", method: str = "given"
) -> NeighborGraph:
    """A graph of the ``n_neighbors`` nearest stored entries of each row (None: all of them)."""
    matrix = distances if method == "given" else check_distances(distances)
    n = matrix.shape[0]
    rows, cols, d = _entries(matrix) if sparse.issparse(matrix) else _nearest_entries(matrix, n_neighbors)
    indptr, order = sorted_rows(rows, cols, d, n, n_neighbors)
    recall = 1.0 if method == "given" else float("nan")
    return NeighborGraph(indptr, cols[order].astype(np.int32), d[order], None, metric, method, recall)


def nearest_given(distances: Any, n_neighbors: int) -> tuple[Floats, Array]:
    """The K nearest of each row of (m, n) distances: distances and indices, (m, K).

    Rows of a sparse matrix that store fewer entries are filled up with infinite distances.
    """
    m = distances.shape[0]
    if not sparse.issparse(distances):
        order = np.argsort(distances, axis=1, kind="stable")[:, :n_neighbors]
        return np.take_along_axis(distances, order, axis=1).astype(np.float64, copy=False), order
    rows = np.repeat(np.arange(m), np.diff(distances.indptr))
    indptr, order = sorted_rows(rows, distances.indices, distances.data, m, n_neighbors)
    rows = rows[order]
    place = np.arange(len(order)) - indptr[rows]
    near, indices = np.full((m, n_neighbors), np.inf), np.zeros((m, n_neighbors), dtype=np.int64)
    near[rows, place], indices[rows, place] = distances.data[order], distances.indices[order]
    return near, indices


def graph_from_transformer(X: Any, n_neighbors: int, metric: str, transformer: Any) -> NeighborGraph:
    """The neighbors that a scikit-learn K-neighbors transformer finds (distance mode)."""
    from sklearn.base import clone

    name = type(transformer).__name__
    if getattr(transformer, "mode", "distance") != "distance":
        raise InputError("method", "must be a transformer with mode='distance'", f"mode={transformer.mode!r}")
    if metric not in ("euclidean", _metric(transformer)):
        raise InputError(
            "metric", f"must be left to the transformer {name}, which has its own", f"{metric!r}"
        )
    found = clone(transformer).fit_transform(X)
    if not sparse.issparse(found) or found.shape != (X.shape[0], X.shape[0]):
        shape = f"{type(found).__name__} of shape {np.shape(found)}"
        raise InputError(
            "method", f"must turn X into a sparse (n, n) graph of distances; {name} gave {shape}"
        )
    graph = graph_from_distances(found, n_neighbors, metric=_metric(transformer), method=name)
    most = int(np.diff(graph.indptr).max())
    if most < n_neighbors:
        raise InputError("n_neighbors", f"must be at most what {name} finds, {most}", n_neighbors)
    return graph


def _metric(transformer: Any) -> str:
    """The transformer's metric by our names; "unknown" where it does not say."""
    metric = getattr(transformer, "metric", "unknown")
    if metric == "minkowski":
        return "euclidean" if getattr(transformer, "p", 2) == 2 else "unknown"
    return metric if isinstance(metric, str) else "unknown"


def _entries(matrix: Any) -> tuple[Array, Array, Floats]:
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    off = rows != matrix.indices
    return rows[off], matrix.indices[off], matrix.data[off].astype(np.float64, copy=False)


def _nearest_entries(matrix: Array, n_neighbors: int | None) -> tuple[Array, Array, Floats]:
    """The K nearest of each row of a dense matrix, a row at a time, ties by index."""
    n = len(matrix)
    k = n - 1 if n_neighbors is None else n_neighbors
    cols = np.empty((n, k), dtype=np.int64)
    for i in range(n):
        order = np.argsort(matrix[i], kind="stable")
        cols[i] = order[order != i][:k]
    rows = np.repeat(np.arange(n), k)
    return rows, cols.ravel(), matrix[rows, cols.ravel()].astype(np.float64, copy=False)
