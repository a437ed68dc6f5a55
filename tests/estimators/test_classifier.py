import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import make_moons
from sklearn.semi_supervised import LabelSpreading

import trigpoint as tp

PLAIN = {"predictor": "propagation", "view": "raw"}
both = pytest.mark.parametrize("predictor", ["auto", "propagation"])


@pytest.fixture(scope="module")
def moons():
    X, y = make_moons(300, noise=0.08, random_state=0)
    few = np.full(300, -1)
    few[::30] = y[::30]
    return X, y, few


def test_it_is_the_functions(moons):
    X, y, few = moons
    clf = tp.ManifoldClassifier(n_neighbors=8, **PLAIN).fit(X, few)
    graph = tp.neighbor_graph(X, 8)
    landmarks = np.arange(0, 300, 30)
    z = tp.propagate(tp.laplacian(graph), landmarks, np.eye(2)[y[landmarks]])
    np.testing.assert_allclose(clf.label_distributions_, z, atol=1e-9)
    np.testing.assert_array_equal(clf.transduction_, z.argmax(axis=1))
    np.testing.assert_allclose(clf.uncertainty_, 1 - z.max(axis=1), atol=1e-9)
    np.testing.assert_array_equal(clf.landmarks_, landmarks)
    X_new = X[:50] + 0.05
    np.testing.assert_allclose(clf.predict_proba(X_new), tp.extend(graph, X, X_new, z), atol=1e-9)
    np.testing.assert_array_equal(clf.predict(X_new), tp.extend(graph, X, X_new, z).argmax(axis=1))
    assert (clf.transduction_ == y).mean() > 0.9


@both
def test_it_has_the_shape_of_label_spreading(moons, predictor):
    X, _, few = moons
    ours = tp.ManifoldClassifier(predictor=predictor).fit(X, few)
    theirs = LabelSpreading(kernel="knn", n_neighbors=15).fit(X, few)
    for name in ("classes_", "transduction_", "label_distributions_", "n_features_in_"):
        a, b = getattr(ours, name), getattr(theirs, name)
        assert np.shape(a) == np.shape(b)
        assert np.asarray(a).dtype == np.asarray(b).dtype
    assert ours.predict(X[:3]).shape == theirs.predict(X[:3]).shape
    assert ours.predict_proba(X[:3]).shape == theirs.predict_proba(X[:3]).shape
    assert ours.score(X, ours.transduction_) == 1.0


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("form", [np.float64, np.float32, sparse.csr_array, sparse.csr_matrix])
def test_training_samples_are_predicted_as_they_were_inferred(moons, metric, form, predictor):
    X, _, few = moons
    X = (X + 2.0).astype(form) if form in (np.float64, np.float32) else form(X + 2.0)
    clf = tp.ManifoldClassifier(metric=metric, view="raw", predictor=predictor).fit(X, few)
    np.testing.assert_array_equal(clf.predict_proba(X), clf.label_distributions_)
    np.testing.assert_array_equal(clf.predict(X), clf.transduction_)
    kept = clf._pool.X if predictor == "propagation" else clf._mixture.pool.X
    assert np.shares_memory(getattr(kept, "data", kept), getattr(X, "data", X))
    prior = clf.set_params(class_prior=[0.2, 0.8]).fit(X, few)
    np.testing.assert_array_equal(prior.predict_proba(X), prior.label_distributions_)


@both
@pytest.mark.parametrize(
    ("alignment", "options"),
    [
        ("diffusion", None),
        ("lle", {"reg": 1e-2}),
        ("ltsa", {"n_components": 1}),
        ("isomap", {"n_components": 2}),
    ],
)
def test_shares_are_shares_on_every_alignment(alignment, options, predictor):
    """LLE, LTSA and Isomap overshoot; shares may not."""
    rng = np.random.default_rng(0)
    t = rng.random(150)
    X = np.column_stack([t, np.sin(3 * t)])
    few = np.full(150, -1)
    few[::10] = np.digitize(t[::10], [0.3, 0.6])
    clf = tp.ManifoldClassifier(
        n_neighbors=8, alignment=alignment, alignment_options=options, predictor=predictor
    ).fit(X, few)
    for shares in (clf.label_distributions_, clf.predict_proba(X + 0.01)):
        assert shares.min() >= 0
        np.testing.assert_allclose(shares.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_array_equal(clf.transduction_[::10], few[::10])
    assert (clf.transduction_ == np.digitize(t, [0.3, 0.6])).mean() > 0.8


def test_a_line_worked_out_by_hand():
    line = sparse.csr_array(np.diag(np.ones(4), 1) + np.diag(np.ones(4), -1))
    given = {"metric": "precomputed", "n_neighbors": None, **PLAIN}
    clf = tp.ManifoldClassifier(**given).fit(line, [0, -1, -1, -1, 1])
    np.testing.assert_allclose(clf.label_distributions_[:, 1], [0, 0.25, 0.5, 0.75, 1])
    np.testing.assert_allclose(clf.uncertainty_, [0, 0.25, 0.5, 0.25, 0])
    new = sparse.csr_array(
        ([0.0, 1.0, 1.0], ([0, 1, 1], [3, 2, 3])), shape=(2, 5)
    )  # a copy of 3; between 2 and 3
    np.testing.assert_allclose(clf.predict_proba(new)[:, 1], [0.75, 0.625])


def test_class_mass_by_hand():
    """Shares .25, .5, .75 of class 1 among the unlabeled: mean 1/2 each, so priors are the weights."""
    line = sparse.csr_array(np.diag(np.ones(4), 1) + np.diag(np.ones(4), -1))
    y = [0, -1, -1, -1, 1]
    given = {"metric": "precomputed", "n_neighbors": None, **PLAIN}
    clf = tp.ManifoldClassifier(class_prior=[3, 1], **given).fit(line, y)
    odds = np.array([0.25, 0.5, 0.75]) / np.array([0.75, 0.5, 0.25]) / 3
    np.testing.assert_allclose(clf.label_distributions_[1:4, 1], odds / (1 + odds))
    np.testing.assert_array_equal(clf.label_distributions_[[0, 4]], np.eye(2))
    more = tp.ManifoldClassifier(class_prior=[3, 1], **given)
    odds = np.array([1 / 2, 2]) / 3  # labeled samples have no part in the mass
    np.testing.assert_allclose(
        more.fit(line, [0, 0, -1, -1, 1]).label_distributions_[2:4, 1], odds / (1 + odds)
    )
    even = tp.ManifoldClassifier(class_prior="labeled", **given).fit(line, y)
    np.testing.assert_allclose(even.label_distributions_[:, 1], [0, 0.25, 0.5, 0.75, 1])


@both
def test_labeled_proportions_help_where_classes_are_unbalanced(predictor):
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(0, 1, (180, 2)), rng.normal(2.5, 1, (20, 2))])
    y = np.repeat([0, 1], [180, 20])
    few = np.full(200, -1)
    chosen = np.concatenate([np.arange(18), [180, 181]])
    few[chosen] = y[chosen]
    plain = tp.ManifoldClassifier(predictor=predictor).fit(X, few)
    given = tp.ManifoldClassifier(predictor=predictor, class_prior=[0.5, 0.5]).fit(X, few)
    same = tp.ManifoldClassifier(predictor=predictor, class_prior="labeled").fit(X, few)
    same_by_hand = tp.ManifoldClassifier(predictor=predictor, class_prior=[18, 2]).fit(X, few)
    np.testing.assert_array_equal(same.label_distributions_, same_by_hand.label_distributions_)
    assert (given.transduction_ == 1).sum() > (plain.transduction_ == 1).sum()


def test_priors_where_nothing_is_left_to_weigh(moons):
    X, y, _ = moons
    for predictor in ("auto", "propagation"):
        whole = tp.ManifoldClassifier(predictor=predictor, class_prior=[0.9, 0.1]).fit(X, y)
        np.testing.assert_array_equal(whole.transduction_, y)
    far = np.concatenate([X, X + 100])  # class 2 is labeled everywhere it reaches
    labels = np.concatenate([np.where(np.arange(300) < 5, 0, -1), np.full(300, 2)])
    clf = tp.ManifoldClassifier(class_prior=[0.5, 0.5], **PLAIN).fit(far, labels)
    np.testing.assert_array_equal(clf.transduction_, np.repeat([0, 2], 300))


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ("balanced", "class_prior must be one of 'labeled'; got 'balanced'"),
        ([1.0, 0.0], "class_prior must be greater than 0"),
        ([1.0], r"class_prior must be one number or have shape \(2,\)"),
        (0.5, "class_prior must be None, 'labeled' or one number per class"),
        ([0.5, np.nan], "class_prior must hold finite numbers"),
    ],
)
def test_priors_that_are_none(moons, prior, message):
    X, _, few = moons
    with pytest.raises(ValueError, match=message):
        tp.ManifoldClassifier(class_prior=prior).fit(X, few)


def test_soft_labels_may_be_overruled(moons):
    X, y, few = moons
    wrong = np.where(few >= 0, few, -1)
    near = np.argsort(np.linalg.norm(X - X[0], axis=1))[:12]
    wrong[near] = y[0]
    wrong[0] = 1 - y[0]
    hard = tp.ManifoldClassifier().fit(X, wrong)
    soft = tp.ManifoldClassifier(predictor="propagation", beta=0.5).fit(X, wrong)
    assert hard.transduction_[0] == 1 - y[0]
    assert soft.transduction_[0] == y[0]
    np.testing.assert_allclose(soft.label_distributions_.sum(axis=1), 1.0)


@both
def test_one_class_all_labeled_and_classes_that_come_later(moons, predictor):
    X, y, few = moons
    one = tp.ManifoldClassifier(predictor=predictor).fit(X, np.where(few == 1, 1, -1))
    assert one.classes_.tolist() == [1]
    assert (one.transduction_ == 1).all()
    np.testing.assert_array_equal(one.predict_proba(X), np.ones((300, 1)))
    whole = tp.ManifoldClassifier(predictor=predictor).fit(X, y)
    np.testing.assert_array_equal(whole.transduction_, y)
    assert whole.uncertainty_.max() == 0
    later = tp.ManifoldClassifier(predictor=predictor).fit(X, np.where(np.arange(300) == 7, 5, few))
    assert later.classes_.tolist() == [0, 1, 5]


@both
def test_duplicates(predictor):
    X = np.repeat([[0.0], [1.0], [5.0]], 4, axis=0)
    y = np.full(12, -1)
    y[[0, 4, 8]] = [1, 1, 2]
    clf = tp.ManifoldClassifier(n_neighbors=5, predictor=predictor).fit(X, y)
    np.testing.assert_array_equal(clf.transduction_, np.repeat([1, 1, 2], 4))
    np.testing.assert_array_equal(clf.predict([[0.0], [5.0]]), [1, 2])
    same = tp.ManifoldClassifier(predictor=predictor).fit(np.ones((6, 2)), [0, 1, -1, -1, -1, 1])
    if predictor == "propagation":
        np.testing.assert_allclose(same.label_distributions_[2], [1 / 3, 2 / 3])
    np.testing.assert_array_equal(same.transduction_, [0, 1, 1, 1, 1, 1])


@both
def test_isolated_samples_are_not_guessed(predictor):
    """scikit-learn's LabelSpreading makes them NaN or class 0."""
    D = sparse.csr_array(([1.0, 1.0], ([0, 1], [1, 0])), shape=(4, 4))
    with pytest.warns(UserWarning, match="2 of 4 samples lie in 2 components") as caught:
        clf = tp.ManifoldClassifier(metric="precomputed", predictor=predictor).fit(D, [3, -1, -1, -1])
    assert len(caught) == 1
    assert clf.transduction_.tolist() == [3, 3, -1, -1]
    known = tp.ManifoldClassifier(metric="precomputed", predictor=predictor).fit(D, [3, -1, 4, 5])
    assert known.transduction_.tolist() == [3, 3, 4, 5]


def test_given_distances_give_what_features_give(moons):
    X, _, few = moons
    X_new = X[:40] + 0.03
    D, D_new = cdist(X, X), cdist(X_new, X)
    want = tp.ManifoldClassifier(n_neighbors=6, **PLAIN).fit(X, few)
    kept = np.argsort(D, axis=1)[:, :10]
    some = sparse.csr_array((np.take_along_axis(D, kept, 1).ravel(), kept.ravel(), np.arange(0, 3001, 10)))
    for given in (D, np.asfortranarray(D), some):
        got = tp.ManifoldClassifier(n_neighbors=6, metric="precomputed", **PLAIN).fit(given, few)
        np.testing.assert_allclose(got.label_distributions_, want.label_distributions_, atol=1e-9)
        np.testing.assert_allclose(got.predict_proba(D_new), want.predict_proba(X_new), atol=1e-9)
        np.testing.assert_array_equal(got.predict(D), got.transduction_)
        np.testing.assert_array_equal(got.predict(some), got.transduction_)
    with pytest.raises(ValueError, match="X has 40 features, but ManifoldClassifier is expecting 300"):
        got.predict(D_new.T)
    with pytest.raises(ValueError, match="Negative values"):
        got.predict(-D_new)


@both
def test_a_pool_of_two(predictor):
    clf = tp.ManifoldClassifier(predictor=predictor).fit([[0.0], [1.0]], ["a", "b"])
    assert clf.predict([[0.1], [0.9]]).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="1 sample"):
        tp.ManifoldClassifier(predictor=predictor).fit([[0.0]], ["a"])


def test_missing_text_in_a_list_is_unlabeled():
    X = np.random.default_rng(0).normal(size=(30, 2))
    fitted = tp.ManifoldClassifier(5).fit(X, ["a", np.nan, "b", None, *["a", "b"] * 13])
    assert fitted.classes_.tolist() == ["a", "b"]


def test_abstaining_counts_as_wrong_in_the_score():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (40, 2)), rng.normal(90, 1, (40, 2))])
    y = np.array(["a", "b"] * 20 + [None] * 40, dtype=object)
    with pytest.warns(UserWarning, match="without a landmark"):
        fitted = tp.ManifoldClassifier(5, **PLAIN).fit(X, y)
    truth = np.array(["a", "b"] * 40)
    assert fitted.score(X, truth) == 0.5
    assert fitted.score(X, truth, sample_weight=np.repeat([3.0, 1.0], 40)) == 0.75
