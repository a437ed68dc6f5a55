"""What takes time to make: each thing once, two at a time, and the last ones kept within a number of bytes.

    now      somebody waits for it: before all others
    listed   somebody looks through many: the last one first, which is still on the screen
    ahead    somebody will want it soon; where many lie in line already it is left out

Threads come when there is work and end with it. There are two of them, since a large picture needs much
memory. They have the usual priority: they share Python's lock with the event loop, which would wait for a
slow holder.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Generic, TypeVar

Key = TypeVar("Key")
T = TypeVar("T")

THREADS = 2
LINE = 64  # jobs that may wait to be made ahead


class Makers(Generic[Key, T]):
    """Threads that call ``make``; from any thread."""

    def __init__(self, make: Callable[[Key], T]) -> None:
        self._make = make
        self._lock = Lock()
        self._jobs: dict[Key, Future[T]] = {}
        self._asked: deque[Key] = deque()
        self._listed: deque[Key] = deque()
        self._ahead: deque[Key] = deque()
        self._n_threads = 0

    def now(self, key: Key, listed: bool = False) -> "Future[T]":
        """What ``make`` returns or raises, once it has."""
        line = self._listed if listed else self._asked
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                return self._enter(key, line)
            for other in (self._listed, self._ahead):  # it is moved up
                if key in other and other is not line:
                    other.remove(key)
                    line.append(key)
            return job

    def ahead(self, key: Key) -> None:
        with self._lock:
            if key not in self._jobs and len(self._ahead) < LINE:
                self._enter(key, self._ahead)

    def _enter(self, key: Key, line: deque[Key]) -> "Future[T]":
        job: Future[T] = Future()
        job.set_running_or_notify_cancel()  # others may wait for it, too: nobody cancels it
        self._jobs[key] = job
        line.append(key)
        if self._n_threads < THREADS:
            self._n_threads += 1
            Thread(target=self._work, name="trigpoint-picture", daemon=True).start()
        return job

    def _work(self) -> None:
        while True:
            with self._lock:
                if not (self._asked or self._listed or self._ahead):
                    self._n_threads -= 1
                    return
                last = self._listed and not self._asked
                key = self._listed.pop() if last else (self._asked or self._ahead).popleft()
            try:
                made, error = self._make(key), None
            except BaseException as raised:
                made, error = None, raised
            with self._lock:
                job = self._jobs.pop(key)
            if error is None:
                job.set_result(made)  # type: ignore[arg-type]
            else:
                job.set_exception(error)


class Kept(Generic[T]):
    """The things that were used last, of at most ``n_bytes`` in all; from any thread."""

    def __init__(self, n_bytes: int, size: Callable[[T], int]) -> None:
        self._most, self._size = n_bytes, size
        self._things: OrderedDict[str, T] = OrderedDict()
        self._lock = Lock()
        self.n_bytes = 0

    def get(self, name: str) -> T | None:
        with self._lock:
            if name in self._things:
                self._things.move_to_end(name)
            return self._things.get(name)

    def put(self, name: str, thing: T) -> T:
        """The thing; one that would push out most others is not kept."""
        with self._lock:
            if name not in self._things and self._size(thing) <= self._most // 4:
                self._things[name] = thing
                self.n_bytes += self._size(thing)
            while self.n_bytes > self._most:
                self.n_bytes -= self._size(self._things.popitem(last=False)[1])
        return thing
