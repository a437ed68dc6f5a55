"""The worker's advice in words: how many labels are right, and whether to go on.

Below `FEW` random checks an interval says nothing that a person could use, so only the checks are counted.
From there on the share of right labels is told as so many of 100, or of 1,000 where the interval is narrow.
"""

import math
from typing import Any

from trigpoint.studio._answers import AdviceText
from trigpoint.studio._messages import Advice

FEW = 10  # random checks below which they are counted, and no share is told
CLOSE = 0.005  # a gain that is not worth a label
SURE = 0.1  # the widest interval by which one may stop
FINE = 0.03  # the widest interval that is told in thousandths
SOON = f"From {FEW} checks on, the studio estimates how many of all labels are right."
SOON_OFF = f"From {FEW} checks on, the studio estimates how far off it is for all samples."
ALL = "all labeled", "Every sample has a label."
MORE = "More random checks will narrow this range."


def advice_text(advice: Advice | None, regresses: bool, tags: bool = False) -> AdviceText | None:
    """The latest advice for the page; None before there is one. Of tags it is about exact sets."""
    if advice is None:
        return None
    names = ("error", "low", "high", "n_labels", "n_audits", "n_wrong", "next_labels", "expected_error")
    found = {name: _finite(getattr(advice, name)) for name in names}
    words = _value_words(found) if regresses else _class_words(found, tags)
    headline, sentence = words if advice.n_rest else ALL
    wrong = found.pop("n_wrong")
    right = None if wrong is None else found["n_audits"] - wrong
    return AdviceText(
        **found, n_right=right, few=found["n_audits"] < FEW, headline=headline, sentence=sentence
    )


def _class_words(found: dict[str, Any], tags: bool = False) -> tuple[str, str]:
    r"""A few words, and a sentence or two.

    >>> found = {"error": 0.07, "low": 0.04, "high": 0.12, "n_audits": 60, "n_wrong": 4, "next_labels": 0}
    >>> print(*_class_words(found), sep="\n")
    about 93 of 100 right
    Of 100 samples that nobody has labeled, about 93 have the right label; it may be 88 to 96.
    """
    checks, wrong = found["n_audits"], found["n_wrong"]
    if found["error"] is None or wrong is None:
        return "", "No random check is answered yet, so nobody knows how many labels are right."
    if checks < FEW:
        counted = f"{checks - wrong} of {checks} random check{'s' * (checks > 1)} right"
        return counted, SOON
    width = found["high"] - found["low"]
    whole = 1000 if width <= FINE else 100
    right, least, most = (round(whole * (1 - found[name])) for name in ("error", "high", "low"))
    what = "exactly the right tags" if tags else "the right label"
    text = f"Of {whole:,} samples that nobody has labeled, about {right:,} have {what}"
    text += "." if least == most else f"; it may be {least:,} to {most:,}."
    return f"about {right:,} of {whole:,} right", " ".join([text, *_next(found, width, whole)])


def _next(found: dict[str, Any], width: float, whole: int) -> list[str]:
    """What to do about it."""
    later = found.get("expected_error")
    if not found["next_labels"] or later is None:
        return []
    if width > SURE:
        return [MORE]
    if found["error"] - later < CLOSE:
        return ["More labels would change little: you may stop."]
    return [f"With {found['next_labels']} more labels it may become {round(whole * (1 - later)):,}."]


def _value_words(found: dict[str, Any]) -> tuple[str, str]:
    """The same for real targets, whose error has their own unit."""
    checks, error = found["n_audits"], found["error"]
    if error is None:
        return "", "No random check is answered yet, so nobody knows how far off the predictions are."
    off = f"off by about {error:.3g}"
    if checks < FEW:
        return f"{off} in {checks} random check{'s' * (checks > 1)}", SOON_OFF
    known = found["low"] is not None and found["high"] is not None
    span = f"; it may be {found['low']:.3g} to {found['high']:.3g}" if known else ""
    return off, f"For samples that nobody has labeled, the prediction is typically {off}{span}."


def _finite(number: float | None) -> Any:
    return None if number is None or not math.isfinite(number) else number
