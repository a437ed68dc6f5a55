"""Labels that count differently: in the classifier, the regressor, and the learner."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

import trigpoint as tp
from trigpoint.prediction import (
    label_weights,
    predict_classes,
    predict_tags,
    predict_values,
    viewed_pool,
)


@pytest.fixture(scope="module")
def pool():
    X, y = make_blobs(150, 6, centers=3, cluster_std=4.0, random_state=0)
    few = np.where(np.arange(150) < 45, y, -1)
    return X, y, few, np.linspace(1, 9, 150)


def targets(few, kind):
    """The same labels as classes, values and tags."""
    if kind == "classes":
        return few
    if kind == "values":
        return np.where(few < 0, np.nan, few.astype(float))
    return [None if c < 0 else {"a"} if c == 0 else {"a", "b"} if c == 1 else set() for c in few]


def model(kind, **options):
    return tp.ManifoldRegressor(**options) if kind == "values" else tp.ManifoldClassifier(**options)


@pytest.mark.parametrize("kind", ["classes", "values", "tags"])
@pytest.mark.parametrize("predictor", ["auto", "linear", "propagation"])
def test_equal_weights_change_nothing(pool, kind, predictor):
    X, _, few, _ = pool
    plain = model(kind, predictor=predictor).fit(X, targets(few, kind))
    even = model(kind, predictor=predictor).fit(X, targets(few, kind), sample_weight=np.full(150, 0.3))
    np.testing.assert_array_equal(even.transduction_, plain.transduction_)
    np.testing.assert_array_equal(even.uncertainty_, plain.uncertainty_)
    assert even.weights_ == plain.weights_


@pytest.mark.parametrize("kind", ["classes", "values", "tags"])
def test_weights_are_those_of_labels(pool, kind):
    """Only labeled samples' weights count, and only their ratios."""
    X, y, few, m = pool
    found = model(kind, noise=0).fit(X, targets(few, kind), sample_weight=m)
    other = np.concatenate([m[:45] * 7, np.random.default_rng(0).random(105)])
    same = model(kind, noise=0).fit(X, targets(few, kind), sample_weight=other)
    np.testing.assert_allclose(same.transduction_, found.transduction_, atol=1e-4)
    counts, landmarks = m[:45] / m[:45].mean(), np.arange(45)
    seen = viewed_pool(X)
    if kind == "classes":
        want = predict_classes(seen, landmarks, y[:45], 3, counts=counts)
        np.testing.assert_allclose(found.label_distributions_, want.probabilities, atol=1e-4)
    elif kind == "values":
        want = predict_values(seen, landmarks, y[:45, None].astype(float), counts=counts)
        np.testing.assert_allclose(found.transduction_, want.values[:, 0], atol=1e-4)
    else:
        Y = np.array([["ab"[j] in tags for j in range(2)] for tags in targets(few, kind)[:45]], dtype=float)
        want = predict_tags(seen, landmarks, Y, counts=counts)
        np.testing.assert_allclose(found.label_distributions_, want.probabilities, atol=1e-4)
    assert found.weights_ == pytest.approx(want.weights, abs=1e-4)
    plain = model(kind, noise=0).fit(X, targets(few, kind))
    assert found.weights_ != plain.weights_


@pytest.mark.parametrize("kind", ["classes", "values", "tags"])
def test_a_label_of_weight_zero_is_kept_and_teaches_the_models_nothing(pool, kind):
    X, y, few, _ = pool
    lie = few.copy()
    lie[40:45] = (y[40:45] + 1) % 3
    m = np.ones(150)
    m[40:45] = 0.0
    without = np.where(np.arange(150) < 40, few, -1)
    weighted = model(kind, predictor="linear", noise=0).fit(X, targets(lie, kind), sample_weight=m)
    removed = model(kind, predictor="linear", noise=0).fit(X, targets(without, kind))
    rest = slice(45, None)
    if kind == "values":
        np.testing.assert_allclose(weighted.transduction_[rest], removed.transduction_[rest], atol=0.2)
    else:
        same = weighted.transduction_[rest] == removed.transduction_[rest]
        assert same.mean() > 0.9
    want = model(kind, predictor="linear", noise=0).fit(X, targets(lie, kind)).transduction_[40:45]
    np.testing.assert_array_equal(weighted.transduction_[40:45], want)


def test_labels_that_may_be_wrong_have_weights_too(pool):
    X, _, few, m = pool
    noisy = few.copy()
    noisy[:45:4] = (noisy[:45:4] + 1) % 3
    found = tp.ManifoldClassifier(noise=0.2).fit(X, noisy, sample_weight=m)
    plain = tp.ManifoldClassifier(noise=0.2).fit(X, noisy)
    assert found.weights_ != plain.weights_
    assert np.isfinite(found.label_distributions_).all()


def test_weights_of_labels():
    m = np.array([2.0, 0.0, 1.0, 1e-9, 5.0])
    assert label_weights(None, np.array([0, 1])) is None
    assert label_weights(m, np.array([2])) is None
    np.testing.assert_allclose(label_weights(m, np.array([0, 1, 2])), [2, 0, 1])
    np.testing.assert_allclose(label_weights(m, np.array([0, 3])), [2, 0.05], atol=1e-8)
    with pytest.raises(tp.InputError, match="must not be 0 for all labeled samples"):
        label_weights(m, np.array([1]))


def test_the_learner_asks_where_samples_count():
    X = np.random.default_rng(0).random((200, 2))
    left = X[:, 0] < 0.5
    m = np.where(left, 1.0, 40.0)
    for method in ("auto", "coverage", "uncertainty"):
        for task in ("classification", "tags"):
            up = X[:, 1] > 0.5
            labels = [{"up"} if high else set() for high in up] if task == "tags" else up.astype(int).tolist()
            counts = []
            for weight in (None, m):
                learner = tp.ActiveLearner(X, task=task, method=method, sample_weight=weight, audit=0.0)
                for _ in range(2):
                    samples = learner.ask(8)
                    learner.tell(samples, [labels[i] for i in samples])
                counts.append(left[list(learner.labels)].sum())
            assert counts[1] < counts[0]


def test_equal_weights_ask_the_same_and_weights_are_saved(tmp_path):
    X = np.random.default_rng(1).random((60, 3))
    plain = tp.ActiveLearner(X)
    even = tp.ActiveLearner(X, sample_weight=np.full(60, 3.0))
    assert plain.ask(10).tolist() == even.ask(10).tolist()
    learner = tp.ActiveLearner(X, sample_weight=np.arange(60.0))
    samples = learner.ask(10)
    learner.tell(samples, [int(X[i, 0] > 0.5) for i in samples])
    learner.save(tmp_path / "learner")
    again = tp.ActiveLearner.load(tmp_path / "learner", X)
    np.testing.assert_array_equal(again.predict_proba(), learner.predict_proba())
    assert again.ask(5).tolist() == learner.ask(5).tolist()


@pytest.mark.parametrize(("task", "method"), [("regression", "auto"), ("classification", "error_reduction")])
def test_methods_of_the_learner_that_know_no_weights(task, method):
    X = np.random.default_rng(1).random((20, 3))
    with pytest.raises(tp.InputError, match="method='coverage' takes it"):
        tp.ActiveLearner(X, task=task, method=method, sample_weight=np.arange(20.0))
    assert len(tp.ActiveLearner(X, task=task, method="coverage", sample_weight=np.arange(20.0)).ask(3)) == 3
