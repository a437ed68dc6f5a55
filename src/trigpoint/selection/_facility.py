"""Facility location: cover the pool, as labels spread on the graph, at the scale that suits their number.

With S_ij in [0, 1] how much a label at i tells of j and h_j the share of j in the degrees of freedom, both
at the rate alpha (`_resolvent`), landmarks L are chosen one by one to make

    F(L) = sum_j sqrt(h_j) max_{i in L} S_ij

large: next comes argmax_i sum_j sqrt(h_j) max(0, S_ij - best_j), best_j = max over the landmarks so far. F is
monotone and submodular, so greedy reaches 1 - 1/e of the best F, and lazy evaluation makes a pick cheap. h_j
is small where a sample has many like it and large where it stands alone: its root lies between counting
samples and counting what there is to know.

Few labels must reach far, many need not: alpha is the least of 2^-9, 2^-8, ..., 4 at which the degrees of
freedom sum_j h_j are as many as there will be landmarks, ``initial`` included, which count as chosen. So the
first k of l picks are not those for k, unless both share a scale. Ties go to the lower index.

Up to `WHOLE` samples S is computed in full. Above, it comes from local pushes and alpha is at least 0.05, at
which few labels of a large pool reach less far than they could.

S is taken on the Laplacian of the graph; where none is given, on the Laplacian whose weights are |phi_ij|,
which is phi itself if that is one. A dense phi needs the graph.
"""

import numpy as np
from scipy import sparse

from trigpoint._kernels._selection_push import cover, cover_by
from trigpoint._kernels._tournament import new_trees
from trigpoint._types import Ints, Sparse
from trigpoint.alignment import laplacian
from trigpoint.selection._pool import Pool
from trigpoint.selection._resolvent import ALPHA, Resolvent, dense_resolvent, sparse_resolvent

WHOLE = 2000  # samples
RATES = tuple(2.0**k for k in range(-9, 3))  # alpha
SHORT = tuple(ALPHA * 2.0**k for k in range(7))  # the same where columns must be short
CHUNK = 1000  # picks between two chances to interrupt


def facility(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    scale = scale_for(_laplacian_of(pool), len(pool.initial) + n_landmarks)
    arrays = scale.S.indptr, scale.S.indices, scale.S.data
    best, free, trees = np.zeros(pool.n), pool.free(), new_trees(pool.n, 1)
    weights, price = np.sqrt(scale.shares), np.ones(pool.n)
    for i in pool.initial:
        cover_by(*arrays, best, i)
    weights[pool.initial] = 0.0
    picks = np.empty(n_landmarks, dtype=np.int64)
    for k in range(0, n_landmarks, CHUNK):
        cover(*arrays, weights, best, free, price, trees, picks[k : k + CHUNK])
    return picks


def scale_for(phi: Sparse, freedom: int) -> Resolvent:
    """At the least rate with so many degrees of freedom, or the last one; they grow with the rate."""
    if phi.shape[0] > WHOLE:
        for alpha in SHORT:  # columns get shorter: the first is the dearest
            scale = sparse_resolvent(phi, alpha)
            if scale.freedom >= freedom:
                break
        return scale
    low, high = 0, len(RATES) - 1
    found: dict[int, Resolvent] = {}
    while low < high:
        middle = (low + high) // 2
        found = {middle: dense_resolvent(phi, RATES[middle])}  # one at a time in memory
        if found[middle].freedom >= freedom:
            high = middle
        else:
            low = middle + 1
    return found[low] if low in found else dense_resolvent(phi, RATES[low])


def _laplacian_of(pool: Pool) -> Sparse:
    if pool.graph is not None:
        return laplacian(pool.graph)
    if not sparse.issparse(pool.phi):
        raise ValueError(f"graph must be given for method={pool.method!r} where phi is dense; got None.")
    off = -abs(pool.phi)
    off.setdiag(0.0)
    degrees = -(off @ np.ones(pool.n))
    return sparse.csr_array(off + sparse.diags_array(degrees))
