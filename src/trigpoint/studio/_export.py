"""Files from a studio: labels, predictions, what other tools read, and the log that rebuilds it.

Labels, answers, tasks for Label Studio and the log can be imported again and give the same labels.
"""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from trigpoint import __version__
from trigpoint.io import Samples, paced, tags_text, write_records, write_table, write_text
from trigpoint.studio._events import Event
from trigpoint.studio._export_coco import coco_points
from trigpoint.studio._export_dataset import dataset_records, write_dataset
from trigpoint.studio._export_folders import write_class_folders
from trigpoint.studio._export_label_studio import label_studio_config, label_studio_pool
from trigpoint.studio._export_values import HUMAN, PREDICTED, NothingYetError, predicted_values
from trigpoint.studio._messages import Predictions
from trigpoint.studio._pictures import Pictures
from trigpoint.studio._state import State

LOG = "trigpoint studio log"
LOG_VERSION = 1


def write_export(
    name: str,
    path: Path,
    samples: Samples,
    state: State,
    predictions: Predictions | None,
    events: Iterable[Event] = (),
    pictures: Pictures | None = None,
) -> None:
    """Write the file of that name, one of `_openapi.EXPORTS`, whole or not at all.

    Only the log looks at the events. ``pictures`` are those that may be read; by default all of the pool.
    """
    match name:
        case "log.jsonl":
            _write_log(path, samples, state, events)
        case "label_studio.json":
            write_records(path, label_studio_pool(samples, state, predictions))
        case "label_studio.xml":
            write_text(path, label_studio_config(samples, state))
        case "coco_keypoints.json":
            write_text(path, coco_points(samples, state))
        case "classes.tar":
            write_class_folders(path, samples, state, predictions)
        case "hugging_face.tar":
            write_dataset(path, samples, state, predictions, pictures or Pictures(samples))
        case "metadata.jsonl":
            write_records(path, dataset_records(samples, state, predictions), lines=True)
        case "answers.csv":
            write_table(path, answer_columns(samples, state))
        case "labels.csv" | "labels.parquet":
            write_table(path, label_columns(samples, state))
        case _ if predictions is None:
            raise NothingYetError("there are no predictions yet: label a sample and wait a moment.")
        case _:
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
    notes = [state.notes.get(i) for i in rows]
    columns.setdefault("note", [None if note is None else note.text or None for note in notes])
    columns.setdefault("flag", [note is not None and note.flag for note in notes])
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
    """One column of classes or of tags, or one for each target."""
    if not state.settings.regresses:
        return {name: [tags_text(value) if isinstance(value, tuple) else value for value in values]}
    return {
        form.format(target): [None if value is None else float(value[k]) for value in values]
        for k, target in enumerate(state.settings.targets)
    }


def prediction_columns(samples: Samples, state: State, predictions: Predictions) -> dict[str, Any]:
    """A row for each sample of the pool: what is predicted and how sure that is, the label if there is one,
    which of the two says what it is, and who gave a label."""
    labels = dict(state.labels)
    every = range(samples.n_samples)
    guess = predicted_values(state, predictions)
    guesses = [guess(i) for i in paced(every)]
    columns: dict[str, Any] = {"id": samples.ids}
    predicted = [None if one is None else one.value for one in guesses]
    columns |= _value_columns(state, predicted, "predicted", "predicted_{}")
    if not state.settings.regresses:
        columns["probability"] = [None if one is None else one.probability for one in guesses]
    columns["uncertainty"] = predictions.std if predictions.std is not None else predictions.uncertainty
    columns |= _value_columns(state, [labels.get(i) for i in every], "label", "label_{}")
    known = [HUMAN if i in labels else None if guesses[i] is None else PREDICTED for i in every]
    columns.setdefault("source", known)
    columns.setdefault("annotators", [_known(state, i)["annotators"] or None for i in paced(every)])
    return columns


def _write_log(path: Path, samples: Samples, state: State, events: Iterable[Event]) -> None:
    """One JSON object a line: what the studio is, then every event in order."""
    about = {
        "format": LOG,
        "version": LOG_VERSION,
        "trigpoint": __version__,
        "pool": {"name": samples.path.name, "kind": samples.kind, "n_samples": samples.n_samples},
        "settings": asdict(state.settings),
    }
    write_records(path, chain([about], map(asdict, events)), lines=True)
