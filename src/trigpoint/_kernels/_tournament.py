"""A tournament over one column of an array: the largest number at hand, each change in O(log n).

Leaf i stands at node size + i, size the power of two from n; node k > 0 has the children 2k and
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
def play(tree: Array, cells: Array, column: int) -> None:
    """Fill the nodes of ``tree``, (size,) int32."""
    for node in range(len(tree) - 1, 0, -1):
        tree[node] = _match(tree, cells, column, node)


@njit(cache=True, nogil=True)
def _winner(tree: Array, node: int, n: int) -> int:
    if node < len(tree):
        return np.int64(tree[node])  # type: ignore[return-value]
    return node - len(tree) if node - len(tree) < n else -1


@njit(cache=True, nogil=True)
def _match(tree: Array, cells: Array, column: int, node: int) -> int:
    a, b = _winner(tree, 2 * node, len(cells)), _winner(tree, 2 * node + 1, len(cells))
    return a if b < 0 or (a >= 0 and cells[a, column] >= cells[b, column]) else b


@njit(cache=True, nogil=True)
def replay(tree: Array, cells: Array, column: int, i: int) -> None:
    """Play again what leaf i takes part in, after its number changed."""
    node = (len(tree) + i) // 2
    while node > 0:
        winner = _match(tree, cells, column, node)
        if winner == tree[node] and winner != i:
            return
        tree[node] = winner
        node //= 2


@njit(cache=True, nogil=True)
def top(tree: Array, n: int) -> int:
    """The index of the largest number."""
    return _winner(tree, 1, n)


@njit(cache=True, nogil=True)
def top_outside(tree: Array, cells: Array, column: int, marks: Array, stamp: int, stack: Array) -> int:
    """The index of the largest number in the game among those with mark != stamp, -1 where there is none.

    A subtree whose winner is not marked is settled by it; only the way down to marked winners is walked.
    """
    n = len(cells)
    best, highest, depth = -1, -np.inf, 1
    stack[0] = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        winner = _winner(tree, node, n)
        if winner < 0 or cells[winner, column] < highest or cells[winner, column] == -np.inf:
            continue
        if cells[winner, column] == highest and winner > best:
            continue
        if marks[winner] != stamp:
            best, highest = winner, cells[winner, column]
        elif node < len(tree):
            left = _winner(tree, 2 * node, n) == winner
            stack[depth] = 2 * node + 1 if left else 2 * node
            stack[depth + 1] = 2 * node if left else 2 * node + 1
            depth += 2
    return best
