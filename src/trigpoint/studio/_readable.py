"""The samples of the page and those of the learner, where some pictures cannot be read.

The page lists every picture of the pool, since nobody waits until all are opened. The worker opens them, and
learns from those that can be read. It names samples by their places among these; here its messages become
messages about the samples of the page, and requests the other way round. A picture that cannot be read is
never proposed, its labels are not learned from, nothing is predicted of it, and it lies far outside the map.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from trigpoint._types import Array, Ints
from trigpoint.io import Samples
from trigpoint.studio._messages import Issues, Map, Message, Predictions, Proposals, Request, Skipped

OUTSIDE = 1e4  # the map lies within [-1, 1]


@dataclass(frozen=True, eq=False)
class Readable:
    """
    Attributes
    ----------
    n : samples of the page
    places : (m,) int64, where those of the learner are among them
    why : sample of the page -> why it cannot be read
    """

    n: int
    places: Ints
    why: dict[int, str]

    @cached_property
    def _own(self) -> dict[int, int]:
        return {int(i): k for k, i in enumerate(self.places)}

    def told(self) -> Skipped:
        return Skipped(self.why)

    def inward(self, request: Request) -> Request:
        """The request as the learner understands it."""
        log = [self._event(event) for event in request.log]
        return replace(request, log=[event for event in log if event["samples"]])

    def _event(self, event: dict[str, Any]) -> dict[str, Any]:
        samples = event["samples"]
        kept = [k for k, i in enumerate(samples) if i in self._own]
        lists = {
            name: [value[k] for k in kept]
            for name, value in event.items()
            if isinstance(value, list) and len(value) == len(samples)
        }
        return event | lists | {"samples": [self._own[samples[k]] for k in kept]}

    def outward(self, message: Message) -> Message:
        """The message as the page understands it."""
        match message:
            case Proposals() | Issues():
                return replace(message, samples=self.places[message.samples].tolist())
            case Map():
                return replace(message, coordinates=self._spread(message.coordinates, OUTSIDE))
            case Predictions():
                return replace(
                    message,
                    codes=self._spread(message.codes, -1),
                    probability=self._spread(message.probability, np.nan),
                    uncertainty=self._spread(message.uncertainty, 1),
                    values=None if message.values is None else self._spread(message.values, np.nan),
                    std=None if message.std is None else self._spread(message.std, np.inf),
                    tags=None if message.tags is None else self._spread(message.tags, np.nan),
                )
        return message

    def _spread(self, array: Array, filling: float) -> Array:
        found = np.full((self.n, *array.shape[1:]), filling, dtype=array.dtype)
        found[self.places] = array
        return found


def readable(samples: Samples) -> Readable | None:
    """How to translate for this pool; None where all of it could be read."""
    if not samples.skipped:
        return None
    places = {name: i for i, name in enumerate(all_ids(samples))}
    why = {places[name]: reason for name, reason in samples.skipped.items()}
    return Readable(len(places), np.array([places[name] for name in samples.ids], dtype=np.int64), why)


def all_ids(samples: Samples) -> list[str]:
    """The ids of the page, in its order: pictures are sorted by their ids."""
    ids: list[str] = samples.ids.tolist()
    return sorted([*ids, *samples.skipped]) if samples.skipped else ids
