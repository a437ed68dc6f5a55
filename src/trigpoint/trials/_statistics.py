"""Means with their confidence, and comparisons paired over trials.

Of m trials with mean x and standard deviation s the interval is x ± t s / sqrt(m), t the 97.5 % point of
Student's distribution with m - 1 degrees of freedom. Two methods are compared on the same trials, by the
interval of their differences, or of their ratio (Fieller, 1954): all theta with which mean(a - theta b) is 0
within its own interval, the solutions of

    (B^2 - t^2 s_bb) theta^2 - 2 (A B - t^2 s_ab) theta + (A^2 - t^2 s_aa) <= 0,

A and B the means, s the covariances of these means. It has no end where B may be 0. The ratio over several
cells is the geometric mean of theirs; its interval is that of the jackknife over trials, on logarithms, since
a trial's cells are not independent.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from trigpoint._types import Floats


@dataclass(frozen=True)
class Estimate:
    mean: float
    ci95: float  # half the width of the interval; NaN of one trial
    trials: int


def estimate(values: Floats) -> Estimate:
    """The mean of trials, those that are NaN left out."""
    values = np.asarray(values, dtype=float)
    values = values[np.isfinite(values)]
    m = len(values)
    if m == 0:
        return Estimate(np.nan, np.nan, 0)
    if m == 1:
        return Estimate(float(values[0]), np.nan, 1)
    half = stats.t.ppf(0.975, m - 1) * values.std(ddof=1) / np.sqrt(m)
    return Estimate(float(values.mean()), float(half), m)


def verdict(a: Floats, b: Floats) -> int:
    """-1 where a is below b with 95 % confidence (paired), 1 where above, 0 where neither."""
    both = np.isfinite(a) & np.isfinite(b)
    if both.sum() < 2:
        return 0
    difference = estimate(np.asarray(a)[both] - np.asarray(b)[both])
    if difference.mean + difference.ci95 < 0:
        return -1
    return 1 if difference.mean - difference.ci95 > 0 else 0


@dataclass(frozen=True)
class Ratio:
    value: float
    low: float  # of the 95 % interval; NaN of one trial
    high: float


def ratio(a: Floats, b: Floats) -> Ratio:
    """The mean of a over that of b, paired; NaN of nothing, and of 0 / 0."""
    both = np.isfinite(a) & np.isfinite(b)
    a, b = np.asarray(a, dtype=float)[both], np.asarray(b, dtype=float)[both]
    m = len(a)
    if m == 0 or b.mean() == 0:
        return Ratio(np.nan, np.nan, np.nan)
    A, B = a.mean(), b.mean()
    if m == 1:
        return Ratio(float(A / B), np.nan, np.nan)
    (s_aa, s_ab), (_, s_bb) = stats.t.ppf(0.975, m - 1) ** 2 * np.cov(a, b) / m
    lead, half, last = B**2 - s_bb, A * B - s_ab, A**2 - s_aa
    if lead <= 0:
        return Ratio(float(A / B), 0.0, np.inf)
    root = np.sqrt(max(half**2 - lead * last, 0.0))
    return Ratio(float(A / B), max(float((half - root) / lead), 0.0), float((half + root) / lead))


def overall_ratio(a: Floats, b: Floats, floor: float) -> Ratio:
    """The geometric mean over cells of the ratios of means; a and b are (cells, trials).

    Means below ``floor``, the least that the trials could tell from 0, count as the floor.
    """
    both = np.isfinite(a).all(axis=0) & np.isfinite(b).all(axis=0)
    a, b = a[:, both], b[:, both]
    m = a.shape[1]
    if m == 0:
        return Ratio(np.nan, np.nan, np.nan)
    value = _mean_log_ratio(a, b, floor)
    if m == 1:
        return Ratio(float(np.exp(value)), np.nan, np.nan)
    without = [_mean_log_ratio(np.delete(a, k, axis=1), np.delete(b, k, axis=1), floor) for k in range(m)]
    half = estimate(m * value - (m - 1) * np.array(without)).ci95  # of the pseudovalues
    return Ratio(float(np.exp(value)), float(np.exp(value - half)), float(np.exp(value + half)))


def _mean_log_ratio(a: Floats, b: Floats, floor: float) -> float:
    means = [np.maximum(part.mean(axis=1), floor) for part in (a, b)]
    return float(np.mean(np.log(means[0]) - np.log(means[1])))
