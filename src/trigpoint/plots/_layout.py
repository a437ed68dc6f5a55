"""A map of the pool: two coordinates for each sample, neighbors near each other.

The layout of t-SNE (van der Maaten & Hinton, 2008), with the graph's own neighbors as affinities,
    P = (A + A^T) / 2n,   A_ij = 1 / |N_i| for j in N_i,       q(d) = 1 / (1 + |d|^2):
each sample y_i moves against
    sum_j p_ij q(y_i - y_j) (y_i - y_j)  -  1/Z sum_j q(y_i - y_j)^2 (y_i - y_j),   Z = sum_ij q.
Graphs have few neighbors for that, and clusters would come out as rings and strings: where it is
cheap, A becomes (A + A^2) / 2, which knows neighbors of neighbors. The second sum is a convolution,
so it is taken on a grid by FFT (as Linderman et al., 2019, do), and an iteration costs
O(edges + n + cells log cells). Z counts i = j too, unlike t-SNE's: few samples would fly apart.
Samples start where averaging over neighbors puts them, and a weak pull to the middle keeps the
parts of a disconnected graph in one picture.
"""

from functools import lru_cache

import numpy as np
from scipy import fft
from scipy.sparse import csr_array

from trigpoint._types import Array, Floats, Sparse
from trigpoint.graph import NeighborGraph

AVERAGING = 200  # rounds that make the start
EARLY, LATE = 90, 160  # rounds with strong attraction, which gathers clusters, and with plain attraction
EXAGGERATION = 12.0
TWO_STEPS = 2_000_000  # products that A^2 may cost
CELL, MOST_CELLS = 0.5, 256  # the grid's finest spacing, in units of q's width, and its largest side


def map_coordinates(graph: NeighborGraph) -> Floats:
    """Two coordinates for each sample, to draw the pool with; the same for the same graph.

    Distances on the map mean little beyond neighborhoods: look at it, and measure elsewhere.

    Parameters
    ----------
    graph : NeighborGraph, connected or not

    Returns
    -------
    (n, 2) float64, centered, wider than high

    Examples
    --------
    >>> import trigpoint as tp
    >>> from trigpoint.plots import map_coordinates
    >>> map_coordinates(tp.graph_from_edges([[0, 1], [1, 2]])).shape
    (3, 2)
    """
    if graph.n_samples < 3:  # nothing to arrange
        return np.array([[-1.0, 0.0], [1.0, 0.0]])[: graph.n_samples] * (graph.n_samples - 1)
    affinities = _affinities(graph)
    Y = _start(affinities)
    velocity, gains = np.zeros_like(Y), np.ones_like(Y)
    for step in range(EARLY + LATE):
        early = step < EARLY
        slope = _slope(Y, affinities, EXAGGERATION if early else 1.0)
        gains = np.where(np.sign(slope) != np.sign(velocity), gains + 0.2, np.maximum(0.8 * gains, 0.01))
        velocity = (0.5 if early else 0.8) * velocity - max(len(Y) / EXAGGERATION, 10.0) * gains * slope
        Y = Y + velocity
    return _upright(Y)


def _affinities(graph: NeighborGraph) -> Sparse:
    n = graph.n_samples
    counts = np.diff(graph.indptr)
    shares = np.repeat(1.0 / np.maximum(counts, 1), counts)
    directed = csr_array((shares, graph.indices, graph.indptr), shape=(n, n))
    if float(counts[graph.indices].sum()) <= TWO_STEPS:
        directed = (directed + directed @ directed) / 2
    return csr_array((directed + directed.T) / (2 * n))


def _start(affinities: Sparse) -> Floats:
    """Two directions that vary slowly along the graph, by lazy averaging from noise; width about 1."""
    n = affinities.shape[0]
    degrees = affinities.sum(axis=1)
    lazy = 0.5 / np.where(degrees > 0, degrees, 1.0)[:, None]
    noise = np.random.default_rng(0).standard_normal((n, 2))
    Y = noise
    for step in range(AVERAGING):
        Y = np.where(degrees[:, None] > 0, 0.5 * Y + lazy * (affinities @ Y), Y)
        if step % 20 == 19:  # or both directions would become the slowest one
            Y = np.linalg.qr(Y - Y.mean(axis=0))[0] * np.sqrt(n)
    Y = np.clip(Y / (Y.std(axis=0) + 1e-12), -3.0, 3.0)
    return np.asarray(Y + 0.02 * noise)  # no force parts samples in one place


def _slope(Y: Floats, affinities: Sparse, exaggeration: float) -> Floats:
    repulsion, Z = _repulsion(Y)
    return 4.0 * (exaggeration * _attraction(Y, affinities) - repulsion / Z) + 1e-3 / len(Y) * Y


def _attraction(Y: Floats, affinities: Sparse) -> Floats:
    """sum_j p_ij q_ij (y_i - y_j)"""
    apart = np.repeat(Y, np.diff(affinities.indptr), axis=0) - Y[affinities.indices]  # (m, 2)
    pull = affinities.data / (1.0 + np.einsum("ij,ij->i", apart, apart))
    pulls = csr_array((pull, affinities.indices, affinities.indptr), shape=affinities.shape)
    return np.asarray(pulls.sum(axis=1)[:, None] * Y - pulls @ Y)


def _repulsion(Y: Floats) -> tuple[Floats, float]:
    """sum_j q_ij^2 (y_i - y_j), and Z, by way of a grid that each sample is spread on bilinearly."""
    low, extent = Y.min(axis=0), float(np.ptp(Y, axis=0).max())
    cell = CELL
    while extent / cell > MOST_CELLS - 2:
        cell *= 1.25
    side = 32 * int(np.ceil((extent / cell + 2) / 32))
    place = (Y - low) / cell
    corner = place.astype(np.int64)
    right, up = (place - corner).T
    at = corner[:, 0] * side + corner[:, 1]
    corners = [(at, (1 - right) * (1 - up)), (at + 1, (1 - right) * up)]
    corners += [(at + side, right * (1 - up)), (at + side + 1, right * up)]
    mass = np.sum([np.bincount(index, share, side * side) for index, share in corners], axis=0)
    spectrum = fft.rfft2(mass.reshape(side, side), (2 * side, 2 * side))
    fields = fft.irfft2(spectrum * _kernels(side, cell), (2 * side, 2 * side))[:, :side, :side]
    fields = np.ascontiguousarray(fields.reshape(3, -1).T)  # (cells, 3)
    felt = sum(share[:, None] * fields[index] for index, share in corners)  # (n, 3)
    return felt[:, 1:], float(felt[:, 0].sum())


@lru_cache(maxsize=8)
def _kernels(side: int, cell: float) -> Array:
    """The transforms of q, and of q^2 d in both directions."""
    offset = cell * (np.arange(2 * side) - 2 * side * (np.arange(2 * side) >= side))
    q = 1.0 / (1.0 + offset[:, None] ** 2 + offset**2)
    return np.asarray(fft.rfft2(np.stack([q, q * q * offset[:, None], q * q * offset])))


def _upright(Y: Floats) -> Floats:
    """Centered, turned so that the larger spread lies across, and signed by the farthest sample."""
    Y = Y - Y.mean(axis=0)
    Y = Y @ np.linalg.svd(Y, full_matrices=False)[2].T
    ends = Y[np.argmax(np.abs(Y), axis=0), np.arange(2)]
    return np.asarray(Y * np.where(ends < 0, -1.0, 1.0))
