"""Methods that are told labels as they choose."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import trigpoint as tp
from trigpoint.comparison._contestants import Method, chosen
from trigpoint.comparison._labeled import check_labeled
from trigpoint.comparison._loop import Answers, labels_of
from trigpoint.comparison._predictors import Predictor
from trigpoint.comparison._split import Setting, split
from trigpoint.comparison._trial import errors, trial
from trigpoint.trials import rng_for


@pytest.fixture(scope="module")
def bands():
    """Ten classes along a line, three samples wide each; the class is the whole part of x / 3."""
    X = np.random.default_rng(0).permutation(np.arange(90.0))[:, None] / 3
    return X, X[:, 0].astype(int) // 3


def asking(function):
    function.asks = True
    return function


def test_labels_are_those_of_the_samples_asked_for(bands):
    heard = []

    @asking
    def curious(X, graph, phi, n_landmarks, rng, answer):
        assert answer.task == "classification"
        first = answer([5])
        assert first.tolist() == [X[5, 0] // 3]
        others = answer(np.arange(n_landmarks - 1))
        heard.append((X[: n_landmarks - 1, 0] // 3).tolist() == others.tolist())
        return [5, *range(5), *range(6, n_landmarks)] if n_landmarks > 6 else [5, *range(n_landmarks - 1)]

    found = tp.compare(*bands, methods={"curious": curious}, budgets=[4, 8], n_splits=2, n_neighbors=4)
    assert heard == [True] * 4  # two budgets, two splits
    assert found.asks == ("curious",)
    assert found.one_shot == ("random",)


def test_names_of_classes_become_numbers_and_values_are_scaled():
    known = check_labeled(None, ["b", "a", "c", "b"] * 3, [[0, 1]], "auto")
    assert labels_of(known.targets, known.classes)[:4].tolist() == [1, 0, 2, 1]
    values = np.arange(10.0) ** 2 / 3
    known = check_labeled(None, values, [[0, 1]], "auto")
    scaled = labels_of(known.targets, known.classes)
    np.testing.assert_allclose(scaled, (values - values.mean()) / values.std())
    known = check_labeled(None, np.column_stack([values, values]), [[0, 1]], "auto")
    assert labels_of(known.targets, known.classes).shape == (10, 2)


@pytest.mark.parametrize(
    ("ask", "choose", "message"),
    [
        ([[0, 1, 2]], [0, 1], "'mine' must ask for at most 2 labels; got 3"),
        ([[0], [1], [2]], [0, 1], "'mine' must ask for at most 2 labels; got 3"),
        ([[7]], [0, 1], "'mine' must choose all samples that it asked for; 7 is missing"),
        ([[900]], [0, 1], "what 'mine' asks for must lie in"),
        ([[True, False]], [0, 1], "what 'mine' asks for must be integer indices"),
    ],
)
def test_more_labels_than_landmarks_are_refused(bands, ask, choose, message):
    @asking
    def mine(X, graph, phi, n_landmarks, rng, answer):
        for samples in ask:
            answer(samples)
        return choose

    with pytest.raises(ValueError, match=message):
        tp.compare(*bands, methods={"mine": mine}, budgets=[2], n_splits=1, n_neighbors=4)


def test_to_ask_again_costs_nothing():
    answer = Answers("mine", np.array([3, 1, 2]), 2)
    assert answer(0).tolist() == [3]
    assert answer([0, 2]).tolist() == [3, 2]
    answer.check(np.array([2, 0]))
    assert answer.told == {0, 2}


def by_hand(X, labels, count, size, seed, task):
    learner = tp.ActiveLearner(X, n_neighbors=4, task=task, audit=0.0, random_state=seed)
    picks = []
    while len(picks) < count:
        samples = learner.ask(min(size, count - len(picks)))
        learner.tell(samples, labels[samples].tolist())
        picks += samples.tolist()
    return picks


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize(
    ("options", "count", "size"),
    [({}, 7, 1), pytest.param({}, 45, 2, marks=pytest.mark.slow), ({"batch": 4}, 10, 4)],
)
def test_the_learner_asks_and_is_told(bands, task, options, count, size):
    X, y = bands
    known = check_labeled(X, y if task == "classification" else np.sin(X[:, 0]), None, task)
    drawn = split(known, Setting(0.25, 4, "euclidean", 0), 0)
    labels = labels_of(known.targets[drawn.keep], known.classes)
    method = Method("learner", "learner", options)
    picks = chosen(method, drawn, count, 3, labels)
    assert picks.tolist() == by_hand(drawn.X, labels, count, size, 3, task)


@pytest.mark.parametrize("given", ["features", "graph"])
def test_the_learner_asks_for_what_a_model_doubts(bands, given):
    X, y = bands
    model = KNeighborsClassifier(2)
    graph = tp.neighbor_graph(X, 4) if given == "graph" else None
    known = check_labeled(X, y, graph, "auto")
    drawn = split(known, Setting(0.25, 4, "euclidean", 0), 0)
    labels = labels_of(known.targets[drawn.keep], known.classes)
    picks = chosen(Method("mine", "learner", {"model": model, "batch": 5}), drawn, 15, 3, labels)
    pool = {"X": drawn.X, "n_neighbors": 4, "model": model}
    if graph is not None:
        pool = {"graph": drawn.graph, "model": model, "model_X": drawn.X}
    learner = tp.ActiveLearner(**pool, audit=0.0, random_state=3)
    for _ in range(3):
        samples = learner.ask(5)
        learner.tell(samples, labels[samples])
    assert picks.tolist() == list(learner.labels)
    methods = {"mine": {"method": "learner", "model": model}}
    with pytest.raises(tp.InputError, match="model needs features; this pool is a graph"):
        tp.compare(None, y, graph=tp.neighbor_graph(X, 4), methods=methods)


def test_names_of_files_are_not_too_long():
    pipeline = make_pipeline(*(StandardScaler(with_std=False) for _ in range(12)), SVC())
    one, other = (Method("mine", "learner", {"model": pipeline, "batch": k}).slug for k in (1, 2))
    assert len(one) < 100
    assert one != other
    assert Method("mine", "learner", {"batch": 2}).slug == "mine__batch_2"


def test_a_trial_of_the_learner_is_judged_like_all_others(bands):
    known, setting = check_labeled(*bands, None, "auto"), Setting(0.25, 4, "euclidean", 0)
    method = Method("learner", "learner")
    plain = Predictor("plain", "propagation")
    rows = trial(known, setting, method, (plain,), (5, 12), 1)
    drawn = split(known, setting, 1)
    seed = int(rng_for(0, "method", 1, "learner").integers(2**31))
    labels = labels_of(known.targets[drawn.keep], known.classes)
    for row, count in zip(rows, (5, 12), strict=True):
        picks = by_hand(drawn.X, labels, count, 1, seed, "classification")
        assert (row["rest"], row["held_out"]) == errors(known, drawn, np.array(picks), plain)


@pytest.mark.slow
def test_the_learner_stands_apart(bands, tmp_path):
    settings = {"methods": ["learner", "kmeans"], "budgets": [10, 20], "n_splits": 3, "n_neighbors": 4}
    found = tp.compare(*bands, **settings, folder=tmp_path)
    assert found.asks == ("learner",)
    assert found.best() == "kmeans"
    assert found.loop().startswith("Labels in the loop ")
    assert "## Labels in the loop" in found.markdown()
    assert {row["method"]: row["told_labels"] for row in found.table()} == {
        "learner": True,
        "kmeans": False,
        "random": False,
    }
    again = tp.compare(*bands, **{**settings, "methods": ["kmeans"]}, folder=tmp_path)
    assert (again.winner(), again.loop()) == (found.winner(), "")
    assert "in the loop" not in again.markdown()
    parallel = tp.compare(*bands, **settings, n_jobs=2)
    np.testing.assert_array_equal(parallel.errors["held_out"], found.errors["held_out"])


@pytest.mark.parametrize("given", [False, True])
def test_the_learner_gets_features_unless_the_graph_is_given(bands, given, monkeypatch):
    made = []

    class Seen(tp.ActiveLearner):
        def __init__(self, X=None, **options):
            made.append((X is None, options.get("graph") is None))
            super().__init__(X, **options)

    monkeypatch.setattr("trigpoint.comparison._loop.ActiveLearner", Seen)
    X, y = bands
    graph = tp.neighbor_graph(X, 4) if given else None
    tp.compare(X, y, graph=graph, methods=["learner"], predictors=["auto"], budgets=[4], n_splits=1)
    assert set(made) == {(False, True)} if not given else (True, False) in made


def test_a_graph_without_features_has_a_learner_too():
    edges = [[i, (i + 1) % 20] for i in range(20)] + [[20 + i, 20 + (i + 1) % 20] for i in range(20)]
    y = np.repeat([0, 1], 20)
    found = tp.compare(None, y, graph=edges, methods=["learner"], budgets=[4], n_splits=2)
    assert found.methods == ("learner", "random")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"audit": 0.1}, "audit is not an option of method='learner', whose options are: batch, model"),
        ({"model": SVC()}, r"model must be a classifier, an object with fit and predict_proba; got SVC\(\)"),
        ({"batch": 0}, r"methods\['mine'\] batch must be an integer and be at least 1"),
    ],
)
def test_options_of_the_learner_are_checked(bands, options, message):
    with pytest.raises(ValueError, match=message):
        tp.compare(*bands, methods={"mine": {"method": "learner", **options}}, n_splits=1)
