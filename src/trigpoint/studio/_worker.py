"""The worker process: it owns the graph and the learner, and computes while people label.

    standard input   the job and the settings, then requests
    standard output  messages, each with whether the next request may come

Three threads compute: the main one answers requests; a second computes what is slow (`SlowResults`) from the
labels of the last request; a third draws the map, once. The last two have a lower priority. A fourth thread
reads requests, and ends the process when the server is gone.
"""

import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, BinaryIO, TypeVar

from trigpoint._errors import InputError
from trigpoint.io import load_map, store_map
from trigpoint.learner import ActiveLearner
from trigpoint.studio._compute import (
    SlowResults,
    StudioPool,
    draw_map,
    load_pool,
    make_learner,
    round_messages,
)
from trigpoint.studio._events import Settings
from trigpoint.studio._messages import Failed, Job, Map, Message, Predictions, Request, Stage
from trigpoint.studio._readable import Readable

REMEDY = (
    "Repair the pool and start the studio again; until then samples come at random and nothing is predicted."
)
NICE = 10  # below the server
NICER = 5  # below the thread that answers: on Linux each thread has a niceness of its own
T = TypeVar("T")


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _be_nice(NICE)
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not print between the messages
    job, settings = pickle.load(sys.stdin.buffer)
    requests: SimpleQueue[Request] = SimpleQueue()
    Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True).start()
    _Worker(job, settings, requests, sink).run()


class _Worker:
    def __init__(
        self, job: Job, settings: Settings, requests: "SimpleQueue[Request]", sink: BinaryIO
    ) -> None:
        self._job, self._settings, self._requests, self._sink = job, settings, requests, sink
        self._lock = Lock()
        self._version = -1  # of the last request
        self._readable: Readable | None = None

    def send(self, message: Message, free: bool = False) -> None:
        """``free`` says that the next request may come."""
        message = message if self._readable is None else self._readable.outward(message)
        with self._lock:
            pickle.dump((message, free), self._sink, protocol=pickle.HIGHEST_PROTOCOL)
            self._sink.flush()

    def run(self) -> None:
        """Read the pool, then answer requests for ever; returns where the pool cannot be used."""
        try:
            pool = load_pool(self._job, self._settings, self.send)
            self._readable = pool.readable
            if pool.readable is not None:
                self.send(pool.readable.told())
            self.send(pool.ready())
            learner = make_learner(pool, self._settings)
        except Exception as error:
            self.send(Failed(_told(error, self._job.path), fatal=True))
            return
        warnings.simplefilter("ignore", UserWarning)  # for good: no thread may change filters beside another
        slow, left = SlowResults(pool.graph, self._settings.task), SimpleQueue[Any]()
        Thread(target=self._nicely, args=(self._slow_results, slow, left), daemon=True).start()
        first = True
        while True:
            request = _newest(self._requests)
            request = request if self._readable is None else self._readable.inward(request)
            self._version = request.version
            if first:
                self.send(Stage("choosing"))
            try:
                self._round(learner, request, slow)
                if learner.labels:
                    left.put((copy(learner), request.version))
            except Exception as error:
                self.send(Failed(_one_line(error), fatal=False), free=True)
            if first:
                first = False
                _be_a_nice_session(NICE)  # from here on people have something to do
                Thread(target=self._nicely, args=(self._draw, pool), daemon=True).start()

    def _round(self, learner: ActiveLearner, request: Request, slow: SlowResults) -> None:
        for message in round_messages(learner, request, self._settings.task, slow.std):
            last = isinstance(message, Predictions) or not learner.labels
            self.send(message, free=last)

    def _slow_results(self, slow: SlowResults, left: "SimpleQueue[Any]") -> None:
        while True:
            found = _newest(left)
            try:
                for message in slow.messages(*found):
                    if not isinstance(message, Predictions) or message.version == self._version:
                        self.send(message)
            except Exception as error:
                self.send(Failed(_one_line(error), fatal=False))

    def _draw(self, pool: StudioPool) -> None:
        graph, settings, folder = pool.graph, self._settings, self._job.cache
        key = pool.fingerprint, settings.n_neighbors, settings.metric, pool.view
        found = None if folder is None else load_map(graph.n_samples, *key, folder)
        if found is not None:
            self.send(Map(found, done=True))
        else:
            coordinates = draw_map(graph, self.send)
            if folder is not None:
                store_map(coordinates, *key, folder)
        self.send(Stage(""))

    def _nicely(self, function: Callable[..., None], *arguments: Any) -> None:
        """In a thread that nobody waits for: errors are sent as messages, and all else goes on."""
        _be_nice(NICER)
        try:
            function(*arguments)
        except Exception as error:
            self.send(Failed(_one_line(error), fatal=False))


def _receive(source: BinaryIO, requests: "SimpleQueue[Request]") -> None:
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            requests.put(pickle.load(source))
    os._exit(0)  # the server is gone, and nobody needs what is being computed


def _newest(queue: "SimpleQueue[T]") -> T:
    """The last entry, once there is one."""
    found = queue.get()
    while not queue.empty():
        found = queue.get()
    return found


def _be_nice(more: int) -> None:
    if hasattr(os, "nice"):
        os.nice(more)


def _be_a_nice_session(more: int) -> None:
    """Linux may share the processor among sessions first, and this process is one of its own."""
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(f"{more}\n")


def _told(error: Exception, pool: Path) -> str:
    """Why the pool cannot be used and what to do, for people who need not know where it lies."""
    said = _one_line(error).replace(f"{pool.parent}{os.sep}", "")
    changed = isinstance(error, InputError) and error.argument == "the pool"  # which says what to do
    return said if changed else f"{said} {REMEDY}"


def _one_line(error: Exception) -> str:
    """The readers' errors are sentences for people; of others the kind says more than the text."""
    said = " ".join(str(error).split())
    return said if isinstance(error, ValueError | OSError) else f"{type(error).__name__}: {said}"
