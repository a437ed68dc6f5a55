"""The positive vector that phi annihilates: 1 for most, sqrt(degrees) for a normalized Laplacian.

Propagation takes place in the variable u = s * z with phi s = 0, so that a constant z costs
nothing. A symmetric-normalized Laplacian I - D^-1/2 W D^-1/2 is known by its unit diagonal (zero
on isolated rows), entries <= 0 beside it, and phi 1 != 0. Its s is found by one solve: fix one
sample k of each component, and phi_rr s_r = -phi_rk for the others. What comes out counts only
if it is positive and phi s = 0; else phi is taken as it stands, with s = 1.

Eigenvectors of phi that say nothing about the manifold: with s its null vector, each component c of the
graph has the eigenvector s_c: s on c and 0 elsewhere, all to one eigenvalue. Their span T is known
exactly, so it is projected out of the eigenvalue problem rather than recognized in its answer,
where a Lanczos process would give an arbitrary mixture and may miss copies.
"""

from dataclasses import dataclass

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


@dataclass(frozen=True, eq=False)
class Trivial:
    """span of s restricted to the groups of ``labels``."""

    s: Floats
    labels: Array

    @property
    def squares(self) -> Floats:
        """||s_c||^2 of each group."""
        return np.bincount(self.labels, weights=self.s**2).astype(np.float64, copy=False)

    def project(self, x: Floats) -> Floats:
        """x without its part in the span."""
        share = np.bincount(self.labels, weights=self.s * x) / self.squares
        return x - self.s * share[self.labels]

    def projector(self) -> Floats:
        """The dense projector onto the span, for small n."""
        same = self.labels[:, None] == self.labels
        return np.asarray(same * np.outer(self.s, self.s / self.squares[self.labels]))

    def contrasts(self, n_columns: int) -> Floats:
        """Orthonormal vectors of the span, orthogonal to s itself, largest components first.

        Column j is s times a constant on the j + 1 largest groups, times another on the next
        largest, and 0 on the others.
        """
        squares = self.squares
        largest = np.argsort(-squares, kind="stable")
        level = np.zeros((len(squares), n_columns))  # of z = x / s, by group
        total = squares[largest[0]]
        for j in range(n_columns):
            group = largest[j + 1]
            level[largest[: j + 1], j] = 1.0
            level[group, j] = -total / squares[group]
            level[:, j] /= np.sqrt(total + total**2 / squares[group])
            total += squares[group]
        return self.s[:, None] * level[self.labels]


def trivial_vectors(phi: Sparse, labels: Array) -> Trivial | None:
    """The known eigenvectors of phi by component, or None where s is no eigenvector at all."""
    found = null_vector(phi, labels)
    s = np.ones(phi.shape[0]) if found is None else found
    eigenvalue = phi @ s / s
    if np.ptp(eigenvalue) > NULL * max(float(np.abs(phi.diagonal()).max()), np.finfo(float).tiny):
        return None
    return Trivial(s, labels)
