"""Norm-weighted sampling without replacement, as of the columns of the Nyström method.

Sample i has the weight of its column of phi (which is its row),

    w_i = ||phi_i||^power,     power = 2 (Drineas & Mahoney, 2005) or 1, the plain norm,

and landmarks are drawn one after the other, each proportionally to w among the samples that are
left. With E_i independent and exponential, the samples in ascending order of the keys E_i / w_i
have exactly this law (Efraimidis & Spirakis, 2006), so one sort makes all draws.

Samples of weight 0 (empty rows) come after all others, in uniformly random order. ``initial``
is left out: the law of the rest of a sequence of draws that began with it. Nested: all keys are
drawn at once, whatever the number of landmarks. Norms are taken row by row relative to the row's
largest entry, and keys in logarithms, so no scale of phi overflows or underflows.
"""

from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._types import Floats, Ints
from trigpoint._validation import check_integer
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

ENTRIES = 1 << 20  # of phi, that are squared at a time


def nystrom(pool: Pool, n_landmarks: int, rng: np.random.Generator, *, power: int = 2) -> Ints:
    log_weight = power * _log_norms(pool.phi)
    nothing = np.isneginf(log_weight)
    with np.errstate(divide="ignore"):  # an exponential of 0 comes first, as it should
        key = np.log(rng.standard_exponential(pool.n))
    key[~nothing] -= log_weight[~nothing]
    order = np.lexsort((key, nothing))
    return order[pool.free()[order]][:n_landmarks]


def _check(power: int) -> None:
    check_integer(power, "power", 1, 2)


SELECTOR = Selector("nystrom", nystrom, uses_phi=True, nested=True, check=_check)


def _log_norms(phi: Any) -> Floats:
    """(n,) logarithms of the norms of the rows; -inf for a row of zeros."""
    n = phi.shape[0]
    entries = phi.nnz if sparse.issparse(phi) else phi.size
    block = max(1, n * ENTRIES // max(entries, 1))  # rows
    log_norm = np.empty(n)
    for start in range(0, n, block):
        rows = phi[start : start + block]
        largest = _largest(rows)
        scale = np.where(largest > 0, largest, 1.0)
        with np.errstate(divide="ignore"):
            log_norm[start : start + block] = np.log(scale) + 0.5 * np.log(_squares(rows, scale))
    return log_norm


def _largest(rows: Any) -> Floats:
    """The largest absolute value of each row."""
    return np.asarray(abs(rows).max(axis=1).toarray() if sparse.issparse(rows) else abs(rows).max(axis=1))


def _squares(rows: Any, scale: Floats) -> Floats:
    """The sum of squares of each row over its scale."""
    if not sparse.issparse(rows):
        scaled = rows / scale[:, None]
        return np.asarray(np.einsum("ij,ij->i", scaled, scaled))
    owner = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    return np.bincount(owner, (rows.data / scale[owner]) ** 2, rows.shape[0]).astype(np.float64, copy=False)
