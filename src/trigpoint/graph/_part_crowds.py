"""Crowds (`_duplicates`) of a pool that lies in blocks of rows.

More than K + 1 copies in m blocks are at least (K + 2) / m in one of them. So each block tells which rows
occur as often there, by a number made of each row; most often no number can belong to a crowd. Else blocks
send one of each of these rows, with the samples that are copies of it.
"""

from typing import NamedTuple

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.graph._duplicates import identical_rows, row_keys


class Crowds(NamedTuple):
    """Members, ascending, with their neighbors (m, k); and which of them the search must not see."""

    members: Ints
    ring: Ints
    hidden: Ints


def frequent_rows(X: Array, least: int) -> tuple[Floats, Ints]:
    """Numbers of rows that occur at least so often, ascending, and how often."""
    keys, counts = np.unique(row_keys(X), return_counts=True)
    return keys[counts >= least], counts[counts >= least]


def least_copies(k: int, m: int) -> int:
    """How often a row of a crowd occurs at least in one of m blocks."""
    return -(-(k + 2) // m)


def suspects(frequent: list[tuple[Floats, Ints]], k: int) -> Floats:
    """Numbers whose rows may be crowds."""
    m = len(frequent)
    keys, counts = (np.concatenate(each) for each in zip(*frequent, strict=True))
    keys, at, seen = np.unique(keys, return_inverse=True, return_counts=True)
    most = np.bincount(at, counts, len(keys)) + (m - seen) * (least_copies(k, m) - 1)
    return keys[most > k + 1]


def copies(X: Array, first: int, keys: Floats) -> tuple[Array, Ints, Ints]:
    """One of each of the rows with these numbers; the samples that are its copies, and which row each is."""
    some = np.flatnonzero(np.isin(row_keys(X), keys))
    if not len(some):
        return X[:0], some, some
    order, group = identical_rows(X[some])
    one = np.searchsorted(group, np.arange(group[-1] + 1))
    return X[some[order[one]]], some[order] + first, group


def crowds_of_blocks(found: list[tuple[Array, Ints, Ints]], k: int) -> Crowds:
    """All crowds, from the copies of every block in their order."""
    starts = np.concatenate([[0], np.cumsum([len(rows) for rows, _, _ in found])])
    order, group = identical_rows(np.concatenate([rows for rows, _, _ in found]))
    name = np.empty(len(order), dtype=np.int64)
    name[order] = group
    samples = np.concatenate([some for _, some, _ in found])
    of = name[np.concatenate([start + own for start, (_, _, own) in zip(starts, found, strict=False)])]
    sizes = np.bincount(of)
    order = np.lexsort((samples, of))
    samples, of = samples[order], of[order]
    begin = (np.cumsum(sizes) - sizes)[of]
    rank = np.arange(len(of)) - begin
    crowded = sizes[of] > k + 1
    ring = begin[:, None] + (rank[:, None] + np.arange(1, k + 1)) % sizes[of][:, None]
    members, ring, rank = samples[crowded], samples[ring[crowded]], rank[crowded]
    by_name = np.argsort(members)
    return Crowds(members[by_name], ring[by_name], np.sort(members[rank > k]))
