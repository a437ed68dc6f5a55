"""Places in a line, each once, the first one first."""

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from math import inf

NOBODY = inf  # the first place of an empty line


class Line:
    """A heap without duplicates."""

    def __init__(self, places: Iterable[int] = ()) -> None:
        self._members = set(places)
        self._heap = list(self._members)
        heapify(self._heap)

    def add(self, place: int) -> None:
        if place not in self._members:
            self._members.add(place)
            heappush(self._heap, place)

    @property
    def first(self) -> float:
        return self._heap[0] if self._heap else NOBODY

    def pop(self) -> int:
        place = heappop(self._heap)
        self._members.remove(place)
        return place
