"""Spectral propagation (Zhang, Zha & Zhang, 2008).

Coordinates Y minimize tr(Y^T phi Y) + gamma tr(Y_L^T G Y_L) under Y^T Y = I, where G = I - Q Q^T
is the projector with null space span[1, Z_L]: at the landmarks, Y shall be an affine function of
the values, but its shape elsewhere is the manifold's. They are the eigenvectors beside the
constant of least eigenvalue of

    M = phi + gamma S_L G S_L^T = (phi + gamma E) - gamma (S_L Q) (S_L Q)^T,

a sparse matrix less one of rank d + 1. Then values z = Y A + b, with A, b by least squares on the
landmarks, with a ridge on A relative to the mean square of their coordinates. Where phi annihilates
s instead of the constant, M is built in the variable s * Y.
"""

from typing import Any

import numpy as np
from scipy import linalg, sparse

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import check_integer, check_number, check_rng
from trigpoint.propagation._eigen import Eigenpairs, Quadratic, smallest_eigenvectors
from trigpoint.propagation._null_vector import Trivial, trivial_vectors
from trigpoint.propagation._reach import Reach
from trigpoint.propagation._solver import Outcome

RIDGE = 1e-9


def spectral(
    phi: Sparse,
    landmarks: Ints,
    values: Floats,
    found: Reach,
    gamma: float | None,
    n_components: int | None,
    ridge: float | None,
    random_state: Any,
) -> tuple[Floats, Outcome]:
    """z of shape (n, d), NaN where no landmark reaches, and how the eigenvectors were found."""
    ridge = RIDGE if ridge is None else check_number(ridge, "ridge", 0.0)
    pairs, s = labelled_eigenvectors(phi, landmarks, values, found, gamma, n_components, random_state)
    Y = np.full((phi.shape[0], pairs.vectors.shape[1]), np.nan)
    Y[found.reached] = pairs.vectors / s[:, None]
    z = _affine(Y[landmarks], values, Y, ridge)
    return z, Outcome(pairs.vectors, pairs.solver, pairs.iterations, pairs.residual)


def labelled_eigenvectors(
    phi: Sparse,
    landmarks: Ints,
    values: Floats,
    found: Reach,
    gamma: float | None,
    n_components: int | None,
    random_state: Any,
) -> tuple[Eigenpairs, Floats]:
    """Eigenvectors of M on the reached samples, and s there."""
    keep = np.flatnonzero(found.reached)
    k = values.shape[1] if n_components is None else n_components
    most = min(len(landmarks), len(keep)) - 1
    if most < 1:
        raise InputError("landmarks", "must be at least 2 for method='spectral'", len(landmarks))
    told = " (by default the number of value columns)" if n_components is None else ""
    k = check_integer(
        k, f"n_components{told}", 1, most, f" for {len(landmarks)} landmarks, {len(keep)} samples"
    )
    part = phi if found.complete else phi[keep][:, keep]
    weight = float(np.abs(part.diagonal()).mean()) or 1.0 if gamma is None else gamma
    weight = check_number(weight, "gamma", 0.0, strict=True)
    trivial = trivial_vectors(part, found.labels[keep])
    s = np.ones(len(keep)) if trivial is None else trivial.s
    where = np.searchsorted(keep, landmarks)
    M = _label_form(part, where, s[where, None] * np.column_stack([np.ones(len(where)), values]), weight)
    whole = None if trivial is None else Trivial(s, np.zeros(len(s), dtype=np.int64))
    return smallest_eigenvectors(M, k, whole, check_rng(random_state)), s


def _label_form(phi: Sparse, landmarks: Ints, span: Floats, gamma: float) -> Quadratic:
    """M for landmarks whose coordinates shall lie in the columns of ``span``, (l, d + 1)."""
    n = phi.shape[0]
    U, size, _ = linalg.svd(
        span / np.linalg.norm(span, axis=0).clip(np.finfo(float).tiny), full_matrices=False
    )
    Q = U[:, size > 1e-10 * size[0]]
    V = np.zeros((n, Q.shape[1]))
    V[landmarks] = Q
    pull = np.zeros(n)
    pull[landmarks] = gamma
    S = sparse.csr_array(phi + sparse.diags_array(pull)) if sparse.issparse(phi) else phi + np.diag(pull)
    return Quadratic(S, V, gamma)


def _affine(Y: Floats, Z: Floats, Y_all: Floats, ridge: float) -> Floats:
    """The affine map Y -> Z, fitted with a ridge, applied to Y_all."""
    center, mean = Y.mean(axis=0), Z.mean(axis=0)
    centered = Y - center
    gram = centered.T @ centered
    gram += ridge * max(float(np.trace(gram)) / len(gram), np.finfo(float).tiny) * np.eye(len(gram))
    slope = np.linalg.lstsq(gram, centered.T @ (Z - mean), rcond=None)[0]
    return np.asarray((Y_all - center) @ slope + mean)
