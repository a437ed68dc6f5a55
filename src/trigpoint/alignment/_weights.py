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

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import csr_array

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import check_choice, check_number
from trigpoint.alignment._alignment import Shape
from trigpoint.alignment._inputs import check_graph, shape_of
from trigpoint.graph import NeighborGraph

NAMES = ("auto", "self_tuning", "heat", "binary", "distance", "own")
PERPLEXITY = 5.0
SHARPEST = 100.0  # c at most: beyond, distances are as good as equal
TIED = 1e-6  # share by which perplexity must pass the wanted one: it tends to the number of ties
ROWS = 2000  # rows on which c is found
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
    check_graph(graph)
    check_weights(shape_of(graph), weights, sigma, perplexity)
    if weights == "auto":
        weights = "self_tuning" if graph.similarities is None else "own"
    if weights == "own":
        values = _similarities(graph)
    elif weights == "binary":
        values = np.ones(len(graph.indices))
    elif weights == "distance":
        values = graph.distances.copy()
    elif weights == "heat":
        typical = local_scales(graph)[1] if sigma is None else sigma
        values = np.exp(-_exponents(graph, np.full(graph.n_samples, typical)))
        _warn_of_underflow(values)
    else:
        values = _self_tuning(graph, perplexity)
    return _symmetrized(graph, values)


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
    """
    check_graph(graph)
    check_perplexity(perplexity)
    return _sharpness(graph, _exponents(graph, local_scales(graph)[0]), perplexity)


def _self_tuning(graph: NeighborGraph, perplexity: float | None) -> Floats:
    powers = _exponents(graph, local_scales(graph)[0])
    if len(powers) == 0:
        return powers
    powers *= _sharpness(graph, powers, perplexity)
    middle = min(float(np.median(np.minimum.reduceat(powers, _starts(graph)))), SHARPEST)
    return np.exp(-np.clip(powers, middle - RANGE, middle + RANGE))


def _starts(graph: NeighborGraph) -> Ints:
    """Where the lists begin that are not empty."""
    starts: Ints = graph.indptr[:-1][np.diff(graph.indptr) > 0]
    return starts


def _sharpness(graph: NeighborGraph, powers: Floats, perplexity: float | None) -> float:
    """c from d^2 / (s_i s_j)."""
    if perplexity is None or len(powers) == 0:
        return 1.0
    first = _starts(graph)
    last = np.append(first[1:], len(powers))
    some = np.linspace(0, len(first) - 1, min(len(first), ROWS)).astype(np.int64)
    lengths = (last - first)[some]
    starts = np.cumsum(lengths) - lengths
    sample = powers[np.arange(lengths.sum()) + np.repeat(first[some] - starts, lengths)]
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


def _similarities(graph: NeighborGraph) -> Floats:
    values = graph.similarities
    if values is None:
        raise _no_similarities()
    if len(values) and not (values.min() >= 0 and np.isfinite(values.max())):
        raise InputError(
            "graph.similarities", "must be finite and at least 0", f"{values.min():g} among them"
        )
    return values.copy()


def _no_similarities() -> InputError:
    return InputError("weights='own'", "needs a graph with similarities of its own; this one has none")


def _exponents(graph: NeighborGraph, scales: Floats) -> Floats:
    """d_ij^2 / (s_i s_j), as a product of ratios because squares may overflow where ratios do not."""
    own = np.repeat(scales, np.diff(graph.indptr))
    with np.errstate(over="ignore"):
        powers = (graph.distances / own) * (graph.distances / scales[graph.indices])
    return np.minimum(powers, 1e300)  # finite, even times c


def local_scales(graph: NeighborGraph) -> tuple[Floats, float]:
    """s_i of each sample, with the typical scale in place of 0, and the typical scale."""
    listed = np.diff(graph.indptr) > 0
    scales = np.zeros(graph.n_samples)
    scales[listed] = graph.distances[graph.indptr[1:][listed] - 1]
    typical = _typical(scales)
    return np.where(scales > 0, scales, typical), typical


def _typical(scales: Floats) -> float:
    """The median of the positive scales; 1 where all samples coincide, so that weights are 1."""
    positive = scales[scales > 0]
    return float(np.median(positive)) if len(positive) else 1.0


def _warn_of_underflow(values: Floats) -> None:
    lost = len(values) - np.count_nonzero(values)
    if lost:
        warnings.warn(
            f"{lost} of {len(values)} listed edges have weight 0 to machine precision under "
            "weights='heat' and are dropped; a larger sigma or weights='binary' keeps them.",
            UserWarning,
            stacklevel=4,
        )


def _symmetrized(graph: NeighborGraph, values: Floats) -> Sparse:
    n = graph.n_samples
    W = csr_array((values, graph.indices.copy(), graph.indptr.copy()), shape=(n, n))
    W.sort_indices()
    return W.maximum(W.T.tocsr())  # which stores no zeros
