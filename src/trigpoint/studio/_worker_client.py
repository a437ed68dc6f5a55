"""The server's side of the worker process: start it, send it requests, receive its messages.

The worker is a fresh interpreter that runs `_worker.main`, and nothing of the server's own script. Requests
go to its standard input and messages come from its standard output, one pickle each. Two threads wait for the
pipes, so that the event loop never does; all fields are changed on the loop. A worker that dies is restarted
with the last request, twice; after that the client reports Failed, and people go on without a worker. If the
worker had sent something of use and lived for a while, the count of restarts begins again.

A request is under way until its Predictions come, or its Proposals where there is no label to predict from.
The worker then goes on with Advice, Bound and Issues, which it leaves out when the next request comes.
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

from trigpoint.studio._events import Settings
from trigpoint.studio._messages import Failed, Job, Message, Predictions, Proposals, Request

RESTARTS = 2
LONG = 60.0  # seconds of life after which a worker may be restarted as often again
PATIENCE = 1.0  # seconds for the threads of an ended process
PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); import trigpoint.studio._worker as w; w.main()"
)

log = logging.getLogger("trigpoint.studio")

Process: TypeAlias = subprocess.Popen[bytes]


class WorkerClient:
    """One worker at a time. All methods are for the event loop, and none waits for the worker.

    Parameters
    ----------
    job : the pool
    settings : how it is labeled
    on_message : called on the loop with each message
    clock : seconds that only grow
    """

    def __init__(
        self,
        job: Job,
        settings: Settings,
        on_message: Callable[[Message], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._job, self._settings, self._on_message, self._clock = job, settings, on_message, clock
        self._loop: Any = None
        self._process: Process | None = None
        self._outgoing: SimpleQueue[Any] = SimpleQueue()
        self._threads: list[Thread] = []
        self._last: Request | None = None
        self._restarts = 0
        self._started = 0.0
        self._useful = False  # this worker has answered a request
        self._said: set[str] = set()  # failures that were logged
        self.alive = False  # there is a worker, or it is being restarted
        self.busy = False  # a request is under way

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the worker; it reads the pool at once."""
        if self._loop is not None:
            raise RuntimeError("a worker client must be started once; it was started before.")
        self._loop, self.alive = asyncio.get_running_loop(), True
        self._launch()

    def request(self, version: int, log: list[dict[str, Any]], classes: list[str], count: int) -> bool:
        """Ask for a round of work; False, and nothing asked, where one is under way or there is no worker."""
        if self.busy or not self.alive:
            return False
        self.busy, self._last = True, Request(version, log, list(classes), count)
        self._outgoing.put(self._last)
        return True

    def close(self) -> None:
        """End the worker, also in the middle of its work. No messages after this."""
        self.alive = self.busy = False
        self._end()

    def _launch(self) -> None:
        self._started, self._useful = self._clock(), False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the parent, which then ends the worker
        )
        self._outgoing = SimpleQueue()
        self._outgoing.put((self._job, self._settings))
        if self._last is not None:
            self.busy = True
            self._outgoing.put(self._last)
        self._threads = [
            Thread(target=_send, args=(self._process.stdin, self._outgoing), daemon=True),
            Thread(target=self._listen, args=(self._process, self._process.stdout), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _listen(self, process: Process, stream: Any) -> None:
        """Runs in a thread: unpickling a large pool's predictions takes too long for the loop."""
        with (
            stream,
            suppress(EOFError, OSError, pickle.UnpicklingError),
        ):  # a message that broke off when the process ended
            while True:
                self._call(self._received, process, *pickle.load(stream))
        self._call(self._ended, process)

    def _call(self, function: Callable[..., None], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody is left to be told
            self._loop.call_soon_threadsafe(function, *arguments)

    def _received(self, process: Process, message: Message, free: bool) -> None:
        if process is not self._process or not self.alive:
            return
        if free:
            self.busy = False
        if isinstance(message, Failed) and message.fatal:
            self.close()
        self._useful = self._useful or isinstance(message, Proposals | Predictions)
        self._deliver(message)

    def _ended(self, process: Process) -> None:
        """The process ended, though nobody asked it to."""
        if process is not self._process or not self.alive:
            return
        self._end()
        if self._useful and self._clock() - self._started >= LONG:
            self._restarts = 0
        if self._restarts < RESTARTS:
            self._restarts += 1
            self._launch()
            return
        self.alive = self.busy = False
        why = "the computing process ended three times in a row; labels are still taken."
        self._deliver(Failed(why, fatal=False))

    def _deliver(self, message: Message) -> None:
        """Failures are also logged, once each: the same request may fail again and again."""
        if isinstance(message, Failed) and message.message not in self._said:
            self._said.add(message.message)
            log.warning("trigpoint: %s", message.message)
        self._on_message(message)

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        self._outgoing.put(None)
        for thread in self._threads:
            thread.join(PATIENCE)


def _send(stream: Any, outgoing: "SimpleQueue[Any]") -> None:
    """Runs in a thread: a pipe is full while the worker is deep in a computation."""
    with suppress(OSError), stream:  # a broken pipe: `_listen` sees it, too
        while (message := outgoing.get()) is not None:
            pickle.dump(message, stream)
            stream.flush()
