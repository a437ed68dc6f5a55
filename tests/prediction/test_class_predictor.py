"""The mixture for classes: what it is made of, and that nothing is lost on the way."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_wine, make_blobs
from sklearn.preprocessing import scale

import trigpoint as tp
from reference import prediction as reference
from trigpoint.prediction import graph_pool, predict_classes, viewed_pool
from trigpoint.prediction._class_predictor import ENOUGH
from trigpoint.prediction._feature_models import fit_models
from trigpoint.prediction._mixture import GRID, PRIOR, PULL
from trigpoint.prediction._spread import spread
from trigpoint.propagation import classify

NAMES = ["raw", "half_white", "white", "linear", "kernel"]


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return scale(X), y, np.arange(0, 178, 7)


@pytest.fixture(scope="module")
def fitted(wine):
    X, y, landmarks = wine
    return predict_classes(viewed_pool(X), landmarks, y[landmarks], 3)


def squared(values):
    """Probabilities as of propagated values, and then their squares."""
    p = np.maximum(values, 0.0)
    p = p + np.maximum(1 - p.sum(axis=1, keepdims=True), 0) / p.shape[1]
    p = p / p.sum(axis=1, keepdims=True)
    return p**2 / np.sum(p**2, axis=1, keepdims=True)


def test_it_is_the_mixture_of_its_parts(wine, fitted):
    X, y, landmarks = wine
    codes, one_hot = y[landmarks], np.eye(3)[y[landmarks]]
    left, said = [], []
    for name in NAMES[:3]:
        features = tp.fit_view(X, name).transform(X)
        E = reference.energy(tp.laplacian(tp.neighbor_graph(features)), 1)
        left.append(squared(reference.left_out(E, landmarks, one_hot)))
        said.append(squared(reference.values(E, landmarks, one_hot)))
    models, outside = fit_models(X, tp.fit_view(X, "standard"), ("linear", "kernel"), landmarks, codes, 3)
    left, said = left + outside, said + models.predict(X)
    w = reference.weights(left, one_hot, PULL)
    assert list(fitted.weights) == NAMES
    np.testing.assert_allclose(list(fitted.weights.values()), w, atol=1e-5)
    wrong = [np.mean(p.argmax(axis=1) != codes) for p in left]
    np.testing.assert_allclose(list(fitted.errors.values()), wrong)
    T = reference.temperature(reference.mixed(left, w), one_hot, PRIOR, GRID)
    assert fitted.temperature == T
    np.testing.assert_allclose(
        fitted.left_out, reference.sharpened(reference.mixed(left, w), T), rtol=1e-3, atol=1e-6
    )
    p = reference.sharpened(reference.mixed(said, w), T)
    p[landmarks] = one_hot
    np.testing.assert_allclose(fitted.probabilities, p, rtol=1e-3, atol=1e-6)
    assert (fitted.probabilities.argmax(axis=1) == y).mean() > 0.93


def test_the_main_view_counts_most(fitted):
    counts = {name: fitted.weights[name] for name in NAMES[:3]}
    assert fitted.main.name == max(counts, key=counts.get)


def test_linear_leaves_the_views_out(wine):
    X, y, landmarks = wine
    pool = viewed_pool(X)
    found = predict_classes(pool, landmarks, y[landmarks], 3, "linear")
    assert found.weights == {"linear": 1.0}
    assert list(found.errors) == ["linear"]
    assert found.main is pool.main
    models, _ = fit_models(X, pool.standard, ("linear",), landmarks, y[landmarks], 3)
    rest = np.setdiff1d(np.arange(178), landmarks)
    want = reference.sharpened(models.predict(X)[0], found.temperature)
    np.testing.assert_allclose(found.probabilities[rest], want[rest], rtol=1e-9)


def test_pools_without_features_have_their_graph_only(wine):
    X, y, landmarks = wine
    graph = tp.neighbor_graph(X)
    for predictor in ("auto", "linear"):
        found = predict_classes(graph_pool(graph), landmarks, y[landmarks], 3, predictor)
        assert found.weights == {"graph": 1.0}
        z = spread(tp.laplacian(graph), landmarks, np.eye(3)[y[landmarks]]).values
        want = reference.sharpened(squared(z), found.temperature)
        want[landmarks] = np.eye(3)[y[landmarks]]
        np.testing.assert_allclose(found.probabilities, want, rtol=1e-9)


def test_labels_drawn_at_random_set_the_temperature_alone(wine):
    X, y, landmarks = wine
    codes, pool = y[landmarks], viewed_pool(X, "raw")
    whole = predict_classes(pool, landmarks, codes, 3)
    some = np.arange(ENOUGH)
    found = predict_classes(pool, landmarks, codes, 3, at_random=some)
    left = reference.sharpened(whole.left_out, 1 / whole.temperature)  # back to the mixture
    want = reference.temperature(left[some], np.eye(3)[codes[some]], PRIOR, GRID)
    assert found.temperature == pytest.approx(want)
    assert found.weights == whole.weights
    few = predict_classes(pool, landmarks, codes, 3, at_random=some[:-1])
    assert few.temperature == whole.temperature


def test_samples_of_the_pool_are_predicted_as_they_were_inferred(wine, fitted):
    np.testing.assert_array_equal(fitted.new(wine[0]), fitted.probabilities)
    np.testing.assert_array_equal(fitted.new(wine[0][[7, 3]]), fitted.probabilities[[7, 3]])


def test_new_samples_are_mixed_like_those_of_the_pool(wine, fitted):
    X, _, _ = wine
    X_new = X[:20] + 0.05
    said = []
    for seen, values in zip(fitted.pool.views, fitted.spread_values, strict=True):
        near = tp.extend(seen.graph, seen.X, seen.view.transform(X_new), values)
        said.append(squared(near))
    said += fitted.models.predict(X_new)
    want = reference.sharpened(reference.mixed(said, list(fitted.weights.values())), fitted.temperature)
    np.testing.assert_allclose(fitted.new(X_new), want, rtol=1e-9)


def test_a_view_says_nothing_where_no_label_reaches():
    X = np.concatenate([np.random.default_rng(0).normal(size=(30, 2)) + at for at in (0, 500)])
    landmarks, codes = np.arange(6), np.array([0, 1] * 3)
    pool = viewed_pool(X, "raw", n_neighbors=5)
    found = predict_classes(pool, landmarks, codes, 2)  # no warning: the models speak
    models, _ = fit_models(X, pool.standard, ("linear", "kernel"), landmarks, codes, 2)
    w = list(found.weights.values())
    silent = [np.full((60, 2), np.nan), *models.predict(X)]
    want = reference.sharpened(reference.mixed(silent, w), found.temperature)
    np.testing.assert_allclose(found.probabilities[30:], want[30:], rtol=1e-9)
    with pytest.warns(tp.UnreachedWarning, match="30 of 60 samples lie in 1 component without a landmark"):
        alone = predict_classes(graph_pool(pool.main.graph), landmarks, codes, 2)
    np.testing.assert_array_equal(np.isnan(alone.probabilities).all(axis=1), np.arange(60) >= 30)


@pytest.mark.parametrize("n_labels", [1, 2, 3, 7])
def test_few_labels_of_one_class_or_of_as_many(n_labels):
    X = np.random.default_rng(1).normal(size=(40, 6))
    pool, landmarks = viewed_pool(X), np.arange(n_labels)
    one = predict_classes(pool, landmarks, np.zeros(n_labels, dtype=int), 1)
    np.testing.assert_array_equal(one.probabilities, np.ones((40, 1)))
    np.testing.assert_array_equal(one.new(X + 0.1), np.ones((40, 1)))
    each = predict_classes(pool, landmarks, np.arange(n_labels), n_labels)
    np.testing.assert_allclose(sum(each.weights.values()), 1.0)
    np.testing.assert_allclose(each.probabilities.sum(axis=1), 1.0)
    np.testing.assert_allclose(each.new(X + 0.1).sum(axis=1), 1.0)
    np.testing.assert_array_equal(each.probabilities[landmarks], np.eye(n_labels))


def test_with_one_label_a_class_no_predictor_wins_by_its_errors():
    """Nobody can know a class that is left out, so weights stay near each other."""
    X, y = make_blobs(100, 6, centers=2, cluster_std=3.0, random_state=0)
    landmarks = np.array([np.flatnonzero(y == k)[0] for k in (0, 1)])
    found = predict_classes(viewed_pool(X), landmarks, np.array([0, 1]), 2)
    assert max(found.weights.values()) < 0.5
    assert 0.8 < found.temperature < 3.01


def test_probabilities_mean_what_they_say():
    """Overlapping classes: of the samples with p in a bin, about a share of p belongs to the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=1500)
    X = rng.normal(size=(1500, 2)) + 1.5 * y[:, None]
    landmarks = rng.choice(1500, 150, replace=False)
    p = predict_classes(viewed_pool(X), landmarks, y[landmarks], 2).probabilities
    rest = np.setdiff1d(np.arange(1500), landmarks)
    sure, right = p[rest].max(axis=1), p[rest].argmax(axis=1) == y[rest]
    bins = np.digitize(sure, np.linspace(0.5, 1, 6)[1:-1])
    gaps = [abs((sure - right)[bins == b].sum()) for b in range(5)]
    assert sum(gaps) / len(rest) < 0.06


def test_sparse_and_dense_features_say_the_same():
    rng = np.random.default_rng(3)
    X = rng.poisson(0.7, size=(80, 30)).astype(float)
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    landmarks = np.arange(20)
    dense = predict_classes(viewed_pool(X, "raw"), landmarks, y[:20], 2)
    found = predict_classes(viewed_pool(sparse.csr_array(X), "raw"), landmarks, y[:20], 2)
    np.testing.assert_allclose(found.spread_values[0], dense.spread_values[0], atol=1e-9)
    assert (found.probabilities.argmax(axis=1) == dense.probabilities.argmax(axis=1)).mean() > 0.9
    np.testing.assert_array_equal(found.new(sparse.csr_array(X)), found.probabilities)


def test_classify_changes_nothing_more(fitted):
    np.testing.assert_allclose(classify(fitted.probabilities).probabilities, fitted.probabilities, rtol=1e-12)
