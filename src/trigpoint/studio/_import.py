"""Labels made elsewhere, as drafts of events: tables, Label Studio's JSON, arrays, and the log of a studio.

Labels of samples that the pool does not have are counted and named; labels that are known already are
counted. A label that breaks a rule refuses the whole file.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

from msgspec import to_builtins

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.io import Answers, Labels, paced, read_labels
from trigpoint.studio._events import KINDS, Draft, Event, Settings, person_problem
from trigpoint.studio._export import LOG, LOG_VERSION
from trigpoint.studio._requests import BadRequestError, Client, EventBody, checked
from trigpoint.studio._state import State

# Refused where somebody was faster, or where the sample that they need is not here: they do nothing.
RACES = ("undo", "rename", "describe")


@dataclass(frozen=True)
class Imported:
    """What a file brings.

    Attributes
    ----------
    drafts : to be written, in this order
    n_labels : labels of samples of the pool that are new or differ from what is known
    n_same : labels that are known already
    unknown : ids that are not in the pool
    events : how many drafts there are
    """

    drafts: list[Draft]
    n_labels: int
    n_same: int
    unknown: list[str]
    events: int


def read_import(
    path: Path,
    state: State,
    ids: Sequence[str] | Array,
    settings: Settings,
    annotator: str = "import",
    texts: Sequence[str] | None = None,
) -> Imported:
    """Read a file. Labels of a table are the annotator's; one with a column of annotators, an export of Label
    Studio, and a log say themselves who did what. Texts of the pool find the tasks of Label Studio.

    Raises
    ------
    ValueError, OSError
        One line that names the file, the place in it, the rule and the value.
    """
    if _is_log(path):
        return _from_log(path, state, ids, settings)
    labels = _labels(path, ids, settings, texts)
    drafts, n_same = [], 0
    for i, value, person, final in paced(_answers(path, labels, annotator)):
        own, now = state.current(i).get(person), state.named(value)
        settled = labels.answers is None and state.labels.get(i) == now
        if settled or (own is not None and own.value == now):
            n_same += 1
            continue
        draft = Draft("label", person, str(ids[i]), uuid4().hex, label_body(value, final))
        why = state.check(draft)
        if why is not None:
            raise InputError(f"{path}: the label of {str(ids[i])!r}", f"is refused: {why.removesuffix('.')}")
        drafts.append(draft)
    return Imported(drafts, len(drafts), n_same, list(labels.unknown), len(drafts))


def label_body(value: Any, final: bool = False) -> dict[str, Any]:
    return {"value": value, "suggested": None, "seconds": None, "final": final, "source": "import"}


def _answers(path: Path, labels: Labels, annotator: str) -> list[tuple[int, Any, str, bool]]:
    """(sample, value, person, final); of several answers of a person about a sample the last."""
    told = labels if labels.answers is None else labels.answers
    people: list[str | None] = (
        [None] * len(told.indices) if labels.answers is None else labels.answers.annotators
    )
    finals = (labels.answers.decides if labels.answers is not None else []) or [False] * len(people)
    last: dict[tuple[int, str], tuple[Any, bool]] = {}
    for i, value, name, final in zip(told.indices.tolist(), _values(told), people, finals, strict=True):
        why = None if name is None else person_problem(name, "annotator")
        if why is not None:
            raise ValueError(f"{path}: {why}")
        last[i, name or annotator] = value, final
    return [(i, value, person, final) for (i, person), (value, final) in last.items()]


def _same(known: Any, value: Any) -> bool:
    return known is not None and (known if isinstance(known, str) else list(known)) == value


def _values(labels: Labels | Answers) -> list[Any]:
    """Classes without blanks around them, or a list of tags or of numbers each."""
    if isinstance(labels.values, list):
        return [_tags(value) if isinstance(value, tuple) else value.strip() for value in labels.values]
    values: list[Any] = labels.values.reshape(len(labels.indices), -1).tolist()
    return values


def _tags(names: tuple[str, ...]) -> list[str]:
    return sorted({name.strip() for name in names})


def _labels(path: Path, ids: Any, settings: Settings, texts: Sequence[str] | None) -> Labels:
    if not settings.regresses:
        return read_labels(path, ids, task=settings.task, skip_unknown=True, texts=texts)
    labels = _real_labels(path, ids, settings, texts)
    found = 1 if labels.values.ndim == 1 else labels.values.shape[1]  # type: ignore[union-attr]
    if len(labels.indices) and found != len(settings.targets):
        rule = f"{len(settings.targets)} numbers per sample ({', '.join(settings.targets)})"
        raise InputError(path, f"must hold {rule}", found)
    return labels


def _real_labels(path: Path, ids: Any, settings: Settings, texts: Sequence[str] | None) -> Labels:
    """By the names of the targets; where the file does not have these, by what it calls labels."""
    targets = list(settings.targets)
    try:
        return read_labels(path, ids, label_column=targets, task="regression", skip_unknown=True, texts=texts)
    except ValueError as error:
        unnamed = isinstance(error, InputError) and error.argument == "label_column"
        if len(targets) > 1 and not unnamed:
            raise
        return read_labels(path, ids, task="regression", skip_unknown=True, texts=texts)


def _is_log(path: Path) -> bool:
    if path.suffix.lower() != ".jsonl":
        return False
    with path.open("rb") as stream:
        first = stream.readline(1_000_000)
    try:
        about = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(about, dict) and about.get("format") == LOG


def _from_log(path: Path, state: State, ids: Any, settings: Settings) -> Imported:
    """All events of a log, checked by applying them to a state of their own.

    An event without a client name gets one that follows from what it says, so that a log that is read twice
    is written once.
    """
    lines = _queues(path)
    about = _about(path, next(lines)[1], settings)
    scratch, pool = State(settings, ids), set(map(str, ids))
    unknown: dict[str, None] = {}
    drafts = [_class(name) for name in about["classes"] if name not in state.classes]
    for draft in drafts:
        why = scratch.check(draft)
        if why is not None:
            raise InputError(path, f"must list valid classes; {why.removesuffix('.')}")
    for number, record in paced(lines):
        draft = _draft(path, number, record)
        if draft.sample is not None and draft.sample not in pool:
            unknown[draft.sample] = None
            continue
        why = scratch.check(draft)
        if why is not None and draft.kind in RACES:
            continue
        if why is not None:
            raise InputError(f"{path}, line {number}: the event", f"is refused: {why.removesuffix('.')}")
        scratch.apply(Event(number, 0.0, draft.kind, draft.annotator, draft.sample, draft.client, draft.body))
        drafts.append(draft)
    same = sum(_same(state.labels.get(i), _listed(value)) for i, value in scratch.labels.items())
    return Imported(drafts, len(scratch.labels) - same, same, list(unknown), len(drafts))


def _listed(value: Any) -> Any:
    return value if isinstance(value, str) else list(value)


def _queues(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(path, "must be UTF-8 text; it is not") from None
    for number, line in enumerate(StringIO(text, newline="\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            json.dumps(record, ensure_ascii=False, allow_nan=False).encode()
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            rule = "must be a JSON object, of text that can be written and without NaN"
            raise InputError(f"{path}, line {number}:", rule, repr(line[:50]))
        yield number, record


def _about(path: Path, about: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """The settings of a log, which must be about the same task."""
    own = about.get("settings")
    if about.get("version") != LOG_VERSION or not isinstance(own, dict):
        raise InputError(path, f"must be a log of version {LOG_VERSION}", repr(about.get("version")))
    for name, now in (("task", settings.task), ("targets", list(settings.targets))):
        if own.get(name) != now:
            raise InputError(
                path, f"must be a log with {name} {now!r}, as this studio has", repr(own.get(name))
            )
    classes = own.get("classes")
    if not isinstance(classes, list) or not all(isinstance(name, str) for name in classes):
        raise InputError(path, "must list its classes", repr(str(classes)[:50]))
    return {"classes": classes}


def _class(name: str) -> Draft:
    return Draft("class", "import", None, f"class-{_digest(name)}", {"name": name})


def _draft(path: Path, number: int, record: dict[str, Any]) -> Draft:
    where = f"{path}, line {number}"
    kind, annotator, body = record.get("kind"), record.get("annotator"), record.get("body")
    sample, client = record.get("sample"), record.get("client")
    if kind not in KINDS or not isinstance(annotator, str) or not isinstance(body, dict):
        raise InputError(f"{where}:", "must be an event with kind, annotator and body", repr(str(kind)[:50]))
    if not isinstance(sample, str | None) or not isinstance(client, str | None):
        said = f"{str(sample)[:50]}, {str(client)[:50]}"
        raise InputError(f"{where}: sample and client", "must be text or null", said)
    why = person_problem(annotator, "annotator")
    if why is not None:
        raise ValueError(f"{where}: {why}")
    if client is None:
        client = f"log-{_digest(json.dumps(record, sort_keys=True))}"
    try:
        body = to_builtins(checked(body, EventBody, "body"))
        client = checked(client, Client, "client")
    except BadRequestError as error:
        raise ValueError(f"{where}: {error}") from None
    return Draft(kind, annotator.strip(), sample, client, body)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
