"""Audits come in one random order of ids."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.studio._audit_order import order_by_ids, with_own_audits


@given(st.lists(st.text(max_size=4), unique=True), st.integers(0, 9), st.randoms())
def test_the_order_does_not_depend_on_who_else_is_there(ids, seed, random):
    order = [ids[i] for i in order_by_ids(seed, ids)]
    assert sorted(order) == sorted(ids)
    others = [name for name in ids if random.random() < 0.5]
    random.shuffle(others)
    assert [others[i] for i in order_by_ids(seed, others)] == [name for name in order if name in others]


def test_every_sample_is_as_likely_to_come_first():
    first = [order_by_ids(seed, map(str, range(10)))[0] for seed in range(3000)]
    counts = np.bincount(first, minlength=10)
    assert ((counts - 300) ** 2 / 300).sum() < 27.9  # chi^2 of 9 degrees, one in a thousand


def test_audits_are_the_next_of_the_order():
    order = [7, 5, 3, 1, 0, 2, 4, 6]
    free = {0, 1, 2, 3, 4, 6}.__contains__
    samples, audits = with_own_audits([2, 6, 1, 4], [False, True, False, True], order, free)
    # 3 and 1 are due; 1 was to be asked for anyway, so 6, which was an audit, takes its place
    assert (samples, audits) == ([2, 3, 6, 1], [False, True, False, True])
    assert with_own_audits([2, 6], [False, False], order, free) == ([2, 6], [False, False])
    assert with_own_audits([], [], order, free) == ([], [])


@given(st.integers(1, 12), st.data())
def test_nobody_is_asked_twice_and_nobody_is_lost(n, data):
    samples = data.draw(st.permutations(range(n)))
    audits = [data.draw(st.booleans()) for _ in samples]
    order = data.draw(st.permutations(range(n)))
    found, marks = with_own_audits(samples, audits, order, lambda i: True)
    assert sorted(found) == list(range(n))
    assert marks == audits
    assert [i for i, audit in zip(found, marks, strict=True) if audit] == order[: sum(audits)]
