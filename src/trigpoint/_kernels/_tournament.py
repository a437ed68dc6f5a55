"""Tournaments over columns of an array: the largest number at hand, each change in O(log n).

Column k of ``trees``, (size, columns) int32, is the tournament of column k of ``cells``; side by side, those
of one sample share cache lines. Leaf i stands at node size + i, size the power of two from n; node k > 0 has the children 2k and
2k + 1 and holds the index of the larger of their winners, the lower one among equals. A number of
-inf is out of the game.
"""

import numpy as np
from numba import njit

from trigpoint._types import Array

DEPTH = 128  # of a stack for any tree: one node waits a level


def size_for(n: int) -> int:
    """The number of leaves for n numbers."""
    return 1 << (n - 1).bit_length()


@njit(cache=True, nogil=True)
def play(trees: Array, cells: Array, column: int) -> None:
    """Fill the nodes of one tournament."""
    for node in range(len(trees) - 1, 0, -1):
        trees[node, column] = _match(trees, cells, column, node)


@njit(cache=True, nogil=True)
def winner(trees: Array, column: int, node: int, n: int) -> int:
    """The sample that wins at a node; -1 where it has none."""
    if node < len(trees):
        return np.int64(trees[node, column])  # type: ignore[return-value]
    return node - len(trees) if node - len(trees) < n else -1


@njit(cache=True, nogil=True)
def _match(trees: Array, cells: Array, column: int, node: int) -> int:
    a = winner(trees, column, 2 * node, len(cells))
    b = winner(trees, column, 2 * node + 1, len(cells))
    return a if b < 0 or (a >= 0 and cells[a, column] >= cells[b, column]) else b


@njit(cache=True, nogil=True)
def replay(trees: Array, cells: Array, column: int, i: int) -> None:
    """Play again what leaf i takes part in, after its number changed."""
    node = (len(trees) + i) // 2
    while node > 0:
        best = _match(trees, cells, column, node)
        if best == trees[node, column] and best != i:
            return
        trees[node, column] = best
        node //= 2


@njit(cache=True, nogil=True)
def top_outside(trees: Array, cells: Array, column: int, marks: Array, stamp: int, stack: Array) -> int:
    """The index of the largest number in the game among those with mark != stamp, -1 where there is none.

    A subtree whose winner is not marked is settled by it; only the way down to marked winners is walked.
    """
    n = len(cells)
    best, highest, depth = -1, -np.inf, 1
    stack[0] = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        i = winner(trees, column, node, n)
        if i < 0 or cells[i, column] < highest or cells[i, column] == -np.inf:
            continue
        if cells[i, column] == highest and i > best:
            continue
        if marks[i] != stamp:
            best, highest = i, cells[i, column]
        elif node < len(trees):
            left = winner(trees, column, 2 * node, n) == i
            stack[depth] = 2 * node + 1 if left else 2 * node
            stack[depth + 1] = 2 * node if left else 2 * node + 1
            depth += 2
    return best
