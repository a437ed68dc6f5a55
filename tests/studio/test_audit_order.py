"""Audits come in one random order of ids."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.studio._audit_order import order_by_ids, with_checks, with_own_audits


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


def test_checks_come_first_and_others_keep_their_order():
    order = [7, 5, 3, 1, 0, 2, 4, 6]
    free = {0, 1, 2, 3, 4, 6}.__contains__
    found = with_checks([2, 6, 1, 4], [False, True, False, True], order, free, 2)
    # 3 and 1 are checks; then 0 and 2 are due as audits; 2 was to be asked for anyway, so 6 takes its place
    assert found == ([3, 1, 6, 0, 2], [True, True, False, True, True])
    assert with_checks([2, 6], [False, False], order, free, 0) == ([2, 6], [False, False])
    assert with_checks([], [], order, free, 9) == ([3, 1, 0, 2, 4, 6], [True] * 6)


@given(st.integers(1, 12), st.data())
def test_checks_are_the_front_of_the_order_and_nobody_is_lost(n, data):
    samples = data.draw(st.permutations(range(n)))
    audits = [data.draw(st.booleans()) for _ in samples]
    order = data.draw(st.permutations(range(n)))
    free = data.draw(st.sets(st.integers(0, n - 1)))
    proposed = [(i, audit) for i, audit in zip(samples, audits, strict=True) if i in free]
    names, marks = [i for i, _ in proposed], [audit for _, audit in proposed]
    count = data.draw(st.integers(0, n))
    found, told = with_checks(names, marks, order, free.__contains__, count)
    due = [i for i in order if i in free]
    assert sorted(found) == sorted(free)
    assert found[:count] == due[:count]
    assert all(told[: min(count, len(free))])
    random = [i for i, audit in zip(found, told, strict=True) if audit]
    assert random == due[: len(random)], "random checks are the front of the order, and no others"
