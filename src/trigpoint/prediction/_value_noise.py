"""How many real values are wrong, and which, by what others say of them.

With z_i what the mixture says of value y_i without knowing it, m and v mean and variance of all values, a
value is right with density N(y_i; z_i, u). It is wrong, as if it were that of another sample, with density
N(y_i; m, v):

    P(y_i) = (1 - e) N(y_i; z_i, u) + e N(y_i; m, v),     w_i = (1 - e) N(y_i; z_i, u) / P(y_i).

The share e and u maximize the likelihood (expectation and maximization). Of several targets all are right or
all are wrong. Noise is believed if it raises the likelihood by more than log l (two parameters, e and u)
against errors without wrong values that are Gaussian, or have the longer tails of Laplace.
The interval of e is that of the likelihood, u fixed.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special  # not stats, which takes half a second to import

from trigpoint._types import Floats
from trigpoint.prediction._label_noise import DROP, FIRST

STEPS = 50
LEAST = 6  # values; fewer do not tell
SHARES = np.concatenate([[0.0], np.geomspace(1e-4, 0.99, 200)])


@dataclass(frozen=True, eq=False)
class ValueNoise:
    """What is known of wrong values.

    Attributes
    ----------
    share : e; NaN if there are too few values
    low, high : a 90 % interval for it
    right : (l,) w
    gain : of the likelihood, beyond what is asked for; noise is believed if it is positive
    """

    share: float
    low: float
    high: float
    right: Floats
    gain: float


def value_noise(values: Floats, left_out: Floats, share: float | None = None) -> ValueNoise:
    """Find e, u and w from (l, d) values, and what is said of each without knowing it; e may be known."""
    count, there = len(values), ~np.isnan(left_out).any(axis=1)
    v = values.var(axis=0)
    told = v > 0
    if there.sum() < LEAST or not told.any():
        return ValueNoise(np.nan, 0.0, 1.0, np.ones(count), -np.inf)
    y, z, v = values[there][:, told], left_out[there][:, told], v[told]
    wrong = _log_density(y, values[:, told].mean(axis=0), v)
    e = FIRST if share is None else share
    tiny = 1e-9 * v
    u = np.minimum(np.median(np.square(y - z), axis=0) / 0.455 + tiny, v)
    for _ in range(STEPS):
        w = _right(_log_density(y, z, u), wrong, e)
        u = np.minimum((w[:, None] * np.square(y - z)).sum(axis=0) / max(w.sum(), 1e-9) + tiny, v)
        e = float(1.0 - w.mean()) if share is None else share
    right = _log_density(y, z, u)
    gaps = np.abs(y - z)
    size = gaps.mean(axis=0) + tiny**0.5
    laplace = -(gaps / size + np.log(2.0 * size)).sum()
    plain = max(laplace, _log_density(y, z, np.square(gaps).mean(axis=0) + tiny).sum())
    best = _likelihood(right, wrong, e)
    held = SHARES[[_likelihood(right, wrong, each) >= best - DROP for each in SHARES.tolist()]]
    low, high = (held.min(), held.max()) if share is None and len(held) else (e, e)
    found = np.ones(count)
    found[there] = _right(right, wrong, e)
    return ValueNoise(e, float(low), float(high), found, float(best - plain - np.log(len(y))))


def _log_density(y: Floats, middle: Floats, variance: Floats) -> Floats:
    """(l,) of all targets together."""
    squares = np.square(y - middle) / variance + np.log(2.0 * np.pi * variance)
    return np.asarray(-0.5 * squares.sum(axis=1))


def _right(right: Floats, wrong: Floats, e: float) -> Floats:
    if e == 0.0:
        return np.ones(len(right))
    return np.asarray(special.expit(np.log1p(-e) + right - np.log(e) - wrong))


def _likelihood(right: Floats, wrong: Floats, e: float) -> float:
    with np.errstate(divide="ignore"):
        return float(np.logaddexp(np.log1p(-e) + right, np.log(e) + wrong).sum())
