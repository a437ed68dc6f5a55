"""Parts and levels of a graph, straight from the rows of a symmetric matrix.

An entry links i and j where |a_ij| > share * min(d_i, d_j); with a share below 0, every stored entry does.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.union_find import link, number
from trigpoint._types import Array


@kernel
def count_weak(indptr: Array, indices: Array, data: Array, d: Array, share: float) -> tuple[int, int]:
    """How many entries link nothing; and how many a_ij are not felt by j: |a_ij| <= share * d_j."""
    lost, unfelt = 0, 0
    for i in range(len(d)):
        for q in range(indptr[i], indptr[i + 1]):
            size, j = abs(data[q]), indices[q]
            if not size > share * d[j]:
                unfelt += 1
            if not size > share * min(d[i], d[j]):
                lost += 1
    return lost, unfelt


@kernel
def label_parts(indptr: Array, indices: Array, data: Array, d: Array, share: float, labels: Array) -> int:
    """The connected part of each sample into ``labels``, numbered by first samples; how many there are."""
    n = len(d)
    for i in range(n):
        labels[i] = i
    for i in range(n):
        for q in range(indptr[i], indptr[i + 1]):
            j = indices[q]
            if abs(data[q]) > share * min(d[i], d[j]):
                link(labels, i, j)
    return number(labels)


@kernel
def breadth_first(indptr: Array, indices: Array, start: Array, order: Array, level: Array) -> int:
    """Samples met along the rows from any of ``start``, in order, and the level of each; how many."""
    n = len(indptr) - 1
    met = np.zeros(n, np.bool_)
    end = 0
    for i in start:
        if not met[i]:
            met[i] = True
            order[end], level[end] = i, 0
            end += 1
    begin = 0
    while begin < end:
        i = order[begin]
        for q in range(indptr[i], indptr[i + 1]):
            j = indices[q]
            if not met[j]:
                met[j] = True
                order[end], level[end] = j, level[begin] + 1
                end += 1
        begin += 1
    return end
