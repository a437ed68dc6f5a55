"""Sparse codes by orthogonal matching pursuit (Pati, Rezaiifar & Krishnaprasad, 1993).

Signals and atoms are rows: min |z_i - x_i D|^2 s.t. |x_i|_0 <= T, greedily, for unit atoms D (K, p). All
that the pursuit needs are G = D D^T and Z D^T (batch OMP; Rubinstein, Zibulevsky & Elad, 2008).
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trigpoint._kernels import run_blocks, serial_blas
from trigpoint._kernels.dictionary_omp import pursue
from trigpoint._types import Array, Floats, Ints, Sparse

SIGNALS = 64  # that one thread takes at a time


@dataclass(frozen=True, eq=False)
class Codes:
    """Codes of n signals in K atoms, T coefficients each at most.

    Attributes
    ----------
    indices : (n, T) int32, atoms in order of choice; 0 where there are fewer than T
    values : (n, T) float64, their coefficients; 0 where there are fewer
    counts : (n,) int64, how many there are
    n_atoms : K
    """

    indices: Array
    values: Floats
    counts: Ints
    n_atoms: int

    def matrix(self) -> Sparse:
        """X, a (n, K) csr_array; coefficients that are 0 are left out."""
        n, width = self.indices.shape
        there = (np.arange(width) < self.counts[:, None]) & (self.values != 0.0)
        indptr = np.concatenate([[0], there.sum(axis=1).cumsum()])
        if indptr[-1] < 2**31:
            indptr = indptr.astype(np.int32)  # scikit-learn's support vector machines take no other
        X = sparse.csr_array((self.values[there], self.indices[there], indptr), shape=(n, self.n_atoms))
        X.sort_indices()
        return X

    def usage(self) -> Ints:
        """How many signals each atom is used by, (K,)."""
        there = (np.arange(self.indices.shape[1]) < self.counts[:, None]) & (self.values != 0.0)
        return np.bincount(self.indices[there], minlength=self.n_atoms).astype(np.int64)


def sparse_codes(Z: Floats, D: Floats, sparsity: int) -> Codes:
    """Codes of signals in unit atoms.

    Parameters
    ----------
    Z : (n, p) float64, signals
    D : (K, p) float64, atoms of length one; rows of zeros are never chosen
    sparsity : T, at least 1; more than K or p of them are never needed

    Returns
    -------
    Codes
    """
    n, n_atoms = len(Z), len(D)
    width = min(sparsity, *D.shape)
    indices, values = np.empty((n, width), dtype=np.int32), np.empty((n, width))
    counts = np.empty(n, dtype=np.int64)
    with serial_blas():
        gram = D @ D.T
        norms = np.sqrt(np.einsum("ij,ij->i", Z, Z))

        def work(start: int, stop: int) -> None:
            rows = slice(start, stop)
            pursue(gram, Z[rows] @ D.T, norms[rows], indices[rows], values[rows], counts[rows])

        run_blocks(work, n, SIGNALS)
    return Codes(indices, values, counts, n_atoms)
