"""Levels of a graph: how far it reaches, and how wide it is.

A breadth-first walk meets the samples level by level, level k being those k hops from the start. Samples
of a level meet only those of the levels beside it, so a matrix on the graph is block tridiagonal in that
order, and eliminating block by block costs about sum w^3 multiplications and sum w^2 entries, w being the
sizes of the levels. A walk from the far end of a component gives many narrow levels: curves and surfaces
are narrow (w ~ n^(1 - 1/d) in d dimensions), clouds of many dimensions have a few levels that hold nearly
everything.
"""

import numpy as np
from scipy.sparse import csgraph, csr_array

from trigpoint._kernels import compiled_csr
from trigpoint._types import Floats, Ints, Sparse
from trigpoint.propagation._structure import COMPILED


def walk(links: Sparse, start: Ints) -> tuple[Ints, Ints]:
    """Samples met along the rows of ``links`` from any of ``start``, in order, and the level of each."""
    n = links.shape[0]
    if links.nnz >= COMPILED:
        return _compiled_walk(links, start)
    indices, indptr = np.append(links.indices, start), np.append(links.indptr, links.nnz + len(start))
    data = np.ones(len(indices), np.int8)
    rooted = csr_array((data, indices, indptr), shape=(n + 1, n + 1))  # a root that leads to all of them
    order, before = csgraph.breadth_first_order(rooted, n)
    place = np.empty(n + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    parents = place[before[order[1:]]]  # never falls along the order
    ends = [1]
    while ends[-1] < len(order):
        ends.append(1 + int(np.searchsorted(parents, ends[-1])))
    level = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    return order[1:].astype(np.int64), level


def _compiled_walk(links: Sparse, start: Ints) -> tuple[Ints, Ints]:
    from trigpoint._kernels.links import breadth_first

    order, level = np.empty(links.shape[0], np.int64), np.empty(links.shape[0], np.int64)
    count = breadth_first(*compiled_csr(links)[:2], np.sort(start), order, level)
    return order[:count], level[:count]


def parts(links: Sparse, diagonal: Floats | None = None, share: float = -1.0) -> tuple[int, Ints]:
    """Number of connected parts of a symmetric pattern, and the part of each sample, by their first samples.

    With a diagonal, entries up to ``share`` of the lesser of their two are no links.
    """
    from trigpoint._kernels.links import label_parts

    labels, d = np.empty(links.shape[0], np.int64), np.ones(links.shape[0]) if diagonal is None else diagonal
    return label_parts(*compiled_csr(links), d, share, labels), labels


def hops(links: Sparse, start: Ints) -> int:
    """From the nearest of ``start`` to the farthest sample that one of them reaches."""
    return int(walk(links, start)[1].max(initial=0))


def widths(links: Sparse) -> Floats:
    """Sizes of the levels of each component of a symmetric pattern, walked from its far end."""
    _, part = parts(links) if links.nnz >= COMPILED else csgraph.connected_components(links, directed=False)
    order, _ = walk(links, np.unique(part, return_index=True)[1])
    far = np.empty(int(part.max()) + 1, dtype=np.int64)
    far[part[order]] = order  # the last one met stays
    order, level = walk(links, far)
    key = part[order].astype(np.int64) * (int(level.max()) + 1) + level
    return np.unique(key, return_counts=True)[1].astype(np.float64)
