"""A paced loop gives all items, and lets other threads have the interpreter."""

import sys
from threading import Event, Thread
from time import perf_counter

import pytest

from trigpoint.io import paced


def test_all_items_in_order():
    assert list(paced(range(5))) == [0, 1, 2, 3, 4]


@pytest.fixture
def stubborn():
    """Threads that do not let go of the interpreter by themselves."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)
    yield
    sys.setswitchinterval(before)


def test_another_thread_gets_its_turn(stubborn):
    ready, go, turn = Event(), Event(), Event()

    def other():
        ready.set()
        go.wait()
        turn.set()

    thread = Thread(target=other)
    thread.start()
    ready.wait()
    go.set()
    end = perf_counter() + 600
    for _ in paced(iter(perf_counter, None)):
        if turn.is_set() or perf_counter() > end:
            break
    assert turn.is_set()
    thread.join()
