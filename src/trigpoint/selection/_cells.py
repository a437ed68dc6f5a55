"""A pool as a graph of cells, each around one of its samples.

A sample belongs to the center c that tells most of it, argmax_c S_cj, the first of equals. S is sparse, and
where it reaches no center, the sample belongs to the one that is nearest along the graph, an edge of weight w
being 1 / w long; where no path leads to a center, to none. With P the (n, m) indicator of cells, the
Laplacian of cells has the weights P^T W P between them and R is P^T R P: a rate alpha means on cells what it
means on samples, as far as the values in a cell agree.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

from trigpoint._types import Floats, Ints, Sparse
from trigpoint.selection._resolvent import in_units


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a pool: groups of samples with a center each.

    Attributes
    ----------
    centers : (m,) int64, samples
    A : (m, m) float64, their Laplacian
    R : (m,) float64
    sizes : (m,) float64, samples in each
    owner : (n,) int64, the cell of each sample, -1 for none
    nearness : (n,) float32, what its center tells of it
    """

    centers: Ints
    A: Floats
    R: Floats
    sizes: Floats
    owner: Ints
    nearness: Floats

    def total(self, sample_weight: Floats | None) -> Floats:
        """(m,) what the samples of each cell count together."""
        if sample_weight is None:
            return self.sizes
        held = self.owner >= 0
        found = np.bincount(self.owner[held], sample_weight[held], len(self.centers))
        return np.asarray(found, dtype=np.float64)


def cells(phi: Sparse, S: Sparse, centers: Ints) -> Cells:
    """The cells around some samples; phi a Laplacian, row i of S what i tells of the others."""
    n, m = phi.shape[0], len(centers)
    owner, nearness = owners(phi, S, centers)
    there = np.flatnonzero(owner >= 0)
    P = sparse.csr_array((np.ones(len(there)), (there, owner[there])), shape=(n, m))
    L, R = in_units(phi)
    A = (P.T @ L @ P).toarray()
    A.flat[:: m + 1] = 0.0
    A.flat[:: m + 1] = -A.sum(axis=1)
    sizes = np.bincount(owner[there], minlength=m).astype(np.float64)
    return Cells(centers, A, P.T @ R, sizes, owner, nearness)


def owners(phi: Sparse, S: Sparse, centers: Ints) -> tuple[Ints, Floats]:
    """The number of the center that each sample belongs to, -1 for none; and what it tells of the sample."""
    best, owner = np.zeros(S.shape[0], dtype=S.dtype), np.full(S.shape[0], -1, dtype=np.int64)
    for number, i in enumerate(centers):
        row = slice(S.indptr[i], S.indptr[i + 1])
        nearer = S.data[row] > best[S.indices[row]]
        samples = S.indices[row][nearer]
        best[samples], owner[samples] = S.data[row][nearer], number
    owner[centers], best[centers] = np.arange(len(centers)), 1.0
    far = np.flatnonzero(owner < 0)
    if len(far):
        owner[far] = _nearest(phi, centers)[far]
    return owner, best


def _nearest(phi: Sparse, centers: Ints) -> Ints:
    """The number of the center nearest to each sample along the graph; -1 where no path leads to one."""
    lengths = -phi
    lengths.setdiag(0.0)
    lengths.eliminate_zeros()
    lengths.data = 1.0 / lengths.data
    gap, _, source = dijkstra(lengths, indices=centers, min_only=True, return_predecessors=True)
    number = np.full(phi.shape[0], -1, dtype=np.int64)
    number[centers] = np.arange(len(centers))
    return np.where(np.isfinite(gap), number[np.maximum(source, 0)], -1)
