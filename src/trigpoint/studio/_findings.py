"""What the worker has told so far, the latest of each, in the forms that the page wants."""

from typing import Any

import numpy as np

from trigpoint._types import Array
from trigpoint.studio._advice import advice_body
from trigpoint.studio._news import Advice, Beliefs, Bound, Failed, Map, News, Proposals, Ready, Stage

UNKNOWN = 255  # doubt where nothing is known, as a byte


class Findings:
    """Fed with news by the service; holds no more than the last of each kind."""

    def __init__(self, regresses: bool) -> None:
        self.regresses = regresses
        self.stage = Stage("starting")
        self.ready = False
        self.failed: str | None = None
        self.beliefs: Beliefs | None = None
        self.map: Map | None = None
        self.versions = {"beliefs": 0, "map": 0}
        self._advice: Advice | None = None
        self._bounds: dict[int, float] = {}  # by the number of labels
        self._painted: tuple[int, bytes] | None = None

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
        if self.regresses:
            assert beliefs.values is not None
            values = [float(value) for value in beliefs.values[i]]
            return None if np.isnan(values).any() else {"value": values, "probability": None, "doubt": doubt}
        code = int(beliefs.codes[i])
        if code < 0:
            return None
        share = float(beliefs.probability[i])
        return {"value": beliefs.classes[code], "probability": share, "doubt": doubt}

    def coordinates(self) -> tuple[int, bytes] | None:
        if self.map is None:
            return None
        return self.versions["map"], np.ascontiguousarray(self.map.coordinates, "<f4").tobytes()

    def painted(self) -> tuple[int, bytes, tuple[str, ...]] | None:
        """Class numbers (int16), doubts (uint8), and for real targets the first value (float32)."""
        beliefs, version = self.beliefs, self.versions["beliefs"]
        if beliefs is None:
            return None
        if self._painted is None or self._painted[0] != version:
            self._painted = version, b"".join(part.tobytes() for part in _layers(beliefs, self.regresses))
        return *self._painted, () if self.regresses else beliefs.classes


def _layers(beliefs: Beliefs, regresses: bool) -> list[Array]:
    doubt = np.where(np.isfinite(beliefs.doubt), np.clip(beliefs.doubt, 0.0, 1.0) * (UNKNOWN - 1), UNKNOWN)
    layers: list[Array] = [doubt.round().astype(np.uint8)]
    if regresses:
        assert beliefs.values is not None
        codes = np.where(np.isnan(beliefs.values[:, 0]), -1, 0)
        return [codes.astype("<i2"), *layers, np.ascontiguousarray(beliefs.values[:, 0], "<f4")]
    return [beliefs.codes.astype("<i2"), *layers]
