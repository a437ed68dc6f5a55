"""The Laplacian of the density-normalized kernel of diffusion maps (Coifman & Lafon, 2006).

With k_ij the edge weights, k_ii = 1, and the density q_i = sum_j k_ij,

    W_ij = k_ij / (q_i q_j)^a  for i != j,      phi = D - W.

a = 1 removes the sampling density, so that phi tends to the Laplace-Beltrami operator of the
manifold however it was sampled; a = 1/2 gives Fokker-Planck diffusion; a = 0 leaves the kernel as
it is, and phi is the plain Laplacian. Diffusion maps go on to the Markov matrix D^-1 W, which is
not symmetric; D - W has the same harmonic functions, is symmetric and PSD, and phi @ 1 = 0, so
that constants propagate.
"""

import numpy as np

from trigpoint._types import Sparse
from trigpoint._validation import check_fraction
from trigpoint.alignment._alignment import Alignment, Shape
from trigpoint.alignment._laplacian import subtracted
from trigpoint.alignment._weights import check_weights, edge_weights
from trigpoint.graph import NeighborGraph


def diffusion(
    graph: NeighborGraph, weights: str = "auto", *, exponent: float = 1.0, sigma: float | None = None
) -> Sparse:
    """The Laplacian of the density-normalized kernel.

    Parameters
    ----------
    graph : NeighborGraph
    weights, sigma
        The kernel, as for `laplacian`, but with c = 1: beside k_ii = 1, sharper weights would hardly count.
    exponent : float in [0, 1]
        How much of the sampling density to divide out: 1 all, 0 none.

    Returns
    -------
    phi : (n, n) csr_array, float64, canonical, diagonal stored

    Notes
    -----
    Cost: O(m) time and memory for m edges of the graph, as `laplacian`.

    See Also
    --------
    laplacian : the default, whose weights are sharper.

    Examples
    --------
    >>> import numpy as np
    >>> from trigpoint.alignment import diffusion
    >>> from trigpoint.graph import NeighborGraph
    >>> pair = NeighborGraph(np.array([0, 1, 2]), np.array([1, 0], dtype=np.int32), np.ones(2))
    >>> diffusion(pair, "binary").toarray()
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    check_fraction(exponent, "exponent")
    W = edge_weights(graph, weights, sigma, perplexity=None)
    density = 1.0 + W.sum(axis=1)
    scale = density**-exponent
    W.data *= np.repeat(scale, np.diff(W.indptr)) * scale[W.indices]
    return subtracted(W.sum(axis=1), W)


def _check(shape: Shape, weights: str, exponent: float, sigma: float | None) -> None:
    check_fraction(exponent, "exponent")
    check_weights(shape, weights, sigma)


ALIGNMENT = Alignment("diffusion", diffusion, _check)
