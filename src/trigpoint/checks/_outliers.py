"""Samples that lie far from all others.

With s_i the distance from sample i to its K-th neighbor, a sample is far by two measures:

    in the pool        log s_i - median log s
    among neighbors    log s_i - median of log s_j over its neighbors j

Both are told in units of their spread, which is that of the upper half: (q_90 - q_50) / 1.28, so that in
pools with long tails "far" is farther. For an outlier one of both is more than what the largest of n normal
numbers exceeds with a chance of `CHANCE`, and s_i is at least `FACTOR` times the median: where all samples
are about equally far apart, as texts are, small differences make no outliers.
"""

import numpy as np
from scipy.special import ndtri

from trigpoint._types import Floats, Ints
from trigpoint.graph import NeighborGraph

FACTOR = 1.5  # of the usual distance
CHANCE = 0.05
FEWEST = 30  # samples below which nothing is usual


def outliers(graph: NeighborGraph) -> tuple[Ints, Floats]:
    """The samples, the farthest first, and how many times the pool's usual distance they are away."""
    n, k = graph.n_samples, graph.n_neighbors
    nothing = np.empty(0, dtype=np.int64), np.empty(0)
    if k is None or n < FEWEST:
        return nothing
    s = graph.distances.reshape(n, k)[:, -1]
    known = np.flatnonzero(s > 0)  # the others have K exact copies
    if len(known) < FEWEST:
        return nothing
    usual = float(np.median(s[known]))
    log = np.log(np.where(s > 0, s, usual))
    pool = _units(log - np.log(usual), known)
    near = _units(log - np.median(log[graph.neighbors], axis=1), known)
    limit = float(ndtri(1 - CHANCE / n))
    far = known[(s[known] >= FACTOR * usual) & (np.maximum(pool, near)[known] > limit)]
    order = far[np.argsort(-s[far], kind="stable")]
    return order, s[order] / usual


def _units(far: Floats, known: Ints) -> Floats:
    middle, high = np.quantile(far[known], [0.5, 0.9])
    unit = (high - middle) / float(ndtri(0.9))
    return np.asarray((far - middle) / unit if unit > 0 else np.zeros_like(far))
