"""How the people do: pace, agreement, checks, how long it will take, and what they did last.

All figures are kept up to date as events come in, so that a request costs as much as there are people.

    pace       labels a minute of active time: a gap of more than a minute between two answers is a break, and
               neither it nor the answer that ends it counts; nor do labels for many samples at once
    agreement  of the pairs of labels on one sample, one of them theirs, the share that are the same
    checks     of their labels on random checks that others labeled or that somebody confirmed, the share
               that are the sample's label
    accepted   of their labels on samples with a suggestion, the share that took it
    time left  answers that the budget still needs, over the pace of those who were there lately
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import ceil
from typing import Any

from trigpoint.studio._answers import Count, Known
from trigpoint.studio._events import Event, shown
from trigpoint.studio._history import IMPORT
from trigpoint.studio._requests import Record
from trigpoint.studio._roles import Role
from trigpoint.studio._state import State

BREAK = 60.0  # seconds
LATELY = 600.0  # seconds since the last answer of those whose pace counts for the time left
FEWEST = 5  # timed answers that make a pace
KEPT, KEPT_EACH = 500, 50  # newest deeds of everybody, and of each person
ANSWERS = ("label", "unsure")
QUEUE = "queue"


class Member(Record, frozen=True):
    """A person; figures that are not known are None."""

    name: str
    role: str | None  # of their link, if they have one
    seen: float | None
    labels: Count
    today: Count
    pace: float | None
    agreement: float | None
    pairs: Count
    quality: float | None
    accepted: float | None
    suggested: Count
    right: Count
    checks: Count


class TeamAnswer(Record, frozen=True):
    members: list[Member]
    spent: Count
    budget: Count
    minutes: float | None  # that the budget will take
    sentence: str


class Deed(Record, frozen=True):
    seq: Count
    time: float
    person: str
    words: str
    sample: Count | None


class Activity(Record, frozen=True):
    """The newest deeds of everybody or of one person, newest first, and who there is to choose from."""

    deeds: list[Deed]
    people: list[str]


class LinkInfo(Record, frozen=True):
    """A link; ``seen`` is when the person was last there."""

    id: str
    url: str
    role: Role
    name: str | None
    made: float
    seen: float | None
    password: bool


class LinkList(Record, frozen=True):
    """Links that were not ended; ``local``: browsers of this machine alone can open them."""

    links: list[LinkInfo]
    local: bool


class Done(Record, frozen=True):
    done: bool


@dataclass
class _Person:
    last: float | None = None  # time of the last answer
    timed: int = 0  # answers within a minute of the one before, in all
    active: float = 0.0  # the seconds between these
    day: int = 0
    today: int = 0
    day_timed: int = 0
    day_active: float = 0.0
    suggested: int = 0
    accepted: int = 0
    pairs: int = 0
    agreed: int = 0
    checks: int = 0
    right: int = 0
    deeds: "deque[_Deed]" = field(default_factory=lambda: deque(maxlen=KEPT_EACH))


@dataclass(slots=True)
class _Deed:
    """One line of the activity; labels of one group are one line."""

    event: Event
    group: str | None
    client: str | None  # of its first event
    n: int = 1
    undoes: "_Deed | None" = None


class Team:
    """What everybody did; `apply` after the state knows the event. ``last`` is the number of the last one."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._people: dict[str, _Person] = {}
        self._deeds: deque[_Deed] = deque(maxlen=KEPT)
        self._by_client: dict[str, _Deed] = {}
        self._shares: dict[int, list[tuple[str, int, int, int, int]]] = {}  # sample -> what it counted for
        self.last: int = 0
        self._at = 0

    def apply(self, event: Event) -> None:
        """Take in an event, once; they come in the order of their numbers."""
        if event.seq <= self.last:
            return
        self.last = event.seq
        if event.kind != "ask":
            self._note(event)
        if event.kind in (*ANSWERS, "skip", "keep") and event.body.get("source") != IMPORT:
            self._time(event)
        self._compare(event)

    def _note(self, event: Event) -> None:
        """Keep the deed for the activity."""
        person = self._person(event.annotator)
        group = event.body.get("group") or (IMPORT if event.body.get("source") == IMPORT else None)
        latest = person.deeds[-1] if person.deeds else None
        if latest is not None and group is not None and latest.group == group and event.kind == "label":
            latest.n += 1
            latest.event = event
            return
        undoes = self._by_client.get(str(event.body.get("target")))
        deed = _Deed(event, group, event.client, undoes=undoes)
        person.deeds.append(deed)
        if len(self._deeds) == KEPT:
            self._forget(self._deeds[0])
        self._deeds.append(deed)
        for name in (event.client, group):
            if name is not None and name != IMPORT:
                self._by_client[name] = deed

    def _forget(self, deed: _Deed) -> None:
        deed.undoes = None
        for name in [name for name in (deed.client, deed.group) if name is not None]:
            if self._by_client.get(name) is deed:
                del self._by_client[name]

    def _time(self, event: Event) -> None:
        person = self._person(event.annotator)
        day = local_day(event.time)
        if day != person.day:
            person.day, person.today, person.day_timed, person.day_active = day, 0, 0, 0.0
        if event.kind in ANSWERS:
            person.today += 1
            gap = None if person.last is None else event.time - person.last
            if gap is not None and 0 <= gap <= BREAK and event.body.get("group") is None:
                person.timed += 1
                person.active += gap
                if event.body.get("source", QUEUE) == QUEUE:  # others cost nothing of the budget
                    person.day_timed += 1
                    person.day_active += gap
        person.last = event.time
        if event.kind == "label" and event.body.get("suggested") is not None:
            person.suggested += 1
            person.accepted += event.body["suggested"] == event.body["value"]

    def _compare(self, event: Event) -> None:
        """Count anew the samples that the event changed."""
        touched = self._state.touched
        changed = set(touched[self._at :])
        self._at = len(touched)
        if event.kind == "keep":
            changed |= {i for i in (self._state.index(event.sample or ""),) if i is not None}
        if event.kind == "rename" or (event.kind == "undo" and not changed):
            changed |= self._shares.keys()  # classes that become one agree from now on
        for i in changed:
            self._count(i)

    def _count(self, i: int) -> None:
        for name, *was in self._shares.pop(i, ()):
            self._add(name, *(-number for number in was))
        found = list(_shares(self._state, i))
        if found:
            self._shares[i] = found
        for name, *now in found:
            self._add(name, *now)

    def _add(self, name: str, pairs: int, agreed: int, checks: int, right: int) -> None:
        person = self._person(name)
        person.pairs += pairs
        person.agreed += agreed
        person.checks += checks
        person.right += right

    def _person(self, name: str) -> _Person:
        return self._people.setdefault(name, _Person())

    def answer(
        self, spent: int, roles: dict[str, str], heard: dict[str, float], now: float | None = None
    ) -> TeamAnswer:
        """Everybody, with the time that the budget will take.

        ``roles`` are of people with links of their own, who are listed also before they did anything;
        ``heard`` is when people were last there.
        """
        now = time.time() if now is None else now
        labels, quality = self._state.annotators(), self._state.quality()
        names = dict.fromkeys([*roles, *labels])
        members = [
            self._member(name, labels.get(name, 0), quality.get(name), roles.get(name), heard.get(name), now)
            for name in names
        ]
        members.sort(key=lambda one: (-one.labels, one.name))
        minutes, sentence = self._left(spent, now)
        return TeamAnswer(members, spent, self._state.budget, minutes, sentence)

    def _member(
        self,
        name: str,
        labels: int,
        quality: float | None,
        role: str | None,
        heard: float | None,
        now: float,
    ) -> Member:
        one = self._people.get(name, _Person())
        times = [when for when in (heard, one.last) if when is not None]
        return Member(
            name=name,
            role=role,
            seen=max(times) if times else None,
            labels=labels,
            today=one.today if one.day == local_day(now) else 0,
            pace=pace(one.timed, one.active),
            agreement=one.agreed / one.pairs if one.pairs else None,
            pairs=one.pairs,
            quality=quality,
            accepted=one.accepted / one.suggested if one.suggested else None,
            suggested=one.suggested,
            right=one.right,
            checks=one.checks,
        )

    def _left(self, spent: int, now: float) -> tuple[float | None, str]:
        """Minutes that the budget will take, and a sentence about them."""
        left = (self._state.budget - spent) * self._state.settings.overlap
        if left <= 0:
            return None, "The budget is used up."
        today = [one for one in self._people.values() if one.day == local_day(now)]
        lately = [one for one in today if one.last is not None and now - one.last <= LATELY]
        paces = [
            found
            for one in lately or today
            if (found := pace(one.day_timed, one.day_active)) is not None and found > 0
        ]
        if not paces:
            answers = f"{left:,} answer{'s' * (left != 1)}"
            return None, f"{answers} to go; how long that takes is told when somebody labels."
        minutes = left / sum(paces)
        people = f"{len(paces)} {'person' if len(paces) == 1 else 'people'}"
        return minutes, f"About {duration(minutes)} at today's pace of {people}."

    def activity(self, person: str | None, before: int | None, limit: int) -> Activity:
        deeds: Iterable[_Deed] = self._deeds
        if person is not None:
            deeds = self._people[person].deeds if person in self._people else ()
        newest = (deed for deed in reversed(list(deeds)) if before is None or deed.event.seq < before)
        people = [name for name, one in self._people.items() if one.deeds]
        return Activity([self._told(deed) for deed in islice(newest, limit)], sorted(people))

    def _told(self, deed: _Deed) -> Deed:
        event = deed.event
        sample = self._state.index(event.sample) if event.sample is not None and deed.n == 1 else None
        return Deed(event.seq, event.time, event.annotator, words(deed.event, deed.n, deed.undoes), sample)


def _shares(state: State, i: int) -> Iterator[tuple[str, int, int, int, int]]:
    """What each person's label of a sample counts for: pairs, pairs that agree, checks, checks right."""
    told = {a.annotator: a.value for a in state.independent(i) if a.value is not None}
    label = state.labels.get(i)
    check = bool(state.asked.get(i)) and label is not None and _is_checked(state, i)
    if len(told) < 2 and not check:
        return
    for name, value in told.items():
        agreed = sum(value == other for who, other in told.items() if who != name)
        yield name, len(told) - 1, agreed, int(check), int(check and value == label)


def _is_checked(state: State, i: int) -> bool:
    """Whether more than one person had a word about the label of a sample."""
    labels = [action for action in state.current(i).values() if action.kind == "label"]
    return len(labels) > 1 or state.confirmed_at(i) is not None


def words(event: Event, n: int = 1, undoes: "_Deed | None" = None) -> str:
    """An event in words, without its person.

    >>> words(Event(1, 0.0, "label", "ada", "a.png", None, {"value": "cat"}))
    'labeled a.png as cat'
    """
    body, sample = event.body, str(event.sample)[:80]
    if event.kind == "label" and n > 1:
        if body.get("source") == IMPORT:
            return f"imported labels of {n:,} samples"
        return f"labeled {n:,} samples as {_said(body.get('value'))}"
    if event.kind == "undo":
        what = "an earlier answer" if undoes is None else words(undoes.event, undoes.n)
        return f"took back: {what}"
    told = {
        "label": f"labeled {sample} as {_said(body.get('value'))}",
        "unsure": f"was unsure about {sample}",
        "skip": f"skipped {sample}",
        "keep": f"checked {sample} and kept {_said(body.get('value'))}",
        "note": f"{'flagged' if body.get('flag') else 'wrote a note on'} {sample}",
        "class": f"added the class {_said(body.get('name'))}",
        "rename": f"renamed {_said(body.get('old'))} to {_said(body.get('new'))}",
        "describe": f"described the class {_said(body.get('name'))}",
        "order": "changed the order of the classes",
        "guide": "changed the guidelines",
        "budget": f"set the budget to {body.get('budget')}",
        "checks": f"asked for {body.get('count')} random checks",
    }
    return told.get(event.kind, event.kind)


def _said(value: Known | Any) -> str:
    if isinstance(value, str):
        return value[:80]
    if isinstance(value, list | tuple):
        listed = [one if isinstance(one, str) else f"{one:.4g}" for one in value]
        return ", ".join(listed)[:80] or "none of them"
    return shown(value)


def pace(timed: int, seconds: float) -> float | None:
    """Answers a minute; None where there are too few to tell.

    >>> pace(30, 60.0), pace(2, 1.0)
    (30.0, None)
    """
    return None if timed < FEWEST or seconds <= 0 else 60 * timed / seconds


def duration(minutes: float) -> str:
    """
    >>> duration(0.2), duration(41.2), duration(150.0), duration(6000.0)
    ('a minute', '42 minutes', '2.5 hours', '100 hours')
    """
    whole = ceil(minutes)
    if whole <= 1:
        return "a minute"
    if whole < 120:
        return f"{whole} minutes"
    return f"{minutes / 60:.1f} hours" if minutes < 600 else f"{minutes / 60:,.0f} hours"


def local_day(when: float) -> int:
    there = time.localtime(when)
    return there.tm_year * 1000 + there.tm_yday


def summary_of(state: State, n_samples: int, seq: int) -> dict[str, Any]:
    """What a store says of itself to those who do not read its events; ``seq`` is the last that it counts."""
    return {
        "seq": seq,
        "n_samples": n_samples,
        "labels": len(state.labels),
        "spent": len(state.paid),
        "budget": state.budget,
        "people": sum(n > 0 for n in state.annotators().values()),
    }
