"""The front door: seeds, jobs, going on, and what it refuses."""

import json

import numpy as np
import pytest
from scipy import sparse

import trigpoint as tp
from trigpoint.comparison._budgets import default_budgets


@pytest.fixture(scope="module")
def blobs():
    """Three clouds of 30, far apart."""
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    return rng.standard_normal((90, 2)) + 40 * y[:, None], y


def figures(found):
    return {name: values.tolist() for name, values in found.errors.items()}


@pytest.mark.slow
def test_coverage_beats_random_on_clouds(blobs):
    found = tp.compare(*blobs, methods=["auto"], budgets=[3, 30], n_splits=20)
    assert found.methods == ("auto", "random")
    assert found.predictors == ("auto", "propagation", "logistic", "svm", "1-nn")
    assert found.errors["held_out"].shape == (2, 5, 2, 20)
    assert found.errors["held_out"][0].max() == 0.0  # one landmark a cloud
    assert found.errors["held_out"][1, :, 0].mean(axis=1).min() > 0.1
    assert found.winner().startswith("auto beats random, significantly at 1 of 2 budgets: error 0.")
    assert (found.n_pool, found.n_held_out, found.n_splits) == (68, 22, 20)
    assert found.seconds.min() > 0


@pytest.mark.slow
def test_seeds_repeat_for_any_number_of_jobs(blobs):
    again = [
        figures(tp.compare(*blobs, methods=["kmeans", "random"], budgets=[2, 5], n_splits=3, n_jobs=jobs))
        for jobs in (1, 2)
    ]
    assert again[0] == again[1]
    other = tp.compare(*blobs, methods=["kmeans", "random"], budgets=[2, 5], n_splits=3, random_state=1)
    assert figures(other) != again[0]


def test_a_method_does_not_depend_on_the_others(blobs):
    alone = tp.compare(*blobs, methods=["random"], budgets=[2, 5], n_splits=2)
    among = tp.compare(*blobs, methods=["gcls", "kmeans", "random"], budgets=[2, 5], n_splits=2)
    np.testing.assert_array_equal(alone.errors["rest"][0], among.errors["rest"][2])
    plain = tp.compare(*blobs, methods=["random"], predictors=["propagation"], budgets=[2, 5], n_splits=2)
    np.testing.assert_array_equal(plain.errors["rest"][:, 0], alone.errors["rest"][:, 1])


def test_going_on_is_the_same_as_going_through(blobs, tmp_path):
    calls = []

    def first(X, graph, phi, n_landmarks, rng):
        calls.append(n_landmarks)
        return np.arange(n_landmarks)

    settings = {"budgets": [2, 5], "methods": {"first": first, "gcls": None}}
    tp.compare(*blobs, n_splits=1, folder=tmp_path / "a", **settings)
    assert calls == [2, 5]  # a function is asked at every budget
    (tmp_path / "a/tasks/000-gcls.json").unlink()
    told = []
    with tp.progress(told.append):
        again = tp.compare(*blobs, n_splits=2, folder=tmp_path / "a", **settings)
    assert calls == [2, 5, 2, 5]
    assert [one.done for one in told if one.path == ("compare",)] == [0, 2, 3, 4, 5, 6, 6]
    assert ("compare", "neighbors") in {one.path for one in told}
    assert figures(again) == figures(tp.compare(*blobs, n_splits=2, **settings))
    assert len(json.loads((tmp_path / "a/manifest.json").read_text())["runs"]) == 2
    with pytest.raises(ValueError, match=r"holds results with held_out = 0\.25; this run has 0\.5"):
        tp.compare(*blobs, n_splits=2, held_out=0.5, folder=tmp_path / "a", **settings)
    with pytest.raises(ValueError, match=r"holds results with predictors = \{'auto': 'auto', .*this run has"):
        tp.compare(*blobs, n_splits=2, predictors=["auto"], folder=tmp_path / "a", **settings)
    X, y = blobs
    with pytest.raises(ValueError, match="holds results with data = "):
        tp.compare(X, 2 - y[::-1] // 2, n_splits=2, folder=tmp_path / "a", **settings)


def test_a_function_that_says_it_is_nested_is_asked_once(blobs):
    calls = []

    def last(X, graph, phi, n_landmarks, rng):
        calls.append(n_landmarks)
        return np.arange(len(X))[::-1][:n_landmarks]

    asked = tp.compare(*blobs, methods={"last": last}, budgets=[2, 5], n_splits=1)
    last.nested = True
    once = tp.compare(*blobs, methods={"last": last}, budgets=[2, 5], n_splits=1)
    assert calls == [2, 5, 5]
    assert figures(asked) == figures(once)


def test_options_are_told_apart(blobs, tmp_path):
    def discs(**options):
        settings = {"discs": {"method": "gcls", **options}}
        return tp.compare(*blobs, methods=settings, budgets=[4], n_splits=1, folder=tmp_path)

    discs(), discs(strategy="two_candidates")
    assert len(list((tmp_path / "tasks").iterdir())) == 3


def test_a_graph_without_features():
    y = np.repeat([0, 1], 20)
    edges = [[i, (i + 1) % 20] for i in range(20)] + [[20 + i, 20 + (i + 1) % 20] for i in range(20)]
    found = tp.compare(None, y, graph=edges, budgets=[4], n_splits=3)
    assert found.methods == ("auto", "random", "maxmin_geodesic")
    assert found.predictors == ("auto",)
    same = tp.compare(None, y, graph=tp.graph_from_edges(edges), budgets=[4], n_splits=3)
    matrix = sparse.coo_array((np.ones(40), np.array(edges).T), shape=(40, 40))
    assert figures(found) == figures(same)
    assert figures(found) == figures(tp.compare(None, y, graph=matrix, budgets=[4], n_splits=3))


def test_a_graph_with_features_for_methods_that_need_them(blobs):
    X, y = blobs
    found = tp.compare(X, y, graph=tp.neighbor_graph(X, 15), methods=["kmeans"], budgets=[3], n_splits=2)
    assert found.errors["rest"][0].max() == 0.0


def test_what_no_landmark_reaches_counts_as_wrong():
    """Ten parts, three landmarks: whoever chooses, seven are lost."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 2)) + 1000 * (np.arange(100) % 10)[:, None]
    settings = {"methods": ["maxmin_geodesic"], "budgets": [3], "n_neighbors": 4}
    found = tp.compare(X, np.arange(100) % 2, predictors=["propagation"], **settings)
    assert found.errors["rest"][0].min() > 0.5


def test_real_values():
    X = np.linspace(0, 1, 120)[:, None]
    found = tp.compare(X, np.sin(3 * X[:, 0]), methods=["maxmin_geodesic"], budgets=[2, 20], n_splits=3)
    assert found.task == "regression"
    assert found.predictors == ("auto", "propagation", "ridge", "svm", "1-nn")
    auto = found.errors["held_out"][0, 0]
    assert auto[1].max() < 0.2
    assert auto[0].min() > auto[1].max()


def test_samples_without_a_label_take_no_part(blobs):
    X, y = blobs
    some = np.arange(90) < 60
    whole = tp.compare(X[:60], y[:60], methods=["kmeans"], budgets=[3], n_splits=2)
    for given in (np.where(some, y, -1), [*y[:60].tolist(), *[None] * 30]):
        assert figures(tp.compare(X, given, methods=["kmeans"], budgets=[3], n_splits=2)) == figures(whole)
    values = np.where(some, X[:, 0] + 0.5, np.nan)
    real = tp.compare(X, values, methods=["kmeans"], budgets=[3], n_splits=2)
    assert (real.task, real.n_pool) == ("regression", 45)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"methods": ["auto", "best"]}, "method must be one of .*; got 'best'"),
        ({"methods": "auto"}, "methods must be a list of names"),
        ({"methods": []}, "methods must be a list of names"),
        ({"methods": ["auto", "auto"]}, "methods must be distinct"),
        ({"methods": {"gcls": {"sort": 1}}}, "sort is not an option of method='gcls'"),
        (
            {"methods": {"random": {"method": "gcls"}}},
            "must not redefine 'random', the baseline of every comparison",
        ),
        ({"methods": {"a b": {"method": "gcls"}, "a_b": {"method": "gcls"}}}, "differ in letters or digits"),
        ({"methods": {"gcls": 3}}, "must be a dict of options or a function; got 3"),
        ({"budgets": [5, 68]}, r"budgets must be an integer and lie in \[1, 67\] for pools of 68"),
        ({"budgets": []}, "budgets must be a list of at least one"),
        ({"budgets": 5}, "budgets must be a list of at least one"),
        ({"n_splits": 0}, "n_splits must be an integer and be at least 1"),
        ({"held_out": 0.0}, "held_out must be greater than 0 and less than 1"),
        ({"held_out": 1.5}, r"held_out must be a number in \[0, 1\]"),
        ({"held_out": 0.99}, "held_out must leave a pool of at least 4"),
        ({"n_neighbors": 68}, r"n_neighbors must be an integer and lie in \[1, 67\]"),
        ({"metric": "manhattan"}, "metric must be one of"),
        ({"task": "ranking"}, "task must be one of"),
        ({"random_state": None}, "random_state must be an integer"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"y": [0] * 90}, "y must hold at least two classes; got only 0"),
        ({"y": [0] * 89}, "y must have 90 entries"),
        ({"y": [0, 1, 1, 0, 1] + [-1] * 85}, "y must label at least 8 samples for a comparison; got 5"),
        ({"y": [0.5] * 90, "task": "regression"}, "y must hold different values"),
        ({"X": None}, "X or graph must be given"),
        ({"X": None, "graph": [[0, 1]], "methods": ["kmeans"]}, "X must be given for method='kmeans'"),
        ({"graph": tp.graph_from_edges([[0, 1]])}, "graph must have 90 samples, as X does; got 2"),
    ],
)
def test_bad_input_is_named_before_anything_is_computed(blobs, tmp_path, given, message):
    X, y = blobs
    arguments = {"X": X, "y": y, "folder": tmp_path / "out", **given}
    with pytest.raises(ValueError, match=message):
        tp.compare(arguments.pop("X"), arguments.pop("y"), **arguments)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("choose", "message"),
    [
        (lambda X, graph, phi, n, rng: [0] * n, "what 'mine' chooses must be distinct"),
        (lambda X, graph, phi, n, rng: [0], "'mine' must choose 2 landmarks; got 1"),
    ],
)
def test_a_function_that_chooses_badly_is_named(blobs, choose, message):
    with pytest.raises(ValueError, match=message):
        tp.compare(*blobs, methods={"mine": choose}, budgets=[2], n_splits=1)


@pytest.mark.parametrize("n", [4, 7, 30, 200, 5000, 100_000])
@pytest.mark.parametrize("classes", [0, 2, 38])
def test_budgets_fit_any_pool(n, classes):
    found = default_budgets(n, classes)
    assert list(found) == sorted(set(found))
    assert found[0] >= 1
    assert found[-1] <= max(n // 2, 1) < n
    if n >= 200 * max(classes, 1):
        assert len(found) == 4
        assert found[0] == (2 * classes or 20)


def test_the_default_number_of_neighbors_gives_way_to_a_small_pool():
    X, y = [[float(i % 6 + 50 * (i // 6))] for i in range(12)], [i // 6 for i in range(12)]
    assert tp.compare(X, y, methods=["auto"], budgets=[2], n_splits=1).methods == ("auto", "random")
    with pytest.raises(tp.InputError, match=r"n_neighbors must .* \[1, 8\] for pools of 9 samples; got 15"):
        tp.compare(X, y, methods=["auto"], budgets=[2], n_splits=1, n_neighbors=15)
