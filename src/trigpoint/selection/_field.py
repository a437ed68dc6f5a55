"""A Gaussian field on the graph and what labels leave of its variance, in pools of any size.

    A = phi + alpha R,     C = A^-1,     R diagonal, the larger of a degree and the median degree,

with phi a Laplacian; of another matrix, the Laplacian whose weights are |phi_ij|. Noise-free
labels leave the others (U) the covariance C = (A_UU)^-1, and one more at k leaves C - c c^T / c_k, c column
k of C. The rules that are built on C need three vectors of it, and these follow from c alone:

    variance  v_i = C_ii         v_i -= c_i^2 / c_k
    squares   q_i = (C^2)_ii     q_i -= (2 y_i - c_i (c^T c) / c_k) c_i / c_k,    y = C c
    sums      s = C 1            from A_UU s = 1, which changes in the rows of k's neighbors

so no matrix is kept. A is an M-matrix: C has no negative entry, v_i >= 1 / a_ii, q_i >= v_i^2, and columns
fall off fast. Local pushes on the graph without the landmarks find them, ending at CUTOFF of the first; those
for y end at NEARLY times that share of y_k = c^T c. What is cut off is missing: on a swiss roll gains are
4 % too small, all much alike; on a graph in 64 dimensions 7 %, and there less alike.

Up to DENSE samples C is held, and all is exact. In pools of more than LARGE only a part, drawn once for all
seeds, may be chosen: LARGE samples, or 10 for each landmark. What is left to cover is always the whole pool.

alpha is what a value loses at a step; all is free of phi's unit. Samples without an edge have the variance
1 / (alpha median degree), more than any other.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trigpoint._kernels import compiled_csr, run_blocks, serial_blas
from trigpoint._kernels.selection_field import measure_columns, push
from trigpoint._progress import track
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint._validation import check_magnitude, check_number
from trigpoint.selection._dense import first_best
from trigpoint.selection._pool import Pool

DENSE = 2000  # samples up to which C is held
LARGE = 10_000
CHOICE = 10  # samples to choose from, a landmark
NESTED_TO = LARGE // CHOICE  # landmarks for which these are the same
CUTOFF = 3e-4
NEARLY = 3  # times the cutoff, for y
LOOSE = 10  # times the cutoff, for s: known to this share of itself, times the largest a_ii
ROWS = 64  # columns that one thread takes at a time


@dataclass(frozen=True, eq=False)
class Field:
    """A, and what is known of C. Changed by `condition`; of labeled samples the numbers mean nothing.

    Attributes
    ----------
    arrays : A as indptr, indices, data and diagonal, in units of the median degree
    C : (n, n), the covariance, in small pools
    variance, squares, sums : (n,) each, as above; the first two for samples in ``choice`` only
    missing : (n,), 1 - A s
    waiting : (n,) bool, without a label
    choice : (n,) bool, may be chosen
    track : "squares" or "sums", if one of them is kept beside the variance; the other means nothing
    """

    arrays: tuple[Array, Array, Floats, Floats]
    C: Floats | None
    variance: Floats
    squares: Floats
    sums: Floats
    missing: Floats
    waiting: Array
    choice: Array
    track: str


Rule = Callable[[Field], Floats]


def check_rate(alpha: float) -> None:
    check_magnitude(np.array([check_number(alpha, "alpha", 0.0, strict=True)]), "alpha")


def unlabeled_field(pool: Pool, n_landmarks: int, alpha: float, track: str = "") -> Field:
    """The field before any label, those of the pool included."""
    arrays = _precision(pool.laplacian(), alpha)
    everyone, missing = np.ones(pool.n, dtype=bool), np.ones(pool.n)
    if pool.n <= DENSE:
        with serial_blas():
            C = _inverse(*arrays)
            squares, sums = np.einsum("ij,ij->i", C, C), C @ missing
        variance = C.diagonal().copy()
        return Field(arrays, C, variance, squares, sums, missing, everyone, everyone.copy(), track)
    choice = _choice(pool.n, n_landmarks + len(pool.initial))
    variance, squares = _measured(arrays, np.flatnonzero(choice))
    sums = np.zeros(pool.n)
    if track == "sums":
        push(*arrays, everyone, LOOSE * CUTOFF, np.arange(pool.n), sums, missing)
    return Field(arrays, None, variance, squares, sums, missing, everyone, choice, track)


def greedy(field: Field, initial: Ints, n_landmarks: int, score: Rule) -> Ints:
    """The samples of largest score one after another, given those that are labeled."""
    picks = np.empty(n_landmarks, dtype=np.int64)
    with serial_blas():
        for i in initial:
            condition(field, int(i))
        for step in track(range(n_landmarks), "landmarks"):
            picks[step] = first_best(score(field), field.waiting & field.choice)
            condition(field, int(picks[step]))
    return picks


def condition(field: Field, k: int) -> None:
    """The field given a label at k, in place."""
    c = _column(field, k)
    share = c / c[k]
    if field.track == "squares":
        field.squares[:] -= (2.0 * _product(field, k, c) - share * (c @ c)) * share
    np.maximum(field.variance - c * share, 1.0 / field.arrays[3], out=field.variance)
    np.maximum(field.squares, field.variance**2, out=field.squares)
    field.waiting[k] = False
    if field.track == "sums":
        _take_from_sums(field, k, share)
    if field.C is not None:
        field.C[:] -= np.outer(c, share)
        field.C[k] = field.C[:, k] = 0.0  # exactly, where rounding left something


def _precision(phi: Sparse, alpha: float) -> tuple[Array, Array, Floats, Floats]:
    check_magnitude(phi.data, "phi")
    degrees = phi.diagonal()
    typical = float(np.median(degrees[degrees > 0])) if (degrees > 0).any() else 1.0
    indptr, indices, data = compiled_csr(phi)
    return indptr, indices, data / typical, (degrees + alpha * np.maximum(degrees, typical)) / typical


def _inverse(indptr: Array, indices: Array, data: Floats, diagonal: Floats) -> Floats:
    n = len(diagonal)
    A = sparse.csr_array((data, indices, indptr), shape=(n, n)).toarray()
    np.fill_diagonal(A, diagonal)
    C = np.linalg.inv(A)
    return np.asarray((C + C.T) / 2.0)


def _choice(n: int, n_landmarks: int) -> Array:
    some = max(LARGE, CHOICE * n_landmarks)
    choice = np.zeros(n, dtype=bool)
    choice[np.random.default_rng(0).permutation(n)[:some] if some < n else slice(None)] = True
    return choice


def _measured(arrays: tuple[Array, Array, Floats, Floats], samples: Ints) -> tuple[Floats, Floats]:
    """Variances and squares of the samples; none of their columns is kept."""
    variance, squares = 1.0 / arrays[3], 1.0 / arrays[3] ** 2
    inside = np.ones(len(variance), dtype=bool)

    def work(start: int, stop: int) -> None:
        measure_columns(*arrays, inside, CUTOFF, samples[start:stop], variance, squares)

    run_blocks(work, len(samples), ROWS, "variances")
    return variance, squares


def _column(field: Field, k: int) -> Floats:
    if field.C is not None:
        return np.array(field.C[k])
    c, r = np.zeros(len(field.variance)), np.zeros(len(field.variance))
    r[k] = 1.0
    push(*field.arrays, field.waiting, CUTOFF / field.arrays[3][k], np.array([k]), c, r)
    return c


def _product(field: Field, k: int, c: Floats) -> Floats:
    """y = C c, to a share of y_k = c^T c."""
    if field.C is not None:
        return np.asarray(field.C @ c)
    y, r = np.zeros(len(c)), c.copy()
    least = NEARLY * CUTOFF * (c @ c) / (c[k] * field.arrays[3][k])
    push(*field.arrays, field.waiting, least, np.flatnonzero(c), y, r)
    return y


def _take_from_sums(field: Field, k: int, share: Floats) -> None:
    """s once k is labeled; by pushes, as its neighbors miss what k gave them."""
    if field.C is not None:
        field.sums[:] -= share * field.sums[k]
        return
    indptr, indices, data, _ = field.arrays
    row = slice(indptr[k], indptr[k + 1])
    near = indices[row].astype(np.int64)
    field.missing[near] += data[row] * field.sums[k]
    field.sums[k] = field.missing[k] = 0.0
    push(*field.arrays, field.waiting, LOOSE * CUTOFF, near, field.sums, field.missing)
