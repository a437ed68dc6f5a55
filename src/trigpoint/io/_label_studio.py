"""Label Studio: labels out of its full export (JSON) and its short one (JSON-MIN), and tasks for it.

full    a task has data and annotations, and an annotation a list of results
short   an annotation is a flat record: the fields of data, and under the control's name "x",
        {"choices": ["x"]} or [{"number": 1.5}]

Of several annotations of a task, the one last updated counts (in the file's order where they carry no
time); skipped ones count for nothing. A choice of several classes is refused, unless they are tags: then a
result that is empty says that there are none. A task whose meta says that it is undecided has no label
before Label Studio has given its annotations times.

A task that we write is {"data": {...}, "predictions": [...], "annotations": [...]}: data holds the id and the
text, picture or row; a prediction a model's class or number, with its score; an annotation a label that is
given. The id is there twice, since Label Studio's short export puts its own number in place of "id".
"""

import base64
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint._validation import check_choice, check_landmarks, check_values
from trigpoint.io._atomic import check_target
from trigpoint.io._files import check_file, kind_of
from trigpoint.io._images import png_bytes
from trigpoint.io._json import load_records, write_records
from trigpoint.io._pace import paced
from trigpoint.io._samples import Labels, Samples, content

Label: TypeAlias = str | float | tuple[float, ...] | tuple[str, ...]
SAMPLE_ID = "trigpoint_id"
UNDECIDED = "undecided"  # in the meta of a task: its annotations differ, and none of them counts
SETS = (set, frozenset, tuple)  # of tags
LOCAL_FILES = "/data/local-files/?d="  # where Label Studio serves pictures of its own disk


def is_label_studio(records: list[dict[str, Any]]) -> bool:
    full = all(
        isinstance(r.get("data"), dict) and ("annotations" in r or "predictions" in r) for r in records
    )
    return full or all("annotation_id" in r for r in records)


def import_label_studio(
    path: str | Path,
    ids: Sequence[str] | Array,
    *,
    from_name: str | Sequence[str] | None = None,
    skip_unknown: bool = False,
    task: str | None = None,
) -> Labels:
    """Labels of samples of the pool with these ids, out of Label Studio's JSON or JSON-MIN.

    ``from_name`` is the name of the control that holds the label, needed where there are several
    (in JSON-MIN "label" by default); several names are of numbers that make up one label, and an
    annotation counts where it has them all. Ids that are not in the pool are refused, or left out and
    named in the result where ``skip_unknown``. With ``task="tags"`` the choices of a sample are its tags.
    """
    path = Path(path)
    if task is not None:
        check_choice(task, "task", ("tags",))
    kind_of(path, ("json",))
    check_file(path)
    records = load_records(path)
    return labels_of_records(path, records, ids, from_name, skip_unknown, tags=task == "tags")


def labels_of_records(
    path: Path,
    records: list[dict[str, Any]],
    ids: Sequence[str] | Array,
    from_name: str | Sequence[str] | None,
    skip_unknown: bool,
    *,
    tags: bool = False,
) -> Labels:
    controls = (from_name,) if from_name is None or isinstance(from_name, str) else tuple(from_name)
    found: dict[str, tuple[str, Label]] = {}  # id -> when, what
    for number, record in enumerate(paced(records), start=1):
        where = f"{path}, record {number}"
        for name, when, value in _labels(record, controls, where, tags):
            if name not in found or when >= found[name][0]:
                found[name] = (when, value)
    place = {name: i for i, name in enumerate(ids)}
    unknown = [name for name in found if name not in place]
    if unknown and not skip_unknown:
        raise InputError(
            path, "must hold ids of the pool only", f"{len(unknown)} unknown, first {unknown[0]!r}"
        )
    if not found:
        raise InputError(path, "must hold at least one label; it holds none")
    found = {name: told for name, told in found.items() if name in place}
    values = [value for _, value in found.values()]
    indices = np.array([place[name] for name in found], dtype=np.int64)
    column = tuple(name or "label" for name in controls)
    if tags:
        return Labels(indices, values, column, tuple(unknown))  # type: ignore[arg-type]
    kinds = {type(value) for value in values}
    if len(kinds) > 1:
        raise InputError(path, "must hold classes or numbers", "both; give from_name=")
    if any(isinstance(part, str) for value in values if isinstance(value, tuple) for part in value):
        raise InputError(path, f"must hold numbers under {', '.join(map(str, controls))}", "classes")
    if kinds & {float, tuple}:
        return Labels(indices, np.array(values, dtype=np.float64), column, tuple(unknown))
    return Labels(indices, [str(value) for value in values], column, tuple(unknown))


def _labels(
    record: dict[str, Any], controls: tuple[str | None, ...], where: str, tags: bool
) -> list[tuple[str, str, Label]]:
    """(id, time, label) of each annotation of a task, or of a short record."""
    if "data" not in record:
        given = [record.get(name or "label") for name in controls]
        value: Label | None
        value = _tags(given, where) if tags else _together([_short(part, where) for part in given])
        return [] if value is None else [(_id(record, where, short=True), _time(record), value)]
    annotations = record.get("annotations") or []
    if not isinstance(record["data"], dict) or not isinstance(annotations, list):
        raise InputError(f"{where}:", "must be a task with data and a list of annotations", "something else")
    found = []
    meta = record.get("meta")
    undecided = isinstance(meta, dict) and meta.get(UNDECIDED) is True
    for annotation in annotations:
        if not isinstance(annotation, dict):
            raise InputError(f"{where}: an annotation", "must be an object", repr(str(annotation)[:50]))
        if annotation.get("was_cancelled") or (undecided and not _time(annotation)):
            continue
        result = annotation.get("result")
        parts = [_results(result, name, where) for name in controls]
        value = _together([_short(part, where) for part in parts]) if not tags else None
        if tags and (any(parts) or not result):  # an empty result: there are none
            value = _tags([parts], where)
        if value is not None:
            found.append((_id(record["data"], where), _time(annotation), value))
    return found


def _together(parts: list[str | float | None]) -> Label | None:
    """The label that the controls make up; None where one of them says nothing."""
    if len(parts) == 1:
        return parts[0]
    return None if None in parts else tuple(parts)  # type: ignore[return-value]


def _id(data: dict[str, Any], where: str, short: bool = False) -> str:
    if short and SAMPLE_ID not in data and "annotation_id" in data:
        raise InputError(
            f"{where}:",
            f"must hold {SAMPLE_ID!r}, as our tasks do: "
            'the "id" of JSON-MIN is Label Studio\'s own number; export as JSON',
        )
    name = data.get(SAMPLE_ID, data.get("id"))
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise InputError(f"{where}:", 'must hold the sample\'s "id" in its data', repr(name))
    return str(name)


def _time(annotation: dict[str, Any]) -> str:
    """ISO times in UTC, which sort as text; "" where there is none."""
    return str(annotation.get("updated_at") or annotation.get("created_at") or "")


def _results(result: Any, from_name: str | None, where: str) -> list[Any]:
    """The values of a control among the results of an annotation."""
    if not isinstance(result or [], list) or not all(isinstance(part, dict) for part in result or []):
        raise InputError(
            f"{where}: the result of an annotation", "must be a list of objects", "something else"
        )
    parts = [part for part in result or [] if part.get("type") in ("choices", "number")]
    controls = {str(part.get("from_name")) for part in parts}
    if from_name is None and len(controls) > 1:
        raise InputError(
            f"{where}:", "must have one control, or give from_name=", f"{', '.join(sorted(controls))}"
        )
    return [part.get("value") for part in parts if from_name in (None, part.get("from_name"))]


def _tags(values: Any, where: str) -> tuple[str, ...] | None:
    """All choices, each once; None where nothing is said at all."""
    if all(value is None or value == "" for value in values):
        return None
    found: dict[str, None] = {}

    def take(value: Any) -> None:
        if isinstance(value, list):
            for part in value:
                take(part)
        elif isinstance(value, dict):
            take(value.get("choices"))
        elif isinstance(value, str) and value:
            found[value] = None
        else:
            raise InputError(f"{where}: a tag", "must be a choice", f"{str(value)[:50]}")

    take([value for value in values if value is not None])
    return tuple(found)


def _short(value: Any, where: str) -> str | float | None:
    """A label in any form that it takes: "x", 1.5, {"choices": ["x"]}, {"number": 1.5}, a list of one."""
    if isinstance(value, list):
        if len(value) > 1:
            raise InputError(f"{where}:", "must hold one label, or give task='tags'", len(value))
        return _short(value[0], where) if value else None
    if isinstance(value, dict):
        return _short(value.get("choices", value.get("number")), where)
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise InputError(f"{where}: a label", "must be a class or a finite number", f"{str(value)[:50]}")
    return float(value)


def export_label_studio(
    path: str | Path,
    samples: Samples,
    landmarks: Any,
    *,
    predictions: Sequence[Any] | Array | None = None,
    probabilities: Any = None,
    labels: Labels | None = None,
    model_version: str = "trigpoint",
    from_name: str = "label",
    to_name: str | None = None,
    image_prefix: str = LOCAL_FILES,
) -> None:
    """Write tasks of the landmarks, in their order, as JSON to import into Label Studio.

    Parameters
    ----------
    predictions : (n,) classes (str, int), real values (float) or sets of tags of the whole pool, optional
        None, "" and NaN are no prediction. Tags become choices, in the order of their names.
    probabilities : (n,) of the predicted classes, or (n, c) of all classes, optional
        The largest becomes the score.
    labels : labels that are known; those of landmarks become annotations
    from_name, to_name : names of the labeling config's control and object tags; the object's is
        "text", "image" or "row" by default, like the field of data that holds it
    image_prefix : goes before a picture's path, relative to the pool's folder
    """
    check_target(path)
    tasks = label_studio_tasks(
        samples,
        landmarks,
        predictions=predictions,
        probabilities=probabilities,
        labels=labels,
        model_version=model_version,
        from_name=from_name,
        to_name=to_name,
        image_prefix=image_prefix,
    )
    write_records(path, tasks)


def label_studio_tasks(
    samples: Samples,
    landmarks: Any,
    *,
    predictions: Sequence[Any] | Array | None = None,
    probabilities: Any = None,
    labels: Labels | None = None,
    model_version: str = "trigpoint",
    from_name: str = "label",
    to_name: str | None = None,
    image_prefix: str = LOCAL_FILES,
) -> Iterator[dict[str, Any]]:
    """The tasks that `export_label_studio` writes, one at a time."""
    picks = check_landmarks(landmarks, samples.n_samples)
    score = _scores(probabilities, samples.n_samples)
    if predictions is not None and len(predictions) != samples.n_samples:
        raise InputError(
            "predictions", f"must have {samples.n_samples} entries, one per sample", f"{len(predictions)}"
        )
    given = {} if labels is None else dict(zip(labels.indices.tolist(), _listed(labels.values), strict=True))
    guesses = None if predictions is None else _listed(predictions)

    for i in picks.tolist():
        data, field = _data(samples, i, image_prefix)
        tags = (from_name, field if to_name is None else to_name)
        task: dict[str, Any] = {"data": data}
        if guesses is not None and (result := _result(guesses[i], *tags)) is not None:
            task["predictions"] = [{"model_version": model_version, "result": result, **score(i)}]
        if i in given and (result := _result(given[i], *tags)) is not None:
            task["annotations"] = [{"result": result}]
        yield task


def _listed(values: Any) -> list[Any]:
    return np.asarray(values).tolist() if isinstance(values, np.ndarray) else list(values)


def _scores(probabilities: Any, n: int) -> Any:
    if probabilities is None:
        return lambda i: {}
    array = np.asarray(probabilities, dtype=np.float64)
    if array.ndim not in (1, 2) or len(array) != n or array.size == 0:
        raise InputError("probabilities", f"must have shape ({n},) or ({n}, c)", f"shape {array.shape}")
    largest = array if array.ndim == 1 else array.max(axis=1)
    return lambda i: {"score": float(largest[i])} if np.isfinite(largest[i]) else {}


def _data(samples: Samples, i: int, prefix: str) -> tuple[dict[str, Any], str]:
    """The data of a task, and the field that holds what is labeled."""
    shown = content(samples, i)
    known = {"id": shown["id"], SAMPLE_ID: shown["id"]}
    if "pixels" in shown:
        code = base64.b64encode(png_bytes(shown["pixels"])).decode()
        return known | {"image": f"data:image/png;base64,{code}"}, "image"
    if "image" in shown:
        return known | {"image": prefix + quote(shown["id"])}, "image"
    field = "text" if "text" in shown else "row"
    return known | {field: shown[field]}, field


def _result(value: Any, from_name: str, to_name: str) -> list[dict[str, Any]] | None:
    """A label as Label Studio's result: choices, or a number for a real value; None for no label."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or (not isinstance(value, SETS) and (value == "" or value != value)):
        return None
    if isinstance(value, SETS) and not value:
        return []
    tags = {"from_name": from_name, "to_name": to_name}
    if isinstance(value, float):
        return [
            {**tags, "type": "number", "value": {"number": float(check_values([value], 1, "a label")[0])}}
        ]
    choices = sorted(map(str, value)) if isinstance(value, SETS) else [str(value)]
    return [{**tags, "type": "choices", "value": {"choices": choices}}]
