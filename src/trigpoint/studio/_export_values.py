"""What exports say of a sample: its label or prediction, under the names that classes have now."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._types import Array
from trigpoint.studio._messages import Predictions
from trigpoint.studio._state import State
from trigpoint.studio._tag_votes import likely_tags

HUMAN, PREDICTED = "human", "predicted"  # who says what a sample is


class NothingYetError(Exception):
    """There is nothing to write yet; the message says what is missing."""


@dataclass(frozen=True)
class Guess:
    """What is predicted.

    Attributes
    ----------
    value : a class, a tuple of tags, or of numbers
    probability : of the class, or that the set of tags is exactly right; None for numbers
    """

    value: Any
    probability: float | None


def class_names(value: Any) -> list[str]:
    """The classes that a label names: one, or several tags."""
    return [value] if isinstance(value, str) else [str(name) for name in value]


def predicted_values(state: State, predictions: Predictions | None) -> Callable[[int], Guess | None]:
    """A function from a sample to what is predicted of it, or None where that is unknown."""
    if predictions is None:
        return lambda i: None
    if predictions.values is not None:
        values = np.asarray(predictions.values, dtype=np.float64)
        return lambda i: Guess(tuple(values[i].tolist()), None) if np.isfinite(values[i]).all() else None
    tags = predictions.tags
    if tags is not None:
        return lambda i: _tags(state, predictions, i, tags[i])
    names = [*map(state.book.named, predictions.classes), None]  # -1 is the last

    def guess(i: int) -> Guess | None:
        name = names[int(predictions.codes[i])]
        chance = float(predictions.probability[i])
        return None if name is None else Guess(name, chance if np.isfinite(chance) else None)

    return guess


def _tags(state: State, predictions: Predictions, i: int, chances: Array) -> Guess | None:
    tags = likely_tags(predictions.classes, chances.tolist(), state.book.named)
    if not tags:
        return None
    likely = tuple(sorted(name for name, p in tags.items() if p > predictions.threshold))
    chance = float(predictions.probability[i])
    return Guess(likely, chance if np.isfinite(chance) else None)
