"""Gaussian fields, regression: least variance of what is left (Zhu, Lafferty & Ghahramani, 2003).

Values on the pool are a Gaussian field of precision phi + delta I. Given noise-free labels of some
samples, the others (U) have the covariance C = (phi_UU + delta I)^-1, and a label of k more leaves

    C - c_k c_k^T / C_kk,     c_k = column k of C,

with a trace that is ||c_k||^2 / C_kk less: the next landmark is the argmax of this gain, over all U.
Ties, within 1e-9, go to the lower index. Nested: the first k of l landmarks are the answer for k. Known as
V-optimality. Labels are not needed for it; for classes, which use them, see `gaussian_field_step`.

``prior=None``: delta is 1e-6 times the mean of phi's diagonal (1 where that is not positive). Without
it phi is singular and the first pick undefined. A component of the graph that has no landmark has m
samples of variance 1 / (delta m) or more, so the gain of its first landmark is 1 / delta less a term
that has no delta in it, whatever m: all components are entered, isolated samples first, before any
gets a second landmark. Larger values take from that, and shorten the reach of a label; with much
smaller ones rounding decides, as the inverse is known to about eps / delta of the mean diagonal.

O(n^3 + n_landmarks n^2) and one (n, n) array: at most 10,000 samples, 0.8 GB. A step is one pass over C,
which also sums up the squares that the next gains need. Once a fifth of C is zeros, it is narrowed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._circles import default_alpha
from trigpoint._errors import InputError
from trigpoint._kernels import run_blocks, serial_blas
from trigpoint._kernels.selection_downdate import downdate
from trigpoint._progress import track
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_magnitude, check_number
from trigpoint.selection._dense import first_best, inverse, principal_block, shifted
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

LIMIT = 10_000  # samples
DEFAULT_PRIOR = 1e-6  # of the mean diagonal
ROWS = 64  # of C that one thread takes at a time, at least
ENTRIES = 500_000  # and with fewer in all, one thread does it
NARROW = 0.8  # of C still waiting: below, the rest is left out


@dataclass(frozen=True, eq=False)
class Field:
    """The samples U that had no label at first, and what is known of them. Changed by `condition`.

    Attributes
    ----------
    rest : (m,) int64, their numbers in the pool; those below are places in it
    C : (m, m), their covariance; zero for those that were conditioned on
    squares : (m,), the squared norms of its rows
    floor : (m,), the variance below which a sample's own is rounding
    waiting : (m,) bool, not yet conditioned on
    """

    rest: Ints
    C: Floats
    squares: Floats
    floor: Floats
    waiting: Array


def gaussian_field(
    pool: Pool, n_landmarks: int, rng: np.random.Generator, *, prior: float | None = None
) -> Ints:
    field = gaussian_process(pool.phi, pool.free(), check_prior(prior, pool.phi))
    picks = np.empty(n_landmarks, dtype=np.int64)
    with serial_blas():  # once, not at every step
        for step in track(range(n_landmarks), "landmarks"):
            spot = largest_gain(field)
            picks[step] = field.rest[spot]
            condition(field, spot)
            field = narrowed(field)
    return picks


def _check(prior: float | None) -> None:
    if prior is not None:
        check_magnitude(np.array([check_number(prior, "prior", 0.0, strict=True)]), "prior")


SELECTOR = Selector("gaussian_field", gaussian_field, uses_phi=True, nested=True, limit=LIMIT, check=_check)


def check_prior(prior: float | None, phi: Any) -> float:
    check_magnitude(phi.data if sparse.issparse(phi) else phi, "phi")
    _check(prior)
    return default_alpha(phi.diagonal(), DEFAULT_PRIOR) if prior is None else float(prior)


def gaussian_process(phi: Any, free: Array, delta: float) -> Field:
    """The field on the free samples, given labels of all others."""
    rest = np.flatnonzero(free)
    with serial_blas():
        C = inverse(shifted(principal_block(phi, rest), delta))
    if C is None:
        raise InputError(
            "phi + prior I",
            f"must be positive definite; it is not for a prior of {delta:.3g}: "
            "check that phi is positive semidefinite, or raise prior",
        )
    floor = len(C) * np.finfo(float).eps * C.diagonal()
    return Field(rest, C, np.einsum("ij,ij->i", C, C), floor, np.ones(len(C), dtype=bool))


def largest_gain(field: Field) -> int:
    """The place whose label takes most from the trace."""
    variance = field.C.diagonal()
    known = variance > field.floor
    gain = np.divide(field.squares, variance, out=np.zeros(len(variance)), where=known)
    return first_best(gain, field.waiting)


def condition(field: Field, spot: int) -> None:
    """The field given a label at ``spot``: C - c c^T / C_spot,spot, in place."""
    C, variance = field.C, field.C[spot, spot]
    known = variance > field.floor[spot]
    root = C[spot] / np.sqrt(variance) if known else np.zeros(len(C))

    def work(start: int, stop: int) -> None:
        downdate(C, root, spot, field.squares, start, stop)

    run_blocks(work, len(C), max(ROWS, ENTRIES // max(len(C), 1)))
    C[spot] = 0.0  # exactly, where rounding left something
    field.squares[spot] = 0.0
    field.waiting[spot] = False


def narrowed(field: Field) -> Field:
    """The field on the samples that wait, in the same memory, once they are few enough; else as it is."""
    waiting = np.flatnonzero(field.waiting)
    n, m = len(field.C), len(waiting)
    if m > NARROW * n:
        return field
    C = field.C.reshape(-1)[: m * m].reshape(m, m)
    for place, old in enumerate(waiting):  # place <= old: no row is written before it is read
        C[place] = field.C[old, waiting]
    return Field(field.rest[waiting], C, field.squares[waiting], field.floor[waiting], np.ones(m, dtype=bool))
