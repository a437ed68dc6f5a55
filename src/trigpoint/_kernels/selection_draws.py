"""Draws in proportion to weights that fall as landmarks are chosen: numbers in, indices out.

Weights live in the leaves of a binary tree whose inner nodes are the sums of their two children.
A change of one weight recomputes the sums above it, never subtracts, so no rounding piles up and
a node is 0 exactly where all its leaves are.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array


@kernel
def _build(tree: Array) -> None:
    """Sum up the leaves, which fill the second half of the tree."""
    for node in range(len(tree) // 2 - 1, 0, -1):
        tree[node] = tree[2 * node] + tree[2 * node + 1]


@kernel
def _change(tree: Array, leaf: int, weight: float) -> None:
    node = len(tree) // 2 + leaf
    tree[node] = weight
    while node > 1:
        node //= 2
        tree[node] = tree[2 * node] + tree[2 * node + 1]


@kernel
def _find(tree: Array, share: float) -> int:
    """The leaf at a share in [0, 1) of the total weight; never one of weight 0."""
    node, target = 1, share * tree[1]
    while node < len(tree) // 2:
        node *= 2
        if tree[node + 1] > 0.0 and target >= tree[node]:
            target -= tree[node]
            node += 1
        elif tree[node] == 0.0:  # only rounding leads here
            node += 1
    return node - len(tree) // 2


@kernel
def _gather(
    indptr: Array, indices: Array, distances: Array, i: int, near: Array, found: Array, m: int
) -> int:
    """Add the neighbors of i to found[:m], and their distances, if nearer, to near; the new m."""
    for q in range(indptr[i], indptr[i + 1]):
        j = indices[q]
        if near[j] < 0.0:
            found[m] = j
            m += 1
            near[j] = distances[q]
        else:
            near[j] = min(near[j], distances[q])
    return m


@kernel
def repelled(
    indptr: Array,
    indices: Array,
    distances: Array,
    back_indptr: Array,
    back_indices: Array,
    back_distances: Array,
    sigma: float,
    initial: Array,
    shares: Array,
) -> Array:
    """Landmarks with weights prod_j (1 - exp(-d_ij^2 / 2 sigma^2)) over the landmarks j beside i.

    The neighbor lists come with their transpose (back_...). ``initial`` are landmarks already; each
    number of ``shares`` in [0, 1) draws one more. Once no sample has weight, all that are left get 1.
    """
    n = len(indptr) - 1
    half = 1
    while half < n:
        half *= 2
    tree = np.zeros(2 * half)
    tree[half : half + n] = 1.0
    _build(tree)
    free = np.ones(n, np.bool_)
    near = np.full(n, -1.0)  # distance to the landmark at hand; -1 for samples not beside it
    found = np.empty(n, np.int64)
    picks = np.empty(len(shares), np.int64)
    uniform = False
    for step in range(-len(initial), len(shares)):
        if step < 0:
            i = initial[step + len(initial)]
        else:
            if tree[1] == 0.0:
                tree[half : half + n] = free
                _build(tree)
                uniform = True
            i = _find(tree, shares[step])
            picks[step] = i
        free[i] = False
        _change(tree, i, 0.0)
        if uniform:
            continue
        m = _gather(indptr, indices, distances, i, near, found, 0)
        m = _gather(back_indptr, back_indices, back_distances, i, near, found, m)
        for k in range(m):
            j = found[k]
            if free[j]:
                _change(tree, j, tree[half + j] * -np.expm1(-0.5 * (near[j] / sigma) ** 2))
            near[j] = -1.0
    return picks


def draw(weights: Array, share: float) -> int:
    """The index at a share in [0, 1) of the total of the weights, which must not be 0."""
    total = np.cumsum(weights, dtype=np.float64)
    i = int(np.searchsorted(total, share * total[-1], side="right"))
    return i if i < len(weights) else int(np.searchsorted(total, total[-1]))
