"""Points along a few directions."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.gaps import place
from trigpoint._types import Array, Floats


@kernel
def project(
    points: Array, factor: Floats, center: Array, axes: Array, start: int, stop: int, out: Array
) -> None:
    """Row i of ``out`` becomes (factor x_i - center) V, V the (p, q) ``axes``, for i from start to stop.

    Each sum runs in the order of features, so a row does not depend on those beside it.
    """
    p, q = axes.shape
    x = np.empty((1, p), np.float32)
    for i in range(start, stop):
        place(points, i, factor[i] if len(factor) > 1 else factor[0], center, x, 0)
        for s in range(q):
            out[i, s] = 0
        for t in range(p):
            for s in range(q):
                out[i, s] += x[0, t] * axes[t, s]
