"""Volume sampling on the features (Dereziński & Warmuth, 2017), exactly.

A set S of |A| + l samples that holds the samples A = ``initial`` has the probability

    P(S) ∝ det(X_S^T X_S),     A ⊂ S,     B = S \\ A the landmarks, |B| = l.

An invertible map of the features changes all determinants by one factor, so X gives way to an
orthonormal basis Y (n, r) of its column space. On the rest R of the samples,
Y_R^T Y_R = I - Y_A^T Y_A has eigenvectors v_k and eigenvalues h_k in [0, 1], the columns
u_k = Y_R v_k / sqrt(h_k) are orthonormal, and by the Cauchy-Binet formula

    det(Y_S^T Y_S) = sum_J prod_{k not in J} (1 - h_k) prod_{k in J} h_k sum_{T ⊂ B, |T| = |J|} det(U_TJ)^2.

So three draws make B: the directions J, with weight prod h_k prod (1 - h_k) C(|R| - |J|, l - |J|);
the samples T by the projection determinantal process of U_J, by the chain rule; and the other
l - |J| samples uniformly from what is left. Without A all h_k are 1 and J is everything.

X is not centered or scaled: columns whose units differ by more than 1e10 are better scaled first.
Singular values up to max(n, p) eps times the largest count as 0: where the
rank r is below p, X is projected to its rank. Where l < r - rank(X_A), every determinant is 0:
X is projected to the span of X_A and the l leading singular directions of what X has outside it
(without A: to its l leading ones). A UserWarning says so in either case.

Rows of zeros come in only by the uniform draw. Not nested below the rank, or with ``initial``
(the laws of J and of the projection depend on l); nested from l = r on without it. Costs
O(n p min(n, p)) time and one copy of X, which for a sparse X is dense.
"""

import warnings
from typing import Any, Literal

import numpy as np
from scipy import linalg, sparse

from trigpoint._errors import InputError
from trigpoint._kernels import serial_blas
from trigpoint._kernels.selection_draws import draw
from trigpoint._types import Array, Floats, Ints
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

DENSE_LIMIT = 2e9  # bytes that a sparse X may take as a dense array
ROWS = 4096  # rows whose norms are taken at a time


def volume(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    X, free = pool.X, pool.free()
    _check_size(X)
    with serial_blas():
        Q, C, sigma = _singular_basis(X)
        V, h, C = _directions(Q[pool.initial], C, sigma, _rounding(X), n_landmarks)
        inside = _draw_directions(h, int(free.sum()), n_landmarks, rng)
        picks = _projection_process(Q, _frame(C, V, h, inside), free, rng)
    free[picks] = False
    others = rng.permutation(np.flatnonzero(free))[: n_landmarks - len(picks)]
    return np.concatenate([picks, others])


SELECTOR = Selector("volume", volume, needs=("X",))


def _check_size(X: Any) -> None:
    size = 8 * X.shape[0] * X.shape[1]
    if sparse.issparse(X) and size > DENSE_LIMIT:
        raise InputError(
            "X",
            f"must take at most {DENSE_LIMIT / 1000000000.0:g} GB as a dense array for method='volume'",
            f"{X.shape[0]} x {X.shape[1]}, {size / 1000000000.0:.3g} GB: reduce its features first",
        )


def _rounding(X: Any) -> float:
    """Singular values up to this share of the largest are 0."""
    return float(max(X.shape) * np.finfo(np.float64).eps)


def _singular_basis(X: Any) -> tuple[Floats, Floats, Floats]:
    """Q (n, q), C (q, r) and sigma (r,): Y = Q C are the left singular vectors of X, up to its rank."""
    n, p = X.shape
    own = _own(X, "F" if n >= p else "C")
    own /= np.abs([own.min(), own.max()]).max() or 1.0
    if n >= p:
        Q, R = linalg.qr(own, mode="economic", overwrite_a=True, check_finite=False)
        C, sigma, _ = linalg.svd(R, check_finite=False)
    else:
        factor = linalg.lapack.dgeqrf(own.T, lwork=64 * n, overwrite_a=True)[0]  # X = L (...), L = R^T
        Q, sigma, _ = linalg.svd(np.triu(factor[:n]).T, check_finite=False)
        C = np.eye(n)
    rank = int(np.count_nonzero(sigma > _rounding(X) * sigma[0]))
    if rank < p:
        _warn(f"X has rank {rank}, below its {p} features: volume sampling projects it to its rank.")
    return Q, C[:, :rank], sigma[:rank]


def _own(X: Any, order: Literal["C", "F"]) -> Floats:
    """A dense float64 copy of X in the given order, made once."""
    if sparse.issparse(X):
        return np.asarray(X.astype(np.float64).toarray(order=order))
    return np.array(X, dtype=np.float64, order=order)


def _directions(
    Q_A: Floats, C: Floats, sigma: Floats, rounding: float, n_landmarks: int
) -> tuple[Floats, Floats, Floats]:
    """The eigenvectors V and eigenvalues h of I - Y_A^T Y_A, and the C of Y, narrowed if need be.

    h is 1 exactly in the directions that A does not span; there are at most n_landmarks of them.
    """
    s, V = _right_singular(Q_A @ C)
    spanned = int(np.count_nonzero(s > rounding * sigma[0] / sigma[-1])) if len(s) else 0
    rank = len(sigma)
    if n_landmarks < rank - spanned:
        beside = f" beside the {spanned} dimensions of initial" if spanned else ""
        _warn(
            f"X has rank {rank}, too much for {n_landmarks} landmarks{beside}: "
            f"volume sampling projects it to {n_landmarks + spanned} dimensions."
        )
        C = C @ _narrowed(Q_A @ C, sigma, spanned, n_landmarks)
        s, V = _right_singular(Q_A @ C)
    h = np.ones(len(V))
    h[:spanned] = np.clip(1.0 - s[:spanned] ** 2, 0.0, np.nextafter(1.0, 0.0))
    return V, h, C


def _right_singular(M: Floats) -> tuple[Floats, Floats]:
    """Singular values of an (m, r) matrix, descending, and all its right singular vectors (r, r)."""
    if 0 in M.shape:
        return np.empty(0), np.eye(M.shape[1])
    s, Vt = linalg.svd(np.linalg.qr(M, mode="r"), check_finite=False)[1:]
    return s, Vt.T


def _narrowed(Y_A: Floats, sigma: Floats, spanned: int, n_landmarks: int) -> Floats:
    """An orthonormal basis (r, spanned + l), in Y, of A's span and X's l leading directions beside it."""
    P = _right_singular(Y_A * sigma)[1][:, :spanned]
    residual = sigma[:, None] * (np.eye(len(sigma)) - P @ P.T)
    leading = (len(sigma) - n_landmarks, len(sigma) - 1)
    W = linalg.eigh(residual.T @ residual, subset_by_index=leading)[1]
    return np.asarray(np.linalg.qr(sigma[:, None] * np.hstack([P, W]))[0])


def _draw_directions(h: Floats, n_rest: int, n_landmarks: int, rng: np.random.Generator) -> Array:
    """J as a mask: the directions of h = 1, and others one by one, given the sums over all that follow."""
    inside: Array = h == 1.0
    size, soft = int(inside.sum()), np.flatnonzero(~inside)
    sizes = np.arange(size, size + len(soft))
    with np.errstate(divide="ignore"):
        ways = np.log(np.maximum(n_landmarks - sizes, 0) / np.maximum(n_rest - sizes, 1))
        log_in, log_out = np.log(h[soft]), np.log1p(-h[soft])
    later = [np.concatenate([[0.0], np.cumsum(ways)])]  # log C(|R| - |J|, l - |J|) up to a constant
    for k in range(len(soft) - 1, -1, -1):
        F = later[-1]
        later.append(np.logaddexp(log_in[k] + F[1:], log_out[k] + F[:-1]))
    shares, more = rng.random(len(h)), 0
    for k, F in enumerate(reversed(later[:-1])):
        joins = log_in[k] + F[more + 1] - later[len(soft) - k][more]
        inside[soft[k]] = shares[k] < np.exp(joins)
        more += inside[soft[k]]
    return inside


def _frame(C: Floats, V: Floats, h: Floats, inside: Array) -> Floats:
    """The matrix (q, |J|) that takes Q_R to U_J."""
    return np.asarray(C @ (V[:, inside] / np.sqrt(h[inside])))


def _projection_process(Q: Floats, frame: Floats, free: Array, rng: np.random.Generator) -> Ints:
    """As many free samples as U = Q frame has columns, with P(T) = det(U_T)^2.

    Each is drawn in proportion to the square of its row's part beside the rows drawn before.
    """
    k = frame.shape[1]
    mass = np.concatenate([((Q[i : i + ROWS] @ frame) ** 2).sum(axis=1) for i in range(0, len(Q), ROWS)])
    mass[~free] = 0.0
    E = np.zeros((k, k))  # orthonormal rows: the span of the rows drawn
    picks = np.empty(k, dtype=np.int64)
    for step, share in enumerate(rng.random((k,))):
        i = picks[step] = draw(mass, share)
        e = Q[i] @ frame
        for _ in range(2):  # once more for what rounding left
            e -= E[:step].T @ (E[:step] @ e)
        E[step] = e / np.linalg.norm(e)
        mass -= (Q @ (frame @ E[step])) ** 2
        np.maximum(mass, 0.0, out=mass)
        mass[i] = 0.0  # and of the others nothing comes back, for mass only falls
    return picks


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=5)
