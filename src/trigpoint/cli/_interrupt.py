"""Ctrl-C, from the first moment on: nothing here waits for an import."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

STOPPED = 130
WORDS = "stopped; no file was left half-written."


@contextmanager
def watched_interrupt() -> Iterator[Callable[[], bool]]:
    """Tells whether Ctrl-C was pressed, even where compiled code makes another error of it."""
    pressed: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    previous = signal.getsignal(signal.SIGINT)
    ours = previous is signal.default_int_handler  # jobs in the background ignore Ctrl-C, and shall
    if ours:
        signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        if ours:
            signal.signal(signal.SIGINT, previous)


def leave() -> NoReturn:
    """Exit at once: an interrupt that has passed through exec() would make Python end by a signal instead."""
    sys.stderr.write(f"trigpoint: {WORDS}\n")
    sys.stderr.flush()
    os._exit(STOPPED)
