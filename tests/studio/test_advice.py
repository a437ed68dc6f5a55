"""How good the labels are, in words that need no statistics."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.studio._advice import advice_text
from trigpoint.studio._messages import Advice


def advice(error=0.07, low=0.04, high=0.12, n_audits=60, n_wrong=4, next_labels=0, expected_error=None):
    return Advice(1, error, low, high, 100, n_audits, n_wrong, next_labels, expected_error, 900)


def words(regresses=False, **given):
    found = advice_text(advice(**given), regresses)
    return found.headline, found.sentence


def test_before_there_is_any():
    assert advice_text(None, False) is None


def test_so_many_of_a_hundred():
    assert words() == (
        "about 93 of 100 right",
        "Of 100 samples that nobody has labeled, about 93 have the right label; it may be 88 to 96.",
    )
    found = advice_text(advice(), False)
    assert (found.n_right, found.n_audits, found.few) == (56, 60, False)


def test_of_a_thousand_where_that_is_known():
    headline, sentence = words(error=0.004, low=0.001, high=0.012)
    assert headline == "about 996 of 1,000 right"
    assert sentence.endswith("about 996 have the right label; it may be 988 to 999.")


def test_a_few_checks_are_counted():
    assert words(error=0.3, low=0.02, high=0.78, n_audits=6, n_wrong=1) == (
        "5 of 6 random checks right",
        "From 10 checks on, the studio estimates how many of all labels are right.",
    )
    assert words(error=0.3, n_audits=1, n_wrong=1)[0] == "0 of 1 random check right"
    assert advice_text(advice(n_audits=9, n_wrong=0), False).few
    assert not advice_text(advice(n_audits=10, n_wrong=0), False).few


def test_what_to_do_next():
    later = {"next_labels": 25, "expected_error": 0.02}
    assert words(error=0.04, low=0.01, high=0.11, **later)[1].endswith(
        "With 25 more labels it may become 98."
    )
    assert words(error=0.04, low=0.01, high=0.2, **later)[1].endswith("will narrow this range.")
    little = {**later, "expected_error": 0.038}
    assert words(error=0.04, low=0.01, high=0.06, **little)[1].endswith("you may stop.")
    assert words(error=0.04, low=0.01, high=0.06)[1].endswith("it may be 94 to 99.")
    assert words(error=0.0, low=0.0, high=0.0)[1].endswith("about 1,000 have the right label.")


@pytest.mark.parametrize("regresses", [False, True])
def test_without_a_random_check_nothing_is_claimed(regresses):
    found = advice_text(advice(error=math.nan, high=math.inf, n_audits=0, n_wrong=None), regresses)
    assert (found.error, found.high, found.n_right, found.headline) == (None, None, None, "")
    assert found.sentence.startswith("No random check is answered yet")


def test_numbers_are_off_by_so_much():
    assert words(True, error=1.25, low=0.9, high=2.0, n_wrong=None) == (
        "off by about 1.25",
        "For samples that nobody has labeled, the prediction is typically off by about 1.25; "
        "it may be 0.9 to 2.",
    )
    assert words(True, error=1.25, high=None, n_wrong=None)[1].endswith("typically off by about 1.25.")
    headline, sentence = words(True, error=1.25, n_audits=3, n_wrong=None)
    assert headline == "off by about 1.25 in 3 random checks"
    assert sentence.startswith("From 10 checks on")


@pytest.mark.parametrize("regresses", [False, True])
def test_where_nothing_is_left_to_predict(regresses):
    found = advice_text(replace(advice(error=0.0, low=0.0, high=0.0), n_rest=0), regresses)
    assert (found.headline, found.sentence) == ("all labeled", "Every sample has a label.")


@given(st.integers(1, 200), st.data())
def test_the_words_never_claim_more_than_the_checks(n_audits, data):
    n_wrong = data.draw(st.integers(0, n_audits))
    low, error, high = sorted(data.draw(st.lists(st.floats(0, 1), min_size=3, max_size=3)))
    found = advice_text(advice(error, low, high, n_audits, n_wrong), False)
    assert found.n_right == n_audits - n_wrong
    assert found.few == (n_audits < 10) == ("random check" in found.headline)
    if not found.few:
        assert found.headline.startswith("about ")
