"""Models of users: their probabilities, their doubt, their errors."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_digits
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import trigpoint as tp

FEW = "the model cannot be fitted to {} labels yet: it predicts nothing, and coverage asks"


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:300], y[:300]


def logistic():
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))


def loop(learner, y, budget, batch=10):
    while len(learner.labels) < budget:
        samples = learner.ask(batch)
        learner.tell(samples, y[samples])
    return learner


@pytest.mark.parametrize("method", ["auto", "coverage", "uncertainty"])
def test_predictions_are_those_of_the_model_fitted_to_the_labels(digits, method):
    X, y = digits
    names = np.array([f"no. {k}" for k in range(10)])[y]
    mine = logistic()
    learner = loop(tp.ActiveLearner(X, model=mine, method=method), names, 40)
    told = list(learner.labels)
    alone = logistic().fit(X[told], names[told])
    columns = [
        learner.classes.index(c) for c in alone.classes_
    ]  # in the order of telling, not of the alphabet
    assert columns != sorted(columns)
    assert_allclose(learner.predict_proba()[:, columns], alone.predict_proba(X))
    assert_array_equal(learner.predict(), alone.predict(X))
    assert_array_equal(learner.predict(X[:7] + 0.5), alone.predict(X[:7] + 0.5))
    assert_allclose(learner.uncertainty(), 1.0 - alone.predict_proba(X).max(axis=1))
    assert_array_equal(learner.model.predict(X), alone.predict(X))
    assert learner.weights == {"Pipeline": 1.0}
    assert learner.noise == 0.0
    assert not hasattr(mine[-1], "coef_"), "a copy is fitted"


def test_labels_left_out_are_predicted_by_the_other_folds(digits):
    X, y = digits
    learner = tp.ActiveLearner(X, model=logistic(), audit=0.0)
    told = np.random.default_rng(1).permutation(len(y))[:63]
    learner.tell(told, y[told], random=True)
    order = np.argsort([learner.classes.index(c) for c in y[told]], kind="stable")
    right = np.empty(len(told), dtype=bool)
    for fold in range(5):
        there = told[order[fold::5]]
        alone = logistic().fit(*(each[np.setdiff1d(told, there)] for each in (X, y)))
        right[order[fold::5]] = alone.predict(X[there]) == y[there]
    advice = learner.stop_advice()
    assert (advice.n_audits, advice.n_wrong) == (63, (~right).sum())
    assert advice.low < (learner.predict() != y).mean() * len(y) / (len(y) - 63) < advice.high


def test_the_model_is_fitted_once_for_a_state_of_the_labels(digits):
    X, y = digits
    Counting.fits = 0
    learner = tp.ActiveLearner(X, model=Counting(), audit=0.5)
    audits = learner.ask(10)[1::2]
    learner.tell(range(10), y[:10])
    assert Counting.fits == 0
    learner.ask(5), learner.predict(), learner.uncertainty(), learner.model, learner.predict(X[:3])
    assert Counting.fits == 1
    learner.tell(audits, y[audits])
    assert len(learner.ask(6)) == 6
    assert Counting.fits == 2, "without the audits"
    learner.tell(range(10, 20), y[10:20], random=True)
    learner.stop_advice(), learner.stop_advice()
    assert Counting.fits == 2 + 1 + 5 + 2, "all labels, folds, and twice the first half"


class Counting(LogisticRegression):
    fits = 0

    def fit(self, X, y):
        Counting.fits += 1
        return super().fit(X / 16, y)


def test_its_doubt_chooses(digits):
    """Two models that doubt different halves of the pool ask there."""
    for half in (0, 1):
        for method, share in (("uncertainty", 1.0), ("auto", 0.8)):  # a sample beside may speak for many
            learner = tp.ActiveLearner(digits[0], model=Doubting(half), method=method, audit=0.0)
            learner.tell([0, 299], ["a", "b"])
            assert ((learner.ask(20) >= 150) == half).mean() >= share


class Doubting(ClassifierMixin, BaseEstimator):
    def __init__(self, half):
        self.half = half

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        p = np.where((np.arange(len(X)) >= 150) == self.half, 0.5, 0.0)
        return np.column_stack([p, 1 - p])


def test_coverage_decides_until_two_classes_are_told(digits):
    X, _ = digits
    cover = tp.ActiveLearner(X, method="coverage", audit=0.0)
    learner = tp.ActiveLearner(X, model=logistic(), audit=0.0)
    first = learner.ask(3)
    assert_array_equal(first, cover.ask(3))
    assert (learner.predict() == -1).all()
    learner.tell(first, ["same"] * 3)
    assert learner.model is None
    assert (learner.predict() == "same").all()
    assert_array_equal(learner.predict_proba(X[:2]), np.ones((2, 1)))
    assert_array_equal(learner.ask(3), cover.ask(3))


def test_models_that_need_more_labels(digits):
    """Calibration needs some labels of each class, neighbors as many labels as neighbors."""
    X, y = digits[0], digits[1] % 2
    for model in (CalibratedClassifierCV(logistic(), cv=3), KNeighborsClassifier(5)):
        learner = tp.ActiveLearner(X, model=model, audit=0.5)
        learner.tell([0, 1, 2], y[:3])
        with pytest.warns(UserWarning, match=FEW.format(3) + r"\. ValueError: "):
            assert len(learner.ask(4)) == 4
        assert (learner.predict() == -1).all()
        assert np.isnan(learner.predict_proba(X[:2])).all()
        assert learner.model is None
        learner.tell(np.arange(3, 30), y[3:30], random=True)
        assert (learner.predict() == y).mean() > 0.7
        assert 0 <= learner.stop_advice().error < 0.5


class Contiguous(LogisticRegression):
    """Takes classes 0, ..., k - 1 only, as XGBoost does."""

    def fit(self, X, y):
        expected = np.arange(len(np.unique(y)))
        if not np.array_equal(np.unique(y), expected):
            raise ValueError(f"Invalid classes inferred from unique values of `y`. Expected: {expected}")
        return super().fit(X / 16, y)

    def predict_proba(self, X):
        return super().predict_proba(X / 16)


@pytest.mark.parametrize("names", [np.arange(10) * 3, np.array([f"no. {k}" for k in range(10)])])
def test_models_that_take_numbers_from_0_on(digits, names):
    X, y = digits[0], names[digits[1]]
    learner = loop(tp.ActiveLearner(X, model=Contiguous(max_iter=300)), y, 60)
    assert (learner.predict() == y).mean() > 0.85
    assert learner.model.classes_.tolist() == list(range(10))


def test_classes_of_several_types_and_classes_known_in_advance(digits):
    X, y = digits
    names = ["one", 2, True, 3.5, *"abcdef"]
    learner = tp.ActiveLearner(X, model=logistic(), classes=["never", *names[:2]])
    learner.tell(range(60), [names[k] for k in y[:60]])
    assert learner.classes[:3] == ("never", "one", 2)
    assert_array_equal(learner.predict_proba()[:, 0], 0.0)
    assert_allclose(learner.predict_proba().sum(axis=1), 1.0)
    found = learner.predict()
    assert np.mean([a == names[b] for a, b in zip(found, y, strict=True)]) > 0.8


def test_the_order_of_its_classes_is_its_own(digits):
    X, y = digits
    learner, other = tp.ActiveLearner(X, model=Backwards()), tp.ActiveLearner(X, model=GaussianNB())
    for each in (learner, other):
        each.tell(range(80), y[:80])
    assert learner.model.classes_.tolist() == list(range(9, -1, -1))
    assert_array_equal(learner.predict_proba(), other.predict_proba())


class Backwards(GaussianNB):
    def fit(self, X, y):
        super().fit(X, y)
        self.classes_ = self.classes_[::-1]
        return self

    def predict_proba(self, X):
        return super().predict_proba(X)[:, ::-1]


def test_sparse_features(digits):
    X, y = digits
    dense, thin = (
        tp.ActiveLearner(kind(X), model=logistic_of(kind)) for kind in (np.asarray, sparse.csr_array)
    )
    for learner in (dense, thin):
        learner.tell(range(50), y[:50])
    assert_allclose(thin.predict_proba(), dense.predict_proba(), atol=1e-4)
    needs_dense = tp.ActiveLearner(sparse.csr_array(X), model=GaussianNB())
    needs_dense.tell(range(50), y[:50])
    with pytest.raises(tp.InputError, match="model cannot be fitted to 50 labels: TypeError: Sparse data"):
        needs_dense.ask()


def logistic_of(kind):
    return make_pipeline(StandardScaler(with_mean=False), LogisticRegression(max_iter=500))


WORDS = {"pets": ["cat", "dog", "fur"], "ships": ["sail", "keel", "port"], "tools": ["saw", "nail", "wood"]}


@pytest.mark.parametrize("kind", ["list", "array", "frame"])
def test_a_model_that_sees_texts(kind, tmp_path):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    y = np.array(list(WORDS))[rng.integers(0, 3, 90)]
    texts = [" ".join(rng.choice(WORDS[k], 4)) for k in y]
    pipeline = make_pipeline(TfidfVectorizer(), LogisticRegression())
    seen = {"list": texts, "array": np.array(texts), "frame": pd.DataFrame({"text": texts})}[kind]
    if kind == "frame":
        pipeline = make_pipeline(make_column_transformer((TfidfVectorizer(), "text")), LogisticRegression())
    X = TfidfVectorizer().fit_transform(texts)
    learner = loop(tp.ActiveLearner(X, model=pipeline, model_X=seen), y, 20)
    assert_array_equal(learner.predict(), y)
    new = ["fur of a dog", "the port"]
    assert learner.predict(pd.DataFrame({"text": new}) if kind == "frame" else new).tolist() == [
        "pets",
        "ships",
    ]
    assert learner.stop_advice().n_wrong == 0
    learner.save(tmp_path / "run")
    again = tp.ActiveLearner.load(tmp_path / "run", X, model=pipeline, model_X=seen)
    assert_array_equal(again.ask(5), learner.ask(5))


def test_a_pool_that_has_grown_needs_more_to_see(digits):
    X, y = digits
    learner = tp.ActiveLearner(X, model=logistic(), model_X=X)
    learner.tell(range(20), y[:20])
    learner._pool = tp.ActiveLearner(np.vstack([X, X[:5]]))._pool
    with pytest.raises(
        tp.InputError, match="model_X must have one row or text for each of 305 samples; got 300"
    ):
        learner.predict()


def test_a_model_beside_a_graph_or_distances(digits):
    X, y = digits
    graph = tp.neighbor_graph(X, 10)
    learner = tp.ActiveLearner(graph=graph, model=logistic(), model_X=X)
    learner.tell(range(60), y[:60])
    assert_array_equal(learner.predict(X), learner.predict())
    assert (learner.predict() == y).mean() > 0.8
    with pytest.raises(tp.InputError, match="model_X must be given with a model: this pool has no features"):
        tp.ActiveLearner(graph=graph, model=logistic())
    with pytest.raises(tp.InputError, match="model_X must be given with a model"):
        tp.ActiveLearner(np.zeros((5, 5)), metric="precomputed", model=logistic())


@pytest.mark.parametrize("width", [1, 2])
def test_regressors(width):
    X, y = load_diabetes(return_X_y=True)
    X, Y = X[:200], np.column_stack([y, -y])[:200, :width]
    learner = tp.ActiveLearner(X, task="regression", view="standard", model=Ridge(0.1), audit=0.5)
    assert np.isnan(learner.predict()).all()
    loop(learner, Y, 40)
    told = list(learner.labels)
    alone = Ridge(0.1).fit(X[told], Y[told])
    assert_allclose(learner.predict().reshape(-1, width), alone.predict(X).reshape(-1, width))
    assert_allclose(learner.predict(X[:3]).reshape(-1, width), alone.predict(X[:3]).reshape(-1, width))
    rest = np.setdiff1d(np.arange(200), told)
    wrong = np.sqrt(((learner.predict().reshape(-1, width)[rest] - Y[rest]) ** 2).mean())
    advice = learner.stop_advice()
    assert advice.low < wrong < advice.high
    std = learner.uncertainty().reshape(-1, width)
    assert_array_equal(std[told], 0.0)
    assert 0.3 * wrong < np.median(std[rest]) < 3 * wrong
    ours = loop(tp.ActiveLearner(X, task="regression", view="standard", audit=0.5), Y, 40)
    assert_array_equal(list(ours.labels), told)  # the questions do not depend on values


def test_save_and_load(digits, tmp_path):
    X, y = digits
    learner = loop(tp.ActiveLearner(X, model=logistic(), noise=0), y, 30)
    learner.save(tmp_path / "run")
    with pytest.raises(tp.InputError, match="model must be given: the learner in this file had a Pipeline"):
        tp.ActiveLearner.load(tmp_path / "run", X)
    again = tp.ActiveLearner.load(tmp_path / "run", X, model=logistic())
    assert again._settings == learner._settings
    assert_array_equal(again.predict_proba(), learner.predict_proba())
    assert_array_equal(again.ask(5), learner.ask(5))
    repeated = tp.ActiveLearner(X, model=logistic(), noise=0)
    repeated.replay(learner.log)


class NoClasses:
    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


class Odd(NoClasses):
    def __init__(self, p):
        self.p = p

    def fit(self, X, y):
        self.classes_ = np.unique(y)

    def predict_proba(self, X):
        return np.broadcast_to(np.array(self.p, dtype=float), (len(X), *np.shape(self.p)))


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (NoClasses(), "model must have classes_ once it is fitted"),
        (Odd([np.nan, 1.0]), r"model must give finite probabilities; got \[nan, 1.0\] for row 0"),
        (Odd([0.5, 0.4]), "model must give probabilities: at least 0, with the sum 1 for a sample"),
        (Odd([1.5, -0.5]), "model must give probabilities: at least 0"),
        (Odd([0.5, 0.3, 0.2]), r"model must give 2 probabilities a sample; got shape \(300, 3\)"),
        (Odd([[0.5, 0.5]]), r"model must give 2 probabilities a sample; got shape \(300, 1, 2\)"),
        (
            make_pipeline(TfidfVectorizer(), GaussianNB()),
            "model cannot be fitted to 4 labels: AttributeError",
        ),
    ],
)
def test_models_that_give_what_they_should_not(digits, model, message):
    learner = tp.ActiveLearner(digits[0], model=model)
    learner.tell(range(4), ["a", "a", "b", "b"])
    for call in (learner.ask, learner.predict, learner.stop_advice):
        with pytest.raises(tp.InputError, match=message):
            call()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"model": SVC()},
            r"model must be a classifier, an object with fit and predict_proba; got SVC\(\), wh",
        ),
        ({"model": Ridge()}, r"got Ridge\(\), which has no predict_proba"),
        ({"model": "logistic"}, "got 'logistic', which has no fit"),
        ({"model": LogisticRegression}, r"got the class LogisticRegression, .* give LogisticRegression\(\)"),
        (
            {"model": StandardScaler(), "task": "regression"},
            "model must be a regressor, an object with fit and",
        ),
        (
            {"method": "error_reduction"},
            "method must be auto, coverage or uncertainty with a model of your own",
        ),
        ({"method": "model_change"}, "method must be auto, coverage or uncertainty with"),
        ({"predictor": "linear"}, "predictor must be left at 'auto' with a model of your own; got 'linear'"),
        ({"noise": 0.1}, "noise must be 'auto' or 0 with a model of your own; got 0.1"),
        ({"model_X": ["a"] * 299}, "model_X must have one row or text for each of 300 samples; got 299"),
        ({"model_X": "a" * 300}, "model_X must have one row or text for each of 300 samples"),
        ({"model": None, "model_X": ["a"] * 300}, "model_X must be None without a model"),
    ],
)
def test_what_cannot_be(digits, settings, message):
    with pytest.raises(tp.InputError, match=message):
        tp.ActiveLearner(digits[0], **{"model": LogisticRegression()} | settings)


def test_warnings_of_a_model_are_its_own(digits):
    X, y = digits
    learner = tp.ActiveLearner(X, model=LogisticRegression(max_iter=1), audit=0.0)
    learner.tell(range(60), y[:60], random=True)
    with pytest.warns(UserWarning, match="failed to converge"):
        learner.predict()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.stop_advice()  # of folds there is no more to say
    clone(learner.model)
