"""Frames of any library into the estimators and the learner, and new rows of them."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

import trigpoint as tp
from trigpoint.features import EmbeddingRecipe, TableRecipe

X, TRUTH = load_iris(return_X_y=True)
Y = np.where(np.arange(150) % 5 == 0, TRUTH, -1)
# Before, scikit-learn asks for an interface that polars 2 no longer has, and knows none of its columns.
NARWHALS = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 9)
MAKERS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.fixture(params=MAKERS)
def make(request):
    return MAKERS[request.param]


def rows(columns, some):
    return {name: [cells[i] for i in some] for name, cells in columns.items()}


EMBEDDED = {"id": [f"s{i}" for i in range(150)], "vector": X.tolist(), "note": ["-"] * 150}
MIXED = {
    "length": X[:, 0].tolist(),
    "width": [None if i % 40 == 0 else x for i, x in enumerate(X[:, 2].tolist())],
    "big": (X[:, 3] > 1).tolist(),
    "kind": ["rst"[int(x) % 3] for x in X[:, 1]],
}


def test_an_embedding_is_as_an_array(make):
    frame, some = make(EMBEDDED), [3, 77, 140]
    clf, plain = tp.ManifoldClassifier().fit(frame, Y), tp.ManifoldClassifier().fit(X, Y)
    assert_allclose(clf.label_distributions_, plain.label_distributions_)
    assert_allclose(clf.predict_proba(make(rows(EMBEDDED, some))), plain.predict_proba(X[some]))
    assert_array_equal(clf.predict(X[some]), plain.predict(X[some]))  # features, as they are
    assert clf.recipe_ == EmbeddingRecipe("vector", 4)
    assert [use.use for use in clf.columns_] == [None, "embedding", None]
    assert clf.n_features_in_ == 4
    assert not hasattr(clf, "feature_names_in_")
    with pytest.raises(ValueError, match=r"recipe must be a column of data frame .*; got 'vector'"):
        clf.predict(make({"other": X[:3].tolist()}))
    with pytest.raises(ValueError, match="column 'vector' must be lists of 4 numbers, as in the pool"):
        clf.predict(make({"vector": X[:3, :2].tolist()}))


def test_a_table_goes_by_its_recipe(make):
    frame, some = make(MIXED), [3, 40, 140]
    clf = tp.ManifoldClassifier().fit(frame, Y)
    assert isinstance(clf.recipe_, TableRecipe)
    assert [use.use for use in clf.columns_] == ["number", "number", "boolean", "category"]
    new = make(rows(MIXED, some))
    assert_allclose(clf.predict_proba(new), clf.predict_proba(frame)[some])
    plain = tp.ManifoldClassifier().fit(tp.read_pool(frame).X, Y)
    assert_allclose(clf.label_distributions_, plain.label_distributions_)


def test_a_regressor_and_a_selector(make):
    frame = make(EMBEDDED)
    y = np.where(Y >= 0, X[:, 3], np.nan)
    reg, plain = tp.ManifoldRegressor().fit(frame, y), tp.ManifoldRegressor().fit(X, y)
    assert_allclose(reg.predict(make(rows(EMBEDDED, [5]))), plain.predict(X[[5]]))
    picks = tp.LandmarkSelector(5).fit(frame)
    assert_array_equal(picks.landmarks_, tp.LandmarkSelector(5).fit(X).landmarks_)
    assert picks.recipe_ == reg.recipe_


def test_numbers_alone_keep_their_names(make):
    names = ["a", "b", "c", "d"]
    frame = make(dict(zip(names, X.T.tolist(), strict=True)))
    clf, plain = tp.ManifoldClassifier().fit(frame, Y), tp.ManifoldClassifier().fit(X, Y)
    assert_allclose(clf.label_distributions_, plain.label_distributions_)
    if hasattr(frame, "__dataframe__") or NARWHALS:
        assert clf.feature_names_in_.tolist() == names
    assert clf.recipe_ is None
    assert [(use.name, use.use) for use in clf.columns_] == [(name, "number") for name in names]
    assert_array_equal(clf.predict(frame), plain.predict(X))


def test_new_samples_must_mean_what_those_of_the_pool_do(make):
    names = ["a", "b", "c", "d"]
    numbers = dict(zip(names, X.T.tolist(), strict=True))
    gaps, turned = numbers | {"b": [None, *numbers["b"][1:]]}, dict(reversed(numbers.items()))
    learner = tp.ActiveLearner(make(numbers))
    asked = learner.ask(20)
    learner.tell(asked, TRUTH[asked].tolist())
    by_array = tp.ManifoldClassifier().fit(X, Y)
    for model in (by_array, tp.ManifoldClassifier().fit(make(numbers), Y), learner, learner.to_estimator()):
        with pytest.raises(ValueError, match="X must hold numbers alone, none of them missing, as the pool"):
            model.predict(make(gaps))  # was scaled by itself, and nothing told of it
        if model is not by_array:
            with pytest.raises(
                ValueError, match=r"columns of the pool, in this order: a, b|names should match"
            ):
                model.predict(make(turned))
    with pytest.raises(ValueError, match="X must hold numbers alone"):
        learner.add(make(gaps))
    with pytest.raises(
        ValueError, match="X must have the columns of the pool, in this order: a, b, c, d; got"
    ):
        learner.add(make(turned))
    assert learner.n_samples == len(X)
    table = tp.ActiveLearner(make(gaps))
    for refused in (table.predict, table.add, tp.ManifoldClassifier().fit(make(gaps), Y).predict):
        if refused == table.predict:
            table.tell(asked, TRUTH[asked].tolist())
        with pytest.raises(
            ValueError, match="X must be a data frame with the columns of the pool; got a ndarray"
        ):
            refused(X)


def test_a_learner(make):
    for columns in (EMBEDDED, MIXED):
        learner = tp.ActiveLearner(make(columns), audit=0.0)
        for _ in range(3):
            asked = learner.ask(5)
            learner.tell(asked, TRUTH[asked].tolist())
        some = [1, 71, 121]
        assert_array_equal(learner.predict(make(rows(columns, some))), learner.predict()[some])
        assert len(learner.columns) == len(columns)
        assert learner.recipe is not None
    assert tp.ActiveLearner(X).recipe is None


def test_a_saved_learner_takes_its_frame_again(make, tmp_path):
    frame = make(EMBEDDED)
    learner = tp.ActiveLearner(frame, audit=0.0)
    asked = learner.ask(6)
    learner.tell(asked, TRUTH[asked].tolist())
    learner.save(tmp_path / "x.trig")
    again = tp.ActiveLearner.load(tmp_path / "x.trig", frame)
    assert again.recipe == learner.recipe
    assert_array_equal(again.predict(make(rows(EMBEDDED, [1, 71]))), learner.predict()[[1, 71]])
    with pytest.raises(
        ValueError, match="X must be the X of the learner, with all samples that were added; it is another"
    ):
        tp.ActiveLearner.load(tmp_path / "x.trig", make(rows(EMBEDDED, range(149))))


def test_float16_becomes_float32_and_not_float64():
    half = X.astype(np.float16)
    clf = tp.ManifoldClassifier(view="raw").fit(half, Y)
    wide = tp.ManifoldClassifier(view="raw").fit(half.astype(np.float32), Y)
    assert_array_equal(clf.label_distributions_, wide.label_distributions_)
    assert clf._check_new(half).dtype == np.float32
    assert tp.ActiveLearner(half)._X.dtype == np.float32


@pytest.mark.parametrize("series", [pd.Series, pl.Series, list])
def test_labels_of_any_library(series):
    frame = pl.DataFrame({"vector": X.tolist()})
    clf, plain = tp.ManifoldClassifier().fit(frame, series(Y)), tp.ManifoldClassifier().fit(X, Y)
    assert_array_equal(clf.transduction_, plain.transduction_)
