"""Nearest neighbors of sparse rows.

Exact: one sparse product a block of queries, ||q||^2 + ||c||^2 - 2 q.c in float64 for candidates,
then distances from the differences. Approximate: candidates come from a dense picture of the pool
(the features themselves where they are few, else a truncated SVD), four times as many as asked
for, and are ranked by their true sparse distances.
"""

from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._kernels import run_blocks
from trigpoint._types import Array, Floats, Sparse
from trigpoint._validation import check_no_zero_rows
from trigpoint.graph._approximate import approximate_neighbors
from trigpoint.graph._exact import SPARE, Task, nearest_first
from trigpoint.graph._points import points

PICTURE = 128  # dimensions of the dense picture
OVERFETCH = 4


def unit_rows(X: Sparse, name: str) -> Sparse:
    """Rows scaled to norm 1 (a copy of the stored entries)."""
    norms = np.sqrt(X.multiply(X).sum(axis=1, dtype=np.float64))
    check_no_zero_rows(norms, name)
    return sparse.csr_array(
        (X.data / np.repeat(norms, np.diff(X.indptr)), X.indices, X.indptr), shape=X.shape
    )


def exact_sparse(X: Sparse, Q: Sparse, rows: Array, within: bool, k: int) -> tuple[Floats, Array]:
    """Squared distances (m, k) and indices (m, k) of the rows' nearest among X."""
    norms = X.multiply(X).sum(axis=1, dtype=np.float64)
    room = min(k + SPARE, X.shape[0] - int(within))
    squared, indices = np.empty((len(rows), k)), np.empty((len(rows), k), dtype=np.int64)

    def work(start: int, stop: int) -> None:
        some = rows[start:stop]
        far = norms - 2 * (Q[some] @ X.T).toarray()  # ||q||^2 is the same for the whole row
        if within:
            far[np.arange(len(some)), some] = np.inf
        found = np.argpartition(far, room - 1, axis=1)[:, :room]
        squared[start:stop], indices[start:stop] = rerank_sparse(X, Q[some], found, k)

    run_blocks(work, len(rows), max(1, 2**22 // X.shape[0]))
    return squared, indices


def rerank_sparse(X: Sparse, Q: Sparse, found: Array, k: int) -> tuple[Floats, Array]:
    gaps = X[found.ravel()] - Q[np.repeat(np.arange(len(found)), found.shape[1])]
    squared = gaps.multiply(gaps).sum(axis=1, dtype=np.float64).reshape(found.shape)
    return nearest_first(squared, found, k)


def approximate_sparse(
    X: Sparse, Q: Sparse, rows: Array, within: bool, k: int, rng: np.random.Generator
) -> tuple[Floats, Array] | None:
    """As `exact_sparse`, from candidates; None where brute force costs no more."""
    X_picture, Q_picture = _pictures(X, None if within else Q, rng)
    pool = points(X_picture, "euclidean")
    queries = pool if within else points(Q_picture, "euclidean", like=pool)
    wide = min(OVERFETCH * k, X.shape[0] - 1)
    found = approximate_neighbors(Task(pool, np.arange(len(pool)), queries, rows, within), wide, rng)
    if found is None:
        return None
    squared, indices = np.empty((len(rows), k)), np.empty((len(rows), k), dtype=np.int64)

    def work(start: int, stop: int) -> None:
        squared[start:stop], indices[start:stop] = rerank_sparse(X, Q[rows[start:stop]], found[start:stop], k)

    run_blocks(work, len(rows), 1024)
    return squared, indices


def _pictures(X: Sparse, Q: Sparse | None, rng: np.random.Generator) -> tuple[Array, Any]:
    if X.shape[1] <= 2 * PICTURE:
        return tuple(None if A is None else A.astype(np.float32).toarray() for A in (X, Q))  # type: ignore[return-value]
    from sklearn.decomposition import TruncatedSVD

    svd = TruncatedSVD(PICTURE, random_state=int(rng.integers(2**31)))
    picture = svd.fit_transform(X).astype(np.float32)
    return picture, None if Q is None else svd.transform(Q).astype(np.float32)
