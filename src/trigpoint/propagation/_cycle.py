"""One cycle of multigrid as an operator: nearly the inverse of a matrix with the signs of a Laplacian.

It is symmetric and positive definite up to the rounding of single precision, so it may stand in a
preconditioner. Columns are scaled by their largest entries, since single precision ends at 1e-38.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trigpoint._kernels import compiled_csr
from trigpoint._types import Floats, Sparse
from trigpoint.propagation._hierarchy import Hierarchy, hierarchy
from trigpoint.propagation._multigrid import System, cycle


@dataclass(frozen=True, eq=False)
class Cycle:
    """The levels of a matrix, and its unit, the median of its diagonal."""

    levels: Hierarchy
    unit: float
    held: Floats  # (n, 1): 0 for rows that were empty, 1 for others

    def solve(self, R: Floats) -> Floats:
        """About A^-1 R, (n, c)."""
        order, size = self.levels.order, np.abs(R).max(axis=0, initial=0.0)
        size = np.where(size > 0.0, size, 1.0)
        found = cycle(System(self.levels, compiled_csr(self.levels.A), None), (R * (self.held / size))[order])
        X = np.empty_like(R)
        X[order] = found * (size / self.unit)
        return X * self.held


def cycle_of(A: Sparse) -> Cycle:
    """A symmetric, off its diagonal <= 0, rows that sum to 0 or more; empty rows stay 0."""
    diagonal = A.diagonal()
    held = diagonal > 0
    unit = float(np.median(diagonal[held])) if held.any() else 1.0
    if not held.all():
        A = sparse.csr_array(A + sparse.diags_array(np.where(held, 0.0, unit)))
    return Cycle(hierarchy(A), float(np.median(A.diagonal())), held.astype(np.float64)[:, None])
