"""Labels that look wrong, as the tab "Check" lists them.

The worker says which labels the others contradict (`Issues`). Of these a page sees those that are still as
the worker knew them and that nobody has confirmed (`_keeps`): its person's own labels first, then all others,
and in both the most suspicious first. A label that was corrected or kept since does not count any more.

Few labels cannot contradict each other: there must be 20 of them, and 5 a class.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from trigpoint.studio._history import Value
from trigpoint.studio._keeps import is_shown
from trigpoint.studio._messages import Issues
from trigpoint.studio._state import State

LEAST, EACH = 20, 5  # labels in all, and a class


class Suspect(NamedTuple):
    """A label that looks wrong; classes by the names that they have now."""

    sample: int
    label: Value
    suggested: Value
    probability: float | None
    quality: float


def suspects(found: Issues, state: State, name_now: Callable[[str], str | None]) -> list[Suspect]:
    """What is left of ``found``, in the same order."""
    names = {name: name_now(name) for name in {*found.labels, *found.suggested} if isinstance(name, str)}

    def named(value: Value) -> Value | None:
        """None where there is no such class any more, or a number is missing."""
        if isinstance(value, str):
            return names[value]
        return value if all(map(math.isfinite, value)) else None

    rows = zip(found.samples, found.labels, found.suggested, found.probability, found.quality, strict=True)
    some = []
    for i, label, suggested, probability, quality in rows:
        now, other = named(label), named(suggested)
        if now is None or other is None or now == other or state.labels.get(i) != now:
            continue
        if is_shown(quality, state.confirmed_at(i)):
            some.append(Suspect(i, now, other, probability, quality))
    return some


def few_labels(n_labels: int, n_classes: int, regresses: bool) -> str | None:
    """Why none can look wrong yet; None where there are enough. ``n_classes`` of them have a label.

    >>> print(few_labels(12, 3, False))
    Too few labels yet: there are 12, and at least 20 are needed.
    >>> print(few_labels(80, 1, False))
    All labels are of one class so far, and cannot contradict each other.
    """
    needed = LEAST if regresses else max(LEAST, EACH * n_classes)
    if n_labels < needed:
        return f"Too few labels yet: there are {n_labels:,}, and at least {needed:,} are needed."
    if not regresses and n_classes < 2:
        return "All labels are of one class so far, and cannot contradict each other."
    return None


def sentence(found: Issues, left: int) -> str:
    """How many labels look wrong, of which ``left`` are.

    >>> found = Issues(1, 120, 3.6, 11.4, [*range(7)], [], [], [], [])
    >>> print(sentence(found, 7))
    About 7 of 120 labels look wrong (4 to 11).
    >>> print(sentence(found, 1))
    About 1 of 120 labels looks wrong (0 to 5).
    >>> print(sentence(found, 0))
    Nothing looks wrong. Up to 4 of 120 labels may still be.
    """
    done = len(found.samples) - left
    low, high = (max(0, round(end) - done) for end in (found.low, found.high))
    if left:
        looks = "looks" if left == 1 else "look"
        ends = f"{min(low, left):,} to {max(high, left):,}"
        return f"About {left:,} of {found.n_labels:,} labels {looks} wrong ({ends})."
    rest = f" Up to {high:,} of {found.n_labels:,} labels may still be." if high else ""
    return f"Nothing looks wrong.{rest}"
