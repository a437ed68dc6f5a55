"""Isomap as an alignment matrix (Tenenbaum et al., 2000; Yang et al., 2006).

With D the squared geodesic distances of the graph, P = I - e e^T / n, A = -1/2 P D P and its
eigenpairs (lambda_i, q_i) in descending order,

    phi = lambda_1 I - A - sum_{i=2..d} (lambda_1 - lambda_i) q_i q_i^T - (lambda_1 / n) e e^T,

which is symmetric and PSD with null space [q_1, ..., q_d, e]: minimizing tr(Y phi Y^T) gives the
Isomap coordinates. Only positive lambda_i hold geometry, so terms with lambda_i <= 1e-10 lambda_1
are left out; if samples lie on a line, d = 2 is d = 1.
"""

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.csgraph import dijkstra
from scipy.sparse.linalg import eigsh

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint._validation import check_dense_size, check_integer
from trigpoint.alignment._alignment import Alignment, Shape
from trigpoint.alignment._inputs import check_graph, shape_of
from trigpoint.graph import NeighborGraph

LIMIT = 10_000  # samples
SMALL = 500  # samples up to which all of A is decomposed
ROWS = 512  # rows that in-place updates of an (n, n) array touch at a time


def isomap(graph: NeighborGraph, n_components: int) -> Floats:
    """The alignment matrix of Isomap: dense, so for at most 10,000 samples.

    Parameters
    ----------
    graph : NeighborGraph
        Connected; its distances are the lengths of its edges.
    n_components : int
        Dimension d of the embedding.

    Returns
    -------
    phi : (n, n) array, float64

    Notes
    -----
    Cost: n searches of shortest paths, O(n^2 (K + log n)), and products of a dense matrix with vectors for
    its leading eigenvectors. Memory: 8 n^2 bytes, and some more while it works; 0.8 GB at the limit of
    10,000 samples. The graph must be connected. Selectors that cover need a sparse phi: choose on
    `laplacian`.

    See Also
    --------
    ltsa : sparse, for pools of any size.
    laplacian : for classes, and for graphs in several parts.

    Examples
    --------
    >>> import numpy as np
    >>> from trigpoint.alignment import isomap
    >>> from trigpoint.graph import NeighborGraph
    >>> path = NeighborGraph(np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], dtype=np.int32), np.ones(4))
    >>> (3 * isomap(path, n_components=1)).round(12)
    array([[ 1., -2.,  1.],
           [-2.,  4., -2.],
           [ 1., -2.,  1.]])
    """
    graph = check_graph(graph)
    _check(shape_of(graph), n_components)
    if graph.n_components > 1:
        raise InputError(
            "graph", f"must be connected for geodesic distances; this one has {graph.n_components} components"
        )
    A = _doubly_centered(_geodesics(graph))
    values, vectors = _leading(A, n_components)
    return _aligned(A, values, vectors)


def _check(shape: Shape, n_components: int) -> None:
    n = shape.n_samples
    check_dense_size(n, LIMIT, "isomap")
    check_integer(n_components, "n_components", 1, n - 1, f" for {n} samples")


ALIGNMENT = Alignment("isomap", isomap, _check, dense=True)


def _geodesics(graph: NeighborGraph) -> Floats:
    """Shortest paths, (n, n); edges of length 0 between duplicates are edges."""
    distances: Floats = dijkstra(graph.lengths(), directed=False)
    longest = float(distances.max())
    if longest > 0 and not 1e-120 < longest < 1e120:
        raise InputError("graph", "must span between 1e-120 and 1e120 for isomap", f"{longest:g}: rescale it")
    return distances


def _doubly_centered(D: Floats) -> Floats:
    """-1/2 P D^2 P, in place."""
    np.square(D, out=D)
    D *= -0.5
    means = D.mean(axis=0)
    D -= means
    D -= D.mean(axis=1)[:, None]
    return D


def _leading(A: Floats, d: int) -> tuple[Floats, Floats]:
    """The positive ones among the d largest eigenvalues, descending, and their vectors."""
    n = len(A)
    if n <= SMALL or d > n // 10:
        values, vectors = eigh(A, subset_by_index=(n - d, n - 1))
    else:
        values, vectors = eigsh(A, d, which="LA", v0=np.random.default_rng(0).standard_normal(n))
    order = np.argsort(-values)
    order = order[values[order] > 1e-10 * max(values.max(), 0.0)]
    return values[order], vectors[:, order]


def _aligned(A: Floats, values: Floats, vectors: Floats) -> Floats:
    """phi from A and its leading eigenpairs, in place of A."""
    n = len(A)
    top = values[0] if len(values) else 0.0
    Q = vectors * np.sqrt(top - values)
    for start in range(0, n, ROWS):
        rows = A[start : start + ROWS]
        rows += Q[start : start + ROWS] @ Q.T
        rows += top / n
    np.negative(A, out=A)
    A.flat[:: n + 1] += top
    return _symmetrized(A)


def _symmetrized(A: Floats) -> Floats:
    """(A + A^T) / 2 in place: shortest paths add up in either direction, rounded differently."""
    n = len(A)
    for start in range(0, n, ROWS):
        stop = min(start + ROWS, n)
        mean = (A[start:stop, start:] + A[start:, start:stop].T) / 2
        A[start:stop, start:] = mean
        A[start:, start:stop] = mean.T
    return A
