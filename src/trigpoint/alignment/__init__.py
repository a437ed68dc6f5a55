"""NeighborGraph (+ X) -> the alignment matrix phi; one method a file, its maths on top."""

from trigpoint.alignment._diffusion import diffusion
from trigpoint.alignment._isomap import isomap
from trigpoint.alignment._laplacian import degrees, laplacian
from trigpoint.alignment._lle import lle
from trigpoint.alignment._ltsa import ltsa

__all__ = ["degrees", "diffusion", "isomap", "laplacian", "lle", "ltsa"]
