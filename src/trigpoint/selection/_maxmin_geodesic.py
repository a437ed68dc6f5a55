"""Farthest-point traversal along the graph (de Silva & Tenenbaum, 2004).

    next = argmax_i gap_i,     gap_i = min over landmarks j of the geodesic distance d(i, j).

The first landmark is drawn at random. A component without a landmark is infinitely far: the
largest such component is entered first, at its first sample; finite ties go to the lower index.
Nested: the first k of l landmarks are the answer for k.
"""

from typing import Any

import numpy as np
from scipy.sparse import csgraph

from trigpoint._types import Floats, Ints
from trigpoint.selection._pool import Pool


def maxmin_geodesic(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    graph, initial = pool.neighbor_graph(), pool.initial
    lengths = graph.lengths()
    size = np.bincount(graph.components)[graph.components]  # (n,) of each sample's component
    gap = np.full(graph.n_samples, np.inf)
    for landmark in initial:
        _close_in(gap, lengths, landmark)
    picks = np.empty(n_landmarks, dtype=np.int64)
    for step in range(n_landmarks):
        first = step == 0 and len(initial) == 0
        picks[step] = rng.integers(graph.n_samples) if first else _farthest(gap, size)
        _close_in(gap, lengths, picks[step])
    return picks


def _farthest(gap: Floats, size: Ints) -> int:
    unreached = np.isinf(gap)
    return int(np.argmax(np.where(unreached, size, -1) if unreached.any() else gap))


def _close_in(gap: Floats, lengths: Any, landmark: int) -> None:
    reach = csgraph.dijkstra(lengths, directed=False, indices=landmark, limit=gap.max())
    np.minimum(gap, reach, out=gap)
    gap[landmark] = -1.0  # never again, even among duplicates at distance 0
