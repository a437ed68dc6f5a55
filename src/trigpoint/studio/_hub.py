"""The studios of a folder: a page that lists them, and opens each as a process of its own.

A folder that holds stores (`*.trigpoint.db`) is a folder of studios, unless it is a pool itself: pictures lie
directly in it, or a store of its own lies beside it. A store says which pool it belongs to and how that is
read. Stores that nobody has open are read in passing; one that is open is locked, and its studio is asked.
"""

import asyncio
import json
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.request import HTTPCookieProcessor, OpenerDirector, ProxyHandler, build_opener

from trigpoint.studio._answers import Count
from trigpoint.studio._event_store import StoreBusyError, StoreError, glance, read_events
from trigpoint.studio._open import ENDING, default_store, pool_of, stored_settings
from trigpoint.studio._requests import Record
from trigpoint.studio._state import State
from trigpoint.studio._team import summary_of

KEYS = ("settings", "pool", "options", "summary")
PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp")
PATIENCE = 2.0  # seconds for a studio to answer
GRACE = 20.0  # seconds for a studio to end

Stage: TypeAlias = Literal["closed", "opening", "open", "elsewhere", "missing", "unreadable"]


class StudioLine(Record, frozen=True):
    """A studio of the folder. ``url`` is its link, where it is open; ``why`` says what is wrong."""

    store: str
    name: str
    pool: str | None
    task: str | None
    n_samples: Count | None
    labels: Count | None
    spent: Count | None
    budget: Count | None
    people: Count | None
    changed: float
    stage: Stage
    url: str | None
    why: str | None


class StudioList(Record, frozen=True):
    folder: str
    studios: list[StudioLine]


def stores_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(f"*{ENDING}") if path.is_file())


def is_folder_of_studios(folder: Path) -> bool:
    """Whether a folder holds stores and is no pool itself."""
    if not folder.is_dir() or not stores_in(folder) or default_store(folder).exists():
        return False
    return not any(path.suffix.lower() in PICTURES for path in folder.iterdir())


@dataclass
class Child:
    """A studio that was opened here."""

    process: asyncio.subprocess.Process | None = None
    url: str | None = None
    said: str = ""  # the last line on its standard error
    ended: bool = False
    visitor: OpenerDirector = field(
        default_factory=lambda: build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))
    )
    greeted: bool = False


Command: TypeAlias = Callable[[Path, Path, Mapping[str, Any]], Sequence[str]]


class Hub:
    """The studios of a folder; ``command`` makes the words that open one: pool, store, options of reading."""

    def __init__(self, folder: Path, command: Command) -> None:
        self.folder: Path = folder.absolute()
        self._command = command
        self._children: dict[str, Child] = {}
        self._known: dict[str, tuple[Any, dict[str, Any]]] = {}  # store -> (its file as it was, what it said)
        self._tasks: set[asyncio.Task[None]] = set()

    async def listing(self) -> StudioList:
        lines = await asyncio.to_thread(lambda: [self._line(path) for path in stores_in(self.folder)])
        return StudioList(str(self.folder), lines)

    async def open(self, name: str) -> None:
        """Begin to open a studio; `listing` tells how far it is.

        Raises LookupError where there is no such store, ValueError where it cannot be opened.
        """
        path = self.folder / name
        if path not in stores_in(self.folder):
            raise LookupError(f"store must be one of this folder; got {name[:100]!r}.")
        line = await asyncio.to_thread(self._line, path)
        if line.stage in ("opening", "open"):
            return
        if line.stage != "closed" or line.pool is None:
            raise ValueError(f"{name} cannot be opened: {line.why}")
        if name in self._children and not self._children[name].ended:  # somebody else was quicker
            return
        options = self._known[name][1].get("options", {})
        self._children[name] = child = Child()
        task = asyncio.create_task(self._run(child, self._command(Path(line.pool), path, options)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, child: Child, command: Sequence[str]) -> None:
        """Start a studio and follow what it says, to its end."""
        try:
            child.process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C comes from us alone, and once
            )
            process = child.process
            await asyncio.gather(_hear_link(child, process.stdout), _hear_trouble(child, process.stderr))
            await process.wait()
        except OSError as error:
            child.said = str(error)
        finally:
            child.ended = True

    async def close(self) -> None:
        """End all studios that were opened here, as Ctrl-C does, and wait for them."""
        running = [child.process for child in self._children.values() if child.process and not child.ended]
        for process in running:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await asyncio.gather(*self._tasks)
        for process in running:
            with suppress(ProcessLookupError):
                process.kill()
        await asyncio.gather(*self._tasks)

    def _line(self, path: Path) -> StudioLine:
        child = self._children.get(path.name)
        if child is not None and not child.ended:
            stage: Stage = "opening" if child.url is None else "open"
            return self._told(path, stage, self._live(path.name, child), child.url, None)
        failed = child.said if child is not None and child.process and child.process.returncode else None
        try:
            about = self._read(path)
        except StoreBusyError:
            known = self._known.get(path.name, (None, {}))[1]
            why = "it is open in another terminal: use the link that was printed there."
            return self._told(path, "elsewhere", known, None, why)
        except (StoreError, ValueError) as error:
            return self._told(path, "unreadable", {}, None, str(error))
        except (TypeError, KeyError) as error:  # what is in it is not what this version writes
            return self._told(path, "unreadable", {}, None, f"it cannot be understood: {error}.")
        if pool_of(path, about) is None:
            why = f"its pool is missing: {about.get('pool', 'the store does not say where it was')}."
            return self._told(path, "missing", about, None, why)
        return self._told(path, "closed", about, None, failed)

    def _told(
        self, path: Path, stage: Stage, about: dict[str, Any], url: str | None, why: str | None
    ) -> StudioLine:
        summary, pool = about.get("summary") or {}, pool_of(path, about)
        numbers = {name: summary.get(name) for name in ("n_samples", "labels", "spent", "budget", "people")}
        return StudioLine(
            store=path.name,
            name=path.name.removesuffix(ENDING),
            pool=None if pool is None else str(pool),
            task=about.get("settings", {}).get("task"),
            **numbers,
            changed=changed(path),
            stage=stage,
            url=url,
            why=why,
        )

    def _read(self, path: Path) -> dict[str, Any]:
        """What a store that nobody has open says; read anew where its file has changed."""
        mark = file_mark(path)
        known = self._known.get(path.name)
        about, last, _ = glance(path, KEYS) if known is None or known[0] != mark else (known[1], None, None)
        if last is not None and (about.get("summary") or {}).get("seq") != last:  # it was killed
            about["summary"] = _counted_anew(path, about)
        self._known[path.name] = file_mark(path), about  # to look at a file may tidy it
        return about

    def _live(self, name: str, child: Child) -> dict[str, Any]:
        """What an open studio says of itself now, in place of what its store said before."""
        about = self._known.get(name, (None, {}))[1]
        if child.url is None:
            return about
        with suppress(OSError, ValueError):
            if not child.greeted:
                child.visitor.open(child.url, timeout=PATIENCE).close()  # the token becomes a cookie
                child.greeted = True
            with child.visitor.open(f"{child.url.partition('/?')[0]}/api/state", timeout=PATIENCE) as answer:
                state = json.load(answer)
            now = {name: state[name] for name in ("spent", "budget")} | {
                "labels": state["labeled"],
                "people": sum(n > 0 for n in state["annotators"].values()),
            }
            about = {**about, "summary": {**(about.get("summary") or {}), **now}}
            self._known[name] = None, about
        return about


def _files(path: Path) -> list[Path]:
    """A store and the log that SQLite may have beside it."""
    return [path, path.with_name(f"{path.name}-wal")]


def file_mark(path: Path) -> list[tuple[int, int]]:
    """Another one where a store was written to."""
    return [(found.st_mtime_ns, found.st_size) for file in _files(path) if (found := _stat(file))]


def changed(path: Path) -> float:
    return max((found.st_mtime for file in _files(path) if (found := _stat(file))), default=0.0)


def _stat(path: Path) -> Any:
    try:
        return path.stat()
    except OSError:
        return None


def _counted_anew(path: Path, about: Mapping[str, Any]) -> dict[str, Any]:
    """The summary of a store whose studio did not end by itself, from its events."""
    more, last, _ = glance(path, ("samples",))
    state = State(stored_settings(about["settings"]), more["samples"]["ids"])
    for event in read_events(path):
        state.apply(event)
    return summary_of(state, len(more["samples"]["ids"]), last)


async def _hear_link(child: Child, stream: Any) -> None:
    """The JSON that a studio prints when it can be opened."""
    said = b""
    async for line in stream:
        said += line
        if child.url is None and line.rstrip() == b"}":
            child.url = str(json.loads(said)["url"])


async def _hear_trouble(child: Child, stream: Any) -> None:
    async for line in stream:
        child.said = line.decode(errors="replace").strip().removeprefix("trigpoint: ") or child.said
