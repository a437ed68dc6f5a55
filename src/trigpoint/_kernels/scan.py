"""Brute-force nearest neighbors by blocks: one matrix product, then a bounded heap a query.

||q - c||^2 = ||q||^2 + ||c||^2 - 2 q.c, so a block of queries against a block of candidates is
one BLAS call. Each query keeps its k best in a max-heap ordered by (distance, id), so that equal
distances are settled by the lower id whatever the order in which candidates come.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel


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
    products = np.dot(Q, C.T)  # (m, c)
    squares = np.empty(len(C), C.dtype)
    for b in range(len(C)):
        squares[b] = np.dot(C[b], C[b])
    for a in range(len(Q)):
        heap_d = best_d[rows[a]]
        heap_i = best_i[rows[a]]
        square = np.dot(Q[a], Q[a])
        product = products[a]
        worst = heap_d[0]
        for b in range(len(C)):
            d = square + squares[b] - 2 * product[b]
            if d <= worst and ids[b] != own[a] and (d < worst or ids[b] < heap_i[0]):
                _replace_root(heap_d, heap_i, d, ids[b])
                worst = heap_d[0]
