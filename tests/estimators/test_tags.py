"""Sets of tags as targets of the classifier."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import MultiLabelBinarizer

import trigpoint as tp
from trigpoint.prediction import predict_tags, tag_uncertainty, viewed_pool

NAN = float("nan")
X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
SETS = [{"b"}, None, None, None, None, {"a", "b"}]
WHOLE = [[0, 1]] * 3 + [[1, 1]] * 3


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    X, y = X[:300], y[:300]
    Y = np.stack([y % 2 == 0, np.isin(y, [2, 3, 5, 7]), np.isin(y, [0, 6, 8, 9]), y >= 5], 1).astype(int)
    few = np.full_like(Y, -1)
    few[::5] = Y[::5]
    return X, Y, few


def fit(y, **parameters):
    return tp.ManifoldClassifier(n_neighbors=3, **parameters).fit(X, y)


def rows(a, b, unknown):
    return [a, *[[unknown] * 2] * 4, b]


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (np.array(rows([0, 1], [1, 1], -1)), [0, 1]),
        (np.array(rows([0, 1], [1, 1], -1), dtype=np.int8), [0, 1]),
        (np.array(rows([0, 1], [1, 1], NAN), dtype=np.float32), [0, 1]),
        (np.array(rows([False, True], [True, True], None), dtype=object), [0, 1]),
        (rows([0, 1], [1, 1], -1), [0, 1]),
        (list(np.array(rows([0, 1], [1, 1], -1))), [0, 1]),
        (pd.DataFrame(rows([0, 1], [1, 1], NAN)), [0, 1]),
        (np.asfortranarray(rows([0, 1], [1, 1], -1)), [0, 1]),
        (SETS, ["a", "b"]),
        (tuple(SETS), ["a", "b"]),
        ([None if row is None else frozenset(row) for row in SETS], ["a", "b"]),
        ([None if row is None else sorted(row) for row in SETS], ["a", "b"]),
        ([None if row is None else tuple(row) for row in SETS], ["a", "b"]),
        ([None if row is None else np.array(sorted(row)) for row in SETS], ["a", "b"]),
        (pd.Series(SETS), ["a", "b"]),
        ([{7}, NAN, NAN, None, None, {7, 3}], [3, 7]),
    ],
)
def test_tags_of_every_kind(y, classes, predictor):
    clf = fit(y, predictor=predictor)
    assert clf.classes_.tolist() == classes
    assert clf.landmarks_.tolist() == [0, 5]
    assert clf.transduction_[[0, 5]].tolist() == [WHOLE[0], WHOLE[5]]
    assert clf.transduction_.dtype == clf.predict(X).dtype == np.int64
    np.testing.assert_array_equal(clf.predict(X), clf.transduction_)
    np.testing.assert_array_equal(clf.predict_proba(X), clf.label_distributions_)
    if predictor == "propagation":
        assert clf.transduction_.tolist() == WHOLE


def test_what_multi_label_binarizer_gives():
    sets = [{"b"}, {"b"}, set(), {"a", "b"}, {"a"}, {"a", "b"}]
    dense = fit(MultiLabelBinarizer().fit_transform(sets))
    thin = fit(MultiLabelBinarizer(sparse_output=True).fit_transform(sets))
    named = fit(sets)
    np.testing.assert_array_equal(dense.transduction_, MultiLabelBinarizer().fit_transform(sets))
    for clf in (thin, named, fit(sparse.csr_array(dense.transduction_)), fit(dense.transduction_ > 0)):
        np.testing.assert_array_equal(clf.label_distributions_, dense.label_distributions_)
    assert dense.score(X, sets) == pytest.approx(1 / 6)  # its tags are 0 and 1: only none is the same
    assert named.score(X, sets) == named.score(X, dense.transduction_) == 1.0


def test_it_is_the_function(digits):
    X, Y, few = digits
    clf = tp.ManifoldClassifier().fit(X, few)
    landmarks = np.arange(0, 300, 5)
    found = predict_tags(viewed_pool(X), landmarks, Y[landmarks].astype(float))
    np.testing.assert_allclose(clf.label_distributions_, found.probabilities, atol=1e-12)
    np.testing.assert_array_equal(clf.transduction_, found.probabilities > found.threshold)
    np.testing.assert_allclose(clf.uncertainty_, tag_uncertainty(found.probabilities, found.threshold))
    assert (clf.threshold_, clf.weights_, clf.left_out_errors_) == (
        found.threshold,
        found.weights,
        found.errors,
    )
    assert clf.view_.name == found.main.name
    new = X[:9] + 0.3
    np.testing.assert_allclose(clf.predict_proba(new), found.new(new), atol=1e-12)
    np.testing.assert_array_equal(clf.predict(new), found.new(new) > found.threshold)
    rest = few[:, 0] < 0
    assert f1_score(Y[rest], clf.transduction_[rest], average="macro") > 0.93
    assert clf.score(X, Y) == accuracy_score(Y, clf.predict(X))
    wrong = (clf.transduction_ != Y).any(axis=1)
    assert clf.uncertainty_[wrong].mean() > 3 * clf.uncertainty_[~wrong].mean()


def test_cross_validation_knows_tags(digits):
    X, Y, _ = digits
    assert cross_val_score(tp.ManifoldClassifier(view="raw"), X, Y, cv=3).mean() > 0.85


def test_where_nothing_is_known_rows_are_unknown():
    given = sparse.csr_array(cdist(X, X) * (cdist(X, X) < 5))
    with pytest.warns(tp.UnreachedWarning, match="3 of 6 samples"):
        clf = tp.ManifoldClassifier(n_neighbors=2, metric="precomputed").fit(
            given, [{"a"}, set(), None, None, None, None]
        )
    assert clf.transduction_[3:].tolist() == [[-1]] * 3
    assert clf.transduction_[:2].tolist() == [[1], [0]]
    assert np.isnan(clf.label_distributions_[3:]).all()
    np.testing.assert_array_equal(clf.uncertainty_[3:], 1.0)
    assert clf.score(given, [{"a"}, set(), {"a"}, {"a"}, {"a"}, {"z"}]) <= 0.5


def test_scores_weigh_samples_and_know_strange_tags():
    clf = fit(SETS)
    told = [*clf.transduction_.tolist()]
    names = [{"ab"[j] for j in range(2) if row[j]} for row in told]
    assert clf.score(X, names) == 1.0
    names[0] = {"z"}
    assert clf.score(X, names) == pytest.approx(5 / 6)
    assert clf.score(X, names, sample_weight=[5, 1, 1, 1, 1, 1]) == pytest.approx(0.5)
    with pytest.raises(tp.InputError, match=r"y must have shape \(6, 2\)"):
        clf.score(X, np.zeros((6, 3)))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.array([[0, 2]] * 6), r"must be 0 or 1 for each tag, or hold sets of tags; got 2 among them"),
        (np.array([[0, -1]] * 6), r"must tell all tags of a sample, or none \(a row of -1 or NaN\)"),
        (np.full((6, 2), -1), "must hold the tags of at least one sample; all 6 are unlabeled"),
        ([None, None, set(), None, None, None], "must hold at least one tag"),
        ([{"a"}, {"b"}, "c", None, None, None], "must be a set of tags, or None, for each sample; got 'c'"),
        ([{"a"}, {3}, None, None, None, None], "must hold tags of one kind"),
        ([{"a"}, {None}, None, None, None, None], "must hold tags that are text or whole numbers"),
        ([{0.5}, set(), None, None, None, None], "must hold tags that are text or whole numbers"),
        (np.array([["a", "b"]] * 6), "must be 0 or 1 for each tag"),
    ],
)
def test_what_is_refused(y, message):
    with pytest.raises(tp.InputError, match=message):
        fit(y)


@pytest.mark.parametrize(
    ("parameters", "argument"),
    [
        ({"noise": 0.1}, "noise"),
        ({"class_prior": "labeled"}, "class_prior"),
        ({"beta": 1.0, "predictor": "propagation"}, "beta"),
    ],
)
def test_what_has_no_meaning_for_tags(parameters, argument):
    with pytest.raises(tp.InputError, match="for tags") as caught:
        fit(SETS, **parameters)
    assert caught.value.argument == argument
    assert fit(SETS, noise=0).transduction_.tolist()[0] == [0, 1]


def test_classes_after_tags_are_classes_again():
    clf = fit(SETS)
    assert clf.fit(X, [4, -1, -1, -1, -1, 9]).predict(X).tolist() == [4, 4, 4, 9, 9, 9]
    assert not hasattr(fit([4, -1, -1, -1, -1, 9]), "threshold_")
