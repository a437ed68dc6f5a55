"""Neighbor graphs by brute force, so that rooms can be tested without the graph room."""

import numpy as np

from trigpoint.graph import NeighborGraph


def from_lists(lists, similarities=None, metric="precomputed"):
    """A graph from one list of (neighbor, distance) a sample."""
    indptr = np.cumsum([0] + [len(row) for row in lists])
    indices = np.array([j for row in lists for j, _ in row], dtype=np.int32)
    distances = np.array([d for row in lists for _, d in row], dtype=np.float64)
    if similarities is not None:
        similarities = np.array(similarities, dtype=np.float64)
    return NeighborGraph(indptr.astype(np.int64), indices, distances, similarities, metric, "given")


def knn(X, n_neighbors):
    """The n_neighbors nearest other samples of each, nearest first, ties by index."""
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    lists = []
    for i, x in enumerate(X):
        distances = np.sqrt(((X - x) ** 2).sum(axis=1))
        order = [j for j in np.argsort(distances, kind="stable") if j != i]
        lists.append([(j, distances[j]) for j in order[:n_neighbors]])
    return from_lists(lists, metric="euclidean")


def permuted(graph, order):
    """The same graph with sample order[i] renamed i."""
    name = np.argsort(order)
    rows = [range(graph.indptr[i], graph.indptr[i + 1]) for i in order]
    lists = [[(name[graph.indices[e]], graph.distances[e]) for e in row] for row in rows]
    own = None if graph.similarities is None else [graph.similarities[e] for row in rows for e in row]
    return from_lists(lists, own, graph.metric)
