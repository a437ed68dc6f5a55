"""A map of the pool: two coordinates for each sample, neighbors near each other.

The layout of t-SNE (van der Maaten & Hinton, 2008), with the graph's own neighbors as affinities,
    P = (A + A^T) / 2n,   A_ij = 1 / |N_i| for j in N_i,       q(d) = 1 / (1 + |d|^2):
each sample y_i moves against
    sum_j p_ij q(y_i - y_j) (y_i - y_j)  -  1/Z sum_j q(y_i - y_j)^2 (y_i - y_j),   Z = sum_ij q.
Graphs have few neighbors for that, and clusters would come out as rings and strings: where it is
cheap, A becomes (A + A^2) / 2, which knows neighbors of neighbors. The second sum is a convolution,
so it is taken on a grid by FFT (as Linderman et al., 2019, do), and an iteration costs
O(edges + n + cells log cells). Z counts i = j too, unlike t-SNE's: few samples would fly apart.
Samples start where averaging over neighbors puts them, the slowest direction across, each direction signed by
its farthest sample. The forces turn nothing, so every picture on the way lies as the last one does. A weak
pull to the middle keeps the parts of a disconnected graph in one picture. All is computed in an order in
which neighbors are near each other in memory, too, which is several times faster in large pools. Beyond
200,000 samples cells of about 20 are laid out first: from averages alone, clusters of so many would come
out in pieces.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy import fft
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra, reverse_cuthill_mckee

from trigpoint._kernels import compiled_csr, run_blocks
from trigpoint._kernels.layout import attract, collect, spread
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.graph import NeighborGraph

AVERAGING = 200  # rounds that make the start
EARLY, LATE = 90, 160  # rounds with strong attraction, which gathers clusters, and with plain attraction
EXAGGERATION = 12.0
LARGE, MEMBERS = 200_000, 20  # samples beyond which cells are laid out first, and samples a cell
COARSE = 0.2  # share of the work that is the layout of cells
ROWS = 4096  # that one thread takes at a time
OFTEN = 10  # rounds between two calls of ``on_step``
TWO_STEPS = 2_000_000  # products that A^2 may cost
CELL, MOST_CELLS = 0.5, 256  # the grid's finest spacing, in units of q's width, and its largest side


def map_coordinates(graph: NeighborGraph, on_step: Callable[[float, Floats], None] | None = None) -> Floats:
    """Two coordinates for each sample, to draw the pool with; the same for the same graph.

    Distances on the map mean little beyond neighborhoods: look at it, and measure elsewhere.

    Parameters
    ----------
    graph : NeighborGraph, connected or not
    on_step : called every few rounds with the share of them that is done and the coordinates so far

    Returns
    -------
    (n, 2) float64, centered; all that ``on_step`` sees lie the same way round

    Notes
    -----
    Cost: 250 rounds of O(edges + n), and 200 more for the start: 1.5 s for 1,797 digits. Beyond 200,000
    samples cells of about 20 samples are laid out first.

    See Also
    --------
    trigpoint.embed : coordinates that keep the geometry of an alignment matrix.

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
    order = reverse_cuthill_mckee(affinities, symmetric_mode=True)
    place = np.argsort(order)

    def seen(share: float, Y: Floats) -> None:
        if on_step is not None:
            on_step(share, _centered(Y[place]))

    noise = np.random.default_rng(0).standard_normal((len(order), 2))[order]
    return _centered(_laid_out(csr_array(affinities[order][:, order]), noise, seen)[place])


def _laid_out(affinities: Sparse, noise: Floats, seen: Callable[[float, Floats], None]) -> Floats:
    """The layout; in large pools samples start where their cells come to lie."""
    if len(noise) <= LARGE:
        return _moved(_start(affinities, noise), affinities, EARLY, seen)
    owner, coarse = _cells(affinities)
    n_cells = coarse.shape[0]
    Z = _laid_out(coarse, noise[:n_cells], lambda share, Z: seen(COARSE * share, Z[owner]))
    return _moved(
        Z[owner] + CELL * noise, affinities, 0, lambda share, Y: seen(COARSE + (1.0 - COARSE) * share, Y)
    )


def _moved(Y: Floats, affinities: Sparse, n_early: int, seen: Callable[[float, Floats], None]) -> Floats:
    """Y after rounds of strong and then of plain attraction."""
    velocity, gains = np.zeros_like(Y), np.ones_like(Y)
    for step in range(n_early + LATE):
        early = step < n_early
        slope = _slope(Y, affinities, EXAGGERATION if early else 1.0)
        gains = np.where(np.sign(slope) != np.sign(velocity), gains + 0.2, np.maximum(0.8 * gains, 0.01))
        velocity = (0.5 if early else 0.8) * velocity - max(len(Y) / EXAGGERATION, 10.0) * gains * slope
        Y = Y + velocity
        if step % OFTEN == OFTEN - 1:
            seen((step + 1) / (n_early + LATE), Y)
    return Y


def _cells(affinities: Sparse) -> tuple[Ints, Sparse]:
    """The cell of each sample, by the center that is the fewest steps away, and the affinities of cells."""
    n = affinities.shape[0]
    centers = np.sort(np.random.default_rng(0).permutation(n)[: n // MEMBERS])
    found = dijkstra(affinities, indices=centers, unweighted=True, min_only=True, return_predecessors=True)[2]
    owner = np.where(found >= 0, np.searchsorted(centers, found), np.arange(n) % len(centers))
    member = csr_array((np.ones(n), owner, np.arange(n + 1)), shape=(n, len(centers)))
    coarse = csr_array(member.T @ affinities @ member)
    coarse.setdiag(0.0)
    coarse.eliminate_zeros()
    return owner, csr_array(coarse / max(float(coarse.sum()), 1e-300))


def _affinities(graph: NeighborGraph) -> Sparse:
    n = graph.n_samples
    counts = np.diff(graph.indptr)
    shares = np.repeat(1.0 / np.maximum(counts, 1), counts)
    directed = csr_array((shares, graph.indices, graph.indptr), shape=(n, n))
    if float(counts[graph.indices].sum()) <= TWO_STEPS:
        directed = (directed + directed @ directed) / 2
    return csr_array((directed + directed.T) / (2 * n))


def _start(affinities: Sparse, noise: Floats) -> Floats:
    """Two directions that vary slowly along the graph, by lazy averaging from noise; width about 1."""
    n = affinities.shape[0]
    degrees = affinities.sum(axis=1)
    lazy = 0.5 / np.where(degrees > 0, degrees, 1.0)[:, None]
    Y = noise
    for step in range(AVERAGING):
        Y = np.where(degrees[:, None] > 0, 0.5 * Y + lazy * (affinities @ Y), Y)
        if step % 20 == 19:  # or both directions would become the slowest one
            Y = np.linalg.qr(Y - Y.mean(axis=0))[0] * np.sqrt(n)
    ends = Y[np.argmax(np.abs(Y), axis=0), [0, 1]]
    Y = np.clip(Y * np.sign(ends) / (Y.std(axis=0) + 1e-12), -3.0, 3.0)
    return np.asarray(Y + 0.02 * noise)  # no force parts samples in one place


def _slope(Y: Floats, affinities: Sparse, exaggeration: float) -> Floats:
    repulsion, Z = _repulsion(Y)
    return 4.0 * (exaggeration * _attraction(Y, affinities) - repulsion / Z) + 1e-3 / len(Y) * Y


def _attraction(Y: Floats, affinities: Sparse) -> Floats:
    """sum_j p_ij q_ij (y_i - y_j)"""
    arrays, pulls = compiled_csr(affinities), np.empty_like(Y)
    run_blocks(lambda start, stop: attract(*arrays, Y, start, stop, pulls), len(Y), ROWS)
    return pulls


def _repulsion(Y: Floats) -> tuple[Floats, float]:
    """sum_j q_ij^2 (y_i - y_j), and Z, by way of a grid that each sample is spread on bilinearly."""
    low, extent = Y.min(axis=0), float(np.ptp(Y, axis=0).max())
    cell = CELL
    while extent / cell > MOST_CELLS - 2:
        cell *= 1.25
    side = 32 * int(np.ceil((extent / cell + 2) / 32))
    place = (Y - low) / cell
    mass, felt = np.zeros((side, side)), np.empty((len(Y), 3))
    spread(place, mass)
    spectrum = fft.rfft2(mass, (2 * side, 2 * side))
    fields = np.ascontiguousarray(fft.irfft2(spectrum * _kernels(side, cell))[:, :side, :side])
    run_blocks(lambda start, stop: collect(place, fields, start, stop, felt), len(Y), ROWS)
    return felt[:, 1:], float(felt[:, 0].sum())


@lru_cache(maxsize=8)
def _kernels(side: int, cell: float) -> Array:
    """The transforms of q, and of q^2 d in both directions."""
    offset = cell * (np.arange(2 * side) - 2 * side * (np.arange(2 * side) >= side))
    q = 1.0 / (1.0 + offset[:, None] ** 2 + offset**2)
    return np.asarray(fft.rfft2(np.stack([q, q * q * offset[:, None], q * q * offset])))


def _centered(Y: Floats) -> Floats:
    return np.asarray(Y - Y.mean(axis=0))
