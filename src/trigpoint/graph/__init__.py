"""X or an edge list -> NeighborGraph."""

from trigpoint.graph._record import NeighborGraph

__all__ = ["NeighborGraph"]
