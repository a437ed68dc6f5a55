"""How much a label at i tells of j: correlations of the resolvent of a Laplacian.

    C = (phi + alpha R)^-1,     S_ij = C_ij / sqrt(C_ii C_jj)  in [0, 1],  S_ii = 1,

R diagonal, the larger of a sample's degree and the median degree. C is the covariance of a Gaussian
field on the graph whose values decay at the rate alpha at every step, whatever the weights. Its columns
fall off fast, so they are found by local pushes, truncated where a push adds less than ``cutoff`` of the
first one, and S is sparse: on K-nearest-neighbor graphs a few hundred entries a row, whatever n.

alpha is 0.05 by default: a value is then handed on some twenty steps. Samples without an edge have S_ii = 1
alone.
"""

import numpy as np
from scipy import sparse

from trigpoint._kernels import compiled_csr, run_blocks
from trigpoint._kernels._selection_push import push_columns
from trigpoint._types import Floats, Sparse

ALPHA = 0.05  # of the median degree
CUTOFF = 0.003
ROWS = 2048  # that one thread takes at a time


def resolvent_correlations(phi: Sparse, *, alpha: float = ALPHA, cutoff: float = CUTOFF) -> Sparse:
    """S as a float32 `csr_array`, row i what i covers; phi a Laplacian."""
    n = phi.shape[0]
    degrees = phi.diagonal()
    typical = float(np.median(degrees[degrees > 0])) if (degrees > 0).any() else 1.0
    diagonal = (degrees + alpha * np.maximum(degrees, typical)) / typical
    indptr, indices, data = compiled_csr(phi)
    arrays = indptr, indices, data / typical  # in units of the median degree, so that float32 holds C
    parts: dict[int, tuple[Floats, Floats, Floats]] = {}

    def work(start: int, stop: int) -> None:
        parts[start] = push_columns(*arrays, diagonal, cutoff, start, stop)

    run_blocks(work, n, ROWS)
    pieces = [parts[start] for start in sorted(parts)]
    counts, rows, values = (np.concatenate(arrays) for arrays in zip(*pieces, strict=True))
    C = sparse.csr_array((values, rows, np.concatenate([[0], np.cumsum(counts)])), shape=(n, n))
    return _scaled(C)


def _scaled(C: Sparse) -> Sparse:
    """Divided by the roots of the diagonal, in place; truncation may leave a little more than 1."""
    root = np.sqrt(C.diagonal())
    C.data /= np.repeat(root, np.diff(C.indptr))
    C.data /= root[C.indices]
    np.minimum(C.data, 1.0, out=C.data)
    return C
