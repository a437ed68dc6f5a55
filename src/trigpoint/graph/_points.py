"""A pool as points of a Euclidean space, whatever its metric, without copying it.

euclidean   points are x - c, c near the mean: the matrix-product formula for distances loses
            fewer digits near the origin, and distances do not change.
cosine      points are x / ||x|| - c; with unit vectors 1 - cos(x, y) = ||x - y||^2 / 2, so
            the Euclidean neighbors are the cosine neighbors.

Blocks of points are formed when they are needed; the pool itself is never held twice.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._types import Array, Floats
from trigpoint._validation import check_no_zero_rows

METRICS = ("euclidean", "cosine")
BLOCK = 4096  # rows a step when sweeping over the pool


@dataclass(frozen=True, eq=False)
class Points:
    X: Array  # (n, p)
    center: Floats  # (p,)
    scale: Floats | None  # (n,) 1 / ||x||, or None for 1

    def __len__(self) -> int:
        return len(self.X)

    def block(self, rows: Array, dtype: Any = np.float64) -> Array:
        """The points of some rows as a C-ordered (m, p) array."""
        raw = self._scaled(rows)
        center = self.center.astype(np.promote_types(raw.dtype, dtype), copy=False)
        block: Array = np.subtract(raw, center, out=np.empty(raw.shape, dtype), casting="same_kind")
        return block

    def uncentered(self, rows: Array) -> Floats:
        """The same in float64 without the shift: their differences carry no rounding of it."""
        return self._scaled(rows).astype(np.float64, copy=False)

    def _scaled(self, rows: Array) -> Array:
        run = len(rows) > 0 and bool((np.diff(rows) == 1).all())
        raw: Array = self.X[rows[0] : rows[-1] + 1] if run else self.X[rows]
        return raw if self.scale is None else raw * self.scale[rows, None]


def in_metric(squared: Floats, metric: str) -> Floats:
    """From squared Euclidean distances of points to distances in the pool's metric."""
    return squared / 2 if metric == "cosine" else np.sqrt(squared)


def points(X: Array, metric: str, like: Points | None = None, name: str = "X") -> Points:
    """X as points; ``like`` another pool's, so that both share one origin."""
    scale = _inverse_norms(X, name) if metric == "cosine" else None
    if like is not None:
        return Points(X, like.center, scale)
    bare = Points(X, np.zeros(X.shape[1]), scale)
    blocks = (bare.uncentered(np.arange(a, min(a + BLOCK, len(X)))) for a in range(0, len(X), BLOCK))
    center = np.sum([block.sum(axis=0) for block in blocks], axis=0) / len(X)
    if scale is None and _is_integral(X):
        center = np.rint(center)  # keeps small-integer arithmetic exact, so that ties are ties
    return Points(X, center, scale)


def _inverse_norms(X: Array, name: str) -> Floats:
    norms = np.sqrt(np.einsum("ij,ij->i", X, X, dtype=np.float64))
    check_no_zero_rows(norms, name)
    return np.asarray(1 / norms)


def _is_integral(X: Array) -> bool:
    blocks = (X[a : a + BLOCK] for a in range(0, len(X), BLOCK))
    return all(np.array_equal(block, np.rint(block)) for block in blocks)
