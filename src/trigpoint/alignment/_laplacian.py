"""The graph Laplacian (Belkin & Niyogi, 2003).

With W the symmetric edge weights and D the diagonal matrix of degrees d_i = sum_j w_ij,

    phi = D - W                       tr(Y phi Y^T) = 1/2 sum_ij w_ij |y_i - y_j|^2
    phi = I - D^-1/2 W D^-1/2         normalized

Both are symmetric and PSD. The first has phi @ 1 = 0; the second phi @ sqrt(d) = 0, so that
constants propagate with it only in the scaled variable. Rows of isolated samples are zero.
"""

import numpy as np
from scipy.sparse import csr_array

from trigpoint._types import Floats, Sparse
from trigpoint.alignment._alignment import Alignment
from trigpoint.alignment._weights import (
    PERPLEXITY,
    check_weights,
    edge_weights,
    is_large,
    weighing_of,
    whole_weights,
)
from trigpoint.graph import NeighborGraph


def laplacian(
    graph: NeighborGraph,
    weights: str = "auto",
    *,
    normalized: bool = False,
    sigma: float | None = None,
    perplexity: float | None = PERPLEXITY,
) -> Sparse:
    """The Laplacian of the graph, every edge counted in both directions.

    Parameters
    ----------
    graph : NeighborGraph
    weights : {"auto", "self_tuning", "heat", "binary", "distance", "own"}
        "auto" takes the graph's own similarities where it has some, else "self_tuning",
        exp(-c d^2 / (s_i s_j)) with s_i the distance of i to its last neighbor; a scale of 0 is
        replaced by the median of the positive scales. "distance" is the paper's literal weight: it
        ties far neighbors harder than near ones, and drops duplicates.
    normalized : bool
        I - D^-1/2 W D^-1/2, whose null vector is ``np.sqrt(degrees(graph))``.
    sigma : float, optional
        Scale of "heat", exp(-d^2 / sigma^2); by default the median distance to the last neighbor.
    perplexity : float > 1, or None
        Of "self_tuning": c >= 1 is such that the weights of the median sample have this perplexity,
        that is, count as much as so many equal ones. None stands for c = 1. See `sharpness`.

    Returns
    -------
    phi : (n, n) csr_array, float64, canonical, diagonal stored

    Notes
    -----
    Cost: O(nK) time and memory, K neighbors a sample; 4 s for a million samples with K = 15 on two cores.
    Sharp weights (the default perplexity of 5) make fewer mistakes than flat ones:
    docs/method/weights.md.

    See Also
    --------
    diffusion : corrects for density, so that only the shape counts.
    lle, ltsa : for clean data on surfaces of few dimensions, where they extrapolate slopes.
    isomap : dense, from path lengths; small connected pools only.

    Examples
    --------
    >>> import numpy as np
    >>> from trigpoint.alignment import laplacian
    >>> from trigpoint.graph import NeighborGraph
    >>> path = NeighborGraph(np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], dtype=np.int32), np.ones(4))
    >>> laplacian(path, "binary").toarray()
    array([[ 1., -1.,  0.],
           [-1.,  2., -1.],
           [ 0., -1.,  1.]])
    """
    weighing = weighing_of(graph, weights, sigma, perplexity)
    if is_large(graph):
        from trigpoint.alignment._two_ways import two_way_laplacian

        return two_way_laplacian(graph, weighing, normalized)
    W = whole_weights(graph, weighing)
    totals: Floats = W.sum(axis=1)
    if not normalized:
        return subtracted(totals, W)
    touched = totals > 0
    scale = np.divide(1.0, np.sqrt(totals), where=touched, out=np.zeros_like(totals))
    W.data *= np.repeat(scale, np.diff(W.indptr)) * scale[W.indices]
    return subtracted(touched.astype(np.float64), W)


ALIGNMENT = Alignment("laplacian", laplacian, check_weights)


def degrees(
    graph: NeighborGraph,
    weights: str = "auto",
    *,
    sigma: float | None = None,
    perplexity: float | None = PERPLEXITY,
) -> Floats:
    """Sum of the weights of each sample's edges; 0 for isolated samples.

    Parameters
    ----------
    graph : NeighborGraph
    weights, sigma, perplexity
        As for `laplacian`.

    Returns
    -------
    degrees : (n,) float64

    Notes
    -----
    Cost: O(m) for m edges; the Laplacian itself is not made.

    See Also
    --------
    trigpoint.laplacian : whose diagonal they are.

    Examples
    --------
    >>> import numpy as np
    >>> from trigpoint.alignment import degrees
    >>> from trigpoint.graph import NeighborGraph
    >>> path = NeighborGraph(np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], dtype=np.int32), np.ones(4))
    >>> degrees(path, "binary")
    array([1., 2., 1.])
    """
    sums: Floats = edge_weights(graph, weights, sigma, perplexity).sum(axis=1)
    return sums


def subtracted(diagonal: Floats, W: Sparse, first: int = 0) -> Sparse:
    """diag(diagonal) - W with the whole diagonal stored; W canonical and without diagonal.

    Both may hold a block of the rows, from ``first`` on.
    """
    n = len(diagonal)
    rows = np.repeat(np.arange(n), np.diff(W.indptr))
    before = np.bincount(rows[W.indices < rows + first], minlength=n)  # entries left of the diagonal
    at = W.indptr[:-1] + before
    columns = np.insert(W.indices, at, np.arange(first, first + n))
    values = np.insert(-W.data, at, diagonal)
    ends = W.indptr + np.arange(
        n + 1, dtype=W.indptr.dtype
    )  # the width of its indices, or scipy widens these
    return csr_array((values, columns, ends), shape=W.shape)
