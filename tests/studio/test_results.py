"""What the worker found, as the page gets it, and the words for it."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from trigpoint.studio._answers import Guess
from trigpoint.studio._messages import (
    Advice,
    Bound,
    Failed,
    Issues,
    Map,
    Predictions,
    Proposals,
    Ready,
    Stage,
)
from trigpoint.studio._results import Results, least_sure, thinned

CLASSES = Predictions(
    1,
    ("cat", "dog"),
    np.array([1, -1, 0], dtype=np.int16),
    np.array([0.75, np.nan, 1.0], dtype=np.float32),
    np.array([0.25, 0.5, 0.0], dtype=np.float32),
)
VALUES = Predictions(
    1,
    (),
    np.full(2, -1, dtype=np.int16),
    np.full(2, np.nan, dtype=np.float32),
    np.array([0.5, 1.0], dtype=np.float32),
    np.array([[1.5, 2.5], [np.nan, np.nan]]),
    np.array([0.5, np.inf], dtype=np.float32),
)


def test_nothing_is_known_at_first():
    results = Results(False)
    assert results.predicted(0) is None
    assert results.coordinates() is None
    assert results.map_layers() is None
    state = results.page_fields()
    assert (state["ready"], state["failed"], state["advice"], state["bound"]) == (False, None, None, [])
    assert not results.advice_before(1)


def test_the_latest_of_each_counts():
    results = Results(False)
    message = [
        Stage("finding neighbors", 0.5),
        Ready(3, 1, 0, 1.0, ""),
        Bound(1, 4, 9.0),
        Bound(2, 2, 12.0),
        Bound(3, 4, 8.0),
        Advice(1, 0.1, 0.0, 0.3, 4, 1, 0, 10, 0.05, 9),
        Issues(1, 40, 0.0, 3.0, [5], ["cat"], ["dog"], [0.9], [0.1]),
        Issues(2, 41, 0.0, 1.0, [], [], [], [], []),
        Failed("it ended.", False),
    ]
    for each in message:
        results.receive(each)
    assert (results.issues.n_labels, results.versions["issues"]) == (41, 2)
    state = results.page_fields()
    assert (state["ready"], state["failed"], state["bound"]) == (True, "it ended.", [(2, 12.0), (4, 8.0)])
    assert state["advice"].n_labels == 4
    assert not results.advice_before(1)
    assert results.advice_before(2)
    json.dumps(to_builtins(state), allow_nan=False)
    results.receive(Proposals(4, [1], [False]))
    assert results.page_fields()["failed"] is None


def test_bounds_of_an_earlier_start_are_gone_on_with():
    results = Results(False, bounds=[(2, 9.0), (5, 4.0)])
    results.receive(Bound(1, 3, 7.0))
    assert results.page_fields()["bound"] == [(2, 9.0), (3, 7.0), (5, 4.0)]


@given(st.sets(st.integers(1, 10**6), min_size=2, max_size=60))
def test_bounds_are_thinned_out_where_they_are_dense(counts):
    bounds = {}
    for n in sorted(counts):
        bounds = thinned({**bounds, n: 1 / n}, 20)
    assert len(bounds) == min(len(counts), 20)
    assert (min(bounds), max(bounds)) == (min(counts), max(counts))
    assert list(bounds) == sorted(bounds)
    assert all(value == 1 / n for n, value in bounds.items())


def test_classes_are_predicted_and_painted():
    results = Results(False)
    results.receive(CLASSES)
    assert results.predicted(0) == Guess("dog", 0.75, 0.25)
    assert results.predicted(1) is None
    version, map_layers, classes = results.map_layers()
    assert (version, classes) == (1, ("cat", "dog"))
    assert np.frombuffer(map_layers[:6], "<i2").tolist() == [1, -1, 0]
    assert list(map_layers[6:]) == [64, 127, 0]


def test_real_targets_are_predicted_and_painted():
    results = Results(True)
    results.receive(VALUES)
    assert results.predicted(0) == Guess([1.5, 2.5], None, 0.5)
    assert results.predicted(1) is None
    _, map_layers, classes = results.map_layers()
    assert classes == ()
    assert np.frombuffer(map_layers[:4], "<i2").tolist() == [0, -1]
    values = np.frombuffer(map_layers[6:], "<f4")
    assert values[0] == 1.5
    assert math.isnan(values[1])


def test_the_map_is_sent_as_it_unfolds():
    results = Results(False)
    results.receive(Map(np.zeros((2, 2), dtype=np.float32), False))
    results.receive(Map(np.array([[0.5, -1.0], [1.0, 0.0]], dtype=np.float32), True))
    version, content = results.coordinates()
    assert version == 2
    assert np.frombuffer(content, "<f4").tolist() == [0.5, -1.0, 1.0, 0.0]


@pytest.mark.parametrize("fatal", [True, False])
def test_after_a_failure_nothing_is_under_way(fatal):
    results = Results(False)
    results.receive(Stage("reading the pool"))
    assert results.page_fields()["stage"] == Stage("reading the pool", None)
    results.receive(Failed("it ended.", fatal))
    assert results.page_fields()["stage"] is None
    results.receive(Stage("drawing the map", 0.5))
    assert results.page_fields()["stage"] == Stage("drawing the map", 0.5)


def numbers(*values):
    n = len(values)
    nothing = np.full(n, -1, dtype=np.int16), np.full(n, np.nan, dtype=np.float32)
    return Predictions(1, (), *nothing, np.zeros(n, dtype=np.float32), np.array(values)[:, None])


def test_values_beyond_float32():
    results = Results(True)
    results.receive(numbers(1e-60, -1e60, np.inf, 3.0))
    said = [results.predicted(i) for i in range(4)]
    assert [guess and guess.value for guess in said] == [[1e-60], [-1e60], None, [3.0]]
    _, map_layers, _ = results.map_layers()
    assert np.frombuffer(map_layers[:8], "<i2").tolist() == [0, 0, -1, 0]
    values = np.frombuffer(map_layers[12:], "<f4")
    assert values[[0, 1, 3]].tolist() == [0.0, float(np.finfo(np.float32).min), 3.0]
    assert math.isnan(values[2])


def test_classes_go_by_the_names_that_they_have_now():
    names = {"cat": "cat", "dog": "dog"}
    results = Results(False, names.get)
    results.receive(CLASSES)
    assert results.map_layers()[2] == ("cat", "dog")
    names["dog"] = "hound"
    assert results.predicted(0).value == "hound"
    _, map_layers, classes = results.map_layers()
    assert classes == ("cat", "hound")
    assert np.frombuffer(map_layers[:6], "<i2").tolist() == [1, -1, 0]


def test_classes_that_became_one_have_one_number():
    names = {"cat": "cat", "dog": "dog"}
    results = Results(False, names.get)
    results.receive(CLASSES)
    assert np.frombuffer(results.map_layers()[1][:6], "<i2").tolist() == [1, -1, 0]
    names |= {"cat": "pet", "dog": "pet"}
    assert [results.predicted(i).value for i in (0, 2)] == ["pet", "pet"]
    _, map_layers, classes = results.map_layers()
    assert classes == ("pet",)
    assert np.frombuffer(map_layers[:6], "<i2").tolist() == [0, -1, 0]


def test_a_class_that_is_no_more_is_not_predicted():
    results = Results(False, {"dog": "dog"}.get)
    results.receive(CLASSES)
    assert (results.predicted(0).value, results.predicted(2)) == ("dog", None)
    _, map_layers, classes = results.map_layers()
    assert classes == ("dog",)
    assert np.frombuffer(map_layers[:6], "<i2").tolist() == [0, -1, -1]
    assert list(map_layers[6:]) == [64, 127, 0]


def test_by_falling_uncertainty_without_those_known():
    assert least_sure(np.array([0.1, 0.9, 0.5, 0.9]), [1], 2) == [3, 2]
    assert least_sure(np.array([0.1, 0.9]), [0, 1], 5) == []


@given(st.lists(st.integers(0, 3), min_size=1), st.sets(st.integers(0, 20)), st.integers(0, 10))
def test_least_sure_is_the_definition(uncertainties, known, limit):
    known = {i for i in known if i < len(uncertainties)}
    rest = [i for i in range(len(uncertainties)) if i not in known]
    expected = sorted(rest, key=lambda i: (-uncertainties[i], i))[:limit]
    assert least_sure(np.array(uncertainties, dtype=np.float32), known, limit) == expected
