"""The mixture for tags: what it is made of, and its laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits, make_blobs
from sklearn.metrics import f1_score

import trigpoint as tp
from reference import prediction as parts
from reference import tags as reference
from trigpoint.prediction import (
    graph_pool,
    predict_classes,
    predict_tags,
    present,
    tag_uncertainty,
    viewed_pool,
)
from trigpoint.prediction._mixture import GRID, PRIOR, PULL
from trigpoint.prediction._tag_models import fit_tag_models
from trigpoint.prediction._tag_predictor import EDGE, ENOUGH, threshold_of

VIEWS = ["raw", "half_white", "white"]


def tags_of(y):
    """Even, prime, with a loop, at least five."""
    return np.stack([y % 2 == 0, np.isin(y, [2, 3, 5, 7]), np.isin(y, [0, 6, 8, 9]), y >= 5], 1).astype(float)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    X, y = X[:300], y[:300]
    return X, tags_of(y), np.arange(0, 300, 6)


@pytest.fixture(scope="module")
def fitted(digits):
    X, Y, landmarks = digits
    return predict_tags(viewed_pool(X), landmarks, Y[landmarks])


def test_it_is_the_mixture_of_its_parts(digits, fitted):
    X, Y, landmarks = digits
    known, m = Y[landmarks], Y[landmarks].mean(axis=0)
    left, said = [], []
    for name in VIEWS:
        features = tp.fit_view(X, name).transform(X)
        E = parts.energy(tp.laplacian(tp.neighbor_graph(features)), 1)
        left.append(np.clip(parts.left_out(E, landmarks, known - m) + m, 0, 1))
        said.append(np.clip(parts.values(E, landmarks, known - m) + m, 0, 1))
    models, outside = fit_tag_models(X, tp.fit_view(X, "standard"), landmarks, known, None)
    left, said = left + outside, said + models.predict(X)
    w = parts.weights(left, known, PULL)
    assert list(fitted.weights) == [*VIEWS, "linear", "kernel"]
    np.testing.assert_allclose(list(fitted.weights.values()), w, atol=1e-5)
    np.testing.assert_allclose(
        list(fitted.errors.values()), [np.mean((p > 0.5) != (known > 0.5)) for p in left]
    )
    T = reference.temperature(parts.mixed(left, w), known, PRIOR, GRID)
    assert fitted.temperature == T
    q = reference.tempered(parts.mixed(left, w), T)
    np.testing.assert_allclose(fitted.left_out, q, atol=1e-4)
    assert fitted.threshold == pytest.approx(reference.threshold(q, known, EDGE), abs=1e-4)
    p = reference.tempered(parts.mixed(said, w), T)
    p[landmarks] = known
    np.testing.assert_allclose(fitted.probabilities, p, atol=1e-4)
    assert f1_score(Y, present(fitted.probabilities, fitted.threshold), average="micro") > 0.93


def test_new_samples_are_mixed_like_those_of_the_pool(digits, fitted):
    X, _, _ = digits
    np.testing.assert_array_equal(fitted.new(X), fitted.probabilities)
    X_new = X[:20] + 0.05
    said = [
        tp.extend(seen.graph, seen.X, seen.view.transform(X_new), values)
        for seen, values in zip(fitted.views, fitted.spread_values, strict=True)
    ]
    said += fitted.models.predict(X_new)
    want = reference.tempered(parts.mixed(said, list(fitted.weights.values())), fitted.temperature)
    np.testing.assert_allclose(fitted.new(X_new), want, rtol=1e-9, atol=2e-9)


def test_linear_and_propagation_are_parts_alone(digits):
    X, Y, landmarks = digits
    pool = viewed_pool(X)
    linear = predict_tags(pool, landmarks, Y[landmarks], "linear")
    assert linear.weights == {"linear": 1.0}
    assert linear.views == ()
    assert linear.main is pool.main
    one = predict_tags(pool, landmarks, Y[landmarks], "propagation")
    assert list(one.weights) == [one.main.name]
    assert one.models is None
    errors = {
        seen.name: np.square(seen.spread(landmarks, Y[landmarks]).left_out - Y[landmarks]).sum()
        for seen in pool.views
    }
    assert one.main.name == min(errors, key=errors.get)
    np.testing.assert_array_equal(one.new(X), one.probabilities)


def test_tags_in_another_order_are_the_same(digits, fitted):
    X, Y, landmarks = digits
    order = np.array([2, 0, 3, 1])
    found = predict_tags(viewed_pool(X), landmarks, Y[landmarks][:, order])
    np.testing.assert_allclose(found.probabilities, fitted.probabilities[:, order], atol=1e-6)
    assert found.threshold == pytest.approx(fitted.threshold, abs=1e-6)


def test_tags_that_all_have_or_none_are_certain_and_change_little(digits, fitted):
    X, Y, landmarks = digits
    more = np.column_stack([np.ones(300), Y, np.zeros(300)])
    found = predict_tags(viewed_pool(X), landmarks, more[landmarks])
    np.testing.assert_allclose(found.probabilities[:, 0], 1.0, atol=2e-9)
    np.testing.assert_allclose(found.probabilities[:, -1], 0.0, atol=2e-9)
    np.testing.assert_allclose(found.probabilities[:, 1:-1], fitted.probabilities, atol=1e-6)
    assert found.threshold == pytest.approx(fitted.threshold, abs=1e-6)


def test_one_tag_is_two_classes():
    X, y = make_blobs(120, 6, centers=2, cluster_std=3.0, random_state=0)
    landmarks = np.arange(0, 120, 4)
    pool = viewed_pool(X)
    tag = predict_tags(pool, landmarks, y[landmarks, None].astype(float))
    classes = predict_classes(pool, landmarks, y[landmarks], 2)
    same = present(tag.probabilities, tag.threshold)[:, 0] == (classes.probabilities[:, 1] > 0.5)
    assert same.mean() > 0.97


def test_disjoint_tags_are_classes():
    X, y = make_blobs(150, 6, centers=3, cluster_std=2.0, random_state=0)
    landmarks, one_hot = np.arange(0, 150, 5), np.eye(3)[y]
    found = predict_tags(viewed_pool(X), landmarks, one_hot[landmarks])
    assert (found.probabilities.argmax(axis=1) == y).mean() > 0.97
    sets = present(found.probabilities, found.threshold)
    assert (sets == one_hot).all(axis=1).mean() > 0.95


@pytest.mark.parametrize("row", [[1.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
def test_one_label_is_what_all_have(row):
    X = np.random.default_rng(1).normal(size=(40, 6))
    found = predict_tags(viewed_pool(X), np.array([7]), np.array([row]))
    np.testing.assert_allclose(found.probabilities, np.tile(row, (40, 1)), atol=2e-9)
    np.testing.assert_array_equal(present(found.probabilities, found.threshold), np.tile(row, (40, 1)) > 0)
    np.testing.assert_allclose(found.new(X + 0.1), np.tile(row, (40, 1)), atol=2e-9)
    assert found.new(X + 0.1).min() > 0
    assert found.new(X + 0.1).max() < 1
    assert found.threshold == pytest.approx(0.5, abs=1e-15)


def test_nothing_is_known_where_no_label_reaches():
    X = np.concatenate([np.random.default_rng(0).normal(size=(30, 2)) + at for at in (0, 500)])
    landmarks, Y = np.arange(6), np.array([[0.0, 1.0], [1.0, 1.0]] * 3)
    graph = tp.neighbor_graph(X, 5)
    with pytest.warns(tp.UnreachedWarning, match="30 of 60 samples lie in 1 component without a landmark"):
        found = predict_tags(graph_pool(graph), landmarks, Y)
    np.testing.assert_array_equal(np.isnan(found.probabilities).all(axis=1), np.arange(60) >= 30)
    assert not present(found.probabilities, found.threshold)[30:].any()
    np.testing.assert_array_equal(tag_uncertainty(found.probabilities, found.threshold)[30:], 1.0)
    with_models = predict_tags(viewed_pool(X, "raw", n_neighbors=5), landmarks, Y)  # no warning: they speak
    assert not np.isnan(with_models.probabilities).any()


def test_labels_drawn_at_random_set_temperature_and_threshold_alone(digits):
    X, Y, landmarks = digits
    pool = viewed_pool(X, "raw")
    whole = predict_tags(pool, landmarks, Y[landmarks])
    excess = (whole.left_out - Y[landmarks]).sum(axis=1)
    some = np.argsort(-excess)[:ENOUGH]  # more tags are expected than there are
    found = predict_tags(pool, landmarks, Y[landmarks], at_random=some)
    assert found.weights == whole.weights
    left = reference.tempered(whole.left_out, 1 / whole.temperature)  # back to the mixture
    want = reference.temperature(left[some], Y[landmarks][some], PRIOR, GRID)
    assert found.temperature == pytest.approx(want)
    assert found.threshold > whole.threshold
    assert found.threshold == threshold_of(found.left_out[some], Y[landmarks][some])
    few = predict_tags(pool, landmarks, Y[landmarks], at_random=some[:-1])
    assert (few.temperature, few.threshold) == (whole.temperature, whole.threshold)


@given(
    st.integers(1, 6).flatmap(
        lambda t: st.lists(
            st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=t, max_size=t),
            min_size=1,
            max_size=8,
        )
    )
)
def test_the_threshold_gives_as_many_tags_as_there_are(rows):
    p = np.array([[value / 20 for value, _ in row] for row in rows])
    p += np.linspace(0, 1e-4, p.size).reshape(p.shape)  # no two alike
    Y = np.array([[float(has) for _, has in row] for row in rows])
    h = threshold_of(p, Y)
    assert h == pytest.approx(reference.threshold(p, Y, EDGE))
    if EDGE < h < 1 - EDGE and 0 < Y.sum() < Y.size:
        assert (p > h).sum() == Y.sum()


@given(st.lists(st.lists(st.integers(0, 8), min_size=3, max_size=3), min_size=1, max_size=6))
def test_the_uncertainty_is_the_chance_of_another_set(rows):
    p = np.array(rows) / 8
    np.testing.assert_allclose(tag_uncertainty(p, 0.4), reference.uncertainty(p, 0.4), atol=1e-12)
