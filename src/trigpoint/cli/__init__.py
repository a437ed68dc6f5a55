"""The command line: parse, check everything, call the library, write.

    _app                which commands there are, one file each
    _options, _config   what a user may say, and where
    _paths              files that are read and written, looked at first
    _prepare            pool -> graph -> phi, nothing long before all is known to be well
    _progress, _output  what is seen: standard error for people, standard output for programs

Only typer is imported before a command runs; numpy and the others load inside it, so that --help is quick.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

STOPPED = 130
WORDS = "stopped; no file was left half-written."


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line: exit code 0, or 2 for bad input and 130 at Ctrl-C, with one line that says so."""
    with watched_interrupt() as interrupted:
        try:
            from trigpoint.cli._app import app

            code = app(arguments, prog_name="trigpoint", standalone_mode=False) or 0
        except BaseException as error:
            if interrupted():
                leave()
            from trigpoint.cli._errors import exit_code

            code = exit_code(error)
    sys.exit(code)


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
