"""What a person sees while a command runs, on standard error: a bar on a terminal, and nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from trigpoint.cli._errors import tell

if TYPE_CHECKING:
    from trigpoint.trials import Progress as Trials


@dataclass(frozen=True)
class Progress:
    """Steps of a run, and words about them where --verbose asks for some."""

    verbose: bool
    show: Callable[[str], None]

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        self.show(name)
        start = perf_counter()
        yield
        self.say(f"{name}: {perf_counter() - start:.2f} s")

    def say(self, text: str) -> None:
        if self.verbose:
            tell(text)


@contextmanager
def progress(n_steps: int, verbose: bool) -> Iterator[Progress]:
    if not sys.stderr.isatty():
        yield Progress(verbose, lambda name: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    look = (SpinnerColumn(), BarColumn(20), TimeElapsedColumn(), TextColumn("{task.description} ..."))
    with Bar(*look, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=n_steps + 1)

        def show(name: str) -> None:
            bar.update(task, advance=1, description=name)

        yield Progress(verbose, show)


@contextmanager
def trial_bar(verbose: bool) -> Iterator[Callable[[str, "Trials"], None]]:
    """A bar with the time left on a terminal; a line a task where --verbose asks for it; else nothing."""
    if verbose or not sys.stderr.isatty():
        yield _line if verbose else lambda name, how_far: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    look = (TextColumn("{task.description}"), BarColumn(24), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*look, TextColumn("{task.fields[left]}"), console=Console(stderr=True)) as bar:
        rows = {}

        def show(name: str, how_far: "Trials") -> None:
            if name not in rows:
                rows[name] = bar.add_task(name, total=how_far.total, left="")
            bar.update(rows[name], completed=how_far.done, left=_left(how_far))

        yield show


def _line(name: str, how_far: "Trials") -> None:
    tell(f"{name} {how_far.done} of {how_far.total} {how_far.last} {_left(how_far)}")


def _left(how_far: "Trials") -> str:
    """
    >>> from trigpoint.trials import Progress
    >>> _left(Progress(3, 9, "", 3700.0))
    'about 1 h 2 min left'
    """
    seconds = how_far.seconds_left
    if seconds is None or how_far.done == how_far.total:
        return ""
    if seconds < 100:
        return f"about {seconds:.0f} s left"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"about {hours} h {minutes} min left" if hours else f"about {minutes} min left"
