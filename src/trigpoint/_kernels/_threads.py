"""Spread a kernel over blocks of rows with plain Python threads.

The kernels release the GIL, so threads suffice; unlike numba's own parallel loops they compile
fast, may be called from several threads at once, and stop at Ctrl-C after the blocks under way.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import joblib
from threadpoolctl import threadpool_limits


def run_blocks(work: Callable[[int, int], object], n: int, block: int) -> None:
    """Call ``work(start, stop)`` for consecutive blocks of ``range(n)``, in parallel."""
    starts = range(0, n, block)
    workers = min(joblib.cpu_count(), len(starts))
    if workers <= 1:
        for start in starts:
            work(start, min(start + block, n))
        return
    pool = ThreadPoolExecutor(workers)
    try:
        # Each worker keeps one core busy; BLAS must not start threads of its own below it.
        with threadpool_limits(1, user_api="blas"):
            for done in [pool.submit(work, start, min(start + block, n)) for start in starts]:
                done.result()
    finally:
        pool.shutdown(cancel_futures=True)
