"""X or an edge list -> NeighborGraph."""

from trigpoint.graph._distances import nearest_given
from trigpoint.graph._duplicates import identical_rows
from trigpoint.graph._edges import graph_from_edges
from trigpoint.graph._graph import NeighborGraph, stored_graph
from trigpoint.graph._grown import grow_graph, grown_graph, joined
from trigpoint.graph._neighbors import (
    N_NEIGHBORS,
    count_neighbors,
    neighbor_graph,
    pool_key,
    search_graph,
)
from trigpoint.graph._objects import is_graph_object, object_edges
from trigpoint.graph._points import METRICS
from trigpoint.graph._routed import (
    cell_orders,
    cells_needed,
    nearest_in_part,
    nearest_of_cell,
    nearest_of_parts,
    routed,
    trained_centers,
)
from trigpoint.graph._search import EXACT_SIZE, METHODS, nearest
from trigpoint.graph._workspace import Workspace

__all__ = [
    "EXACT_SIZE",
    "METHODS",
    "METRICS",
    "N_NEIGHBORS",
    "NeighborGraph",
    "Workspace",
    "cell_orders",
    "cells_needed",
    "count_neighbors",
    "graph_from_edges",
    "grow_graph",
    "grown_graph",
    "identical_rows",
    "is_graph_object",
    "joined",
    "nearest",
    "nearest_given",
    "nearest_in_part",
    "nearest_of_cell",
    "nearest_of_parts",
    "neighbor_graph",
    "object_edges",
    "pool_key",
    "routed",
    "search_graph",
    "stored_graph",
    "trained_centers",
]
