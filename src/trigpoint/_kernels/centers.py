"""Which of some centers is nearest to a point, where several could be."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.gaps import squared_gap
from trigpoint._types import Array, Ints


@kernel
def settle(
    Q: Array, centers: Array, low: Array, limit: Array, slack: np.float32, rows: Ints, home: Ints
) -> None:
    """Of the centers c that could be nearest to q_i, ``low[i, c] <= limit[i]``, the nearest by differences.

    Of those that are equally far, up to the share ``slack``, it is the first: so samples far from all others
    stay together. NaN could be anything. ``low`` is changed.
    """
    for i in rows:
        least = np.float32(np.inf)
        for c in range(len(centers)):
            low[i, c] = np.inf if low[i, c] > limit[i] else squared_gap(Q, i, centers, c)
            if low[i, c] < least:
                least = low[i, c]
        home[i] = 0
        for c in range(len(centers)):
            if low[i, c] <= least + slack * least:
                home[i] = c
                break
