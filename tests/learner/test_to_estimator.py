"""A learner hands over a fitted estimator, which says what the learner says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

import trigpoint as tp
from trigpoint.prediction import _class_predictor, _value_predictor


def blobs(n_each=25, seed=0, p=6):
    rng = np.random.default_rng(seed)
    X = np.concatenate([rng.normal(k * 2.5, 1.0, (n_each, p)) for k in range(3)])
    return X, np.repeat([2, 0, 1], n_each)


def told(y, names=None, count=20, **options):
    X, _ = blobs()
    learner = tp.ActiveLearner(X, n_neighbors=6, **options)
    samples = learner.ask(count)
    learner.tell(samples, [y[i] if names is None else names[y[i]] for i in samples])
    return learner


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
@pytest.mark.parametrize("names", [["zebra", "ant", "cow"], [7, 30, 12], [True, False, True]])
def test_classes(predictor, names, tmp_path, monkeypatch):
    X, y = blobs()
    learner = told(y, names, predictor=predictor)
    learner.predict()
    monkeypatch.setattr(_class_predictor, "_fit", None)  # nothing is fitted any more
    found = learner.to_estimator()
    assert isinstance(found, tp.ManifoldClassifier)
    assert found.classes_.tolist() == sorted(set(names)), "in the order of scikit-learn, not of the learner"
    assert_array_equal(found.transduction_, learner.predict())
    order = [learner.classes.index(label) for label in found.classes_]
    assert_allclose(found.label_distributions_, learner.predict_proba()[:, order], atol=1e-12)
    assert_allclose(found.uncertainty_, learner.uncertainty(), atol=1e-12)
    assert found.weights_ == learner.weights
    assert found.landmarks_.tolist() == sorted(learner.labels)
    new = X[::4] + 0.1
    assert_allclose(found.predict_proba(new), learner.predict_proba(new)[:, order], atol=1e-12)
    assert_array_equal(found.predict(new), learner.predict(new))
    assert_array_equal(found.predict(X), learner.predict())
    tp.save_model(tmp_path / "model", found)
    assert_array_equal(tp.load_model(tmp_path / "model").predict_proba(new), found.predict_proba(new))


def test_it_is_the_estimator_that_fits_the_same_labels():
    X, y = blobs()
    learner = tp.ActiveLearner(X, n_neighbors=6, classes=[0, 1, 2])
    learner.tell(np.arange(0, 75, 4), y[::4])
    labels = np.full(len(y), -1)
    labels[list(learner.labels)] = list(learner.labels.values())
    fitted = tp.ManifoldClassifier(n_neighbors=6).fit(X, labels)
    found = learner.to_estimator()
    assert found.get_params() == fitted.get_params()
    assert_allclose(found.label_distributions_, fitted.label_distributions_, atol=1e-9)
    assert found.left_out_error_ == pytest.approx(fitted.left_out_error_)
    assert vars(found).keys() == vars(fitted).keys()
    assert found.view_.name == fitted.view_.name


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
@pytest.mark.parametrize("width", [1, 2])
def test_real_targets(predictor, width, tmp_path, monkeypatch):
    X, _ = blobs()
    targets = X[:, 0] if width == 1 else np.column_stack([X[:, 0], 100 * X[:, 1]])
    learner = told(targets, task="regression", predictor=predictor)
    learner.predict()
    monkeypatch.setattr(_value_predictor, "_fit", None)
    found = learner.to_estimator()
    assert isinstance(found, tp.ManifoldRegressor)
    assert_array_equal(found.transduction_, learner.predict())
    assert_array_equal(found.uncertainty_, learner.uncertainty())
    new = X[::4] + 0.1
    values, std = found.predict(new, return_std=True)
    assert_allclose(values, learner.predict(new), atol=1e-9)
    assert values.shape == std.shape == (len(new), *(() if width == 1 else (2,)))
    assert (std > 0).all()
    tp.save_model(tmp_path / "model", found)
    again = tp.load_model(tmp_path / "model")
    assert_array_equal(again.predict(new, return_std=True), found.predict(new, return_std=True))


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
def test_tags(predictor, tmp_path):
    X, y = blobs()
    learner = tp.ActiveLearner(X, n_neighbors=6, task="tags", predictor=predictor)
    samples = learner.ask(20)
    learner.tell(samples, [{"zoo", "ant"} if y[i] == 2 else {"cow"} if y[i] else set() for i in samples])
    found = learner.to_estimator()
    assert found.classes_.tolist() == ["ant", "cow", "zoo"]
    order = [learner.classes.index(tag) for tag in found.classes_]
    assert_array_equal(found.label_distributions_, learner.predict_proba()[:, order])
    assert_allclose(found.uncertainty_, learner.uncertainty(), atol=1e-12)
    new = X[::4] + 0.1
    assert_array_equal(found.predict_proba(new), learner.predict_proba(new)[:, order])
    named = [frozenset(found.classes_[row == 1].tolist()) for row in found.predict(new)]
    assert named == learner.predict(new).tolist()
    tp.save_model(tmp_path / "model", found)
    assert_array_equal(tp.load_model(tmp_path / "model").predict(new), found.predict(new))


def test_later_answers_do_not_change_it():
    X, y = blobs()
    learner = told(y)
    found = learner.to_estimator()
    before = found.predict_proba(X).copy()
    samples = learner.ask(5)
    learner.tell(samples, [int(y[i] == 0) for i in samples])
    assert_array_equal(found.predict_proba(X), before)


def test_distances():
    X, y = blobs()
    D = np.linalg.norm(X[:, None] - X, axis=2)
    learner = tp.ActiveLearner(D, metric="precomputed", n_neighbors=6)
    samples = learner.ask(20)
    learner.tell(samples, y[samples])
    found = learner.to_estimator()
    assert found.n_features_in_ == 75
    assert_array_equal(found.predict(D), learner.predict())


def test_what_cannot_be():
    X, _ = blobs()
    with pytest.raises(tp.InputError, match="to_estimator needs labels; tell some first"):
        tp.ActiveLearner(X).to_estimator()
    graph = tp.ActiveLearner(graph=tp.neighbor_graph(X, 5))
    graph.tell([0, 30], ["a", "b"])
    with pytest.raises(tp.InputError, match="needs features or distances; the pool is a graph"):
        graph.to_estimator()
    own = tp.ActiveLearner(X, model=LogisticRegression())
    own.tell([0, 1, 30], ["a", "a", "b"])
    with pytest.raises(tp.InputError, match=r"the model is yours, learner\.model"):
        own.to_estimator()
    mixed = tp.ActiveLearner(X)
    mixed.tell([0, 30], ["a", 1])
    with pytest.raises(tp.InputError, match="must hold labels of one kind"):
        mixed.to_estimator()
