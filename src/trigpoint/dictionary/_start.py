"""Where label consistent K-SVD starts: atoms class by class, and maps from codes to labels by ridges.

Class c gets K_c atoms. They are drawn from its samples and fitted to them by plain K-SVD, and D_0 holds those
of all classes. With codes X_0 of all samples in D_0, a map to targets H is

    W_0 = argmin |H - X W|^2 + |W|^2 = (X^T X + I)^-1 X^T H.
"""

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from trigpoint._types import Floats, Ints
from trigpoint.dictionary._codes import Codes
from trigpoint.dictionary._ksvd import ksvd


def shares(n_atoms: int, counts: Ints) -> Ints:
    """K_c: equal shares of ``n_atoms``, none above ``counts``; what a class cannot fill goes to the others.

    What is left over in the end goes to the first classes, one atom each.
    """
    atoms = np.zeros_like(counts)
    left = min(n_atoms, int(counts.sum()))
    while left > 0:
        wanting = np.flatnonzero(atoms < counts)
        equal = left // len(wanting)
        more = np.minimum(equal, counts[wanting] - atoms[wanting]) if equal else 1
        atoms[wanting if equal else wanting[:left]] += more
        left = min(n_atoms, int(counts.sum())) - int(atoms.sum())
    return atoms


def first_atoms(
    Y: Floats,
    labels: Ints,
    n_per_class: Ints,
    sparsity: int,
    n_iterations: int,
    rng: np.random.Generator,
) -> tuple[Floats, Ints]:
    """D_0 (K, p) of unit rows, class by class, and the classes of its atoms (K,)."""
    parts = []
    for c, n_atoms in enumerate(n_per_class):
        own = Y[labels == c]
        lengths = np.sqrt(np.einsum("ij,ij->i", own, own))
        drawn = rng.permutation(np.flatnonzero(lengths > 0))[:n_atoms]
        D = own[drawn] / lengths[drawn, None]
        if len(D) < n_atoms:  # samples of zeros give no atom
            spare = rng.standard_normal((n_atoms - len(D), Y.shape[1]))
            D = np.vstack([D, spare / np.linalg.norm(spare, axis=1, keepdims=True)])
        parts.append(ksvd(own, D, sparsity, n_iterations).D if n_iterations else D)
    return np.vstack(parts), np.repeat(np.arange(len(n_per_class)), n_per_class)


def ridge(codes: Codes, targets: Floats) -> Floats:
    """(X^T X + I)^-1 X^T H for targets H (n, c); (K, c)."""
    X = codes.matrix()
    normal = (X.T @ X).toarray() + np.eye(codes.n_atoms)
    return np.asarray(cho_solve(cho_factor(normal), X.T @ targets))
