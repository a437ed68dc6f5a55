"""Spread a kernel over blocks of rows with plain Python threads.

The kernels release the GIL, so threads suffice; unlike numba's own parallel loops they compile
fast, may be called from several threads at once, and stop at Ctrl-C after the blocks under way.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache

import joblib
from threadpoolctl import ThreadpoolController

from trigpoint._progress import NOBODY, Stage, stage


def run_blocks(work: Callable[[int, int], object], n: int, block: int, name: str = "") -> None:
    """Call ``work(start, stop)`` for blocks of ``range(n)``, in parallel; a name makes it a stage."""
    with stage(name, n) if name else nullcontext(NOBODY) as told:
        _run(work, n, block, told)


def _run(work: Callable[[int, int], object], n: int, block: int, told: Stage) -> None:
    starts = range(0, n, block)
    workers = min(n_threads(), len(starts))
    if workers <= 1:
        for start in starts:
            work(start, min(start + block, n))
            told.advance(block)
        return
    stopped = threading.Event()

    def guarded(start: int) -> None:
        if not stopped.is_set():
            try:
                work(start, min(start + block, n))
            except BaseException:
                stopped.set()
                raise

    with serial_blas(), ThreadPoolExecutor(workers) as pool:
        try:
            for done in [pool.submit(guarded, start) for start in starts]:
                done.result()
                told.advance(block)
        finally:
            stopped.set()  # on Ctrl-C: the blocks that have not begun are left out


_own = threading.local()


def n_threads() -> int:
    """Threads that `run_blocks` may use."""
    most: int = getattr(_own, "most", joblib.cpu_count())
    return most


@contextmanager
def one_thread() -> Iterator[None]:
    """`run_blocks` works in the calling thread: for whoever keeps every core busy with other calls."""
    before, _own.most = getattr(_own, "most", None), 1
    try:
        yield
    finally:
        if before is None:
            del _own.most
        else:
            _own.most = before


def serial(api: str) -> AbstractContextManager[object]:
    """One thread for the libraries of an API, "blas" or "openmp", that are loaded by now."""
    modules = list(sys.modules)
    found = _libraries(len(modules), modules[-1])
    limits: AbstractContextManager[object] = found.limit(limits=1, user_api=api)
    return limits


@lru_cache(maxsize=1)
def _libraries(n_modules: int, newest: str) -> ThreadpoolController:
    """To look for them takes milliseconds, longer than many a fit; new ones come with new modules."""
    return ThreadpoolController()


_limiting = threading.Lock()


@contextmanager
def serial_blas() -> Iterator[None]:
    """BLAS on one thread: below workers that keep every core busy, or where the last bits matter.

    The limit is global, and only the thread that set it may lift it. Whoever finds it unset sets it
    and lifts it again; calls that overlap with that one leave it alone, and lose it when that one ends.
    """
    if not _limiting.acquire(blocking=False):
        yield
        return
    try:
        with serial("blas"):
            yield
    finally:
        _limiting.release()
