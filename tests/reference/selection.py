"""Landmark selectors from their definitions."""

import numpy as np
from scipy.sparse import csgraph


def geodesics(n, edges):
    """All shortest paths by Floyd and Warshall; edges are (i, j, length), either way."""
    D = np.full((n, n), np.inf)
    np.fill_diagonal(D, 0)
    for i, j, d in edges:
        D[i, j] = D[j, i] = min(D[i, j], d)
    for k in range(n):
        D = np.minimum(D, D[:, [k]] + D[[k]])
    return D


def farthest(D, taken, n_landmarks, components):
    """Farthest-point traversal; unreached components by size, then by first sample."""
    picks, taken = [], list(taken)
    for _ in range(n_landmarks):
        free = [i for i in range(len(D)) if i not in taken]
        gap = {i: min((D[i, j] for j in taken), default=np.inf) for i in free}
        size = {i: np.sum(components == components[i]) for i in free}
        best = max(free, key=lambda i: (gap[i], size[i] if np.isinf(gap[i]) else 0, -i))
        picks.append(best)
        taken.append(best)
    return picks


def farthest_by_searches(lengths, taken, n_landmarks, components):
    """The same by one full search from every landmark, which rounds as a search does."""
    taken, size = list(taken), np.bincount(components)[components]
    gap = csgraph.dijkstra(lengths, directed=False, indices=taken).min(axis=0)
    for _ in range(n_landmarks):
        gap[taken] = -1.0  # never again, even among duplicates at distance 0
        unreached = np.isinf(gap)
        taken.append(int(np.argmax(np.where(unreached, size, -1) if unreached.any() else gap)))
        gap = np.minimum(gap, csgraph.dijkstra(lengths, directed=False, indices=taken[-1]))
    return taken[-n_landmarks:]
