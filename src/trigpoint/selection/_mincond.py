"""MinCond: small condition number of what is left (Xu, Zha, Davenport & Zha, AAAI 2015).

With psi = phi + alpha I and U the samples without a label, ln kappa(psi_UU) is the length of the
interval that the eigenvalues of G = ln(psi_UU), a matrix logarithm, span. They lie in its circles

    [c_i - r_i, c_i + r_i],     c_i = g_ii,     r_i = sum_j |g_ij| - c_i.

Two circles hold the ends, a = argmax(c + r) and b = argmin(c - r): the one of larger radius is
deleted (a where they tie), its sample becomes a landmark, and the logarithm is taken anew.

That is the authors' program, whose orders on their torus samples it repeats pick by pick with their
alpha, 0.001 on LTSA and 0.1 on the Laplacian (the default's part after a few picks). Its radius
is Gershgorin's, sum_{j != i} |g_ij|, where c_i >= 0, and 2|c_i| more where c_i < 0: weakly tied samples
go earlier, and the unit of phi matters, since s phi has the centers c + ln s. ``radii="gershgorin"`` is
the circle theorem's radius: on their Laplacians it gives the same orders, on their LTSA matrices
condition numbers up to 11 times as large, and it is free of units.

``alpha=None`` is 0.001 times the mean of phi's diagonal (1 where that is not positive). One
eigendecomposition a pick, O(n_landmarks n^3), which Ctrl-C waits for: at most 3,000 samples. Nested: the
first k of l landmarks are the answer for k.
"""

import numpy as np

from trigpoint._circles import check_alpha, default_alpha
from trigpoint._errors import InputError
from trigpoint._kernels import serial_blas
from trigpoint._progress import track
from trigpoint._types import Floats, Ints
from trigpoint._validation import check_choice
from trigpoint.selection._dense import TIE, first_best, principal_block, shifted
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

LIMIT = 3_000  # samples
ARRAYS = 6  # psi, its copy, eigenvectors, logarithm, and LAPACK's workspace of two
RADII = ("toolbox", "gershgorin")


def mincond(
    pool: Pool,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    alpha: float | None = None,
    radii: str = "toolbox",
) -> Ints:
    extra = default_alpha(pool.phi.diagonal()) if alpha is None else alpha
    rest = np.flatnonzero(pool.free())
    psi = shifted(principal_block(pool.phi, rest), extra)
    picks = np.empty(n_landmarks, dtype=np.int64)
    with serial_blas():
        for step in track(range(n_landmarks), "landmarks"):
            spot = _deleted(_logarithm(psi), radii == "toolbox")
            picks[step] = rest[spot]
            rest = np.delete(rest, spot)
            psi = np.delete(np.delete(psi, spot, axis=0), spot, axis=1)
    return picks


def _check(alpha: float | None, radii: str) -> None:
    check_choice(radii, "radii", RADII)
    if alpha is not None:
        check_alpha(alpha)


SELECTOR = Selector("mincond", mincond, uses_phi=True, nested=True, limit=LIMIT, arrays=ARRAYS, check=_check)


def _logarithm(psi: Floats) -> Floats:
    values, vectors = np.linalg.eigh(psi)
    if values[0] <= len(psi) * np.finfo(float).eps * values[-1]:
        raise InputError(
            "phi + alpha I",
            f"must be positive definite for its logarithm; its least eigenvalue is {values[0]:.3g} "
            f"and its largest {values[-1]:.3g}: raise alpha, or check phi",
        )
    G: Floats = (vectors * np.log(values)) @ vectors.T
    return G


def _deleted(G: Floats, signed: bool) -> int:
    """The circle to delete, of the two that hold the ends of the interval."""
    c = G.diagonal()
    r = np.abs(G).sum(axis=1) - (c if signed else np.abs(c))
    size = float((np.abs(c) + r).max())
    every = np.ones(len(c), dtype=bool)
    a, b = first_best(c + r, every, size), first_best(r - c, every, size)
    return a if r[a] >= r[b] - TIE * size else b
