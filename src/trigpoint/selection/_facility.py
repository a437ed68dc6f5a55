"""Facility location: cover the pool, as labels spread on the graph, at the scale that suits their number.

With S_ij in [0, 1] how much a label at i tells of j and h_j the share of j in the degrees of freedom, both
at the rate alpha (`_resolvent`), landmarks L are chosen one by one to make

    F(L) = sum_j sqrt(h_j) max_{i in L} S_ij

large: next comes argmax_i sum_j sqrt(h_j) max(0, S_ij - best_j), best_j = max over the landmarks so far. F is
monotone and submodular, so greedy reaches 1 - 1/e of the best F, and lazy evaluation makes a pick cheap. h_j
is small where a sample has many like it and large where it stands alone: its root lies between counting
samples and counting what there is to know.

Few labels must reach far, many need not: alpha is the least power of two at which the degrees of freedom
sum_j h_j are as many as there will be landmarks, ``initial`` included, which count as chosen. So the
first k of l picks are not those for k, unless both share a scale. Ties go to the lower index, as far as
rounding lets them be ties.

- Up to `WHOLE` samples S is computed in full.
- In larger pools, few landmarks are chosen among `CELLS` representatives, on the graph of the cells around
  them (`_cells`): S and h are those of the cells, and a cell of m samples weighs sqrt(m h).
- More landmarks need not reach far: S is sparse, by local pushes, with alpha 0.05 or more.

S is taken on the Laplacian of the graph; where none is given, on the Laplacian whose weights are |phi_ij|,
which is phi itself if that is one. A dense phi needs the graph.
"""

import numpy as np

from trigpoint._types import Floats, Ints, Sparse
from trigpoint.selection._cells import cells
from trigpoint.selection._covering import covering
from trigpoint.selection._pool import Pool
from trigpoint.selection._resolvent import (
    ALPHA,
    Resolvent,
    dense_resolvent,
    in_units,
    sparse_resolvent,
)

WHOLE = 2000  # samples
CELLS = 1000
RATES = tuple(2.0**k for k in range(-24, 3))  # alpha
SHORT = tuple(ALPHA * 2.0**k for k in range(7))  # the same where columns must be short


def facility(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    phi, total = pool.laplacian(), len(pool.initial) + n_landmarks
    if pool.n <= WHOLE:
        A, R = in_units(phi)
        scale = scale_for(A.toarray(), R, total)
        return covering(scale.S, np.sqrt(scale.shares), n_landmarks, pool.initial)
    if 2 * total > CELLS:
        scale = short_scale_for(phi, total)
        return covering(scale.S, np.sqrt(scale.shares), n_landmarks, pool.initial)
    near = sparse_resolvent(phi, ALPHA)
    more = covering(near.S, np.sqrt(near.shares), CELLS - len(pool.initial), pool.initial)
    coarse = cells(phi, near.S, np.concatenate([pool.initial, more]))
    scale = scale_for(coarse.A, coarse.R, total)
    given = np.arange(len(pool.initial))
    return coarse.centers[covering(scale.S, np.sqrt(coarse.sizes * scale.shares), n_landmarks, given)]


def scale_for(A: Floats, R: Floats, freedom: int) -> Resolvent:
    """At the least of `RATES` with so many degrees of freedom, or the last: they grow with the rate."""
    low, high = 0, len(RATES) - 1
    place, scale = high, dense_resolvent(A, R, RATES[high])
    while low < high:
        place = (low + high) // 2
        scale = dense_resolvent(A, R, RATES[place])
        low, high = (low, place) if scale.freedom >= freedom else (place + 1, high)
    return scale if place == low else dense_resolvent(A, R, RATES[low])


def short_scale_for(phi: Sparse, freedom: int) -> Resolvent:
    """The same of sparse columns: they get shorter, so that the first rate is the dearest."""
    for alpha in SHORT[:-1]:
        scale = sparse_resolvent(phi, alpha)
        if scale.freedom >= freedom:
            return scale
    return sparse_resolvent(phi, SHORT[-1])
