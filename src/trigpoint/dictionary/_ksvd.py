"""K-SVD (Aharon, Elad & Bruckstein, 2006): min |Z - X D|^2 s.t. |x_i|_0 <= T, |d_k| = 1.

An iteration codes all signals anew by orthogonal matching pursuit, then sweeps over the atoms, each with its
coefficients replaced by the best pair there is (see `_dictionary_atoms`). The sweep cannot raise the
objective; the pursuit, being greedy, can. The residual is formed once an iteration, then kept in step.
"""

from dataclasses import dataclass

import numpy as np

from trigpoint._kernels import serial_blas
from trigpoint._kernels.dictionary_atoms import residual, update_atoms, users
from trigpoint._types import Array, Floats, Ints
from trigpoint.dictionary._codes import Codes, sparse_codes

ATOMS = 4  # updated in one call: Ctrl-C waits for no more
EXACT = 1e-20  # of the signals' energy: nothing is left to learn


@dataclass(frozen=True, eq=False)
class KSVD:
    """What iterations of K-SVD have led to.

    Attributes
    ----------
    D : (K, p) float64, atoms of length one
    codes : Codes, of the signals, as the last sweep left them
    errors : (n_iter, p) float64, sum of squared residuals of each feature after each iteration
    replaced : (n_iter,) int64, unused atoms that were replaced
    converged : whether it stopped by itself
    """

    D: Floats
    codes: Codes
    errors: Floats
    replaced: Ints
    converged: bool


def ksvd(
    Z: Floats,
    D: Floats,
    sparsity: int,
    n_iterations: int,
    *,
    tol: float = 0.0,
    labels: Ints | None = None,
    atom_classes: Ints | None = None,
) -> KSVD:
    """Fit atoms to signals.

    Parameters
    ----------
    Z : (n, p) float64, signals
    D : (K, p) float64, first atoms, of length one; not changed
    sparsity : T, at least 1
    n_iterations : at least 1
    tol : stop when an iteration changes the objective by no more than this share of it
    labels, atom_classes : (n,) and (K,) int64, optional
        Unused atoms are replaced by signals of their own class; all are of one by default.

    Returns
    -------
    KSVD
    """
    Z, D = np.ascontiguousarray(Z), np.array(D, order="C")
    labels = np.zeros(len(Z), dtype=np.int64) if labels is None else labels
    atom_classes = np.zeros(len(D), dtype=np.int64) if atom_classes is None else atom_classes
    R = np.empty_like(Z)
    errors: list[Floats] = []
    replaced: list[int] = []
    before, least = np.inf, EXACT * float(np.sum(Z * Z))
    converged = False
    with serial_blas():
        while len(errors) < n_iterations and not converged:
            codes = sparse_codes(Z, D, sparsity)
            residual(Z, D, codes.indices, codes.values, codes.counts, R)
            replaced.append(_sweep(Z, R, D, codes, atom_classes, labels))
            errors.append(np.einsum("ij,ij->j", R, R))
            now = float(errors[-1].sum())
            converged = now <= least or abs(before - now) <= tol * now
            before = now
    return KSVD(D, codes, np.array(errors), np.array(replaced, dtype=np.int64), converged)


def _sweep(Z: Floats, R: Floats, D: Floats, codes: Codes, atom_classes: Ints, labels: Ints) -> int:
    """All atoms in order: D, the values of the codes and R change; how many atoms were replaced."""
    ends = np.empty(len(D) + 1, dtype=np.int64)
    where = np.empty(codes.indices.size, dtype=np.int64)
    users(codes.indices, codes.counts, ends, where)
    taken: Array = np.zeros(len(Z), dtype=np.bool_)
    return sum(
        update_atoms(
            Z, R, D, codes.values, ends, where, atom_classes, labels, taken, start, min(start + ATOMS, len(D))
        )
        for start in range(0, len(D), ATOMS)
    )
