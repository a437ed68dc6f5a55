"""One studio: people's actions are written to the log, then applied, and the next samples are assigned.

    act:  check ─▶ write (on disk) ─▶ state ─▶ assigner: the next samples ─▶ answer
                                       │
                                       └─▶ a request, when the worker is free: proposals, predictions, advice

An ask is logged when its sample is assigned, and nobody waits for that. While the worker is not ready, the
samples of the audit are assigned: they are random, and so need no graph.
"""

import asyncio
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from msgspec.structs import asdict

from trigpoint import __version__
from trigpoint.io import Samples, ids_digest, paced
from trigpoint.studio import _bulk
from trigpoint.studio._answers import (
    ActionsAnswer,
    ImportAnswer,
    Item,
    PageState,
    PoolInfo,
    Refused,
    SampleList,
    Saved,
    Setup,
    SkippedFile,
    Versions,
    Wait,
)
from trigpoint.studio._assigner import Assigner
from trigpoint.studio._audit_order import order_by_ids, with_checks
from trigpoint.studio._event_store import Store, StoreError
from trigpoint.studio._events import ANSWERS, DEEDS, Draft, Event, Settings
from trigpoint.studio._export import write_export
from trigpoint.studio._import import Imported, read_import
from trigpoint.studio._lookup import Lookup
from trigpoint.studio._messages import Bound, Failed, Job, Message, Proposals, Skipped
from trigpoint.studio._pictures import Pictures
from trigpoint.studio._pool_change import PoolChange
from trigpoint.studio._requests import AnyAction, DescribeAction, LabelsAction
from trigpoint.studio._results import Results
from trigpoint.studio._state import State
from trigpoint.studio._team import Activity, Team, TeamAnswer, summary_of
from trigpoint.studio._watch import watch_pool
from trigpoint.studio._worker_client import WorkerClient
from trigpoint.studio._writer import Writer

AHEAD = 200  # proposals at least, so that nobody waits for the worker
EACH = 8  # more for each person
FASTER = 4  # times as many as were answered one by one since the last request
MOST_AHEAD = 2000  # each takes the worker milliseconds in a large pool, and meanwhile nobody gets any
PATIENCE = 3.0  # seconds without a sample to give while the worker computes; then they come at random
LISTED = 20  # pictures that cannot be read
KEPT = 1.2  # bounds are written when there are so many times more labels, and at the end
CHUNK = 100  # imported labels written at a time
PRESENT = 60.0  # seconds since somebody was last heard of
APART = ("client", "sample", "id")  # fields of an action that are not in the body of its event

TAKEN = "client must be a new name for each action; this one stands for another action already."


class PoolChangedError(Exception):
    """The page was made for another pool; the message says what to do."""


class Studio:
    """One studio. All of it runs on the event loop, but for `export`, which threads may call."""

    def __init__(self, samples: Samples, store: Store, settings: Settings, job: Job) -> None:
        self.samples: Samples = samples
        self.settings: Settings = settings
        self._store = store
        self.state: State = State(settings, samples.ids.tolist())
        self.team: Team = Team(self.state)
        for event in paced(store.events()):
            self.state.apply(event)
            self.team.apply(event)
        self.assigner: Assigner = Assigner(self.state, settings.overlap)
        self._edition = ids_digest(samples.ids)
        self.results: Results = Results(settings.regresses, self.state.book.now, self._bounds_before())
        self.setup: Setup = Setup(
            pool=PoolInfo(
                samples.path.name,
                samples.kind,
                samples.n_samples,
                self._edition,
                str(store.about.get("change", "")),
            ),
            store=store.about["id"],
            task=settings.task,  # type: ignore[arg-type]
            targets=settings.targets,
            points=settings.points,
            overlap=settings.overlap,
            seed=settings.seed,
            version=__version__,
        )
        self._job = replace(job, ids=self._edition)
        self._unlogged: list[Draft] = []  # asks that are not written yet
        self._heard: dict[str, float] = {}  # people, and when they were last heard of
        self._tasks: set[asyncio.Task[None]] = set()
        self._requested: tuple[int, int, int] | None = None  # what the last request knew
        self._spent_then = 0
        self._empty_since: float | None = None  # when somebody first found nothing to label
        self._audit_order = order_by_ids(settings.seed, samples.ids)
        self._proposed: tuple[Sequence[int], Sequence[bool]] = (), ()  # without the checks that people want
        self._newer = PoolChange()
        about = store.about
        self.lookup: Lookup = Lookup(
            samples, self.state, self.results, about.get("samples", {}), about.get("former", {})
        )

    def _replayed(self) -> State:
        """The state that follows from the log, made anew: no other thread changes it."""
        state = State(self.settings, self.samples.ids.tolist())
        for event in paced(self._store.events()):
            state.apply(event)
        return state

    @property
    def store(self) -> Store:
        return self._store

    async def start(self, first_drafts: Sequence[Draft] = ()) -> None:
        """Begin to write and to compute; the drafts are written first: a new budget, classes, labels."""
        self._writer = Writer(self._store, asyncio.get_running_loop(), self._apply)
        if first_drafts:
            await self._write(first_drafts)
        self._propose_audits()
        self._worker = WorkerClient(self._job, self.settings, self._receive)
        self._worker.start()
        self._watcher = asyncio.create_task(
            watch_pool(self._job, self._store.about["samples"], self._note_newer)
        )
        self._request_results()

    async def close(self) -> None:
        """End the worker, and write what is not written yet."""
        self._watcher.cancel()
        self._worker.close()
        await asyncio.gather(*self._tasks)
        try:
            await self._write([])
            with suppress(StoreError):  # no label is at stake: who lists studios counts anew
                self._keep_bounds()
                self._store.amend(summary=summary_of(self.state, self.samples.n_samples, self.team.last))
        finally:
            self._writer.close()

    async def act(
        self,
        annotator: str,
        held: Sequence[int],
        want: int,
        actions: Sequence[AnyAction],
        edition: str | None = None,
    ) -> ActionsAnswer:
        """Write the actions to the log, in their order, and assign samples up to ``want`` with those held.

        ``edition`` is of the pool that the page shows: an index means another sample in another pool.
        """
        if edition is not None and edition != self._edition:
            raise PoolChangedError("the pool has changed since this page was opened; load the page again.")
        saved: list[Saved] = []
        refused: list[Refused] = []
        together: list[Draft] = []  # most answers do not depend on others, and go into one transaction

        async def flush() -> None:
            if not together:
                return
            for draft, event in zip(together, await self._write(together), strict=True):
                if event.draft == draft:
                    saved.append(Saved(event.client, event.seq))
                else:
                    refused.append(Refused(draft.client, TAKEN))
            together.clear()

        for action in actions:
            if isinstance(action, LabelsAction):
                await flush()
                await self._label_many(annotator, action, saved, refused)
                continue
            draft = self._draft(annotator, action)
            alone = draft.kind not in ANSWERS or "was" in draft.body
            if alone:
                await flush()
            why = self._why_not(draft, action)
            if why is not None:
                refused.append(Refused(draft.client, why))
                continue
            self._note_unasked(draft)
            together.append(draft)
            if alone:
                await flush()
        await flush()
        items, done, waiting = self._assign(annotator, held, want)
        self._request_results()
        return ActionsAnswer(saved, refused, items, done, waiting, self.page_state(annotator, []))

    async def _label_many(
        self, annotator: str, action: LabelsAction, saved: list[Saved], refused: list[Refused]
    ) -> None:
        """Some at a time: each of them is checked against what others have done by then."""
        names, n, last = _bulk.names_of(action, self.samples.ids), 0, 0
        if None in names:
            rule = f"samples must lie in [0, {self.samples.n_samples - 1}]"
            refused.append(Refused(action.client, f"{rule}; got {action.samples[names.index(None)]}."))
            return
        for places in _bulk.chunks(action):
            drafts = _bulk.label_drafts(action, places, names, annotator, self.state)
            why = next((why for draft in drafts if (why := self.state.check(draft)) is not None), None)
            if why is not None:
                refused.append(Refused(action.client, why))
                return
            events = await self._write(drafts)
            if any(event.draft != draft for event, draft in zip(events, drafts, strict=True)):
                refused.append(Refused(action.client, TAKEN))
                return
            n, last = n + len(events), max([last, *(event.seq for event in events)])
        saved.append(Saved(action.client, last, n))

    def _why_not(self, draft: Draft, action: AnyAction) -> str | None:
        if draft.sample is None and draft.kind in DEEDS:
            return f"sample must lie in [0, {self.samples.n_samples - 1}]; got {action.sample}."  # type: ignore[union-attr]
        return self.state.check(draft) or self.state.outdated(draft)

    def _note_unasked(self, draft: Draft) -> None:
        """An answer from the page's reserve: nobody asked for the sample before, and it counts as asked."""
        i = self.state.index(draft.sample or "")
        if (
            draft.kind in ("label", "unsure")
            and draft.body.get("source") == "queue"
            and i not in self.state.asked
        ):
            self._unlogged.append(Draft("ask", draft.annotator, draft.sample, None, {"audit": False}))

    def _draft(self, annotator: str, action: AnyAction) -> Draft:
        fields = asdict(action)
        if isinstance(action, DescribeAction) and action.example is not None:
            at = action.example
            fields["example"] = str(self.samples.ids[at]) if at < self.samples.n_samples else None
        i, name = fields.get("sample"), fields.get("id")
        if name is None and i is not None and i < self.samples.n_samples:
            name = str(self.samples.ids[i])
        body = {field: value for field, value in fields.items() if field not in APART and value is not None}
        return Draft(str(action.__struct_config__.tag), annotator, name, action.client, body)

    async def _write(self, drafts: Sequence[Draft]) -> list[Event]:
        """Asks that wait to be logged go first: an answer never comes before its question."""
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
            self.state.apply(event)
            self.team.apply(event)
        if any(event.kind == "checks" for event in events):
            self._propose(*self._proposed)

    def _assign(self, annotator: str, held: Sequence[int], want: int) -> tuple[list[Item], bool, Wait]:
        """New samples for a person; where there are none, whether all is done, or whom they wait for."""
        now = time.monotonic()
        self._heard[annotator] = now
        found = self.assigner.assign(annotator, held, want, now, again=not self._worker.busy)
        if not found and not held and want > 0 and self._should_fill_in(now):
            self._propose_random(AHEAD, False)
            found = self.assigner.assign(annotator, held, want, now)
        self._unlogged += [
            Draft("ask", annotator, str(self.samples.ids[one.sample]), None, {"audit": one.audit})
            for one in found
            if one.first
        ]
        if self._unlogged:
            self._later(self._write([]))
        none = not found and not held and want > 0
        done = none and self._used_up()
        waiting: Wait = None
        if none and not done:
            waiting = "worker" if self.results.stage.name else "people"
        return [self.lookup.item(one.sample, annotator, one.audit) for one in found], done, waiting

    def _should_fill_in(self, now: float) -> bool:
        """Whether people have waited long for a worker that has predicted before.

        With many labels of a large pool it computes for minutes. A random sample is then better than none.
        Before the first predictions nobody's budget is spent like this.
        """
        if not self._worker.busy or self.results.predictions is None or self._used_up():
            return False
        if self._empty_since is None:
            self._empty_since = now
        return now - self._empty_since >= PATIENCE

    def _later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Nobody waits for this; what cannot be written now is written with the next action."""

        async def quietly() -> None:
            with suppress(StoreError):
                await work

        task = asyncio.create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _spent(self) -> int:
        """Samples that were asked for and answered; labels from files, map or gallery cost nothing."""
        return len(self.state.paid)

    def _used_up(self) -> bool:
        """Whether all that the budget allows, or all that there is, has been answered."""
        return self._spent() >= self.state.budget or self._all_answered()

    def _all_answered(self) -> bool:
        return len(self.state.answered() | self.results.skipped.keys()) >= self.samples.n_samples

    def page_state(self, annotator: str | None, held: Sequence[int]) -> PageState:
        """How things stand; the leases of what the annotator holds are renewed."""
        if annotator and held:
            self.assigner.assign(annotator, held, 0, time.monotonic())
        state = self.state
        return PageState(
            **self.results.page_fields(),
            edition=self._edition,
            classes=state.classes,
            counts=state.counts(),
            budget=state.budget,
            spent=self._spent(),
            labeled=len(state.labels),
            unsure=len(state.unsure),
            waiting=self.assigner.waiting,
            annotators=state.annotators(),
            quality=state.quality(),
            agreement=state.agreement(),
            disagreements=len(state.disagreements()),
            issues=self.lookup.n_issues(),
            checks=self._checks_left(),
            behind=self._behind(),
            flagged=state.flagged,
            missing=len(state.missing),
            skipped=self._skipped(),
            n_skipped=len(self.results.skipped),
            newer=str(self._newer),
            versions=Versions(labels=state.version, guide=state.guide_version, **self.results.versions),
            learning=self._worker.busy,
            estimating=self.results.advice_before(state.version),
        )

    def _behind(self) -> int:
        """Changes of labels that the predictions do not know of yet."""
        predictions = self.results.predictions
        return 0 if predictions is None else max(self.state.version - predictions.version, 0)

    def _skipped(self) -> list[SkippedFile]:
        """The first pictures that cannot be read, by their names in the pool."""
        some = islice(self.results.skipped.items(), LISTED)
        return [SkippedFile(i, str(self.samples.ids[i]), why) for i, why in some]

    def reserve(self, annotator: str, limit: int) -> SampleList:
        """What a page keeps to go on with while the line is down."""
        return SampleList(self.assigner.reserve(annotator, limit))

    def team_answer(self, roles: dict[str, str], heard: dict[str, float]) -> TeamAnswer:
        return self.team.answer(self._spent(), roles, heard)

    def activity(self, person: str | None, before: int, limit: int) -> Activity:
        return self.team.activity(person, before, limit)

    def export(self, name: str, pictures: Pictures | None = None) -> Path:
        """A temporary file of what the log holds now; the caller removes it."""
        with NamedTemporaryFile(prefix="trigpoint-", suffix=f"-{name}", delete=False) as file:
            path = Path(file.name)
        try:
            predictions = self.results.predictions
            state, events = self._replayed(), self._store.events()
            write_export(name, path, self.samples, state, predictions, events, pictures)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path

    async def import_labels(self, body: Path, annotator: str, dry: bool) -> ImportAnswer:
        """Labels from a file, written to the log; or, with ``dry``, only what would come of it."""
        found = await asyncio.to_thread(self._read_import, body, annotator)
        if not dry:
            for start in range(0, len(found.drafts), CHUNK):  # nobody's label waits for all of them
                await self._write(found.drafts[start : start + CHUNK])
            self._request_results()
        unknown = found.unknown
        return ImportAnswer(found.n_labels, found.n_same, unknown[:20], len(unknown), found.events)

    def _read_import(self, path: Path, annotator: str) -> Imported:
        texts = self.samples.shown if self.samples.kind == "text" else None
        return read_import(path, self._replayed(), self.samples.ids, self.settings, annotator, texts)

    def _propose_audits(self) -> None:
        """Propose the random samples of the audit, up to its share of the budget."""
        share = self.settings.audit
        left = max(1, int(share * self.state.budget)) - sum(self.state.asked.values()) if share > 0 else 0
        self._propose_random(max(left, 0), True)

    def _propose_random(self, count: int, audit: bool) -> None:
        chosen = list(islice((i for i in self._audit_order if self._is_free(i)), count))
        self._propose(chosen, [audit] * len(chosen))

    def _propose(self, samples: Sequence[int], audits: Sequence[bool]) -> None:
        """What to ask next, after the random checks that people want."""
        self._proposed = samples, audits
        order, wanted = self._audit_order, self.state.checks
        self.assigner.propose(*with_checks(samples, audits, order, self._is_free, wanted))

    def _checks_left(self) -> int:
        """Random checks that people want next; no more than there are samples for."""
        if not self.state.checks:
            return 0
        taken = self.state.asked.keys() | self.state.labels.keys() | self.results.skipped.keys()
        return min(self.state.checks, self.samples.n_samples - len(taken))

    def _is_free(self, i: int) -> bool:
        taken = self.state.asked, self.state.labels, self.results.skipped
        return not any(i in some for some in taken)

    def _bounds_before(self) -> list[tuple[int, float]]:
        """The bounds of earlier starts, where the pool was the same."""
        edition, values = self._store.about.get("bounds", ("", ()))
        return [(n, value) for n, value in values] if edition == self._edition else []

    def _keep_bounds(self) -> None:
        values = list(self.results.bounds.items())
        if values != self._bounds_before():
            self._store.amend(bounds=(self._edition, values))

    def _note_newer(self, change: PoolChange) -> None:
        self._newer = change

    def _receive(self, message: Message) -> None:
        """A message of the worker."""
        if isinstance(message, Proposals):
            self._empty_since = None
            self._propose(message.samples, message.audits)
        if isinstance(message, Skipped):
            self.assigner.withhold(message.why)
        self.results.receive(message)
        if isinstance(message, Bound):
            kept = max((n for n, _ in self._bounds_before()), default=0)
            if message.n_labels >= KEPT * kept:
                self._later(asyncio.to_thread(self._keep_bounds))
        if isinstance(message, Failed) and not self._worker.alive:  # at random is better than not at all
            self._propose_random(self.samples.n_samples, False)
        elif isinstance(message, Failed) and self.assigner.waiting < EACH:
            self._propose_random(AHEAD, False)
        self._request_results()

    def _request_results(self) -> None:
        """Ask the worker for new results, if it is free and there is more to learn from than before."""
        knows = self.state.version, len(self.state.asked), len(self.state.checked)
        if self._worker.busy or not self._worker.alive or knows == self._requested:
            return
        now = time.monotonic()
        people = sum(now - heard < PRESENT for heard in self._heard.values())
        new = max(self._spent() - self._spent_then, 0)
        count = min(AHEAD + EACH * people + FASTER * new, MOST_AHEAD, self.samples.n_samples)
        if self._worker.request(self.state.version, self.state.snapshot(), list(self.state.classes), count):
            self._requested, self._spent_then = knows, self._spent()
