"""Connected components by union-find, in place of one int32 array.

parent_i <= i always: the root of a component is its first sample. A link makes the larger of two roots a
child of the smaller one, and a search moves each sample that it passes to its grandparent. So a pass upwards
meets every parent before its children, and can write the numbers of the components over the parents.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array, Ints


@kernel
def connected(indptr: Ints, indices: Array) -> Array:
    """(n,) int32, the component of each sample; components are numbered by their first samples."""
    n = len(indptr) - 1
    parent = np.empty(n, np.int32)
    for i in range(n):
        parent[i] = i
    for i in range(n):
        for q in range(indptr[i], indptr[i + 1]):
            link(parent, i, indices[q])
    number(parent)
    return parent


@kernel
def link(parent: Array, i: int, j: int) -> None:
    """i and j are in one component."""
    a, b = root(parent, i), root(parent, j)
    if a < b:
        parent[b] = a
    elif b < a:
        parent[a] = b


@kernel
def number(parent: Array) -> int:
    """Write the numbers of components over the parents; how many there are."""
    count = 0
    for i in range(len(parent)):
        if parent[i] == i:
            parent[i] = count
            count += 1
        else:
            parent[i] = parent[parent[i]]
    return count


@kernel
def root(parent: Array, i: int) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def mark_touched(indptr: Ints, indices: Array, touched: Array) -> None:
    """Set the flags of all samples that have a neighbor, or are one."""
    for i in range(len(indptr) - 1):
        for q in range(indptr[i], indptr[i + 1]):
            touched[i] = True
            touched[indices[q]] = True
