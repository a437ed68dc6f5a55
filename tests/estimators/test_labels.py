"""Every kind of label, and every way to say that there is none."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist

import trigpoint as tp

X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
NAN = float("nan")


PLAIN = {"predictor": "propagation", "view": "raw"}


def fit(y, **parameters):
    return tp.ManifoldClassifier(n_neighbors=3, **parameters).fit(X, y)


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
@pytest.mark.parametrize(
    ("y", "classes", "whole"),
    [
        ([4, -1, -1, -1, -1, 9], [4, 9], [4, 4, 4, 9, 9, 9]),
        (np.array([4, -1, -1, -1, -1, 9], dtype=np.int8), [4, 9], [4, 4, 4, 9, 9, 9]),
        (np.array([4, -1, -1, -1, -1, 9.0], dtype=np.float32), [4, 9], [4, 4, 4, 9, 9, 9]),
        ([4.0, NAN, NAN, NAN, -1, 9.0], [4, 9], [4, 4, 4, 9, 9, 9]),
        ([-7, -1, -1, -1, -1, -3], [-7, -3], [-7, -7, -7, -3, -3, -3]),
        ([4, None, None, None, -1, 9], [4, 9], [4, 4, 4, 9, 9, 9]),
        (["b", None, None, None, None, "a"], ["a", "b"], ["b", "b", "b", "a", "a", "a"]),
        (np.array(["b", -1, NAN, None, -1, "a"], dtype=object), ["a", "b"], list("bbbaaa")),
        (
            np.array([True, None, None, None, None, False], dtype=object),
            [False, True],
            [True] * 3 + [False] * 3,
        ),
        (pd.Series([4, None, None, None, None, 9], dtype="Int64"), [4, 9], [4, 4, 4, 9, 9, 9]),
        (pd.Series(["b", None, None, None, None, "a"]), ["a", "b"], list("bbbaaa")),
        (pd.Series(["b", None, None, None, None, "a"], dtype="string"), ["a", "b"], list("bbbaaa")),
        (pd.Series(["b", None, None, None, None, "a"], dtype="category"), ["a", "b"], list("bbbaaa")),
        (np.array([pd.NA, "b", pd.NA, pd.NA, "a", pd.NA], dtype=object), ["a", "b"], list("bbbaaa")),
        (np.array(list("bbaabb")), ["a", "b"], list("bbaabb")),
        (
            np.array([True, True, False, False, False, True]),
            [False, True],
            [True, True, False, False, False, True],
        ),
        (np.array([2, 2, 2, 200, 200, 200], dtype=np.uint8), [2, 200], [2, 2, 2, 200, 200, 200]),
    ],
)
def test_labels_of_every_kind(y, classes, whole, predictor):
    clf = fit(y, predictor=predictor)
    assert clf.classes_.tolist() == classes
    assert clf.transduction_.tolist() == whole
    assert clf.predict(X).tolist() == whole
    assert clf.predict(X).dtype == clf.transduction_.dtype == clf.classes_.dtype


@pytest.mark.parametrize(
    "y", [[4, -1, -1, -1, -1, -1], [4, None, None, None, None, None], ["a", None, None, None, None, None]]
)
def test_where_nothing_is_known_the_answer_is_unknown(y):
    with pytest.warns(UserWarning, match="3 of 6 samples lie in 1 component without a landmark") as caught:
        clf = tp.ManifoldClassifier(n_neighbors=2, **PLAIN).fit(X, y)
    assert len(caught) == 1
    none = -1 if y[0] == 4 else None
    assert clf.transduction_.tolist() == [y[0]] * 3 + [none] * 3
    assert clf.predict(X).tolist() == clf.transduction_.tolist()
    assert clf.predict([[11.5]]).tolist() == [none]
    np.testing.assert_array_equal(clf.label_distributions_, [[1.0]] * 3 + [[np.nan]] * 3)
    np.testing.assert_array_equal(clf.predict_proba(X), clf.label_distributions_)
    np.testing.assert_array_equal(clf.uncertainty_, [0, 0, 0, 1, 1, 1])
    given = sparse.csr_array(cdist(X, X) * (cdist(X, X) < 5))  # without features, a mixture knows no more
    with pytest.warns(
        tp.UnreachedWarning, match="3 of 6 samples lie in 1 component without a landmark"
    ) as caught:
        mixture = tp.ManifoldClassifier(n_neighbors=2, metric="precomputed").fit(given, y)
    assert len(caught) == 1
    np.testing.assert_array_equal(mixture.transduction_, clf.transduction_)
    np.testing.assert_array_equal(mixture.label_distributions_, clf.label_distributions_)
    np.testing.assert_array_equal(mixture.uncertainty_, clf.uncertainty_)


@pytest.mark.parametrize("predictor", ["auto", "linear"])
def test_models_of_features_reach_every_sample(predictor):
    """On the graph, no label reaches the last three samples. The models know something, so nobody warns."""
    clf = tp.ManifoldClassifier(n_neighbors=2, predictor=predictor).fit(X, [4, -1, 7, -1, -1, -1])
    assert clf.transduction_[2:].tolist() == [7, 7, 7, 7]
    assert clf.predict([[11.5], [-3.0]]).tolist() == [7, 4]
    np.testing.assert_allclose(clf.predict_proba([[11.5]]).sum(), 1.0)
    assert clf.uncertainty_.max() < 0.5 + 1e-9


@pytest.mark.parametrize(
    ("y", "unknown", "dtype"),
    [
        (np.array([1, 2, 3], dtype=np.uint8), -1, np.int64),
        (np.array([True, False, True]), None, object),
        (np.array(["a", "b", "c"]), None, object),
    ],
)
def test_kinds_that_cannot_hold_unknown_make_room_for_it(y, unknown, dtype):
    """A new sample without neighbors, in a graph of its own."""
    ring = sparse.csr_array(np.ones((3, 3)) - np.eye(3))
    clf = tp.ManifoldClassifier(metric="precomputed", n_neighbors=2).fit(ring, y)
    alone = sparse.csr_array(np.array([[0.0, 0.5, 0.0], [0.0, 0.0, 0.0]]))
    got = clf.predict(alone)
    assert got.tolist() == [y[1], unknown]
    assert got.dtype == dtype


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([-1] * 6, r"y must hold at least one label; all 6 are unlabeled \(-1, None or NaN\)"),
        ([None] * 6, "y must hold at least one label"),
        ([NAN] * 6, "y must hold at least one label"),
        ([0.5, -1, -1, -1, -1, 1.0], "Unknown label type: continuous. y must hold classes; got 0.5"),
        ([np.inf, -1, -1, -1, -1, 1.0], "y must hold classes; got 1 infinite"),
        (
            np.array(["a", -1, -1, -1, -1, "b"]),
            "mark unlabeled samples by None in an object array; got the text '-1'",
        ),
        (np.array(["a", 1, None, None, None, "b"], dtype=object), "labels of one kind; got int, str"),
        ([0, 1, -1], "inconsistent numbers of samples"),
        (np.eye(6)[:, None], "dim 3"),
        (None, "requires y to be passed"),
    ],
)
def test_what_is_refused(y, message):
    with pytest.raises(ValueError, match=message):
        fit(y)
