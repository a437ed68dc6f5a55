"""What a person sees while a command runs, on standard error: a bar on a terminal, and nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

from trigpoint.cli._errors import tell


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


def closing(text: str, verbose: bool) -> None:
    """The last word, for a person who watches."""
    if verbose or sys.stderr.isatty():
        tell(text)
