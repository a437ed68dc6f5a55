"""Exact neighbors in a pool that lies in parts: each tells its nearest, and the nearest of all are taken."""

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.graph._exact import Task, exact_by_products, nearest_first
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
