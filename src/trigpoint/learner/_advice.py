"""How wrong the labels for the rest are now, and what more labels would bring.

Labels that were asked for where the uncertainty is largest say little about the rest. So a share of the
questions, the *audit*, goes to samples drawn at random, and each of those is predicted as if its own label
were not known. With L the labeled samples, the effective matrix among them is

    M = phi_LL - phi_LU phi_UU^-1 phi_UL,     z_k without k's label = -sum_{j != k} M_kj z_j / M_kk,

so one propagation with a column for each gives them all. Of m audits, w are wrong in that sense; so is a
share e of the whole pool, somewhere in the interval of Clopper and Pearson,

    [ quantile 0.05 of Beta(w, m - w + 1),  quantile 0.95 of Beta(w + 1, m - w) ].

Of these n e samples, W are labeled, and so not wrong any more: questions go to the hard ones. That
leaves (n e - W) / (n - l) as the error of the rest. W is counted on all labels, or on the audits and a
sample of the others where there are many. For real targets, with s^2 the mean squared residual of the
audits, the interval is s sqrt(m / chi^2_m), as if residuals were Gaussian; audits that no other label
reaches are left out there.

What the next labels bring: the mean uncertainty fell from D(l / 2) with the first half of the labels to
D(l) with all of them, so as l^-b, b = log2(D(l / 2) / D(l)), and the error is taken to go on falling like
that: a rough guide.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special  # not stats, which takes half a second to import

from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.learner._beliefs import Known, flat_probabilities, propagated

CONFIDENCE = 0.9
MOST = 100  # labels, beside the audits, that are looked at
COLUMNS = 128  # that are propagated at a time


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


def left_out(phi: Sparse, known: Known, audits: Ints) -> Floats:
    """(m, d) values of the landmarks at these places, each without its own label; NaN where none is left."""
    blocks = [audits[k : k + COLUMNS] for k in range(0, len(audits), COLUMNS)]
    M = np.concatenate([_effective_rows(phi, known.landmarks, block) for block in blocks])  # (m, l)
    own = M[np.arange(len(audits)), audits]
    others = M @ known.values - own[:, None] * known.values[audits]
    reach = np.abs(own) > 1e-12 * np.maximum(phi.diagonal()[known.landmarks[audits]], 1e-300)
    return np.where(reach[:, None], -others / np.where(reach, own, 1.0)[:, None], np.nan)


def _effective_rows(phi: Sparse, landmarks: Ints, places: Ints) -> Floats:
    """Rows of M; the product of phi with the values that spread from one landmark, at all of them."""
    indicator = np.zeros((len(landmarks), len(places)))
    indicator[places, np.arange(len(places))] = 1.0
    return np.asarray((phi @ np.nan_to_num(propagated(phi, Known(landmarks, indicator, ()))))[landmarks].T)


def class_error(phi: Sparse, known: Known, audits: Ints) -> tuple[float, float, float]:
    """Share of wrong labels among the unlabeled samples, and its interval."""
    n, count, m = phi.shape[0], len(known.landmarks), len(audits)
    if count == n:
        return 0.0, 0.0, 0.0
    if m == 0:
        return np.nan, 0.0, 1.0
    others = np.setdiff1d(np.arange(count), audits)
    looked_at = np.random.default_rng(0).permutation(others)[:MOST]
    wrong = _wrong(phi, known, np.concatenate([audits, looked_at]))
    w = int(wrong[:m].sum())
    labeled = w + (len(others) * wrong[m:].mean() if len(looked_at) else 0.0)  # W
    tail = 0.5 * (1.0 - CONFIDENCE)
    low = special.betaincinv(w, m - w + 1, tail) if w > 0 else 0.0
    high = special.betaincinv(w + 1, m - w, 1.0 - tail) if w < m else 1.0
    error, low, high = (float(np.clip((n * e - labeled) / (n - count), 0.0, 1.0)) for e in (w / m, low, high))
    return error, low, high


def _wrong(phi: Sparse, known: Known, places: Ints) -> Array:
    """Whether each of these labels would be guessed wrongly by the others."""
    guessed = np.nan_to_num(left_out(phi, known, places), nan=-1.0)
    unknown = guessed.max(axis=1, initial=-1.0) < 0
    return np.asarray(unknown | (guessed.argmax(axis=1) != known.values[places].argmax(axis=1)))


def value_error(phi: Sparse, known: Known, audits: Ints) -> tuple[float, float, float]:
    """Root mean squared residual of the audited values, and its interval."""
    if len(known.landmarks) == phi.shape[0]:
        return 0.0, 0.0, 0.0
    residuals = left_out(phi, known, audits) - known.values[audits] if len(audits) else np.empty((0, 1))
    residuals = residuals[~np.isnan(residuals).any(axis=1)]
    m = len(residuals)  # targets of one sample tell no more than one does
    if m == 0:
        return np.nan, 0.0, np.inf
    s = float(np.sqrt(np.mean(residuals**2)))
    tail = 0.5 * (1.0 - CONFIDENCE)
    most, least = 2.0 * special.gammaincinv(0.5 * m, [1.0 - tail, tail])  # quantiles of chi^2_m
    return s, s * float(np.sqrt(m / most)), s * float(np.sqrt(m / least))


def expected_error(phi: Sparse, known: Known, error: float, more: int) -> float:
    """The error after ``more`` labels, if it goes on falling as the mean uncertainty did."""
    count = len(known.landmarks)
    if count < 4 or np.isnan(error):
        return error
    half = Known(known.landmarks[: count // 2], known.values[: count // 2], known.classes)
    before, now = (_mean_uncertainty(flat_probabilities(phi, k)) for k in (half, known))
    rate = max(0.0, np.log2(before / now)) if now > 0 else 1.0
    return float(error * (count / (count + more)) ** rate)


def _mean_uncertainty(probability: Floats) -> float:
    return float((1.0 - probability.max(axis=1)).mean()) if probability.shape[1] else 1.0
