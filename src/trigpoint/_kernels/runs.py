"""Lists of neighbors (`joins`) get others that are sorted as they are: in one pass over both."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.gaps import holds
from trigpoint._types import Array, Ints


@kernel
def merge_runs(
    rows: Ints, begin: Ints, others: Array, gaps: Array, ids: Array, near: Array, fresh: Array
) -> None:
    """Give row ``rows[e]`` the entries from begin[e] to begin[e + 1], nearest first, ties by number.

    Each row keeps the least of both, each id once. ``begin`` has one more entry than ``rows``.
    """
    r = ids.shape[1]
    own, far, new = np.empty((1, r), np.int32), np.empty(r, np.float32), np.empty(r, np.uint8)
    for e in range(len(rows)):
        i, b, end = rows[e], begin[e], begin[e + 1]
        if b == end or (near[i, r - 1] < gaps[b]):
            continue
        for s in range(r):
            own[0, s], far[s], new[s] = ids[i, s], near[i, s], fresh[i, s]
        a, at = 0, 0
        while at < r and (b < end or own[0, a] >= 0):
            if b < end and (
                own[0, a] < 0 or gaps[b] < far[a] or (gaps[b] == far[a] and others[b] < own[0, a])
            ):
                if not holds(own, 0, r, others[b]):
                    ids[i, at], near[i, at], fresh[i, at] = others[b], gaps[b], 1
                    at += 1
                b += 1
            else:
                ids[i, at], near[i, at], fresh[i, at] = own[0, a], far[a], new[a]
                a, at = a + 1, at + 1
