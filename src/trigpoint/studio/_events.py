"""What happened, one record after the other, and why an event is refused.

Events are all that a studio keeps, beside its settings. Everything else (labels, classes, history, agreement)
follows from the events in the order of their `seq`. The functions ``..._problem`` and `refusal` say in one
sentence what is wrong, or None. Values stay far from the ends of what a float holds, since the learner
squares them.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trigpoint.studio._history import Action

KINDS = ("ask", "label", "unsure", "skip", "keep", "undo", "class", "rename", "budget")
ANSWERS = ("label", "unsure", "skip")  # what a person can say of a sample
DEEDS = (*ANSWERS, "keep")  # what a person can do with a sample, and undo
LONGEST = 200  # characters of a class
LONGEST_PERSON = 60
MOST = 10**9  # a number of samples that no pool reaches
LEAST_SIZE, MOST_SIZE = 1e-100, 1e100  # of a value that is not 0


@dataclass(frozen=True)
class Draft:
    """An event before it is written.

    Attributes
    ----------
    kind : one of KINDS
    annotator : who did it
    sample : id of the sample it is about, or None
    client : name that the page gave the action, or None; one name is written once
    body : what else belongs to the kind, as in `_requests.EventBody`
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


@dataclass(frozen=True)
class Settings:
    """How a pool is labeled: given when the studio is first opened, and kept in its store.

    Attributes
    ----------
    task : "classification" or "regression"
    classes : that are known from the start; others may come up at any time
    targets : names of the numbers that make a real value; () for classes
    points : names of points to click on a picture; then the targets are the x and y of each, in its pixels
    budget : samples to label
    overlap : people who label each sample
    audit : share of the questions that are drawn at random, to tell the accuracy
    seed, method, view, n_neighbors, metric : as in `ActiveLearner`
    """

    task: str = "classification"
    classes: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    budget: int = 100
    overlap: int = 1
    audit: float = 0.1
    seed: int = 0
    method: str = "auto"
    view: str = "auto"
    n_neighbors: int = 15
    metric: str = "euclidean"

    @property
    def regresses(self) -> bool:
        return self.task == "regression"


def name_problem(name: Any, what: str) -> str | None:
    """Why ``name`` cannot be a class."""
    if not isinstance(name, str):
        return f"{what} must be text; got {shown(name)}."
    if not name or name != name.strip():
        return f"{what} must be text without spaces around it; got {shown(name)}."
    if len(name) > LONGEST:
        return f"{what} must have at most {LONGEST} characters; got {len(name)}."
    return text_problem(name, what)


def person_problem(name: Any, what: str) -> str | None:
    """Why ``name`` cannot be an annotator; spaces around it do not count."""
    if not isinstance(name, str):
        return f"{what} must be text; got {shown(name)}."
    if not 1 <= len(name.strip()) <= LONGEST_PERSON:
        return f"{what} must have 1 to {LONGEST_PERSON} characters, and not blanks alone; got {shown(name)}."
    return text_problem(name, what)


def text_problem(text: str, what: str) -> str | None:
    """Why ``text`` would not survive a file."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return f"{what} must be text that can be written; got {shown(text)}."
    return f"{what} must hold no NUL; got {shown(text)}." if "\0" in text else None


def numbers_problem(value: Any, width: int, what: str) -> str | None:
    """Why ``value`` is not a list of ``width`` numbers that can be learned from."""
    if not isinstance(value, list | tuple) or len(value) != width:
        return f"{what} must be a list of {width} number{'s' * (width > 1)}; got {shown(value)}."
    if not all(_is_finite(number) for number in value):
        return f"{what} must hold finite numbers; got {shown(value)}."
    if not all(number == 0 or LEAST_SIZE <= abs(number) <= MOST_SIZE for number in value):
        rule = f"numbers that are 0 or of a size from {LEAST_SIZE:g} to {MOST_SIZE:g}"
        return f"{what} must hold {rule}; got {shown(value)}."
    return None


def count_problem(value: Any, what: str) -> str | None:
    """Why ``value`` is not a number of samples."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        return f"{what} must be a whole number from 1; got {shown(value)}."
    return None if value <= MOST else f"{what} must be at most {MOST:,}; got {shown(value)}."


def shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_finite(number: Any) -> bool:
    """Compared, since a whole number may be too large to convert."""
    most = sys.float_info.max
    return isinstance(number, int | float) and not isinstance(number, bool) and -most <= number <= most


def refusal(
    draft: Draft,
    settings: Settings,
    index: Mapping[str, int],
    classes: Sequence[str],
    find: Callable[[str], Action | None],
    clients: Mapping[str, str],
) -> str | None:
    """Why an event cannot happen now.

    ``find`` gives an action that stands by its name; ``clients`` has the kinds of all, undone ones too.
    """
    body = draft.body
    if draft.kind not in KINDS:
        return f"kind must be one of {', '.join(KINDS)}; got {shown(draft.kind)}."
    if draft.kind in (*DEEDS, "ask"):
        if draft.sample not in index:
            return f"sample must be in the pool; got {shown(draft.sample)}."
        return _label(body, settings) if draft.kind in ("label", "keep") else None
    if draft.kind == "undo":
        return _undo(draft.annotator, body.get("target"), find, clients)
    if draft.kind == "budget":
        return count_problem(body.get("budget"), "budget")
    if settings.regresses:
        return f"{draft.kind} must be of a pool with classes; this one has numbers for labels."
    return name_problem(body.get("name"), "name") if draft.kind == "class" else _rename(body, classes)


def _label(body: Mapping[str, Any], settings: Settings) -> str | None:
    for name in ("value", "suggested", "was"):
        value = body.get(name)
        if value is None and name != "value":
            continue
        if settings.regresses:
            problem = numbers_problem(value, max(len(settings.targets), 1), name)
        else:
            problem = name_problem(value, name)
        if problem is not None:
            return problem
    numbers = {name: body[name] for name in ("seconds", "quality") if body.get(name) is not None}
    problems = (numbers_problem([number], 1, name) for name, number in numbers.items())
    return next((problem for problem in problems if problem is not None), None)


def _undo(
    annotator: str, target: Any, find: Callable[[str], Action | None], clients: Mapping[str, str]
) -> str | None:
    if not isinstance(target, str) or clients.get(target) not in DEEDS:
        return f"target must be a label, an unsure, a skip or a keep; got {shown(target)}."
    action = find(target)
    if action is None:
        return "target must be an action that stands; it was undone before."
    if action.annotator != annotator:
        return f"target must be an action of {shown(annotator)}; it is one of {shown(action.annotator)}."
    return None


def _rename(body: Mapping[str, Any], classes: Sequence[str]) -> str | None:
    old, new = body.get("old"), body.get("new")
    if old not in classes:
        return f"old must be one of the classes; got {shown(old)}."
    if old == new:
        return f"new must be another name than old; got {shown(new)}."
    return name_problem(new, "new")
