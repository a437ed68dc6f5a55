import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits

import trigpoint as tp
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


@pytest.mark.parametrize("batch", [1, 50])
def test_batches_are_not_redundant(batch):
    X, y = load_digits(return_X_y=True)
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
    learner = tp.ActiveLearner(X, n_neighbors=5, audit=0.0)
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
    again = tp.ActiveLearner(X, n_neighbors=5, audit=0.3, random_state=7)
    again.replay(json.loads(json.dumps(learner.log)))
    learner.save(tmp_path / "run.trig")
    loaded = tp.ActiveLearner.load(tmp_path / "run.trig")
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


def test_another_format_is_refused(tmp_path):
    np.savez(tmp_path / "run.npz", about=np.array(json.dumps({"format": 99})))
    with pytest.raises(ValueError, match="must be of format 1; it is of format 99"):
        tp.ActiveLearner.load(tmp_path / "run.npz")


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
