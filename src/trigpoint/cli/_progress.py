"""What a person sees while a command runs, on standard error: a bar on a terminal, and nothing in a pipe."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass

from trigpoint import _progress
from trigpoint.cli._errors import tell


@dataclass(frozen=True)
class Progress:
    """Steps of a run, and words about them where --verbose asks for some."""

    verbose: bool

    def step(self, name: str) -> AbstractContextManager[object]:
        return _progress.stage(name)

    def say(self, text: str) -> None:
        if self.verbose:
            tell(text)


@contextmanager
def progress(verbose: bool) -> Iterator[Progress]:
    """A bar on a terminal; with --verbose a line for each stage, and for each of many tasks."""
    with ExitStack() as stack:
        shows = []
        if sys.stderr.isatty():
            shows.append(stack.enter_context(_progress.shown()))
        if verbose:
            shows.append(_line)
        if shows:
            stack.enter_context(_progress.progress(lambda how_far: [show(how_far) for show in shows]))
        yield Progress(verbose)


def _line(how_far: _progress.Progress) -> None:
    if len(how_far.path) > 1:
        return
    if how_far.ended:
        tell(f"{how_far.stage}: {how_far.elapsed:.2f} s")
    elif how_far.note:
        tell(f"{how_far.stage} {how_far.done} of {how_far.total} {how_far.note} {how_far.left}")
