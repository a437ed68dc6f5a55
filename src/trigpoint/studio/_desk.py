"""Who gets which sample next.

A sample is lent to a person for a while. It wants people while

    answers (label, unsure) + leases < overlap,    and nobody has decided with a final label.

First come samples that were asked for before and want people, in order of asking; then proposals, in their
order; last what the person skipped, the oldest skip first. Nobody gets what they have answered, skipped or
have in hand. A sample without answers or leases is begun only while fewer samples than the budget that were
handed out have any: labels that nobody was asked for, from a file or the map, are not paid for.

Each annotator has two lines of places (in the order of asking): samples that are begun, and samples that
are not. A place joins a line when its sample may have become free, and is looked at when it comes first:
no call looks at all samples.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trigpoint.studio._book import Book
from trigpoint.studio._leases import Leases
from trigpoint.studio._line import NOBODY, Line


@dataclass(frozen=True)
class Ticket:
    """A sample in somebody's hands; first: no ask of it has been written down yet."""

    sample: int
    audit: bool
    first: bool


class Desk:
    """Lends the samples of a book's pool.

    Parameters
    ----------
    book : Book; the desk reads in it what people did
    overlap : people a sample
    lease : seconds until a sample that is not heard of goes to another person

    All times are of one clock that never goes back.
    """

    def __init__(self, book: Book, overlap: int, lease: float = 60.0) -> None:
        self._book, self._overlap, self._lease = book, overlap, lease
        self._leases = Leases(lease)
        self._read = 0  # entries of book.touched
        self._proposals: dict[int, bool] = {}
        self._order: list[int] = []  # samples that were handed out, by place
        self._places: dict[int, int] = {}
        self._audits: dict[int, bool] = {}
        self._unasked: dict[int, str] = {}  # and to whom they went first
        self._begun: set[int] = set()  # samples with an answer or a lease
        self._spent: set[int] = set()  # those of them that were handed out
        self._free: set[int] = set()  # places of samples that want people
        self._lines: OrderedDict[str, tuple[Line, Line]] = OrderedDict()  # the last to call is last
        self._heard: dict[str, float] = {}
        self._skipped: dict[str, dict[int, None]] = {}
        self._catch_up()

    @property
    def waiting(self) -> int:
        """Proposals that nobody has been handed."""
        self._catch_up()
        return len(self._proposals)

    def propose(self, samples: Sequence[int], audits: Sequence[bool]) -> None:
        """What to ask next, in order; in place of what was proposed before and not handed out."""
        self._catch_up()
        pairs = zip(samples, audits, strict=True)
        self._proposals = {int(i): bool(audit) for i, audit in pairs if self._is_new(int(i))}

    def hand_out(
        self, annotator: str, held: Sequence[int], want: int, now: float, again: bool = True
    ) -> list[Ticket]:
        """Samples for an annotator who has ``held`` in hand and wants ``want`` in all.

        Leases of those held are renewed, and given anew where they have run out and nobody else has the
        sample. ``again`` is whether samples that they skipped may come back when nothing else is left.
        """
        self.expire(now)
        self._greet(annotator, now)
        for i in held:
            known = i in self._places or i in self._proposals
            if annotator in self._leases.holders(i) or (known and self._may_have(i, annotator)):
                self._lend(i, annotator, now)
        tickets: list[Ticket] = []
        while len(tickets) < want - len(held):
            found = self._next(annotator, held, again)
            if found is None:
                break
            self._lend(found, annotator, now)
            tickets.append(Ticket(found, self._audits[found], found not in self._book.asked))
        return tickets

    def unasked(self) -> list[tuple[str, Ticket]]:
        """Annotator and ticket of all samples that were handed out and have no ask in the book."""
        self._catch_up()
        return [(annotator, Ticket(i, self._audits[i], True)) for i, annotator in self._unasked.items()]

    def release(self, annotator: str, sample: int) -> None:
        """Take a sample out of somebody's hands. What they have acted on is taken anyway."""
        self._catch_up()
        if self._leases.end(sample, annotator):
            self._review(sample)

    def expire(self, now: float) -> None:
        """Take back what was not heard of for the time of a lease, and forget who has left."""
        self._catch_up()
        for i in self._leases.expire(now):
            self._review(i)
        while self._lines and self._heard[next(iter(self._lines))] + self._lease < now:
            annotator, _ = self._lines.popitem(last=False)
            del self._heard[annotator]

    def _catch_up(self) -> None:
        """Look at all samples that people have done something with."""
        touched = self._book.touched
        while self._read < len(touched):
            i, annotator = touched[self._read]
            self._read += 1
            if i in self._book.asked:
                self._place(i, self._book.asked[i])
                self._unasked.pop(i, None)
            if annotator:
                self._leases.end(i, annotator)
                self._note_skip(i, annotator)
            self._review(i)

    def _note_skip(self, i: int, annotator: str) -> None:
        skipped = self._skipped.setdefault(annotator, {})
        skipped.pop(i, None)
        action = self._book.current(i).get(annotator)
        if action is not None and action.kind == "skip":
            skipped[i] = None

    def _place(self, i: int, audit: bool) -> None:
        if i not in self._places:
            self._places[i] = len(self._order)
            self._order.append(i)
        self._audits[i] = audit

    def _review(self, i: int) -> None:
        """Let a sample join the lines of all who may have it."""
        actions, holders = self._book.current(i), self._leases.holders(i)
        if holders or any(action.kind != "skip" for action in actions.values()):
            self._begun.add(i)
        else:
            self._begun.discard(i)
        if not self._is_new(i):
            self._proposals.pop(i, None)
        place = self._places.get(i)
        if place is None:
            return
        (self._spent.add if i in self._begun else self._spent.discard)(i)
        if not self._wants_people(i):
            self._free.discard(place)
            return
        self._free.add(place)
        for annotator, lines in self._lines.items():
            if annotator not in actions and annotator not in holders:
                lines[i in self._begun].add(place)

    def _greet(self, annotator: str, now: float) -> None:
        self._heard[annotator] = now
        if annotator not in self._lines:
            mine = [place for place in self._free if self._is_stranger(self._order[place], annotator)]
            begun = {place for place in mine if self._order[place] in self._begun}
            self._lines[annotator] = Line(set(mine) - begun), Line(begun)
        self._lines.move_to_end(annotator)

    def _lend(self, i: int, annotator: str, now: float) -> None:
        if i not in self._places:
            self._place(i, self._proposals[i])
        if i not in self._book.asked:
            self._unasked.setdefault(i, annotator)
        news = annotator not in self._leases.holders(i)
        self._leases.grant(i, annotator, now)
        if news:
            self._review(i)

    def _next(self, annotator: str, held: Sequence[int], again: bool) -> int | None:
        i = self._next_in_line(annotator)
        if i is None and self._is_open():
            i = next((i for i in self._proposals if self._is_stranger(i, annotator)), None)
            if i is None and again:
                i = next(self._skips(annotator, held), None)
        return i

    def _next_in_line(self, annotator: str) -> int | None:
        fresh, begun = self._lines[annotator]
        while True:
            line = begun
            if self._is_open() and fresh.first < begun.first:
                line = fresh
            if line.first == NOBODY:
                return None
            i = self._order[line.pop()]
            if self._may_have(i, annotator):
                return i

    def _skips(self, annotator: str, held: Sequence[int]) -> Iterator[int]:
        for i in self._skipped.get(annotator, ()):
            known = i in self._places or i in self._proposals
            mine = i in held or annotator in self._leases.holders(i)
            if known and not mine and self._wants_people(i) and (i in self._begun or self._is_open()):
                yield i

    def _answers(self, i: int) -> int:
        return sum(action.kind != "skip" for action in self._book.current(i).values())

    def _is_open(self) -> bool:
        return len(self._spent) < self._book.budget

    def _is_new(self, i: int) -> bool:
        return i not in self._places and not self._answers(i)

    def _wants_people(self, i: int) -> bool:
        actions = self._book.current(i).values()
        taken = sum(action.kind != "skip" for action in actions) + len(self._leases.holders(i))
        return taken < self._overlap and not any(action.final for action in actions)

    def _is_stranger(self, i: int, annotator: str) -> bool:
        return annotator not in self._leases.holders(i) and annotator not in self._book.current(i)

    def _may_have(self, i: int, annotator: str) -> bool:
        return (
            self._is_stranger(i, annotator)
            and self._wants_people(i)
            and (i in self._begun or self._is_open())
        )
