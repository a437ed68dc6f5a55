"""How wrong the labels for the rest are now, and what more labels would bring.

Labels that were asked for where the uncertainty is largest say little about the rest. So a share of the
questions, the *audit*, goes to samples drawn at random, and each of those is predicted as if its own label
were not known (`_beliefs`). Of m audits, w are wrong in that sense; so is a share e of the whole pool,
somewhere in the interval of Clopper and Pearson,

    [ quantile 0.05 of Beta(w, m - w + 1),  quantile 0.95 of Beta(w + 1, m - w) ].

Of these n e samples, W are labeled, and so not wrong any more: questions go to the hard ones. That
leaves (n e - W) / (n - l) as the error of the rest. A label that no other reaches counts as wrong. For real
targets, with s^2 the mean squared residual of the audits, the interval is s sqrt(m / chi^2_m), as if
residuals were Gaussian; audits that no other label reaches are left out there.

What the next labels bring: the mean uncertainty fell from D(l / 2) with the first half of the labels to
D(l) with all of them, so as l^-b, b = log2(D(l / 2) / D(l)), and the error is taken to go on falling like
that: a rough guide.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special  # not stats, which takes half a second to import

from trigpoint._types import Ints
from trigpoint.learner._beliefs import Beliefs
from trigpoint.propagation import classify

CONFIDENCE = 0.9


@dataclass(frozen=True)
class StopAdvice:
    """An estimate of the current error and of what more labels would bring.

    Attributes
    ----------
    error : share of the unlabeled samples that are labeled wrongly; for real targets, the root mean
        squared error. NaN without an audit.
    low, high : a 90 % interval for it
    n_labels : labels told so far
    n_audits : how many of them were drawn at random, the cost of this estimate in labels
    next_labels, expected_error : the error to expect after that many more labels; NaN for real targets
    """

    error: float
    low: float
    high: float
    n_labels: int
    n_audits: int
    next_labels: int
    expected_error: float

    @property
    def expected_gain(self) -> float:
        """By how much the error is expected to fall."""
        return self.error - self.expected_error

    def __str__(self) -> str:
        if np.isnan(self.error):
            return f"{self.n_labels} labels, no audit among them: the error is unknown."
        text = (
            f"{self.n_labels} labels ({self.n_audits} of them audits): error {self.error:.3g}, "
            f"90 % interval {self.low:.3g} to {self.high:.3g}"
        )
        if self.next_labels == 0 or np.isnan(self.expected_error):
            return text + "."
        return text + f"; with {self.next_labels} more labels it may become {self.expected_error:.3g}."


def class_error(now: Beliefs, audits: Ints) -> tuple[float, float, float]:
    """Share of wrong labels among the unlabeled samples, and its interval."""
    n, count, m = len(now.values), len(now.known.landmarks), len(audits)
    if count == n:
        return 0.0, 0.0, 0.0
    if m == 0:
        return np.nan, 0.0, 1.0
    guessed = np.nan_to_num(now.left_out, nan=-1.0)
    wrong = (guessed.max(axis=1) < 0) | (guessed.argmax(axis=1) != now.known.values.argmax(axis=1))
    w, labeled = int(wrong[audits].sum()), int(wrong.sum())  # labeled is W
    tail = 0.5 * (1.0 - CONFIDENCE)
    low = special.betaincinv(w, m - w + 1, tail) if w > 0 else 0.0
    high = special.betaincinv(w + 1, m - w, 1.0 - tail) if w < m else 1.0
    error, low, high = (float(np.clip((n * e - labeled) / (n - count), 0.0, 1.0)) for e in (w / m, low, high))
    return error, low, high


def value_error(now: Beliefs, audits: Ints) -> tuple[float, float, float]:
    """Root mean squared residual of the audited values, and its interval."""
    if len(now.known.landmarks) == len(now.values):
        return 0.0, 0.0, 0.0
    residuals = (now.left_out - now.known.values)[audits]
    residuals = residuals[~np.isnan(residuals).any(axis=1)]
    m = len(residuals)  # targets of one sample tell no more than one does
    if m == 0:
        return np.nan, 0.0, np.inf
    s = float(np.sqrt(np.mean(residuals**2)))
    tail = 0.5 * (1.0 - CONFIDENCE)
    most, least = 2.0 * special.gammaincinv(0.5 * m, [1.0 - tail, tail])  # quantiles of chi^2_m
    return s, s * float(np.sqrt(m / most)), s * float(np.sqrt(m / least))


def expected_error(half: Beliefs, now: Beliefs, error: float, more: int) -> float:
    """The error after ``more`` labels, if it goes on falling as the mean uncertainty did since ``half``."""
    count = len(now.known.landmarks)
    if len(half.known.landmarks) < 2 or np.isnan(error):
        return error
    before, later = mean_uncertainty(half), mean_uncertainty(now)
    rate = max(0.0, np.log2(before / later)) if later > 0 else 1.0
    return float(error * (count / (count + more)) ** rate)


def mean_uncertainty(now: Beliefs) -> float:
    return float(classify(now.values).uncertainty.mean())
