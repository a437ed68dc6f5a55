"""X or an edge list -> NeighborGraph."""

from trigpoint.graph._distances import nearest_given
from trigpoint.graph._duplicates import identical_rows
from trigpoint.graph._edges import graph_from_edges
from trigpoint.graph._graph import NeighborGraph, stored_graph
from trigpoint.graph._grown import grow_graph, grown_graph, joined
from trigpoint.graph._neighbors import N_NEIGHBORS, neighbor_graph
from trigpoint.graph._objects import is_graph_object, object_edges
from trigpoint.graph._search import nearest

__all__ = [
    "N_NEIGHBORS",
    "NeighborGraph",
    "graph_from_edges",
    "grow_graph",
    "grown_graph",
    "identical_rows",
    "is_graph_object",
    "joined",
    "nearest",
    "nearest_given",
    "neighbor_graph",
    "object_edges",
    "stored_graph",
]
