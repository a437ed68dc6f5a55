"""One door to every search: dense or sparse, exact or approximate, inside the pool or for new samples."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Floats, Sparse
from trigpoint._validation import check_choice, check_features, check_integer, check_rng
from trigpoint.graph._duplicates import crowds
from trigpoint.graph._exact import Task, exact_by_products, rerank
from trigpoint.graph._inverted_lists import MAX_SCAN, SAMPLE, approximate_neighbors
from trigpoint.graph._points import METRICS, points
from trigpoint.graph._refined import refined_neighbors
from trigpoint.graph._sparse import approximate_sparse, exact_sparse, unit, unit_rows
from trigpoint.graph._tree import TREE_FEATURES, exact_by_tree
from trigpoint.graph._workspace import Workspace
from trigpoint.graph._zero_rows import with_zero_rows, zero_rows

Answer: TypeAlias = tuple[Floats, Array]
METHODS = ("auto", "exact", "approximate")
EXACT_SIZE = 20_000  # "auto" is exact up to this pool size, and at any size in few dimensions
REFINED = 5_000  # samples from which rounds pay
BLOCK = 100_000  # rows
POOR = 0.95  # a recall below this is improved where that is cheap, else warned of


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
    found = search(X, queries, k, metric, method, check_rng(random_state), stacklevel=2)
    return found.distances, found.indices


def search(
    X: Any,
    queries: Any,
    k: int,
    metric: str,
    method: str,
    rng: np.random.Generator,
    stacklevel: int,
    work: Workspace | None = None,
) -> Found:
    """The k nearest among X of every query, or of every sample of X where queries is None.

    ``work`` is where a search of a large pool keeps its arrays; in memory by default.
    """
    work = Workspace() if work is None else work
    if metric == "cosine":
        zero = zero_rows(X)
        zero_queries = zero if queries is None else zero_rows(queries)
        if zero.any() or zero_queries.any():
            return _search_beside_zeros(X, queries, k, zero, zero_queries, method, rng, stacklevel + 1)
    within = queries is None
    n, m = X.shape[0], (X if within else queries).shape[0]
    crowd, ring, worth = crowds(X, k)
    ways = ways_to_answer(X, queries, metric, worth, k)
    rows = np.arange(m)
    if within and len(crowd):
        rows = np.setdiff1d(rows, crowd, assume_unique=True)
    exact = method == "exact" or (method == "auto" and n * m <= EXACT_SIZE**2) or len(rows) == 0
    found = None if exact else ways.approximate(rows, rng, work)
    recall = 1.0 if found is None else _recall(ways, rows, found[0], rng)
    if recall < POOR and len(worth) <= MAX_SCAN:
        found, recall = None, 1.0
    how = "exact" if found is None else "approximate"
    if found is None:
        found = ways.exact(rows) if len(rows) else (np.empty((0, k)), np.empty((0, k), dtype=np.int64))
    if len(rows) < m:
        squared, indices = np.zeros((m, k)), np.empty((m, k), dtype=np.int64)
        indices[crowd] = ring
        squared[rows], indices[rows] = found
        found = squared, indices
    _warn_of_poor(recall, stacklevel + 1)
    squared, indices = found
    for a in range(0, m, BLOCK):  # in place: there may be no room for another array
        squared[a : a + BLOCK] = ways.in_metric(squared[a : a + BLOCK])
    return Found(squared, indices, how, recall)


def _search_beside_zeros(
    X: Any,
    queries: Any,
    k: int,
    zero: Array,
    zero_queries: Array,
    method: str,
    rng: np.random.Generator,
    stacklevel: int,
) -> Found:
    """The same for metric="cosine", where some rows have no direction."""
    how = ("exact", 1.0)

    def nearest_of(X: Any, queries: Any, k: int) -> Answer:
        nonlocal how
        found = search(X, queries, k, "cosine", method, rng, stacklevel + 2)
        how = (found.method, found.recall)
        return found.distances, found.indices

    distances, indices = with_zero_rows(X, queries, k, zero, zero_queries, nearest_of)
    return Found(distances, indices, *how)


@dataclass(frozen=True, eq=False)
class _Ways:
    """How to answer some query rows: squared distances (m, k) and indices (m, k)."""

    exact: Callable[[Array], Answer]
    approximate: Callable[[Array, np.random.Generator, Workspace], Answer | None]  # None: exact costs no more
    in_metric: Callable[[Floats], Floats]


def ways_to_answer(X: Any, queries: Any, metric: str, worth: Array, k: int) -> _Ways:
    """Ways to the k nearest among the samples ``worth`` of X."""
    return (_sparse_ways if sparse.issparse(X) else _dense_ways)(X, queries, metric, worth, k)


def _dense_ways(X: Array, queries: Any, metric: str, worth: Array, k: int) -> _Ways:
    pool = points(X, metric)
    asking = pool if queries is None else points(queries, metric, like=pool)
    exactly = exact_by_tree if X.shape[1] <= TREE_FEATURES else exact_by_products

    def exact(rows: Array) -> Answer:
        return exactly(Task(pool, worth, asking, rows, queries is None), k)

    def approximate(rows: Array, rng: np.random.Generator, work: Workspace) -> Answer | None:
        task = Task(pool, worth, asking, rows, queries is None)
        if X.shape[1] <= TREE_FEATURES:
            return None
        if queries is None and len(worth) >= REFINED:
            refined = refined_neighbors(task, k, rng, work)
            if refined is not None:
                return refined
        found = approximate_neighbors(task, k, rng)
        return None if found is None else rerank(task, found, k)

    return _Ways(exact, approximate, pool.in_metric)


def _sparse_ways(X: Sparse, queries: Any, metric: str, worth: Array, k: int) -> _Ways:
    u = 1.0 if metric == "cosine" else unit(X)
    if metric == "cosine":
        X, queries = unit_rows(X), None if queries is None else unit_rows(queries)
    elif u != 1.0:
        X, queries = X * u, None if queries is None else queries * u
    given = (X, worth, X if queries is None else queries)

    def exact(rows: Array) -> Answer:
        return exact_sparse(*given, rows, queries is None, k)

    def approximate(rows: Array, rng: np.random.Generator, work: Workspace) -> Answer | None:
        return approximate_sparse(*given, rows, queries is None, k, rng)

    def in_metric(squared: Floats) -> Floats:
        return squared / 2 if metric == "cosine" else np.sqrt(squared) / u

    return _Ways(exact, approximate, in_metric)


def _recall(ways: _Ways, rows: Array, squared: Floats, rng: np.random.Generator) -> float:
    """Share of the true k nearest that were found, on a fresh sample of rows.

    By distance, not by index: of samples equally far, any will do.
    """
    some = measured_rows(len(rows), rng)
    return share_exact(squared[some], ways.exact(rows[some])[0])


def measured_rows(n: int, rng: np.random.Generator) -> Array:
    """Of n rows those that tell the recall."""
    return np.sort(rng.choice(n, min(SAMPLE, n), replace=False))


def share_exact(squared: Floats, truth: Floats) -> float:
    """The recall, from the squared distances of some rows and the true ones."""
    return float(np.mean(squared <= truth[:, -1:] * (1 + 1e-12)))


def _warn_of_poor(recall: float, stacklevel: int) -> None:
    if recall < POOR:
        warnings.warn(
            f"the approximate search found {recall:.1%} of the true neighbors on a sample; "
            "method='exact' finds all of them, fewer features make them easier to find.",
            UserWarning,
            stacklevel=stacklevel + 1,
        )
