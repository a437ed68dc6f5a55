"""Landmark selectors from their definitions."""

import numpy as np


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
