import os
import subprocess
import sys
from threading import Thread
from time import sleep

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_info, threadpool_limits

from trigpoint._kernels import run_blocks, serial_blas, threads


@pytest.mark.parametrize("cores", [1, 2, 5])
@pytest.mark.parametrize("n", [0, 1, 7, 8])
def test_blocks_cover_everything_once(monkeypatch, cores, n):
    monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda: cores)
    seen = np.zeros(n, dtype=int)

    def work(start, stop):
        seen[start:stop] += 1

    run_blocks(work, n, 3)
    assert (seen == 1).all()


def test_an_error_in_a_block_reaches_the_caller():
    def work(start, stop):
        raise ZeroDivisionError(start)

    with pytest.raises(ZeroDivisionError):
        run_blocks(work, 10, 2)


def test_an_interrupt_stops_the_blocks_to_come(monkeypatch):
    monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda: 2)
    done = []

    def work(start, stop):
        done.append(start)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_blocks(work, 1000, 1)
    assert len(done) <= 2, "each worker stops after the first failure that it sees"


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def limit_blas(n):
    """In a thread that ends: what this one limits, no other could."""
    thread = Thread(target=threadpool_limits, args=(n, "blas"))
    thread.start()
    thread.join()


@pytest.fixture
def two_threads_of_blas():
    before = max(blas_threads())
    limit_blas(2)
    yield
    limit_blas(before)


def test_overlapping_calls_leave_blas_as_they_found_it(monkeypatch, two_threads_of_blas):
    monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda: 2)
    seen = []

    def call(pause):
        run_blocks(lambda start, stop: (seen.append(blas_threads()), sleep(pause)), 4, 1)

    callers = [Thread(target=call, args=(0.01 * k,)) for k in (1, 2, 3)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert {1} in seen
    assert blas_threads() == {2}


LATER = """
import sys
import numpy
from threadpoolctl import threadpool_info
from trigpoint._kernels import serial_blas

def threads():
    return sorted((p["filepath"], p["num_threads"]) for p in threadpool_info() if p["user_api"] == "blas")

with serial_blas():
    before = threads()
import scipy.linalg
assert len(threads()) > len(before), "scipy brings a library of its own, or this test shows nothing"
with serial_blas():
    print({n for _, n in threads()})
print({n for _, n in threads()})
"""


def test_a_library_that_is_loaded_later_is_limited_too():
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", LATER], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["{1}", "{2}"]


def test_libraries_are_looked_for_once(monkeypatch):
    looked = []
    monkeypatch.setattr(threads, "ThreadpoolController", lambda: looked.append(1) or ThreadpoolController())
    threads._libraries.cache_clear()
    for _ in range(5):
        with serial_blas():
            assert blas_threads() == {1}
    assert looked == [1]
