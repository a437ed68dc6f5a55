"""Exact neighbors in a pool that lies in parts: each tells its nearest, and the nearest of all are taken."""

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.graph._duplicates import crowds
from trigpoint.graph._exact import Task, exact_by_products, nearest_first
from trigpoint.graph._graph import NeighborGraph
from trigpoint.graph._points import Points, points
from trigpoint.graph._tree import TREE_FEATURES, exact_by_tree


def nearest_in_part(X: Array, queries: Array, k: int) -> tuple[Floats, Ints]:
    """Squared distances (m, k) and places of the nearest in a part of the pool; fewer where it is small."""
    pool = points(X, "euclidean")
    squared, places = nearest_points(pool, points(queries, "euclidean", like=pool), k)
    return squared / pool.unit**2, places


def nearest_points(pool: Points, queries: Points, k: int) -> tuple[Floats, Ints]:
    """The same of points that share one origin and one unit."""
    exactly = exact_by_tree if pool.X.shape[1] <= TREE_FEATURES else exact_by_products
    task = Task(pool, np.arange(len(pool)), queries, np.arange(len(queries)), False)
    return exactly(task, min(k, len(pool)))


def nearest_of_parts(parts: list[tuple[Floats, Ints]], k: int) -> tuple[Floats, Ints]:
    """The k nearest of all parts, ties by sample."""
    squared, samples = (np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True))
    return nearest_first(squared, samples, k)


def exact_rows(blocks: list[Array], start: int, stop: int, k: int, metric: str) -> NeighborGraph:
    """The rows from start to stop of the exact graph of a pool, given in blocks, of few features."""
    X = np.concatenate(blocks)
    pool = points(X, metric)
    crowd, ring, worth = crowds(X, k)
    here = (crowd >= start) & (crowd < stop)
    rows = np.setdiff1d(np.arange(start, stop), crowd[here], assume_unique=True)
    squared, nearest = np.zeros((stop - start, k)), np.empty((stop - start, k), np.int32)
    nearest[crowd[here] - start] = ring[here]
    if len(rows):
        squared[rows - start], nearest[rows - start] = exact_by_tree(Task(pool, worth, pool, rows, True), k)
    indptr, distances = np.arange(stop - start + 1) * k, pool.in_metric(squared)
    return NeighborGraph(indptr, nearest.ravel(), distances.ravel(), None, metric, "exact", 1.0)
