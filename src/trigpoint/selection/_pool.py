"""What a selector chooses from: one record, so that every method has one signature.

    method(pool, n_landmarks, rng, *, its own options) -> (n_landmarks,) int64, in order of choice

The front door has checked everything in it, and that X and the graph are there where a method needs them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Ints, Sparse
from trigpoint.alignment import laplacian


@dataclass(frozen=True, eq=False)
class Pool:
    """phi, and what else is known of the samples.

    Attributes
    ----------
    phi : (n, n) alignment matrix, canonical float64 `csr_array` or dense float64 array
    X : (n, p) features, float32 or float64, dense or `csr_array`; or None
    graph : NeighborGraph; or None
    initial : (m,) int64, the samples that are labeled already: never to be chosen
    method : the name under which the user asked for the selector
    """

    phi: Any
    X: Any
    graph: Any
    initial: Ints
    method: str

    @property
    def n(self) -> int:
        return int(self.phi.shape[0])

    def free(self) -> Array:
        """(n,) bool: the samples that may be chosen."""
        free = np.ones(self.n, dtype=bool)
        free[self.initial] = False
        return free

    def laplacian(self) -> Sparse:
        """The Laplacian of the graph; where there is none, the one whose weights are |phi_ij|."""
        if self.graph is not None:
            return laplacian(self.graph)
        if not sparse.issparse(self.phi):
            raise InputError("graph", f"must be given for method={self.method!r} where phi is dense", "None")
        off = -abs(self.phi)
        off.setdiag(0.0)
        degrees = -(off @ np.ones(self.n))
        return sparse.csr_array(off + sparse.diags_array(degrees))
