"""NeighborGraph (+ X) -> the alignment matrix phi; one method a file, its maths on top."""

from trigpoint.alignment._diffusion import diffusion
from trigpoint.alignment._isomap import isomap
from trigpoint.alignment._laplacian import degrees, laplacian
from trigpoint.alignment._lle import lle, shortest_weights
from trigpoint.alignment._ltsa import ltsa
from trigpoint.alignment._weights import edge_weights, local_scales

__all__ = [
    "degrees",
    "diffusion",
    "edge_weights",
    "isomap",
    "laplacian",
    "lle",
    "local_scales",
    "ltsa",
    "shortest_weights",
]
