import json
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits

import trigpoint as tp
from reference import acquisition as oracle
from reference import learner as dense
from trigpoint.learner._auto import LEAST, auto, contested, weights
from trigpoint.learner._beliefs import known_classes
from trigpoint.learner._choice import METHODS
from trigpoint.learner._error_reduction import error_reduction, reductions
from trigpoint.learner._fields import following_field, trace_gain
from trigpoint.learner._model_change import model_change
from trigpoint.learner._situation import Situation
from trigpoint.learner._uncertainty import uncertainty
from trigpoint.selection._gaussian_field import check_prior
from trigpoint.selection._resolvent import resolvent_correlations

NAMES = tuple(METHODS)


def situation(labels, n=60, seed=0, pending=(), cost=None):
    rng = np.random.default_rng(seed)
    phi = tp.laplacian(tp.neighbor_graph(rng.random((n, 2)), 6))
    taken = np.array([*labels, *pending], dtype=np.int64)
    cost = np.ones(n) if cost is None else cost

    def correlations():
        return resolvent_correlations(phi, cutoff=1e-8)

    return Situation(phi, correlations, known_classes(labels, ()), taken, cost, {})


def allowed(now):
    free = np.ones(now.n, dtype=bool)
    free[now.taken] = False
    return free


LABELS = {3: "a", 17: "b", 30: "c", 44: "a"}


def test_weights_are_those_of_the_definition():
    now = situation(LABELS)
    f = now.probabilities()
    expected = oracle.weights(f, list(LABELS), LEAST)
    waiting = allowed(now)
    assert_allclose(weights(f, waiting), expected)
    assert weights(f, waiting).max() == pytest.approx(1.0)
    assert (weights(f, waiting) >= LEAST).all()


def test_the_power_grows_as_uncertainty_falls():
    """Of two samples, the less sure one counts for more, and the more so the less uncertainty there is."""
    sure, unsure = np.tile([0.95, 0.05], (8, 1)), np.tile([0.55, 0.45], (8, 1))
    pair = np.array([[0.5, 0.5], [0.6, 0.4]])
    everyone = np.ones(10, dtype=bool)
    early = weights(np.concatenate([pair, unsure]), everyone)
    late = weights(np.concatenate([pair, sure]), everyone)
    assert late[1] / late[0] < early[1] / early[0] < 1.0


def test_parts_with_one_class_so_far_are_covered():
    ring = np.array([[i, (i + 1) % 20] for i in range(20)])
    phi = tp.laplacian(tp.graph_from_edges(np.concatenate([ring, ring + 20])))
    known = known_classes({0: "a", 5: "b", 20: "a"}, ())
    now = Situation(phi, lambda: resolvent_correlations(phi), known, known.landmarks, np.ones(40), {})
    assert_array_equal(contested(now), np.arange(40) < 20)
    assert auto(now)(allowed(now), 1)[0] >= 20, "nothing but one label is known there"


@pytest.mark.parametrize("pending", [(), (8, 50)])
def test_uncertainty_is_the_margin_away_from_what_was_asked(pending):
    now = situation(LABELS, pending=pending)
    S = dense.correlations(now.phi.toarray(), 0.05)
    scores = np.where(allowed(now), oracle.uncertainty(S, now.probabilities(), now.taken), -1)
    picks = uncertainty(now)(allowed(now), 2)
    assert picks[0] == scores.argmax()
    again = np.append(now.taken, picks[0])
    scores = np.where(allowed(now), oracle.uncertainty(S, now.probabilities(), again), -1)
    scores[picks[0]] = -1
    assert picks[1] == scores.argmax(), "the first pick keeps the second away"


@pytest.mark.parametrize("pending", [(), (8, 50)])
def test_error_reduction_is_that_of_the_definition(pending):
    now = situation(LABELS, pending=pending)
    f, delta = now.probabilities(), check_prior(None, now.phi)
    picks = error_reduction(now)(allowed(now), 1)
    exact = [
        oracle.error_reduction(now.phi.toarray(), delta, f, now.taken, k) if free else -1.0
        for k, free in enumerate(allowed(now))
    ]
    assert picks[0] == np.argmax(exact)
    fresh = situation(LABELS, pending=pending)
    error_reduction(fresh)
    found = reductions(fresh.kept["process"].field, f)
    assert_allclose(found[allowed(now)], np.array(exact)[allowed(now)], rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("pending", [(), (8, 50)])
def test_model_change_is_that_of_the_definition(pending):
    now = situation(LABELS, pending=pending)
    f, free = now.probabilities(), allowed(now)
    picks = model_change(now)(free, 1)
    exact = [
        oracle.model_change(now.phi.toarray(), 0.05, f, now.taken, k) if free[k] else -1.0
        for k in range(now.n)
    ]
    assert picks[0] == np.argmax(exact)


def test_real_targets_leave_least_variance():
    now = situation(LABELS)
    field = following_field(now, 0.01).field
    free = allowed(now)
    exact = [oracle.trace_gain(now.phi.toarray(), 0.01, now.taken.tolist(), k) for k in np.flatnonzero(free)]
    typical = np.median(now.phi.diagonal())
    assert_allclose(trace_gain(field)[free] / typical, exact, rtol=1e-8)


@pytest.mark.filterwarnings("ignore:.*machine precision")
@settings(max_examples=10, deadline=None)
@given(st.sampled_from(NAMES), st.sampled_from(["classification", "regression"]), st.integers(0, 10_000))
def test_questions_are_free_distinct_and_repeat(method, task, seed):
    """Duplicates, a far sample and a part of its own; answers late, unsure or of a new class."""
    rng = np.random.default_rng(seed)
    X = np.concatenate([rng.integers(0, 3, (20, 2)) * 1.0, 9 + rng.random((8, 2)), [[5.0, 5.0]]])
    groups = rng.integers(0, 3, len(X))
    cost = rng.uniform(1, 2, len(X))
    runs = []
    for _ in range(2):
        learner = tp.ActiveLearner(
            X, task=task, method=method, n_neighbors=4, audit=0.3, cost=cost, at_least_one_per=groups
        )
        answers = np.random.default_rng(seed)
        asked = []
        for count in (1, 4, 3, 6):
            samples = learner.ask(count)
            asked += samples.tolist()
            labels = [None if a > 3 else int(a) for a in answers.integers(0, 5, count)]
            learner.tell(samples[1:], labels[1:])
        assert len(set(asked)) == len(asked) == 14
        runs.append(asked)
    assert runs[0] == runs[1]


@pytest.mark.parametrize("method", NAMES)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_whole_of_any_pool_can_be_asked_for(method, task):
    rng = np.random.default_rng(0)
    read_only = rng.random((9, 3)).astype(np.float32)
    read_only.flags.writeable = False
    clouds = np.zeros((7, 2)), np.asfortranarray(rng.random((9, 3))), read_only
    alone = tp.graph_from_edges(np.empty((0, 2), dtype=int), n_nodes=1)
    for graph in (alone, *(tp.neighbor_graph(X, 3) for X in clouds)):
        learner = tp.ActiveLearner(graph=graph, task=task, method=method)
        asked = []
        while len(asked) < graph.n_samples:
            samples = learner.ask(min(2, graph.n_samples - len(asked)))
            learner.tell(samples, [int(i) % 2 for i in samples])
            asked += samples.tolist()
        assert sorted(asked) == list(range(graph.n_samples))


@pytest.mark.parametrize("method", NAMES)
def test_graphs_without_edges_or_in_parts(method):
    ring = [[i, (i + 1) % 6] for i in range(6)]
    graph = tp.graph_from_edges(np.array([*ring, [6, 7], [7, 8]]), n_nodes=11)
    learner = tp.ActiveLearner(graph=graph, method=method, audit=0.0)
    for _ in range(11):
        i = learner.ask()
        learner.tell(i, ["x" if i[0] < 6 else "y"])
    assert (learner.predict() == np.array(["x"] * 6 + ["y"] * 5)).all()


@pytest.mark.parametrize("method", NAMES)
def test_a_run_of_any_method_replays_and_survives_a_file(method, tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.random((80, 2)), rng.integers(0, 3, 80)
    learner = tp.ActiveLearner(X, method=method, audit=0.2)
    for _ in range(4):
        samples = learner.ask(6)
        learner.tell(samples, y[samples])
    again = tp.ActiveLearner(X, method=method, audit=0.2)
    again.replay(json.loads(json.dumps(learner.log)))
    learner.save(tmp_path / "run.trig")
    loaded = tp.ActiveLearner.load(tmp_path / "run.trig")
    assert loaded.log == again.log == learner.log
    expected = learner.ask(7)
    assert_array_equal(again.ask(7), expected)
    assert_array_equal(loaded.ask(7), expected)


@pytest.mark.parametrize("method", NAMES)
def test_costs_are_weighed_by_every_method(method):
    X = np.random.default_rng(0).random((60, 2))
    for task in ("classification", "regression"):
        cost = np.where(X[:, 0] > 0.5, 1e6, 1.0)
        learner = tp.ActiveLearner(X, task=task, method=method, audit=0.0, cost=cost)
        for _ in range(3):
            samples = learner.ask(3)
            learner.tell(samples, [int(v > 0.2) for v in X[samples, 1]])
        assert (cost[list(learner.labels)] == 1.0).all()


@pytest.mark.parametrize("method", ["auto", "uncertainty", "model_change", "error_reduction"])
def test_labels_in_the_loop_beat_coverage_in_batches_too(method):
    X, y = load_digits(return_X_y=True)
    X, y = X[:600], y[:600]
    wrong = {}
    for name in ("coverage", method):
        learner = tp.ActiveLearner(X, method=name, audit=0.0)
        while len(learner.labels) < 80:
            samples = learner.ask(20)
            learner.tell(samples, y[samples])
        wrong[name] = (learner.predict() != y).sum()
    assert wrong[method] < wrong["coverage"]


def test_dense_methods_are_refused_above_their_size():
    edges = np.column_stack([np.arange(10_000), np.arange(1, 10_001)])
    graph = tp.graph_from_edges(edges)
    with pytest.raises(
        ValueError, match=r"method='error_reduction' needs a dense matrix: n = 10001 .* 10000"
    ):
        tp.ActiveLearner(graph=graph, method="error_reduction")
    assert len(tp.ActiveLearner(graph=graph, method="error_reduction", task="regression").ask(2)) == 2


@pytest.mark.parametrize(("method", "task"), [("auto", "regression"), ("model_change", "classification")])
def test_the_order_of_answers_is_no_matter_after_a_file(monkeypatch, tmp_path, method, task):
    """In large pools a field is known to some digits, which the order of samples changes."""
    monkeypatch.setattr("trigpoint.selection._field.DENSE", 0)
    monkeypatch.setattr("trigpoint.selection._field.CUTOFF", 0.02)
    rng = np.random.default_rng(0)
    X = rng.random((300, 2))
    y = (X[:, 0] > 0.5).astype(int) if task == "classification" else X[:, 0]
    learner = tp.ActiveLearner(X, task=task, method=method)
    for _ in range(3):
        samples = rng.permutation(learner.ask(20))[:18]
        learner.tell(samples, [None, *y[samples[1:]].tolist()])
        told = int(rng.choice(np.setdiff1d(np.arange(300), [*learner.labels, *learner.pending])))
        learner.tell([told], [y[told].item()])
    learner.save(tmp_path / "run")
    assert tp.ActiveLearner.load(tmp_path / "run").ask(30).tolist() == learner.ask(30).tolist()


@pytest.mark.parametrize(
    ("method", "where"),
    [
        ("error_reduction", "trigpoint.learner._error_reduction.gaussian_condition"),
        ("model_change", "trigpoint.learner._fields.condition"),
    ],
)
def test_an_interrupted_question_leaves_no_trace(monkeypatch, method, where):
    X = np.random.default_rng(0).random((80, 2))
    one, other = (tp.ActiveLearner(X, method=method, audit=0) for _ in range(2))
    for learner in (one, other):
        learner.tell([0, 1], ["a", "b"])
    with monkeypatch.context() as patch:
        module, _, name = where.rpartition(".")
        condition, calls = getattr(import_module(module), name), []

        def interrupted(field, i):
            calls.append(i)
            condition(field, i)
            if len(calls) == 5:
                raise KeyboardInterrupt

        patch.setattr(where, interrupted)
        with pytest.raises(KeyboardInterrupt):
            one.ask(10)
    assert one.log == other.log
    assert one.ask(10).tolist() == other.ask(10).tolist()


def test_a_cluster_without_a_label_is_uncertain_though_weak_ties_make_it_sure(monkeypatch):
    """Three clouds in a row, the third tied to the second alone: least squares give it the second's class."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal((6 * k, 0), 1, (60, 2)) for k in range(3)])
    learner = tp.ActiveLearner(X, n_neighbors=8, audit=0)
    told = [0, 1, 2, 60, 61, 62]
    learner.tell(told, ["a"] * 3 + ["b"] * 3)
    assert (learner.predict()[120:] == "b").all()
    assert learner.uncertainty()[150:].max() < 0.05
    seen = []
    choose = import_module("trigpoint.learner._auto").weighted_coverage
    monkeypatch.setattr(
        "trigpoint.learner._auto.weighted_coverage", lambda now, w: seen.append(w) or choose(now, w)
    )
    learner.ask(1)
    phi = tp.laplacian(tp.neighbor_graph(X, 8)).toarray()
    values = np.repeat(np.eye(2), 3, axis=0)
    f = oracle.forgetful(phi, 0.1 * 6 / 180, told, values)
    assert_allclose(seen[0], oracle.weights(f, told, LEAST), rtol=1e-6)
    assert seen[0][120:].mean() > 3 * seen[0][60:120].mean()
