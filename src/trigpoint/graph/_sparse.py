"""Nearest neighbors of sparse rows.

Exact: a sparse product a block of queries gives f = ||q||^2 + ||c||^2 - 2 q.c in float64. With f_k
its k-th least value and e the bound of its rounding, every true neighbor has f <= f_k + 2 e; those
candidates are ranked by distances from differences (which f is already for small whole numbers).

Approximate: candidates come from a dense picture of the pool (the features themselves where they
are few, else a truncated SVD), four times as many as asked for, ranked by their true distances.
"""

import numpy as np
from scipy import sparse

from trigpoint._kernels import run_blocks
from trigpoint._types import Array, Floats, Sparse
from trigpoint.graph._exact import Task, nearest_of_each
from trigpoint.graph._inverted_lists import approximate_neighbors
from trigpoint.graph._points import points

PICTURE = 128  # dimensions of the dense picture
OVERFETCH = 4
ENTRIES = 2**21  # stored entries to handle at a time


def unit_rows(X: Sparse) -> Sparse:
    """Rows, none of them all zero, scaled to norm 1 (a copy of the stored entries)."""
    largest = abs(X).max(axis=1).toarray().astype(np.float64)
    data = X.data / np.repeat(largest, np.diff(X.indptr))  # so that squares stay finite
    scaled = sparse.csr_array((data, X.indices, X.indptr), shape=X.shape)
    scaled.data /= np.repeat(np.sqrt(squared_norms(scaled)), np.diff(X.indptr))
    return scaled


def unit(X: Sparse) -> float:
    """1, or the power of two that brings numbers of extreme size near 1, where squares are finite."""
    largest = float(np.abs(X.data).max(initial=0)) or 1.0
    return 1.0 if 1e-100 < largest < 1e100 else float(2.0 ** -np.rint(np.log2(largest)))


def squared_norms(X: Sparse) -> Floats:
    return np.asarray(X.multiply(X).sum(axis=1, dtype=np.float64))


def exact_sparse(X: Sparse, ids: Array, Q: Sparse, rows: Array, within: bool, k: int) -> tuple[Floats, Array]:
    """Squared distances (m, k) and indices (m, k) of the rows' nearest among the samples ids of X."""
    C = X if len(ids) == X.shape[0] else X[ids]
    norms, exactly = squared_norms(C), _is_integral(X) and _is_integral(Q)
    rounding = (int(np.diff(X.indptr).max(initial=0)) + 4) * float(np.finfo(np.float64).eps)
    squared, indices = np.empty((len(rows), k)), np.empty((len(rows), k), dtype=np.int64)

    def work(start: int, stop: int) -> None:
        block = Q[rows[start:stop]]
        own = squared_norms(block)[:, None]
        f = own + norms - 2 * (block @ C.T).toarray()
        if within:
            f[ids == rows[start:stop, None]] = np.inf
        kth = np.maximum(np.partition(f, k - 1, axis=1)[:, [k - 1]], 0)
        error = 0 if exactly else rounding * (2 * np.sqrt(own) + np.sqrt(kth)) ** 2
        at, columns = np.nonzero(f <= kth + 2 * error)
        d = f[at, columns] if exactly else squared_gaps(X, ids[columns], block, at)
        squared[start:stop], indices[start:stop] = nearest_of_each(at, d, ids[columns], stop - start, k)

    run_blocks(work, len(rows), max(1, 2 * ENTRIES // len(ids)), "neighbors")
    return squared, indices


def _is_integral(X: Sparse) -> bool:
    """Small whole numbers: their float64 products are exact."""
    largest = float(np.abs(X.data).max(initial=0))
    small = largest < 2.0**24 and largest**2 * X.shape[1] < 2.0**50
    return small and np.array_equal(X.data, np.rint(X.data))


def squared_gaps(X: Sparse, ids: Array, Q: Sparse, at: Array) -> Floats:
    """||x_id - q_at||^2 of each pair, by differences, a few megabytes at a time."""
    heaviest = int(max(np.diff(X.indptr).max(initial=1), np.diff(Q.indptr).max(initial=1), 1))
    size = max(1, ENTRIES // heaviest)
    steps = range(0, max(len(ids), 1), size)
    return np.concatenate([squared_norms(X[ids[a : a + size]] - Q[at[a : a + size]]) for a in steps])


def approximate_sparse(
    X: Sparse, ids: Array, Q: Sparse, rows: Array, within: bool, k: int, rng: np.random.Generator
) -> tuple[Floats, Array] | None:
    """As `exact_sparse`, from candidates; None where brute force costs no more."""
    X_picture, Q_picture = _pictures(X, None if within else Q, rng)
    pool = points(X_picture, "euclidean")
    queries = pool if Q_picture is None else points(Q_picture, "euclidean", like=pool)
    task = Task(pool, ids, queries, rows, within)
    found = approximate_neighbors(task, min(OVERFETCH * k, task.n_candidates), rng)
    if found is None:
        return None
    squared, indices = np.empty((len(rows), k)), np.empty((len(rows), k), dtype=np.int64)

    def work(start: int, stop: int) -> None:
        some = found[start:stop]
        at = np.repeat(np.arange(stop - start), some.shape[1])
        d = squared_gaps(X, some.ravel(), Q[rows[start:stop]], at)
        squared[start:stop], indices[start:stop] = nearest_of_each(at, d, some.ravel(), stop - start, k)

    run_blocks(work, len(rows), 1024, "distances")
    return squared, indices


def _pictures(X: Sparse, Q: Sparse | None, rng: np.random.Generator) -> tuple[Array, Array | None]:
    if X.shape[1] <= 2 * PICTURE:
        return X.astype(np.float32).toarray(), None if Q is None else Q.astype(np.float32).toarray()
    from sklearn.decomposition import TruncatedSVD

    svd = TruncatedSVD(PICTURE, random_state=int(rng.integers(2**31)))
    picture = svd.fit_transform(X).astype(np.float32)
    return picture, None if Q is None else svd.transform(Q).astype(np.float32)
