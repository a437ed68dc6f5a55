"""Tasks for Label Studio.

A task is {"data": {...}, "predictions": [...], "annotations": [...]}: data holds the id and the text, picture
or row; a prediction a model's class or number, with its score; an annotation a label that is given. The id is
there twice, since Label Studio's short export puts its own number in place of "id".

A picture is addressed by the name of the pool's folder and its path in it. Label Studio shows it where
LOCAL_FILES_DOCUMENT_ROOT is the folder that holds the pool's, and the project has a local storage of the
pool's folder.
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
from trigpoint.io._images import png_bytes
from trigpoint.io._json import write_records
from trigpoint.io._label_studio_samples import SAMPLE_ID
from trigpoint.io._samples import Labels, Samples, content

SETS = (set, frozenset, tuple)  # of tags
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
    image_prefix: str | None = None,
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
    image_prefix : goes before a picture's path, relative to the pool's folder; by default
        /data/local-files/?d= and the name of that folder

    Notes
    -----
    Cost: one pass over the landmarks. Pictures are named by their paths, not copied.

    See Also
    --------
    trigpoint.io.import_label_studio : the way back.

    Examples
    --------
    >>> import json, pathlib, tempfile, trigpoint as tp
    >>> from trigpoint.io import export_label_studio
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "pool.csv").write_text("id,height\\na,1\\nb,2\\nc,4\\n")
    >>> export_label_studio(folder / "tasks.json", tp.read_pool(folder / "pool.csv"), [2, 0])
    >>> [task["data"]["id"] for task in json.loads((folder / "tasks.json").read_text())]
    ['c', 'a']
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
    image_prefix: str | None = None,
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
    prefix = image_folder(samples) if image_prefix is None else image_prefix

    for i in picks.tolist():
        data, field = _data(samples, i, prefix)
        tags = (from_name, field if to_name is None else to_name)
        task: dict[str, Any] = {"data": data}
        if guesses is not None and (result := _result(guesses[i], *tags)) is not None:
            task["predictions"] = [{"model_version": model_version, "result": result, **score(i)}]
        if i in given and (result := _result(given[i], *tags)) is not None:
            task["annotations"] = [{"result": result}]
        yield task


def image_folder(samples: Samples) -> str:
    """The address of the pool's folder."""
    path = samples.path.absolute()
    return f"{LOCAL_FILES}{quote((path.resolve() if path.name == '..' else path).name)}/"


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
