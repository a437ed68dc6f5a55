"""How wrong the labels for the rest are now, and what more labels would bring.

Labels that were asked for where the uncertainty is largest say little about the rest. So a share of the
questions, the *audit*, goes to samples drawn at random, and a person may tell of others that were. Each of
these is predicted as if its own label were not known (`_beliefs`). `_interval` says what follows for the
rest.

What the next labels bring: the mean uncertainty fell from D(l / 2) with the first half of the labels to
D(l) with all of them, so as l^-b, b = log2(D(l / 2) / D(l)), and the error is taken to go on falling like
that: a rough guide.
"""

from dataclasses import dataclass

import numpy as np

from trigpoint._types import Floats, Ints
from trigpoint.learner._interval import Chosen, class_interval, value_interval
from trigpoint.learner._own_model import Said
from trigpoint.propagation import classify


@dataclass(frozen=True)
class StopAdvice:
    """An estimate of the current error and of what more labels would bring.

    Attributes
    ----------
    error : share of the unlabeled samples that are labeled wrongly; a set of tags is wrong if it is not
        exactly the true one. For real targets, the root mean squared error. NaN without an audit.
    low, high : a 90 % interval for it
    n_labels : labels told so far
    n_audits : how many of them were drawn at random, by the learner or by who told them with ``random=True``
    n_wrong : how many of these are predicted wrongly without their own label; None for real targets
    next_labels, expected_error : the error to expect after that many more labels; NaN for real targets
    """

    error: float
    low: float
    high: float
    n_labels: int
    n_audits: int
    n_wrong: int | None
    next_labels: int
    expected_error: float

    @property
    def expected_gain(self) -> float:
        """By how much the error is expected to fall."""
        return self.error - self.expected_error

    def __str__(self) -> str:
        if self.n_audits == 0:
            return f"{self.n_labels} labels, none of them drawn at random: the error is unknown."
        checks = f"random check{'s' * (self.n_audits > 1)}"
        if self.n_wrong is None:
            text = f"{self.n_labels} labels, {self.n_audits} {checks}: "
        else:
            text = (
                f"{self.n_labels} labels, {self.n_audits - self.n_wrong} of {self.n_audits} {checks} right: "
            )
        if np.isnan(self.error):
            return text + "the error is unknown."
        text += f"error {self.error:.3g}, 90 % interval {self.low:.3g} to {self.high:.3g}"
        if self.next_labels == 0 or np.isnan(self.expected_error):
            return text + "."
        return text + f"; with {self.next_labels} more labels it may become {self.expected_error:.3g}."


def class_error(now: Said, audits: Ints, chances: Floats) -> tuple[float, float, float, int]:
    """Share of wrong labels among the unlabeled samples, its interval, and how many audits are wrong.

    ``chances`` are those of the audits to be chosen, had they not been drawn.
    """
    if len(audits) == 0 and len(now.known.landmarks) < len(now.values):
        return np.nan, 0.0, 1.0, 0
    rest = np.ones(len(now.values), dtype=bool)
    rest[now.known.landmarks] = False
    said = classify(now.left_out)
    wrong, doubts = said.numbers != now.known.values.argmax(axis=1), said.uncertainty
    chosen = Chosen(chances, np.delete(wrong, audits), np.delete(doubts, audits))
    unlabeled = classify(now.values[rest]).uncertainty
    return *class_interval(wrong[audits], doubts[audits], unlabeled, chosen), int(wrong[audits].sum())


def value_error(now: Said, audits: Ints) -> tuple[float, float, float]:
    """Root mean squared error of the values of the unlabeled samples, and its interval."""
    squares = np.square(now.left_out - now.known.values).mean(axis=1)  # NaN where no other label reaches
    drawn, chosen = squares[audits], np.delete(squares, audits)
    n_rest = len(now.values) - len(now.known.landmarks)
    return value_interval(drawn[~np.isnan(drawn)], chosen[~np.isnan(chosen)], n_rest)


def expected_error(half: Said, now: Said, error: float, more: int) -> float:
    """The error after ``more`` labels, if it goes on falling as the mean uncertainty did since ``half``."""
    count = len(now.known.landmarks)
    if len(half.known.landmarks) < 2 or np.isnan(error):
        return error
    before, later = mean_uncertainty(half), mean_uncertainty(now)
    rate = max(0.0, np.log2(before / later)) if later > 0 else 1.0
    return float(error * (count / (count + more)) ** rate)


def mean_uncertainty(now: Said) -> float:
    return float(now.doubts().mean())
