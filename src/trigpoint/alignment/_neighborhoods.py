"""Neighborhoods as index sets, their features as small dense patches, and sums over them.

Neighborhood i holds the samples ``members[indptr[i]:indptr[i + 1]]``. LLE and LTSA both give each
of its k slots a row of a factor F_i (k, c), and both need

    sum_i S_i F_i F_i^T S_i^T,      S_i the 0-1 matrix that picks the members of neighborhood i.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._kernels import run_blocks
from trigpoint._kernels.alignment import outer_rows, transpose_slots
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.graph import NeighborGraph

LONGEST = 5000  # neighbors in one list: its Gram matrix takes 0.2 GB
CHUNK = 2**20  # bytes of one chunk of patches: what a core's cache holds
ROWS = 1024  # least number of rows of the sum to assemble at a time
BLOCKS = 64  # most blocks to assemble them in, because each clears n counters of its own


def neighborhoods(graph: NeighborGraph, include_self: bool) -> tuple[Ints, Array]:
    """(indptr, members) of the neighbor lists, each led by its own sample where asked for."""
    longest = int(np.diff(graph.indptr).max())
    if longest > LONGEST:
        raise InputError(
            "graph",
            f"must list at most {LONGEST} neighbors per sample here, because k of them need a k x k matrix",
            f"a list of {longest}, {8 * longest**2 / 1000000000.0:.3g} GB",
        )
    if not include_self:
        return graph.indptr.copy(), graph.indices.copy()
    n = graph.n_samples
    return graph.indptr + np.arange(n + 1), np.insert(graph.indices, graph.indptr[:-1], np.arange(n))


def each_chunk(indptr: Ints, n_features: int, work: Callable[[Ints], None]) -> None:
    """Call ``work(slots)`` on chunks of neighborhoods of equal size k; slots (m, k), in parallel."""
    sizes = np.diff(indptr)
    for k in np.unique(sizes[sizes > 0]):
        first = indptr[:-1][sizes == k]

        def block(start: int, stop: int, first: Ints = first, k: int = int(k)) -> None:
            work(first[start:stop, None] + np.arange(k))

        run_blocks(block, len(first), max(1, CHUNK // (8 * int(k) * n_features)), "neighborhoods")


def patches(X: Any, members: Array) -> Floats:
    """Features of each neighborhood relative to its first member, (m, k, p) float64.

    Differences come first, so that duplicates give exact zeros and a far origin costs no digits.
    Columns that are zero throughout a sparse chunk are left out, so p may be smaller.
    """
    m, k = members.shape
    rows = _dense_rows(X, members.ravel()).reshape(m, k, -1)
    rows -= rows[:, :1].copy()
    return rows


def gram_matrices(P: Floats) -> tuple[Floats, Floats, Floats]:
    """P P^T of each patch, its trace, and the power of two by which the patch was scaled, in place.

    That is 1 but for patches whose squares would over- or underflow; LLE and LTSA do not depend on it.
    """
    units = np.ones(len(P))
    with np.errstate(over="ignore", invalid="ignore"):
        grams = P @ P.swapaxes(1, 2)
        traces = np.trace(grams, axis1=1, axis2=2)
    odd = np.flatnonzero(~((traces > 1e-200) & (traces < 1e200)))
    if len(odd):
        exponents = np.frexp(np.abs(P[odd]).max(axis=(1, 2), initial=0.0))[1]
        units[odd] = np.ldexp(1.0, -np.clip(exponents, -1000, 1000))
        P[odd] *= units[odd, None, None]
        grams[odd] = P[odd] @ P[odd].swapaxes(1, 2)
        traces[odd] = np.trace(grams[odd], axis1=1, axis2=2)
    return grams, traces, units


def resolution(X: Any, members: Array) -> Floats:
    """max(k, p) eps max|x| over each neighborhood: what rounding alone may leave of a difference."""
    m, k = members.shape
    largest = np.abs(_dense_rows(X, members.ravel())).reshape(m, -1).max(axis=1, initial=0.0)
    scaled: Floats = max(k, X.shape[1]) * np.finfo(np.float64).eps * largest
    return scaled


def _dense_rows(X: Any, samples: Array) -> Floats:
    if not sparse.issparse(X):
        return X[samples].astype(np.float64, copy=False)  # type: ignore[no-any-return]
    rows = X[samples]
    used, columns = np.unique(rows.indices, return_inverse=True)
    compact = sparse.csr_array((rows.data, columns, rows.indptr), shape=(len(samples), len(used)))
    return compact.astype(np.float64).toarray()  # type: ignore[no-any-return]


def outer_sum(indptr: Ints, members: Array, factors: Floats) -> Sparse:
    """sum_i S_i F_i F_i^T S_i^T as a canonical csr_array with the diagonal stored."""
    n = len(indptr) - 1
    owner = np.repeat(np.arange(n, dtype=np.int32), np.diff(indptr))
    where, slots = transpose_slots(members, n)
    parts: dict[int, tuple[Ints, Array, Floats]] = {}

    def work(start: int, stop: int) -> None:
        parts[start] = outer_rows(start, stop, indptr, members, owner, factors, where, slots)

    run_blocks(work, n, max(ROWS, n // BLOCKS), "alignment")
    counts, columns, values = (
        np.concatenate(each) for each in zip(*(parts[s] for s in sorted(parts)), strict=True)
    )
    ends = np.concatenate([[0], np.cumsum(counts)])
    return sparse.csr_array((values, columns, ends), shape=(n, n))
