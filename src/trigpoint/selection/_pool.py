"""What a selector chooses from: one record, so that every method has one signature.

    method(pool, n_landmarks, rng, *, its own options) -> (n_landmarks,) int64, in order of choice

The front door has checked everything in it, and that X and the graph are there where a method needs them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Floats, Ints, Sparse

ROUNDING = 1e-9  # of a degree: what the row of a Laplacian may sum to


@dataclass(frozen=True, eq=False)
class Pool:
    """phi, and what else is known of the samples.

    Attributes
    ----------
    phi : (n, n) alignment matrix, canonical float64 `csr_array` or dense float64 array
    X : (n, p) features, float32 or float64, dense or `csr_array`; or None
    graph : NeighborGraph; or None
    initial : (m,) int64, the samples that are labeled already: never to be chosen
    sample_weight : (n,) how much each sample counts, of mean 1; None where all count the same
    """

    phi: Any
    X: Any
    graph: Any
    initial: Ints
    sample_weight: Floats | None = None

    @property
    def n(self) -> int:
        return int(self.phi.shape[0])

    def free(self) -> Array:
        """(n,) bool: the samples that may be chosen."""
        free = np.ones(self.n, dtype=bool)
        free[self.initial] = False
        return free

    def laplacian(self) -> Sparse:
        """phi if it is a Laplacian; else the Laplacian whose weights are |phi_ij|. phi is sparse."""
        phi, ones = self.phi, np.ones(self.n)
        diagonal = phi.diagonal()
        no_positive_weight = np.count_nonzero(phi.data > 0) == np.count_nonzero(diagonal > 0)
        if no_positive_weight and (np.abs(phi @ ones) <= ROUNDING * diagonal).all():
            return phi
        off = -abs(phi)
        off.setdiag(0.0)
        return sparse.csr_array(off - sparse.diags_array(off @ ones))
