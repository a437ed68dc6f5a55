"""The eigenvectors of phi that say nothing about the manifold.

With s the null vector of phi (1, or sqrt(degrees) where phi is normalized), each component c of the
graph has the eigenvector s_c: s on c and 0 elsewhere, all to one eigenvalue. Their span T is known
exactly, so it is projected out of the eigenvalue problem rather than recognized in its answer,
where a Lanczos process would give an arbitrary mixture and may miss copies.
"""

from dataclasses import dataclass

import numpy as np

from trigpoint._types import Array, Floats, Sparse
from trigpoint.propagation._null_vector import null_vector
from trigpoint.propagation._structure import NULL


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
