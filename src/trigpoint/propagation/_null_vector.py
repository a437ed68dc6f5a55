"""The positive vector that phi annihilates: 1 for most, sqrt(degrees) for a normalized Laplacian.

Propagation takes place in the variable u = s * z with phi s = 0, so that a constant z costs
nothing. A symmetric-normalized Laplacian I - D^-1/2 W D^-1/2 is known by its unit diagonal (zero
on isolated rows), entries <= 0 beside it, and phi 1 != 0. Its s is found by one solve: fix one
sample k of each component, and phi_rr s_r = -phi_rk for the others. What comes out counts only
if it is positive and phi s = 0; else phi is taken as it stands, with s = 1.
"""

import numpy as np
from scipy.sparse import issparse

from trigpoint._types import Array, Floats, Sparse
from trigpoint.propagation._solver import Solver
from trigpoint.propagation._structure import NULL, is_laplacian_like


def null_vector(phi: Sparse, labels: Array) -> Floats | None:
    """s of mean square 1 in each component, or None where s = 1 will do."""
    if not _looks_normalized(phi):
        return None
    s = _grounded_solution(phi, labels)
    if s is None or s.min() <= 0.0 or np.abs(phi @ s).max() > NULL * s.max():
        return None
    return normalized(s, labels)


def normalized(s: Floats, labels: Array) -> Floats:
    """s of mean square 1 in each component."""
    square = np.bincount(labels, weights=s**2) / np.bincount(labels)
    return np.asarray(s / np.sqrt(square[labels]))


def _looks_normalized(phi: Sparse) -> bool:
    diagonal = phi.diagonal()
    unit = np.abs(diagonal - 1.0) <= NULL
    if not np.all(unit | (diagonal == 0.0)) or np.abs(phi @ np.ones(len(diagonal))).max() <= NULL:
        return False
    if issparse(phi):
        return is_laplacian_like(phi)
    return bool(np.all((phi <= 0.0) | np.eye(len(phi), dtype=bool)))


def _grounded_solution(phi: Sparse, labels: Array) -> Floats | None:
    s = np.ones(phi.shape[0])
    count = np.diff(phi.indptr) if issparse(phi) else np.count_nonzero(phi, axis=1)
    by_size = np.lexsort((-count, labels))  # the busiest sample of each component first
    ground = by_size[np.unique(labels[by_size], return_index=True)[1]]
    rest = np.delete(np.arange(len(s)), ground)
    if len(rest) == 0:
        return None
    rows = phi[rest]
    rhs = -(rows[:, ground] @ np.ones((len(ground), 1)))
    try:
        s[rest] = Solver(rows[:, rest]).solve(rhs, tol=1e-12).X[:, 0]
    except ValueError:
        return None  # singular: some component has more null vectors than one
    return s
