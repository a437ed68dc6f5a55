"""A pool as a graph of cells, each around one of its samples.

A sample belongs to the center c that tells most of it, argmax_c S_cj, the first of equals; where no center
reaches it, to none. With P the (n, m) indicator of cells, the Laplacian of cells has the weights
P^T W P between them and R is P^T R P: a rate alpha means on cells what it means on samples, as far as the
values in a cell agree.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trigpoint._types import Floats, Ints, Sparse
from trigpoint.selection._resolvent import in_units


@dataclass(frozen=True, eq=False)
class Cells:
    """m cells.

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


def cells(phi: Sparse, S: Sparse, centers: Ints) -> Cells:
    """The cells around some samples; phi a Laplacian, row i of S what i tells of the others."""
    n, m = phi.shape[0], len(centers)
    owner, nearness = owners(S, centers)
    there = np.flatnonzero(owner >= 0)
    P = sparse.csr_array((np.ones(len(there)), (there, owner[there])), shape=(n, m))
    L, R = in_units(phi)
    A = (P.T @ L @ P).toarray()
    A.flat[:: m + 1] = 0.0
    A.flat[:: m + 1] = -A.sum(axis=1)
    sizes = np.bincount(owner[there], minlength=m).astype(np.float64)
    return Cells(centers, A, P.T @ R, sizes, owner, nearness)


def owners(S: Sparse, centers: Ints) -> tuple[Ints, Floats]:
    """The number of the center that each sample belongs to, -1 for none; and what it tells of the sample."""
    best, owner = np.zeros(S.shape[0], dtype=S.dtype), np.full(S.shape[0], -1, dtype=np.int64)
    for number, i in enumerate(centers):
        row = slice(S.indptr[i], S.indptr[i + 1])
        nearer = S.data[row] > best[S.indices[row]]
        samples = S.indices[row][nearer]
        best[samples], owner[samples] = S.data[row][nearer], number
    owner[centers], best[centers] = np.arange(len(centers)), 1.0
    return owner, best
