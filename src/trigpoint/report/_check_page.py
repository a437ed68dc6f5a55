"""The health of a pool as a page: a section for each finding, with the samples to look at."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from trigpoint.checks import Finding, PoolCheck, details, headline
from trigpoint.report._contents import Sample
from trigpoint.report._gallery import gallery
from trigpoint.report._render import rendered
from trigpoint.report._sections import repeated
from trigpoint.report._words import counted

TITLES = {
    "conflicts": "Same sample, different labels",
    "wrong_labels": "Labels that look wrong",
    "spellings": "One class, several spellings",
    "leaks": "Columns that tell the label",
    "counting": "Columns that count",
    "near_conflicts": "Nearly the same sample, different labels",
    "duplicates": "Copies",
    "near_duplicates": "Near copies",
    "typos": "Classes that may be typos",
    "one_class": "One class",
    "many_classes": "Many classes",
    "unlabeled_parts": "Parts without a label",
    "isolated": "Samples without a link",
    "outliers": "Samples far from all others",
    "parts": "Parts of the graph",
    "few_labels": "Classes with few labels",
    "imbalance": "Classes of different size",
    "constant": "Constant columns",
    "repeated": "Repeated columns",
}
SHOWN = 60  # samples of a finding
GROUPS, MEMBERS = 20, 6  # of a finding, and of a group
LINES = 60  # classes or columns


def check_page(
    check: PoolCheck,
    shown: Callable[[int], Sample] | None = None,
    *,
    title: str = "A pool",
    pool: str = "",
    settings: Mapping[str, str] | None = None,
    versions: Mapping[str, str] | None = None,
    command: str = "",
) -> str:
    """The check as one HTML document; equal checks give equal pages.

    Parameters
    ----------
    check : what `check_pool` found
    shown : function sample -> what a person sees of it, as `io.content` tells; its name alone by default
    title, pool : what the page is about, and where the samples come from
    settings, versions : what the check was made with
    command : what repeats it

    Returns
    -------
    html : str

    Notes
    -----
    Cost: a few samples of each finding are shown, so the page stays small whatever the pool.

    See Also
    --------
    trigpoint.check_pool : makes the check; `print` shows it in the terminal.

    Examples
    --------
    >>> import numpy as np, trigpoint as tp
    >>> from trigpoint.report import check_page
    >>> page = check_page(tp.check_pool(np.random.default_rng(0).normal(size=(60, 4))), title="Noise")
    >>> "<title>Noise" in page
    True
    """
    labels = {sample: _word(label) for sample, label in check.label_of().items()}
    suggested = _suggested(check)

    def seen(sample: int, note: str = "", correct: bool = False) -> Sample:
        held = {"id": check.name(sample)} if shown is None else shown(sample)
        other = suggested.get(sample) if correct else None
        return {**held, "label": labels.get(sample), "suggested": other, "note": note}

    return rendered(
        "check.html",
        what="check",
        title=title,
        pool=pool,
        headline=headline(check),
        figures=_figures(check),
        findings=[_section(check, finding, seen) for finding in check.findings],
        skipped=list(check.skipped.items()),
        repeat=repeated(command, Settings=settings or {}, Versions=versions or {}),
    )


def _figures(check: PoolCheck) -> list[tuple[str, str]]:
    told = [("samples", counted(check.n_samples)), ("labels", counted(check.n_labels))]
    for severity in ("problem", "warning", "note"):
        count = sum(finding.severity == severity for finding in check.findings)
        told.append((severity if count == 1 else f"{severity}s", counted(count)))
    return told


def _section(check: PoolCheck, finding: Finding, seen: Callable[..., Sample]) -> dict[str, Any]:
    samples: list[Sample] = []
    words: list[str] = []
    more = 0
    if finding.groups:
        for number, group in enumerate(finding.groups[:GROUPS], 1):
            rest = f", {len(group)} samples" if len(group) > MEMBERS else ""
            samples += [seen(sample, f"group {number}{rest}") for sample in group[:MEMBERS].tolist()]
        more = len(finding.groups) - GROUPS
    elif finding.classes or finding.columns:
        lines = details(check, finding, {})
        words = [line for _, line in lines[:LINES]]
        more = len(lines) - LINES
        samples = [seen(sample) for sample in finding.samples[:MEMBERS].tolist()]
    else:
        far = np.full(len(finding.samples), np.nan) if finding.far is None else finding.far
        for sample, times in zip(finding.samples[:SHOWN].tolist(), far, strict=False):
            note = "" if np.isnan(times) else f"{times:.3g} ×"
            samples.append(seen(sample, note, finding.kind == "wrong_labels"))
        more = len(finding.samples) - SHOWN
    return {
        "title": TITLES.get(finding.kind, finding.kind),
        "severity": finding.severity,
        "sentence": finding.sentence,
        "words": words,
        "samples": gallery(samples, len(samples), ranked=False),
        "more": f"{counted(more)}{' groups' if finding.groups else ''}" if more > 0 else "",
        "action": finding.action,
    }


def _suggested(check: PoolCheck) -> dict[int, str]:
    """sample -> the label that the others suggest, where it is another."""
    if check.issues is None:
        return {}
    issues = check.issues
    found = {}
    for place in check.suspects.tolist():
        other = _word(issues.suggested[place])
        if other != _word(issues.labels[place]):
            found[int(issues.samples[place])] = other
    return found


def _word(label: Any) -> str:
    if isinstance(label, np.ndarray):
        return ", ".join(f"{value:.4g}" for value in label)
    return f"{label:.4g}" if isinstance(label, float) else str(label)
