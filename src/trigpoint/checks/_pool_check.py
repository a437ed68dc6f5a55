"""What a check of a pool gives: findings, the worst first, each with its samples and what to do about it."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.checks._label_issues import LabelIssues

SEVERITIES = ("problem", "warning", "note")
KINDS = (  # the worst first
    "conflicts",
    "wrong_labels",
    "spellings",
    "leaks",
    "counting",
    "near_conflicts",
    "duplicates",
    "near_duplicates",
    "typos",
    "one_class",
    "many_classes",
    "unlabeled_parts",
    "isolated",
    "outliers",
    "few_labels",
    "imbalance",
    "parts",
    "constant",
    "repeated",
)
SHOWN = 5  # samples or groups of a finding that the text names


@dataclass(frozen=True, eq=False)
class Finding:
    """One thing that a check found.

    Attributes
    ----------
    kind : a name of `KINDS`
    severity : "problem", "warning" or "note"; a note may be as it should be
    sentence : what was found, in plain words
    count : how many labels, samples, groups, classes or columns
    samples : (m,) int64, the samples to look at, the most urgent first
    groups : samples that belong together: copies of each other, or parts of the graph
    classes : names of classes, in groups
    columns : positions of columns, in groups
    far : (m,) how many times the usual distance each sample is away; only for outliers
    action : the call, or the command, that acts on it
    """

    kind: str
    severity: str
    sentence: str
    count: int
    samples: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    groups: tuple[Ints, ...] = ()
    classes: tuple[tuple[Hashable, ...], ...] = ()
    columns: tuple[tuple[int, ...], ...] = ()
    far: Floats | None = None
    action: str = ""


@dataclass(frozen=True, eq=False)
class PoolCheck:
    """The health of a pool. `print` shows it as a page.

    Attributes
    ----------
    n_samples, n_labels : how many
    task : "classification", "regression", or None without labels
    findings : the worst first
    skipped : check -> why it was left out
    issues : LabelIssues, or None where labels could not be checked; classes of one spelling count as one
    suspects : (m,) int64, places in ``issues`` of the labels that look wrong, the most suspicious first
    labeled : (l,) int64, the samples with a label
    labels : (l,) or (l, d), the labels as given
    corrected : the labels with one spelling a class, and with the suggestion in place of each wrong one
    ids : (n,) names of the samples, or None: their positions
    columns : (p,) names of the columns, or None
    """

    n_samples: int
    n_labels: int
    task: str | None
    findings: tuple[Finding, ...]
    skipped: dict[str, str]
    issues: LabelIssues | None = None
    suspects: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    labeled: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    labels: Array | None = None
    corrected: Array | None = None
    ids: Array | None = None
    columns: tuple[str, ...] | None = None

    @property
    def healthy(self) -> bool:
        """Whether there is nothing but notes."""
        return all(finding.severity == "note" for finding in self.findings)

    @property
    def redundant(self) -> Ints:
        """Samples that are copies, exact or near, of one that stays: the first of each group."""
        extra = [
            group[1:]
            for finding in self.findings
            if finding.kind in ("duplicates", "near_duplicates")
            for group in finding.groups
        ]
        return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *extra]))

    def __getitem__(self, kind: str) -> Finding:
        """The finding of a kind; KeyError where there is none."""
        for finding in self.findings:
            if finding.kind == kind:
                return finding
        raise KeyError(kind)

    def __contains__(self, kind: object) -> bool:
        return any(finding.kind == kind for finding in self.findings)

    def name(self, sample: int) -> str:
        return str(sample if self.ids is None else self.ids[sample])

    def column(self, j: int) -> str:
        return f"column {j}" if self.columns is None else repr(self.columns[j])

    def label_of(self) -> dict[int, Any]:
        """sample -> its label as given."""
        if self.labels is None:
            return {}
        return dict(zip(self.labeled.tolist(), list(self.labels), strict=True))

    def __str__(self) -> str:
        return self.page()

    def page(self, shown: Callable[[int], str] | None = None, most: int = SHOWN) -> str:
        """The check as text; ``shown`` says what a person sees of a sample, in a few words."""
        return "\n".join(_page(self, shown, most))


def _page(check: PoolCheck, shown: Callable[[int], str] | None, most: int) -> list[str]:
    known = f", {check.n_labels} of them labeled" if check.n_labels else ", without labels"
    lines = [f"{check.n_samples} samples{known}. {headline(check)}"]
    labels = check.label_of()
    for finding in check.findings:
        lines += ["", f"{finding.severity}: {finding.sentence}"]
        items = details(check, finding, labels)
        for samples, words in items[:most]:
            lines.append(f"    {words}")
            if shown is not None:
                lines += [f"        {shown(sample)}" for sample in samples[:3]]
        if len(items) > most:
            lines.append(f"    and {len(items) - most} more")
        if finding.action:
            lines.append(f"    to act: {finding.action}")
    if check.skipped:
        lines += ["", "Not checked:"]
        lines += [f"    {name}: {why}" for name, why in check.skipped.items()]
    return lines


def headline(check: PoolCheck) -> str:
    """The whole in a sentence."""
    counts = [sum(f.severity == s for f in check.findings) for s in SEVERITIES]
    told = [
        f"{count} {severity}{'s' * (count > 1)}"
        for count, severity in zip(counts, SEVERITIES, strict=True)
        if count
    ]
    if not told:
        return "Nothing looks wrong."
    if check.healthy:
        return f"Nothing looks wrong; {told[0]} below."
    return f"Found {', '.join(told[:-1])}{' and ' if told[:-1] else ''}{told[-1]}."


def details(check: PoolCheck, finding: Finding, labels: dict[int, Any]) -> list[tuple[list[int], str]]:
    """Each sample, group, class or column of a finding: the samples, and a line about them."""
    if finding.kind == "wrong_labels" and check.issues is not None:
        return _wrong(check, check.issues)
    if finding.groups:
        apart = labels if "conflict" in finding.kind else {}
        return [(group[:SHOWN].tolist(), _group(check, group, apart)) for group in finding.groups]
    if finding.far is not None:
        return [
            ([sample], f"{check.name(sample)}: {far:.3g} times the usual distance")
            for sample, far in zip(finding.samples.tolist(), finding.far, strict=True)
        ]
    if finding.columns:
        return [([], " = ".join(check.column(j) for j in group)) for group in finding.columns]
    if finding.classes:
        return [([], ", ".join(repr(name) for name in group)) for group in finding.classes]
    return [([sample], check.name(sample)) for sample in finding.samples.tolist()]


def _wrong(check: PoolCheck, issues: LabelIssues) -> list[tuple[list[int], str]]:
    lines = []
    for place in check.suspects.tolist():
        sample, sure = int(issues.samples[place]), float(issues.suggested_probability[place])
        likely = f" ({sure:.0%})" if np.isfinite(sure) else ""
        given, other = _word(issues.labels[place]), _word(issues.suggested[place])
        told = f"{given}, perhaps {other}{likely}" if given != other else f"{given}, which is doubtful"
        lines.append(([sample], f"{check.name(sample)}: {told}"))
    return lines


def _group(check: PoolCheck, group: Ints, labels: dict[int, Any]) -> str:
    members = [
        check.name(i) + (f" {_word(labels[i])}" if i in labels else "") for i in group[:SHOWN].tolist()
    ]
    more = f" and {len(group) - SHOWN} more" if len(group) > SHOWN else ""
    return ", ".join(members) + more


def _word(label: Any) -> str:
    """
    >>> _word(np.float64(2.5)), _word("cat"), _word(np.array([1.0, 2.0]))
    ('2.5', "'cat'", '(1, 2)')
    """
    if isinstance(label, np.ndarray):
        return f"({', '.join(f'{value:.4g}' for value in label)})"
    plain = label.item() if isinstance(label, np.generic) else label
    return f"{plain:.4g}" if isinstance(plain, float) else repr(plain)
