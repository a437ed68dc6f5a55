"""What every alignment asks of its graph, and of the features beside it."""

from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._validation import check_features
from trigpoint.alignment._alignment import Shape
from trigpoint.graph import NeighborGraph


def check_graph(graph: object) -> NeighborGraph:
    if not isinstance(graph, NeighborGraph):
        raise TypeError(
            "graph must be a NeighborGraph (see neighbor_graph and graph_from_edges); "
            f"got {type(graph).__name__}."
        )
    return graph


def check_pool(X: Any, graph: NeighborGraph) -> Any:
    """Features with one row for each sample of the graph."""
    X = check_features(X)
    if X.shape[0] != graph.n_samples:
        raise InputError(
            "X", f"must have one row for each of the graph's {graph.n_samples} samples", f"{X.shape[0]} rows"
        )
    return X


def shape_of(graph: NeighborGraph, X: Any = None) -> Shape:
    longest = int(np.diff(graph.indptr).max(initial=0))
    return Shape(graph.n_samples, None if X is None else X.shape[1], longest)
