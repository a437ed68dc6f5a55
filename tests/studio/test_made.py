"""Makers and what is kept: each thing is made once, what is waited for first, and few are kept."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.studio import _made
from trigpoint.studio._made import LINE, THREADS, Kept, Makers


class Slow:
    """Makes things one by one, as the test lets it."""

    def __init__(self):
        self.order = []
        self._may = threading.Semaphore(0)

    def __call__(self, key):
        assert self._may.acquire(timeout=600)
        self.order.append(key)
        if key == "bad":
            raise ValueError("bad")
        return key * 2

    def go(self, n=10_000):
        self._may.release(n)


def test_what_somebody_waits_for_goes_first(monkeypatch):
    monkeypatch.setattr(_made, "THREADS", 1)
    slow = Slow()
    makers = Makers(slow)
    busy = makers.now("busy")
    while makers._asked:
        threading.Event().wait(0.001)
    for key in "abc":
        makers.ahead(key)
    job, moved = makers.now("z"), makers.now("c")
    assert makers.now("c") is moved
    last = makers.now("b")
    slow.go()
    assert [one.result(60) for one in (busy, job, moved, last)] == ["busybusy", "zz", "cc", "bb"]
    makers.now("end").result(60)
    assert slow.order in (["busy", "z", "c", "b", "a", "end"], ["busy", "z", "c", "b", "end", "a"])


def test_of_many_the_last_goes_first_but_after_those_who_wait(monkeypatch):
    monkeypatch.setattr(_made, "THREADS", 1)
    slow = Slow()
    makers = Makers(slow)
    jobs = [makers.now("busy")]
    while makers._asked:
        threading.Event().wait(0.001)
    makers.ahead("x")
    makers.ahead("y")
    jobs += [makers.now(key, listed=True) for key in "abcx"]
    jobs += [makers.now("b"), makers.now("b", listed=True), makers.now("z")]
    slow.go()
    for job in jobs:
        job.result(60)
    assert slow.order[:6] == ["busy", "b", "z", "x", "c", "a"]


def test_errors_go_to_those_who_wait_and_end_nothing():
    slow = Slow()
    slow.go()
    makers = Makers(slow)
    for _ in range(3):
        with pytest.raises(ValueError, match="bad"):
            makers.now("bad").result(60)
    assert makers.now("a").result(60) == "aa"


def test_a_long_line_takes_no_more_ahead():
    slow = Slow()
    makers = Makers(slow)
    for k in range(LINE + THREADS + 20):
        makers.ahead(f"{k}")
    last = makers.now("now")  # but whom somebody waits for is always taken
    slow.go()
    assert last.result(60) == "nownow"
    while makers._n_threads:
        threading.Event().wait(0.001)
    assert LINE <= len(slow.order) - 1 <= LINE + THREADS


@given(st.integers(0, 60), st.lists(st.tuples(st.sampled_from("abcdefg"), st.integers(0, 20)), max_size=40))
def test_kept_is_what_was_used_last_within_its_bytes(most, uses):
    kept, sizes = Kept(most, len), {}
    naive = []  # names, the last used last
    for name, size in uses:
        found = kept.get(name)
        assert (found is not None) == (name in naive)
        if found is None:
            kept.put(name, b"x" * size)
            if size <= most // 4:
                naive.append(name)
                sizes[name] = size
        else:
            naive.remove(name)
            naive.append(name)
        while sum(sizes[one] for one in naive) > most:
            naive.pop(0)
        assert list(kept._things) == naive
        assert kept.n_bytes == sum(map(len, kept._things.values())) <= most
