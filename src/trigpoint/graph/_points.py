"""A pool as points of a Euclidean space, whatever its metric, without copying it.

euclidean   points are u (x - c): c a typical sample, u = 1 or, for pools of extreme magnitude,
            the power of two that makes typical points about 1 long. Distances change by the
            factor u only; matrix products lose fewer digits near the origin.
cosine      points are x / ||x|| - c; with unit vectors 1 - cos(x, y) = ||x - y||^2 / 2, so
            the Euclidean neighbors are the cosine neighbors. No row is all zero (see `_zero_rows`).

c and u are medians over a sample of rows, so that a few outliers spoil neither. Blocks of points
are formed when they are needed; the pool itself is never held twice.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._types import Array, Floats, Ints

METRICS = ("euclidean", "cosine")
TYPICAL = 1024  # rows that tell what is typical


@dataclass(frozen=True, eq=False)
class Points:
    X: Array  # (n, p)
    scale: Floats | None  # (n,) 1 / ||x|| for cosine
    unit: float  # u, a power of two
    center: Floats  # (p,), scaled as the points are
    integral: bool  # whole numbers, so small that float64 products of differences are exact

    def __len__(self) -> int:
        return len(self.X)

    @property
    def step(self) -> int:
        """Rows to take at a time: a few megabytes."""
        return step(self.X)

    def block(self, rows: Array, dtype: Any = np.float64) -> Array:
        """The points of some rows as a C-ordered (m, p) array."""
        raw = self._scaled(rows)
        center = self.center.astype(np.promote_types(raw.dtype, dtype), copy=False)
        with np.errstate(over="ignore"):  # what float32 cannot hold is far from all that it can
            block: Array = np.subtract(raw, center, out=np.empty(raw.shape, dtype), casting="same_kind")
        return block

    def only(self, rows: Array) -> "Points":
        scale = None if self.scale is None else self.scale[rows]
        return Points(self.X[rows], scale, self.unit, self.center, self.integral)

    @property
    def raw(self) -> tuple[Array, Floats, Array]:
        """What kernels make points of: X, one factor or one for each row, and the center."""
        factor = np.array([self.unit]) if self.scale is None else self.scale
        return self.X, factor, self.center.astype(np.float32)

    def uncentered(self, rows: Array) -> Floats:
        """The same in float64 without the shift: their differences carry no rounding of it."""
        return self._scaled(rows).astype(np.float64, copy=False)

    def _scaled(self, rows: Array) -> Array:
        run = len(rows) > 0 and bool((np.diff(rows) == 1).all())
        raw: Array = self.X[rows[0] : rows[-1] + 1] if run else self.X[rows]
        if self.scale is not None:
            return raw * self.scale[rows, None]
        return raw if self.unit == 1.0 else raw.astype(np.float64) * self.unit

    def in_metric(self, squared: Floats) -> Floats:
        """From squared distances of points to distances in the pool's metric."""
        return squared / 2 if self.scale is not None else np.sqrt(squared) / self.unit


def points(X: Array, metric: str, like: Points | None = None, integral: bool = True) -> Points:
    """X as points; ``like`` another pool's, so that both share one origin and one unit.

    ``integral`` is False where X is a part of a pool that is known to hold other than whole numbers.
    """
    scale = _inverse_norms(X) if metric == "cosine" else None
    integral = integral and scale is None and is_integral(X)
    if like is not None:
        return Points(X, scale, like.unit, like.center, integral and like.integral)
    some = typical_rows(len(X))
    sample = Points(X, scale, 1.0, np.zeros(X.shape[1]), integral).uncentered(some)
    center = np.median(sample, axis=0)
    unit = 1.0 if scale is not None or integral else _unit(X, sample, center)
    return Points(X, scale, unit, np.rint(center) if integral else center * unit, integral)


def typical_rows(n: int) -> Ints:
    return np.unique(np.linspace(0, n - 1, min(n, TYPICAL)).astype(np.int64))


def step(X: Any) -> int:
    return min(4096, max(64, 2**22 // int(X.shape[1])))


def _inverse_norms(X: Array) -> Floats:
    largest = np.maximum(X.max(axis=1), -X.min(axis=1)).astype(np.float64)  # so that squares stay finite
    parts = (X[a : a + step(X)] / largest[a : a + step(X), None] for a in range(0, len(X), step(X)))
    return np.asarray(1 / (largest * np.concatenate([np.linalg.norm(part, axis=1) for part in parts])))


def is_integral(X: Array) -> bool:
    """Whether X holds whole numbers, so small that float64 products of differences are exact."""
    largest = float(max(X.max(initial=0), -X.min(initial=0)))  # no rows are whole, too
    if largest > 2.0**24 or X.shape[1] * (4 * largest) ** 2 > 2.0**53:
        return False
    blocks = (X[a : a + step(X)] for a in range(0, len(X), step(X)))
    return all(np.array_equal(block, np.rint(block)) for block in blocks)


def _unit(X: Array, sample: Floats, center: Floats) -> float:
    """1 where samples are typically between 1e-6 and 1e6 long, else 1 / length as a power of two."""
    lengths = np.abs(sample - center).max(axis=1)
    typical = float(np.median(lengths)) or float(lengths.max()) or float(np.abs(X - X[0]).max()) or 1.0
    return 1.0 if 1e-6 < typical < 1e6 else float(2.0 ** -np.rint(np.log2(typical)))
