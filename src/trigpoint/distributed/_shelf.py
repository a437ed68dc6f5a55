"""What lies on a worker's disk between two tasks.

One machine keeps graph and phi in files, and its memory for what it works on. Here a task may put its result
on the shelf: a file of its worker's local directory that has no name any more, so that it is gone with the
last reference to it, and with the process, however that ends. The next task takes the value from there, and
holds it for as long as it runs.

Whoever sends a `Shelved` sends its value: on another worker, and in the client, it is in memory. So a task
need not know where its arguments lay.
"""

import pickle
import tempfile
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from trigpoint.distributed._sizes import teach_sizes

MOST = 1 << 30  # bytes of one read: the kernel takes no more than 2 GB at a time


class _File:
    """A file without a name, which several threads may read."""

    def __init__(self) -> None:
        self.file, self.lock = tempfile.TemporaryFile(dir=_folder()), threading.Lock()  # noqa: SIM115
        weakref.finalize(self, self.file.close)

    def add(self, buffer: Any) -> tuple[int, int]:
        """Where the bytes begin, and how many they are."""
        with self.lock, memoryview(buffer) as view:
            start = self.file.seek(0, 2)
            self.file.write(view)
            return start, view.nbytes

    def read(self, start: int, size: int) -> bytearray:
        found = bytearray(size)
        with self.lock, memoryview(found) as view:
            self.file.seek(start)
            for at in range(0, size, MOST):
                self.file.readinto(view[at : at + MOST])
        return found


@dataclass(frozen=True, eq=False)
class Shelved:
    """A value in a file: its pickle without the arrays, and where these are."""

    file: _File
    head: bytes
    places: tuple[tuple[int, int], ...]

    def value(self) -> Any:
        return pickle.loads(self.head, buffers=[self.file.read(*place) for place in self.places])

    def __reduce__(self) -> tuple[Any, ...]:
        return _itself, (self.value(),)


def shelved(value: Any) -> Any:
    """The value on the shelf; of a list each entry by itself, all in one file."""
    file = _File()
    found = [_put(one, file) for one in value] if isinstance(value, list) else _put(value, file)
    file.file.flush()
    return found


def opened(thing: Any) -> Any:
    """The value of what is shelved, also in lists."""
    if isinstance(thing, list):
        return [opened(one) for one in thing]
    return thing.value() if isinstance(thing, Shelved) else thing


def opening(function: Callable[..., Any], shelves: bool, *args: Any) -> Any:
    """The function of values, wherever they lie; its result on the shelf, if that is asked for."""
    teach_sizes()
    found = function(*[opened(one) for one in args])
    return shelved(found) if shelves else found


def _put(value: Any, file: _File) -> Shelved:
    places: list[tuple[int, int]] = []
    head = pickle.dumps(value, protocol=5, buffer_callback=lambda one: places.append(file.add(one.raw())))
    return Shelved(file, head, tuple(places))


def _folder() -> str | None:
    """The local directory of this worker; None, the usual place of temporary files, if this is none."""
    from distributed import get_worker

    try:
        return str(get_worker().local_directory)
    except ValueError:
        return None


def _itself(value: Any) -> Any:
    return value
