"""Who has which sample in hand, and until when.

All leases last equally long, so the one that was renewed longest ago ends first.
"""

from collections import OrderedDict


class Leases:
    """Leases of samples to annotators; ``seconds`` is how long each lasts."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends: OrderedDict[tuple[int, str], float] = OrderedDict()
        self._holders: dict[int, set[str]] = {}

    def holders(self, sample: int) -> frozenset[str] | set[str]:
        return self._holders.get(sample, frozenset())

    def grant(self, sample: int, annotator: str, now: float) -> None:
        """A new lease, or a longer one."""
        self._ends[sample, annotator] = now + self._seconds
        self._ends.move_to_end((sample, annotator))
        self._holders.setdefault(sample, set()).add(annotator)

    def end(self, sample: int, annotator: str) -> bool:
        """Whether there was one."""
        if self._ends.pop((sample, annotator), None) is None:
            return False
        self._holders[sample].remove(annotator)
        if not self._holders[sample]:
            del self._holders[sample]
        return True

    def expire(self, now: float) -> list[int]:
        """End what is over; the samples that it was about."""
        over = []
        while self._ends:
            (sample, annotator), end = next(iter(self._ends.items()))
            if end > now:
                break
            self.end(sample, annotator)
            over.append(sample)
        return over
