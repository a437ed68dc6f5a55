"""What the worker found, the latest of each kind, in the forms that the page wants."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from trigpoint._types import Array, Ints
from trigpoint.studio._advice import advice_text
from trigpoint.studio._answers import Guess
from trigpoint.studio._messages import (
    Advice,
    Bound,
    Failed,
    Issues,
    Map,
    Message,
    Predictions,
    Proposals,
    Ready,
    Skipped,
    Stage,
)
from trigpoint.studio._tag_votes import likely_tags

UNKNOWN = 255  # uncertainty where nothing is known, as a byte
LARGEST = float(np.finfo(np.float32).max)
CURVE = 100  # values of the bound that are kept


class Results:
    """The last message of each kind.

    Parameters
    ----------
    regresses : whether labels are real values
    name_now : what a class that the worker knew is called now; None where there is no such class any more
    bounds : (number of labels, bound) of an earlier start

    Attributes
    ----------
    bounds : number of labels -> the bound, of at most `CURVE` numbers
    """

    def __init__(
        self,
        regresses: bool,
        name_now: Callable[[str], str | None] = str,
        bounds: Iterable[tuple[int, float]] = (),
    ) -> None:
        self.regresses: bool = regresses
        self._name_now = name_now
        self.stage: Stage = Stage("starting")
        self.ready: bool = False
        self.failed: str | None = None
        self.predictions: Predictions | None = None
        self.map: Map | None = None
        self.issues: Issues | None = None
        self.skipped: dict[int, str] = {}  # samples that cannot be read, and why
        self.versions: dict[str, int] = {"predictions": 0, "map": 0, "issues": 0}
        self._advice: Advice | None = None
        self.bounds: dict[int, float] = dict(bounds)
        self._map_layers: tuple[int, tuple[str | None, ...], bytes] | None = None

    def receive(self, message: Message) -> None:
        match message:
            case Stage():
                self.stage = message
            case Ready():
                self.ready = True
            case Predictions():
                self.predictions = message
                self.versions["predictions"] += 1
            case Advice():
                self._advice = message
            case Bound():
                self.bounds = thinned({**self.bounds, message.n_labels: message.value})
            case Issues():
                self.issues = message
                self.versions["issues"] += 1
            case Skipped():
                self.skipped = message.why
            case Map():
                self.map = message
                self.versions["map"] += 1
            case Proposals():
                self.failed = None  # it works again
            case Failed():
                self.failed = message.message
                self.stage = Stage("")  # a worker that goes on says so again

    def page_fields(self) -> dict[str, Any]:
        """The part of the page's state that the worker knows."""
        return {
            "stage": self.stage if self.stage.name else None,
            "ready": self.ready,
            "failed": self.failed,
            "advice": advice_text(self._advice, self.regresses, self._has_tags()),
            "bound": list(self.bounds.items()),
        }

    def advice_before(self, version: int) -> bool:
        """Whether there is advice, and it is of fewer labels."""
        return self._advice is not None and self._advice.version < version

    def _has_tags(self) -> bool:
        return self.predictions is not None and self.predictions.tags is not None

    def predicted(self, i: int) -> Guess | None:
        """The prediction for sample i; None where nothing is known of it."""
        predictions = self.predictions
        if predictions is None:
            return None
        uncertainty = float(predictions.uncertainty[i])
        if predictions.values is not None:
            values = [float(value) for value in predictions.values[i]]
            known = np.isfinite(values).all()
            return Guess(values, None, uncertainty) if known else None
        if predictions.tags is not None:
            return self._predicted_tags(predictions, i, predictions.tags[i])
        code = int(predictions.codes[i])
        name = self._name_now(predictions.classes[code]) if code >= 0 else None
        if name is None:
            return None
        return Guess(name, float(predictions.probability[i]), uncertainty)

    def _predicted_tags(self, predictions: Predictions, i: int, chances: Array) -> Guess | None:
        tags = likely_tags(predictions.classes, chances.tolist(), self._name_now)
        if tags is None:
            return None
        value = sorted(name for name, p in tags.items() if p > predictions.threshold)
        tags = {name: round(p, 3) for name, p in tags.items()}
        return Guess(value, float(predictions.probability[i]), float(predictions.uncertainty[i]), tags)

    def coordinates(self) -> tuple[int, bytes] | None:
        if self.map is None:
            return None
        return self.versions["map"], np.ascontiguousarray(self.map.coordinates, "<f4").tobytes()

    def map_layers(self) -> tuple[int, bytes, tuple[str, ...]] | None:
        """Class numbers (int16), uncertainties (uint8), and for real targets the first value (float32).

        Numbers are places among the classes as they are called now: two that became one have one number.
        """
        predictions, version = self.predictions, self.versions["predictions"]
        if predictions is None:
            return None
        names = tuple(self._name_now(name) for name in predictions.classes)
        classes = tuple(dict.fromkeys(name for name in names if name is not None))
        if self._map_layers is None or self._map_layers[:2] != (version, names):
            codes = _value_codes(predictions) if self.regresses else _class_codes(predictions, names, classes)
            layers = [codes.astype("<i2"), _uncertainty_layer(predictions)]
            layers += [_value_layer(predictions)] if self.regresses else []
            self._map_layers = version, names, b"".join(layer.tobytes() for layer in layers)
        return version, self._map_layers[2], classes


def thinned(bounds: dict[int, float], most: int = CURVE) -> dict[int, float]:
    """By the number of labels; of more than ``most`` the one goes that lies nearest to the one before it.

    Near in proportion: the bound falls fast at first. The first and the last stay.
    """
    found = dict(sorted(bounds.items()))
    if len(found) > most:
        counts = list(found)
        steps = [b / a for a, b in pairwise(counts[:-1])]
        del found[counts[1 + steps.index(min(steps))]]
    return found


def least_sure(uncertainty: Array, known: Iterable[int], limit: int) -> list[int]:
    """Samples by falling uncertainty, without those whose label is known; of equals the first comes first."""
    waiting = np.ones(len(uncertainty), dtype=bool)
    waiting[list(known)] = False
    some: Ints = np.flatnonzero(waiting)
    order = np.argsort(-uncertainty[some], kind="stable")[:limit]
    return [int(i) for i in some[order]]


def _class_codes(predictions: Predictions, names: tuple[str | None, ...], classes: tuple[str, ...]) -> Array:
    places = [-1 if name is None else classes.index(name) for name in names]
    return np.array([*places, -1])[predictions.codes]  # -1 is the last


def _value_codes(predictions: Predictions) -> Array:
    return np.where(np.isfinite(_first_values(predictions)), 0, -1)


def _uncertainty_layer(predictions: Predictions) -> Array:
    uncertainty = np.where(
        np.isfinite(predictions.uncertainty),
        np.clip(predictions.uncertainty, 0.0, 1.0) * (UNKNOWN - 1),
        UNKNOWN,
    )
    return uncertainty.round().astype(np.uint8)


def _value_layer(predictions: Predictions) -> Array:
    """float32 is enough for colors; what is beyond it takes the color of the largest."""
    values = np.where(np.isfinite(_first_values(predictions)), _first_values(predictions), np.nan)
    return np.clip(values, -LARGEST, LARGEST).astype("<f4")


def _first_values(predictions: Predictions) -> Array:
    return np.empty(0) if predictions.values is None else predictions.values[:, 0]
