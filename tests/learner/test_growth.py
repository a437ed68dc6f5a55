"""Samples join the pool of a learner."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.datasets import load_digits

import trigpoint as tp
from trigpoint._errors import InputError
from trigpoint.learner import audit_order
from trigpoint.learner._audits import chances_to_be_chosen, n_behind

X, y = (part[:260] for part in load_digits(return_X_y=True))
FORMS = {"dense": np.asarray, "single": lambda X: X.astype(np.float32), "sparse": sparse.csr_array}
LONG = ["dense", *(pytest.param(form, marks=pytest.mark.slow) for form in FORMS if form != "dense")]


def run(form=np.asarray, sizes=(90, 120, 121, 260), **options):
    """Twelve questions for each size of the pool."""
    learner = tp.ActiveLearner(form(X[: sizes[0]]), audit=0.2, **options)
    for size in sizes:
        if size > learner.n_samples:
            learner.add(form(X[learner.n_samples : size]))
        samples = learner.ask(12)
        learner.tell(samples, y[samples])
    return learner


def test_new_samples_come_after_the_others():
    learner = tp.ActiveLearner(X[:90], audit=0.2)
    samples = learner.ask(20)
    learner.tell(samples, y[samples])
    before = learner.labels
    assert_array_equal(learner.add(X[90:120]), np.arange(90, 120))
    assert learner.n_samples == 120
    assert learner.labels == before
    assert learner.predict().shape == learner.uncertainty().shape == (120,)
    assert learner.predict_proba().shape == (120, 10)
    asked = learner.ask(100)
    assert len(asked) == 100
    assert set(asked) | set(before) == set(range(120))
    assert learner.log[2] == {"event": "add", "before": 90, "n_samples": 120}


@pytest.mark.parametrize("method", ["auto", "coverage", "uncertainty", "error_reduction", "model_change"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_every_method_sees_new_samples(method, task):
    learner = tp.ActiveLearner(X[:60], method=method, task=task, audit=0.0)
    for size in (60, 75, 150):
        learner.add(X[learner.n_samples : size])
        samples = learner.ask(9)
        learner.tell(samples, y[samples])
    assert max(learner.labels) >= 75
    assert np.isfinite(learner.predict()).all()


@pytest.mark.parametrize("form", LONG)
def test_a_run_with_additions_repeats(form, tmp_path):
    learner = run(FORMS[form])
    log = json.loads(json.dumps(learner.log))
    again = tp.ActiveLearner(FORMS[form](X[:90]), audit=0.2)
    again.replay(log, FORMS[form](X))
    learner.save(tmp_path / "run")
    loaded = tp.ActiveLearner.load(tmp_path / "run", FORMS[form](X))
    expected = learner.predict_proba()
    advice = learner.stop_advice()
    questions = learner.ask(10)
    for other in (again, loaded):
        assert other.log == log
        assert_array_equal(other.predict_proba(), expected)
        assert other.stop_advice() == advice
        assert_array_equal(other.ask(10), questions)


def test_the_views_are_those_of_the_time(tmp_path):
    """A pool that was made at once has views that were fitted on all of it."""
    learner = run(sizes=(160, 260))
    whole = tp.ActiveLearner(X, audit=0.2)
    whole.restore([event for event in learner.log if event["event"] != "add"])
    assert (whole.predict_proba() != learner.predict_proba()).any()
    learner.restore([event for event in learner.log if event["event"] != "add"])
    learner.save(tmp_path / "run")
    loaded = tp.ActiveLearner.load(tmp_path / "run", X)
    assert_array_equal(loaded.predict_proba(), learner.predict_proba())


def test_a_pool_that_doubled_is_as_if_made_at_once():
    learner = run(sizes=(60, 130))
    whole = tp.ActiveLearner(X[:130], audit=0.2)
    whole.restore(learner.log)
    assert_array_equal(whole.predict_proba(), learner.predict_proba())
    assert_array_equal(whole.ask(7), learner.ask(7))


def test_nothing_new_changes_nothing():
    learner = run(sizes=(90,))
    log, expected = learner.log, learner.predict_proba()
    assert learner.add(X[:0]).shape == (0,)
    assert learner.add([]).tolist() == []
    assert learner.log == log
    assert_array_equal(learner.predict_proba(), expected)


def test_another_type_becomes_that_of_the_pool(tmp_path):
    learner = tp.ActiveLearner(X[:90].astype(np.float32))
    learner.add(X[90:120] + 0.1)
    learner.tell([0, 100], [1, 2])
    learner.save(tmp_path / "run")
    both = np.concatenate([X[:90], X[90:120] + 0.1])
    assert both.dtype == np.float64
    loaded = tp.ActiveLearner.load(tmp_path / "run", both)
    assert_array_equal(loaded.predict_proba(), learner.predict_proba())
    with pytest.raises(InputError, match="with all samples that were added"):
        tp.ActiveLearner.load(tmp_path / "run", X[:90].astype(np.float32))
    dense = tp.ActiveLearner(X[:90])
    dense.add(sparse.csr_array(X[90:120]))
    assert_array_equal(dense.ask(10), run_of_dense().ask(10))


def run_of_dense():
    learner = tp.ActiveLearner(X[:90])
    learner.add(X[90:120])
    return learner


def test_predicting_new_samples_adds_none():
    learner = run(sizes=(90,))
    found = learner.predict(X[90:120])
    assert found.shape == (30,)
    assert learner.n_samples == 90
    assert (found == y[90:120]).mean() > 0.5


def test_costs_and_groups_of_new_samples(tmp_path):
    rng = np.random.default_rng(0)
    cost, groups = rng.uniform(1, 2, 120), np.repeat(["north", "south", "east"], 40)
    learner = tp.ActiveLearner(X[:80], cost=cost[:80], at_least_one_per=groups[:80], audit=0.0)
    first = learner.ask(2)
    assert set(groups[first]) == {"north", "south"}
    learner.tell(first, y[first])
    learner.add(X[80:110], cost=cost[80:110], at_least_one_per=groups[80:110])
    assert groups[learner.ask(1)[0]] == "east"
    learner.save(tmp_path / "run")
    loaded = tp.ActiveLearner.load(tmp_path / "run", X[:110])
    again = tp.ActiveLearner(X[:80], cost=cost[:80], at_least_one_per=groups[:80], audit=0.0)
    again.replay(json.loads(json.dumps(learner.log)), X[:110])
    for other in (learner, loaded, again):  # the groups are known by their names
        other.add(X[110:120], cost=cost[110:], at_least_one_per=["west", *groups[111:]])
    asked = [other.ask(5).tolist() for other in (learner, loaded, again)]
    assert asked[0][0] == 110
    assert asked[0] == asked[1] == asked[2]


@pytest.mark.parametrize(
    ("made", "given", "argument"),
    [
        ({}, {"X_new": X[:2, :5]}, "X_new"),
        ({}, {"X_new": np.full((1, 64), np.nan)}, "X_new"),
        ({}, {"X_new": X[:2], "cost": [1.0]}, "cost"),
        ({}, {"X_new": X[:2], "cost": [1.0, 0.0]}, "cost"),
        ({}, {"X_new": X[:2], "at_least_one_per": [1, 2]}, "at_least_one_per"),
        ({"cost": np.arange(1, 31)}, {"X_new": X[:2]}, "cost"),
        ({"at_least_one_per": np.arange(30)}, {"X_new": X[:2]}, "at_least_one_per"),
        ({"at_least_one_per": np.arange(30)}, {"X_new": X[:2], "at_least_one_per": [1]}, "at_least_one_per"),
    ],
)
def test_what_cannot_join_is_refused_and_changes_nothing(made, given, argument):
    learner = tp.ActiveLearner(X[:30], **made)
    with pytest.raises(InputError) as caught:
        learner.add(**given)
    assert caught.value.argument == argument
    assert (learner.n_samples, learner.log) == (30, [])


def test_a_pool_without_features_is_refused_and_the_log_goes_on():
    small, large = tp.neighbor_graph(X[:60]), tp.neighbor_graph(X[:90])
    learner = tp.ActiveLearner(graph=small)
    samples = learner.ask(10)
    learner.tell(samples, y[samples])
    with pytest.raises(InputError, match="make a learner of the larger pool"):
        learner.add(X[60:90])
    larger = tp.ActiveLearner(graph=large)
    larger.restore(learner.log)
    assert larger.labels == learner.labels
    assert larger.predict().shape == (90,)
    distances = np.sqrt(((X[:60, None] - X[None, :60]) ** 2).sum(axis=2))
    with pytest.raises(InputError):
        tp.ActiveLearner(distances, metric="precomputed").add(distances[:1])


def test_too_many_for_the_method(monkeypatch):
    monkeypatch.setattr("trigpoint.learner._choice.DENSE_LIMIT", 40)
    learner = tp.ActiveLearner(X[:40], method="error_reduction")
    with pytest.raises(InputError, match="40"):
        learner.add(X[40:41])
    assert learner.n_samples == 40


@pytest.mark.parametrize(
    "log",
    [
        [{"event": "add", "before": 20, "n_samples": 29}],
        [{"event": "add", "before": 30, "n_samples": 30}],
        [{"event": "add", "before": 9, "n_samples": 20}, {"event": "add", "before": 21, "n_samples": 30}],
        [{"event": "add", "before": 9}],
    ],
)
def test_a_log_that_adds_other_samples_is_refused(log):
    with pytest.raises(ValueError, match="log must be a list of asks and tells"):
        tp.ActiveLearner(X[:30]).restore(log)


def test_replay_needs_the_samples_that_were_added():
    learner = run(sizes=(90, 120))
    for whole, at in ((None, 90), (X[:119], 90), (X[:120], 100)):
        with pytest.raises(InputError) as caught:
            tp.ActiveLearner(X[:at], audit=0.2).replay(learner.log[2:], whole)
        assert caught.value.argument == "X"


@given(st.integers(0, 1000), st.integers(1, 60), st.integers(0, 60))
def test_the_audit_order_of_some_does_not_depend_on_the_others(seed, n, m):
    order = audit_order(seed, n + m)
    assert_array_equal(np.sort(order), np.arange(n + m))
    assert_array_equal(order[order < n], audit_order(seed, n))


@pytest.mark.slow
def test_new_samples_come_in_at_their_places_of_the_random_order():
    """So that in the end the audits are those of a pool that was there from the start."""
    for seed in range(5):
        learner = tp.ActiveLearner(X[:60], audit=0.9, random_state=seed)
        samples = learner.ask(30)
        learner.tell(samples, y[samples])
        learner.add(X[60:100])
        behind = learner.stop_advice().n_behind
        assert behind > 0
        assert "of new samples to come" in str(learner.stop_advice())
        caught_up = learner.ask(behind + behind // 8 + 2)
        learner.tell(caught_up, y[caught_up])
        assert learner.stop_advice().n_behind == 0
        order = audit_order(seed, 100)
        front = order[: np.flatnonzero(np.isin(order, learner.audits))[-1] + 1]
        assert set(front) <= set(learner.labels)


def test_n_behind_by_hand():
    order, free = np.array([4, 0, 3, 1, 2]), np.array([False, False, True, False, True])
    assert n_behind(order, free, np.array([0, 3])) == 1  # sample 4
    assert n_behind(order, free, np.array([], dtype=np.int64)) == 0
    assert n_behind(order, ~free, np.array([1])) == 2


def test_chances_count_the_samples_that_were_there():
    log = [
        {"event": "ask", "samples": [0, 1], "audits": [True, False]},
        {"event": "add", "before": 10, "n_samples": 20},
        {"event": "ask", "samples": [15, 2, 3, 16], "audits": [True, False, False, False]},
    ]
    found = chances_to_be_chosen(log, 20, [0, 15])
    # after 0 came 1, 2 and 3 of its ten; after 15 came 2, 3 and 16 of the eighteen that were free
    assert found.tolist() == [3 / 10, 3 / 18]


def test_data_frames_join_and_are_kept(tmp_path):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    codes = np.arange(90) % 3
    kinds = np.array(["red", "blue", "green"], dtype=object)[codes]
    kinds[::7] = None
    frame = pandas.DataFrame({"size": rng.normal(5.0 * codes, 1.0), "kind": kinds})
    learner = tp.ActiveLearner(frame[:60], n_neighbors=5)
    samples = learner.ask(6)
    learner.tell(samples, codes[samples])
    assert learner.add(frame[60:]).tolist() == list(range(60, 90))
    samples = learner.ask(6)
    learner.tell(samples, codes[samples])
    learner.save(tmp_path / "run")
    other = tp.ActiveLearner.load(tmp_path / "run", frame)
    assert (other.recipe, other.columns) == (learner.recipe, learner.columns)
    np.testing.assert_array_equal(other.predict_proba(), learner.predict_proba())
    np.testing.assert_array_equal(other.ask(5), learner.ask(5))
    estimator = learner.to_estimator()
    np.testing.assert_array_equal(estimator.predict(frame), learner.predict())
    with pytest.raises(tp.InputError, match="X must be the X of the learner"):
        tp.ActiveLearner.load(tmp_path / "run", frame[::-1])


def test_weights_grow_with_the_pool(tmp_path):
    X = np.random.default_rng(0).normal(size=(40, 3))
    learner = tp.ActiveLearner(X[:30], n_neighbors=5, sample_weight=np.arange(1.0, 31.0))
    learner.ask(2)
    with pytest.raises(tp.InputError, match="sample_weight must be given for new samples"):
        learner.add(X[30:])
    learner.add(X[30:], sample_weight=np.arange(31.0, 41.0))
    learner.ask(2)
    learner.save(tmp_path / "run")
    other = tp.ActiveLearner.load(tmp_path / "run", X)
    np.testing.assert_array_equal(other.ask(3), learner.ask(3))
    fresh = tp.ActiveLearner(X[:30], n_neighbors=5, sample_weight=np.arange(1.0, 31.0))
    fresh.replay(other.log[:3], X)
    with pytest.raises(tp.InputError, match="sample_weight must be None"):
        tp.ActiveLearner(X, n_neighbors=5).add(X, sample_weight=np.ones(40))
