"""Samples that are in the pool more than once: exactly, or nearly.

Exact copies are identical rows. If the columns have so few values that some rows are equal by chance, copies
mean little. With c_j the chance that two samples have the same value in column j, at least

    n (n - 1) / 2 * product of c_j

pairs are equal by chance: columns that depend on each other only make it more.

Near copies are pairs whose distance is far below what is usual around both of them, and in the pool as a
whole: with s_i the distance from sample i to its K-th neighbor,

    r_ij = d_ij / min(s_i, s_j, median s)  <  t.

In a pool of n samples that lie at random in m dimensions, about n (K - 1) t^m samples have a neighbor with
r < t by chance. So t is the value at which this is `CHANCE`, and never more than `NEAR`: in few dimensions,
where some samples always lie close together, t is tiny. m follows from the outer neighbors, which copies do
not reach (Levina & Bickel, 2004): E log(d_K / d_a) = (1/a + ... + 1/(K - 1)) / m, with a = K / 3.

Numbers with few digits cannot be near without being equal, so such tables have exact copies only. A group of
more than K near copies is its own neighborhood: it counts as a dense place, not as copies.
"""

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csc_array, csgraph, issparse

from trigpoint._types import Array, Floats, Ints
from trigpoint.graph import NeighborGraph, identical_rows

NEAR = 0.1  # of the usual distance
CHANCE = 0.05  # pairs that may be flagged where there are no copies
FEWEST = 4  # neighbors below which nothing is usual


def exact_groups(X: Any) -> tuple[Ints, tuple[Ints, ...]]:
    """(n,) the first sample with the same row, and the groups of two samples or more."""
    order, group = identical_rows(X)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(group)) + 1])
    first = np.empty(len(order), dtype=np.int64)
    first[order] = order[starts][group]
    return first, groups_of(first)


def text_groups(texts: Sequence[str]) -> tuple[Ints, tuple[Ints, ...]]:
    """The same for texts, which are equal if only case, spaces and punctuation differ."""
    seen: dict[str, int] = {}
    first = np.array(
        [seen.setdefault(_plain(text) or text, i) for i, text in enumerate(texts)], dtype=np.int64
    )
    return first, groups_of(first)


def _plain(text: str) -> str:
    """
    >>> _plain("Has my  top-up gone through?") == _plain("has my top up gone through")
    True
    """
    letters = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(" " if unicodedata.category(c)[0] == "P" else c for c in letters).split())


def by_chance(X: Any) -> bool:
    """Whether the columns have so few values that at least one pair of rows is equal by chance."""
    n, p = X.shape
    expected = n * (n - 1) / 2
    held = csc_array(X) if issparse(X) else X
    for j in range(p):
        if expected < 1:
            return False
        values = held.data[held.indptr[j] : held.indptr[j + 1]] if issparse(X) else held[:, j]
        counts = np.append(np.unique(values, return_counts=True)[1], n - len(values))
        expected *= float((counts / n) @ (counts / n))
    return bool(expected >= 1)


def groups_of(first: Ints) -> tuple[Ints, ...]:
    """Samples with the same number, two or more; ascending, in the order of their first members."""
    order = np.argsort(first, kind="stable")
    cuts = np.flatnonzero(np.diff(first[order])) + 1
    found = [part for part in np.split(order, cuts) if len(part) > 1]
    return tuple(sorted(found, key=lambda part: int(part[0])))


def near_groups(graph: NeighborGraph, first: Ints) -> tuple[Ints, ...]:
    """Groups of samples that are near copies of each other; one sample stands for its exact copies.

    The groups with the smallest distance come first.
    """
    n, k = graph.n_samples, graph.n_neighbors
    if k is None or k < FEWEST:
        return ()
    distances = graph.distances.reshape(n, k)
    s = np.where(
        distances[:, -1] > 0, distances[:, -1], np.inf
    )  # more than K exact copies say nothing of what is usual
    if np.isinf(s).all():
        return ()
    s = _limit(distances) * np.minimum(s, np.median(s[np.isfinite(s)]))
    i, place = np.nonzero(distances < s[:, None])
    j, d = graph.neighbors[i, place], distances[i, place]
    near = (d < s[j]) & (first[i] != first[j])
    i, j, d = first[i[near]], first[j[near]], d[near]
    links = coo_array((np.ones(len(i), dtype=np.int8), (i, j)), shape=(n, n))
    label = csgraph.connected_components(links, directed=False)[1]
    nearest = np.full(n, np.inf)
    np.minimum.at(nearest, label[i], d)
    ours = np.zeros(n, dtype=bool)
    ours[i] = ours[j] = True
    members = np.flatnonzero(ours)
    groups = [members[part] for part in groups_of(label[members])]
    return tuple(sorted(groups, key=lambda group: float(nearest[label[group[0]]])))


def _limit(D: Floats) -> float:
    """t, from (n, K) sorted distances."""
    n, k = D.shape
    a = -(-k // 3)
    inner, outer = D[:, a - 1], D[:, -1]
    spread = outer[inner > 0] / inner[inner > 0]
    growth = float(np.log(spread).mean()) if len(spread) else 0.0
    if growth <= 0:  # all distances are equal: nothing is nearer than usual
        return 0.0
    m = sum(1.0 / j for j in range(a, k)) / growth
    return float(min(NEAR, (CHANCE / (n * (k - 1))) ** (1.0 / m)))


def conflicts(groups: tuple[Ints, ...], first: Ints, codes: Ints) -> tuple[Ints, ...]:
    """The groups in which labels differ, each with all labeled copies of its members; codes -1: no label."""
    if not groups:
        return ()
    copies: dict[int, list[int]] = {}
    for sample in np.flatnonzero(codes >= 0).tolist():
        copies.setdefault(int(first[sample]), []).append(sample)
    found: list[Array] = []
    for group in groups:
        heads = dict.fromkeys(first[group].tolist())
        members = np.array([sample for head in heads for sample in copies.get(head, ())], dtype=np.int64)
        if len(np.unique(codes[members])) > 1:
            found.append(np.sort(members))
    return tuple(found)
