"""The worker's news, as the page gets them."""

import json
import math

import numpy as np

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
    np.array([[1.5, 2.5], [np.nan, np.nan]], dtype=np.float32),
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
    assert state["stage"] == {"name": "finding neighbors", "share": 0.5}
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
