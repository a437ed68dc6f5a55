"""Means with their confidence, and comparisons paired over trials.

Of m trials with mean x and standard deviation s the interval is x ± t s / sqrt(m), t the 97.5 % point of
Student's distribution with m - 1 degrees of freedom. Two methods are compared on the same trials, by the
interval of their differences.
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
    """-1 where a is below b beyond doubt (95 %, paired), 1 where above, 0 where neither."""
    both = np.isfinite(a) & np.isfinite(b)
    if both.sum() < 2:
        return 0
    difference = estimate(np.asarray(a)[both] - np.asarray(b)[both])
    if difference.mean + difference.ci95 < 0:
        return -1
    return 1 if difference.mean - difference.ci95 > 0 else 0
