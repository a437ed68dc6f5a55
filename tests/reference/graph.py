"""Neighbor search and edge lists from their definitions."""

import numpy as np


def distances(X, Q, metric="euclidean"):
    X, Q = np.asarray(X, dtype=np.float64), np.asarray(Q, dtype=np.float64)
    if metric == "cosine":
        nowhere = ~Q.any(axis=1)[:, None] | ~X.any(axis=1)[None]  # an all-zero row is at distance 1 from all
        X, Q = (A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-300) for A in (X, Q))
    squared = ((Q[:, None] - X[None]) ** 2).sum(axis=2)
    return np.where(nowhere, 1.0, squared / 2) if metric == "cosine" else np.sqrt(squared)


def neighbors(X, k, metric="euclidean"):
    """Distances and indices of the k nearest others, ties by index."""
    D = distances(X, X, metric)
    np.fill_diagonal(D, np.inf)
    order = np.argsort(D, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(D, order, axis=1), order


def similarity(edges, weights, n):
    """The symmetric matrix of an edge list: repeats add up, of two directions the larger holds."""
    directed = np.zeros((n, n))
    for (i, j), w in zip(edges, np.ones(len(edges)) if weights is None else weights, strict=True):
        if i != j:
            directed[i, j] = 1 if weights is None else directed[i, j] + w
    return np.maximum(directed, directed.T)


def components(adjacency):
    """Component labels by flooding, numbered in order of first sample."""
    n = len(adjacency)
    labels = np.full(n, -1)
    for start in range(n):
        if labels[start] < 0:
            front = [start]
            labels[start] = labels.max() + 1
            while front:
                i = front.pop()
                for j in np.flatnonzero((adjacency[i] > 0) | (adjacency[:, i] > 0)):
                    if labels[j] < 0:
                        labels[j] = labels[start]
                        front.append(j)
    return labels
