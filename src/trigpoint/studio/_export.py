"""Files from a studio: labels, predictions, tasks for Label Studio, and the log that rebuilds it.

All of them but the predictions can be imported again and give the same labels.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint import __version__
from trigpoint.io import UNDECIDED, Samples, label_studio_tasks, paced, write_records, write_table
from trigpoint.studio._events import Event
from trigpoint.studio._messages import Predictions
from trigpoint.studio._state import NO_NOTE, State

LOG = "trigpoint studio log"
LOG_VERSION = 1


class NothingYetError(Exception):
    """There is nothing to write yet; the message says what is missing."""


def write_export(
    name: str,
    path: Path,
    samples: Samples,
    state: State,
    predictions: Predictions | None,
    events: Iterable[Event] = (),
) -> None:
    """Write the file of that name: one of `_openapi.EXPORTS`. Only the log looks at the events."""
    if name == "log.jsonl":
        _write_log(path, samples, state, events)
    elif name == "label_studio.json":
        write_records(path, _tasks(samples, state, predictions))
    elif name == "answers.csv":
        write_table(path, answer_columns(samples, state))
    elif name.startswith("labels."):
        write_table(path, label_columns(samples, state))
    elif predictions is None:
        raise NothingYetError("there are no predictions yet: label a sample and wait a moment.")
    else:
        write_table(path, prediction_columns(samples, state, predictions))


def label_columns(samples: Samples, state: State) -> dict[str, list[Any]]:
    """A row for each sample that somebody labeled, was unsure of or noted; a blank label is none."""
    labels = dict(state.labels)
    rows = list(dict.fromkeys([*labels, *sorted(state.unsure), *state.disagreements(), *sorted(state.notes)]))
    columns: dict[str, list[Any]] = {"id": [str(samples.ids[i]) for i in rows]}
    columns |= _value_columns(state, [labels.get(i) for i in rows], "label", "{}")
    known = [_known(state, i) for i in paced(rows)]
    for field in ("n_annotators", "annotators", "n_unsure", "time", "source", "seconds"):
        columns.setdefault(field, [record[field] for record in known])
    columns.setdefault("audit", [bool(state.asked.get(i, False)) for i in rows])
    confirmed = state.confirmed
    columns.setdefault("confirmed", [i in confirmed for i in rows])
    notes = [state.notes.get(i, NO_NOTE) for i in rows]
    columns.setdefault("note", [note.text for note in notes])
    columns.setdefault("flag", [note.flag for note in notes])
    return columns


def answer_columns(samples: Samples, state: State) -> dict[str, list[Any]]:
    """A row for each label that somebody gave and did not take back, sample by sample."""
    rows = list(dict.fromkeys([*state.labels, *state.disagreements()]))
    said = [
        action
        for i in paced(rows)
        for action in sorted(state.current(i).values(), key=lambda action: action.seq)
        if action.kind == "label"
    ]
    columns: dict[str, list[Any]] = {"id": [str(samples.ids[action.sample]) for action in said]}
    columns |= _value_columns(state, [action.value for action in said], "label", "{}")
    columns.setdefault("annotator", [action.annotator for action in said])
    columns.setdefault("time", [_moment(action.time) for action in said])
    columns.setdefault("final", [action.final for action in said])
    return columns


def _known(state: State, i: int) -> dict[str, Any]:
    """Who said something of sample i, and when and where the last of them did."""
    current = state.current(i)
    given = {name: action for name, action in current.items() if action.kind == "label"}
    unsure = sum(action.kind == "unsure" for action in current.values())
    last = max((a for a in current.values() if a.kind != "skip"), key=lambda a: a.seq, default=None)
    return {
        "n_annotators": len(given),
        "annotators": "; ".join(given),
        "n_unsure": unsure,
        "time": None if last is None else _moment(last.time),
        "source": None if last is None else last.source,
        "seconds": None if last is None else last.seconds,
    }


def _moment(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _value_columns(state: State, values: list[Any], name: str, form: str) -> dict[str, list[Any]]:
    """One column of classes, or one for each target."""
    if not state.settings.regresses:
        return {name: values}
    return {
        form.format(target): [None if value is None else float(value[k]) for value in values]
        for k, target in enumerate(state.settings.targets)
    }


def prediction_columns(samples: Samples, state: State, predictions: Predictions) -> dict[str, Any]:
    """A row for each sample of the pool: what is predicted, how sure that is, and the label if known."""
    labels = dict(state.labels)
    given = [labels.get(i) for i in range(samples.n_samples)]
    columns: dict[str, Any] = {"id": samples.ids}
    if predictions.values is not None:
        columns |= {f"predicted_{t}": predictions.values[:, k] for k, t in enumerate(state.settings.targets)}
        columns["uncertainty"] = predictions.std
    else:
        columns |= {
            "predicted": _classes(predictions),
            "probability": predictions.probability,
            "uncertainty": predictions.uncertainty,
        }
    return columns | _value_columns(state, given, "label", "label_{}")


def _classes(predictions: Predictions) -> list[str | None]:
    names = [*predictions.classes, None]  # -1 is the last
    return [names[code] for code in predictions.codes.tolist()]


def _tasks(samples: Samples, state: State, predictions: Predictions | None) -> Iterator[dict[str, Any]]:
    """A task for each sample that was asked for or labeled.

    Every label that somebody gave is an annotation; the last is the one that counts, marked as the truth.
    Where people differ and nothing counts, the task says that it is undecided. A real value of several
    targets is a number for each, under its name.
    """
    labels = dict(state.labels)
    picks = list(dict.fromkeys([*labels, *state.asked, *state.disagreements()]))
    tasks = label_studio_tasks(samples, picks, **_guesses(state, predictions)) if picks else ()
    for i, task in zip(picks, tasks, strict=True):
        found = _annotations(state, i, labels.get(i), _object_of(task["data"]))
        if found:
            task["annotations"] = found
            if i not in labels:
                task["meta"] = {UNDECIDED: True}
        yield task


def _guesses(state: State, predictions: Predictions | None) -> dict[str, Any]:
    if predictions is None or len(state.settings.targets) > 1:
        return {}
    if predictions.values is not None:
        return {
            "predictions": predictions.values[:, 0].astype(np.float64),
            "from_name": state.settings.targets[0],
        }
    return {"predictions": _classes(predictions), "probabilities": predictions.probability}


def _object_of(data: dict[str, Any]) -> str:
    return next(field for field in ("image", "text", "row") if field in data)


def _annotations(state: State, i: int, label: Any, to_name: str) -> list[dict[str, Any]]:
    """All that people said; the truth is said by the last who said it, or by nobody, as a mean is."""
    said = {name: action.value for name, action in state.current(i).items() if action.kind == "label"}
    truth = next((name for name in reversed(said) if said[name] == label), None)
    others = [_annotation(state, said[name], to_name, name) for name in said if name != truth]
    if label is None:
        return others
    return [*others, _annotation(state, label, to_name, truth) | {"ground_truth": True}]


def _annotation(state: State, value: Any, to_name: str, annotator: str | None) -> dict[str, Any]:
    if isinstance(value, str):
        parts = [{"from_name": "label", "type": "choices", "value": {"choices": [value]}}]
    else:
        named = zip(state.settings.targets, value, strict=True)
        parts = [
            {"from_name": t, "type": "number", "value": {"number": float(number)}} for t, number in named
        ]
    who = {} if annotator is None else {"meta": {"text": [annotator]}}
    return {"result": [{**part, "to_name": to_name, **who} for part in parts]}


def _write_log(path: Path, samples: Samples, state: State, events: Iterable[Event]) -> None:
    """One JSON object a line: what the studio is, then every event in order."""
    about = {
        "format": LOG,
        "version": LOG_VERSION,
        "trigpoint": __version__,
        "pool": {"name": samples.path.name, "kind": samples.kind, "n_samples": samples.n_samples},
        "settings": asdict(state.settings),
    }
    write_records(path, chain([about], map(vars, events)), lines=True)
