"""Long loops that let others have the interpreter: files are read and written beside a page that answers."""

from collections.abc import Iterable, Iterator
from time import perf_counter, sleep
from typing import TypeVar

WORK, REST = 0.002, 0.0005  # seconds; a thread that waits for the interpreter asks for it after 5 ms only

T = TypeVar("T")


def paced(items: Iterable[T]) -> Iterator[T]:
    """The items; now and then the thread that takes them rests for a moment.

    >>> list(paced("abc"))
    ['a', 'b', 'c']
    """
    end = perf_counter() + WORK
    for item in items:
        yield item
        if perf_counter() > end:
            sleep(REST)
            end = perf_counter() + WORK
