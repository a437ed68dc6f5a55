"""The whole pool as tasks for Label Studio, and the labeling config that shows them.

Every label that somebody gave is an annotation, and every prediction a prediction. Label Studio knows only
its own users, so a hidden text in each annotation says who gave the label, and whether it decided among
those of others; this comes back in all of its exports. Samples that nobody has answered come last, the
least sure first, so that people can go on there.

    classes   Choices called label
    tags      the same, of which several may be chosen
    numbers   a Number for each target, by its name
    points    KeyPointLabels called points; a point is in percent of the picture
"""

import re
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from trigpoint.io import AUTHOR, DECIDES, Samples, content, label_studio_tasks
from trigpoint.studio._export_values import NothingYetError, class_names, predicted_values
from trigpoint.studio._history import Action
from trigpoint.studio._messages import Predictions
from trigpoint.studio._pictures import picture_size
from trigpoint.studio._results import least_sure
from trigpoint.studio._state import State

LABEL, POINTS = "label", "points"  # names of controls
OBJECTS = {"image": "Image", "text": "Text", "row": "Table"}
SHOWN = {"image": ' zoom="true" zoomControl="true"', "text": "", "row": ""}
MODEL = "trigpoint"
PERCENT = 100.0
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def label_studio_config(samples: Samples, state: State) -> str:
    """The labeling config of this studio, as XML."""
    field, to_name = _object(samples, state)
    shown = f"<{OBJECTS[field]} name={quoteattr(to_name)} value={quoteattr('$' + field)}{SHOWN[field]}/>"
    hidden = f'<View style="display: none"><TextArea name="{AUTHOR}" toName={quoteattr(to_name)}/></View>'
    lines = [shown, *_controls(state, quoteattr(to_name)), hidden]
    return "\n".join(["<View>", *(f"  {line}" for line in lines), "</View>", ""])


def _controls(state: State, to_name: str) -> list[str]:
    settings = state.settings
    if settings.points:
        labels = [f"  <Label value={_attribute(name)}/>" for name in settings.points]
        return [f'<KeyPointLabels name="{POINTS}" toName={to_name}>', *labels, "</KeyPointLabels>"]
    if settings.regresses:
        return [
            line
            for target in map(_attribute, settings.targets)
            for line in (f"<Header value={target}/>", f"<Number name={target} toName={to_name}/>")
        ]
    if not state.classes:
        raise NothingYetError("there are no classes yet: add one, or label a sample.")
    many = "multiple" if settings.task == "tags" else "single"
    choices = [f"  <Choice value={_attribute(name)}/>" for name in state.classes]
    head = f'<Choices name="{LABEL}" toName={to_name} choice="{many}" showInline="true">'
    return [head, *choices, "</Choices>"]


def _attribute(text: str) -> str:
    """In quotes, and without the characters that XML 1.0 cannot hold."""
    return quoteattr(NOT_XML.sub("\ufffd", text))


def _object(samples: Samples, state: State) -> tuple[str, str]:
    """The field of data that is shown, and a name for its tag that no control has."""
    fields = content(samples, 0)
    field = "image" if "pixels" in fields else next(name for name in OBJECTS if name in fields)
    name = field
    while name in (*state.settings.targets, LABEL, POINTS, AUTHOR):
        name += "_"
    return field, name


def label_studio_pool(
    samples: Samples, state: State, predictions: Predictions | None
) -> Iterator[dict[str, Any]]:
    """A task for each sample of the pool: those with a label first, then those asked for, then the rest."""
    picks = list(dict.fromkeys([*state.labels, *state.disagreements(), *state.asked]))
    unsure = np.zeros(samples.n_samples) if predictions is None else np.asarray(predictions.uncertainty)
    picks += least_sure(unsure, picks, samples.n_samples)
    guesses = predicted_values(state, predictions)
    _, to_name = _object(samples, state)
    for i, task in zip(picks, label_studio_tasks(samples, picks), strict=True):
        size = picture_size(samples, i) if state.settings.points else None
        guess = guesses(i)
        result = None if guess is None else _result(state, guess.value, to_name, size)
        if guess is not None and result is not None:
            score = {} if guess.probability is None else {"score": guess.probability}
            task["predictions"] = [{"model_version": MODEL, "result": result, **score}]
        said = sorted(state.current(i).values(), key=lambda action: action.seq)
        found = [_annotation(state, action, to_name, size) for action in said if action.kind == "label"]
        if any(found):
            task["annotations"] = [annotation for annotation in found if annotation]
        yield task


def _annotation(state: State, action: Action, to_name: str, size: list[int] | None) -> dict[str, Any] | None:
    """Label Studio takes all annotations for the truth that do not say otherwise."""
    result = _result(state, action.value, to_name, size)
    if result is None:
        return None
    text = [action.annotator, DECIDES] if action.final else [action.annotator]
    author = {"from_name": AUTHOR, "to_name": to_name, "type": "textarea", "value": {"text": text}}
    return {"result": [*result, author], "ground_truth": action.final}


def _result(state: State, value: Any, to_name: str, size: list[int] | None) -> list[dict[str, Any]] | None:
    """A label as results; None where a point cannot be told in percent."""
    settings = state.settings
    if settings.points:
        return None if size is None else _points(settings.points, value, to_name, size)
    if settings.regresses:
        named = zip(settings.targets, value, strict=True)
        return [
            {"from_name": t, "to_name": to_name, "type": "number", "value": {"number": float(number)}}
            for t, number in named
        ]
    choices = class_names(value)
    if not choices:
        return []
    return [{"from_name": LABEL, "to_name": to_name, "type": "choices", "value": {"choices": choices}}]


def _points(names: tuple[str, ...], value: Any, to_name: str, size: list[int]) -> list[dict[str, Any]]:
    width, height = size
    found = []
    for k, name in enumerate(names):
        place = {"x": PERCENT * value[2 * k] / width, "y": PERCENT * value[2 * k + 1] / height}
        found.append(
            {
                "id": f"point{k}",
                "from_name": POINTS,
                "to_name": to_name,
                "type": "keypointlabels",
                "original_width": width,
                "original_height": height,
                "image_rotation": 0,
                "value": {**place, "width": 0.5, "keypointlabels": [name]},
            }
        )
    return found
