"""Labels spread on a graph, and what each labeled sample would get without its own label.

With D = diag(phi), A = phi + LEAK D, K = A^-1 (or A^-1 D A^-1, which is smoother) and y the values at the
landmarks L,

    S = (K_LL)^-1,     z = K_.L S y,     z_i without its label = y_i - (S y)_i / S_ii.

With A^-1 this is least squares on phi with a leak: z_U = -A_UU^-1 A_UL y, S = A_LL - A_LU A_UU^-1 A_UL. The
leak draws values to 0 far from labels. It makes them better, and A so well conditioned that conjugate
gradients take a hundred steps. K_.L has one column a landmark. Whoever asks again and again, in a small pool,
keeps the whole of A^-1, which does not depend on labels. If the columns would be too many numbers, z is
solved for, and the diagonal of B = A_LU A_UU^-1 A_UL, which S needs, is the mean of v (B v) over `PROBES`
random columns v of +-1. The smoother K is not possible then.

Noisy values only pull: with R = diag(noise), S = (K_LL + R)^-1, and the rest stays. If K = A^-1 and B = R^-1
at the landmarks, z = (A + B)^-1 B y and S_ii = B_ii (1 - h_i), h = diag((A + B)^-1) B, again by probes.

Without D, the smoother K would be led by samples of large degree: next to a labeled sample that has a copy,
values would be hundreds of times the label. Copies with labels of their own make K_LL nearly singular. If
rounding makes it indefinite, a little of its mean diagonal is added.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpotrf, dpotri
from scipy.sparse import csr_array, diags_array, issparse

from trigpoint._kernels import serial_blas
from trigpoint._types import Floats, Ints
from trigpoint.propagation import Solver

LEAK = 1e-3
WHOLE = 2000  # samples up to which the whole inverse is made
COLUMNS = 4_000_000  # numbers in one column a landmark, at most
PROBES = 32
TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class Spread:
    """What labels say.

    Attributes
    ----------
    values : (n, d) of all samples
    left_out : (l, d) of the labeled samples, each without its own label
    precision : (l,) the diagonal of S, for phi in units of its median degree
    """

    values: Floats
    left_out: Floats
    precision: Floats


def typical_degree(phi: Any) -> float:
    """The median of the positive ones; 1 where none is."""
    degrees = np.asarray(phi.diagonal(), dtype=np.float64)
    positive = degrees[degrees > 0]
    return float(np.median(positive)) if len(positive) else 1.0


def relative_degrees(phi: Any) -> Floats:
    """(n,) D in units of the median degree; samples without an edge have 1."""
    degrees = np.asarray(phi.diagonal(), dtype=np.float64)
    return np.where(degrees > 0, degrees / typical_degree(phi), 1.0)


def leaky(phi: Any) -> Any:
    """A in units of the median degree; samples without an edge have 1 on the diagonal."""
    degrees, typical = np.asarray(phi.diagonal(), dtype=np.float64), typical_degree(phi)
    more = np.where(degrees > 0, LEAK * degrees / typical, 1.0)
    if issparse(phi):
        scaled = csr_array((phi.data / typical, phi.indices, phi.indptr), shape=phi.shape)
        return csr_array(scaled + diags_array(more))
    A = np.array(phi, dtype=np.float64) / typical
    A.flat[:: len(A) + 1] += more
    return A


def inverse(phi: Any) -> Floats | None:
    """A^-1 of a small pool, or of a dense phi; None of a large one."""
    if issparse(phi) and phi.shape[0] > WHOLE:
        return None
    A = leaky(phi)
    return _inverse(A.toarray() if issparse(A) else A)


def _inverse(A: Floats) -> Floats:
    """Of a symmetric positive definite A, with the same bits on any number of threads."""
    with serial_blas():
        factor, failed = dpotrf(A, lower=1, clean=0)
        if failed:
            raise np.linalg.LinAlgError("phi must be positive semidefinite")
        C, _ = dpotri(factor, lower=1)
    return np.asarray(np.tril(C) + np.tril(C, -1).T)


def possible(phi: Any, n_landmarks: int, most: float) -> bool:
    """Whether one column of K a landmark is affordable, with so many numbers at most."""
    n = phi.shape[0]
    return not issparse(phi) or n <= WHOLE or n * n_landmarks <= most


def smooth_possible(phi: Any, n_landmarks: int) -> bool:
    """Whether values can be spread with order 2."""
    return possible(phi, n_landmarks, COLUMNS)


def spread(
    phi: Any,
    landmarks: Ints,
    y: Floats,
    C: Floats | None = None,
    order: int = 1,
    noise: Floats | None = None,
) -> Spread:
    """Values of all samples; those at the landmarks are kept, unless they are noisy.

    C is A^-1 where it is known. Of order 2, K is A^-1 D A^-1. ``noise`` is (l,) the diagonal of R, positive.
    """
    if C is None and order == 1 and not possible(phi, len(landmarks), COLUMNS / 10):
        A = leaky(phi)
        return _estimated(A, landmarks, y) if noise is None else _pulled(A, landmarks, y, noise)
    K = _columns(phi, landmarks, order) if C is None else C[:, landmarks]
    with serial_blas():
        K = C @ (relative_degrees(phi)[:, None] * K) if C is not None and order == 2 else K
        S = _precision(K[landmarks] if noise is None else K[landmarks] + np.diag(noise))
        pull = S @ y
        values = K @ pull
    if noise is None:
        values[landmarks] = y
    return Spread(values, y - pull / S.diagonal()[:, None], S.diagonal())


def _precision(K: Floats) -> Floats:
    """K^-1; of a K that rounding makes indefinite, with as little added as makes it definite."""
    unit = float(K.diagonal().mean()) * np.eye(len(K))
    for share in (0.0, *TOLERANCE * 10.0 ** np.arange(6)):
        try:
            return _inverse(K + share * unit)
        except np.linalg.LinAlgError:
            continue
    return _inverse(K + unit)


def _columns(phi: Any, landmarks: Ints, order: int) -> Floats:
    """Columns of K."""
    A, K = leaky(phi), np.zeros((phi.shape[0], len(landmarks)))
    K[landmarks, np.arange(len(landmarks))] = 1.0
    if not issparse(A) or len(K) <= WHOLE:
        with serial_blas():
            factor = cho_factor(A.toarray() if issparse(A) else A, lower=True, overwrite_a=True)
            K = cho_solve(factor, K)
            if order == 2:
                K = cho_solve(factor, relative_degrees(phi)[:, None] * K)
        return np.asarray(K)
    K = _solve(A, K)
    return _solve(A, relative_degrees(phi)[:, None] * K) if order == 2 else K


def _solve(A: Any, B: Floats) -> Floats:
    return Solver(A).solve(B, tol=TOLERANCE, method="jacobi_cg").X


def _estimated(A: Any, landmarks: Ints, y: Floats) -> Spread:
    known = np.zeros(A.shape[0], dtype=bool)
    known[landmarks] = True
    rest = np.flatnonzero(~known)
    d, A_L = y.shape[1], A[landmarks]
    probes = np.random.default_rng(0).choice([-1.0, 1.0], (len(landmarks), PROBES))
    given = np.hstack([y, probes])
    solved = np.zeros((len(rest), d + PROBES))
    if len(rest):
        solved -= _solve(A[rest][:, rest], A[rest][:, landmarks] @ given)
    through = A_L[:, rest] @ solved
    most = A_L[:, landmarks].diagonal()
    diagonal = np.clip(most + (probes * through[:, d:]).mean(axis=1), LEAK * most, most)
    values = np.zeros((A.shape[0], d))
    values[landmarks], values[rest] = y, solved[:, :d]
    S_y = A_L[:, landmarks] @ y + through[:, :d]
    return Spread(values, y - S_y / diagonal[:, None], diagonal)


def _pulled(A: Any, landmarks: Ints, y: Floats, noise: Floats) -> Spread:
    n, d, B = A.shape[0], y.shape[1], 1.0 / noise
    probes = np.random.default_rng(0).choice([-1.0, 1.0], (len(landmarks), PROBES))
    more, given = np.zeros(n), np.zeros((n, d + PROBES))
    more[landmarks] = B
    given[landmarks] = np.hstack([B[:, None] * y, probes])
    solved = _solve(csr_array(A + diags_array(more)), given)
    least = B / (A.diagonal()[landmarks] + B)
    h = np.clip(B * (probes * solved[landmarks, d:]).mean(axis=1), least, 1.0 - TOLERANCE)
    values = np.ascontiguousarray(solved[:, :d])
    left_out = (values[landmarks] - h[:, None] * y) / (1.0 - h[:, None])
    return Spread(values, left_out, B * (1.0 - h))
