"""Landmarks as tasks for Label Studio, with what is known of them.

A task is {"data": {...}, "predictions": [...], "annotations": [...]}: data holds the id and the text,
picture or row; a prediction a model's class or number, with its score; an annotation a label that is
given. The id is there twice, since Label Studio's short export puts its own number in place of "id".
"""

import base64
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint._validation import check_landmarks, check_values
from trigpoint.io._atomic import check_target
from trigpoint.io._json import write_records
from trigpoint.io._png import png_bytes
from trigpoint.io._samples import Labels, Samples, content

SAMPLE_ID = "trigpoint_id"
UNDECIDED = "undecided"  # in the meta of a task: its annotations differ, and none of them counts
LOCAL_FILES = "/data/local-files/?d="  # where Label Studio serves pictures of its own disk


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
    predictions : (n,) classes (str, int) or real values (float) of the whole pool, optional
        None, "" and NaN are no prediction.
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
            "predictions", f"must have {samples.n_samples} entries, one a sample", f"{len(predictions)}"
        )
    given = {} if labels is None else dict(zip(labels.indices.tolist(), _listed(labels.values), strict=True))
    guesses = None if predictions is None else _listed(predictions)

    for i in picks.tolist():
        data, field = _data(samples, i, image_prefix)
        tags = (from_name, field if to_name is None else to_name)
        task: dict[str, Any] = {"data": data}
        if guesses is not None and (result := _result(guesses[i], *tags)):
            task["predictions"] = [{"model_version": model_version, "result": result, **score(i)}]
        if i in given and (result := _result(given[i], *tags)):
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


def _result(value: Any, from_name: str, to_name: str) -> list[dict[str, Any]]:
    """A label as Label Studio's result: a choice, or a number for a real value; [] for none."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or value == "" or value != value:
        return []
    tags = {"from_name": from_name, "to_name": to_name}
    if isinstance(value, float):
        return [
            {**tags, "type": "number", "value": {"number": float(check_values([value], 1, "a label")[0])}}
        ]
    return [{**tags, "type": "choices", "value": {"choices": [str(value)]}}]
