"""Brute-force nearest neighbors by blocks: one matrix product, then a bounded heap a query.

||q - c||^2 = ||q||^2 + ||c||^2 - 2 q.c, so a block of queries against a block of candidates is
one BLAS call; blocks are small enough for the products to stay in the cache. Each query keeps its
k best in a max-heap ordered by (distance, id), so that equal distances are settled by the lower id
whatever the order in which candidates come.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel

QUERIES, CANDIDATES = 128, 256  # in a block: 128 kilobytes of float32 products
LOOK = 32  # products to compare at a time


@kernel
def _replace_root(heap_d, heap_i, d, i):  # type: ignore[no-untyped-def]
    """Put (d, i) in the place of the heap's largest entry."""
    k = len(heap_d)
    spot = 0
    while True:
        child = 2 * spot + 1
        if child >= k:
            break
        right = child + 1
        if right < k and (
            heap_d[right] > heap_d[child]
            or (heap_d[right] == heap_d[child] and heap_i[right] > heap_i[child])
        ):
            child = right
        if heap_d[child] < d or (heap_d[child] == d and heap_i[child] < i):
            break
        heap_d[spot] = heap_d[child]
        heap_i[spot] = heap_i[child]
        spot = child
    heap_d[spot] = d
    heap_i[spot] = i


@kernel
def scan(Q, own, rows, C, ids, best_d, best_i):  # type: ignore[no-untyped-def]
    """Offer the candidates C to the heaps of the queries Q.

    Q : (m, p) queries; own (m,) the id each must not find (-1: none); rows (m,) their heaps
    C : (c, p) candidates with their ids (c,)
    best_d, best_i : heaps, changed in place; start them at inf and a large id
    """
    room = np.empty(min(len(Q), QUERIES) * min(len(C), CANDIDATES), C.dtype)
    squares = np.empty(len(C), C.dtype)
    for b in range(len(C)):
        squares[b] = np.dot(C[b], C[b])
    for start in range(0, len(Q), QUERIES):
        some = Q[start : start + QUERIES]
        for first in range(0, len(C), CANDIDATES):
            part = C[first : first + CANDIDATES]
            far = room[: len(some) * len(part)].reshape(len(some), len(part))
            np.dot(some, part.T, far)
            for a in range(len(some)):
                row = rows[start + a]
                _to_squares(far[a], np.dot(some[a], some[a]), squares[first : first + CANDIDATES])
                _offer(far[a], ids[first : first + CANDIDATES], own[start + a], best_d[row], best_i[row])


@kernel
def _to_squares(products, square, squares):  # type: ignore[no-untyped-def]
    """From products q.c to squared distances, in place and in their own type."""
    for b in range(len(products)):
        products[b] = square + squares[b] - (products[b] + products[b])


@kernel
def _offer(far, ids, own, heap_d, heap_i):  # type: ignore[no-untyped-def]
    worst = heap_d[0]
    for begin in range(0, len(far), LOOK):
        end = min(begin + LOOK, len(far))
        near = 0  # counting compiles to vector instructions, and most often there is none
        for b in range(begin, end):
            near += far[b] <= worst
        if near == 0:
            continue
        for b in range(begin, end):
            d = far[b]
            if d <= worst and ids[b] != own and (d < worst or ids[b] < heap_i[0]):
                _replace_root(heap_d, heap_i, d, ids[b])
                worst = heap_d[0]
