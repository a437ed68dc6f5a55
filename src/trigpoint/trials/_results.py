"""Results that survive a kill: one file a task, written whole, under a name that says what it holds.

A task that has its file is done; starting again computes only the others, and a task can never count
twice. What a task computes depends on its own name and the settings alone. So all runs that share a
folder must share their settings, which its manifest holds; only the number of trials may grow.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from trigpoint._errors import InputError
from trigpoint.io import write_text
from trigpoint.trials._manifest import code_digest

Row = dict[str, Any]
MANIFEST = "manifest.json"


class OtherSettingsError(InputError):
    """A folder holds results of a run with other settings; ``setting`` is the first that differs."""

    def __init__(self, argument: object, rule: str, value: object = None, setting: str = "") -> None:
        super().__init__(argument, rule, value)
        self.setting = setting


@dataclass(frozen=True)
class Task:
    """One piece of work: its name, the kind that tells how long it takes, and what it is called with."""

    name: str
    kind: str
    arguments: dict[str, Any]


class Results(Protocol):
    """Where results are kept."""

    def has(self, task: Task) -> bool: ...

    def add(self, task: Task, rows: list[Row], seconds: float) -> None: ...

    def results(self, tasks: list[Task]) -> Iterator[tuple[Task, list[Row], float]]: ...


@dataclass(frozen=True)
class Memory:
    """Results that last as long as this record."""

    held: dict[str, tuple[list[Row], float]] = field(default_factory=dict)

    def has(self, task: Task) -> bool:
        return task.name in self.held

    def add(self, task: Task, rows: list[Row], seconds: float) -> None:
        self.held[task.name] = rows, seconds

    def results(self, tasks: list[Task]) -> Iterator[tuple[Task, list[Row], float]]:
        for task in tasks:
            if self.has(task):
                yield task, *self.held[task.name]


@dataclass(frozen=True)
class Store:
    """Results in a folder, made by ``code``."""

    folder: Path
    code: str = field(default_factory=code_digest)

    def path(self, task: Task) -> Path:
        return self.folder / "tasks" / f"{task.name}.json"

    def has(self, task: Task) -> bool:
        return self.path(task).is_file()

    def add(self, task: Task, rows: list[Row], seconds: float, code: str | None = None) -> None:
        """Keep a result; ``code`` made it, by default that of now."""
        self.path(task).parent.mkdir(parents=True, exist_ok=True)
        held = {
            "task": task.name,
            "kind": task.kind,
            "seconds": seconds,
            "code": code or self.code,
            "rows": rows,
        }
        write_text(self.path(task), json.dumps(held, indent=0) + "\n")

    def results(self, tasks: list[Task]) -> Iterator[tuple[Task, list[Row], float]]:
        """What is there of these tasks, in their order."""
        for task in tasks:
            if self.has(task):
                held = _read(self.path(task))
                yield task, held["rows"], held["seconds"]

    def code_of(self, task: Task) -> str:
        """The version of the code that has done a task."""
        return str(_read(self.path(task)).get("code", "unknown"))

    def made_by(self, tasks: list[Task]) -> dict[str, int]:
        """How many of these tasks each version of the code has done."""
        return dict(Counter(self.code_of(task) for task in tasks if self.has(task)))

    def manifest(self) -> dict[str, Any]:
        """What the folder's manifest says; nothing where there is none."""
        path = self.folder / MANIFEST
        return _read(path) if path.exists() else {}

    def note(self, **facts: Any) -> None:
        """Write facts into the manifest."""
        write_text(self.folder / MANIFEST, json.dumps({**self.manifest(), **facts}, indent=2) + "\n")

    def close(self, tasks: list[Task]) -> None:
        """Note in the manifest which code the results come from; runs of which nothing is left are forgotten.

        All runs stay while some results are of code that is not known: one of them made these.
        """
        made_by = self.made_by(tasks)
        runs = self.manifest().get("runs", [])
        if all(any(run.get("code") == code for run in runs) for code in made_by):
            runs = [run for run in runs if run.get("code", "") in made_by]
        self.note(runs=runs, made_by=made_by)

    def check(self, settings: Mapping[str, Any]) -> list[Any]:
        """Refuse a folder that holds results of other settings; the runs that it knows of."""
        path = self.folder / MANIFEST
        if path.exists():
            held = _read(path)
            check_same(_plain(settings), held.get("settings", {}), self.folder)
            return list(held.get("runs", []))
        if any(self.folder.glob("tasks/*.json")):
            rule = f"holds results without their {MANIFEST}: name another output folder"
            raise InputError(self.folder, rule)
        return []

    def open(self, settings: Mapping[str, Any], run: Mapping[str, Any]) -> None:
        """Take the folder for runs with these settings, and note this run."""
        runs = [*self.check(settings), dict(run)]
        self.folder.mkdir(parents=True, exist_ok=True)
        self.note(settings=_plain(settings), runs=runs)


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON will give them back."""
    return dict(json.loads(json.dumps(dict(settings))))


def check_same(asked: Mapping[str, Any], held: Mapping[str, Any], folder: Path) -> None:
    for name in sorted({*asked, *held}):
        if asked.get(name) != held.get(name):
            there, here = f"{name} = {held.get(name)}", f"this run has {asked.get(name)}"
            advice = "Name another output folder, or remove that one"
            raise OtherSettingsError(folder, f"holds results with {there}; {here}. {advice}", setting=name)


def _read(path: Path) -> dict[str, Any]:
    try:
        held = json.loads(path.read_text())
    except ValueError as error:
        raise InputError(path, f"must be a result of an earlier run, in JSON; remove it: {error}") from None
    if not isinstance(held, dict):
        raise InputError(path, "must be a result of an earlier run; remove it")
    return held
