"""Rows without a direction, for metric="cosine".

An all-zero row has no angle to anything. It is at distance 1 (as far as a right angle) from every sample,
other all-zero rows included. So it is far from all, and enters the list of another sample only behind all
that share a direction with it. No point of the space of unit vectors has these distances, so such rows are
kept out of the search and put in afterwards.

All samples are equally far from a zero row, and any K of them are its nearest: in a pool with more than K
other zero rows the next K of them in a ring, which makes no hub (as in `_duplicates`), else those of lowest
index.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Floats
from trigpoint.graph._exact import nearest_first

Nearest = Callable[[Any, Any, int], tuple[Floats, Array]]  # X, queries or None, k -> distances, indices


def zero_rows(X: Any) -> Array:
    """(n,) which rows are all zero."""
    if sparse.issparse(X):
        largest = abs(X).max(axis=1).toarray().ravel()
    else:
        largest = np.maximum(X.max(axis=1), -X.min(axis=1))
    return np.asarray(largest == 0)


def with_zero_rows(
    X: Any, queries: Any, k: int, zero: Array, zero_queries: Array, nearest: Nearest
) -> tuple[Floats, Array]:
    """Distances and indices (m, k) of the nearest of X; ``nearest`` finds those with a direction."""
    within = queries is None
    distances, indices = np.ones((len(zero_queries), k)), np.empty((len(zero_queries), k), dtype=np.int64)
    indices[zero_queries] = _anybody(zero, int(zero_queries.sum()), k, within)
    asking, full = np.flatnonzero(~zero_queries), np.flatnonzero(~zero)
    if len(asking):
        room = min(k, len(full) - int(within))
        empty = np.flatnonzero(zero)[:k]
        d, near = (
            np.ones((len(asking), room + len(empty))),
            np.empty((len(asking), room + len(empty)), np.int64),
        )
        near[:, room:] = empty
        if room:
            d[:, :room], found = nearest(X[full], None if within else queries[asking], room)
            near[:, :room] = full[found]
        distances[asking], indices[asking] = nearest_first(d, near, k)
    return distances, indices


def _anybody(zero: Array, m: int, k: int, within: bool) -> Array:
    """Neighbors (m, k) of zero rows: of those of the pool in their order, or of m new ones."""
    if not within:
        return np.tile(np.arange(k), (m, 1))
    places = np.flatnonzero(zero)
    if m > k:
        return np.asarray(places[(np.arange(m)[:, None] + np.arange(1, k + 1)) % m])
    first = np.tile(np.arange(k + 1), (m, 1))  # without the row itself
    drop = np.where(places <= k, places, k)
    return np.asarray(first[first != drop[:, None]].reshape(m, k))
