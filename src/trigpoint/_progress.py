"""How far a long call is: told to whoever listens, at no cost where nobody does.

    with stage("views", total=3) as told:      # a part of a call; stages within it have longer paths
        ...
        told.advance()
    for i in track(range(n), "landmarks"):     # the same for a loop
        ...

A listener is called in the thread that works, when a stage begins and ends and at most every `PAUSE`
seconds between. Within a stage ``done`` never falls, and it ends at ``total``. A stage that an error or a
``break`` ends has no last record. The time left is that of the stage, at the mean speed since its beginning.
Listeners belong to a context (`contextvars`): threads that a user starts, and other processes, have none.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock
from time import perf_counter
from typing import TypeVar

PAUSE = 0.05  # seconds between two calls of a listener
LINES = 5.0  # seconds between two lines where there is no terminal

T = TypeVar("T")


@dataclass(frozen=True)
class Progress:
    """How far a stage is.

    Attributes
    ----------
    path : names of the stages that it is a part of, and its own
    done : steps done
    total : steps in all; None if that is unknown
    elapsed : seconds since the stage began
    seconds_left : of this stage; None while nothing is known
    note : more about the last step, such as a residual
    ended : whether the stage is over; this is then its last record
    """

    path: tuple[str, ...]
    done: int
    total: int | None
    elapsed: float
    seconds_left: float | None
    note: str = ""
    ended: bool = False

    @property
    def stage(self) -> str:
        """The path in one text.

        >>> Progress(("views", "neighbors"), 3, 9, 1.0, 2.0).stage
        'views: neighbors'
        """
        return ": ".join(self.path)

    @property
    def left(self) -> str:
        """The time left in words; empty while it is unknown, and at the end.

        >>> Progress(("trials",), 3, 9, 1.0, 3700.0).left
        'about 1 h 2 min left'
        """
        seconds = self.seconds_left
        if seconds is None or self.ended or self.done == self.total:
            return ""
        if seconds < 100:
            return f"about {seconds:.0f} s left"
        hours, minutes = divmod(round(seconds / 60), 60)
        return f"about {hours} h {minutes} min left" if hours else f"about {minutes} min left"


Listener = Callable[[Progress], object]


class Stage:
    """A stage under way. Nothing happens where nobody listens; steps may be told from several threads."""

    def __init__(self, listener: Listener | None, path: tuple[str, ...], total: int | None = None) -> None:
        self.listener, self.path, self._total = listener, path, total
        self._done, self._note, self._lock = 0, "", Lock()
        self._begun = self._last = perf_counter()

    def advance(self, steps: int = 1, note: str = "") -> None:
        """So many more steps are done."""
        if self.listener is None:
            return
        with self._lock:
            self._done, self._note = self._done + steps, note
            now = perf_counter()
            if now - self._last >= PAUSE:
                self._tell(now)

    def reach(self, done: int, seconds_left: float | None, note: str = "") -> None:
        """So many steps are done in all, and this is the time left; told in any case."""
        if self.listener is None:
            return
        with self._lock:
            self._done, self._note = max(done, self._done), note
            self._tell(perf_counter(), seconds_left)

    def begin(self) -> None:
        if self.listener is not None:
            self._tell(self._begun)

    def end(self) -> None:
        if self.listener is not None:
            self._done = self._done if self._total is None else self._total
            self._tell(perf_counter(), 0.0, ended=True)

    def _tell(self, now: float, left: float | None = None, ended: bool = False) -> None:
        assert self.listener is not None
        done, total, elapsed = self._done, self._total, now - self._begun
        if total is not None:
            done = min(done, total)
            if left is None and done:
                left = elapsed * (total - done) / done
        self._last = now
        self.listener(Progress(self.path, done, total, elapsed, left, self._note, ended))


NOBODY = Stage(None, ())
_around: ContextVar[Stage] = ContextVar("trigpoint_progress", default=NOBODY)


@contextmanager
def stage(name: str, total: int | None = None) -> Iterator[Stage]:
    """A part of a call, of so many steps; stages that begin within it are its parts."""
    outer = _around.get()
    if outer.listener is None:
        yield NOBODY
        return
    inner = Stage(outer.listener, (*outer.path, name), total)
    inner.begin()
    before = _around.set(inner)
    try:
        yield inner
    finally:
        _around.reset(before)
    inner.end()


def track(items: Iterable[T], name: str, total: int | None = None) -> Iterable[T]:
    """The items; each is a step of a stage, done when the next one is asked for."""
    outer = _around.get()
    if outer.listener is None:
        return items
    total = len(items) if total is None and isinstance(items, Sized) else total
    return _tracked(items, Stage(outer.listener, (*outer.path, name), total), outer)


def _tracked(items: Iterable[T], inner: Stage, outer: Stage) -> Iterator[T]:
    inner.begin()
    for item in items:
        _around.set(inner)  # for the body of the loop
        try:
            yield item
        finally:
            if _around.get() is inner:  # a loop that was left may be closed elsewhere
                _around.set(outer)
        inner.advance()
    inner.end()


@contextmanager
def progress(listener: Listener | None = None) -> Iterator[None]:
    """Show how far long calls are, on standard error; or hand it to a function.

    Parameters
    ----------
    listener : function of one argument, optional
        It is called with a record: ``stage`` (and ``path``, its parts), ``done``, ``total`` (None if it is
        unknown), ``elapsed``, ``seconds_left`` (None while it is unknown), ``note`` and ``ended``. What it
        raises ends the call. Without it there is a bar on a terminal, elsewhere a line every few seconds.

    Notes
    -----
    Cost: a listener is called at most 20 times a second. Where nobody listens, a stage costs about a
    microsecond. It changes no result.

    See Also
    --------
    compare : with ``folder=`` long comparisons can also be stopped and continued.

    Examples
    --------
    >>> import numpy as np, trigpoint as tp
    >>> seen = []
    >>> with tp.progress(seen.append):
    ...     graph = tp.neighbor_graph(np.random.default_rng(0).random((50, 8)), 5)
    >>> seen[-1].stage, seen[-1].done, seen[-1].total
    ('neighbors', 50, 50)
    """
    if listener is not None and not callable(listener):
        raise TypeError(f"listener must be a function of one argument; got {type(listener).__name__}.")
    if listener is None:
        with shown() as show, progress(show):
            yield
        return
    before = _around.set(Stage(listener, ()))
    try:
        yield
    finally:
        _around.reset(before)


@contextmanager
def shown() -> Iterator[Listener]:
    """A listener that shows what it hears on standard error."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    look = (
        SpinnerColumn(),
        BarColumn(20),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Bar(*look, console=Console(stderr=True), transient=True) as bar:
        rows: list[Progress] = []  # of the stages under way, the outermost first
        row = bar.add_task("starting ...", total=None)

        def show(how_far: Progress) -> None:
            _kept(rows, how_far)
            (line,) = bar.tasks
            line.total, line.finished_time = rows[-1].total, None  # a stage after another
            bar.update(row, completed=rows[-1].done, description=f"{in_words(rows)} ...")

        yield show


def _kept(rows: list[Progress], how_far: Progress) -> list[tuple[str, ...]]:
    """The paths of ``rows`` once they know of a record: it and the stages around it that are known.

    One that has ended gives way to the stage around it, if there is one.
    """
    rows[:] = [one for one in rows if one.path == how_far.path[: len(one.path)] != how_far.path]
    if not (how_far.ended and rows):
        rows.append(how_far)
    return [one.path for one in rows]


def in_words(rows: list[Progress]) -> str:
    """
    >>> outer = Progress(("views",), 1, 3, 9.0, 18.0)
    >>> in_words([outer, Progress(("views", "neighbors"), 3, 9, 1.0, 2.0)])
    'views 2 of 3: neighbors 33 %, about 2 s left'
    """
    *around, last = rows
    texts = [_counted(one) for one in around]
    share = "" if not last.total or last.ended else f" {last.done / last.total:.0%}".replace("%", " %")
    count = f" {last.done}" if last.total is None and last.done and not last.ended else ""
    texts.append(", ".join(filter(None, [f"{last.path[-1]}{share}{count}", last.note, last.left])))
    return ": ".join(texts)


def _counted(one: Progress) -> str:
    return one.path[-1] + ("" if not one.total else f" {min(one.done + 1, one.total)} of {one.total}")


def _lines() -> Listener:
    """A line every few seconds, the first after as many."""
    rows: list[Progress] = []
    last = perf_counter()

    def show(how_far: Progress) -> None:
        nonlocal last
        _kept(rows, how_far)
        now = perf_counter()
        if now - last >= LINES:
            last = now
            sys.stderr.write(f"trigpoint: {in_words(rows)}\n")
            sys.stderr.flush()

    return show
