"""The K-nearest-neighbor graph of a pool: the first step of everything."""

from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._validation import check_choice, check_distances, check_features, check_n_neighbors, check_rng
from trigpoint.graph._distances import graph_from_distances, graph_from_transformer
from trigpoint.graph._graph import NeighborGraph
from trigpoint.graph._points import METRICS
from trigpoint.graph._search import METHODS, search


class _Default(int):
    """A default number, which gives way to a small pool; the same number, if given, does not."""


N_NEIGHBORS = _Default(15)


def neighbor_graph(
    X: Any,
    n_neighbors: int | None = N_NEIGHBORS,
    *,
    metric: str = "euclidean",
    method: Any = "auto",
    random_state: Any = 0,
) -> NeighborGraph:
    """The graph of each sample's nearest neighbors.

    Parameters
    ----------
    X : (n, p) array or sparse matrix, float32 or float64
        The pool. With ``metric="precomputed"`` an (n, n) matrix of distances: in a sparse one the
        stored entries are the candidates, and explicit zeros are distances of 0.
    n_neighbors : int, default 15, or n - 1 in pools of fewer than 16 samples
        K. A sample is never its own neighbor, whatever duplicates there are. With
        ``metric="precomputed"``, None keeps every given distance.
    metric : "euclidean", "cosine" (1 - cos) or "precomputed"
    method : "auto", "exact", "approximate" or a scikit-learn K-neighbors transformer
        "auto" is exact up to 20,000 samples and, at any size, up to 5 dense features; else
        approximate. "approximate" searches inverted lists, as many as reach a recall of 0.99 on a
        sample, and turns exact where that costs no more.
    random_state : seed of the approximate search, default 0

    Returns
    -------
    NeighborGraph
        ``graph.recall`` is the share of true neighbors found, measured on a fresh sample of rows;
        NaN for a transformer. Below 0.95 a warning says so.

    Examples
    --------
    >>> import trigpoint as tp
    >>> tp.neighbor_graph([[0.0], [1.0], [3.0], [3.0]], n_neighbors=1).neighbors.ravel()
    array([1, 0, 3, 2], dtype=int32)
    """
    check_choice(metric, "metric", (*METRICS, "precomputed"))
    if metric == "precomputed":
        if not isinstance(method, str) or method != "auto":
            raise InputError("method", "must be 'auto' if the distances are given", repr(method))
        X = check_distances(X)
        return graph_from_distances(X, None if n_neighbors is None else _count(n_neighbors, X.shape[0]))
    X = check_features(X)
    k = _count(n_neighbors, X.shape[0])
    if hasattr(method, "fit_transform"):
        return graph_from_transformer(X, k, metric, method)
    check_choice(method, "method", METHODS)
    found = search(X, None, k, metric, method, check_rng(random_state), stacklevel=2)
    indptr = np.arange(X.shape[0] + 1) * k
    neighbors = found.indices.astype(np.int32).ravel()
    return NeighborGraph(indptr, neighbors, found.distances.ravel(), None, metric, found.method, found.recall)


def _count(n_neighbors: int | None, n: int) -> int:
    return check_n_neighbors(
        min(N_NEIGHBORS, max(n - 1, 1)) if n_neighbors is N_NEIGHBORS else n_neighbors, n
    )
