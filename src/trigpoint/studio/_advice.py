"""What a person is told of the accuracy, and whether to go on, in one or two sentences."""

import math
from typing import Any

CLOSE = 0.005  # a gain that is not worth a label
SURE, WIDE = 0.1, 0.3  # the widest interval by which one may stop, and by which a middle means anything

MORE = "More random checks will make that surer."


def advice_body(advice: Any, regresses: bool) -> dict[str, Any] | None:
    """The latest advice for the page; None before there is one."""
    if advice is None:
        return None
    names = ("error", "low", "high", "n_labels", "n_audits", "next_labels", "expected_error")
    found = {name: _finite(getattr(advice, name)) for name in names}
    return found | {"sentence": (_value_sentence if regresses else _class_sentence)(found)}


def _finite(number: float | int | None) -> float | int | None:
    return None if number is None or not math.isfinite(number) else number


def _class_sentence(found: dict[str, Any]) -> str:
    """
    >>> _class_sentence({"error": 0.04, "low": 0.01, "high": 0.11, "next_labels": 25, "expected_error": 0.02})
    'About 96 % of the rest are right, 90 % sure between 89 % and 99.0 %. 25 more labels may bring 98 %.'
    """
    if found["error"] is None:
        return "No random check is answered yet, so nothing can be said of the accuracy."
    right, least, most = (_percent(1 - found[name]) for name in ("error", "high", "low"))
    if found["high"] - found["low"] > WIDE:
        return f"Between {least} and {most} of the rest are right, 90 % sure. {MORE}"
    text = f"About {right} of the rest are right, 90 % sure between {least} and {most}."
    later = found["expected_error"]
    if not found["next_labels"] or later is None:
        return text
    if found["high"] - found["low"] > SURE:
        return f"{text} {MORE}"
    if found["error"] - later < CLOSE:
        return f"{text} More labels would change little: you may stop."
    return f"{text} {found['next_labels']} more labels may bring {_percent(1 - later)}."


def _value_sentence(found: dict[str, Any]) -> str:
    if found["error"] is None:
        return "No random check is answered yet, so nothing can be said of the error."
    high = "" if found["high"] is None else f", 90 % sure between {found['low']:.3g} and {found['high']:.3g}"
    return f"The error of the rest is about {found['error']:.3g}{high}."


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share < 0.985 or share == 1 else f"{100 * share:.1f} %"
