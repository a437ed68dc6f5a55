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

KINDS = (
    *("ask", "label", "unsure", "skip", "keep", "undo", "class", "rename", "budget"),
    *("note", "guide", "describe", "order", "checks"),
)
ANSWERS = ("label", "unsure", "skip")  # what a person can say of a sample
DEEDS = (*ANSWERS, "keep")  # what a person can do with a sample, and undo
LONGEST = 200  # characters of a class
LONGEST_PERSON = 60
LONGEST_NOTE, LONGEST_LINE, LONGEST_GUIDE = 2000, 500, 20_000
MOST_CHECKS = 200  # random checks asked for at once
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


@dataclass(frozen=True, slots=True)
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
    task : "classification", "regression" or "tags"
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

    @property
    def has_tags(self) -> bool:
        return self.task == "tags"


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
    undo: Callable[[str, Any], str | None],
) -> str | None:
    """Why an event cannot happen now; ``undo`` says it of an annotator and what they want undone."""
    body, kind = draft.body, draft.kind
    if kind not in KINDS:
        return f"kind must be one of {', '.join(KINDS)}; got {shown(kind)}."
    if kind in (*DEEDS, "ask", "note"):
        if draft.sample not in index:
            return f"sample must be in the pool; got {shown(draft.sample)}."
        if kind == "note":
            return _long_text(body.get("text"), "text", LONGEST_NOTE)
        return _label(body, settings) if kind in ("label", "keep") else None
    if kind == "undo":
        return undo(draft.annotator, body.get("target"))
    if kind == "budget":
        return count_problem(body.get("budget"), "budget")
    if kind == "guide":
        return guide_problem(body.get("text"), "text")
    if kind == "checks":
        return _checks(body.get("count"))
    if settings.regresses:
        return f"{kind} must be of a pool with classes; this one has numbers for labels."
    rules = {"rename": _rename, "describe": _describe, "order": _order}
    return rules[kind](body, classes) if kind in rules else name_problem(body.get("name"), "name")


def label_problem(value: Any, settings: Settings, what: str) -> str | None:
    """Why ``value`` cannot be a label."""
    if settings.regresses:
        return numbers_problem(value, max(len(settings.targets), 1), what)
    if not settings.has_tags:
        return name_problem(value, what)
    if not isinstance(value, list | tuple):
        return f"{what} must be a list of tags; got {shown(value)}."
    return next((why for name in value if (why := name_problem(name, f"each of {what}"))), None)


def _label(body: Mapping[str, Any], settings: Settings) -> str | None:
    for name in ("value", "suggested", "was"):
        value = body.get(name)
        if value is None and name != "value":
            continue
        problem = label_problem(value, settings, name)
        if problem is not None:
            return problem
    numbers = {name: body[name] for name in ("seconds", "quality") if body.get(name) is not None}
    problems = (numbers_problem([number], 1, name) for name, number in numbers.items())
    return next((problem for problem in problems if problem is not None), None)


def _long_text(text: Any, what: str, longest: int) -> str | None:
    if not isinstance(text, str) or len(text) > longest:
        return f"{what} must be text of at most {longest:,} characters; got {shown(text)}."
    return text_problem(text, what)


def guide_problem(text: Any, what: str) -> str | None:
    """Why ``text`` cannot be the guidelines."""
    return _long_text(text, what, LONGEST_GUIDE)


def _checks(count: Any) -> str | None:
    why = count_problem(count, "count")
    if why is None and count > MOST_CHECKS:
        return f"count must be at most {MOST_CHECKS}; got {count}."
    return why


def _rename(body: Mapping[str, Any], classes: Sequence[str]) -> str | None:
    old, new = body.get("old"), body.get("new")
    if old not in classes:
        return f"old must be one of the classes; got {shown(old)}."
    if old == new:
        return f"new must be another name than old; got {shown(new)}."
    return name_problem(new, "new")


def _describe(body: Mapping[str, Any], classes: Sequence[str]) -> str | None:
    if body.get("name") not in classes:
        return f"name must be one of the classes; got {shown(body.get('name'))}."
    key = body.get("key")
    if key is not None and not (isinstance(key, str) and len(key) == 1 and key.isprintable()):
        return f"key must be one character; got {shown(key)}."
    if not isinstance(body.get("example"), str | None):
        return f"example must be the id of a sample; got {shown(body.get('example'))}."
    return _long_text(body.get("text"), "text", LONGEST_LINE)


def _order(body: Mapping[str, Any], classes: Sequence[str]) -> str | None:
    names = body.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return f"names must be a list of classes; got {shown(names)}."
    return None
