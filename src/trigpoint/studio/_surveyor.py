"""The worker process as its parent sees it: start it, send it surveys, hear its news.

The worker is a fresh interpreter that runs `_work.main`, and nothing of the parent's own script. Surveys go
to its standard input and news come from its standard output, one pickle each. Two threads wait for the
pipes, so that the event loop never does; all state is changed on the loop. A worker that dies is started
again with the last survey, twice; after that Failed is told, and people go on without it. The end of
one that had told something of use, and lived for a while, is counted as the first again.

A survey is under way until its Beliefs are told, or its Proposals where there is no label to believe in. The
worker then goes on with Advice and Bound, which it leaves out when the next survey comes.
"""

import asyncio
import json
import logging
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

from trigpoint.studio._job import Job, Survey
from trigpoint.studio._news import Beliefs, Failed, News, Proposals
from trigpoint.studio._settings import Settings

__all__ = ["Job", "Surveyor"]

RESTARTS = 2
LONG = 60.0  # seconds of life after which an end is forgiven
PATIENCE = 1.0  # seconds for the threads of an ended process
PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); import trigpoint.studio._work as w; w.main()"
)

log = logging.getLogger("trigpoint.studio")

Process: TypeAlias = subprocess.Popen[bytes]


class Surveyor:
    """One worker at a time. All methods are for the event loop, and none waits for the worker.

    Parameters
    ----------
    job : the pool
    settings : how it is labeled
    on_news : called on the loop with each of the news
    clock : seconds, that only grow
    """

    def __init__(
        self,
        job: Job,
        settings: Settings,
        on_news: Callable[[News], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._job, self._settings, self._on_news, self._clock = job, settings, on_news, clock
        self._loop: Any = None
        self._process: Process | None = None
        self._letters: SimpleQueue[Any] = SimpleQueue()
        self._threads: list[Thread] = []
        self._last: Survey | None = None
        self._restarts = 0
        self._born = 0.0
        self._useful = False  # the worker of now has told of a round
        self._said: set[str] = set()  # failures that the terminal knows of
        self.alive = False  # there is a worker, or it is being started again
        self.busy = False  # a survey is under way

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the worker; it reads the pool at once."""
        if self._loop is not None:
            raise RuntimeError("a surveyor must be started once; it was already.")
        self._loop, self.alive = asyncio.get_running_loop(), True
        self._launch()

    def survey(self, version: int, log: list[dict[str, Any]], classes: list[str], count: int) -> bool:
        """Ask for a round of work; False, and nothing asked, where one is under way or there is no worker."""
        if self.busy or not self.alive:
            return False
        self.busy, self._last = True, Survey(version, log, list(classes), count)
        self._letters.put(self._last)
        return True

    def close(self) -> None:
        """End the worker, also in the middle of its work. No news after this."""
        self.alive = self.busy = False
        self._end()

    def _launch(self) -> None:
        self._born, self._useful = self._clock(), False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the parent, which then ends the worker
        )
        self._letters = SimpleQueue()
        self._letters.put((self._job, self._settings))
        if self._last is not None:
            self.busy = True
            self._letters.put(self._last)
        self._threads = [
            Thread(target=_send, args=(self._process.stdin, self._letters), daemon=True),
            Thread(target=self._listen, args=(self._process, self._process.stdout), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _listen(self, process: Process, stream: Any) -> None:
        """Runs in a thread: unpickling a large pool's beliefs takes too long for the loop."""
        with stream, suppress(EOFError, OSError, pickle.UnpicklingError):  # the last word of the dying
            while True:
                self._call(self._heard, process, *pickle.load(stream))
        self._call(self._ended, process)

    def _call(self, function: Callable[..., None], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody is there to hear
            self._loop.call_soon_threadsafe(function, *arguments)

    def _heard(self, process: Process, news: News, free: bool) -> None:
        if process is not self._process or not self.alive:
            return
        if free:
            self.busy = False
        if isinstance(news, Failed) and news.fatal:
            self.close()
        self._useful = self._useful or isinstance(news, Proposals | Beliefs)
        self._pass_on(news)

    def _ended(self, process: Process) -> None:
        """The worker is gone, though nobody has asked for it."""
        if process is not self._process or not self.alive:
            return
        self._end()
        if self._useful and self._clock() - self._born >= LONG:
            self._restarts = 0
        if self._restarts < RESTARTS:
            self._restarts += 1
            self._launch()
            return
        self.alive = self.busy = False
        said = "the computing process ended three times in a row; labels are still taken."
        self._pass_on(Failed(said, fatal=False))

    def _pass_on(self, news: News) -> None:
        """What goes wrong is also told on the terminal, once: a round may fail again and again."""
        if isinstance(news, Failed) and news.message not in self._said:
            self._said.add(news.message)
            log.warning("trigpoint: %s", news.message)
        self._on_news(news)

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        self._letters.put(None)
        for thread in self._threads:
            thread.join(PATIENCE)


def _send(stream: Any, letters: "SimpleQueue[Any]") -> None:
    """Runs in a thread: a pipe is full while the worker is deep in a computation."""
    with suppress(OSError), stream:  # a broken pipe: `_listen` sees it, too
        while (letter := letters.get()) is not None:
            pickle.dump(letter, stream)
            stream.flush()
