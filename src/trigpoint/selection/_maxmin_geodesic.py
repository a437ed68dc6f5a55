"""Farthest-point traversal along the graph (de Silva & Tenenbaum, 2004).

    next = argmax_i gap_i,     gap_i = min over landmarks j of the geodesic distance d(i, j).

The first landmark is drawn at random. A component without a landmark is infinitely far: the
largest such component is entered first, at its first sample; finite ties go to the lower index.
Nested: the first k of l landmarks are the answer for k.

A new landmark searches only where it lowers gaps. That is exact: gap_j <= gap_i + w_ij along every
edge, so if it comes to i no closer than gap_i, then to no j through i closer than gap_j. It is so to
the last bit, since rounded sums are monotone: x >= gap_i gives fl(x + w) >= fl(gap_i + w) >= gap_j.
"""

import numpy as np

from trigpoint._kernels.selection_geodesic import traverse, undirected
from trigpoint._progress import stage
from trigpoint._types import Array, Ints
from trigpoint.graph import NeighborGraph
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

WORK = 1_000_000  # entries of the adjacency between two chances for Ctrl-C: about 0.1 s


def maxmin_geodesic(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    graph, initial = pool.graph, pool.initial
    drawn = np.array([rng.integers(pool.n)] if len(initial) == 0 else [], dtype=np.int64)
    present = np.concatenate([initial, drawn])
    early = np.concatenate([drawn, _entries(graph.components, present)])[:n_landmarks]
    picks = np.empty(n_landmarks, dtype=np.int64)
    picks[: len(early)] = early
    if len(early) < n_landmarks:
        _go_on(graph, np.union1d(initial, early), picks[len(early) :])
    return picks


SELECTOR = Selector("maxmin_geodesic", maxmin_geodesic, needs=("graph",), nested=True)


def _entries(components: Array, present: Ints) -> Ints:
    """First samples of the components where no landmark is present, largest component first."""
    _, first, size = np.unique(components, return_index=True, return_counts=True)
    vacant = np.setdiff1d(np.arange(len(first)), components[present])
    entries: Ints = first[vacant[np.lexsort((first[vacant], -size[vacant]))]]
    return entries


def _go_on(graph: NeighborGraph, landmarks: Ints, picks: Ints) -> None:
    """Fill ``picks``, where every component has a landmark already; one search serves all of these."""
    n, size, done = graph.n_samples, len(landmarks), 0
    adjacency = undirected(graph.indptr, graph.indices, graph.distances)
    gap = np.full(n, np.inf)
    gap[landmarks] = 0.0
    heap, place = np.empty(n, dtype=np.int32), np.full(n, -1, dtype=np.int32)
    heap[:size], place[landmarks] = landmarks, np.arange(size)
    rest = np.flatnonzero(gap).astype(np.int32)
    old = np.full(len(rest), np.inf)
    with stage("landmarks", len(picks)) as told:
        while done < len(picks):
            before = done
            size, done = traverse(*adjacency, gap, heap, place, size, old, rest, picks, done, WORK)
            told.advance(done - before)
