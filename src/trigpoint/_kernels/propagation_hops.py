"""Breadth-first search from many sources at once."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array


@kernel
def farthest_hop(indptr: Array, indices: Array, source: Array) -> int:
    """Hops from the nearest source (a mask) to the farthest sample that one of them reaches."""
    n = len(indptr) - 1
    seen = source.copy()
    queue = np.empty(n, np.int32)
    end = 0
    for i in range(n):
        if seen[i]:
            queue[end] = i
            end += 1
    begin, hop = 0, -1
    while begin < end:
        hop, ring = hop + 1, end
        for k in range(begin, ring):
            for q in range(indptr[queue[k]], indptr[queue[k] + 1]):
                j = indices[q]
                if not seen[j]:
                    seen[j] = True
                    queue[end] = j
                    end += 1
        begin = ring
    return max(hop, 0)
