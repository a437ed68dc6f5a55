"""What the worker has told so far, the latest of each, in the forms that the page wants."""

from collections.abc import Callable
from typing import Any

import numpy as np

from trigpoint._types import Array
from trigpoint.studio._advice import advice_body
from trigpoint.studio._news import Advice, Beliefs, Bound, Failed, Map, News, Proposals, Ready, Stage

UNKNOWN = 255  # doubt where nothing is known, as a byte
LARGEST = float(np.finfo(np.float32).max)


class Findings:
    """Fed with news by the service; holds no more than the last of each kind.

    Parameters
    ----------
    regresses : whether labels are real values
    name_now : what a class that the worker knew is called now; None where there is no such class any more
    """

    def __init__(self, regresses: bool, name_now: Callable[[str], str | None] = str) -> None:
        self.regresses, self._name_now = regresses, name_now
        self.stage = Stage("starting")
        self.ready = False
        self.failed: str | None = None
        self.beliefs: Beliefs | None = None
        self.map: Map | None = None
        self.versions = {"beliefs": 0, "map": 0}
        self._advice: Advice | None = None
        self._bounds: dict[int, float] = {}  # by the number of labels
        self._painted: tuple[int, tuple[str | None, ...], bytes] | None = None

    def hear(self, news: News) -> None:
        match news:
            case Stage():
                self.stage = news
            case Ready():
                self.ready = True
            case Beliefs():
                self.beliefs = news
                self.versions["beliefs"] += 1
            case Advice():
                self._advice = news
            case Bound():
                self._bounds[news.n_labels] = news.value
            case Map():
                self.map = news
                self.versions["map"] += 1
            case Proposals():
                self.failed = None  # it goes on
            case Failed():
                self.failed = news.message
                self.stage = Stage("")  # whoever still works says so again

    def state(self) -> dict[str, Any]:
        """The part of the page's state that the worker knows."""
        stage = {"name": self.stage.name, "share": self.stage.share} if self.stage.name else None
        return {
            "stage": stage,
            "ready": self.ready,
            "failed": self.failed,
            "advice": advice_body(self._advice, self.regresses),
            "bound": sorted(self._bounds.items()),
        }

    def predicted(self, i: int) -> dict[str, Any] | None:
        """What sample i is thought to be; None where nothing is known of it."""
        beliefs = self.beliefs
        if beliefs is None:
            return None
        doubt = float(beliefs.doubt[i])
        if beliefs.values is not None:
            values = [float(value) for value in beliefs.values[i]]
            known = np.isfinite(values).all()
            return {"value": values, "probability": None, "doubt": doubt} if known else None
        code = int(beliefs.codes[i])
        name = self._name_now(beliefs.classes[code]) if code >= 0 else None
        if name is None:
            return None
        return {"value": name, "probability": float(beliefs.probability[i]), "doubt": doubt}

    def coordinates(self) -> tuple[int, bytes] | None:
        if self.map is None:
            return None
        return self.versions["map"], np.ascontiguousarray(self.map.coordinates, "<f4").tobytes()

    def painted(self) -> tuple[int, bytes, tuple[str, ...]] | None:
        """Class numbers (int16), doubts (uint8), and for real targets the first value (float32).

        Numbers are places among the classes as they are called now: two that became one have one number.
        """
        beliefs, version = self.beliefs, self.versions["beliefs"]
        if beliefs is None:
            return None
        names = tuple(self._name_now(name) for name in beliefs.classes)
        classes = tuple(dict.fromkeys(name for name in names if name is not None))
        if self._painted is None or self._painted[:2] != (version, names):
            codes = _value_codes(beliefs) if self.regresses else _class_codes(beliefs, names, classes)
            layers = [codes.astype("<i2"), _doubt_layer(beliefs)]
            layers += [_value_layer(beliefs)] if self.regresses else []
            self._painted = version, names, b"".join(layer.tobytes() for layer in layers)
        return version, self._painted[2], classes


def _class_codes(beliefs: Beliefs, names: tuple[str | None, ...], classes: tuple[str, ...]) -> Array:
    places = [-1 if name is None else classes.index(name) for name in names]
    return np.array([*places, -1])[beliefs.codes]  # -1 is the last


def _value_codes(beliefs: Beliefs) -> Array:
    return np.where(np.isfinite(_first_values(beliefs)), 0, -1)


def _doubt_layer(beliefs: Beliefs) -> Array:
    doubt = np.where(np.isfinite(beliefs.doubt), np.clip(beliefs.doubt, 0.0, 1.0) * (UNKNOWN - 1), UNKNOWN)
    return doubt.round().astype(np.uint8)


def _value_layer(beliefs: Beliefs) -> Array:
    """float32 is enough for colors; what is beyond it takes the color of the largest."""
    values = np.where(np.isfinite(_first_values(beliefs)), _first_values(beliefs), np.nan)
    return np.clip(values, -LARGEST, LARGEST).astype("<f4")


def _first_values(beliefs: Beliefs) -> Array:
    return np.empty(0) if beliefs.values is None else beliefs.values[:, 0]
