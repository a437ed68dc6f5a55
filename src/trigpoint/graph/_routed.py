"""Neighbors by cells: the cell is the unit of work, so that nothing depends on how cells are grouped.

k-means on a sample gives centers, and each sample belongs to the nearest one. All samples of a cell are
compared with those of the same few cells, whose centers are nearest to theirs, exactly (`_exact`). How few is
found on a sample of rows whose true neighbors are known. A row is routed by products of one fixed shape, so
that its center does not depend on the rows beside it.
"""

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.graph._exact import QUERIES, Task, exact_by_products, nearest_first
from trigpoint.graph._inverted_lists import _centers
from trigpoint.graph._points import points
from trigpoint.graph._tree import TREE_FEATURES, exact_by_tree

TARGET = 0.994  # recall on the rows that tell how many cells to look through


def trained_centers(sample: Array, n_cells: int, rng: np.random.Generator) -> Floats:
    """(n_cells, p) centers of a sample."""
    pool = points(sample, "euclidean")
    found = _centers(pool, np.arange(len(sample)), n_cells, rng)
    return (found.astype(np.float64) + pool.center) / pool.unit


def routed(X: Array, centers: Floats) -> Ints:
    """The nearest center of each row."""
    middle = centers.mean(axis=0)
    C = centers - middle
    squares, twice = np.einsum("ij,ij->i", C, C), 2 * C.T
    home = np.empty(len(X), dtype=np.int64)
    Q = np.zeros((QUERIES, X.shape[1]))
    for a in range(0, len(X), QUERIES):
        some = X[a : a + QUERIES]
        Q[: len(some)] = some - middle
        home[a : a + QUERIES] = (squares - Q @ twice).argmin(axis=1)[: len(some)]
    return home


def cell_orders(centers: Floats) -> Ints:
    """(c, c) for each cell all cells, the nearest center first; itself before all."""
    gaps = np.einsum("ij,ij->i", centers, centers) - 2 * (centers @ centers.T)
    np.fill_diagonal(gaps, -np.inf)
    return np.argsort(gaps, axis=1, kind="stable")


def cells_needed(orders: Ints, homes: Ints, homes_of_nearest: Ints) -> int:
    """The fewest cells whose recall on some rows reaches `TARGET`; cells (s,), of neighbors (s, k)."""
    place = np.empty_like(orders)
    np.put_along_axis(place, orders, np.arange(orders.shape[1])[None], axis=1)
    needed = np.sort(place[homes[:, None], homes_of_nearest], axis=None) + 1
    return int(needed[int(np.ceil(TARGET * len(needed))) - 1])


def nearest_of_cell(X: Array, asking: Ints, k: int) -> tuple[Floats, Ints]:
    """Squared distances (m, k) and places in X of the nearest of some rows of X, ties by place."""
    pool = points(X, "euclidean")
    exactly = exact_by_tree if X.shape[1] <= TREE_FEATURES else exact_by_products
    return exactly(Task(pool, np.arange(len(X)), pool, asking, True), k)


def nearest_in_part(X: Array, queries: Array, k: int) -> tuple[Floats, Ints]:
    """Squared distances (m, k) and places of the nearest in a part of the pool; fewer where it is small."""
    pool = points(X, "euclidean")
    task = Task(
        pool, np.arange(len(X)), points(queries, "euclidean", like=pool), np.arange(len(queries)), False
    )
    exactly = exact_by_tree if X.shape[1] <= TREE_FEATURES else exact_by_products
    return exactly(task, min(k, len(X)))


def nearest_of_parts(parts: list[tuple[Floats, Ints]], k: int) -> tuple[Floats, Ints]:
    """The k nearest of all parts, ties by sample."""
    squared, samples = (np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True))
    return nearest_first(squared, samples, k)
