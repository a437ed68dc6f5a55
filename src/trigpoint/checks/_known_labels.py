"""Labels as they come, of any kind, made ready to be checked.

Labels of several kinds may stand side by side here (3 and "3"): that is one of the things to find. A label is
unknown where it is -1, None or NaN.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_label, check_pool_values
from trigpoint.checks._label_issues import LabelIssues
from trigpoint.checks._spellings import same_spelling
from trigpoint.propagation import label_array

TRUSTED = 0.9  # how likely a label is right
LARGEST = 20_000_000  # probabilities, one for each label and class


@dataclass(frozen=True, eq=False)
class Known:
    """Labels of some samples.

    Attributes
    ----------
    task : "classification" or "regression"
    samples : (l,) int64
    labels : (l,) or (l, d), as given
    values : (l,) int64 class numbers, or (l, d) real values
    classes : names by class number; () for real values
    """

    task: str
    samples: Ints
    labels: Array
    values: Array
    classes: tuple[Hashable, ...] = ()

    @cached_property
    def counts(self) -> Ints:
        """Labels of each class."""
        return np.bincount(self.values, minlength=len(self.classes))

    @cached_property
    def spellings(self) -> list[list[int]]:
        return same_spelling(self.classes, self.counts)

    @cached_property
    def spelled(self) -> Ints:
        """Class number -> that of its most frequent spelling."""
        found = np.arange(len(self.classes))
        for head, *others in self.spellings:
            found[others] = head
        return found

    def codes(self, n: int) -> Ints:
        """(n,) class numbers of all samples, -1 where there is no label; one number a spelling."""
        found = np.full(n, -1, dtype=np.int64)
        found[self.samples] = self.spelled[self.values]
        return found

    def targets(self, places: Ints) -> Floats:
        """(m, d) some of the labels as numbers; classes as one-hot rows."""
        if self.task == "regression":
            return np.asarray(self.values[places])
        kept, codes = np.unique(self.spelled[self.values[places]], return_inverse=True)
        return np.eye(len(kept))[codes]

    @cached_property
    def obstacle(self) -> str:
        """Why the labels cannot say which of them are wrong; "" where they can."""
        if self.task == "regression":
            return "" if len(self.samples) >= 3 else "it takes at least 3 labels"
        k, count = len(np.unique(self.spelled)), len(self.samples)
        if k == 1:
            return "all labels are of one class"
        if count < 2 * k:
            return f"{count} labels of {k} classes are too few; it takes 2 a class"
        if count * k > LARGEST:
            return f"{k} classes are too many for {count} labels"
        return ""

    @property
    def checkable(self) -> bool:
        return not self.obstacle

    def suspects(self, issues: LabelIssues | None) -> Ints:
        """Places of labels that are more likely wrong than right, the most suspicious first."""
        if issues is None:
            return np.empty(0, dtype=np.int64)
        if self.task == "regression":
            return issues.ranked[: len(issues.wrong)]
        return issues.ranked[(issues.judged & (issues.quality < 0.5))[issues.ranked]]

    def trusted(self, issues: LabelIssues | None) -> Ints:
        """Places of labels that the others do not doubt."""
        if issues is None or self.task == "regression":
            return np.setdiff1d(np.arange(len(self.samples)), self.suspects(issues))
        return np.flatnonzero(issues.quality >= TRUSTED)

    def corrected(self, issues: LabelIssues | None) -> Array:
        """The labels with one spelling a class, and with the suggestion in place of each wrong one."""
        found = self.labels.copy()
        if self.task == "classification":
            found = found.astype(object)
            for place in np.flatnonzero(self.spelled[self.values] != self.values).tolist():
                found[place] = self.classes[self.spelled[self.values[place]]]
        if issues is not None:
            for place in self.suspects(issues).tolist():
                found[place] = issues.suggested[place]
        return found


def known_labels(labels: Any, n: int, task: str | None) -> Known:
    """The labels of a pool of n samples; ``task`` None: numbers that are not whole are real targets."""
    given = label_array(labels)
    if given.shape[:1] != (n,):
        raise InputError("labels", f"must be one for each of {n} samples", f"shape {given.shape}")
    if task is None:
        real = given.dtype.kind == "f" and bool((given != np.rint(given))[np.isfinite(given)].any())
        task = "regression" if given.ndim == 2 or real else "classification"
    return _values(given, n) if task == "regression" else _classes(given)


def _values(given: Array, n: int) -> Known:
    values = check_pool_values(given, n).reshape(n, -1)
    samples = np.flatnonzero(~np.isnan(values).any(axis=1))
    _check_some(len(samples), n)
    return Known("regression", samples, values[samples].reshape(-1, *given.shape[1:]), values[samples])


def _classes(given: Array) -> Known:
    if given.ndim != 1:
        raise InputError("labels", "must hold one class per sample", f"shape {given.shape}")
    if given.dtype.kind == "f" and not np.array_equal(given, np.rint(given), equal_nan=True):
        raise InputError(
            "labels", "must hold classes for task='classification'", "numbers that are not whole"
        )
    numbers = given.dtype.kind in "iuf"
    whole = given.astype(np.int64) if given.dtype.kind == "f" and not np.isnan(given).any() else given
    codes: dict[Hashable, int] = {}
    samples, values = [], []
    for i, label in enumerate(whole.tolist()):
        if _unknown(label):
            continue
        name = int(label) if numbers else check_label(label, "labels", "must hold classes")
        samples.append(i)
        values.append(codes.setdefault(name, len(codes)))
    _check_some(len(samples), len(given))
    names = sorted(codes, key=lambda name: (str(name), type(name).__name__))
    rank = np.empty(len(names), dtype=np.int64)
    rank[[codes[name] for name in names]] = np.arange(len(names))
    places = np.array(samples, dtype=np.int64)
    return Known("classification", places, given[places], rank[values], tuple(names))


def _unknown(label: Any) -> bool:
    try:
        return label is None or bool(label != label) or (not isinstance(label, str) and bool(label == -1))
    except (TypeError, ValueError):  # pandas' NA does not compare
        return True


def _check_some(count: int, n: int) -> None:
    if count == 0:
        raise InputError("labels", f"must hold at least one label; all {n} are unlabeled (-1, None or NaN)")
