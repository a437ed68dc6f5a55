"""How much a label at i tells of j: correlations of the resolvent of a Laplacian.

    C = (phi + alpha R)^-1,     S_ij = C_ij / sqrt(C_ii C_jj)  in [0, 1],  S_ii = 1,

R diagonal, the larger of a sample's degree and the median degree. C is the covariance of a Gaussian
field on the graph whose values decay at the rate alpha at every step, whatever the weights. And

    h_i = alpha R_ii C_ii  in (0, 1]

is the share of sample i in the field's degrees of freedom, sum_i h_i = sum_k alpha / (alpha + lambda_k) with
lambda the eigenvalues of R^-1/2 phi R^-1/2: as many values as one could set freely at this scale. It grows
with alpha from the number of components to n.

Columns of C fall off fast, so they are found by local pushes, truncated where a push adds less than
``cutoff`` of the first one, and S is sparse: on K-nearest-neighbor graphs a few hundred entries a row,
whatever n. Where alpha is small that would lose what matters, and pools of some thousand samples afford
the whole inverse (`dense_resolvent`). Samples without an edge have S_ii = h_i = 1 alone.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._kernels import compiled_csr, run_blocks, serial_blas
from trigpoint._kernels.selection_push import push_columns
from trigpoint._types import Floats, Sparse
from trigpoint.selection._dense import inverse

ALPHA = 0.05  # a value is handed on some twenty steps
CUTOFF = 0.003
ROWS = 2048  # that one thread takes at a time


@dataclass(frozen=True, eq=False)
class Resolvent:
    """S in float32, a `csr_array` or an (n, n) array, row i what i covers; and h, (n,)."""

    S: Any
    shares: Floats

    @property
    def freedom(self) -> float:
        """The degrees of freedom."""
        return float(self.shares.sum())


def resolvent_correlations(phi: Sparse, *, alpha: float = ALPHA, cutoff: float = CUTOFF) -> Sparse:
    """S alone; phi a Laplacian."""
    return sparse_resolvent(phi, alpha, cutoff).S


def sparse_resolvent(phi: Sparse, alpha: float, cutoff: float = CUTOFF) -> Resolvent:
    """By local pushes, on all cores."""
    n = phi.shape[0]
    degrees, typical = median_degree(phi)
    ridge = alpha * np.maximum(degrees, typical) / typical
    diagonal = degrees / typical + ridge
    indptr, indices, data = compiled_csr(phi)
    arrays = indptr, indices, data / typical  # in units of the median degree, so that float32 holds C
    parts: dict[int, tuple[Floats, Floats, Floats]] = {}

    def work(start: int, stop: int) -> None:
        parts[start] = push_columns(*arrays, diagonal, cutoff, start, stop)

    run_blocks(work, n, ROWS, "correlations")
    pieces = [parts[start] for start in sorted(parts)]
    counts, rows, values = (np.concatenate(arrays) for arrays in zip(*pieces, strict=True))
    C = sparse.csr_array((values, rows, np.concatenate([[0], np.cumsum(counts)])), shape=(n, n))
    variances = C.diagonal()
    return Resolvent(_scaled(C, np.sqrt(variances)), ridge * variances)


def dense_resolvent(A: Floats, R: Floats, alpha: float) -> Resolvent:
    """Of a Laplacian as an (n, n) array, by its whole inverse; no entry is left out."""
    return correlations(covariance(A, R, alpha), R, alpha)


def covariance(A: Any, R: Floats, alpha: float) -> Floats:
    """C as an (n, n) array; A is one, or sparse."""
    A = A.toarray() if sparse.issparse(A) else A.copy()
    A.flat[:: len(A) + 1] += alpha * R
    with serial_blas():
        C = inverse(A)
    if C is None:  # alpha is lost in the rounding of A
        raise InputError("alpha", "must leave phi + alpha R positive definite", alpha)
    return C


def correlations(C: Floats, R: Floats, alpha: float) -> Resolvent:
    """S and h of the whole C, which is overwritten."""
    variances = C.diagonal().copy()
    root = np.sqrt(variances)
    C /= root
    C /= root[:, None]
    S = C.astype(np.float32)
    np.clip(S, 0.0, 1.0, out=S)
    return Resolvent(S, alpha * R * variances)


def in_units(phi: Sparse) -> tuple[Sparse, Floats]:
    """A Laplacian and R, both in units of the median degree."""
    degrees, typical = median_degree(phi)
    data = phi.data / typical  # phi / typical would multiply by 1 / typical, which may be infinite
    A = sparse.csr_array((data, phi.indices, phi.indptr), shape=phi.shape)
    return A, np.maximum(degrees / typical, 1.0)


def median_degree(phi: Sparse) -> tuple[Floats, float]:
    """Degrees, and the median of those that are positive; 1 where none is."""
    degrees = phi.diagonal()
    return degrees, typical_degree(degrees)


def typical_degree(degrees: Floats) -> float:
    """The median of those that are positive; 1 where none is."""
    positive = degrees[degrees > 0]
    typical = float(np.median(positive)) if len(positive) else 1.0
    if degrees.max(initial=0.0) / 1e300 > typical:
        raise InputError(
            "phi", f"must have degrees of up to 1e300 times their median, {typical:g}", f"{degrees.max():g}"
        )
    return typical


def _scaled(C: Sparse, root: Floats) -> Sparse:
    """Divided by the roots of the diagonal, in place; in [0, 1] whatever rounding or truncation left."""
    C.data /= np.repeat(root, np.diff(C.indptr))
    C.data /= root[C.indices]
    np.clip(C.data, 0.0, 1.0, out=C.data)
    return C
