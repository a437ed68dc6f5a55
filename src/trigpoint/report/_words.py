"""Numbers and sentences: what happened, in plain words."""

import numpy as np

from trigpoint.plots import label_name
from trigpoint.report._contents import Basis, Curve, Report

SPACE = "\u00a0"  # does not break a number from its unit
VIEWS = {
    "raw": "features as they are",
    "standard": "columns at one scale",
    "half_white": "large directions made smaller",
    "white": "all directions made equal",
    "graph": "links of the pool",
}
MODELS = {"linear": "a linear model", "kernel": "a kernel machine"}


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def counted(number: int) -> str:
    return f"{number:,}" if number >= 10_000 else str(number)


def things(number: int, noun: str) -> str:
    """A number of things that are named in the plural."""
    singular = noun.removesuffix("s") if number == 1 else noun
    return f"{counted(number)} {singular}"


def percent(share: float) -> str:
    """With a decimal, and more where it would read 100 or 0 without being so."""
    for digits in (1, 2, 3, 4):
        told = f"{100 * share:.{digits}f}"
        if float(told) not in (0.0, 100.0) or share in (0.0, 1.0):
            break
    return f"{told}{SPACE}%"


def measured(value: float, curve: Curve) -> str:
    if not np.isfinite(value):
        return "unknown"
    return percent(value) if curve.share else f"{value:.4g}"


def duration(seconds: float) -> str:
    if seconds >= 120:
        return f"{seconds / 60:.1f}{SPACE}min"
    return f"{seconds:.1f}{SPACE}s" if seconds >= 10 else f"{seconds:.2f}{SPACE}s"


def headline(report: Report) -> str:
    """What happened, in a sentence or two; plain text."""
    budget, n = len(report.landmarks), report.n_samples
    pool = things(n, report.noun)
    known = _known(report)
    if known is None:
        return f"{counted(budget)} of {pool} {'labeled' if labeled(report) else 'to label first'}."
    told = f"{things(budget, 'labels')} for {pool}"
    if report.curve is not None:
        told += f": {_quality(report.curve, budget)}"
    elif known == n:
        told += f": all have {_an_answer(report)}"
    if known < n:
        told += f"; {counted(n - known)} lie where no label reaches"
    return f"{told}."


def labeled(report: Report) -> bool:
    """Whether a person has given labels."""
    return any(sample.get("label") is not None for sample in report.shown)


def meaning(name: str, predicts: bool) -> str:
    """What a view or a predictor is."""
    if name in MODELS:
        return MODELS[name]
    seen = VIEWS.get(name.removesuffix("^2"), name)
    if not predicts:
        return seen
    return f"labels spread{' smoothly' if name.endswith('^2') else ''}: {seen}"


def resting(basis: Basis) -> str:
    """Which view, and how predictors were weighed; plain text."""
    told = []
    if basis.nearness and (basis.view in basis.weights or not basis.weights):
        why = "is the one that counts most" if basis.weights else "is the one used"
        among = "" if len(basis.nearness) == 1 else f", of {len(basis.nearness)} that were considered"
        told.append(f"Samples are compared in views of their features; {basis.view} {why}{among}.")
        told.append("Nearness is small where the nearest neighbors of samples stand out.")
    if len(basis.weights) > 1:
        told.append(
            "The predictors are mixed. Each counts by what it says of labels that it is not told, with equal "
            "shares where labels are few."
        )
    if basis.temperature is not None and basis.temperature != 1:
        way = "sharper" if basis.temperature < 1 else "flatter"
        told.append(f"Probabilities are then made {way} (temperature {basis.temperature:.2f}).")
    return " ".join(told)


def _known(report: Report) -> int | None:
    """How many samples have an inferred label or value; None where nothing was inferred."""
    if report.labels is not None:
        return sum(bool(label_name(label)) for label in report.labels)
    return None if report.values is None else int(np.isfinite(report.values).sum())


def _an_answer(report: Report) -> str:
    return "a label now" if report.labels is not None else "a value now"


def _quality(curve: Curve, budget: int) -> str:
    ours = measured(curve.ours[-1], curve)
    last = int(curve.budgets[-1])
    at = "" if last == budget else f" with the first {counted(last)}"
    right = curve.measure == "accuracy" and curve.share
    told = f"{ours} of the others right{at}" if right else f"{curve.measure} {ours}{at}"
    if curve.random_mean is None:
        return told
    random = measured(curve.random_mean[-1], curve)
    return f"{told}; with {counted(last)} random labels, {random}"
