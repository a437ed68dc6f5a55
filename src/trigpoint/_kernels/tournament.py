"""Tournaments over columns of numbers: the largest at hand, each change in O(log n).

Row k > 0 of ``trees``, (size + n, columns), is a node with the children 2k and 2k + 1, and holds the
larger number of the two in each column; leaf i is row size + i, size the power of two from n, and
rows beyond the last leaf count as -inf. A number of -inf is out of the game. Siblings lie side by
side, and so do the tournaments of one leaf, so a change touches few cache lines.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array

DEPTH = 128  # of a stack for any tree: one node waits a level


def new_trees(n: int, columns: int) -> Array:
    """Trees for n leaves, all of them still to be filled in."""
    return np.full(((1 << (n - 1).bit_length()) + n, columns), -np.inf)


@kernel
def play(trees: Array, size: int) -> None:
    """Fill the nodes from the leaves."""
    for node in range(size - 1, 0, -1):
        for column in range(trees.shape[1]):
            trees[node, column] = _larger(trees, node, column)


@kernel
def _larger(trees: Array, node: int, column: int) -> float:
    if 2 * node + 1 < len(trees):
        return max(trees[2 * node, column], trees[2 * node + 1, column])  # type: ignore[no-any-return]
    return trees[2 * node, column] if 2 * node < len(trees) else -np.inf


@kernel
def put(trees: Array, column: int, leaf: int, number: float) -> None:
    """Change the number of a leaf, given as its row, and all that hangs on it."""
    trees[leaf, column] = number
    node = leaf // 2
    while node > 0:
        larger = _larger(trees, node, column)
        if trees[node, column] == larger:
            return
        trees[node, column] = larger
        node //= 2


@kernel
def top(trees: Array, size: int, column: int) -> int:
    """The leaf of the largest number, the first among equals."""
    node = 1
    while node < size:
        node *= 2
        if node + 1 < len(trees) and trees[node + 1, column] > trees[node, column]:
            node += 1
    return node - size


@kernel
def top_outside(trees: Array, size: int, column: int, marks: Array, stamp: int, stack: Array) -> int:
    """The leaf of the largest number among those with mark != stamp, -1 where there is none.

    Down from the larger child first; the others wait until it is known whether they matter.
    """
    best, highest, depth = -1, -np.inf, 1
    stack[0] = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if node >= len(trees) or trees[node, column] < highest or trees[node, column] == -np.inf:
            continue
        if trees[node, column] == highest and _leftmost(node, size) > best:
            continue
        if node >= size:
            if marks[node - size] != stamp:
                best, highest = node - size, trees[node, column]
            continue
        right = 2 * node + 1 < len(trees) and trees[2 * node + 1, column] > trees[2 * node, column]
        stack[depth] = 2 * node if right else 2 * node + 1
        stack[depth + 1] = 2 * node + 1 if right else 2 * node
        depth += 2
    return best


@kernel
def _leftmost(node: int, size: int) -> int:
    """The first leaf below a node."""
    while node < size:
        node *= 2
    return node - size
