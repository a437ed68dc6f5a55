"""Who gets which sample next, and until when they have it.

A sample is assigned to a person for the time of a lease. It wants people while

    answers (label, unsure) + leases < overlap,    and nobody has decided with a final label.

A sample that is withheld, since it cannot be shown, wants nobody.

First come samples that were asked for before and want people, in order of asking; then proposals, in their
order; last what the person skipped, the oldest skip first. Nobody gets what they have answered, skipped or
hold already. A sample without answers or leases is begun only while fewer assigned samples than the budget
have any: labels that nobody was asked for, from a file, the map or the gallery, are not paid for.

A place is the rank of a sample in the order of asking. Each annotator has two queues of places: samples that
are begun, and samples that are not. A place joins a queue when its sample may have become free, and is
checked when it comes first: no call looks at all samples. All leases last equally long, so the one that was
renewed longest ago ends first.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from heapq import heapify, heappop, heappush
from math import inf

from trigpoint.studio._state import State

EMPTY = inf  # the first place of an empty queue


@dataclass(frozen=True)
class Assignment:
    """A sample that a person gets; first: no ask of it has been written yet."""

    sample: int
    audit: bool
    first: bool


class Assigner:
    """Assigns the samples of a pool to people.

    Parameters
    ----------
    state : what people did; the assigner reads it and never changes it
    overlap : people a sample
    lease : seconds until a sample whose holder is silent goes to another person

    All times are of one clock that never goes back.
    """

    def __init__(self, state: State, overlap: int, lease: float = 60.0) -> None:
        self._state, self._overlap, self._lease = state, overlap, lease
        self._leases = Leases(lease)
        self._read = 0  # entries of state.touched
        self._proposals: dict[int, bool] = {}
        self._order: list[int] = []  # assigned samples, by place
        self._places: dict[int, int] = {}
        self._audits: dict[int, bool] = {}
        self._unasked: dict[int, str] = {}  # assigned samples without an ask, and who got them first
        self._begun: set[int] = set()  # samples with an answer or a lease
        self._spent: set[int] = set()  # those of them that were assigned
        self._free: set[int] = set()  # places of samples that want people
        self._queues: OrderedDict[str, tuple[PlaceQueue, PlaceQueue]] = (
            OrderedDict()
        )  # the last to call is last
        self._heard: dict[str, float] = {}
        self._withheld: set[int] = set()  # samples that nobody gets
        self._skipped: dict[str, dict[int, None]] = {}
        self._catch_up()

    @property
    def waiting(self) -> int:
        """Proposals that nobody has got."""
        self._catch_up()
        return len(self._proposals)

    def propose(self, samples: Sequence[int], audits: Sequence[bool]) -> None:
        """What to ask next, in order; in place of what was proposed before and not assigned."""
        self._catch_up()
        pairs = zip(samples, audits, strict=True)
        self._proposals = {int(i): bool(audit) for i, audit in pairs if self._is_new(int(i))}

    def reserve(self, annotator: str, count: int) -> list[int]:
        """Samples for a person to go on with while their line is down: proposals, lent to nobody.

        No audits, and no more than the budget has left. Each person has an order of their own, so that two
        who are cut off label different ones.
        """
        self._catch_up()
        left = max(self._state.budget - len(self._spent), 0)
        mine = [i for i, audit in self._proposals.items() if not audit and self._is_stranger(i, annotator)]
        return sorted(mine, key=lambda i: blake2b(f"{i} {annotator}".encode()).digest())[: min(count, left)]

    def withhold(self, samples: Iterable[int]) -> None:
        """Nobody gets these any more."""
        self._catch_up()
        self._withheld |= set(samples)
        for i in self._withheld:
            self._review(i)

    def assign(
        self, annotator: str, held: Sequence[int], want: int, now: float, again: bool = True
    ) -> list[Assignment]:
        """Samples for an annotator who holds ``held`` and wants ``want`` in all.

        Leases of those held are renewed, and given anew where they have run out and nobody else has the
        sample. ``again`` is whether samples that they skipped may come back when nothing else is left.
        """
        self.expire(now)
        self._note_presence(annotator, now)
        for i in held:
            known = i in self._places or i in self._proposals
            if annotator in self._leases.holders(i) or (known and self._may_have(i, annotator)):
                self._lease_to(i, annotator, now)
        assignments: list[Assignment] = []
        while len(assignments) < want - len(held):
            found = self._next(annotator, held, again)
            if found is None:
                break
            self._lease_to(found, annotator, now)
            assignments.append(Assignment(found, self._audits[found], found not in self._state.asked))
        return assignments

    def unasked(self) -> list[tuple[str, Assignment]]:
        """Annotator and assignment of all assigned samples that have no ask in the state."""
        self._catch_up()
        return [(annotator, Assignment(i, self._audits[i], True)) for i, annotator in self._unasked.items()]

    def release(self, annotator: str, sample: int) -> None:
        """End a lease. An action on the sample ends it anyway."""
        self._catch_up()
        if self._leases.end(sample, annotator):
            self._review(sample)

    def expire(self, now: float) -> None:
        """End leases whose time is over, and forget who has left."""
        self._catch_up()
        for i in self._leases.expire(now):
            self._review(i)
        while self._queues and self._heard[next(iter(self._queues))] + self._lease < now:
            annotator, _ = self._queues.popitem(last=False)
            del self._heard[annotator]

    def _catch_up(self) -> None:
        """Look at all samples that people have done something with."""
        touched = self._state.touched
        while self._read < len(touched):
            i, annotator = touched[self._read], self._state.touched_by[self._read]
            self._read += 1
            if i in self._state.asked:
                self._place(i, self._state.asked[i])
                self._unasked.pop(i, None)
            if annotator:
                self._leases.end(i, annotator)
                self._note_skip(i, annotator)
            self._review(i)

    def _note_skip(self, i: int, annotator: str) -> None:
        skipped = self._skipped.setdefault(annotator, {})
        skipped.pop(i, None)
        action = self._state.current(i).get(annotator)
        if action is not None and action.kind == "skip":
            skipped[i] = None

    def _place(self, i: int, audit: bool) -> None:
        if i not in self._places:
            self._places[i] = len(self._order)
            self._order.append(i)
        self._audits[i] = audit

    def _review(self, i: int) -> None:
        """Let a sample join the queues of all who may have it."""
        actions, holders = self._state.current(i), self._leases.holders(i)
        if holders or any(action.kind != "skip" for action in actions.values()):
            self._begun.add(i)
        else:
            self._begun.discard(i)
        if not self._is_new(i):
            self._proposals.pop(i, None)
        place = self._places.get(i)
        if place is None:
            return
        (self._spent.add if holders or self._state.costs(i) else self._spent.discard)(i)
        if not self._wants_people(i):
            self._free.discard(place)
            return
        self._free.add(place)
        for annotator, queues in self._queues.items():
            if annotator not in actions and annotator not in holders:
                queues[i in self._begun].add(place)

    def _note_presence(self, annotator: str, now: float) -> None:
        self._heard[annotator] = now
        if annotator not in self._queues:
            mine = [place for place in self._free if self._is_stranger(self._order[place], annotator)]
            begun = {place for place in mine if self._order[place] in self._begun}
            self._queues[annotator] = PlaceQueue(set(mine) - begun), PlaceQueue(begun)
        self._queues.move_to_end(annotator)

    def _lease_to(self, i: int, annotator: str, now: float) -> None:
        if i not in self._places:
            self._place(i, self._proposals[i])
        if i not in self._state.asked:
            self._unasked.setdefault(i, annotator)
        new = annotator not in self._leases.holders(i)
        self._leases.grant(i, annotator, now)
        if new:
            self._review(i)

    def _next(self, annotator: str, held: Sequence[int], again: bool) -> int | None:
        i = self._next_in_queue(annotator)
        if i is None and self._is_open():
            i = next((i for i in self._proposals if self._is_stranger(i, annotator)), None)
            if i is None and again:
                i = next(self._skips(annotator, held), None)
        return i

    def _next_in_queue(self, annotator: str) -> int | None:
        fresh, begun = self._queues[annotator]
        while True:
            queue = begun
            if self._is_open() and fresh.first < begun.first:
                queue = fresh
            if queue.first == EMPTY:
                return None
            i = self._order[queue.pop()]
            if self._may_have(i, annotator):
                return i

    def _skips(self, annotator: str, held: Sequence[int]) -> Iterator[int]:
        for i in self._skipped.get(annotator, ()):
            known = i in self._places or i in self._proposals
            mine = i in held or annotator in self._leases.holders(i)
            if known and not mine and self._wants_people(i) and (i in self._begun or self._is_open()):
                yield i

    def _answers(self, i: int) -> int:
        return sum(action.kind != "skip" for action in self._state.current(i).values())

    def _is_open(self) -> bool:
        return len(self._spent) < self._state.budget

    def _is_new(self, i: int) -> bool:
        return i not in self._places and i not in self._withheld and not self._answers(i)

    def _wants_people(self, i: int) -> bool:
        if i in self._withheld:
            return False
        actions = self._state.current(i).values()
        taken = sum(action.kind != "skip" for action in actions) + len(self._leases.holders(i))
        return taken < self._overlap and not any(action.final for action in actions)

    def _is_stranger(self, i: int, annotator: str) -> bool:
        return annotator not in self._leases.holders(i) and annotator not in self._state.current(i)

    def _may_have(self, i: int, annotator: str) -> bool:
        return (
            self._is_stranger(i, annotator)
            and self._wants_people(i)
            and (i in self._begun or self._is_open())
        )


class Leases:
    """Who holds which sample; ``seconds`` is how long each lease lasts."""

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


class PlaceQueue:
    """Places, each once, the first one first."""

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
        return self._heap[0] if self._heap else EMPTY

    def pop(self) -> int:
        place = heappop(self._heap)
        self._members.remove(place)
        return place
