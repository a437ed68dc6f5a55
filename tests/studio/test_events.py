"""What names and values may be: each edge, from both sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.studio._events import count_problem, name_problem, numbers_problem, person_problem


def test_how_many():
    assert count_problem(1, "budget") is None
    assert count_problem(10**9, "budget") is None
    assert count_problem(10**9 + 1, "budget") == "budget must be at most 1,000,000,000; got 1000000001."
    assert count_problem(10**400, "budget").startswith("budget must be at most 1,000,000,000; got 1000")
    for bad in (0, -1, True, 1.0, "1", None):
        assert count_problem(bad, "budget").startswith("budget must be a whole number from 1; got ")


def test_people():
    for good in ("a", " a ", "x" * 60, " " * 9 + "x" * 60, "é"):
        assert person_problem(good, "who") is None
    for bad in ("", " ", "\n\t", "x" * 61, None, 5, "\ud800", "a\0"):
        assert person_problem(bad, "who").startswith("who must ")


@pytest.mark.parametrize("name", ["a\0", "\ud800", "", " a", "x" * 201])
def test_classes(name):
    assert name_problem(name, "class").startswith("class must ")


@given(st.floats() | st.integers())
def test_numbers_that_can_be_learned_from(number):
    good = number == 0 or 1e-100 <= abs(number) <= 1e100
    assert (numbers_problem([0, number], 2, "value") is None) == good


def test_the_sentence_says_the_rule_and_the_value():
    rule = "value must hold numbers that are 0 or of a size from 1e-100 to 1e+100"
    assert numbers_problem([1e200], 1, "value") == f"{rule}; got [1e+200]."
