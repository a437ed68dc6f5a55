"""predictor="auto": views and models, mixed by what they say of labels that they do not know."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits, load_wine, make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler, scale

import trigpoint as tp
from trigpoint.prediction import _pool_views, _spread, best_view, predict_classes, predict_values, viewed_pool

VIEWS = ["half_white", "white"]


def some(y, landmarks, unknown=-1):
    few = np.full(len(y), unknown, dtype=float if np.isnan(unknown) else int)
    few[landmarks] = y[landmarks]
    return few


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    chosen = np.random.default_rng(0).choice(1797, 500, replace=False)
    return X[chosen], y[chosen], some(y[chosen], np.arange(60))


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return X, y, some(y, np.arange(0, 178, 6))


@pytest.fixture
def large(monkeypatch):
    """All that happens in large pools, in small ones."""
    monkeypatch.setattr(_pool_views, "MANY", 100)
    monkeypatch.setattr(_pool_views, "SAMPLE", 90)
    monkeypatch.setattr(_spread, "WHOLE", 10)
    monkeypatch.setattr(_spread, "COLUMNS", 10)


def test_it_is_the_functions(digits):
    X, y, few = digits
    clf = tp.ManifoldClassifier().fit(X, few)
    pool = viewed_pool(X)
    found = predict_classes(pool, np.arange(60), y[:60], 10)
    np.testing.assert_allclose(clf.label_distributions_, found.probabilities, rtol=1e-9, atol=1e-15)
    np.testing.assert_array_equal(clf.transduction_, found.probabilities.argmax(axis=1))
    assert clf.weights_ == found.weights
    assert clf.left_out_errors_ == found.errors
    assert clf.views_considered_ == pool.considered
    assert clf.view_.name == found.main.name
    np.testing.assert_array_equal(clf.graph_.indices, found.main.graph.indices)
    assert (clf.alignment_matrix_ != found.main.phi).nnz == 0
    np.testing.assert_allclose(clf.predict_proba(X[:9] + 0.3), found.new(X[:9] + 0.3), rtol=1e-9, atol=1e-15)


def test_what_is_told_of_the_mixture(digits):
    X, y, few = digits
    clf = tp.ManifoldClassifier().fit(X, few)
    assert list(clf.weights_) == ["raw", *VIEWS, "linear", "kernel"]
    np.testing.assert_allclose(sum(clf.weights_.values()), 1.0)
    assert min(clf.weights_.values()) >= 0
    assert clf.left_out_errors_.keys() == clf.weights_.keys()
    assert all(0 <= error <= 1 for error in clf.left_out_errors_.values())
    best = max(("raw", *VIEWS), key=clf.weights_.get)
    assert clf.view_.name == best
    np.testing.assert_array_equal(clf.graph_.indices, tp.neighbor_graph(clf.view_.transform(X)).indices)
    assert list(clf.views_considered_) == ["raw", *VIEWS]
    assert (clf.transduction_ == y).mean() > 0.9
    named = tp.ManifoldClassifier(view="white").fit(X, few)
    assert list(named.weights_) == ["white", "linear", "kernel"]
    assert named.view_.name == "white"
    alone = tp.ManifoldClassifier(predictor="propagation").fit(X, few)
    assert alone.weights_ == {alone.view_.name: 1.0}
    assert alone.view_.name == min(alone.left_out_errors_, key=alone.left_out_errors_.get)
    assert alone.view_.name == best_view(viewed_pool(X), np.arange(60), np.eye(10)[y[:60]])[0].name


def test_it_is_better_than_its_parts_on_digits(digits):
    X, y, few = digits
    rest = np.arange(500) >= 60
    wrong = {
        predictor: (tp.ManifoldClassifier(predictor=predictor).fit(X, few).transduction_ != y)[rest].mean()
        for predictor in ("auto", "propagation", "linear")
    }
    assert wrong["auto"] <= min(wrong["propagation"], wrong["linear"]) + 0.01


def test_columns_of_other_units_do_not_matter(wine):
    """One column of wine is in the hundreds, others are shares of one."""
    X, y, few = wine
    raw, standard = tp.ManifoldClassifier().fit(X, few), tp.ManifoldClassifier().fit(scale(X), few)
    assert list(raw.weights_) == ["standard", *VIEWS, "linear", "kernel"]
    assert list(standard.weights_) == ["raw", *VIEWS, "linear", "kernel"]
    np.testing.assert_allclose(raw.label_distributions_, standard.label_distributions_, atol=1e-6)
    assert (raw.transduction_ == y).mean() > 0.93
    plain = tp.ManifoldClassifier(predictor="propagation", view="raw").fit(X, few)
    assert (plain.transduction_ == y).mean() < 0.8  # which is what it is for
    rng = np.random.default_rng(0)
    Z, t = make_blobs(300, 6, centers=4, cluster_std=2.0, random_state=1)
    thousands = np.column_stack([Z, 5000 * rng.normal(size=300)])
    ones = np.column_stack([Z, thousands[:, 6] / 5000])
    few = some(t, np.arange(30))
    got = (tp.ManifoldClassifier().fit(thousands, few).transduction_ == t).mean()
    assert got >= (tp.ManifoldClassifier().fit(ones, few).transduction_ == t).mean() - 0.02
    assert got > 0.9


def test_the_linear_model_is_logistic_regression(wine):
    X, y, few = wine
    clf = tp.ManifoldClassifier(predictor="linear").fit(X, few)
    assert clf.weights_ == {"linear": 1.0}
    known = few >= 0
    scaler = StandardScaler().fit(X)
    want = LogisticRegression(max_iter=200).fit(scaler.transform(X[known]), y[known])
    np.testing.assert_array_equal(clf.transduction_[~known], want.predict(scaler.transform(X[~known])))
    np.testing.assert_array_equal(clf.transduction_[known], y[known])
    np.testing.assert_array_equal(clf.predict(X + 1e-3), want.predict(scaler.transform(X + 1e-3)))


def test_labels_are_kept(digits, wine):
    for X, y, few in (digits, wine):
        wrong = np.where(few >= 0, (few + 1) % 3, -1)  # whatever they say
        clf = tp.ManifoldClassifier().fit(X, wrong)
        known = wrong >= 0
        np.testing.assert_array_equal(clf.transduction_[known], wrong[known])
        np.testing.assert_array_equal(clf.uncertainty_[known], 0.0)
        np.testing.assert_array_equal(clf.predict(X), clf.transduction_)
        assert y is not wrong
    values = np.where(few >= 0, 3.5 * few, np.nan)
    reg = tp.ManifoldRegressor(compute_std=False).fit(X, values)
    np.testing.assert_array_equal(reg.transduction_[few >= 0], values[few >= 0])


@pytest.mark.parametrize("shift", [0.0, 1.0, 2.5])
@pytest.mark.parametrize("n_labels", [20, 60])
def test_an_unbalanced_pool_is_no_worse_than_its_majority(shift, n_labels):
    """95 of 100 samples are of one class; the others lie among them, beside them or apart."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y = (np.arange(600) % 20 == 0).astype(int)
        X = rng.normal(size=(600, 6)) + shift * y[:, None]
        chosen = np.concatenate([[0, 20], rng.choice(np.arange(1, 600), n_labels, replace=False)])
        few = some(y, np.unique(chosen))
        right = (tp.ManifoldClassifier().fit(X, few).transduction_ == y)[few < 0].mean()
        lost = 0.02 if shift == 0 else 0.0  # labels that mean nothing are believed where they are given
        assert right >= (y[few < 0] == 0).mean() - lost


@pytest.mark.parametrize("n_labels", [1, 5])
def test_one_class_is_everywhere(digits, n_labels):
    X = digits[0]
    clf = tp.ManifoldClassifier().fit(X, np.where(np.arange(500) < n_labels, 7, -1))
    assert clf.classes_.tolist() == [7]
    assert (clf.transduction_ == 7).all()
    np.testing.assert_array_equal(clf.predict_proba(X + 0.5), np.ones((500, 1)))
    np.testing.assert_allclose(sum(clf.weights_.values()), 1.0)


def test_one_label_a_class_and_all_labels(digits):
    X, y, _ = digits
    first = np.array([np.flatnonzero(y == k)[0] for k in range(10)])
    each = tp.ManifoldClassifier().fit(X, some(y, first))
    assert max(each.weights_.values()) < 0.5  # labels that are left out say nothing
    assert (each.transduction_ == y).mean() > 0.5
    assert (each.predict(X + 0.1) == each.transduction_).mean() > 0.95
    whole = tp.ManifoldClassifier(noise=0).fit(X, y)
    np.testing.assert_array_equal(whole.transduction_, y)
    np.testing.assert_array_equal(whole.predict(X), y)
    assert whole.uncertainty_.max() == 0
    doubted = tp.ManifoldClassifier().fit(X, y)
    assert (doubted.transduction_ == y).mean() > 0.985
    names = tp.ManifoldClassifier().fit(X[:40], np.arange(40))  # as many classes as samples
    np.testing.assert_array_equal(names.transduction_, np.arange(40))


@pytest.mark.parametrize("estimator", [tp.ManifoldClassifier(), tp.ManifoldRegressor()])
def test_the_same_call_gives_the_same_bits(wine, estimator):
    X, _, few = wine
    y = few if isinstance(estimator, tp.ManifoldClassifier) else np.where(few < 0, np.nan, few)
    one, two = clone(estimator).fit(X, y), clone(estimator).fit(X.copy(), y.copy())
    np.testing.assert_array_equal(one.uncertainty_, two.uncertainty_)
    np.testing.assert_array_equal(one.predict(X + 0.01), two.predict(X + 0.01))
    assert one.weights_ == two.weights_


def test_samples_in_another_order(digits):
    """Folds share out labels in their order, so this order alone may change weights a little."""
    X, _, few = digits
    clf = tp.ManifoldClassifier().fit(X, few)
    order = np.concatenate([np.arange(60), 60 + np.random.default_rng(0).permutation(440)])
    unlabeled = tp.ManifoldClassifier().fit(X[order], few[order])
    np.testing.assert_allclose(unlabeled.label_distributions_, clf.label_distributions_[order], atol=1e-3)
    np.testing.assert_allclose(list(unlabeled.weights_.values()), list(clf.weights_.values()), atol=1e-3)
    order = np.random.default_rng(1).permutation(500)
    other = tp.ManifoldClassifier().fit(X[order], few[order])
    assert (other.transduction_ == clf.transduction_[order]).mean() > 0.98
    given = {"view": "raw", "metric": "cosine", "n_neighbors": 10}
    alone = tp.ManifoldRegressor(compute_std=False, **given)
    values = np.where(few < 0, np.nan, X[:, 20])  # left out one by one: any order gives the same
    want = clone(alone).fit(X, values).transduction_[order]
    np.testing.assert_allclose(clone(alone).fit(X[order], values[order]).transduction_, want, atol=1e-5)


def test_large_pools_are_predicted_as_well(digits, large):
    X, y, few = digits
    found = tp.ManifoldClassifier().fit(X, few)
    assert len([name for name in found.weights_ if name not in ("linear", "kernel")]) == 1
    assert list(found.views_considered_) == ["raw", *VIEWS]
    assert all("error" in said for said in found.views_considered_.values())
    assert found.view_.name == min(
        found.views_considered_, key=lambda name: found.views_considered_[name]["error"]
    )
    assert (found.transduction_ == y).mean() > 0.9
    np.testing.assert_array_equal(found.predict(X), found.transduction_)


@pytest.mark.parametrize("path", ["columns", "probes"])
def test_large_pools_give_nearly_the_same_answers(digits, monkeypatch, path):
    X, y, few = digits
    want = tp.ManifoldClassifier(view="half_white").fit(X, few)
    monkeypatch.setattr(_spread, "WHOLE", 10)
    if path == "probes":
        monkeypatch.setattr(_spread, "COLUMNS", 10)
    found = tp.ManifoldClassifier(view="half_white").fit(X, few)
    atol = 1e-3 if path == "columns" else 0.1
    np.testing.assert_allclose(list(found.weights_.values()), list(want.weights_.values()), atol=atol)
    assert (found.transduction_ == want.transduction_).mean() > 0.985
    assert np.abs(found.label_distributions_ - want.label_distributions_).mean() < atol
    whole = tp.ManifoldClassifier(view="half_white", noise=0).fit(X, y)  # every sample has a label
    np.testing.assert_array_equal(whole.transduction_, y)


def test_large_pools_of_real_values(large):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    y = 1e4 + np.sin(X[:, 0]) + X[:, 1]  # far from 0, which labels are drawn to
    few = some(y, np.arange(80), np.nan)
    reg = tp.ManifoldRegressor(compute_std=False).fit(X, few)
    assert list(reg.weights_) == [reg.view_.name, "linear"]
    said = reg.views_considered_
    assert reg.view_.name == min(said, key=lambda name: said[name]["error"])
    near = tp.ManifoldRegressor(compute_std=False).fit(X, few - 1e4)
    for name, of in near.views_considered_.items():
        np.testing.assert_allclose(said[name]["error"], of["error"], rtol=1e-4)
    assert np.corrcoef(reg.transduction_, y)[0, 1] > 0.8
    whole = tp.ManifoldRegressor(compute_std=False).fit(X, y)
    np.testing.assert_array_equal(whole.transduction_, y)


def test_real_values_are_those_of_the_functions(wine):
    X, _, few = wine
    landmarks = np.flatnonzero(few >= 0)
    y = scale(X)[:, :2] @ np.array([[1.0, 0.5], [0.0, 2.0]])
    given = np.full_like(y, np.nan)
    given[landmarks] = y[landmarks]
    reg = tp.ManifoldRegressor().fit(X, given)
    found = predict_values(viewed_pool(X), landmarks, y[landmarks])
    np.testing.assert_array_equal(reg.transduction_, found.values)
    np.testing.assert_array_equal(reg.predict(X + 0.01), found.new(X + 0.01))
    assert reg.weights_ == found.weights
    assert reg.left_out_errors_ == found.errors
    assert reg.view_.name == found.main.name
    want = tp.uncertainty(found.main.phi, landmarks)[:, None] * found.units()
    np.testing.assert_allclose(reg.uncertainty_, want, rtol=1e-9)
    std = tp.propagation.extend_std(
        found.main.graph, found.main.X, found.main.transform(X + 0.01), reg.uncertainty_, found.units()
    )
    np.testing.assert_allclose(reg.predict(X + 0.01, return_std=True)[1], std, rtol=1e-9)
    np.testing.assert_allclose(sum(reg.weights_.values()), 1.0)


@pytest.mark.parametrize("estimator", [tp.ManifoldClassifier(), tp.ManifoldRegressor()])
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"beta": 2.0}, "beta must be None unless predictor='propagation'; got 2.0 with 'auto'"),
        ({"beta": 2.0, "predictor": "linear"}, "beta must be None .*; got 2.0 with 'linear'"),
        ({"predictor": "svm"}, "predictor must be one of 'auto', 'propagation', 'linear'; got 'svm'"),
        ({"predictor": None}, "predictor must be one of 'auto', 'propagation', 'linear'"),
        ({"view": "best"}, "view must be one of 'auto', 'raw', 'standard', 'half_white', 'white'"),
        (
            {"view": "white", "metric": "cosine"},
            "view must be 'auto' or 'raw' with metric='cosine'; got 'white'",
        ),
        (
            {"view": "standard", "metric": "precomputed"},
            "view must be 'auto' or 'raw' with metric='precomputed'",
        ),
    ],
)
def test_what_is_refused_before_any_graph_is_built(wine, monkeypatch, estimator, parameters, message):
    monkeypatch.setattr("trigpoint.prediction._pool_views.neighbor_graph", None)  # calling it would fail
    X, y, _ = wine
    with pytest.raises(tp.InputError, match=message) as refused:
        clone(estimator).set_params(**parameters).fit(X, y)
    assert refused.value.argument in parameters


def test_gamma_is_for_propagation(wine):
    X, y, _ = wine
    with pytest.raises(tp.InputError, match="gamma must be None unless predictor='propagation'") as refused:
        tp.ManifoldRegressor(gamma=0.1).fit(X, y)
    assert refused.value.argument == "gamma"


@pytest.mark.parametrize("form", [np.float32, np.asfortranarray, sparse.csr_array, "read-only"])
def test_forms_of_features(digits, form):
    X, y, few = digits
    if form == "read-only":
        given = X.copy()
        given.flags.writeable = False
    else:
        given = X.astype(form) if form is np.float32 else form(X)
    clf = tp.ManifoldClassifier().fit(given, few)
    want = tp.ManifoldClassifier().fit(X, few)
    same = clf.transduction_ == want.transduction_
    assert same.mean() > (0.93 if form is sparse.csr_array else 0.99)  # sparse features are not centered
    assert (clf.transduction_ == y).mean() > 0.88
    np.testing.assert_array_equal(clf.predict(given), clf.transduction_)


@pytest.mark.parametrize("estimator", [tp.ManifoldClassifier(), tp.ManifoldRegressor()])
def test_constant_columns_copies_and_two_samples(estimator):
    rng = np.random.default_rng(0)
    X = np.repeat(rng.integers(0, 3, size=(40, 6)).astype(float), 3, axis=0)
    X[:, 2] = 5.0
    y = np.repeat((X[::3, 0] > 0).astype(float), 3)
    few = np.where(np.arange(120) % 4 == 0, y, -1 if isinstance(estimator, tp.ManifoldClassifier) else np.nan)
    found = clone(estimator).fit(X, few)
    assert np.abs(found.transduction_ - y).mean() < 0.2
    assert np.isfinite(found.predict(X + 0.5)).all()
    alike = clone(estimator).fit(np.ones((9, 7)), np.where(np.arange(9) < 3, 1, few[1]))
    np.testing.assert_allclose(alike.transduction_, 1.0)
    two = clone(estimator).fit([[0.0] * 6, [1.0] * 6], [2, 3])
    np.testing.assert_array_equal(two.transduction_, [2, 3])
    np.testing.assert_array_equal(two.predict([[0.0] * 6, [1.0] * 6]), [2, 3])
