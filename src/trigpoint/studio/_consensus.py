"""The label of a sample, out of what its annotators say.

A final label wins, the latest of several. Else the class that most people chose, and none where two classes
tie; of real targets the mean. Labels out of files yield to those of people. Where nobody has a label and
somebody is unsure, the sample is unsure.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean

from trigpoint.studio._history import Action, Value

IMPORT = "import"


@dataclass(frozen=True)
class Verdict:
    """What a sample's annotators come to: a label or none, unsure, and whether they differ undecided."""

    label: Value | None = None
    unsure: bool = False
    disputed: bool = False


def verdict(actions: Iterable[Action]) -> Verdict:
    """Of the current action of each annotator."""
    actions = list(actions)
    labels = [action for action in actions if action.kind == "label"]
    finals = [action for action in labels if action.final]
    if finals:
        return Verdict(max(finals, key=lambda action: action.seq).value)
    if not labels:
        return Verdict(unsure=any(action.kind == "unsure" for action in actions))
    people = [action for action in labels if action.source != IMPORT]
    values = [action.value for action in people or labels if action.value is not None]
    return Verdict(_middle(values), disputed=len(set(values)) > 1)


def _middle(values: list[Value]) -> Value | None:
    rows = [value for value in values if isinstance(value, tuple)]
    if rows:
        return tuple(mean(column) for column in zip(*rows, strict=True))  # exact, however large
    ranked = Counter(values).most_common(2)
    tie = len(ranked) == 2 and ranked[0][1] == ranked[1][1]
    return None if tie else ranked[0][0]
