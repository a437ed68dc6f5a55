"""What each predictor makes of the labels of landmarks, beside the same in the user's own lines."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC, SVR

import trigpoint as tp
from trigpoint.comparison._contestants import Method, chosen
from trigpoint.comparison._labeled import check_labeled
from trigpoint.comparison._predictors import Predictor, check_predictors, predicted
from trigpoint.comparison._split import Setting, split

SETTING = Setting(0.25, 5, "euclidean", 0)
PICKS = np.array([3, 17, 8, 40, 25, 31, 2, 50])


@pytest.fixture(scope="module")
def clouds():
    """Three clouds; the columns differ by a factor of 100."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 90)
    return (rng.standard_normal((90, 4)) + 1.5 * y[:, None]) * [1, 100, 1, 0.01], y


def both(model, X, labels, held):
    model.fit(X[PICKS], labels[PICKS])
    return model.predict(X), model.predict(held)


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("logistic", LogisticRegression(max_iter=1000)),
        ("svm", SVC()),
        ("1-nn", KNeighborsClassifier(1)),
    ],
)
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_classes_are_those_of_the_plain_pipeline(clouds, name, model, kind):
    X, y = clouds
    known = check_labeled(kind(X), y, None, "auto")
    drawn = split(known, SETTING, 0)
    scaler = StandardScaler(with_mean=kind is np.asarray)
    expected = both(make_pipeline(scaler, model), kind(X)[drawn.keep], y[drawn.keep], kind(X)[drawn.held])
    for found, right in zip(predicted(Predictor(name, name), known, drawn, PICKS), expected, strict=True):
        np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("name", ["ridge", "svm", "1-nn"])
@pytest.mark.parametrize("width", [1, 2])
def test_values_are_those_of_the_plain_pipeline(clouds, name, width):
    X, _ = clouds
    known = check_labeled(X, np.sin(X[:, :width]), None, "regression")
    drawn = split(known, SETTING, 0)
    one = {"ridge": Ridge(), "svm": SVR(), "1-nn": KNeighborsRegressor(1)}[name]
    columns = [
        both(make_pipeline(StandardScaler(), one), X[drawn.keep], target[drawn.keep], X[drawn.held])
        for target in known.targets.T
    ]
    found = predicted(Predictor(name, name), known, drawn, PICKS)
    for place in (0, 1):
        expected = np.column_stack([column[place] for column in columns])
        np.testing.assert_allclose(found[place], expected, atol=1e-9)


@pytest.mark.parametrize("real", [False, True])
def test_auto_is_our_estimator(clouds, real):
    X, y = clouds
    known = check_labeled(X, np.sin(X) if real else np.array(["a", "c", "b"])[y], None, "auto")
    drawn = split(known, SETTING, 0)
    if real:
        given = np.full((len(drawn.keep), 4), np.nan)
        given[PICKS] = known.targets[drawn.keep[PICKS]]
        model = tp.ManifoldRegressor(n_neighbors=5).fit(X[drawn.keep], given)
    else:
        given = np.full(len(drawn.keep), -1)
        given[PICKS] = known.targets[drawn.keep[PICKS]].argmax(axis=1)
        model = tp.ManifoldClassifier(n_neighbors=5).fit(X[drawn.keep], given)
    pool, held = predicted(Predictor("auto", "auto"), known, drawn, PICKS)
    np.testing.assert_array_equal(pool, model.transduction_)
    np.testing.assert_array_equal(held, model.predict(X[drawn.held]))


def test_an_estimator_of_ones_own(clouds):
    X, y = clouds
    forest, spreading = RandomForestClassifier(5, random_state=0), LabelSpreading(kernel="knn", n_neighbors=5)
    settings = {"methods": ["random"], "budgets": [9], "n_splits": 2}
    found = tp.compare(X, y, predictors={"auto": None, "near": "1-nn", "forest": forest}, **settings)
    assert found.predictors == ("auto", "near", "forest")
    assert not hasattr(forest, "estimators_")  # a copy is fitted
    again = tp.compare(X, y, predictors=["1-nn", forest, spreading], **settings)
    assert again.predictors == ("1-nn", "RandomForestClassifier", "LabelSpreading")
    np.testing.assert_array_equal(found.errors["rest"][:, 1:], again.errors["rest"][:, :2])
    known = check_labeled(X, y, None, "auto")
    drawn = split(known, SETTING, 0)
    given = np.full(len(drawn.keep), -1)
    given[PICKS] = y[drawn.keep[PICKS]]
    pool, held = predicted(Predictor("mine", own=spreading), known, drawn, PICKS)
    with np.errstate(invalid="ignore"):  # of parts that no label reaches
        model = spreading.fit(X[drawn.keep], given)  # with all unlabeled samples
        np.testing.assert_array_equal(pool, model.transduction_)
        np.testing.assert_array_equal(held, model.predict(X[drawn.held]))


class Nearest:
    """No estimator of scikit-learn, but it fits and predicts."""

    def fit(self, X, y):
        self.X, self.y = X, y

    def predict(self, X):
        return self.y[((X[:, None] - self.X) ** 2).sum(axis=2).argmin(axis=1)]


def test_pairs_name_models_and_any_object_may_be_one(clouds):
    X, y = clouds
    settings = {"methods": ["random"], "budgets": [9], "n_splits": 2}
    pairs = ["1-nn", ("one", KNeighborsClassifier(1)), ("two", Nearest())]
    found = tp.compare(X, y, predictors=pairs, **settings)
    assert found.predictors == ("1-nn", "one", "two")
    np.testing.assert_array_equal(found.errors["held_out"][:, 1], found.errors["held_out"][:, 2])
    assert (found.errors["held_out"][:, 0] != found.errors["held_out"][:, 1]).any()  # columns are not scaled


@pytest.mark.parametrize("name", ["auto", "propagation", "logistic", "svm", "1-nn"])
def test_landmarks_of_one_class_predict_it(clouds, name):
    X, y = clouds
    known = check_labeled(X, y, None, "auto")
    drawn = split(known, SETTING, 0)
    alike = np.flatnonzero(y[drawn.keep] == 1)[:2]
    pool, held = predicted(Predictor(name, name), known, drawn, alike)
    assert set(pool.tolist()) | set(held.tolist()) <= {1, 0}  # 0: a part that no landmark reaches
    assert pool[alike].tolist() == [1, 1]
    if name not in ("auto", "propagation"):
        assert set(pool.tolist()) | set(held.tolist()) == {1}


def test_a_graph_is_propagated_on(clouds):
    X, y = clouds
    graph = tp.neighbor_graph(X, 6)
    settings = {"graph": graph, "methods": ["random"], "budgets": [9], "n_splits": 2}
    found = tp.compare(None, y, predictors=["auto", "propagation"], **settings)
    np.testing.assert_array_equal(found.errors["rest"][:, 0], found.errors["rest"][:, 1])
    other = tp.compare(X, y, predictors=["propagation", "logistic"], **settings)
    np.testing.assert_array_equal(found.errors["held_out"][:, 0], other.errors["held_out"][:, 0])


def test_auto_labels_are_those_of_our_selector(clouds):
    X, y = clouds
    known = check_labeled(X, y, None, "auto")
    drawn = split(known, SETTING, 0)
    picks = chosen(Method("auto", "auto"), drawn, 8, 5, y[drawn.keep])
    selector = tp.LandmarkSelector(8, n_neighbors=5, random_state=5).fit(X[drawn.keep])
    assert picks.tolist() == selector.landmarks_.tolist()
    graph = check_labeled(X, y, tp.neighbor_graph(X, 6), "auto")
    drawn = split(graph, SETTING, 0)
    picks = chosen(Method("auto", "auto"), drawn, 8, 5, y[drawn.keep])
    assert picks.tolist() == tp.select(drawn.phi, 8, graph=drawn.graph).tolist()


def test_how_a_predictor_is_spelled(clouds):
    known = check_labeled(*clouds, None, "auto")
    first, second = check_predictors({"a": "svm", "b": SVC(C=3.0)}, known)
    assert (first.spelled, second.spelled) == ("svm", "SVC(C=3.0)")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "auto",
            r"predictors must be a list of names, models and \(name, model\), or a dict of .*; got 'auto'",
        ),
        ([], "predictors must be a list"),
        (["auto", "auto"], r"predictors must have distinct names; got \['auto', 'auto'\]"),
        (
            ["forest"],
            "predictors must be among auto, propagation, logistic, svm, 1-nn for classes; got 'forest'",
        ),
        (["ridge"], "predictors must be among .* for classes; got 'ridge'"),
        ({3: "svm"}, "predictors must have names; got 3"),
        (
            {"mine": 3},
            r"predictors\['mine'\] must be a name or a model, an object with fit and predict; got 3",
        ),
        ({"mine": SVC}, r"predictors\['mine'\] must be a name or a model"),
        ({"mine": Ridge()}, r"predictors\['mine'\] must be a classifier for classification; got Ridge\(\)"),
        ([KMeans(3)], r"predictors\['KMeans'\] must be a classifier"),
        (
            [KNeighborsClassifier(5)],
            r"predictors\['KNeighborsClassifier'\] cannot learn from 3 landmarks: Expected",
        ),
    ],
)
def test_predictors_that_cannot_be(clouds, given, message):
    with pytest.raises(tp.InputError, match=message):
        tp.compare(*clouds, predictors=given, methods=["random"], budgets=[3], n_splits=1)


def test_predictors_that_need_features_or_values(clouds):
    X, y = clouds
    graph = tp.neighbor_graph(X, 6)
    with pytest.raises(tp.InputError, match="must be among auto, propagation without features; got 'svm'"):
        tp.compare(None, y, graph=graph, predictors=["auto", "svm"])
    with pytest.raises(tp.InputError, match=r"predictors\['SVC'\] needs features; this pool is a graph"):
        tp.compare(None, y, graph=graph, predictors=[SVC()])
    with pytest.raises(tp.InputError, match=r"must be among .*ridge.* for real values; got 'logistic'"):
        tp.compare(X, np.sin(X[:, 0]), predictors=["logistic"])
    with pytest.raises(tp.InputError, match=r"predictors\['SVC'\] must be a regressor for regression"):
        tp.compare(X, np.sin(X[:, 0]), predictors=[SVC()])
