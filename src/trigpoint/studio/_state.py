"""What follows from the events so far: labels, classes, history, agreement, and which labels were checked.

The same events in the same order give the same state, on any machine and at any time. An event that `check`
refuses changes nothing, so that two people may do the same thing at once.

How good people are (`annotators.consensus`) is estimated anew each time the answers that can be compared
have grown by a quarter, from the first `COMPARABLE` on: it follows from the events alone, costs little, and
labels of samples where people are tied change rarely.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import merge
from itertools import islice
from sys import intern
from typing import Any, NamedTuple

from trigpoint import annotators
from trigpoint.annotators import Agreement, ClassAgreement, Value, ValueAgreement
from trigpoint.studio._answers import PastAction
from trigpoint.studio._class_book import ClassBook, ClassInfo, Renaming
from trigpoint.studio._events import ANSWERS, DEEDS, Draft, Event, Settings, refusal, shown
from trigpoint.studio._history import IMPORT, Action, Consensus, History, consensus
from trigpoint.studio._keeps import CHECK, Keep, confirmed_at
from trigpoint.studio._tag_votes import tag_set

COMPARABLE = 30  # answers about samples that have several
ASKED = ("queue", IMPORT)  # sources of labels that are given without a look at those of others


class Note(NamedTuple):
    """What somebody wrote about a sample, and whether it is flagged."""

    text: str
    flag: bool
    annotator: str


NO_NOTE = Note("", False, "")


class State:
    """The state of a studio. One thread uses it: others replay the events into a state of their own.

    Parameters
    ----------
    settings : Settings
    ids : (n,) ids of the pool's samples; here samples are named by their index

    Attributes
    ----------
    budget : samples to label
    version : grows with each event that changes a label or the classes
    asked : sample -> whether it is an audit, in order of asking
    labels : sample -> label, in the order in which they came to have one
    unsure : samples that somebody is unsure of and nobody has labeled
    missing : events about samples that are not in the pool; they count for nothing
    book : the classes, what they were called before, and what is said of each
    paid : samples that were asked for and answered one by one; they count against the budget
    notes : sample -> what somebody wrote about it
    flagged : how many of these samples are flagged
    guide : the guidelines, Markdown
    guide_version : grows when the guidelines or what is said of a class changes
    checks : random checks that people want next, and that are still to be asked
    touched, touched_by : samples and annotators of all that was done, in order; "" for the one of an ask
    checked : samples of the events that may confirm a label or end that, in order
    """

    def __init__(self, settings: Settings, ids: Sequence[str]) -> None:
        self.settings = settings
        self.budget: int = settings.budget
        self.book: ClassBook = ClassBook(settings.classes)
        self.version: int = 0
        self.asked: dict[int, bool] = {}
        self.labels: dict[int, Value] = {}
        self.unsure: set[int] = set()
        self.missing: list[Event] = []
        self.paid: set[int] = set()
        self.notes: dict[int, Note] = {}
        self.flagged: int = 0
        self.guide: str = ""
        self.guide_version: int = 0
        self.checks: int = 0
        self.touched: list[int] = []
        self.touched_by: list[str] = []
        self.checked: list[int] = []
        self._ids = ids
        self._index = {str(name): i for i, name in enumerate(ids)}
        self._width = max(len(settings.targets), 1)
        self._history = History()
        self._keeps = History()  # apart: a person who keeps a label has not given one
        self._ever_checked: set[int] = set()
        self._agreement = ValueAgreement() if settings.regresses else ClassAgreement()
        self._disputed: dict[int, None] = {}
        self._shared: dict[int, int] = {}  # sample -> its labels, where there are several
        self._n_shared, self._due = 0, COMPARABLE
        self._quality: dict[str, float] = {}
        self._labeled: dict[str, int] = {}
        self._last = 0  # seq of the last event
        self._clients: dict[str, str] = {}  # client -> kind
        self._renames: dict[str, tuple[Renaming, dict[int, Action], dict[int, Action]]] = {}  # by client
        self._undone: set[str] = set()  # groups
        self._counts: Counter[str] = Counter()  # of the labels: class, or tag -> samples
        self._log: list[dict[str, Any]] | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        """Those given at the start, then in the order in which they came up, unless somebody ordered them."""
        return self.book.names

    def apply(self, event: Event) -> None:
        """Apply the next event; one that was applied before changes nothing."""
        if event.seq <= self._last:
            return
        self._last = event.seq
        if event.sample is not None and event.sample not in self._index:
            self.missing.append(event)
            return
        if self._problem(event.draft) is None:
            if event.kind in ANSWERS:
                self._answer(event)
            else:
                getattr(self, f"_{event.kind}")(event)
        if event.client is not None:
            self._clients.setdefault(event.client, event.kind)

    def check(self, draft: Draft) -> str | None:
        """Why the action is refused, in one sentence; None for what may be written.

        An action that was written before may be written again: the store answers with what it has.
        """
        return None if draft.client in self._clients else self._problem(draft)

    def knows(self, client: str) -> bool:
        """Whether an action of this name was written."""
        return client in self._clients

    def outdated(self, draft: Draft) -> str | None:
        """Why the action is about a label that its sample has no more; None also for what was written before.

        Only for actions that arrive: what is in a log was right when it was written.
        """
        seen = draft.body.get("value" if draft.kind == "keep" else "was")
        if seen is None or draft.client in self._clients:
            return None
        now = self.labels.get(self._index.get(draft.sample or "", -1))
        if now == self.named(seen):
            return None
        said = "none" if now is None else shown(now if isinstance(now, str) else list(now))
        return f"the label of {shown(draft.sample)} has changed since it was {shown(seen)}: now it is {said}."

    def current(self, i: int) -> dict[str, Action]:
        """Annotator -> the last thing they did with a sample and did not undo."""
        return self._history.current(i)

    def independent(self, i: int) -> list[Action]:
        """The last thing that each person did with a sample before they decided among others' labels."""
        return self._history.independent(i)

    def owns(self, annotator: str, i: int) -> bool:
        """Whether the label of a sample is one that this person gave, and not out of a file."""
        own = self._history.top(i, annotator)
        return own is not None and own.source != IMPORT and own.value == self.labels.get(i)

    @property
    def confirmed(self) -> set[int]:
        """Samples whose label somebody has checked and found right."""
        return {i for i in self._ever_checked if self.confirmed_at(i) is not None}

    def confirmed_at(self, i: int) -> float | None:
        """As `_keeps.confirmed_at`."""
        label = self.labels.get(i)
        if label is None or i not in self._ever_checked:
            return None
        return confirmed_at(label, [*self._history.current(i).values(), *self._keeps.current(i).values()])

    def labeled_at(self, i: int) -> int | None:
        """The event by which somebody last gave or kept the label of a sample; None where it has none."""
        if i not in self.labels:
            return None
        actions = [*self._history.current(i).values(), *self._keeps.current(i).values()]
        return max(action.seq for action in actions if action.kind in ("label", "keep"))

    def history(self, annotator: str | None, before: int | None, limit: int) -> list[PastAction]:
        """What people, or one of them, did with samples, newest first, older than the event ``before``.

        Labels of one gesture are one entry, that of the last of them, without a value where theirs differ.
        """
        return [
            PastAction(
                seq=action.seq,
                time=action.time,
                client=action.client,
                kind=action.kind,
                annotator=action.annotator,
                sample=action.sample,
                id=str(self._ids[action.sample]),
                value=action.value if len({one.value for one in together}) < 2 else None,
                source=action.source,
                current=current,
                group=action.group,
                n=len(together),
            )
            for action, current in islice(self._newest(annotator, before), limit)
            for together in [self._together(action)]
        ]

    def _together(self, action: Action) -> list[Action]:
        """Labels of the same gesture and person that stand."""
        if action.group is None:
            return [action]
        return [one for one in self._history.group(action.group) if one.annotator == action.annotator]

    def _newest(self, annotator: str | None, before: int | None) -> Iterable[tuple[Action, bool]]:
        both = (history.newest(annotator, before) for history in (self._history, self._keeps))
        newest = merge(*both, key=lambda found: -found[0].seq)
        return (found for found in newest if self._history.is_last(found[0]))

    def renames(self) -> list[tuple[str, Renaming]]:
        """Renames and merges that can be undone, by the names of their actions; the latest first."""
        found = [(client, done) for client, (done, *_) in self._renames.items()]
        return [one for one in reversed(found) if self.book.can_undo(one[1])]

    def answered(self) -> set[int]:
        """Samples that somebody has labeled or was unsure of."""
        return self.labels.keys() | self.unsure | self._disputed.keys()

    def is_answered(self, name: str) -> bool:
        """Whether somebody has labeled the sample of this id, or was unsure of it."""
        i = self._index.get(name, -1)
        return i in self.labels or i in self.unsure or i in self._disputed

    def may_join(self, group: str, name: str, relabel: bool) -> bool:
        """Whether one label for many samples reaches the sample of this id: nothing joins a group that was
        taken back, and a sample that has an answer keeps it, unless it was meant to be labeled anew."""
        return group not in self._undone and (relabel or not self.is_answered(name))

    def group(self, name: str) -> list[int]:
        """Samples that were labeled by one gesture, without what was undone."""
        return [action.sample for action in self._history.group(name)]

    def index(self, name: str) -> int | None:
        """The sample of this id."""
        return self._index.get(name)

    def is_rename(self, client: str) -> bool:
        """Whether a rename that stands has this name."""
        return client in self._renames

    def counts(self) -> dict[str, int]:
        """Class -> samples with that label, or tag; empty for real targets."""
        return {name: self._counts[name] for name in self.classes}

    def _count(self, label: Value | None, step: int) -> None:
        if label is None or self.settings.regresses:
            return
        for name in (label,) if isinstance(label, str) else label:
            self._counts[str(name)] += step

    def annotators(self) -> dict[str, int]:
        """Annotator -> samples that they have labeled."""
        return dict(self._labeled)

    def quality(self) -> dict[str, float]:
        """Annotator -> their estimated quality, of those whose answers can be compared."""
        return dict(self._quality)

    def disagreements(self) -> list[int]:
        """Samples whose annotators differ, and nobody has decided; the latest first."""
        return [i for i in reversed(list(self._disputed)) if self._agreement.differ(i)]

    def agreement(self) -> Agreement | None:
        return self._agreement.figures()

    def snapshot(self) -> list[dict[str, Any]]:
        """The log for `ActiveLearner.restore`; it is shared, so copy it before you change it."""
        if self._log is None:
            unsure = sorted(self.unsure)
            ask = {"event": "ask", "samples": list(self.asked), "audits": list(self.asked.values())}
            labels = [list(value) if isinstance(value, tuple) else value for value in self.labels.values()]
            answers = [*labels, *[None] * len(unsure)]
            tell = {"event": "tell", "samples": [*self.labels, *unsure], "labels": answers}
            self._log = [entry for entry in (ask, tell) if entry["samples"]]
        confirmed = sorted(self.confirmed)
        return [*self._log, {"event": "confirm", "samples": confirmed}] if confirmed else self._log

    def _problem(self, draft: Draft) -> str | None:
        why = refusal(draft, self.settings, self._index, self.classes, self._undo_problem)
        if why is None and draft.kind == "describe":
            return self.book.key_problem(draft.body["name"], draft.body.get("key"))
        return why

    def _undo_problem(self, annotator: str, target: Any) -> str | None:
        """Why somebody cannot undo what is named: an action by its client, or a group."""
        if isinstance(target, str) and target in self._renames:
            if self.book.can_undo(self._renames[target][0]):
                return None
            return "target must be a rename whose new name is there and whose old name is free; it is not."
        standing = self._standing(target)
        known = isinstance(target, str) and (
            target in self._undone or self._clients.get(target) in (*DEEDS, "rename")
        )
        if not known and not standing:
            rule = "target must be a label, an unsure, a skip, a keep, a rename or a group"
            return f"{rule}; got {shown(target)}."
        if not standing:
            return "target must be an action that stands; it was undone before."
        if all(action.annotator != annotator for action in standing):
            whose = shown(standing[0].annotator)
            return f"target must be an action of {shown(annotator)}; it is one of {whose}."
        return None

    def _standing(self, target: Any) -> list[Action]:
        """The actions that an undo of this name takes back."""
        if not isinstance(target, str):
            return []
        action = self._find(target)
        return self._history.group(target) if action is None else [action]

    def _find(self, client: str) -> Action | None:
        return self._history.find(client) or self._keeps.find(client)

    def _ask(self, event: Event) -> None:
        i = self._index[event.sample or ""]
        if i not in self.asked:
            self.asked[i] = bool(event.body.get("audit"))
            self.checks -= int(self.asked[i] and self.checks > 0)
            self._touch(i, "")
            self._log = None
            self._charge(i)

    def _touch(self, i: int, annotator: str) -> None:
        self.touched.append(i)
        self.touched_by.append(intern(annotator))

    def _answer(self, event: Event) -> None:
        i, body = self._index[event.sample or ""], event.body
        group = body.get("group")
        if group is not None and not self.may_join(group, event.sample or "", bool(body.get("relabel"))):
            return  # somebody was faster while it was being written
        value = self.named(body["value"]) if event.kind == "label" else None
        for name in (value,) if isinstance(value, str) else value if self.settings.has_tags and value else ():
            self._add_class(str(name))
        suggested = body.get("suggested")
        seconds = body.get("seconds")
        source = intern(str(body.get("source", "queue")))
        before = self._history.top(i, event.annotator)
        self._history.add(
            Action(
                event.seq,
                event.time,
                intern(event.kind),
                intern(event.annotator),
                i,
                value,
                event.client,
                source,
                None if suggested is None else self.named(suggested),
                None if seconds is None else float(seconds),
                event.kind == "label" and (bool(body.get("final")) or self._corrects(i, event, source)),
                group,
            )
        )
        self._labeled.setdefault(event.annotator, 0)
        if source == CHECK:
            self._check(i)
        self._follow(i, event.annotator, before)

    def _keep(self, event: Event) -> None:
        i, body = self._index[event.sample or ""], event.body
        keep = Keep(
            event.seq,
            event.time,
            event.kind,
            event.annotator,
            i,
            self.named(body["value"]),
            event.client,
            source=CHECK,
            suggested=None if body.get("suggested") is None else self.named(body["suggested"]),
            seconds=None if body.get("seconds") is None else float(body["seconds"]),
            final=False,
            quality=float(body.get("quality") or 0.0),
        )
        self._keeps.add(keep)
        self._check(i)

    def _check(self, i: int) -> None:
        self.checked.append(i)
        self._ever_checked.add(i)

    def named(self, value: Any) -> Value:
        """The value; a class that was renamed since the page was told of it, by its new name."""
        if isinstance(value, str):
            return intern(self.book.named(value))
        if self.settings.has_tags:
            return tag_set(value, self.book.named)
        return tuple(float(number) for number in value)

    def _corrects(self, i: int, event: Event, source: str) -> bool:
        """Whether somebody labels, without being asked, what another has labeled and they have seen.

        A label for many samples at once decides only where that was meant.
        """
        if event.body.get("group") is not None and not event.body.get("relabel"):
            return False
        others = self._history.current(i).items()
        return source not in ASKED and any(
            name != event.annotator and action.kind == "label" for name, action in others
        )

    def _undo(self, event: Event) -> None:
        target = event.body["target"]
        if target in self._renames:
            self._undo_rename(*self._renames.pop(target))
            return
        if self._find(target) is None:
            self._undone.add(target)
        for action in self._standing(target):
            if action.annotator != event.annotator:
                continue
            if action.source == CHECK:
                self._check(action.sample)
            if isinstance(action, Keep):
                self._keeps.remove(target)
                continue
            before = self._history.top(action.sample, action.annotator)
            self._history.take_out(action)
            self._follow(action.sample, action.annotator, before)

    def _class(self, event: Event) -> None:
        self.book.renamed.pop(event.body["name"], None)
        self._add_class(event.body["name"])

    def _rename(self, event: Event) -> None:
        old, new = event.body["old"], event.body["new"]
        done = self.book.rename(old, new)
        keeps, labels = self._keeps.rename(old, new), self._history.rename(old, new)
        if event.client is not None:
            self._renames[event.client] = done, labels, keeps
        self._settle_all({action.sample for action in labels.values()})

    def _undo_rename(self, done: Renaming, labels: dict[int, Action], keeps: dict[int, Action]) -> None:
        self.book.undo(done)
        if done.merged:
            touched = self._history.part(labels, done.old, done.new)
            self._keeps.part(keeps, done.old, done.new)
        else:
            touched = {action.sample for action in self._history.rename(done.new, done.old).values()}
            self._keeps.rename(done.new, done.old)
        self._settle_all(touched)

    def _settle_all(self, samples: Iterable[int]) -> None:
        for i in sorted(samples):
            self._settle(i)
        self.version += 1
        self.guide_version += 1

    def _note(self, event: Event) -> None:
        i = self._index[event.sample or ""]
        note = Note(event.body["text"].strip(), bool(event.body.get("flag")), event.annotator)
        self.flagged += note.flag - self.notes.get(i, NO_NOTE).flag
        if note.text or note.flag:
            self.notes[i] = note
        else:
            self.notes.pop(i, None)

    def _guide(self, event: Event) -> None:
        self.guide = event.body["text"]
        self.guide_version += 1

    def _describe(self, event: Event) -> None:
        body = event.body
        info = ClassInfo(body["text"].strip(), body.get("example"), body.get("key"))
        self.book.describe(body["name"], info)
        self.guide_version += 1

    def _order(self, event: Event) -> None:
        self.book.order(event.body["names"])
        self.version += 1

    def _checks(self, event: Event) -> None:
        """The budget grows where it would not do for them."""
        self.checks += event.body["count"]
        self.budget = max(self.budget, min(len(self.asked) + self.checks, len(self._index)))

    def _budget(self, event: Event) -> None:
        self.budget = event.body["budget"]

    def _add_class(self, name: str) -> None:
        if self.book.add(name):
            self.version += 1

    def _follow(self, i: int, annotator: str, before: Action | None) -> None:
        """Update all figures for what an annotator did with a sample; ``before`` was current until then."""
        after = self._history.top(i, annotator)
        self._labeled[annotator] += _is_label(after) - _is_label(before)
        self._touch(i, annotator)
        self._charge(i)
        self._settle(i)
        if i in self._disputed:
            self._disputed[i] = self._disputed.pop(i)  # the latest is last
        if self._n_shared >= self._due:
            self._weigh()

    def costs(self, i: int) -> bool:
        """Whether somebody has answered the sample by itself, and not only among many."""
        return any(
            stack[-1].kind != "skip" and any(a.kind != "skip" and a.group is None for a in stack)
            for stack in self._history.standing(i)
        )

    def _charge(self, i: int) -> None:
        (self.paid.add if i in self.asked and self.costs(i) else self.paid.discard)(i)

    def _weigh(self) -> None:
        """Estimate how good people are, and settle anew what they differ about; not for tags."""
        if self.settings.has_tags:
            return
        self._due = self._n_shared + self._n_shared // 4
        told = [
            (i, action.value, action.annotator)
            for i in self._shared
            for action in self._history.independent(i)
            if action.value is not None
        ]
        samples, values, names = (list(part) for part in zip(*told, strict=True))
        classes = () if self.settings.regresses else self.classes
        found = annotators.consensus(samples, values, names, task=self.settings.task, classes=classes)
        self._quality = {str(name): one.quality for name, one in found.annotators.items()}
        for i in list(self._disputed):
            self._settle(i)

    def _settle(self, i: int) -> None:
        was = Consensus(self.labels.get(i), i in self.unsure, i in self._disputed)
        now = consensus(self._history.current(i).values(), self._quality, len(self.classes))
        told = [a.value for a in self._history.independent(i) if a.value is not None]
        self._agreement.put(i, told)
        self._n_shared -= self._shared.pop(i, 0)
        if len(told) > 1:
            self._shared[i] = len(told)
            self._n_shared += len(told)
        if now == was:
            return
        self.version += 1
        self._log = None
        self._count(was.label, -1)
        self._count(now.label, 1)
        if now.label is None:
            self.labels.pop(i, None)
        else:
            self.labels[i] = now.label
        (self.unsure.add if now.unsure else self.unsure.discard)(i)
        if now.disputed:
            self._disputed[i] = None
        else:
            self._disputed.pop(i, None)


def _is_label(action: Action | None) -> bool:
    return action is not None and action.kind == "label"
