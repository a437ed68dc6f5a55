"""Crowds: more identical rows than a sample has neighbors.

Every member of a crowd (more than K + 1 copies of one row) has K neighbors at distance 0, whichever
they are, and nobody else needs more than K + 1 of its members. So each member takes the next K in a
ring, which links the crowd without making a hub, and the search for the others sees K + 1 of
them only. Without this, a pool with many copies of one row costs n^2 in every index.
"""

from typing import Any

import numpy as np

from trigpoint._types import Array
from trigpoint.graph._points import step


def crowds(X: Any, k: int) -> tuple[Array, Array, Array]:
    """Members of crowds (m,), their ring neighbors (m, k), and the samples worth searching, ascending."""
    order, group = identical_rows(X)
    sizes = np.bincount(group)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rank = np.arange(len(group)) - starts[group]
    crowded = sizes[group] > k + 1
    size = sizes[group[crowded], None]
    ring = starts[group[crowded], None] + (rank[crowded, None] + np.arange(1, k + 1)) % size
    worth = np.sort(order[~crowded | (rank <= k)])
    return order[crowded], order[ring], worth


def identical_rows(X: Any) -> tuple[Array, Array]:
    """Samples ordered so that identical rows are adjacent, ascending inside, and their group numbers.

    A random projection brings copies together; comparing adjacent rows makes sure.
    """
    keys = row_keys(X)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    same = np.concatenate([[False], keys[1:] == keys[:-1]])
    maybe = np.flatnonzero(same)
    for a in range(0, len(maybe), step(X)):
        some = maybe[a : a + step(X)]
        differs = X[order[some]] != X[order[some - 1]]
        same[some] = np.asarray(differs.sum(axis=1)).ravel() == 0
    return order, np.cumsum(~same) - 1


def row_keys(X: Any) -> Array:
    """A number for each row, the same for identical rows."""
    direction = np.random.default_rng(0).uniform(-1, 1, X.shape[1]) / X.shape[1]
    if isinstance(X, np.ndarray):
        # A row's sum must not depend on where the row stands, as it may in a BLAS product.
        steps = range(0, len(X), step(X))
        return np.concatenate([(X[a : a + step(X)] * direction).sum(axis=1) for a in steps])
    return np.asarray(X @ direction)
