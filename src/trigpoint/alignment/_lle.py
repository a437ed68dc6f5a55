"""Locally linear embedding (Roweis & Saul, 2000).

Row i of W reconstructs x_i from its K neighbors: with C the rows x_j - x_i and G = C C^T,

    w = argmin |C^T w|^2 + R |w|^2  subject to  1^T w = 1,     that is  (G + R I) w ~ 1,

and phi = (I - W)^T (I - W), which is symmetric, PSD, and phi @ 1 = 0. Samples without neighbors
have a zero row in I - W. R is a share of trace G; where trace G = 0, all neighbors coincide with
x_i and share equally, w = 1/K.

Where G + R I is singular to working accuracy, w comes from an SVD instead of a Cholesky factor.
With H the (K, K - 1) orthonormal basis of 1's complement, w = 1/K + H v always sums to one, and
v = -(A^T A + R I)^+ A^T C^T 1/K with A = C^T H. At R = 0 that is the shortest of all best w, the
limit of R -> 0; singular values at rounding level count as zero.
"""

from typing import Any

import numpy as np
from scipy.linalg import helmert

from trigpoint._kernels.alignment import solve_ones
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint._validation import check_number
from trigpoint.alignment._alignment import Alignment, Shape
from trigpoint.alignment._inputs import check_graph, check_pool, shape_of
from trigpoint.alignment._neighborhoods import (
    each_chunk,
    gram_matrices,
    neighborhoods,
    outer_sum,
    patches,
    resolution,
)
from trigpoint.graph import NeighborGraph

DEFAULT = 1e-3  # share of the trace where K > p
SINGULAR = 1e-8  # least squared pivot, relative to the diagonal, that Cholesky may use


def lle(graph: NeighborGraph, X: Any, *, reg: float | None = None) -> Sparse:
    """The alignment matrix of locally linear embedding.

    Parameters
    ----------
    graph : NeighborGraph
        Its lists may differ in length.
    X : (n, p) array or sparse matrix
        Features of the graph's samples.
    reg : float, optional
        Regularization as a share of the trace of each local Gram matrix. By default 1e-3 for
        samples with more neighbors than features, and none for the others. Where the best
        weights are not unique, the shortest are taken.

    Returns
    -------
    phi : (n, n) csr_array, float64, canonical, diagonal stored

    Notes
    -----
    Cost: O(n K^2 (p + K)) time, and up to (K + 1)^2 entries of phi for each sample: 15 neighbors give rows
    several times as long as those of `laplacian`. It needs features, and entries of both signs, so a value
    may leave the range of the labels.

    See Also
    --------
    ltsa : works on tangents of a dimension that you know.
    laplacian : the default; its values stay between those of the labels.

    Examples
    --------
    The middle of three points on a line is the mean of its neighbors.

    >>> import numpy as np
    >>> from trigpoint.alignment import lle
    >>> from trigpoint.graph import NeighborGraph
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    >>> middle = NeighborGraph(np.array([0, 0, 2, 2]), np.array([0, 2], dtype=np.int32), np.ones(2))
    >>> lle(middle, X).toarray()
    array([[ 0.25, -0.5 ,  0.25],
           [-0.5 ,  1.  , -0.5 ],
           [ 0.25, -0.5 ,  0.25]])
    """
    graph = check_graph(graph)
    X = check_pool(X, graph)
    _check(shape_of(graph, X), reg)
    indptr, members = neighborhoods(graph, include_self=True)
    factors = np.zeros((len(members), 1))

    def work(slots: Ints) -> None:
        if slots.shape[1] > 1:
            factors[slots[:, 0], 0] = 1.0
            factors[slots[:, 1:], 0] = -_reconstruct(X, members[slots], reg)

    each_chunk(indptr, X.shape[1], work)
    return outer_sum(indptr, members, factors)


def _check(shape: Shape, reg: float | None) -> None:
    if reg is not None:
        check_number(reg, "reg", 0.0)


ALIGNMENT = Alignment("lle", lle, _check)


def _reconstruct(X: Any, members: Array, reg: float | None) -> Floats:
    """Weights (m, K) that rebuild the first member of each neighborhood from the others."""
    m, K = len(members), members.shape[1] - 1
    if reg is None:
        reg = DEFAULT if X.shape[1] < K else 0.0
    C = patches(X, members)[:, 1:]  # (m, K, p)
    grams, traces, units = gram_matrices(C)
    ridges = reg * traces
    weights = np.empty((m, K))
    sound = np.empty(m, dtype=np.bool_)
    solve_ones(grams, ridges, SINGULAR, weights, sound)
    if not sound.all():
        floor = resolution(X, members[~sound]) * units[~sound]
        weights[~sound] = shortest_weights(C[~sound], ridges[~sound], floor)
    return weights


def shortest_weights(C: Floats, ridges: Floats, floor: Floats) -> Floats:
    """w = 1/K + H v by SVD; singular values at or below ``floor`` or rounding count as zero."""
    K, p = C.shape[1:]
    H = helmert(K).T  # (K, K - 1)
    mean = C.mean(axis=1)  # C^T 1/K
    left, s, right = np.linalg.svd(C.swapaxes(1, 2) @ H, full_matrices=False)
    rounding = max(K, p) * np.finfo(np.float64).eps * s.max(axis=1, initial=0.0)
    seen = s > np.maximum(rounding, floor)[:, None]
    inverse = np.divide(s, s * s + ridges[:, None], where=seen, out=np.zeros_like(s))
    v = -(inverse[:, None] * (mean[:, None] @ left)) @ right  # (m, 1, K - 1)
    return 1.0 / K + (v @ H.T)[:, 0]  # type: ignore[no-any-return]
