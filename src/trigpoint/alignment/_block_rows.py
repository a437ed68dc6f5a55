"""The Laplacian by blocks of rows: the numbers of `laplacian`, where no process holds the whole graph.

A block is a `NeighborGraph` of some rows, from ``first`` on, whose neighbors are samples of all blocks. What
its weights need from the others are a few numbers (c, m, or sigma) and the scales s_j of all samples. From

    powers = d_ij^2 / (s_i s_j),    the least of each row, and those of the rows that stand for all

follow c and m; then W_b, the weights of the block's own lists. W = max(W, W^T) needs the lists of the others
that name its samples: W_a^T is cut into the rows of each block. A row is summed in the order of its columns,
as in the whole matrix, so that every number is the same to the last bit.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.alignment._laplacian import subtracted
from trigpoint.alignment._weighing import exponents
from trigpoint.alignment._weights import middle_of, own_weights, sharpness_of, spaced, tuned
from trigpoint.graph import NeighborGraph


@dataclass(frozen=True, eq=False)
class Powers:
    """The exponents of a block's lists, and the least of each list that is not empty."""

    values: Floats
    least: Floats


def block_powers(rows: NeighborGraph, scales: Floats, first: int) -> Powers:
    values = _powers(rows, scales[first : first + rows.n_samples], scales[rows.indices])
    return Powers(values, np.minimum.reduceat(values, _starts(rows)) if len(values) else values)


def _powers(rows: NeighborGraph, own: Floats, others: Floats) -> Floats:
    return exponents(rows.distances, np.repeat(own, np.diff(rows.indptr)), others)


def _starts(rows: NeighborGraph) -> Ints:
    """Where the lists begin that are not empty."""
    starts: Ints = rows.indptr[:-1][np.diff(rows.indptr) > 0]
    return starts


def sampled_lists(counts: list[int]) -> list[Ints]:
    """Which lists of each block stand for all, where blocks have so many that are not empty."""
    some = spaced(sum(counts))
    ends = np.cumsum(counts)
    return [
        some[(some >= end - count) & (some < end)] - (end - count)
        for count, end in zip(counts, ends, strict=True)
    ]


def block_sample(rows: NeighborGraph, powers: Powers, some: Ints) -> tuple[Floats, Ints]:
    """The exponents of some of the lists that are not empty, and the lengths of these."""
    first = _starts(rows)
    lengths = (np.append(first[1:], len(powers.values)) - first)[some]
    starts = np.cumsum(lengths) - lengths
    return powers.values[np.arange(lengths.sum()) + np.repeat(first[some] - starts, lengths)], lengths


def tuning(
    samples: list[tuple[Floats, Ints]], least: list[Floats], perplexity: float | None
) -> tuple[float, float]:
    """c and m of the whole graph."""
    sample, lengths = (np.concatenate(parts) for parts in zip(*samples, strict=True))
    all_least = np.concatenate(least)
    if len(all_least) == 0:
        return 1.0, 0.0
    c = 1.0 if perplexity is None else sharpness_of(sample, lengths, perplexity)
    return c, middle_of(all_least * c)


def tuned_block(rows: NeighborGraph, powers: Powers, c_and_middle: tuple[float, float], n: int) -> Sparse:
    """The "self_tuning" weights of a block's lists."""
    c, middle = c_and_middle
    return _directed(rows, tuned(powers.values * c, middle), n)


def plain_block(rows: NeighborGraph, weights: str, sigma: float, n: int) -> Sparse:
    """The weights that need nothing from other blocks: "own", "binary", "distance" and "heat"."""
    if weights == "own":
        values = own_weights(rows).copy()
    elif weights == "binary":
        values = np.ones(len(rows.indices))
    elif weights == "distance":
        values = rows.distances.copy()
    else:
        values = np.exp(-_powers(rows, np.full(rows.n_samples, sigma), np.full(len(rows.indices), sigma)))
    return _directed(rows, values, n)


def _directed(rows: NeighborGraph, values: Floats, n: int) -> Sparse:
    W = sparse.csr_array((values, rows.indices.copy(), rows.indptr.copy()), shape=(rows.n_samples, n))
    W.sort_indices()
    return W


def turned(W: Sparse, bounds: Array) -> list[Sparse]:
    """W^T in the rows of each block; columns are the block's own rows."""
    whole = W.T.tocsr()
    return [whole[a:b] for a, b in pairwise(bounds)]


def symmetric_block(W: Sparse, pieces: list[Sparse]) -> tuple[Sparse, Floats]:
    """max(W, W^T) in the rows of a block, from what all blocks have turned for it, in order; and its sums.

    Both at once: arrays that come from another process may begin at odd addresses, where numpy adds up a row
    in another order.
    """
    whole = W.maximum(_side_by_side(pieces))  # which stores no zeros
    return whole, whole.sum(axis=1)


def _side_by_side(pieces: list[Sparse]) -> Sparse:
    """Their columns one after the other, without the lists of coordinates that scipy would make."""
    ends = np.concatenate([[0], np.cumsum(sum(np.diff(piece.indptr).astype(np.int64) for piece in pieces))])
    indices, data = np.empty(ends[-1], np.int32), np.empty(ends[-1])
    at, first = ends[:-1].copy(), 0
    for piece in pieces:
        lengths = np.diff(piece.indptr)
        to = np.repeat(at - piece.indptr[:-1], lengths) + np.arange(piece.nnz)
        indices[to], data[to] = piece.indices + first, piece.data
        at += lengths
        first += piece.shape[1]
    indptr = ends.astype(np.int32 if ends[-1] < 2**31 else np.int64)
    return sparse.csr_array((data, indices, indptr), shape=(len(at), first))


def laplacian_block(block: tuple[Sparse, Floats], first: int, totals: Floats | None = None) -> Sparse:
    """The rows of D - W; with the degrees of all samples, of I - D^-1/2 W D^-1/2."""
    W, own_totals = block
    if totals is None:
        return subtracted(own_totals, W, first)
    touched = totals > 0
    scale = np.divide(1.0, np.sqrt(totals), where=touched, out=np.zeros_like(totals))
    own = slice(first, first + W.shape[0])
    W = W.copy()
    W.data *= np.repeat(scale[own], np.diff(W.indptr)) * scale[W.indices]
    return subtracted(touched[own].astype(np.float64), W, first)
