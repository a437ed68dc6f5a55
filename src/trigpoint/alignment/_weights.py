"""Edge weights: how strongly the graph ties two samples together.

With d_ij the listed distances and s_i the distance of i to its last listed neighbor,

    self_tuning  exp(-c d_ij^2 / (s_i s_j))    (Zelnik-Manor & Perona, 2004, where c = 1)
    heat         exp(-d_ij^2 / sigma^2)        sigma: the median of the positive s_i
    binary       1
    distance     d_ij                          (the paper's literal weight)
    own          the similarities that came with the graph

and W = max(W, W^T), entry by entry, so every edge counts in both directions. W has no diagonal
and stores no zeros: edges of weight 0 are no edges.

The sharpness c >= 1 is one number for the whole graph. The perplexity of a sample is exp H, H the
entropy of its listed weights, scaled to sum to one: as many equal neighbors would count as much. It falls
as c grows, and c is the number at which the median sample has the wanted one. c is 1 where the median is
smaller already (few neighbors, or a large wish), and where no c up to `SHARPEST` brings it
down that far, as with neighbors at equal distances. In large graphs evenly spaced rows stand for all.

With m = c d^2 / (s_i s_j) of the median sample's strongest edge, exponents are kept in m +- log(1e6). So no
listed edge vanishes, and no pair of duplicates is tied so hard that the rest is lost in rounding.
"""

import warnings
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import csr_array

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import check_choice, check_number
from trigpoint.alignment._alignment import Shape
from trigpoint.alignment._inputs import check_graph, shape_of
from trigpoint.alignment._weighing import Weighing, exponents
from trigpoint.graph import NeighborGraph

NAMES = ("auto", "self_tuning", "heat", "binary", "distance", "own")
PERPLEXITY = 5.0
SHARPEST = 100.0  # c at most: beyond, distances are as good as equal
TIED = 1e-6  # share by which perplexity must pass the wanted one: it tends to the number of ties
ROWS = 2000  # rows on which c is found
BLOCK = 1 << 16  # rows whose weights are looked at together
COMPILED = 500_000  # listed edges from which compiled code pays
RANGE = np.log(1e6)  # of exponents on either side of the typical one


def check_weights(
    shape: Shape, weights: str, sigma: float | None, perplexity: float | None = None, **others: object
) -> None:
    """Refuse what no graph of this shape has; similarities come with graphs, never with features."""
    check_choice(weights, "weights", NAMES)
    if weights == "own" and shape.n_features is not None:
        raise _no_similarities()
    if sigma is not None:
        sigma = check_number(sigma, "sigma", 0.0, strict=True)
        if weights != "heat":
            raise InputError("sigma", "must be None unless weights='heat'", f"{sigma:g} with {weights!r}")
    check_perplexity(perplexity)


def check_perplexity(perplexity: float | None) -> None:
    if perplexity is not None:
        check_number(perplexity, "perplexity", 1.0, strict=True)


def edge_weights(
    graph: NeighborGraph,
    weights: str = "auto",
    sigma: float | None = None,
    perplexity: float | None = PERPLEXITY,
) -> Sparse:
    """The symmetric (n, n) canonical csr_array of edge weights."""
    weighing = weighing_of(graph, weights, sigma, perplexity)
    if not is_large(graph):
        return whole_weights(graph, weighing)
    from trigpoint.alignment._two_ways import two_way_weights

    return two_way_weights(graph, weighing)


def is_large(graph: NeighborGraph) -> bool:
    """Whether compiled code, block by block, is worth the compiling."""
    return len(graph.indices) >= COMPILED


def weighing_of(
    graph: NeighborGraph, weights: str, sigma: float | None, perplexity: float | None
) -> Weighing:
    """The formula by which the graph's edges are weighed."""
    check_graph(graph)
    check_weights(shape_of(graph), weights, sigma, perplexity)
    if weights == "auto":
        weights = "self_tuning" if graph.similarities is None else "own"
    if weights == "own":
        listed = own_weights(graph)
        return Weighing(listed, np.copy, vanishes=bool(listed.min(initial=1.0) == 0.0))
    if weights == "binary":
        return Weighing(graph.distances, np.ones_like)
    if weights == "distance":
        return Weighing(graph.distances, np.copy, vanishes=bool(graph.distances.min(initial=1.0) == 0.0))
    if weights == "heat":
        typical = local_scales(graph)[1] if sigma is None else sigma
        heat = Weighing(graph.distances, _decay, np.full(graph.n_samples, typical))
        lost = _n_lost(graph, heat)
        warn_of_underflow(lost, len(graph.distances))
        return replace(heat, vanishes=lost > 0)
    return _self_tuning(graph, perplexity)


def whole_weights(graph: NeighborGraph, weighing: Weighing) -> Sparse:
    """W of a graph that is not large, all at once."""
    values = _listed_weights(graph, weighing, 0, graph.n_samples)
    n = graph.n_samples
    W = csr_array((values, graph.indices.copy(), graph.indptr.copy()), shape=(n, n))
    W.sort_indices()
    return W.maximum(W.T.tocsr())  # which stores no zeros


def _listed_weights(graph: NeighborGraph, weighing: Weighing, start: int, stop: int) -> Floats:
    """The weights of what the samples start..stop list."""
    edges = slice(graph.indptr[start], graph.indptr[stop])
    if weighing.scales is None:
        return weighing(weighing.listed[edges])
    own = np.repeat(weighing.scales[start:stop], np.diff(graph.indptr[start : stop + 1]))
    return weighing(weighing.listed[edges], own, weighing.scales[graph.indices[edges]])


def _n_lost(graph: NeighborGraph, weighing: Weighing) -> int:
    """How many listed edges have weight 0."""
    return sum(
        int(np.count_nonzero(_listed_weights(graph, weighing, *rows) == 0.0)) for rows in _blocks(graph)
    )


def _blocks(graph: NeighborGraph) -> Iterator[tuple[int, int]]:
    n = graph.n_samples
    return ((start, min(start + BLOCK, n)) for start in range(0, n, BLOCK))


def sharpness(graph: NeighborGraph, perplexity: float | None = PERPLEXITY) -> float:
    """c of the self-tuning weights exp(-c d^2 / (s_i s_j)).

    Parameters
    ----------
    graph : NeighborGraph
    perplexity : float > 1, or None
        Of the median sample's weights; None stands for c = 1.

    Returns
    -------
    c : float in [1, 100]

    Notes
    -----
    Cost: O(m) for m edges, some dozens of times: c is found by bisection.

    See Also
    --------
    trigpoint.laplacian : uses it.

    Examples
    --------
    >>> import trigpoint as tp
    >>> from trigpoint.alignment import sharpness
    >>> graph = tp.neighbor_graph([[0.0], [1.0], [3.0], [7.0]], n_neighbors=3)
    >>> sharpness(graph, perplexity=None)
    1.0
    """
    check_graph(graph)
    check_perplexity(perplexity)
    return _sharpness(graph, local_scales(graph)[0], perplexity)


def _self_tuning(graph: NeighborGraph, perplexity: float | None) -> Weighing:
    scales = local_scales(graph)[0]
    plain = Weighing(graph.distances, np.copy, scales)
    if len(graph.indices) == 0:
        return plain
    c = _sharpness(graph, scales, perplexity)
    least = [_row_minima(graph, _listed_weights(graph, plain, *rows) * c, *rows) for rows in _blocks(graph)]
    middle = middle_of(np.concatenate(least))

    def formula(powers: Floats) -> Floats:
        return tuned(powers * c, middle)

    return Weighing(graph.distances, formula, scales)


def _decay(powers: Floats) -> Floats:
    return np.asarray(np.exp(-powers))


def middle_of(least: Floats) -> float:
    """m, from the least exponent of each list that is not empty."""
    return min(float(np.median(least)), SHARPEST)


def tuned(powers: Floats, middle: float) -> Floats:
    """The weights, from exponents that c has multiplied."""
    return _decay(np.clip(powers, middle - RANGE, middle + RANGE))


def _row_minima(graph: NeighborGraph, powers: Floats, start: int, stop: int) -> Floats:
    """The least power of each list that is not empty."""
    ends = graph.indptr[start : stop + 1]
    first = (ends[:-1] - ends[0])[np.diff(ends) > 0]
    return np.minimum.reduceat(powers, first) if len(first) else np.empty(0)


def _sharpness(graph: NeighborGraph, scales: Floats, perplexity: float | None) -> float:
    """c for the scales s."""
    if perplexity is None or len(graph.indices) == 0:
        return 1.0
    filled = np.flatnonzero(np.diff(graph.indptr))
    some = filled[spaced(len(filled))]
    lengths = graph.indptr[some + 1] - graph.indptr[some]
    starts = np.cumsum(lengths) - lengths
    edges = np.arange(lengths.sum()) + np.repeat(graph.indptr[some] - starts, lengths)
    sample = exponents(graph.distances[edges], np.repeat(scales[some], lengths), scales[graph.indices[edges]])
    return sharpness_of(sample, lengths, perplexity)


def spaced(count: int) -> Ints:
    """The evenly spaced rows, among ``count`` lists that are not empty, which stand for all."""
    return np.linspace(0, count - 1, min(count, ROWS)).astype(np.int64)


def sharpness_of(sample: Floats, lengths: Ints, perplexity: float) -> float:
    """c from the exponents of some lists, one after the other."""
    starts = np.cumsum(lengths) - lengths
    above = sample - np.repeat(np.minimum.reduceat(sample, starts), lengths)

    def excess(log_c: float) -> float:
        """The median perplexity over the wanted one, less 1."""
        gaps = np.exp(log_c) * above
        p = np.exp(-gaps)
        total = np.add.reduceat(p, starts)
        entropy = np.log(total) + np.add.reduceat(p * gaps, starts) / total
        return float(np.median(np.exp(entropy))) / perplexity - 1.0

    top = np.log(SHARPEST)
    if excess(0.0) <= 0.0 or excess(top) > -TIED:
        return 1.0
    return float(np.exp(brentq(excess, 0.0, top, xtol=1e-12)))


def own_weights(graph: NeighborGraph) -> Floats:
    values = graph.similarities
    if values is None:
        raise _no_similarities()
    if len(values) and not (values.min() >= 0 and np.isfinite(values.max())):
        raise InputError(
            "graph.similarities", "must be finite and at least 0", f"{values.min():g} among them"
        )
    return values


def _no_similarities() -> InputError:
    return InputError("weights='own'", "needs a graph with similarities of its own; this one has none")


def local_scales(graph: NeighborGraph) -> tuple[Floats, float]:
    """s_i of each sample, with the typical scale in place of 0, and the typical scale."""
    return filled_scales(last_distances(graph))


def last_distances(graph: NeighborGraph) -> Floats:
    """The distance of each sample to its last listed neighbor; 0 where none is listed."""
    listed = np.diff(graph.indptr) > 0
    scales = np.zeros(graph.n_samples)
    scales[listed] = graph.distances[graph.indptr[1:][listed] - 1]
    return scales


def filled_scales(scales: Floats) -> tuple[Floats, float]:
    """The scales with the typical one in place of 0, and the typical one."""
    typical = _typical(scales)
    return np.where(scales > 0, scales, typical), typical


def _typical(scales: Floats) -> float:
    """The median of the positive scales; 1 where all samples coincide, so that weights are 1."""
    positive = scales[scales > 0]
    return float(np.median(positive)) if len(positive) else 1.0


def warn_of_underflow(lost: int, listed: int) -> None:
    if lost:
        warnings.warn(
            f"{lost} of {listed} listed edges have weight 0 to machine precision under "
            "weights='heat' and are dropped; a larger sigma or weights='binary' keeps them.",
            UserWarning,
            stacklevel=4,
        )
