"""Facility location: cover the pool, as labels spread on the graph, at the scale that suits their number.

With S_ij in [0, 1] how much a label at i tells of j and h_j the share of j in the degrees of freedom, both
at the rate alpha (`_resolvent`), landmarks L are chosen to make

    F(L) = sum_j h_j^g max_{i in L} S_ij,     g = the mean of h,

large: greedily, which reaches 1 - 1/e of the best F, and then by exchanges, until no exchange of one landmark
makes F larger (`_covering`). Few labels must speak for many samples each, and all samples count nearly the
same (g near 0). With labels for a large part of the pool, counting samples would spend them where samples are
many and alike, and leave those out that stand alone: on binary weights that is worse than random.

Samples that count differently, m_j of mean 1, make F = sum_j m_j h_j^g max S_ij, with g the mean of h,
weighted by m: the F of a pool where j stands m_j times, seen on the graph of the samples. S and the scale do
not know m.

Few labels must reach far, many need not: alpha is the least power of two at which the degrees of freedom
sum_j h_j, beyond the one that each connected part has at any scale, are as many as there will be landmarks,
``initial`` included, which count as chosen; at most 0.7 n. (Were parts counted, a pool with many small ones
would get the scale at which a landmark covers the whole of the largest.) So the first k of l picks are not
those for k. Picks come in the order in which greedy takes them. Ties go to the lower index, as far as
rounding lets them be ties.

- Up to `WHOLE` samples S is computed in full.
- In larger pools, landmarks are chosen among `WHOLE` representatives, on the graph of the cells around them
  (`_cells`): S and h are those of the cells, and a cell of m samples weighs m (h / m)^g.
- Above `PLENTY` samples, cells are made of small groups of samples (`alignment/_groups`), as often grouped as
  it takes.
- More landmarks than half of these need not reach far: S is sparse, by local pushes, with alpha 0.05 or more.

S is taken on the Laplacian whose weights are |phi_ij|, which is phi itself if that is one. On the matrices of
LLE and LTSA, where entries have both signs, this chooses well too (docs/selection.md has the figures).
A dense phi is refused: on that of Isomap all samples are neighbors, and the choice is worse than random.
"""

import numpy as np
from scipy import sparse

from trigpoint._types import Floats, Ints, Sparse
from trigpoint.alignment import Groups, groups
from trigpoint.selection._cells import Cells, cells
from trigpoint.selection._covering import best_covering, covering
from trigpoint.selection._pool import Pool
from trigpoint.selection._resolvent import (
    ALPHA,
    Resolvent,
    in_units,
    median_degree,
    sparse_resolvent,
    typical_degree,
)
from trigpoint.selection._scale import count_parts, freedom_for, scale_for
from trigpoint.selection._selector import Selector

WHOLE = 4000  # samples, or cells: a few inverses of this size take some seconds
PLENTY = 200_000  # samples: above, cells are made of groups of samples
FEWER = 0.7  # groups a sample at most: on stars nearly all would stay alone
COARSE = 0.01  # the cutoff of pushes that only choose the centers of cells
SHORT = tuple(ALPHA * 2.0**k for k in range(7))  # alpha where columns must be short


def facility(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    phi, given, total = pool.laplacian(), pool.initial, len(pool.initial) + n_landmarks
    if pool.n <= WHOLE:
        A, R = in_units(phi)
        scale = scale_for(A, R, total)
        return best_covering(scale.S, weights(scale.shares, m=pool.sample_weight), n_landmarks, given)
    if 2 * total > WHOLE:
        scale = short_scale_for(phi, total)
        S = sparse.csr_array(scale.S.maximum(scale.S.T))  # pushes end at other places from the two ends
        return best_covering(S, weights(scale.shares, m=pool.sample_weight), n_landmarks, given)
    return _among_cells(
        coarse_pool(phi, given, WHOLE, pool.sample_weight), n_landmarks, len(given), pool.sample_weight
    )


SELECTOR = Selector("facility", facility, uses_phi=True, takes_dense=False, weighs=True)


def facility_of_groups(
    degrees: Floats, small: Groups, n_landmarks: int, n_given: int, m: Floats | None
) -> Ints | None:
    """The choice of `facility` in a pool of more than `PLENTY` samples, from its degrees and groups alone.

    The first ``n_given`` groups are those around ``initial``. None where groups are too many to help.
    """
    if len(small.centers) >= FEWER * len(degrees):
        return None
    return _among_cells(_cells_of_groups(degrees, small, n_given, WHOLE, m), n_landmarks, n_given, m)


def _among_cells(coarse: Cells, n_landmarks: int, n_given: int, m: Floats | None) -> Ints:
    A, R, centers = sparse.csr_array(coarse.A), coarse.R, coarse.centers
    sizes, total = coarse.sizes, coarse.total(m)
    del coarse  # its A has 128 MB, and S is made of arrays of this size
    scale = scale_for(A, R, n_given + n_landmarks)
    each = weights(scale.shares, sizes, total)
    return centers[best_covering(scale.S, each, n_landmarks, np.arange(n_given))]


def coarse_pool(phi: Sparse, given: Ints, n_cells: int, m: Floats | None = None) -> Cells:
    """Cells, the first of them around the samples that are given."""
    if phi.shape[0] > PLENTY:
        small = groups(phi, given)
        if len(small.centers) < FEWER * phi.shape[0]:
            return _cells_of_groups(phi.diagonal(), small, len(given), n_cells, m)
    S = sparse_resolvent(phi, ALPHA, COARSE).S
    more = covering(S, np.ones(phi.shape[0]) if m is None else m, n_cells - len(given), given)
    return cells(phi, S, np.concatenate([given, more]))


def _cells_of_groups(degrees: Floats, small: Groups, n_given: int, n_cells: int, m: Floats | None) -> Cells:
    """Cells of groups, in terms of the samples."""
    of_groups = coarse_pool(small.phi, np.arange(n_given), n_cells, small.total(m))
    owner = of_groups.owner[small.owner]
    held = owner >= 0
    unit, unit_of_groups = typical_degree(degrees), median_degree(small.phi)[1]
    return Cells(
        small.centers[of_groups.centers],
        of_groups.A * (unit_of_groups / unit),
        np.asarray(np.bincount(owner[held], np.maximum(degrees / unit, 1.0)[held], n_cells), np.float64),
        np.bincount(owner[held], minlength=n_cells).astype(np.float64),
        owner,
        _nearness(of_groups, small),
    )


def _nearness(of_groups: Cells, small: Groups) -> Floats:
    """That of its group; a group's center is nearer than the others in it."""
    near = of_groups.nearness[small.owner] * np.float32(1 - 1e-6)
    near[small.centers] = of_groups.nearness
    return near


def weights(shares: Floats, sizes: Floats | None = None, m: Floats | None = None) -> Floats:
    """m_j h_j^g; of cells of s_j samples, which count m_j together, m_j (h_j / s_j)^g."""
    s = np.ones(len(shares)) if sizes is None else sizes
    m = s if m is None else m
    h = shares / s
    g = shares.sum() / s.sum() if m is s else (m @ h) / m.sum()
    return np.asarray(m * h**g)


def short_scale_for(phi: Sparse, n_landmarks: int) -> Resolvent:
    """At the least of `SHORT` with enough degrees of freedom, or the last; the first is the dearest."""
    freedom = freedom_for(n_landmarks, phi.shape[0], count_parts(phi))
    for alpha in SHORT[:-1]:
        scale = sparse_resolvent(phi, alpha)
        if scale.freedom >= freedom:
            return scale
    return sparse_resolvent(phi, SHORT[-1])
