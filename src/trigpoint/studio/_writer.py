"""A thread that writes: whatever waits while the disk is busy goes into the next transaction.

A request is answered after its events are on disk, and in the order of their `seq`. Where a transaction
fails, its requests are tried one by one, so that none fails for another's sake.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread

from trigpoint.studio._event_store import Store, StoreError
from trigpoint.studio._events import Draft, Event


@dataclass(frozen=True)
class _Request:
    drafts: tuple[Draft, ...]
    answer: "asyncio.Future[list[Event]]"


class Writer:
    """The only one who appends to a store.

    Parameters
    ----------
    store : closed by `close`
    loop : that requests come from
    on_saved : called on the loop with the events of each request, in order and before the request is
        answered; also where nobody waits for the answer any more
    """

    def __init__(
        self,
        store: Store,
        loop: asyncio.AbstractEventLoop,
        on_saved: Callable[[list[Event]], None] | None = None,
    ) -> None:
        self._store, self._loop, self._on_saved = store, loop, on_saved
        self._requests: SimpleQueue[_Request | None] = SimpleQueue()
        self._closed = False
        self._thread = Thread(target=self._run, name="studio-writer", daemon=True)
        self._thread.start()

    async def append(self, drafts: Sequence[Draft]) -> list[Event]:
        """The events of the drafts, once they are on disk; see `Store.append`."""
        if self._closed:
            raise StoreError("The studio is closing; nothing more is saved.")
        answer: asyncio.Future[list[Event]] = self._loop.create_future()
        self._requests.put(_Request(tuple(drafts), answer))
        return await answer

    def close(self) -> None:
        """Write what waits, then close the store."""
        if not self._closed:
            self._closed = True
            self._requests.put(None)
            self._thread.join()
            self._store.close()

    def _run(self) -> None:
        more = True
        while more:
            waiting = [self._requests.get()]
            with suppress(Empty):
                while True:
                    waiting.append(self._requests.get_nowait())
            more = None not in waiting
            requests = [request for request in waiting if request is not None]
            if requests:
                outcomes = self._write(requests)
                with suppress(RuntimeError):  # the loop was closed: nobody is left to be answered
                    self._loop.call_soon_threadsafe(self._answer, requests, outcomes)

    def _write(self, requests: list[_Request]) -> list[list[Event] | Exception]:
        try:
            events = iter(self._store.append([draft for request in requests for draft in request.drafts]))
            return [[next(events) for _ in request.drafts] for request in requests]
        except Exception as error:
            if len(requests) == 1:
                return [error]
        return [outcome for request in requests for outcome in self._write([request])]

    def _answer(self, requests: list[_Request], outcomes: list[list[Event] | Exception]) -> None:
        for request, outcome in zip(requests, outcomes, strict=True):
            if isinstance(outcome, list) and self._on_saved is not None:
                self._on_saved(outcome)
            if request.answer.done():  # nobody waits any more
                continue
            if isinstance(outcome, Exception):
                request.answer.set_exception(outcome)
            else:
                request.answer.set_result(outcome)
