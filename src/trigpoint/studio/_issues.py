"""Labels that look wrong, as the tab "Check" lists them.

The worker says which labels the others contradict (`Issues`). Of these a page sees those that are still as
the worker knew them and that nobody has confirmed (`_keeps`): its person's own labels first, then all others,
and in both the most suspicious first. A label that was corrected or kept since does not count any more.

Few labels cannot contradict each other: there must be 20 of them, of two classes.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from trigpoint.annotators import Value
from trigpoint.studio._keeps import is_shown
from trigpoint.studio._messages import Issues
from trigpoint.studio._state import State

LEAST = 20  # labels from which on any can look wrong
TAGS = "Sets of tags are taken to be right: the studio does not look for wrong ones."


class Suspect(NamedTuple):
    """A label that looks wrong; classes by the names that they have now."""

    sample: int
    label: Value
    suggested: Value | None
    probability: float | None
    quality: float


class Suspects:
    """What is left of the last `Issues`. Only what people acted on since the last call is looked at again."""

    def __init__(self, state: State, name_now: Callable[[str], str | None]) -> None:
        self._state, self._name_now = state, name_now
        self._found: Issues | None = None
        self._classes: tuple[str, ...] = ()
        self._read = 0, 0  # entries of state.touched and state.checked
        self._places: dict[int, int] = {}  # sample -> place in the issues
        self._left: dict[int, Suspect] = {}  # by place

    def count(self, found: Issues, more: Sequence[int] = ()) -> int:
        """How many there are; ``more`` are samples that count in any case."""
        self._catch_up(found)
        places = (self._places.get(i, -1) for i in more)
        return len(self._left) + len(more) - sum(k in self._left for k in places)

    def own_first(self, found: Issues, annotator: str) -> list[Suspect]:
        """The most suspicious first, but those of other people after one's own."""
        self._catch_up(found)
        ranked = [self._left[k] for k in sorted(self._left)]
        return sorted(ranked, key=lambda one: not self._state.owns(annotator, one.sample))

    def _catch_up(self, found: Issues) -> None:
        state, (touched, checked) = self._state, self._read
        self._read = len(state.touched), len(state.checked)
        if found is self._found and state.classes == self._classes:
            again = {*state.touched[touched:], *state.checked[checked:]}
            places = [self._places[i] for i in again if i in self._places]
        else:  # or a class has another name
            self._found, self._classes, self._left = found, state.classes, {}
            self._places = {i: k for k, i in enumerate(found.samples)}
            places = list(self._places.values())
        for k in places:
            self._left.pop(k, None)
            one = self._suspect(found, k)
            if one is not None:
                self._left[k] = one

    def _suspect(self, found: Issues, k: int) -> Suspect | None:
        i, quality = found.samples[k], found.quality[k]
        label, suggested = self._named(found.labels[k]), self._named(found.suggested[k])
        if label is None or suggested is None or label == suggested or self._state.labels.get(i) != label:
            return None
        if not is_shown(quality, self._state.confirmed_at(i)):
            return None
        return Suspect(i, label, suggested, found.probability[k], quality)

    def _named(self, value: Value) -> Value | None:
        """None where there is no such class any more, or a number is missing."""
        if isinstance(value, str):
            return self._name_now(value)
        return value if all(math.isfinite(float(number)) for number in value) else None


def few_labels(n_labels: int, n_classes: int, regresses: bool) -> str | None:
    """Why none can look wrong yet; None where there are enough. ``n_classes`` of them have a label.

    >>> print(few_labels(12, 3, regresses=False))
    Too few labels yet: there are 12, and at least 20 are needed.
    >>> print(few_labels(80, 1, regresses=False))
    All labels are of one class so far, and cannot contradict each other.
    """
    if n_labels < LEAST:
        return f"Too few labels yet: there are {n_labels}, and at least {LEAST} are needed."
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
    Nothing looks wrong. Up to 4 of 120 labels may still be wrong.
    """
    if found.low is None or found.high is None:
        return "Too few labels of each class yet."
    done = len(found.samples) - left
    low, high = (max(0, round(end) - done) for end in (found.low, found.high))
    if left:
        looks = "looks" if left == 1 else "look"
        ends = f"{min(low, left):,} to {max(high, left):,}"
        return f"About {left:,} of {found.n_labels:,} labels {looks} wrong ({ends})."
    rest = f" Up to {high:,} of {found.n_labels:,} labels may still be wrong." if high else ""
    return f"Nothing looks wrong.{rest}"
