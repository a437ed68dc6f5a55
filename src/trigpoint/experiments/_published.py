"""Results that are published, taken over: a folder that holds trials.csv goes on from it without its tasks.

    trials.csv -> take_over -> tasks -> renew: some once more, to see whether today's code does the same

Numbers have six digits there. What our own default has done is left out: it changes with the code, and its
rows are to be those of today's. So are times. Tasks that are taken over are said to be made by the code that
the manifest names, if it names one, or "earlier".
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trigpoint.experiments._paper_methods import METHODS
from trigpoint.trials import Row, Store, Task, Work, rng_for, run_tasks

NameOf = Callable[[Row], str]


def take_over(store: Store, tasks: list[Task], name_of: NameOf) -> None:
    """Keep the published rows of these tasks as their results, unless the folder holds results."""
    table = store.folder / "trials.csv"
    if not table.is_file() or any(store.folder.glob("tasks/*.json")):
        return
    held: dict[str, list[Row]] = {}
    for row in published(table):
        if row["method"] in METHODS and not METHODS[row["method"]].ours:
            held.setdefault(name_of(row), []).append(row)
    made_by = store.manifest().get("made_by", {})
    code = next(iter(made_by)) if len(made_by) == 1 else "earlier"
    for task in tasks:
        if task.name in held:
            rows = held[task.name]
            store.add(task, rows, sum(_seconds(row) for row in rows) / len(rows), code)


@dataclass
class Anew:
    """Results that take the places of older ones as they come, so that a run that is stopped loses none."""

    store: Store
    done: int = 0
    equal: int = 0

    def has(self, task: Task) -> bool:
        return self.store.has(task) and self.store.code_of(task) == self.store.code

    def add(self, task: Task, rows: list[Row], seconds: float) -> None:
        ((_, before, _),) = self.store.results([task])
        self.done += 1
        self.equal += without_times(before) == without_times(rows)
        self.store.add(task, rows, seconds)

    def results(self, tasks: list[Task]) -> Iterator[tuple[Task, list[Row], float]]:
        return self.store.results([task for task in tasks if self.has(task)])


def renew(store: Store, tasks: list[Task], work: Work, count: int, jobs: int, name: str) -> None:
    """Compute results of other code once more, a random ``count`` of them, and note how many were equal."""
    old = [task for task in tasks if store.has(task) and store.code_of(task) != store.code]
    chosen = [old[i] for i in sorted(rng_for(0, "again").permutation(len(old))[:count])]
    anew = Anew(store)
    try:
        if chosen:
            run_tasks(anew, chosen, work, jobs, f"{name}, again")
    finally:
        if anew.done:
            done = {"code": store.code, "tasks": anew.done, "equal": anew.equal}
            store.note(again=[*store.manifest().get("again", []), done])


def published(table: Path) -> list[Row]:
    """The rows of trials.csv, numbers as such; NaN where there is nothing."""
    with table.open(newline="") as stream:
        return [{name: _value(text) for name, text in row.items()} for row in csv.DictReader(stream)]


def without_times(rows: list[Row]) -> list[Row]:
    """To six digits, as they are published: equal code makes equal rows."""
    return [
        {name: f"{value:.6g}" if isinstance(value, float) else str(value) for name, value in row.items()}
        for row in ({name: row[name] for name in row if not name.endswith("seconds")} for row in rows)
    ]


def _seconds(row: Mapping[str, Any]) -> float:
    return sum(float(value) for name, value in row.items() if name.endswith("seconds"))


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text or "nan")
        except ValueError:
            pass
    return text
