"""Neighbor graphs from distances that somebody else computed.

A sparse matrix holds the distance from i to j where it has a stored entry, zero included; a dense
one holds them all. The diagonal is never a neighbor. Each row keeps its K nearest.
"""

from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Floats
from trigpoint._validation import check_distances
from trigpoint.graph._record import NeighborGraph
from trigpoint.graph._rows import sorted_rows


def graph_from_distances(
    distances: Any, n_neighbors: int | None, *, metric: str = "precomputed", method: str = "given"
) -> NeighborGraph:
    """A graph of the ``n_neighbors`` nearest stored entries of each row (None: all of them)."""
    matrix = check_distances(distances)
    n = matrix.shape[0]
    rows, cols, d = _entries(matrix) if sparse.issparse(matrix) else _nearest_entries(matrix, n_neighbors)
    indptr, order = sorted_rows(rows, cols, d, n, n_neighbors)
    recall = 1.0 if method == "given" else float("nan")
    return NeighborGraph(indptr, cols[order].astype(np.int32), d[order], None, metric, method, recall)


def graph_from_transformer(X: Any, n_neighbors: int, transformer: Any) -> NeighborGraph:
    """The neighbors that a scikit-learn K-neighbors transformer finds (distance mode)."""
    from sklearn.base import clone

    if getattr(transformer, "mode", "distance") != "distance":
        raise ValueError(f"method must be a transformer with mode='distance'; got mode={transformer.mode!r}.")
    found = clone(transformer).fit_transform(X)
    metric = getattr(transformer, "metric", "unknown")
    metric = metric if isinstance(metric, str) else "unknown"
    metric = "euclidean" if metric == "minkowski" and getattr(transformer, "p", 2) == 2 else metric
    return graph_from_distances(found, n_neighbors, metric=metric, method=type(transformer).__name__)


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
