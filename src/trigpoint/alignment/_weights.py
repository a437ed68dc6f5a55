"""Edge weights: how strongly the graph ties two samples together.

With d_ij the listed distances and s_i the distance of i to its last listed neighbor,

    self_tuning  exp(-d_ij^2 / (s_i s_j))      (Zelnik-Manor & Perona, 2004)
    heat         exp(-d_ij^2 / sigma^2)        sigma: the median of the positive s_i
    binary       1
    distance     d_ij                          (the paper's literal weight)
    own          the similarities that came with the graph

and W = max(W, W^T), entry by entry, so every edge counts in both directions. W has no diagonal
and stores no zeros: edges of weight 0 are no edges.
"""

import warnings

import numpy as np
from scipy.sparse import csr_array

from trigpoint._errors import InputError
from trigpoint._types import Floats, Sparse
from trigpoint._validation import check_choice, check_number
from trigpoint.alignment._alignment import Shape
from trigpoint.alignment._inputs import check_graph, shape_of
from trigpoint.graph import NeighborGraph

NAMES = ("auto", "self_tuning", "heat", "binary", "distance", "own")


def check_weights(shape: Shape, weights: str, sigma: float | None, **others: object) -> None:
    """Refuse what no graph of this shape has; similarities come with graphs, never with features."""
    check_choice(weights, "weights", NAMES)
    if weights == "own" and shape.n_features is not None:
        raise _no_similarities()
    if sigma is not None:
        sigma = check_number(sigma, "sigma", 0.0, strict=True)
        if weights != "heat":
            raise InputError("sigma", "must be None unless weights='heat'", f"{sigma:g} with {weights!r}")


def edge_weights(graph: NeighborGraph, weights: str = "auto", sigma: float | None = None) -> Sparse:
    """The symmetric (n, n) canonical csr_array of edge weights."""
    check_graph(graph)
    check_weights(shape_of(graph), weights, sigma)
    if weights == "auto":
        weights = "self_tuning" if graph.similarities is None else "own"
    if weights == "own":
        values = _similarities(graph)
    elif weights == "binary":
        values = np.ones(len(graph.indices))
    elif weights == "distance":
        values = graph.distances.copy()
    else:
        values = np.exp(-_exponents(graph, _scales(graph, weights, sigma)))
        _warn_of_underflow(values, weights)
    return _symmetrized(graph, values)


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
    with np.errstate(over="ignore"):  # an infinite exponent is a weight of 0, and reported as one
        return (graph.distances / own) * (graph.distances / scales[graph.indices])


def local_scales(graph: NeighborGraph) -> tuple[Floats, float]:
    """s_i of each sample, with the typical scale in place of 0, and the typical scale."""
    listed = np.diff(graph.indptr) > 0
    scales = np.zeros(graph.n_samples)
    scales[listed] = graph.distances[graph.indptr[1:][listed] - 1]
    typical = _typical(scales)
    return np.where(scales > 0, scales, typical), typical


def _scales(graph: NeighborGraph, weights: str, sigma: float | None) -> Floats:
    """The scales of "self_tuning", or sigma everywhere."""
    scales, typical = local_scales(graph)
    return np.full_like(scales, typical if sigma is None else sigma) if weights == "heat" else scales


def _typical(scales: Floats) -> float:
    """The median of the positive scales; 1 where all samples coincide, so that weights are 1."""
    positive = scales[scales > 0]
    return float(np.median(positive)) if len(positive) else 1.0


def _warn_of_underflow(values: Floats, weights: str) -> None:
    lost = len(values) - np.count_nonzero(values)
    if lost:
        warnings.warn(
            f"{lost} of {len(values)} listed edges have weight 0 to machine precision under "
            f"weights={weights!r} and are dropped; a larger sigma or weights='binary' keeps them.",
            UserWarning,
            stacklevel=4,
        )


def _symmetrized(graph: NeighborGraph, values: Floats) -> Sparse:
    n = graph.n_samples
    W = csr_array((values, graph.indices.copy(), graph.indptr.copy()), shape=(n, n))
    W.sort_indices()
    return W.maximum(W.T.tocsr())  # which stores no zeros
