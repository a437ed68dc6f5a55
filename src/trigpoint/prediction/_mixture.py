"""How much each predictor counts, by what it says of labels that it does not know.

With y_i the labels as one-hot rows and p_ki what predictor k of m says of label i without knowing it, weights
w >= 0 of sum 1 minimize

    sum_i |y_i - sum_k w_k p_ki|^2  +  PULL sum_k (w_k - 1/m)^2.

The pull carries the choice while labels are few. If labels may be wrong, each term has a weight, how likely
the label is right. The mixture q then becomes q^(1/T), scaled to sum to one.
T minimizes sum_i |y_i - q_i^(1/T)|^2 + PRIOR (log T)^2 on a grid. It lies between 1/3 and 3, and is 1 without
evidence.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import nnls

from trigpoint._types import Floats

PULL = 3.0
PRIOR = 5.0
GRID = np.exp(np.linspace(-np.log(3.0), np.log(3.0), 25))
HEAVY = 1e6  # of the equation that weights sum to one, relative to the others


def weights_of(
    left_out: Sequence[Floats], y: Floats, unit: float = 1.0, counts: Floats | None = None
) -> Floats:
    """(m,) w; values are in units whose square is ``unit``, labels count ``counts``, (l,)."""
    m = len(left_out)
    if m == 1:
        return np.ones(1)
    root = np.ones((len(y), 1)) if counts is None else np.sqrt(counts)[:, None]
    P = np.stack([(root * p).ravel() for p in left_out])
    G, b = P @ P.T / unit, P @ (root * y).ravel() / unit
    G[np.diag_indices(m)] += PULL
    heavy = HEAVY * float(G.max())
    upper = cholesky(G + heavy)
    w = nnls(upper, solve_triangular(upper, b + PULL / m + heavy, trans=1))[0]
    return np.asarray(w / w.sum())


def mixed(predictions: Sequence[Floats], weights: Floats) -> Floats:
    """sum_k w_k p_k, row by row over those that are not NaN; NaN where all are."""
    total, held = np.zeros_like(predictions[0]), np.zeros((len(predictions[0]), 1))
    for p, w in zip(predictions, weights, strict=True):
        there = ~np.isnan(p).any(axis=1, keepdims=True)
        weight = np.where(there, max(w, 1e-12), 0.0)
        total += weight * np.where(there, p, 0.0)
        held += weight
    return np.where(held > 0, total / np.where(held > 0, held, 1.0), np.nan)


def sharpened(p: Floats, temperature: float) -> Floats:
    """p^(1/T), rows scaled to sum to one."""
    if temperature == 1.0 or p.shape[1] == 0:
        return p
    top = p.max(axis=1, keepdims=True)
    q = (p / np.where(top > 0, top, 1.0)) ** (1.0 / temperature)
    return np.asarray(q / q.sum(axis=1, keepdims=True))


def temperature_of(left_out: Floats, y: Floats) -> float:
    """T of the mixture."""
    losses = [
        float(np.square(sharpened(left_out, T) - y).sum()) + PRIOR * float(np.log(T)) ** 2 for T in GRID
    ]
    return float(GRID[int(np.argmin(losses))])
