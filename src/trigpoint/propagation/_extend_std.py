"""How sure the values of new samples are.

A new sample joins the graph as one more node (`_extend`), with weights w_j to its K nearest pool
samples. Given theirs, its value has the variance c / sum_j w_j, c being the variance of the field's
unit; and their weighted mean is itself uncertain, with a standard deviation of at most the weighted
mean of theirs, s_j (equality where they err alike). So

    s^2 = (sum_j w_j s_j / sum_j w_j)^2 + c / sum_j w_j

is an upper bound of what the covariances of the pool would give, and that in turn of the field of
the enlarged graph, whose new edges tie the pool tighter. The weights are those of the self-tuning
Laplacian, as sharp as that is, which c must therefore belong to, whatever the values were propagated
with. Far from the pool they vanish, and s grows without bound. A copy of pool samples takes the mean
of their s_j.
"""

from typing import Any

import numpy as np

from trigpoint._types import Floats
from trigpoint._validation import check_pool_values
from trigpoint.alignment import PERPLEXITY, check_perplexity
from trigpoint.graph import NeighborGraph
from trigpoint.propagation._extend import check_new, coincide, exponents, neighbors_in_pool, weighted_means


def extend_std(
    graph: NeighborGraph,
    X: Any,
    X_new: Any,
    std: Any,
    unit: Any = 1.0,
    *,
    n_neighbors: int | None = None,
    perplexity: float | None = PERPLEXITY,
) -> Floats:
    """Standard deviations of the values that `extend` gives to new samples.

    Parameters
    ----------
    graph, X, X_new, n_neighbors, perplexity
        As for `extend`.
    std : (n,) or (n, d)
        Standard deviations of the pool, such as `uncertainty` returns.
    unit : float or (d,)
        sqrt(c), such as ``field_scale(laplacian(graph), landmarks, values)``.

    Returns
    -------
    (m,) or (m, d) float64
        Infinite where no neighbor has a finite one.

    Notes
    -----
    Cost: that of `extend`: the neighbors of m new samples among n, about m n p multiplications.

    See Also
    --------
    trigpoint.extend : the values.
    trigpoint.ManifoldRegressor : ``predict(X_new, return_std=True)`` does both.

    Examples
    --------
    >>> import trigpoint as tp
    >>> from trigpoint.propagation import extend_std
    >>> X = [[0.0], [1.0], [3.0], [4.0]]
    >>> graph = tp.neighbor_graph(X, n_neighbors=2)
    >>> extend_std(graph, X, [[0.5]], [0.0, 0.2, 0.4, 0.6]).shape
    (1,)
    """
    X, X_new = check_new(graph, X, X_new)
    n = graph.n_samples
    std = np.asarray(std, dtype=np.float64)
    std = check_pool_values(np.where(np.isinf(std), np.nan, std), n)
    check_perplexity(perplexity)
    distances, indices = neighbors_in_pool(graph, X, X_new, n_neighbors)
    known = std.reshape(n, -1)[indices]  # (m, K, d)
    powers = exponents(graph, distances, indices, perplexity)
    total = (np.exp(-powers)[:, :, None] * ~np.isnan(known)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        s = np.hypot(weighted_means(powers, known), np.atleast_1d(unit) / np.sqrt(total))
    same = coincide(graph.metric, distances)
    touching = same.any(axis=1)
    s[touching] = weighted_means(np.where(same, 0.0, np.inf)[touching], known[touching])
    return np.where(np.isnan(s), np.inf, s).reshape((-1, *std.shape[1:]))
