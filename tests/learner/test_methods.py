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
from trigpoint.learner._auto import LEAST, auto, chance_of_another_class, weights
from trigpoint.learner._beliefs import beliefs, known_classes
from trigpoint.learner._choice import METHODS
from trigpoint.learner._coverage import correlations
from trigpoint.learner._error_reduction import error_reduction, reductions
from trigpoint.learner._fields import following_field, trace_gain
from trigpoint.learner._model_change import model_change
from trigpoint.learner._situation import Situation
from trigpoint.learner._uncertainty import uncertainty
from trigpoint.prediction import graph_pool
from trigpoint.selection._gaussian_field import check_prior
from trigpoint.selection._resolvent import in_units
from trigpoint.selection._scale import scale_for

NAMES = tuple(METHODS)
NONE = np.empty(0, dtype=np.int64)


def situation_on(graph, labels, pending=(), count=1):
    pool, known = graph_pool(graph), known_classes(labels, ())
    taken = np.array([*labels, *pending], dtype=np.int64)
    f = beliefs(pool, known, "auto", NONE).values
    f = np.nan_to_num(f, nan=1 / max(f.shape[1], 1))
    return Situation(pool.main, known, f, taken, count, np.ones(len(f)), np.ones(len(f)), {})


def situation(labels, n=60, seed=0, pending=(), count=1):
    X = np.random.default_rng(seed).random((n, 2))
    return situation_on(tp.neighbor_graph(X, 6), labels, pending, count)


def allowed(now):
    free = np.ones(now.n, dtype=bool)
    free[now.taken] = False
    return free


LABELS = {3: "a", 17: "b", 30: "c", 44: "a"}


def test_weights_are_those_of_the_definition():
    now = situation(LABELS)
    expected = oracle.weights(now.probabilities, [np.arange(60)], [LABELS.values()])
    assert_allclose(weights(now), expected)
    assert_allclose(weights(now)[list(LABELS)], LEAST)


def rings(count, size=20):
    ring = np.array([[i, (i + 1) % size] for i in range(size)])
    return tp.graph_from_edges(np.concatenate([ring + size * k for k in range(count)]))


def test_parts_with_one_class_so_far_count_for_less_the_more_answers_agree():
    graph, parts = rings(4), np.split(np.arange(80), 4)
    labels = {0: "a", 5: "b", 20: "a", 40: "b", 47: "b", 54: "b"}
    now = situation_on(graph, labels)
    found = chance_of_another_class(now)
    for part, chance in zip(parts, (0, 1 / 6, 1 / 20, 1 / 2), strict=True):
        assert_allclose(found[part], chance)
    answers = [["a", "b"], ["a"], ["b"] * 3, []]
    assert_allclose(weights(now), oracle.weights(now.probabilities, parts, answers))
    assert auto(now)(allowed(now), 1)[0] >= 60, "nothing at all is known there"


def test_coverage_is_on_the_scale_of_all_questions():
    now = situation(LABELS, count=9)
    A, R = in_units(now.phi)
    expected = scale_for(A.toarray(), R, 8).S  # 4 + 9 questions, rounded up, by 2
    assert_array_equal(correlations(now).toarray(), expected)


@pytest.mark.parametrize("pending", [(), (8, 50)])
def test_uncertainty_is_the_margin_away_from_what_was_asked(pending):
    now = situation(LABELS, pending=pending)
    S = correlations(now).toarray().astype(float)
    scores = np.where(allowed(now), oracle.uncertainty(S, now.probabilities, now.taken), -1)
    picks = uncertainty(now)(allowed(now), 2)
    assert picks[0] == scores.argmax()
    again = np.append(now.taken, picks[0])
    scores = np.where(allowed(now), oracle.uncertainty(S, now.probabilities, again), -1)
    scores[picks[0]] = -1
    assert picks[1] == scores.argmax(), "the first pick keeps the second away"


@pytest.mark.parametrize("pending", [(), (8, 50)])
def test_error_reduction_is_that_of_the_definition(pending):
    now = situation(LABELS, pending=pending)
    f, delta = now.probabilities, check_prior(None, now.phi)
    picks = error_reduction(now)(allowed(now), 1)
    exact = [
        oracle.error_reduction(now.phi.toarray(), delta, f, now.taken, k) if free else -1.0
        for k, free in enumerate(allowed(now))
    ]
    assert picks[0] == np.argmax(exact)
    fresh = situation(LABELS, pending=pending)
    error_reduction(fresh)
    found = reductions(fresh.kept["process"].field, f)
    expected = np.maximum(np.array(exact)[allowed(now)], 0)  # probabilities need not be those of the field
    assert_allclose(found[allowed(now)], expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("pending", [(), (8, 50)])
def test_model_change_is_that_of_the_definition(pending):
    now = situation(LABELS, pending=pending)
    f, free = now.probabilities, allowed(now)
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
            X,
            task=task,
            method=method,
            predictor="propagation",
            n_neighbors=4,
            audit=0.3,
            cost=cost,
            at_least_one_per=groups,
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
    learner = tp.ActiveLearner(X, method=method, audit=0.2, view="standard")
    for _ in range(4):
        samples = learner.ask(6)
        learner.tell(samples, y[samples])
    again = tp.ActiveLearner(X, method=method, audit=0.2, view="standard")
    again.replay(json.loads(json.dumps(learner.log)))
    learner.save(tmp_path / "run.trig")
    loaded = tp.ActiveLearner.load(tmp_path / "run.trig", X)
    assert loaded.log == again.log == learner.log
    expected = learner.ask(7)
    assert_array_equal(again.ask(7), expected)
    assert_array_equal(loaded.ask(7), expected)


@pytest.mark.parametrize("method", NAMES)
def test_costs_are_weighed_by_every_method(method):
    X = np.random.default_rng(0).random((60, 2))
    for task in ("classification", "regression"):
        cost = np.where(X[:, 0] > 0.5, 1e6, 1.0)
        learner = tp.ActiveLearner(X, task=task, method=method, audit=0.0, cost=cost, predictor="propagation")
        for _ in range(3):
            samples = learner.ask(3)
            learner.tell(samples, [int(v > 0.2) for v in X[samples, 1]])
        assert (cost[list(learner.labels)] == 1.0).all()


@pytest.mark.parametrize(
    "method",
    [
        "auto",
        *(pytest.param(name, marks=pytest.mark.slow) for name in NAMES if name not in ("auto", "coverage")),
    ],
)
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
    assert tp.ActiveLearner.load(tmp_path / "run", X).ask(30).tolist() == learner.ask(30).tolist()


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


def test_a_cluster_without_a_label_is_asked_of_though_weak_ties_make_it_sure():
    """Three clouds in a row, the third tied to the second alone: least squares give it the second's class."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal((6 * k, 0), 1, (60, 2)) for k in range(3)])
    learner = tp.ActiveLearner(X, view="raw", n_neighbors=8, audit=0)
    told = [0, 1, 2, 60, 61, 62]
    learner.tell(told, ["a"] * 3 + ["b"] * 3)
    assert (learner.predict()[120:] == "b").all()
    assert learner.ask(1)[0] >= 120


def test_islands_of_one_class_get_a_fair_share_and_no_more():
    """A quarter of the samples in five parts of one class each; the rest is hard where its classes meet."""
    rng = np.random.default_rng(0)
    islands = np.concatenate([rng.normal((100 * k, 1000), 1, (60, 2)) for k in range(5)])
    sea = rng.random((900, 2)) * 30
    X, y = np.concatenate([sea, islands]), np.concatenate([(sea // 10) @ [1, 3], np.full(300, 9)]).astype(int)
    graph, right, spent = tp.neighbor_graph(X, 10), {}, {}
    for method in ("auto", "coverage", "uncertainty"):
        learner = tp.ActiveLearner(graph=graph, method=method, audit=0.0)
        while len(learner.labels) < 150:
            samples = learner.ask(15)
            learner.tell(samples, y[samples])
        right[method] = (learner.predict() == y).mean()
        spent[method] = (np.array(list(learner.labels)) >= 900).sum()
    assert right["auto"] >= max(right.values()) - 0.005
    assert 5 <= spent["auto"] < spent["coverage"]


def test_fewer_questions_than_parts_go_to_the_largest():
    sizes = [10, 60, 20, 50, 40, 30, 14, 12]
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal((1000 * k, 0), 1, (m, 2)) for k, m in enumerate(sizes)])
    part = np.repeat(np.arange(8), sizes)
    learner = tp.ActiveLearner(graph=tp.neighbor_graph(X, 5), audit=0.0)
    asked = learner.ask(4)
    assert set(part[asked]) == {1, 3, 4, 5}


def imbalanced(seed):
    """Two pools; some classes have 2 % of the samples."""
    rng = np.random.default_rng(seed)
    sizes = [120] * 4 + [10] * 2
    clouds = [rng.normal(rng.normal(0, 3, 4), 1, (m, 4)) for m in sizes]
    yield np.concatenate(clouds), np.repeat(np.arange(6), sizes)
    X, y = load_digits(return_X_y=True)
    common = rng.permutation(10)[4:]
    some = [rng.permutation(np.flatnonzero(y == c))[: 90 if c in common else 12] for c in range(10)]
    yield X[np.concatenate(some)], y[np.concatenate(some)]


@pytest.mark.slow
def test_rare_classes_are_found_no_later_than_by_coverage():
    late = {"auto": 0, "coverage": 0}
    for X, y in [pool for seed in range(3) for pool in imbalanced(seed)]:
        for method in late:
            learner = tp.ActiveLearner(X, method=method, audit=0.0)
            while len(learner.classes) < len(np.unique(y)) and len(learner.labels) < 150:
                samples = learner.ask(5)
                learner.tell(samples, y[samples])
            late[method] += len(learner.labels)
    assert late["auto"] <= late["coverage"]
