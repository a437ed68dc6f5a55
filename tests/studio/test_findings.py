"""The worker's news, as the page gets them."""

import json
import math

import numpy as np
import pytest

from trigpoint.studio._findings import Findings
from trigpoint.studio._news import Advice, Beliefs, Bound, Failed, Map, Proposals, Ready, Stage

CLASSES = Beliefs(
    1,
    ("cat", "dog"),
    np.array([1, -1, 0], dtype=np.int16),
    np.array([0.75, np.nan, 1.0], dtype=np.float32),
    np.array([0.25, 0.5, 0.0], dtype=np.float32),
)
VALUES = Beliefs(
    1,
    (),
    np.full(2, -1, dtype=np.int16),
    np.full(2, np.nan, dtype=np.float32),
    np.array([0.5, 1.0], dtype=np.float32),
    np.array([[1.5, 2.5], [np.nan, np.nan]]),
    np.array([0.5, np.inf], dtype=np.float32),
)


def test_nothing_is_known_at_first():
    findings = Findings(False)
    assert findings.predicted(0) is None
    assert findings.coordinates() is None
    assert findings.painted() is None
    state = findings.state()
    assert (state["ready"], state["failed"], state["advice"], state["bound"]) == (False, None, None, [])


def test_the_latest_of_each_counts():
    findings = Findings(False)
    news = [
        Stage("finding neighbors", 0.5),
        Ready(3, 1, 0, 1.0, ""),
        Bound(1, 4, 9.0),
        Bound(2, 2, 12.0),
        Bound(3, 4, 8.0),
        Advice(1, 0.1, 0.0, 0.3, 4, 1, 10, 0.05),
        Failed("it ended.", False),
    ]
    for each in news:
        findings.hear(each)
    state = findings.state()
    assert (state["ready"], state["failed"], state["bound"]) == (True, "it ended.", [(2, 12.0), (4, 8.0)])
    assert state["advice"]["n_labels"] == 4
    json.dumps(state, allow_nan=False)
    findings.hear(Proposals(4, [1], [False]))
    assert findings.state()["failed"] is None


def test_classes_are_predicted_and_painted():
    findings = Findings(False)
    findings.hear(CLASSES)
    assert findings.predicted(0) == {"value": "dog", "probability": 0.75, "doubt": 0.25}
    assert findings.predicted(1) is None
    version, painted, classes = findings.painted()
    assert (version, classes) == (1, ("cat", "dog"))
    assert np.frombuffer(painted[:6], "<i2").tolist() == [1, -1, 0]
    assert list(painted[6:]) == [64, 127, 0]


def test_real_targets_are_predicted_and_painted():
    findings = Findings(True)
    findings.hear(VALUES)
    assert findings.predicted(0) == {"value": [1.5, 2.5], "probability": None, "doubt": 0.5}
    assert findings.predicted(1) is None
    _, painted, classes = findings.painted()
    assert classes == ()
    assert np.frombuffer(painted[:4], "<i2").tolist() == [0, -1]
    values = np.frombuffer(painted[6:], "<f4")
    assert values[0] == 1.5
    assert math.isnan(values[1])


def test_the_map_is_sent_as_it_unfolds():
    findings = Findings(False)
    findings.hear(Map(np.zeros((2, 2), dtype=np.float32), False))
    findings.hear(Map(np.array([[0.5, -1.0], [1.0, 0.0]], dtype=np.float32), True))
    version, content = findings.coordinates()
    assert version == 2
    assert np.frombuffer(content, "<f4").tolist() == [0.5, -1.0, 1.0, 0.0]


@pytest.mark.parametrize("fatal", [True, False])
def test_after_a_failure_nothing_is_under_way(fatal):
    findings = Findings(False)
    findings.hear(Stage("reading the pool"))
    assert findings.state()["stage"] == {"name": "reading the pool", "share": None}
    findings.hear(Failed("it ended.", fatal))
    assert findings.state()["stage"] is None
    findings.hear(Stage("drawing the map", 0.5))
    assert findings.state()["stage"] == {"name": "drawing the map", "share": 0.5}


def numbers(*values):
    n = len(values)
    nothing = np.full(n, -1, dtype=np.int16), np.full(n, np.nan, dtype=np.float32)
    return Beliefs(1, (), *nothing, np.zeros(n, dtype=np.float32), np.array(values)[:, None])


def test_values_beyond_float32():
    findings = Findings(True)
    findings.hear(numbers(1e-60, -1e60, np.inf, 3.0))
    said = [findings.predicted(i) for i in range(4)]
    assert [guess and guess["value"] for guess in said] == [[1e-60], [-1e60], None, [3.0]]
    _, painted, _ = findings.painted()
    assert np.frombuffer(painted[:8], "<i2").tolist() == [0, 0, -1, 0]
    values = np.frombuffer(painted[12:], "<f4")
    assert values[[0, 1, 3]].tolist() == [0.0, float(np.finfo(np.float32).min), 3.0]
    assert math.isnan(values[2])


def test_classes_go_by_the_names_that_they_have_now():
    names = {"cat": "cat", "dog": "dog"}
    findings = Findings(False, names.get)
    findings.hear(CLASSES)
    assert findings.painted()[2] == ("cat", "dog")
    names["dog"] = "hound"
    assert findings.predicted(0)["value"] == "hound"
    _, painted, classes = findings.painted()
    assert classes == ("cat", "hound")
    assert np.frombuffer(painted[:6], "<i2").tolist() == [1, -1, 0]


def test_classes_that_became_one_have_one_number():
    names = {"cat": "cat", "dog": "dog"}
    findings = Findings(False, names.get)
    findings.hear(CLASSES)
    assert np.frombuffer(findings.painted()[1][:6], "<i2").tolist() == [1, -1, 0]
    names |= {"cat": "pet", "dog": "pet"}
    assert [findings.predicted(i)["value"] for i in (0, 2)] == ["pet", "pet"]
    _, painted, classes = findings.painted()
    assert classes == ("pet",)
    assert np.frombuffer(painted[:6], "<i2").tolist() == [0, -1, 0]


def test_a_class_that_is_no_more_is_not_predicted():
    findings = Findings(False, {"dog": "dog"}.get)
    findings.hear(CLASSES)
    assert (findings.predicted(0)["value"], findings.predicted(2)) == ("dog", None)
    _, painted, classes = findings.painted()
    assert classes == ("dog",)
    assert np.frombuffer(painted[:6], "<i2").tolist() == [0, -1, -1]
    assert list(painted[6:]) == [64, 127, 0]
