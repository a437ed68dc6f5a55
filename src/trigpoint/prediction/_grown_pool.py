"""A pool in its views that has grown: the views stay as they are, their graphs are extended.

New rows are seen through the views that were fitted on the samples before them. As long as most of the pool
is what they were fitted on, a new fit would hardly differ. Once the pool has doubled since, all is made anew:
the choice of views, their fits, their graphs. So a pool that grows one by one from n to N samples is made
anew log2(N / n) times, and its views always know at least half of it. A pool with fewer samples than
neighbors are wanted is made anew each time, since every sample then has more neighbors than before.

What follows depends on the sizes of the pool alone: growing through the same sizes gives the same pool.
"""

from dataclasses import replace
from typing import Any

from trigpoint._errors import InputError
from trigpoint.alignment import laplacian
from trigpoint.graph import N_NEIGHBORS, grown_graph, joined
from trigpoint.prediction._pool_views import PoolView, ViewedPool, viewed_pool

ANEW = 2  # times the samples that the views were fitted on


def grown_pool(
    pool: ViewedPool,
    X_new: Any,
    view: str = "auto",
    *,
    n_neighbors: int = N_NEIGHBORS,
    metric: str = "euclidean",
) -> ViewedPool:
    """The pool with new samples after the others.

    Parameters
    ----------
    pool : of features, with the Laplacians of its graphs
    X_new : (m, p) checked features
    view, n_neighbors, metric : as the pool was made with; at most as many neighbors as there are others
    """
    if pool.X is None:
        raise InputError("X_new", "must be None: the pool has no features that new samples could have")
    X, n_old = joined(pool.X, X_new), pool.n_samples
    k, n_fitted = min(n_neighbors, X.shape[0] - 1), pool.n_fitted or n_old
    if X.shape[0] >= ANEW * n_fitted or pool.main.graph.n_neighbors != k:
        return viewed_pool(X, view, n_neighbors=k, metric=metric)
    views = tuple(_grown_view(seen, X, n_old) for seen in pool.views)
    said = {seen.name: {"nearness": seen.nearness} for seen in views}
    return ViewedPool(X, views, pool.considered | said, n_fitted)


def _grown_view(seen: PoolView, X: Any, n_old: int) -> PoolView:
    features = X if seen.name == "raw" else joined(seen.X, seen.transform(X[n_old:]))
    graph = grown_graph(seen.graph, features)
    return replace(seen, X=features, graph=graph, phi=laplacian(graph))
