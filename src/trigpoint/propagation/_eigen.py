"""The smallest eigenvectors of M = S - w V V^T, S sparse and symmetric, V of a few columns.

    dense          up to 1000 samples, for more than n / 4 vectors, or where S is dense: LAPACK
    shift_invert   where a factorization is cheap: Lanczos on (M + t I)^-1, t = 1e-8 mean diag(S).
                   With K = [[S + t I, V], [V^T, I / w]], (M + t I)^-1 is the leading block of
                   K^-1, and K is sparse and positive definite like M + t I
    lanczos        otherwise: Lanczos on c I - M, c a bound of the largest eigenvalue

Known eigenvectors are projected out. Lanczos may overlook copies of a multiple eigenvalue; so it
runs once more in the complement of what was found, until nothing smaller is left there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from trigpoint._kernels import serial_blas
from trigpoint._types import Floats, Sparse
from trigpoint.propagation._direct import factorize
from trigpoint.propagation._null_vector import Trivial
from trigpoint.propagation._solver import affordable

DENSE = 1000
EQUAL = 1e-9  # eigenvalues of the operator this close, relatively, are copies
PASSES = 2500  # a factorization may cost as much as this many iterations of CG


@dataclass(frozen=True, eq=False)
class Quadratic:
    """The form x^T M x, M = S - w V V^T."""

    S: Sparse
    V: Floats  # (n, q), q may be 0
    w: float

    def __matmul__(self, x: Floats) -> Floats:
        return np.asarray(self.S @ x - self.w * (self.V @ (self.V.T @ x)))

    def dense(self) -> Floats:
        S = self.S.toarray() if sparse.issparse(self.S) else self.S
        return np.asarray(S - self.w * (self.V @ self.V.T))

    def bound(self) -> float:
        """At least the largest eigenvalue: the largest row sum of |S|."""
        return float((abs(self.S) @ np.ones(self.S.shape[0])).max())


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    vectors: Floats  # (n, k), by ascending eigenvalue, orthonormal
    solver: str
    iterations: int  # products with the operator
    residual: float  # largest ||M y - lambda y||, relative to the bound on M


def smallest_eigenvectors(
    M: Quadratic, k: int, trivial: Trivial | None, rng: np.random.Generator
) -> Eigenpairs:
    """The k smallest eigenvectors of M orthogonal to the trivial ones; signs are fixed."""
    n = M.S.shape[0]
    bound = M.bound() or 1.0
    if n <= DENSE or 4 * k > n or not sparse.issparse(M.S):
        vectors, solver, made = _dense(M, k, trivial, bound), "dense", 0
    else:
        inverse = _shift_inverse(M)
        solver = "lanczos" if inverse is None else "shift_invert"
        apply = inverse if inverse is not None else (lambda x: bound * x - M @ x)
        vectors, made = _lanczos(apply, n, k, trivial, rng, 1e-10 if inverse is None else 0.0)
    vectors = fix_signs(vectors)
    values = np.einsum("ij,ij->j", vectors, M @ vectors)
    gaps = np.linalg.norm(M @ vectors - vectors * values, axis=0)
    return Eigenpairs(vectors, solver, made, float(gaps.max()) / bound)


def fix_signs(vectors: Floats) -> Floats:
    """The entry of largest magnitude in each column, the first of equal ones, is positive."""
    sizes = np.abs(vectors)
    peaks = np.argmax(sizes >= sizes.max(axis=0) * (1.0 - 1e-8), axis=0)
    signs = np.sign(vectors[peaks, np.arange(vectors.shape[1])])
    return np.asarray(vectors * np.where(signs == 0.0, 1.0, signs))


def _dense(M: Quadratic, k: int, trivial: Trivial | None, bound: float) -> Floats:
    matrix = M.dense()
    if trivial is not None:
        matrix = matrix + 2.0 * bound * trivial.projector()  # to the far end of the spectrum
    with serial_blas():
        return np.asarray(linalg.eigh(matrix, subset_by_index=[0, k - 1])[1])


def _shift_inverse(M: Quadratic) -> Callable[[Floats], Floats] | None:
    if not affordable(M.S, PASSES):
        return None
    n, q = M.V.shape
    shift = 1e-8 * float(np.abs(M.S.diagonal()).mean())
    K = sparse.csr_array(M.S + sparse.diags_array(np.full(n, shift)))
    if q:
        V = sparse.csr_array(M.V)
        K = sparse.block_array([[K, V], [V.T, sparse.diags_array(np.full(q, 1.0 / M.w))]], format="csr")
    factor = factorize(K)
    return lambda x: factor.solve(np.append(x, np.zeros(q)))[:n]


def _lanczos(
    apply: Callable[[Floats], Floats],
    n: int,
    k: int,
    trivial: Trivial | None,
    rng: np.random.Generator,
    tol: float,
) -> tuple[Floats, int]:
    """The k largest eigenvectors of ``apply`` outside the trivial span, multiple ones included."""
    made = 0
    found, tops = np.empty((n, 0)), np.empty(0)

    def step(x: Floats) -> Floats:
        nonlocal made
        made += 1
        return _outside(apply(_outside(x.ravel(), trivial, found)), trivial, found)

    operator = LinearOperator((n, n), matvec=step, dtype=np.float64)
    while True:
        start = _outside(rng.standard_normal(n), trivial, found)
        values, vectors = _eigsh(operator, 1 if len(tops) else k, start, tol)
        if len(tops) and values[0] <= np.sort(tops)[-k] * (1.0 + max(tol, EQUAL)):
            break
        found = np.linalg.qr(np.column_stack([found, vectors]))[0]
        tops = np.append(tops, values)
    best = np.argsort(-tops, kind="stable")[:k]
    return found[:, best], made


def _outside(x: Floats, trivial: Trivial | None, found: Floats) -> Floats:
    x = x if trivial is None else trivial.project(x)
    return np.asarray(x - found @ (found.T @ x))


def _eigsh(operator: LinearOperator, k: int, start: Floats, tol: float) -> tuple[Floats, Floats]:
    n = operator.shape[0]
    try:
        values, vectors = eigsh(
            operator, k, which="LA", v0=start, tol=tol, ncv=min(n - 1, max(2 * k + 1, 40)), maxiter=2000
        )
    except ArpackNoConvergence as error:
        raise RuntimeError(
            f"The eigenvalue solver found {len(error.eigenvalues)} of {k} eigenvectors and no more; "
            "ask for fewer components."
        ) from None
    return values, vectors
