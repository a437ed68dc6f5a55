"""What a selector chooses from: one record, so that every method has one signature.

    method(pool, n_landmarks, rng, *, its own options) -> (n_landmarks,) int64, in order of choice

The front door has checked everything in it; a method says what it cannot do without.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Ints, Sparse
from trigpoint.alignment import laplacian
from trigpoint.graph import NeighborGraph


@dataclass(frozen=True, eq=False)
class Pool:
    """phi, and what else is known of the samples.

    Attributes
    ----------
    phi : (n, n) alignment matrix, canonical float64 `csr_array` or dense float64 array
    X : (n, p) features, float32 or float64, dense or `csr_array`; or None
    graph : the neighbor graph; or None
    initial : (m,) int64, the samples that are labeled already: never to be chosen
    method : the name under which the user asked for the selector
    """

    phi: Any
    X: Any
    graph: NeighborGraph | None
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

    def features(self, purpose: str = "") -> Any:
        """X, which the method needs; ``purpose`` names the option that makes it so."""
        if self.X is None:
            raise InputError("X", f"must be given for method={self.method!r}{purpose}", "None")
        return self.X

    def neighbor_graph(self, purpose: str = "") -> NeighborGraph:
        """The graph, in the same way."""
        if self.graph is None:
            raise InputError("graph", f"must be given for method={self.method!r}{purpose}", "None")
        return self.graph

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
