"""What happened, one record after the other: the only truth that a studio keeps.

Everything else (labels, classes, history, agreement) follows from the events in the order of their `seq`.
"""

from dataclasses import dataclass
from typing import Any

KINDS = ("ask", "label", "unsure", "skip", "undo", "class", "rename", "budget")
ACTIONS = KINDS[1:]  # what a page may send
ANSWERS = ("label", "unsure", "skip")  # what a person can do with a sample


@dataclass(frozen=True)
class Draft:
    """An event before it is written.

    Attributes
    ----------
    kind : one of KINDS
    annotator : whose doing it is
    sample : id of the sample it is about, or None
    client : name that the page gave the action, or None; one name is written once
    body : what else belongs to the kind, see docs/studio.md
    """

    kind: str
    annotator: str
    sample: str | None
    client: str | None
    body: dict[str, Any]


@dataclass(frozen=True)
class Event:
    """A draft with its place in the order of all events, and the Unix time of its writing."""

    seq: int
    time: float
    kind: str
    annotator: str
    sample: str | None
    client: str | None
    body: dict[str, Any]

    @property
    def draft(self) -> Draft:
        return Draft(self.kind, self.annotator, self.sample, self.client, self.body)
