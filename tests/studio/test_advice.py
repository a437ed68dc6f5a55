"""What people are told of the accuracy."""

import math
from types import SimpleNamespace

import pytest

from trigpoint.studio._advice import advice_body


def advice(**given):
    found = {"error": 0.04, "low": 0.01, "high": 0.11, "n_labels": 40, "n_audits": 4, "next_labels": 25}
    return SimpleNamespace(**{**found, "expected_error": 0.02, **given})


def test_before_there_is_any():
    assert advice_body(None, False) is None


def test_accuracy_and_what_more_labels_bring():
    body = advice_body(advice(), False)
    assert body["sentence"] == (
        "About 96 % of the rest are right, 90 % sure between 89 % and 99.0 %. 25 more labels may bring 98 %."
    )
    assert body["n_audits"] == 4


def test_when_to_stop():
    sure = {"low": 0.03, "high": 0.05}
    assert advice_body(advice(expected_error=0.038, **sure), False)["sentence"].endswith("you may stop.")
    assert "stop" not in advice_body(advice(error=0.0, high=0.2, expected_error=0.0), False)["sentence"]
    wide = advice_body(advice(error=0.0, low=0.0, high=0.4, expected_error=0.0), False)
    assert wide["sentence"].startswith("Between 60 % and 100 % of the rest are right, 90 % sure.")
    assert "more labels" not in advice_body(advice(next_labels=0), False)["sentence"]


@pytest.mark.parametrize("regresses", [False, True])
def test_without_a_random_check_nothing_is_claimed(regresses):
    body = advice_body(advice(error=math.nan, high=math.inf), regresses)
    assert body["error"] is None
    assert body["high"] is None
    assert "nothing can be said" in body["sentence"]


def test_real_targets_have_an_error_in_their_own_unit():
    body = advice_body(advice(error=1.25, low=0.9, high=2.0, expected_error=math.nan), True)
    assert body["sentence"] == "The error of the rest is about 1.25, 90 % sure between 0.9 and 2."
    assert (
        advice_body(advice(error=1.25, high=None), True)["sentence"] == "The error of the rest is about 1.25."
    )
