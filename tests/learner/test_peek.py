"""Peek and restore: a look at what would be asked, and a log put in place of another."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import trigpoint as tp
from trigpoint._errors import InputError
from trigpoint.learner._audits import audits_due
from trigpoint.learner._choice import METHODS

TASKS = ("classification", "regression")
BOTH = [(method, task) for method in METHODS for task in TASKS]
X = np.random.default_rng(0).random((300, 2))


def new(**settings):
    """Three views, of which labels choose one, and no model that takes long to fit."""
    return tp.ActiveLearner(X, predictor="propagation", **settings)


def answers(task):
    return (3 * X[:, 0]).astype(int) if task == "classification" else X[:, 0] + X[:, 1]


def run(method, task, rounds, seed=0, audit=0.2):
    """Some answered, some unsure, some waiting; one told that nobody asked for."""
    rng = np.random.default_rng(seed)
    learner, y = new(task=task, method=method, audit=audit), answers(task)
    for _ in range(rounds):
        samples = rng.permutation(learner.ask(8))[:7]
        learner.tell(samples, [None, *y[samples[1:]].tolist()])
        told = int(rng.choice(np.setdiff1d(np.arange(len(X)), [*learner.labels, *learner.pending])))
        learner.tell([told], [y[told].item()])
    return learner


CASES = [
    pytest.param(form, *both, marks=[] if form == "held" or "auto" in both else pytest.mark.slow)
    for form in ("held", "pushed")
    for both in BOTH
]
every_case = pytest.mark.parametrize(
    ("small_and_large", "method", "task"), CASES, indirect=["small_and_large"]
)


@pytest.fixture
def small_and_large(request, monkeypatch):
    """Fields as in small pools, and as in large ones, where a rounding shows in the questions."""
    if request.param == "pushed":
        monkeypatch.setattr("trigpoint.selection._field.DENSE", 0)
        monkeypatch.setattr("trigpoint.selection._field.CUTOFF", 0.02)


@pytest.mark.usefixtures("small_and_large")
@every_case
def test_a_peek_is_what_ask_returns_and_leaves_no_trace(method, task):
    looked, other = run(method, task, 2), run(method, task, 2)
    for count in (1, 30, 12):
        samples, audits = looked.peek(count)
        assert looked.log == other.log
    asked = looked.ask(12)
    assert_array_equal(asked, samples)
    assert_array_equal(asked, other.ask(12))
    assert looked.log[-1]["audits"] == audits.tolist()
    assert_array_equal(looked.ask(9), other.ask(9))


@pytest.mark.usefixtures("small_and_large")
@every_case
def test_restoring_ones_own_log_changes_no_later_question(method, task):
    learner, other = run(method, task, 2), run(method, task, 2)
    learner.peek(5)
    learner.restore(learner.log)
    assert learner.log == other.log
    assert learner.labels == other.labels
    assert_array_equal(learner.pending, other.pending)
    assert_array_equal(learner.audits, other.audits)
    assert_array_equal(learner.ask(15), other.ask(15))
    assert_array_equal(learner.predict(), other.predict())


@pytest.mark.usefixtures("small_and_large")
@every_case
def test_whatever_was_before_a_log_is_all_that_counts(method, task):
    """Questions forgotten, added, and in another order: as if the learner were new."""
    learner, log = run(method, task, 3), run(method, task, 3).log
    for part in (log[:4], [*log[3:6], *log[:2]], log[::-1], [], log):
        learner.peek(3)
        learner.restore(part)
        fresh = new(task=task, method=method, audit=0.2)
        fresh.restore(part)
        assert_array_equal(learner.peek(20)[0], fresh.peek(20)[0])
        assert_array_equal(learner.predict(), fresh.predict())
        assert learner.log == fresh.log


def test_what_was_computed_of_the_pool_is_kept(monkeypatch):
    """Views once, and each scale of coverage once on each view."""
    made = []
    for place, name in (("_learner", "viewed_pool"), ("_coverage", "scale_for")):
        module = import_module(f"trigpoint.learner.{place}")
        function = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda *a, f=function, **k: made.append((f.__name__, *a[2:])) or f(*a, **k)
        )
    learner = run("auto", "classification", 2)
    before = len(made)
    for _ in range(3):
        learner.restore(learner.log)
        learner.peek(4)
    assert made.count(("viewed_pool",)) == 1
    assert len(made) <= before + 1


def test_predictions_of_one_state_of_the_labels_are_made_once(monkeypatch):
    module, made = import_module("trigpoint.learner._learner"), []
    function = module.beliefs
    monkeypatch.setattr(module, "beliefs", lambda *a: made.append(len(a[1].landmarks)) or function(*a))
    learner = run("auto", "classification", 2, audit=0.0)
    made.clear()
    for _ in range(2):
        learner.predict(), learner.predict_proba(), learner.uncertainty(), learner.view, learner.weights
        learner.peek(3)
        learner.ask(2)
    assert made == [len(learner.labels)]
    learner.stop_advice()
    assert made == [len(learner.labels), len(learner.labels) // 2]


def test_classes_may_be_renamed_on_the_way():
    learner = tp.ActiveLearner(X, classes=["dog", "cat"])
    learner.restore([{"event": "tell", "samples": [3], "labels": ["hound"]}], classes=["hound", "cat"])
    assert learner.classes == ("hound", "cat")
    assert set(learner.predict()) == {"hound"}


def test_a_peek_takes_what_is_left():
    learner = tp.ActiveLearner(X[:12], n_neighbors=4, audit=0.0)
    learner.tell(np.arange(9), ["a"] * 9)
    samples, audits = learner.peek(50)
    assert sorted(samples) == [9, 10, 11]
    assert not audits.any()
    learner.ask(3)
    samples, audits = learner.peek(50)
    assert len(samples) == len(audits) == 0
    assert learner.ask(1).tolist() == []
    for call in (learner.peek, learner.ask):
        with pytest.raises(InputError, match=r"n_landmarks must"):
            call(0)


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ([{"event": "ask", "samples": [400], "audits": [False]}], r"samples must lie in \[0, 299\]"),
        ([{"event": "ask", "samples": [4, 5], "audits": [False]}], "shorter"),
        ([{"event": "guess", "samples": [4]}], "event must be"),
        ([{"samples": [4]}], "KeyError: 'event'"),
        ([{"event": "tell", "samples": [4], "labels": [[]]}], "labels must be"),
        ([7], "subscriptable"),
    ],
)
def test_an_unsound_log_is_refused_and_nothing_changes(log, said):
    learner = run("auto", "classification", 2)
    before, labels = learner.log, learner.labels
    with pytest.raises(ValueError, match=rf"^log must be a list of asks and tells of this pool; .*{said}"):
        learner.restore([*before[:2], *log])
    assert learner.log == before
    assert learner.labels == labels
    assert_array_equal(learner.ask(5), run("auto", "classification", 2).ask(5))


def test_empty_asks_and_tells_are_nothing():
    learner = tp.ActiveLearner(X)
    learner.restore(
        [{"event": "ask", "samples": [], "audits": []}, {"event": "tell", "samples": [], "labels": []}]
    )
    assert learner.log == []


@given(st.floats(0.0, 1.0), st.lists(st.integers(1, 9), max_size=9))
def test_audits_of_a_run_of_asks_are_those_of_the_share(share, batches):
    """Question k of a run is an audit where int((k + 1) share) is more than int(k share)."""
    found = []
    for batch in batches:
        found += audits_due(len(found), sum(found), batch, share).tolist()
    assert found == [int((k + 1) * share) > int(k * share) for k in range(len(found))]


@given(st.floats(0.0, 1.0), st.integers(0, 20))
def test_a_run_that_began_with_audits_catches_up(share, first):
    due = audits_due(first, first, 200, share)
    total = first + np.cumsum(due)
    questions = first + np.arange(1, 201)
    assert (total == np.maximum(first, (questions * share).astype(int))).all()


def test_a_run_that_began_without_audits_catches_up():
    learner = tp.ActiveLearner(X, audit=0.5)
    log = [{"event": "ask", "samples": [1, 2, 3, 4], "audits": [False] * 4}]
    learner.restore(log)
    assert learner.peek(5)[1].tolist() == [True, True, True, True, False]


@pytest.mark.filterwarnings("ignore:.*machine precision")
@settings(max_examples=15, deadline=None)
@given(st.sampled_from(BOTH), st.data())
def test_peek_and_restore_at_any_moment_change_nothing(which, data):
    method, task = which
    small = np.round(4 * X[:25])
    y = answers(task)
    one, other = (
        tp.ActiveLearner(small, task=task, method=method, n_neighbors=3, predictor="propagation")
        for _ in range(2)
    )
    while len(other.log) < 8 and len(other.pending) + len(other.labels) < 20:
        for _ in range(data.draw(st.integers(0, 2))):
            one.peek(data.draw(st.integers(1, 30)))
            if data.draw(st.booleans()):
                one.restore(one.log)
        count = data.draw(st.integers(1, 3))
        samples = other.ask(count)
        assert_array_equal(one.ask(count), samples)
        for learner in (one, other):
            learner.tell(samples, y[samples].tolist())
