import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import load_digits

import trigpoint as tp
from trigpoint.io import ArchiveKind, write_archive
from trigpoint.learner import audit_order


def blobs(n_each=30, seed=0):
    rng = np.random.default_rng(seed)
    centers = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])
    X = np.concatenate([rng.normal(c, 1.0, (n_each, 2)) for c in centers])
    return X, np.repeat([0, 1, 2], n_each)


def loop(learner, y, budget, batch):
    while len(learner.labels) < budget:
        samples = learner.ask(min(batch, budget - len(learner.labels)))
        learner.tell(samples, y[samples])
    return learner


def test_it_starts_cold_and_finds_every_class():
    X, y = blobs()
    learner = tp.ActiveLearner(X, n_neighbors=5, audit=0.0)
    assert (learner.predict() == -1).all()
    assert learner.predict_proba().shape == (90, 0)
    assert_array_equal(learner.uncertainty(), np.ones(90))
    first = learner.ask(3)
    assert sorted(y[first]) == [0, 1, 2], "one in each cluster, without a single label"
    learner.tell(first, y[first])
    assert_array_equal(learner.predict(), y)
    assert_allclose(learner.predict_proba().sum(axis=1), 1.0)
    assert_array_equal(learner.uncertainty()[first], np.zeros(3))


@pytest.mark.slow
@pytest.mark.parametrize("batch", [1, 50])
def test_batches_are_not_redundant(batch):
    X, y = load_digits(return_X_y=True)
    X, y = X[:900], y[:900]
    learner = loop(tp.ActiveLearner(X, audit=0.0), y, 60, batch)
    rest = np.setdiff1d(np.arange(len(y)), list(learner.labels))
    assert (learner.predict()[rest] == y[rest]).mean() > 0.98


def test_answers_may_be_partial_late_corrected_unsure_and_new():
    X, y = blobs()
    names = np.array(["left", "right", "top"])[y]
    learner = tp.ActiveLearner(X, n_neighbors=5, audit=0.0)
    asked = learner.ask(4)
    learner.tell(asked[1], names[asked[1]])
    assert_array_equal(learner.pending, asked[[0, 2, 3]])
    assert set(learner.ask(2)).isdisjoint(asked), "what waits for an answer is not asked again"
    learner.tell(asked[[0, 2]], ["wrong", None])
    assert learner.labels[asked[0]] == "wrong"
    learner.tell([asked[0]], [names[asked[0]]])
    assert learner.labels[asked[0]] == names[asked[0]]
    assert asked[2] not in learner.labels
    assert asked[2] not in learner.pending
    learner.tell(asked[2:3], names[asked[2:3]])
    learner.tell([89], ["a class of its own"])
    assert learner.predict()[89] == "a class of its own"
    assert "wrong" not in learner.classes


def test_one_class_so_far_does_not_end_the_search_for_others():
    """A rare cluster in a sorted pool: the questions go on covering while all answers agree."""
    rng = np.random.default_rng(1)
    centers = rng.random((20, 2)) * 100
    X = np.concatenate([rng.normal(c, 1, (40, 2)) for c in centers])
    rare = np.repeat(np.arange(20) == 13, 40)
    for classes in ((), ("common", "rare")):
        learner = tp.ActiveLearner(X, n_neighbors=5, audit=0.0, classes=classes)
        while len(learner.labels) < 25:
            i = learner.ask()
            learner.tell(i, ["rare" if rare[i[0]] else "common"])
        assert "rare" in learner.labels.values()


def test_dicts_sets_and_nothing():
    learner = tp.ActiveLearner(blobs()[0], n_neighbors=5)
    learner.tell([], [])
    assert learner.log == []
    for labels in ({3: "a"}, {"a"}):
        with pytest.raises(TypeError, match="labels must be a sequence in the samples' order"):
            learner.tell([3], labels)
    learner.tell(5, np.array(3))
    assert learner.labels == {5: 3}
    learner.log[0]["samples"].append(99)
    assert learner.log[0]["samples"] == [5]


def test_someone_unsure_is_not_asked_about_the_same_point_again():
    X = np.repeat(np.random.default_rng(0).random((6, 2)), 8, axis=0)
    learner = tp.ActiveLearner(X, n_neighbors=10, audit=0.0)
    first = learner.ask()
    learner.tell(first, [None])
    assert learner.ask()[0] // 8 != first[0] // 8


def test_every_sample_can_be_asked_for_once():
    X, y = blobs(5)
    learner = tp.ActiveLearner(X, n_neighbors=3)
    asked = np.concatenate([learner.ask(4), learner.ask(11)])
    assert sorted(asked) == list(range(15))
    log = learner.log
    assert learner.ask().tolist() == learner.ask(3).tolist() == []
    assert learner.ask().dtype == np.int64
    assert learner.log == log, "nothing was asked"
    learner.tell(asked, y[asked])
    advice = learner.stop_advice()
    assert (advice.error, advice.low, advice.high) == (0.0, 0.0, 0.0)


def test_parts_that_no_label_reaches_are_unknown():
    X, y = blobs()
    learner = tp.ActiveLearner(graph=tp.neighbor_graph(X, 5), audit=0.0)
    learner.tell([0, 1], ["a", "b"])
    unknown = y > 0
    assert all(label is None for label in learner.predict()[unknown])
    assert np.isnan(learner.predict_proba()[unknown]).all()
    assert_array_equal(learner.uncertainty()[unknown], 1.0)


def test_audits_are_a_share_drawn_at_random_and_visible():
    X, _ = blobs(100)
    learner = tp.ActiveLearner(X, audit=0.25, random_state=3)
    asked = np.concatenate([learner.ask(7), learner.ask(33)])
    assert_array_equal(learner.audits, asked[3::4])
    other = tp.ActiveLearner(X, audit=0.25, random_state=4)
    assert not np.array_equal(np.concatenate([other.ask(7), other.ask(33)])[3::4], asked[3::4])


def test_questions_do_not_depend_on_the_answers_of_audits():
    """Else they would keep away from audits, which then were harder to predict than the rest."""
    X, y = blobs()
    asked = []
    for other in (0, 1):
        learner = tp.ActiveLearner(X, n_neighbors=5, audit=0.5, random_state=1)
        first = learner.ask(8)
        audit = np.isin(first, learner.audits)
        learner.tell(first, np.where(audit, other, y[first]))
        asked.append(learner.ask(10))
    assert_array_equal(asked[0], asked[1])
    plain = tp.ActiveLearner(X, n_neighbors=5, audit=0.0)
    assert_array_equal(plain.ask(4), first[~audit], "as if no audit had been asked for")


def test_costs_are_weighed():
    X, _ = blobs()
    cost = np.where(X[:, 0] > np.median(X[:, 0]), 100.0, 1.0)
    learner = tp.ActiveLearner(X, n_neighbors=5, audit=0.0, cost=cost)
    assert (cost[learner.ask(10)] == 1.0).all()
    assert (cost[tp.ActiveLearner(X, n_neighbors=5, audit=0.0).ask(10)] == 100.0).any()


def test_groups_that_must_be_covered_come_first():
    X, _ = blobs()
    groups = np.array(["rest"] * 90, dtype=object)
    groups[[5, 6]], groups[7] = "rare", "single"
    for audit, count in ((0.0, 3), (0.5, 6)):
        learner = tp.ActiveLearner(X, n_neighbors=5, audit=audit, at_least_one_per=groups)
        asked = learner.ask(count)
        assert set(groups[np.setdiff1d(asked, learner.audits)]) == {"rest", "rare", "single"}
    learner = tp.ActiveLearner(X, n_neighbors=5, audit=0.0, at_least_one_per=groups)
    learner.tell([5], [0])
    assert set(groups[learner.ask(2)]) == {"rest", "single"}


def test_a_run_replays_from_its_log_and_seed_and_survives_a_file(tmp_path):
    X, y = blobs()
    learner = loop(tp.ActiveLearner(X, n_neighbors=5, audit=0.3, random_state=7), y, 20, 6)
    learner.tell([0], [None])
    untold = [i for i in range(90) if i not in learner.labels][:4]
    learner.tell(untold[:2], y[untold[:2]], random=True)
    learner.tell(untold[2:], y[untold[2:]], random=False)
    assert [event.get("random") for event in learner.log[-2:]] == [True, None]
    assert learner.stop_advice().n_audits == 6 + 2
    again = tp.ActiveLearner(X, n_neighbors=5, audit=0.3, random_state=7)
    again.replay(json.loads(json.dumps(learner.log)))
    learner.save(tmp_path / "run.trig")
    loaded = tp.ActiveLearner.load(tmp_path / "run.trig", X)
    for other in (again, loaded):
        assert other.log == learner.log
        assert_array_equal(other.predict(), learner.predict())
        assert other.stop_advice() == learner.stop_advice()
    assert_array_equal(loaded.ask(5), again.ask(5))
    with pytest.raises(ValueError, match="log must come from a run with this pool"):
        tp.ActiveLearner(X, n_neighbors=5, audit=0.3, random_state=8).replay(learner.log)


def test_files_are_whole_or_not_at_all(tmp_path, monkeypatch):
    X, _ = blobs(5)
    path = tmp_path / "run.trig"
    learner = tp.ActiveLearner(X, n_neighbors=3)
    learner.save(path)
    before = path.read_bytes()
    learner.ask(2)
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        learner.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 broken"])
def test_broken_files_are_refused(tmp_path, content):
    path = tmp_path / "run.trig"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"must be a file written by ActiveLearner\.save"):
        tp.ActiveLearner.load(path)


def test_a_file_keeps_every_setting(tmp_path):
    X, _ = blobs(5)
    given = {"method": "coverage", "view": "raw", "predictor": "linear", "n_neighbors": 3, "noise": 0.25}
    learner = tp.ActiveLearner(X, classes=["a", "b"], audit=0.5, random_state=7, **given)
    learner.save(tmp_path / "run")
    assert tp.ActiveLearner.load(tmp_path / "run", X)._settings == learner._settings


def test_another_format_is_refused(tmp_path):
    write_archive(tmp_path / "run", ArchiveKind("learner", 99, ""), {}, {})
    with pytest.raises(ValueError, match="must be of format 3 at most; it is of format 99, which a newer"):
        tp.ActiveLearner.load(tmp_path / "run")
    write_archive(tmp_path / "run", ArchiveKind("learner", 2, ""), {}, {})
    with pytest.raises(ValueError, match="must be of format 3; it is of format 2"):
        tp.ActiveLearner.load(tmp_path / "run")


def test_real_targets():
    X, _ = blobs()
    targets = np.column_stack([X[:, 0], X[:, 1] ** 2])
    learner = tp.ActiveLearner(X, n_neighbors=5, task="regression", audit=0.2)
    assert np.isnan(learner.predict()).all()
    samples = learner.ask(30)
    learner.tell(samples, targets[samples])
    learner.tell([0], [None])
    assert learner.predict().shape == (90, 2)
    assert_allclose(learner.predict()[samples[samples != 0]], targets[samples[samples != 0]])
    std = learner.uncertainty()
    assert std.shape == (90, 2)
    again = tp.ActiveLearner(X, n_neighbors=5, task="regression")
    again.tell(samples, 1000 * targets[samples])
    again.tell([0], [None])
    assert_allclose(again.uncertainty(), 1000 * std, rtol=1e-6)
    advice = learner.stop_advice()
    assert advice.low < advice.error < advice.high
    with pytest.raises(ValueError, match="predict_proba has no meaning for task='regression'"):
        learner.predict_proba()
    single = tp.ActiveLearner(X, n_neighbors=5, task="regression")
    single.tell([1, 2], [0.5, 1.5])
    assert single.predict().shape == (90,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": "ranking"}, "task must be one of 'classification', 'regression'"),
        ({"audit": 1.5}, r"audit must be a number in \[0, 1\]; got 1.5"),
        ({"cost": [1.0]}, r"cost must have shape \(90,\)"),
        ({"cost": np.zeros(90)}, "cost must be one positive number per sample; got 0"),
        ({"at_least_one_per": [1, 2]}, r"at_least_one_per must have shape \(90,\)"),
        ({"random_state": None}, "random_state must be an integer and be at least 0; got None"),
        ({"method": "best"}, "method must be one of 'auto'"),
        ({"view": "blue"}, "view must be one of 'auto', 'raw'"),
        ({"view": "white", "metric": "cosine"}, "view must be 'auto' or 'raw' with metric='cosine'"),
        ({"predictor": "guess"}, "predictor must be one of 'auto', 'propagation', 'linear'"),
        ({"n_neighbors": 0}, "n_neighbors must be an integer and be at least 1"),
    ],
)
def test_bad_settings_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        tp.ActiveLearner(blobs()[0], **arguments)


def test_features_or_a_graph_but_not_both():
    X, _ = blobs(5)
    for arguments in ({}, {"X": X, "graph": tp.neighbor_graph(X, 3)}):
        with pytest.raises(ValueError, match="X or graph must be given: exactly one of them"):
            tp.ActiveLearner(**arguments)
    assert tp.ActiveLearner(graph=tp.graph_from_edges([[0, 1], [1, 2]]), audit=0.0).ask().tolist() == [1]


@pytest.mark.parametrize(
    ("task", "samples", "labels", "message"),
    [
        ("classification", [0, 0], [1, 2], "samples must be distinct"),
        ("classification", [90], [1], r"samples must lie in \[0, 89\]"),
        ("classification", [0, 1], ["a"], "labels must be one for each of the 2 samples; got 1"),
        ("classification", [0], [float("nan")], "labels must be classes, .* got nan"),
        ("classification", [0], [("a", 1)], "labels must be strings, integers, numbers or booleans"),
        ("classification", [0], [-1], "labels must be 64-bit classes other than -1, which means unknown"),
        ("classification", [0], [2**70], "labels must be 64-bit classes"),
        ("regression", [0, 1], [[1.0], [1.0, 2.0]], "labels must have 1 targets per sample, as the first"),
        ("regression", [0], ["a"], "labels must be real numbers; got 'a'"),
        ("regression", [0], [np.inf], "labels must be finite"),
        ("regression", [0], [[1.0, np.nan]], "labels must be finite"),
        ("regression", [1], [[1.0, 2.0]], "labels must have 1 targets per sample, as the first; got 2"),
    ],
)
def test_bad_answers_are_refused_and_nothing_is_lost(task, samples, labels, message):
    learner = tp.ActiveLearner(blobs()[0], n_neighbors=5, task=task)
    learner.tell([5], [1.0] if task == "regression" else ["a"])
    before = learner.log, learner.labels
    with pytest.raises(ValueError, match=message):
        learner.tell(samples, labels)
    assert (learner.log, learner.labels) == before
    assert sorted([5, *learner.ask(90)]) == list(range(90)), "all that is left"


def test_the_audit_order_is_one_permutation_a_seed():
    order = audit_order(3, 50)
    assert order.dtype == np.int64
    assert sorted(order) == list(range(50))
    assert_array_equal(order, audit_order(3, 50))
    assert not np.array_equal(order, audit_order(4, 50))
    X, _ = blobs()
    learner = tp.ActiveLearner(X, audit=1.0, random_state=3)
    assert_array_equal(learner.ask(7), audit_order(3, 90)[:7])


def striped():
    """A table whose first column is large and says nothing: standardized, the second one tells the class."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.random((200, 1)) * 1000, rng.random((200, 3))])
    return X, (X[:, 1] > 0.5).astype(int) + (X[:, 2] > 0.5)


@pytest.mark.slow
def test_the_view_follows_the_labels_and_a_replay_repeats_it():
    X, y = load_digits(return_X_y=True)
    X, y = X[:500], y[:500]
    learner, views = tp.ActiveLearner(X, audit=0.1), []
    assert learner.weights == {}
    views.append(learner.view)
    for _ in range(8):
        samples = learner.ask(6)
        learner.tell(samples, y[samples])
        views.append(learner.view)
        assert sum(learner.weights.values()) == pytest.approx(1.0)
        assert set(learner.weights) == {"raw", "half_white", "white", "linear", "kernel"}
    assert len(set(views)) > 1, "else this test says nothing"
    again = tp.ActiveLearner(X, audit=0.1)
    again.replay(learner.log)
    assert again.view == learner.view
    assert again.weights == learner.weights
    assert_array_equal(again.predict_proba(), learner.predict_proba())


def test_few_labels_leave_the_choice_of_the_view_to_nearness():
    X, y = striped()
    learner = tp.ActiveLearner(X, audit=0.0)
    first = learner.view
    learner.tell(np.arange(3), y[:3])
    assert len(set(y[:3].tolist())) > 1
    assert learner.view == first
    assert tp.ActiveLearner(X, view="white").view == "white"
    assert tp.ActiveLearner(graph=tp.neighbor_graph(X, 5)).view == "graph"


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_new_samples_are_predicted_as_those_of_the_pool(predictor, task):
    X, y = striped()
    if task == "regression":
        y = X[:, 1] + X[:, 2]
    learner = tp.ActiveLearner(X[:150], task=task, predictor=predictor, audit=0.0)
    nothing = learner.predict(X[150:])
    assert nothing.shape == (50,)
    assert (nothing == -1).all() if task == "classification" else np.isnan(nothing).all()
    samples = learner.ask(40)
    learner.tell(samples, y[samples])
    assert_allclose(learner.predict(X[:150]), learner.predict(), atol=1e-6)
    found = learner.predict(X[150:])
    if task == "classification":
        assert (found == y[150:]).mean() > (y[150:] == 1).mean()
        p = learner.predict_proba(X[150:])
        assert_allclose(p.sum(axis=1), 1.0)
        assert_array_equal(np.array(learner.classes)[p.argmax(axis=1)], found)
    else:
        assert np.sqrt(np.mean((found - y[150:]) ** 2)) < 0.5 * y.std()
    with pytest.raises(ValueError, match=r"X_new must have 4 features, as the pool does; got 2"):
        learner.predict(X[:3, :2])
    alone = tp.ActiveLearner(graph=tp.neighbor_graph(X, 5), task=task, predictor=predictor)
    with pytest.raises(ValueError, match=r"X_new must be None: the pool of this learner has no features"):
        alone.predict(X[:3])


def test_predictors_are_those_of_their_names():
    X, y = striped()
    graph = tp.neighbor_graph(X, 6)
    learner = tp.ActiveLearner(graph=graph, predictor="propagation", classes=[0, 1, 2, 7], audit=0.0)
    learner.tell(np.arange(30), y[:30])
    values = tp.propagate(tp.laplacian(graph), np.arange(30), np.eye(4)[y[:30]])
    assert_allclose(learner.predict_proba(), values, atol=1e-8)
    assert learner.weights == {"graph": 1.0}
    assert_allclose(learner.predict_proba()[:, 3], 0.0, atol=1e-12)
    linear = tp.ActiveLearner(X, predictor="linear", audit=0.0)
    linear.tell(np.arange(30), y[:30])
    assert linear.weights == {"linear": 1.0}
    given = tp.ActiveLearner(X, classes=["x", "y"], audit=0.0)
    given.tell([0, 1], ["y", "y"])
    assert set(given.predict()) == {"y"}
    assert given.predict_proba().shape == (200, 2)


def test_a_file_knows_the_features_that_it_belongs_to(tmp_path):
    X, y = striped()
    learner = tp.ActiveLearner(X, view="standard", predictor="linear", n_neighbors=7)
    learner.tell(np.arange(9), y[:9])
    learner.save(tmp_path / "run")
    assert (tmp_path / "run").stat().st_size < X.nbytes / 2
    loaded = tp.ActiveLearner.load(tmp_path / "run", np.asfortranarray(X))
    assert_array_equal(loaded.predict_proba(), learner.predict_proba())
    assert_array_equal(loaded.ask(9), learner.ask(9))
    with pytest.raises(ValueError, match=r"X must be given: the learner .* was made from X"):
        tp.ActiveLearner.load(tmp_path / "run")
    other = X.copy()
    other[199, 3] += 1e-9
    for wrong in (other, X[:, :3], X[::-1], X.astype(np.float32)):
        with pytest.raises(ValueError, match=r"X must be the X of the learner, .* added; it is another"):
            tp.ActiveLearner.load(tmp_path / "run", wrong)
    tp.ActiveLearner(graph=tp.neighbor_graph(X, 5)).save(tmp_path / "graph")
    assert tp.ActiveLearner.load(tmp_path / "graph").n_samples == 200
    with pytest.raises(ValueError, match="X must be None: the learner in this file was made from a graph"):
        tp.ActiveLearner.load(tmp_path / "graph", X)


def test_sparse_features_and_distances_survive_a_file(tmp_path):
    X, y = striped()
    features = sparse.csr_array(np.where(X > 0.3, X, 0.0))
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    for given, metric in ((features, "euclidean"), (distances, "precomputed")):
        learner = tp.ActiveLearner(given, metric=metric, audit=0.0)
        learner.tell(np.arange(20), y[:20])
        learner.save(tmp_path / "run")
        loaded = tp.ActiveLearner.load(tmp_path / "run", given.copy())
        assert_array_equal(loaded.ask(5), learner.ask(5))
        assert_array_equal(loaded.predict(), learner.predict())
    assert learner.view == "distances"
