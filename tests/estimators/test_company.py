"""Among other estimators: pipelines, searches, clones, pickles, data frames."""

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import trigpoint as tp

PLAIN = {"predictor": "propagation", "view": "raw"}
ALL = [
    tp.LandmarkSelector(6, random_state=0),
    tp.ManifoldClassifier(),
    tp.ManifoldRegressor(),
    tp.ManifoldClassifier(**PLAIN),
    tp.ManifoldRegressor(**PLAIN),
]


def name(estimator):
    return type(estimator).__name__ + getattr(estimator, "predictor", "")


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X, y, np.where(np.arange(150) % 10 == 0, y, -1)


def targets(estimator, few):
    return np.where(few < 0, np.nan, few) if isinstance(estimator, tp.ManifoldRegressor) else few


def test_in_a_pipeline(iris):
    X, _, few = iris
    pipeline = make_pipeline(StandardScaler(), PCA(2), tp.ManifoldClassifier(n_neighbors=7)).fit(X, few)
    Z = pipeline[:-1].transform(X)
    alone = tp.ManifoldClassifier(n_neighbors=7).fit(Z, few)
    np.testing.assert_array_equal(pipeline[-1].transduction_, alone.transduction_)
    np.testing.assert_array_equal(
        pipeline.predict(X[:9] + 0.1), alone.predict(pipeline[:-1].transform(X[:9] + 0.1))
    )
    values, std = (
        make_pipeline(StandardScaler(), tp.ManifoldRegressor())
        .fit(X, targets(tp.ManifoldRegressor(), few))
        .predict(X, return_std=True)
    )
    assert values.shape == std.shape == (150,)
    picks = make_pipeline(StandardScaler(), tp.LandmarkSelector(5)).fit(X)[-1].landmarks_
    assert len(picks) == 5


def test_in_a_grid_search(iris):
    X, y, _ = iris
    pipeline = make_pipeline(StandardScaler(), tp.ManifoldClassifier())
    grid = {
        "manifoldclassifier__n_neighbors": [5, 15],
        "manifoldclassifier__alignment": ["laplacian", "diffusion"],
    }
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.9
    assert search.predict(X[:4]).shape == (4,)
    regressor = tp.ManifoldRegressor(predictor="propagation", compute_std=False)
    folds = KFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(regressor, {"beta": [1.0, None]}, cv=folds, error_score="raise")
    assert search.fit(X[:, :3], X[:, 3]).best_score_ > 0.8


def test_distances_are_split_on_both_sides(iris):
    X, y, _ = iris
    D = cdist(X, X)
    got = cross_val_predict(tp.ManifoldClassifier(metric="precomputed", **PLAIN), D, y, cv=3)
    np.testing.assert_array_equal(got, cross_val_predict(tp.ManifoldClassifier(**PLAIN), X, y, cv=3))
    mixture = cross_val_predict(tp.ManifoldClassifier(metric="precomputed"), D, y, cv=3)
    assert (mixture == y).mean() > 0.93
    scores = cross_val_score(
        tp.ManifoldRegressor(metric="precomputed"), D, X[:, 3], cv=3, error_score="raise"
    )
    assert np.isfinite(scores).all()


def test_on_sparse_text():
    words = ["red apple", "green apple", "red cherry", "fast car", "slow car", "fast train"] * 3
    labels = np.full(18, None)
    labels[[0, 3]] = "fruit", "vehicle"
    model = make_pipeline(TfidfVectorizer(), tp.ManifoldClassifier(n_neighbors=9, metric="cosine"))
    model.fit(words, labels)
    assert model.predict(["apple apple", "slow train"]).tolist() == ["fruit", "vehicle"]


@pytest.mark.parametrize("estimator", ALL, ids=name)
def test_clones_and_pickles(iris, estimator):
    X, _, few = iris
    fitted = clone(estimator).fit(X, targets(estimator, few))
    assert not hasattr(clone(fitted), "graph_")
    assert clone(fitted).get_params() == estimator.get_params()
    back = pickle.loads(pickle.dumps(fitted))
    assert joblib.hash(back.alignment_matrix_) == joblib.hash(fitted.alignment_matrix_)
    if hasattr(fitted, "predict"):
        np.testing.assert_array_equal(back.predict(X + 0.1), fitted.predict(X + 0.1))
        np.testing.assert_array_equal(back.uncertainty_, fitted.uncertainty_)
    else:
        np.testing.assert_array_equal(back.landmarks_, fitted.landmarks_)


@pytest.mark.parametrize("estimator", ALL[1:], ids=name)
def test_prediction_changes_nothing(iris, estimator):
    X, _, few = iris
    X_new, y = X + 0.05, targets(estimator, few)
    given = joblib.hash([X, X_new, y])
    fitted = clone(estimator).fit(X, y)
    before = joblib.hash(fitted.__dict__)
    first = fitted.predict(X_new)
    if isinstance(fitted, tp.ManifoldRegressor):
        fitted.predict(X_new, return_std=True)
    else:
        fitted.predict_proba(X_new)
    np.testing.assert_array_equal(fitted.predict(X_new), first)
    assert joblib.hash(fitted.__dict__) == before
    assert joblib.hash([X, X_new, y]) == given
    assert fitted.get_params() == estimator.get_params()


@pytest.mark.parametrize("estimator", ALL, ids=name)
def test_fitting_again_forgets(iris, estimator):
    X, _, few = iris
    y = targets(estimator, few)
    once = clone(estimator).fit(X[:, :2], y)
    twice = clone(estimator).fit(X[:, 1:], y[::-1]).fit(X[:, :2], y)
    assert set(once.__dict__) == set(twice.__dict__)
    found = "landmarks_" if estimator is ALL[0] else "transduction_"
    np.testing.assert_array_equal(getattr(once, found), getattr(twice, found))


@pytest.mark.parametrize("estimator", ALL, ids=name)
def test_data_frames_keep_their_names(iris, estimator):
    X, _, few = iris
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"], index=np.arange(150)[::-1])
    y = pd.Series(targets(estimator, few), index=frame.index)
    fitted = clone(estimator).fit(frame, y)
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    plain = clone(estimator).fit(X, y.to_numpy())
    assert not hasattr(plain, "feature_names_in_")
    np.testing.assert_array_equal(fitted.landmarks_, plain.landmarks_)
    if estimator is ALL[0]:
        return
    np.testing.assert_array_equal(fitted.predict(frame), plain.predict(X))
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(frame[["d", "c", "b", "a"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        fitted.predict(X)


@pytest.mark.parametrize("estimator", ALL, ids=name)
@pytest.mark.parametrize("form", ["fortran", "read-only", "strided", "list", "int"])
def test_the_layout_of_features_does_not_matter(iris, estimator, form):
    X, _, few = iris
    X = np.rint(10 * X)
    y = targets(estimator, few)
    view = np.repeat(X, 2, axis=0)[::2]
    frozen = X.copy()
    frozen.flags.writeable = False
    forms = {
        "fortran": np.asfortranarray(X),
        "read-only": frozen,
        "strided": view,
        "list": X.tolist(),
        "int": X.astype(int),
    }
    want, got = clone(estimator).fit(X, y), clone(estimator).fit(forms[form], y)
    np.testing.assert_array_equal(got.landmarks_, want.landmarks_)
    assert (got.alignment_matrix_ != want.alignment_matrix_).nnz == 0
    if hasattr(got, "predict"):
        np.testing.assert_array_equal(got.predict(forms[form]), want.predict(X))
