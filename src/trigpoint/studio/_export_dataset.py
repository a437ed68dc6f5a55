"""The whole pool as a data set for Hugging Face's `datasets`: content, label, prediction, and who says it.

    hugging_face.tar   README.md (the card: features, names of classes) and data/train-*.parquet with the
                       pictures in them: load_dataset("folder") or a push to the hub
    metadata.jsonl     an object a line; pictures are named, so that in their folder
                       load_dataset("imagefolder") reads it

Pictures are read and written a few at a time, and a part of the data set is removed once it is in the tar.
"""

import json
import re
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from trigpoint.io import (
    IMAGE,
    REAL,
    TEXT,
    Feature,
    Samples,
    atomic_path,
    content,
    dataset_parts,
    paced,
    require,
)
from trigpoint.studio._export_values import HUMAN, PREDICTED, predicted_values
from trigpoint.studio._messages import Predictions
from trigpoint.studio._pictures import PictureMissingError, Pictures, PictureUnreadableError
from trigpoint.studio._state import State

COLUMNS = {
    "id": "the name of the sample",
    "label": "what people say; null where nobody has said anything, or they differ",
    "predicted": "what is inferred from their labels",
    "probability": "of the predicted class",
    "uncertainty": "of the prediction",
    "source": f'"{HUMAN}" where there is a label, "{PREDICTED}" where there is a prediction alone',
    "annotators": "who gave a label",
}


def dataset_records(
    samples: Samples, state: State, predictions: Predictions | None
) -> Iterator[dict[str, Any]]:
    """An object for each sample of the pool; a picture of a folder is a file_name."""
    told = _told(samples, state, predictions)
    for i in range(samples.n_samples):
        shown = content(samples, i)
        own = {"file_name": shown["id"]} if "image" in shown else {"id": shown["id"]}
        here = {} if "image" in shown or "pixels" in shown else _content(samples, shown)
        yield _merged(own, here, told(i))


def write_dataset(
    path: Path, samples: Samples, state: State, predictions: Predictions | None, pictures: Pictures
) -> None:
    require("pyarrow", path)
    told = _told(samples, state, predictions)
    features = _features(samples, state, told)
    records = (_record(samples, i, told, pictures) for i in paced(range(samples.n_samples)))
    with (
        atomic_path(path) as part,
        TemporaryDirectory(prefix="trigpoint-", dir=part.parent) as folder,
        tarfile.open(part, "w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for number, written in enumerate(dataset_parts(Path(folder), records, features)):
            archive.add(written, f"data/train-{number:05d}.parquet")
            written.unlink()
        card = Path(folder) / "README.md"
        card.write_text(_card(samples, features), encoding="utf-8")
        archive.add(card, "README.md")


def _told(samples: Samples, state: State, predictions: Predictions | None) -> Callable[[int], dict[str, Any]]:
    """A function from a sample to its label, its prediction, and who says what it is."""
    guesses = predicted_values(state, predictions)
    labels = dict(state.labels)
    targets = state.settings.targets if state.settings.regresses else ()

    def said(value: Any, name: str, form: str) -> dict[str, Any]:
        if targets:
            numbers = [None] * len(targets) if value is None else [float(x) for x in value]
            return {form.format(target): x for target, x in zip(targets, numbers, strict=True)}
        return {name: list(value) if isinstance(value, tuple) else value}

    def told(i: int) -> dict[str, Any]:
        guess = guesses(i)
        label = labels.get(i)
        given = [action for action in state.current(i).values() if action.kind == "label"]
        unsure = None if predictions is None else float(predictions.uncertainty[i])
        source = HUMAN if label is not None else PREDICTED if guess is not None else None
        chance = {} if targets else {"probability": None if guess is None else guess.probability}
        values = said(label, "label", "{}")
        more = {
            **said(None if guess is None else guess.value, "predicted", "predicted_{}"),
            **chance,
            "uncertainty": unsure if unsure is not None and np.isfinite(unsure) else None,
            "source": source,
            "annotators": [action.annotator for action in given],
        }
        return values | {name: fact for name, fact in more.items() if name not in values}

    return told


def _content(samples: Samples, shown: dict[str, Any]) -> dict[str, Any]:
    """What a person is shown of a text or a row; the cells of a table by their names."""
    if "text" in shown:
        return {"text": shown["text"]}
    row = shown["row"]
    if samples.kind == "table":
        return dict(row)
    if samples.graph is not None:
        return {"neighbors": list(row["neighbors"])}
    return {"features": json.dumps(row)} if _is_sparse(samples) else {"features": list(row.values())}


def _is_sparse(samples: Samples) -> bool:
    return not isinstance(samples.X, np.ndarray)


def _merged(own: dict[str, Any], here: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """Columns of the pool that are called like ours get an underscore."""
    ours = own | told
    found = dict(own)
    for name, value in here.items():
        free = name
        while free in ours or (free != name and free in here):
            free += "_"
        found[free] = value
    return found | told


def _record(samples: Samples, i: int, told: Any, pictures: Pictures) -> dict[str, Any]:
    shown = content(samples, i)
    is_picture = "image" in shown or "pixels" in shown
    here = {"image": _picture(pictures, i, shown["id"])} if is_picture else _content(samples, shown)
    return _merged({"id": shown["id"]}, here, told(i))


def _picture(pictures: Pictures, i: int, name: str) -> dict[str, Any] | None:
    try:
        return {"bytes": pictures.picture(i).result().content, "path": name}
    except (PictureMissingError, PictureUnreadableError):
        return None


def _features(samples: Samples, state: State, told: Any) -> dict[str, Feature]:
    """Column -> what it holds, in the words of `datasets`."""
    one: Feature = {"names": list(state.classes), "_type": "ClassLabel"}
    label = {"feature": one, "_type": "List"} if state.settings.task == "tags" else one
    shown = content(samples, 0)
    here: dict[str, Feature] = {"image": IMAGE}
    if "image" not in shown and "pixels" not in shown:
        cells = _content(samples, shown).items()
        here = {name: _kind_of_cell(samples, name, value) for name, value in cells}
    kinds: dict[str, Feature] = dict.fromkeys(told(0), REAL)
    known = {"label": label, "predicted": label} if not state.settings.regresses else {}
    known |= {"source": TEXT, "annotators": {"feature": TEXT, "_type": "List"}}
    kinds |= {name: kind for name, kind in known.items() if name not in state.settings.targets}
    return _merged({"id": TEXT}, here, kinds)


def _kind_of_cell(samples: Samples, name: str, value: Any) -> Feature:
    if isinstance(value, list):
        return {"feature": TEXT if samples.graph is not None else REAL, "_type": "List"}
    if samples.kind == "table" and isinstance(samples.shown[name], np.ndarray):
        return REAL if samples.shown[name].dtype.kind in "fiub" else TEXT
    return TEXT


def _card(samples: Samples, features: dict[str, Feature]) -> str:
    """The README of the data set. What is JSON is YAML, so that names of any kind are safe."""
    lines = [
        "---",
        "configs:",
        "- config_name: default",
        "  data_files:",
        "  - split: train",
        "    path: data/train-*.parquet",
        "dataset_info:",
        "  features:",
        *(f"  - {_yaml({'name': name} | _in_card(kind))}" for name, kind in features.items()),
        "---",
        "",
        f"# {_plain(samples.path.name)}",
        "",
        f"{samples.n_samples:,} samples, labeled with the studio of trigpoint.",
        "",
        "| column | |",
        "|---|---|",
        *(f"| `{name}` | {text} |" for name, text in COLUMNS.items() if name in features),
        "",
    ]
    return "\n".join(lines)


def _yaml(record: dict[str, Any]) -> str:
    """JSON in ASCII. YAML has no pairs of surrogates, so a character beyond ASCII is one escape."""
    text = json.dumps(record, ensure_ascii=False)
    return re.sub("[^ -~]", lambda mark: f"\\U{ord(mark[0]):08x}", text)


def _plain(text: str) -> str:
    return " ".join("".join(mark if mark.isprintable() else " " for mark in text).split()) or "pool"


def _in_card(kind: Feature) -> Feature:
    match kind["_type"]:
        case "Image":
            return {"dtype": "image"}
        case "ClassLabel":
            names = {str(code): name for code, name in enumerate(kind["names"])}
            return {"dtype": {"class_label": {"names": names}}}
        case "List":
            inner = _in_card(kind["feature"])["dtype"]
            return {"list": inner}
    return {"dtype": kind["dtype"]}
