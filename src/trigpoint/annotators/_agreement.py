"""How far annotators agree where several have labeled the same sample.

Krippendorff's alpha = 1 - D_o / D_e over the n labels of samples u that have m_u >= 2 of them,

    D_o = 1/n  sum_u  sum_{i != j in u} d(i, j) / (m_u - 1),     D_e = 1 / (n (n - 1))  sum_{i != j} d(i, j):

1 where all agree, 0 where it is chance. For classes d = [i != j], for a real target d = (i - j)^2; of several
targets the mean of their alphas. Where all labels are the same there is nothing to tell (None).

Classes are counted as they come: their figures cost the same however many samples there are.

Klaus Krippendorff, Content Analysis, 4th ed., 2018, chapter 12.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from operator import gt
from typing import Any, TypeAlias

import numpy as np

from trigpoint._types import Floats, Ints

Value: TypeAlias = str | tuple[float, ...] | tuple[str, ...]  # a class, real targets, or tags

CLOSE = 0.1  # real values agree when they lie within this share of the range of all


@dataclass(frozen=True)
class Agreement:
    """Share of pairs that agree, alpha, and out of how many pairs and samples."""

    share: float
    alpha: float | None
    pairs: int
    samples: int


class ClassAgreement:
    """Agreement on classes, kept up to date in whole numbers."""

    def __init__(self) -> None:
        self._units: dict[int, Counter[Hashable]] = {}
        self._totals: Counter[Hashable] = Counter()
        self._apart: Counter[int] = Counter()  # m -> ordered pairs that differ, in samples with m labels
        self._pairs = 0

    def put(self, sample: int, values: Sequence[Hashable]) -> None:
        """The labels of a sample, in place of those it had."""
        self._count(self._units.pop(sample, Counter()), -1)
        if len(values) > 1:
            self._units[sample] = Counter(values)
            self._count(self._units[sample], 1)

    def differ(self, sample: int) -> bool:
        return len(self._units.get(sample, ())) > 1

    def figures(self) -> Agreement | None:
        if not self._units:
            return None
        n = sum(self._totals.values())
        observed = sum(pairs / (m - 1) for m, pairs in self._apart.items()) / n
        expected = (n * n - sum(count * count for count in self._totals.values())) / (n * (n - 1))
        alpha = 1.0 - observed / expected if expected > 0 else None
        share = 1.0 - self._apart.total() / 2 / self._pairs
        return Agreement(share, alpha, self._pairs, len(self._units))

    def _count(self, unit: Counter[Hashable], sign: int) -> None:
        m = unit.total()
        if m:
            self._pairs += sign * (m * (m - 1) // 2)
            self._apart[m] += sign * (m * m - sum(count * count for count in unit.values()))
            for value, count in unit.items():
                self._totals[value] += sign * count


class ValueAgreement:
    """Agreement on real targets, computed when asked for."""

    def __init__(self) -> None:
        self._units: dict[int, Floats] = {}
        self._spreads: dict[int, list[float]] = {}  # half of the widest gap in a sample, of each target
        self._limits: list[float] | None = None  # half of the widest gap that is still close
        self._figures: Agreement | None = None

    def put(self, sample: int, values: Sequence[Any]) -> None:
        """The labels of a sample, in place of those it had."""
        had = self._units.pop(sample, None) is not None
        self._spreads.pop(sample, None)
        if len(values) > 1:
            unit = self._units[sample] = np.array(values, dtype=float)
            self._spreads[sample] = _half_range(unit)
        if had or len(values) > 1:
            self._limits = self._figures = None

    def differ(self, sample: int) -> bool:
        """Whether two labels of the sample lie farther apart than a tenth of the range, in any target."""
        spread = self._spreads.get(sample)
        return spread is not None and any(map(gt, spread, self._close()))

    def figures(self) -> Agreement | None:
        if self._figures is None and self._units:
            values = np.concatenate(list(self._units.values()))
            sizes = np.array([len(unit) for unit in self._units.values()])
            share, pairs = _close_pairs(values, sizes, np.array(self._close()))
            self._figures = Agreement(share, _interval_alpha(values, sizes), pairs, len(sizes))
        return self._figures

    def _close(self) -> list[float]:
        if self._limits is None:
            self._limits = [CLOSE * half for half in _half_range(np.concatenate(list(self._units.values())))]
        return self._limits


def _half_range(values: Floats) -> list[float]:
    """Half of it, since the whole may be too large for a float."""
    halves: list[float] = (values.max(axis=0) / 2 - values.min(axis=0) / 2).tolist()
    return halves


def _close_pairs(values: Floats, sizes: Ints, limits: Floats) -> tuple[float, int]:
    """Share of pairs within a sample that lie close, and how many pairs there are."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    close = pairs = 0
    for step in range(1, int(sizes.max())):
        same = owner[step:] == owner[:-step]
        gaps = np.abs(values[step:][same] / 2 - values[:-step][same] / 2)
        close += int((gaps <= limits).all(axis=1).sum())
        pairs += int(same.sum())
    return close / pairs, pairs


def _interval_alpha(values: Floats, sizes: Ints) -> float | None:
    """Within a sample sum_{i != j} (v_i - v_j)^2 = 2 m sum_i (v_i - mean)^2; so for all labels as well."""
    size = np.abs(values).max(axis=0)
    values = values / np.where(size > 0, size, 1.0)  # squares of any label fit
    starts = np.cumsum(sizes) - sizes
    means = np.add.reduceat(values, starts) / sizes[:, None]
    inside = np.add.reduceat((values - np.repeat(means, sizes, axis=0)) ** 2, starts)
    observed = (inside * (sizes / (sizes - 1.0))[:, None]).sum(axis=0) / len(values)
    expected = ((values - values.mean(axis=0)) ** 2).sum(axis=0) / (len(values) - 1)
    told: Any = np.ptp(values, axis=0) > 0
    return float((1.0 - observed[told] / expected[told]).mean()) if told.any() else None
