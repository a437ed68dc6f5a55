"""The learner where a label is a set of tags."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

import trigpoint as tp
from reference import tags as reference
from trigpoint.learner._tags import doubt
from trigpoint.prediction import predict_tags, viewed_pool


@pytest.fixture(scope="module")
def pool():
    X, y = make_blobs(120, 5, centers=4, cluster_std=1.5, random_state=0)
    return X, [frozenset(["warm", "cold"][: int(k) % 3] + ["big"] * int(k > 1)) for k in y]


def asked(X, truth, count, **options):
    learner = tp.ActiveLearner(X, task="tags", **options)
    samples = learner.ask(count)
    learner.tell(samples, [truth[i] for i in samples])
    return learner


def test_it_predicts_sets(pool):
    X, truth = pool
    learner = asked(X, truth, 24, classes=["warm"])
    assert learner.classes[0] == "warm"
    assert set(learner.classes) == {"warm", "cold", "big"}
    predicted = learner.predict()
    assert predicted.dtype == object
    assert all(isinstance(tags, frozenset) for tags in predicted)
    assert np.mean([a == b for a, b in zip(predicted, truth, strict=True)]) > 0.95
    for i, label in learner.labels.items():
        assert label == predicted[i] == truth[i]
    Y = np.array([[tag in truth[i] for tag in learner.classes] for i in learner.labels], dtype=float)
    found = predict_tags(viewed_pool(X), np.array(list(learner.labels)), Y)
    np.testing.assert_allclose(learner.predict_proba(), found.probabilities, atol=1e-9)
    want = reference.uncertainty(found.probabilities, found.threshold)
    np.testing.assert_allclose(learner.uncertainty(), want, atol=1e-9)
    assert learner.weights == pytest.approx(found.weights, abs=1e-7)  # found by a search
    new = learner.predict(X[:5] + 0.01)
    assert [tags == truth[i] for i, tags in enumerate(new)].count(True) >= 4


@pytest.mark.parametrize("method", ["auto", "coverage", "uncertainty"])
@pytest.mark.parametrize("predictor", ["auto", "linear", "propagation"])
def test_every_method_asks_for_new_samples(pool, method, predictor):
    X, truth = pool
    learner = tp.ActiveLearner(X, task="tags", method=method, predictor=predictor)
    seen = []
    for _ in range(3):
        samples = learner.ask(5)
        seen += samples.tolist()
        learner.tell(samples, [truth[i] for i in samples])
    assert len(set(seen)) == 15
    assert np.mean([a == b for a, b in zip(learner.predict(), truth, strict=True)]) > 0.8


def test_questions_go_where_tags_are_in_doubt(pool):
    X, truth = pool
    learner = asked(X, truth, 12, audit=0.0, method="uncertainty")
    d = doubt(learner.predict_proba())
    np.testing.assert_allclose(d[list(learner.labels)], 0.0, atol=1e-8)
    assert d[learner.ask(1)[0]] > np.median(d)
    np.testing.assert_allclose(doubt(np.array([[0.2, 0.9, 0.5]])), [(0.2 + 0.1 + 0.5) / 3])


def test_answers_of_every_form():
    X = np.random.default_rng(0).normal(size=(20, 4))
    learner = tp.ActiveLearner(X, task="tags")
    assert learner.predict().tolist() == [None] * 20
    np.testing.assert_array_equal(learner.uncertainty(), 1.0)
    learner.tell(0, {"b", "a"})
    learner.tell([1, 2, 3, 4], [["a"], ("a", "b"), set(), None])
    learner.tell([5], [np.array(["b"])])
    want = {0: {"a", "b"}, 1: {"a"}, 2: {"a", "b"}, 3: set(), 5: {"b"}}
    assert learner.labels == want
    assert 4 not in learner.labels
    assert learner.log[0]["labels"] == [["a", "b"]]
    assert learner.classes == ("a", "b")
    learner.tell(0, frozenset())  # a correction
    assert learner.labels[0] == frozenset()


def test_labels_without_any_tag_say_that_there_is_none():
    X = np.random.default_rng(0).normal(size=(20, 4))
    learner = tp.ActiveLearner(X, task="tags")
    learner.tell([3, 4], [set(), set()])
    assert learner.classes == ()
    assert learner.predict().tolist() == [frozenset()] * 20
    assert learner.predict_proba().shape == (20, 0)
    assert len(learner.ask(2)) == 2


def test_stop_advice_counts_wrong_sets(pool):
    X, truth = pool
    learner = asked(X, truth, 30, audit=0.5)
    advice = learner.stop_advice()
    wrong = [a != b for a, b in zip(learner.predict(), truth, strict=True)]
    assert advice.n_audits == 15
    assert advice.low <= np.mean(wrong) <= advice.high
    assert 0 <= advice.n_wrong <= 3
    assert advice.expected_error <= advice.error
    nothing = tp.ActiveLearner(X, task="tags").stop_advice()
    assert np.isnan(nothing.error)


def test_it_is_saved_and_replayed(pool, tmp_path):
    X, truth = pool
    learner = asked(X, truth, 12, classes=["warm", "old"])
    learner.tell([7, 8], [set(), None])
    learner.save(tmp_path / "learner.zip")
    again = tp.ActiveLearner.load(tmp_path / "learner.zip", X)
    assert again.labels == learner.labels
    assert again.classes == learner.classes == ("warm", "old", *learner.classes[2:])
    np.testing.assert_array_equal(again.predict_proba(), learner.predict_proba())
    assert again.ask(4).tolist() == learner.ask(4).tolist()
    fresh = tp.ActiveLearner(X, task="tags", classes=["warm", "old"])
    fresh.replay(learner.log)
    assert fresh.labels == learner.labels


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"method": "error_reduction"}, "method"),
        ({"method": "model_change"}, "method"),
        ({"noise": 0.1}, "noise"),
    ],
)
def test_what_tags_do_not_have(pool, options, argument):
    with pytest.raises(tp.InputError) as caught:
        tp.ActiveLearner(pool[0], task="tags", **options)
    assert caught.value.argument == argument


def test_what_is_refused(pool):
    X, truth = pool
    learner = asked(X, truth, 6)
    for label, rule in [("a", "sets of tags"), (3, "sets of tags"), ({None}, "sets of tags"), ({-1}, "-1")]:
        with pytest.raises(tp.InputError, match=rule):
            learner.tell([0, 1], [label, set()])
    with pytest.raises(tp.InputError, match="annotator must be None for task='tags'"):
        learner.tell([0], [{"a"}], annotator="ann")
    with pytest.raises(tp.InputError, match="label_issues"):
        learner.label_issues()
