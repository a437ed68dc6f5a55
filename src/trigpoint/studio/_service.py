"""What the page can ask for: actions are written down, then applied, and samples are handed out.

    act:  check ─▶ write (durable) ─▶ book ─▶ desk: the next samples ─▶ answer
                                       │
                                       └─▶ a survey, when the worker is free: proposals, beliefs, advice

Questions are logged when they are handed out, and nobody waits for that. While the worker
is not ready, samples for the audit are handed out: they are random, and so need no graph.
"""

import asyncio
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np

from trigpoint import __version__
from trigpoint.io import Samples
from trigpoint.studio._book import Book
from trigpoint.studio._desk import Desk
from trigpoint.studio._events import Draft, Event
from trigpoint.studio._export import write_export
from trigpoint.studio._findings import Findings
from trigpoint.studio._import import read_import
from trigpoint.studio._job import Job, ids_digest
from trigpoint.studio._news import Failed, News, Proposals
from trigpoint.studio._samples import item_json
from trigpoint.studio._settings import Settings
from trigpoint.studio._store import Store, StoreError
from trigpoint.studio._surveyor import Surveyor
from trigpoint.studio._views import holding, least_sure
from trigpoint.studio._writer import Writer

AHEAD = 200  # proposals at least, so that nobody waits for a survey
EACH = 8  # more for each person
FASTER = 4  # times as many as were labeled since the last survey
CHUNK = 100  # imported labels written at a time
PRESENT = 60.0  # seconds since somebody was last heard of
TOGETHER = ("label", "unsure", "skip")  # actions that do not depend on each other
FIELDS = ("value", "suggested", "seconds", "final", "source", "name", "old", "new", "budget", "target")

TAKEN = "client must be a new name for each action; this one stands for another action already."


class PoolChangedError(Exception):
    """The page was made for another pool; the message says what to do."""


class Service:
    """One studio. All of it runs on the event loop, but for `export` and `search`, which only read."""

    def __init__(self, samples: Samples, store: Store, settings: Settings, job: Job) -> None:
        self.samples, self.settings = samples, settings
        self.book = Book(settings, samples.ids.tolist())
        for event in store.events():
            self.book.apply(event)
        self.desk = Desk(self.book, settings.overlap)
        self.findings = Findings(settings.regresses, self._name_now)
        self._edition = ids_digest(samples.ids)
        self.setup = {
            "pool": {
                "name": samples.path.name,
                "kind": samples.kind,
                "n_samples": samples.n_samples,
                "edition": self._edition,
            },
            "store": store.about["id"],
            "task": settings.task,
            "targets": list(settings.targets),
            "points": list(settings.points),
            "overlap": settings.overlap,
            "seed": settings.seed,
            "version": __version__,
        }
        self._store, self._job = store, replace(job, ids=self._edition)
        self._unlogged: list[Draft] = []  # questions that were handed out and are not written down yet
        self._heard: dict[str, float] = {}  # people, and when they were last heard of
        self._tasks: set[asyncio.Task[None]] = set()
        self._surveyed: tuple[int, int] | None = None  # what the last survey knew
        self._labels_then = 0

    async def start(self, wishes: Sequence[Draft] = ()) -> None:
        """Begin to write and to compute; ``wishes`` are written first: a new budget, classes, labels."""
        self._writer = Writer(self._store, asyncio.get_running_loop(), self._apply)
        if wishes:
            await self._write(wishes)
        self._warm_up()
        self._surveyor = Surveyor(self._job, self.settings, self._hear)
        self._surveyor.start()
        self._survey()

    async def close(self) -> None:
        """End the worker, and write down what is not yet."""
        self._surveyor.close()
        await asyncio.gather(*self._tasks)
        try:
            await self._write([])
        finally:
            self._writer.close()

    async def act(
        self,
        annotator: str,
        held: list[int],
        want: int,
        actions: list[dict[str, Any]],
        edition: str | None = None,
    ) -> dict[str, Any]:
        """Write the actions down, in their order, and hand out samples up to ``want`` with those held.

        ``edition`` is of the pool that the page shows: numbers of samples mean others in another pool.
        """
        if edition is not None and edition != self._edition:
            raise PoolChangedError("the pool has changed since this page was opened; load the page again.")
        saved: list[dict[str, Any]] = []
        refused: list[dict[str, Any]] = []
        together: list[Draft] = []

        async def flush() -> None:
            for draft, event in zip(together, await self._write(together), strict=True):
                if event.draft == draft:
                    saved.append({"client": event.client, "seq": event.seq})
                else:
                    refused.append({"client": draft.client, "why": TAKEN})
            together.clear()

        for action in actions:
            draft = self._draft(annotator, action)
            if draft.kind not in TOGETHER and together:
                await flush()
            why = self._why_not(draft, action)
            if why is not None:
                refused.append({"client": draft.client, "why": why})
                continue
            together.append(draft)
            if draft.kind not in TOGETHER:
                await flush()
        if together:
            await flush()
        answer = self._hand_out(annotator, held, want)
        self._survey()
        return {"saved": saved, "refused": refused, **answer, "state": self.state(annotator, [])}

    def _why_not(self, draft: Draft, action: dict[str, Any]) -> str | None:
        if draft.sample is None and action.get("sample") is not None:
            return f"sample must lie in [0, {self.samples.n_samples - 1}]; got {action['sample']}."
        return self.book.check(draft)

    def _draft(self, annotator: str, action: dict[str, Any]) -> Draft:
        i, name = action.get("sample"), action.get("id")
        if name is None and i is not None and 0 <= i < self.samples.n_samples:
            name = str(self.samples.ids[i])
        body = {field: action[field] for field in FIELDS if action.get(field) is not None}
        return Draft(action["kind"], annotator, name, action["client"], body)

    async def _write(self, drafts: Sequence[Draft]) -> list[Event]:
        """Questions that wait to be logged go first: an answer never comes before its question."""
        asks, self._unlogged = self._unlogged, []
        if not asks and not drafts:
            return []
        try:
            events = await self._writer.append([*asks, *drafts])
        except StoreError:
            self._unlogged = asks + self._unlogged
            raise
        return events[len(asks) :]

    def _apply(self, events: list[Event]) -> None:
        for event in events:
            self.book.apply(event)

    def _hand_out(self, annotator: str, held: list[int], want: int) -> dict[str, Any]:
        now = time.monotonic()
        self._heard[annotator] = now
        tickets = self.desk.hand_out(annotator, held, want, now, again=not self._surveyor.busy)
        for ticket in tickets:
            if ticket.first:
                self._unlogged.append(
                    Draft(
                        "ask", annotator, str(self.samples.ids[ticket.sample]), None, {"audit": ticket.audit}
                    )
                )
        none = not tickets and not held and want > 0
        done = none and self._used_up()
        waiting = (self.findings.stage.name or "all is in other hands") if none and not done else None
        if self._unlogged:
            self._later(self._write([]))
        items = [self.item(ticket.sample, annotator, ticket.audit) for ticket in tickets]
        return {"items": items, "done": done, "waiting": waiting}

    def _later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Nobody waits for this; what cannot be written now is written with the next action."""

        async def quietly() -> None:
            with suppress(StoreError):
                await work

        task = asyncio.create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _spent(self) -> int:
        """Samples that were asked for and answered; labels from a file or the map cost nothing."""
        return len(self.book.asked.keys() & self.book.answered())

    def _used_up(self) -> bool:
        """Whether all that the budget allows, or all that there is, has been answered."""
        return self._spent() >= self.book.budget or len(self.book.answered()) >= self.samples.n_samples

    def item(self, i: int, annotator: str | None, audit: bool) -> dict[str, Any]:
        """A sample as the page shows it; audits come without a suggestion, which would lead the eye."""
        predicted = None if audit or self._knows_one_class() else self.findings.predicted(i)
        said = {name: action.value for name, action in self.book.current(i).items() if action.kind == "label"}
        return {
            **item_json(self.samples, i),
            "audit": audit,
            "suggestion": predicted,
            "mine": said.get(annotator) if annotator is not None else None,
            "labels": said or None,
        }

    def _name_now(self, name: str) -> str | None:
        """What a class of an earlier survey is called by now."""
        return name if name in self.book.classes else self.book.renamed.get(name)

    def _knows_one_class(self) -> bool:
        """Then all the pool is thought to be of it, which is nothing to suggest."""
        return not self.settings.regresses and sum(count > 0 for count in self.book.counts().values()) < 2

    def sample(self, i: int, annotator: str | None) -> dict[str, Any]:
        audit = self.book.asked.get(i, False)
        return {
            **self.item(i, annotator, audit),
            "predicted": self.findings.predicted(i),
            "label": self.book.labels.get(i),
            "asked": i in self.book.asked,
        }

    def state(self, annotator: str | None, held: list[int]) -> dict[str, Any]:
        if annotator is not None and held:
            self.desk.hand_out(annotator, held, 0, time.monotonic())
        book = self.book
        agreement = book.agreement()
        return {
            **self.findings.state(),
            "edition": self._edition,
            "classes": list(book.classes),
            "counts": book.counts(),
            "budget": book.budget,
            "spent": self._spent(),
            "labeled": len(book.labels),
            "unsure": len(book.unsure),
            "waiting": self.desk.waiting,
            "annotators": book.annotators(),
            "agreement": None if agreement is None else asdict(agreement),
            "disagreements": len(book.disagreements()),
            "missing": len(book.missing),
            "versions": {"book": book.version, **self.findings.versions},
            "learning": self._surveyor.busy,
        }

    def history(self, annotator: str | None, before: int | None, limit: int) -> dict[str, Any]:
        return {"events": self.book.history(annotator, before, limit)}

    def doubtful(self, limit: int) -> dict[str, Any]:
        beliefs = self.findings.beliefs
        known = self.book.labels.keys() | self.book.unsure
        return {"samples": [] if beliefs is None else least_sure(beliefs.doubt, known, limit)}

    def disagreements(self) -> dict[str, Any]:
        return {"samples": self.book.disagreements()}

    def search(self, words: str, limit: int) -> dict[str, Any]:
        found, total = holding(self.samples, words, limit)
        return {"samples": found, "total": total}

    def map_coordinates(self) -> tuple[int, bytes] | None:
        return self.findings.coordinates()

    def map_beliefs(self) -> tuple[int, bytes, tuple[str, ...]] | None:
        return self.findings.painted()

    def landmarks(self) -> dict[str, Any]:
        numbers = {name: k for k, name in enumerate(self.book.classes)}
        labels = self.book.labels
        codes = [numbers.get(value, -1) if isinstance(value, str) else -1 for value in labels.values()]
        pending = [i for i in self.book.asked if i not in labels and i not in self.book.unsure]
        return {"labeled": list(labels), "codes": codes, "pending": pending}

    def export(self, name: str) -> Path:
        """A temporary file, which the caller removes."""
        with NamedTemporaryFile(prefix="trigpoint-", suffix=f"-{name}", delete=False) as file:
            path = Path(file.name)
        try:
            write_export(name, path, self.samples, self.book, self.findings.beliefs, self._store.events())
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path

    async def import_labels(self, name: str, body: Path, annotator: str, dry: bool) -> dict[str, Any]:
        """Labels out of a file, written down in one go; or only what would come of it."""
        pool = self.samples.ids
        found = await asyncio.to_thread(read_import, body, self.book, pool, self.settings, annotator)
        if not dry:
            for start in range(0, len(found.drafts), CHUNK):  # nobody's label waits for all of them
                await self._write(found.drafts[start : start + CHUNK])
            self._survey()
        return {
            "labels": found.n_labels,
            "same": found.n_same,
            "unknown": found.unknown[:20],
            "n_unknown": len(found.unknown),
            "events": found.events,
        }

    def _warm_up(self) -> None:
        """Propose the random samples of the audit, up to its share of the budget."""
        share = self.settings.audit
        left = max(1, int(share * self.book.budget)) - sum(self.book.asked.values()) if share > 0 else 0
        self._propose_random(max(left, 0), True)

    def _propose_random(self, count: int, audit: bool) -> None:
        order = np.random.default_rng(self.settings.seed).permutation(self.samples.n_samples).tolist()
        free = (i for i in order if i not in self.book.asked and i not in self.book.labels)
        chosen = list(islice(free, count))
        self.desk.propose(chosen, [audit] * len(chosen))

    def _hear(self, news: News) -> None:
        if isinstance(news, Proposals):
            self.desk.propose(news.samples, news.audits)
        self.findings.hear(news)
        if isinstance(news, Failed) and not self._surveyor.alive:  # at random is better than not at all
            self._propose_random(self.samples.n_samples, False)
        elif isinstance(news, Failed) and self.desk.waiting < EACH:
            self._propose_random(AHEAD, False)
        self._survey()

    def _survey(self) -> None:
        """Have the worker look at all that is known, if that is more than it knew before."""
        knows = self.book.version, len(self.book.asked)
        if self._surveyor.busy or not self._surveyor.alive or knows == self._surveyed:
            return
        now = time.monotonic()
        people = sum(now - heard < PRESENT for heard in self._heard.values())
        fresh = max(len(self.book.labels) - self._labels_then, 0)
        count = min(AHEAD + EACH * people + FASTER * fresh, self.samples.n_samples)
        if self._surveyor.survey(self.book.version, self.book.snapshot(), list(self.book.classes), count):
            self._surveyed, self._labels_then = knows, len(self.book.labels)
