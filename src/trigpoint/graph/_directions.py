"""A few directions in which a pool varies most: neighbors are looked for there, and ranked in all features.

The points x - c become y = (x - c) V, V the q leading principal directions of some training points. Then
||y_i - y_j|| <= ||x_i - x_j||, and where the pool lies near a manifold of few dimensions, or its features
repeat each other, hardly anything is lost. A search keeps more neighbors than it is asked for, so that it may
look for them among the y, which take less memory and time, and rank them by exact distances in the end.

How many directions will do is measured: the fewest of `COUNTS` so that of the true neighbors of some
samples at least the share `WITHIN` are among those that a search would keep. Where they would be more than
half of the features, all features are used.
"""

import numpy as np

from trigpoint._kernels import run_blocks, serial_blas
from trigpoint._kernels.project import project
from trigpoint._types import Array, Ints
from trigpoint.graph._points import Points

COUNTS = (16, 32, 64, 128)
WITHIN = 0.999
TRAINING = 5_000  # rows that tell directions
CHECKED = 10  # one sample of so many that are judged tells how many directions will do
OUTLIER = 4.0  # times the median length: farther points must not decide
PROJECTED = 16_384


def counts_to_try(n_features: int) -> list[int]:
    """Numbers of directions that would save at least half of the work, the fewest first."""
    return [q for q in COUNTS if 2 * q <= n_features]


def principal_axes(sample: Array) -> Array:
    """(p, q) float32, the directions of most variance first; ``sample`` is (s, p), in random order."""
    from sklearn.utils.extmath import randomized_svd

    some = sample[:TRAINING].astype(np.float64)
    lengths = np.linalg.norm(some, axis=1)
    long = lengths[(lengths > 0) & np.isfinite(lengths)]
    some = some[lengths <= OUTLIER * np.median(long)] if len(long) else some[:0]
    most = min(counts_to_try(sample.shape[1])[-1], len(some))
    with serial_blas():  # the same to the last bit on any number of threads
        axes = randomized_svd(some - some.mean(axis=0), most, random_state=0)[2] if most else some.T
    return np.ascontiguousarray(axes.T, dtype=np.float32)


def along(pool: Points, axes: Array, out: Array) -> Points:
    """The points of a pool along some directions, written to ``out``, (n, q) float32."""
    raw, axes = pool.raw, np.ascontiguousarray(axes)

    def work(start: int, stop: int) -> None:
        project(*raw, axes, start, stop, out)

    run_blocks(work, len(pool), PROJECTED, "directions")
    return in_few(out)


def in_few(Y: Array) -> Points:
    return Points(Y, None, 1.0, np.zeros(Y.shape[1]), False)


def will_do(near: Ints, true: Ints) -> bool:
    """Whether enough of the true neighbors (s, k) of some samples are among those near to them (s, r)."""
    return float(np.mean((true[:, :, None] == near[:, None, :]).any(axis=2))) >= WITHIN
