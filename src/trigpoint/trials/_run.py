"""Run tasks in parallel, keep each result as it comes, tell how long the rest will take; random streams."""

import os
import signal
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Thread
from time import perf_counter, sleep
from zlib import crc32

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from trigpoint._progress import stage
from trigpoint.trials._results import Results, Row, Task

Work = Callable[..., list[Row]]
CORES = "LOKY_MAX_CPU_COUNT"


def run_tasks(store: Results, tasks: list[Task], work: Work, jobs: int, name: str) -> None:
    """Do the tasks that are not done, as a stage of this name. Interrupted, it loses only those under way."""
    spent: dict[str, list[float]] = defaultdict(list)
    for task, _, seconds in store.results(tasks):
        spent[task.kind].append(seconds)
    waiting = {task.name: task for task in tasks if not store.has(task)}
    calls = (delayed(_attempt)(work, task, os.getpid()) for task in list(waiting.values()))
    parallel = Parallel(n_jobs=min(jobs, max(len(waiting), 1)), return_as="generator_unordered", batch_size=1)
    with stage(name, len(tasks)) as told:
        before = len(tasks) - len(waiting)
        told.reach(before, _seconds_left(waiting.values(), spent, jobs), "done before" if before else "")
        for last, rows, seconds in parallel(calls):
            task = waiting.pop(last)
            store.add(task, rows, seconds)
            spent[task.kind].append(seconds)
            told.reach(len(tasks) - len(waiting), _seconds_left(waiting.values(), spent, jobs), last)


def _attempt(work: Work, task: Task, main: int) -> tuple[str, list[Row], float]:
    """One task on one thread, so that it repeats, and takes as long, however many run beside it."""
    if os.getpid() != main:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that keeps the results
        _leave_with(main)
    start = perf_counter()
    with threadpool_limits(1), _one_core():
        rows = work(**task.arguments)
    return task.name, rows, perf_counter() - start


@lru_cache
def _leave_with(parent: int) -> None:
    """End this process when its parent has ended, however that did, and not hours later."""

    def watch() -> None:
        while os.getppid() == parent:  # another one adopts this process when its own has ended
            sleep(0.5)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


@contextmanager
def _one_core() -> Iterator[None]:
    """For what asks joblib how many cores there are, as our own threads do."""
    before = os.environ.get(CORES)
    os.environ[CORES] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[CORES]
        else:
            os.environ[CORES] = before


def _seconds_left(waiting: Iterable[Task], spent: dict[str, list[float]], jobs: int) -> float | None:
    """By the mean of what tasks of each kind took; kinds that are new count as the mean of all."""
    known = [seconds for kind in spent.values() for seconds in kind]
    if not known:
        return None
    typical = sum(known) / len(known)
    mean = {kind: sum(seconds) / len(seconds) for kind, seconds in spent.items()}
    return sum(mean.get(task.kind, typical) for task in waiting) / jobs


def rng_for(seed: int, *names: object) -> np.random.Generator:
    """A stream of its own for every name, so that no method, data set or trial shifts another."""
    return np.random.default_rng([seed, *(crc32(str(name).encode()) for name in names)])
