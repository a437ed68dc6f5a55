"""One door to every search: dense or sparse, exact or approximate, inside the pool or for new samples."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Floats
from trigpoint._validation import check_choice, check_features, check_integer
from trigpoint.graph._approximate import SAMPLE, approximate_neighbors
from trigpoint.graph._crowds import crowds
from trigpoint.graph._exact import TREE_FEATURES, Task, exact_neighbors, rerank
from trigpoint.graph._points import METRICS, in_metric, points
from trigpoint.graph._sparse import approximate_sparse, exact_sparse, unit_rows

METHODS = ("auto", "exact", "approximate")
EXACT_SIZE = 20_000  # "auto" is exact up to this pool size, and at any size in few dimensions


@dataclass(frozen=True, eq=False)
class Found:
    distances: Floats  # (m, k) ascending
    indices: Array  # (m, k)
    method: str  # "exact" or "approximate"
    recall: float


def nearest(
    X: Any,
    queries: Any,
    n_neighbors: int,
    *,
    metric: str = "euclidean",
    method: str = "auto",
    random_state: Any = 0,
) -> tuple[Floats, Array]:
    """Distances (m, K), ascending, and indices (m, K) of the pool samples nearest to new ones."""
    X = check_features(X)
    queries = check_features(queries, "X_new", n_features=X.shape[1])
    check_choice(metric, "metric", METRICS)
    check_choice(method, "method", METHODS)
    k = check_integer(n_neighbors, "n_neighbors", 1, X.shape[0], f" for a pool of {X.shape[0]}")
    if sparse.issparse(X) != sparse.issparse(queries):
        queries = sparse.csr_array(queries) if sparse.issparse(X) else queries.toarray()
    found = search(X, queries, k, metric, method, np.random.default_rng(random_state))
    return found.distances, found.indices


def search(X: Any, queries: Any, k: int, metric: str, method: str, rng: np.random.Generator) -> Found:
    """The k nearest among X of every query, or of every sample of X where queries is None."""
    within = queries is None
    n, m = X.shape[0], (X if within else queries).shape[0]
    exact = method == "exact" or (method == "auto" and n * m <= EXACT_SIZE**2)
    if not sparse.issparse(X):
        return _search_dense(X, queries, k, metric, exact or X.shape[1] <= TREE_FEATURES, rng)
    if metric == "cosine":
        X = unit_rows(X, "X")
        queries = None if within else unit_rows(queries, "X_new")
    return _search_sparse(X, X if within else queries, within, k, metric, exact, rng)


def _search_dense(X: Array, queries: Any, k: int, metric: str, exact: bool, rng: Any) -> Found:
    pool = points(X, metric)
    asking = pool if queries is None else points(queries, metric, like=pool, name="X_new")
    crowd, ring, worth = crowds(X, k)
    squared = np.zeros((len(asking), k))
    indices = np.empty((len(asking), k), dtype=np.int64)
    rows = np.arange(len(asking))
    if queries is None:
        indices[crowd] = ring
        rows = np.setdiff1d(rows, crowd, assume_unique=True)
    task = Task(pool, worth, asking, rows, within=queries is None)
    found = None if exact or not len(rows) else approximate_neighbors(task, k, rng)
    recall = 1.0
    if found is None:
        squared[rows], indices[rows] = exact_neighbors(task, k) if len(rows) else (0.0, 0)
    else:
        squared[rows], indices[rows] = rerank(task, found, k)
        recall = _recall(task, squared[rows], k, rng)
    method = "exact" if found is None else "approximate"
    return Found(in_metric(squared, metric), indices, method, recall)


def _recall(task: Task, squared: Floats, k: int, rng: np.random.Generator) -> float:
    """Share of the true k nearest that were found, on a fresh sample of rows."""
    some = rng.choice(len(task.rows), min(SAMPLE, len(task.rows)), replace=False)
    truth = exact_neighbors(task.only(some), k)[0]
    return share_found(squared[some], truth)


def share_found(squared: Floats, truth: Floats) -> float:
    """By distance, not by index: of samples equally far, any will do."""
    return float(np.mean(squared <= truth[:, -1:] * (1 + 1e-12)))


def _search_sparse(X: Any, Q: Any, within: bool, k: int, metric: str, exact: bool, rng: Any) -> Found:
    rows = np.arange(Q.shape[0])
    found = None if exact else approximate_sparse(X, Q, rows, within, k, rng)
    recall = 1.0
    if found is not None:
        some = np.sort(rng.choice(rows, min(SAMPLE, len(rows)), replace=False))
        recall = share_found(found[0][some], exact_sparse(X, Q, some, within, k)[0])
    squared, indices = found if found is not None else exact_sparse(X, Q, rows, within, k)
    return Found(in_metric(squared, metric), indices, "exact" if found is None else "approximate", recall)
