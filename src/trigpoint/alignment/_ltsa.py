"""Local tangent space alignment (Zhang & Zha, 2004).

A neighborhood N_i of k points contributes the projector that kills the constant and its d leading
tangents:  B_i = I - G_i G_i^T,  G_i = [1/sqrt(k), v_1, ..., v_d],  v the leading left singular
vectors of the centered neighborhood. phi = sum_i S_i B_i S_i^T is symmetric, PSD, phi @ 1 = 0.

The v are eigenvectors of the k x k Gram matrix, which costs digits: rounding turns the tangent
space by about eps s_1^2 / (s_d^2 - s_{d+1}^2), s the singular values. Where that gap is below
1e-6 s_1^2 an SVD takes over. It drops directions whose singular value is at rounding level, so a
neighborhood of rank r < d (duplicates, points on a line) has r tangents and no arbitrary ones.
Where s_d = s_{d+1} > 0, the data do not determine the tangent space, and the SVD's choice stands.
"""

from typing import Any

import numpy as np
from scipy.linalg import helmert

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint._validation import check_integer
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

GAP = 1e-6  # of s_1^2, between s_d^2 and s_{d+1}^2


def ltsa(graph: NeighborGraph, X: Any, n_components: int, *, include_self: bool = True) -> Sparse:
    """The alignment matrix of local tangent space alignment.

    Parameters
    ----------
    graph : NeighborGraph
        Its lists may differ in length; those too short for n_components contribute nothing.
    X : (n, p) array or sparse matrix
        Features of the graph's samples.
    n_components : int
        Dimension d of the tangent spaces: at most p, and at most k - 2 for neighborhoods of k
        points, because d = k - 1 tangents and the constant leave nothing of k points.
    include_self : bool
        Whether a sample belongs to its own neighborhood. The method's authors count it among
        their K, so theirs is a graph with K - 1 neighbors here; scikit-learn does not, so its
        matrix is that of ``include_self=False``.

    Returns
    -------
    phi : (n, n) csr_array, float64, canonical, diagonal stored

    Notes
    -----
    Cost: O(n K^2 (p + K)) time, and up to (K + 1)^2 entries of phi for each sample. It needs features, the
    dimension of the surface, and at least ``n_components + 2`` points in a neighborhood.

    See Also
    --------
    lle : needs no dimension.
    laplacian : the default, for classes and for graphs without features.

    Examples
    --------
    Three points on a line, one neighborhood: only what bends costs.

    >>> import numpy as np
    >>> from trigpoint.alignment import ltsa
    >>> from trigpoint.graph import NeighborGraph
    >>> X = np.array([[0.0], [1.0], [2.0]])
    >>> middle = NeighborGraph(np.array([0, 0, 2, 2]), np.array([0, 2], dtype=np.int32), np.ones(2))
    >>> (6 * ltsa(middle, X, n_components=1)).toarray().round(12)
    array([[ 1., -2.,  1.],
           [-2.,  4., -2.],
           [ 1., -2.,  1.]])
    """
    graph = check_graph(graph)
    X = check_pool(X, graph)
    indptr, members = neighborhoods(graph, include_self)
    _check(shape_of(graph, X), n_components, include_self)
    factors = np.zeros((len(members), n_components + 1))

    def work(slots: Ints) -> None:
        if slots.shape[1] >= n_components + 2:
            factors[slots, 0] = slots.shape[1] ** -0.5
            factors[slots, 1:] = _tangents(X, members[slots], n_components)

    each_chunk(indptr, X.shape[1], work)
    phi = outer_sum(indptr, members, factors)
    np.negative(phi.data, out=phi.data)
    sizes = np.diff(indptr)
    counted = np.repeat(sizes >= n_components + 2, sizes)
    phi.setdiag(phi.diagonal() + np.bincount(members[counted], minlength=graph.n_samples))
    return phi


def _check(shape: Shape, n_components: int, include_self: bool) -> None:
    p, largest = shape.n_features, shape.n_neighbors + bool(include_self)
    check_integer(n_components, "n_components", 1, p, f" for {p} features")
    if n_components > largest - 2:
        raise InputError(
            "n_components",
            f"must be at most k - 2 for neighborhoods of k = {largest} points",
            n_components,
        )


ALIGNMENT = Alignment("ltsa", ltsa, _check)


def _tangents(X: Any, members: Array, d: int) -> Floats:
    """Leading left singular vectors of each centered neighborhood, (m, k, min(d, k - 1))."""
    k = members.shape[1]
    P = patches(X, members)  # (m, k, p)
    if k <= d:
        return _tangents_by_svd(P, d, resolution(X, members))
    P -= P.mean(axis=1, keepdims=True)
    grams, _, units = gram_matrices(P)
    squares, vectors = np.linalg.eigh(grams)  # ascending
    tangents: Floats = vectors[:, :, -d:]
    tangents -= tangents.mean(axis=1, keepdims=True)  # rounding must not lean on the constant
    clear = squares[:, -d] - squares[:, -d - 1] > GAP * squares[:, -1]
    if not clear.all():
        tangents[~clear] = 0.0
        found = _tangents_by_svd(P[~clear], d, resolution(X, members[~clear]) * units[~clear])
        tangents[~clear, :, : found.shape[2]] = found
    return tangents


def _tangents_by_svd(P: Floats, d: int, floor: Floats) -> Floats:
    """The same in the orthonormal basis H of 1's complement, so that no v leans on the constant."""
    k, p = P.shape[1:]
    H = helmert(k).T  # (k, k - 1)
    left, s, _ = np.linalg.svd(H.T @ P, full_matrices=False)
    rounding = max(k, p) * np.finfo(np.float64).eps * s.max(axis=1, initial=0.0)
    seen = s[:, None, :d] > np.maximum(rounding, floor)[:, None, None]
    return H @ np.where(seen, left[:, :, :d], 0.0)  # type: ignore[no-any-return]
