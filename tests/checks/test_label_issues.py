"""Labels that others contradict: planted errors are found in any kind of input, and bad input is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_digits, make_blobs

import trigpoint as tp
from trigpoint.checks import _label_issues, class_issues, label_issues
from trigpoint.prediction import _class_predictor, _feature_models, _spread, predict_classes, viewed_pool


def blobs(n=90, k=3, std=1.0, seed=0, p=4):
    return make_blobs(n, p, centers=k, cluster_std=std, random_state=seed)


def spoiled(y, count, seed=0):
    rng = np.random.default_rng(seed)
    bad, k = rng.choice(len(y), count, replace=False), y.max() + 1
    labels = y.copy()
    labels[bad] = (y[bad] + rng.integers(1, k, count)) % k
    return labels, np.sort(bad)


def check_record(found, n_labels):
    """What holds of every record."""
    for name in ("samples", "labels", "quality", "suggested", "suggested_probability", "judged", "ranked"):
        assert len(getattr(found, name)) == n_labels, name
    assert found.samples.dtype == found.ranked.dtype == np.int64
    assert found.judged.dtype == bool
    assert found.quality.min() >= 0
    assert found.quality.max() <= 1
    np.testing.assert_array_equal(np.sort(found.ranked), np.arange(n_labels))
    assert (np.diff(found.quality[found.ranked]) >= 0).all()
    if not np.isnan(found.n_wrong):
        assert 0 <= found.low <= found.n_wrong <= found.high <= n_labels
        np.testing.assert_array_equal(found.wrong, found.samples[found.ranked][: round(found.n_wrong)])


def check_found(found, bad):
    """The errors are those most suspicious. Of few labels the number is a careful one."""
    np.testing.assert_array_equal(np.sort(found.samples[found.ranked[: len(bad)]]), bad)
    assert len(bad) / 2 <= found.n_wrong <= len(bad) * 4 / 3
    assert found.low <= len(bad) <= found.high


def same(found, want, rtol=1e-6):
    for name in ("samples", "labels", "suggested", "judged", "ranked"):
        np.testing.assert_array_equal(getattr(found, name), getattr(want, name), err_msg=name)
    np.testing.assert_allclose(found.quality, want.quality, rtol=rtol, atol=rtol)
    np.testing.assert_allclose(found.n_wrong, want.n_wrong, rtol=1e-3)


def test_planted_errors_are_found_and_corrected():
    X, y = blobs()
    labels, bad = spoiled(y, 9)
    found = label_issues(X, labels)
    check_record(found, 90)
    check_found(found, bad)
    np.testing.assert_array_equal(found.suggested, y)
    np.testing.assert_array_equal(found.labels, labels)
    np.testing.assert_array_equal(found.samples, np.arange(90))
    assert found.labels.dtype == found.suggested.dtype == labels.dtype
    assert found.quality[bad].max() < 0.4
    assert np.delete(found.quality, bad).min() > 0.9
    assert found.judged.all()


def test_the_record_is_made_of_what_was_predicted():
    X, y = blobs(std=4.0)
    labels, _ = spoiled(y, 15)
    fitted = predict_classes(viewed_pool(X), np.arange(90), labels, 3, noise="auto", judge=True)
    found, noise = label_issues(X, labels), fitted.noise
    same(found, class_issues(viewed_pool(X), np.arange(90), np.arange(3), labels))
    np.testing.assert_allclose(found.quality, noise.suspicion[np.arange(90), labels], rtol=1e-6)
    np.testing.assert_array_equal(found.suggested, noise.suspicion.argmax(axis=1))
    np.testing.assert_allclose(found.suggested_probability, noise.suspicion.max(axis=1), rtol=1e-6)
    np.testing.assert_allclose(
        [found.n_wrong, found.low, found.high], 90 * np.array([noise.share, noise.low, noise.high])
    )


def test_more_planted_errors_are_more_errors():
    X, y = load_digits(return_X_y=True)
    graph, y = tp.neighbor_graph(X[:400]), y[:400]
    counts = [label_issues(graph, spoiled(y, count)[0]).n_wrong for count in (0, 20, 60, 120)]
    assert counts == sorted(counts)
    np.testing.assert_allclose(counts, [0, 20, 60, 120], atol=12)


@given(seed=st.integers(0, 1000))
@settings(max_examples=3)
def test_the_order_of_samples_and_the_names_of_classes_do_not_matter(seed):
    """Folds of the models, and halves of the labels, change with the order: a graph, and no halves."""
    X, y = blobs(80, std=4.0, seed=seed)
    labels, _ = spoiled(y, 8, seed)
    rng = np.random.default_rng(seed)
    order, names = rng.permutation(80), rng.permutation(3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_class_predictor, "_lasting", lambda *_: 1.0)
        want = label_issues(tp.neighbor_graph(X), labels)
        moved = label_issues(tp.neighbor_graph(X[order]), labels[order])
        renamed = label_issues(tp.neighbor_graph(X), names[labels])
        np.testing.assert_allclose(moved.quality, want.quality[order], rtol=1e-5, atol=1e-8)
    np.testing.assert_array_equal(moved.suggested, want.suggested[order])
    np.testing.assert_allclose(renamed.quality, want.quality, rtol=1e-5, atol=1e-8)
    np.testing.assert_array_equal(renamed.suggested, names[want.suggested])
    np.testing.assert_allclose(
        [renamed.n_wrong, moved.n_wrong, moved.low], [want.n_wrong, want.n_wrong, want.low], rtol=1e-5
    )


def frozen(X):
    X = X.copy()
    X.flags.writeable = False
    return X


FORMS = [np.asfortranarray, frozen, np.ndarray.tolist, lambda X: np.repeat(X, 2, axis=0)[::2]]


@pytest.mark.parametrize("form", FORMS, ids=["fortran", "read-only", "list", "strided"])
def test_forms_of_features_say_the_same(form):
    X, y = blobs()
    labels, _ = spoiled(y, 9)
    labels.flags.writeable = False
    same(label_issues(form(X), labels), label_issues(X, labels))


@pytest.mark.parametrize("form", [np.float32, sparse.csr_array, sparse.csc_matrix, np.int64])
def test_other_types_of_features_find_the_same_errors(form):
    X, y = blobs(std=1.0)
    labels, bad = spoiled(y, 9)
    found = label_issues(form(np.rint(10 * X)), labels)
    check_record(found, 90)
    check_found(found, bad)


LABELS = {
    "text": lambda y: np.array(["ant", "bee", "cat"])[y],
    "list of text": lambda y: [("ant", "bee", "cat")[c] for c in y],
    "objects": lambda y: np.array(["ant", "bee", "cat"], dtype=object)[y],
    "floats": lambda y: y.astype(float),
    "large numbers": lambda y: y * 1000 + 7,
}


@pytest.mark.parametrize("kind", LABELS)
def test_kinds_of_labels(kind):
    X, y = blobs()
    labels, bad = spoiled(y, 9)
    given, truth = LABELS[kind](labels), np.asarray(LABELS[kind](y))
    found = label_issues(tp.neighbor_graph(X), given)
    check_found(found, bad)
    np.testing.assert_array_equal(found.labels, given)
    np.testing.assert_array_equal(found.suggested, truth)


def test_yes_and_no():
    X, y = blobs(k=2)
    labels, bad = spoiled(y, 6)
    found = label_issues(X, labels.astype(bool))
    check_found(found, bad)
    assert found.suggested.dtype == bool


@pytest.mark.parametrize("unknown", [-1, None, np.nan])
def test_some_samples_have_no_label(unknown):
    X, y = blobs(150)
    labels, bad = spoiled(y, 9)
    given = labels.astype(object)
    hidden = np.setdiff1d(np.arange(0, 150, 3), bad)
    given[hidden] = unknown
    kept = np.setdiff1d(np.arange(150), hidden)
    graph = tp.neighbor_graph(X)
    for form in (given, list(given)):
        found = label_issues(graph, form)
        check_record(found, len(kept))
        np.testing.assert_array_equal(found.samples, kept)
        check_found(found, bad)
        np.testing.assert_array_equal(found.labels.astype(int), labels[kept])


def test_a_graph_and_distances():
    X, y = blobs()
    labels, bad = spoiled(y, 9)
    apart = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    for found in (
        label_issues(tp.neighbor_graph(X), labels),
        label_issues(apart, labels, metric="precomputed"),
        label_issues(X, labels, metric="cosine"),
        label_issues(X, labels, view="standard", n_neighbors=5),
        label_issues(X, labels, n_neighbors=10_000),
    ):
        check_found(found, bad)


def test_isolated_samples_and_separate_parts():
    """An isolated label is contradicted by nobody."""
    X, y = blobs(60, 2, std=1.0)
    labels, bad = spoiled(y, 4)
    near = tp.neighbor_graph(X, 5)
    rows = np.repeat(np.arange(60), 5)
    edges = np.column_stack([rows, near.neighbors.ravel()])
    graph = tp.graph_from_edges(np.concatenate([edges, edges + 60]), n_nodes=122)
    given = np.concatenate([labels, labels, [0, 1]])
    found = label_issues(graph, given)
    check_record(found, 122)
    check_found(found, np.concatenate([bad, bad + 60]))
    assert found.quality[120:].min() > 0.5
    given[60:120] = -1
    with pytest.warns(tp.UnreachedWarning):
        check_found(label_issues(graph, given), bad)


@pytest.mark.parametrize("k", [1, 4])
def test_where_nothing_can_be_judged(k):
    """One class, or five labels a class: nothing is called wrong, and the record says that nobody knows."""
    X = np.random.default_rng(0).normal(size=(30, 3))
    labels = np.full(30, -1)
    labels[: 5 * k] = np.arange(5 * k) % k
    found = label_issues(X, labels)
    check_record(found, 5 * k)
    assert np.isnan(found.n_wrong)
    assert len(found.wrong) == 0
    assert not found.judged.any()
    assert (found.low, found.high) == (0, 5 * k)


def test_one_label_and_two_samples():
    found = label_issues([[0.0], [1.0]], [3, -1])
    check_record(found, 1)
    np.testing.assert_array_equal(found.samples, [0])
    np.testing.assert_array_equal(found.suggested, [3])
    check_record(label_issues([[0.0], [1.0]], ["a", "b"]), 2)


def test_copies_with_different_labels_and_constant_columns():
    X, y = blobs(100, 2, std=1.0)
    X = np.concatenate([X, X[:20], np.zeros((1, 4))])
    X[:, 2] = 7.0
    labels = np.concatenate([y, 1 - y[:5], y[5:20], [0]])
    found = label_issues(X, labels)
    check_record(found, 121)
    assert set(found.ranked[:10]) >= set(range(100, 105))
    check_record(label_issues(np.ones((30, 3)), np.arange(30) % 2), 30)


def test_more_labels_than_models_take(monkeypatch):
    """As in large pools: columns of labels are too many, and models see a choice."""
    monkeypatch.setattr(_feature_models, "MOST", 100)
    monkeypatch.setattr(_spread, "WHOLE", 10)
    monkeypatch.setattr(_spread, "COLUMNS", 100)
    X, y = blobs(300)
    labels, bad = spoiled(y, 30)
    found = label_issues(X, labels)
    check_record(found, 300)
    check_found(found, bad)
    assert abs(found.n_wrong - 30) <= 10


def test_real_targets():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (200, 5))
    values = np.column_stack([X[:, 0] + X[:, 1] ** 2, X[:, 2]]) + 0.01 * rng.normal(size=(200, 2))
    true, bad = values.copy(), np.array([3, 50, 120])
    values[bad, 0] += [4.0, -5.0, 6.0]
    values[7] = np.nan
    for targets in (values, values[:, 0]):
        found = label_issues(X, targets, task="regression")
        check_record(found, 199)
        assert 7 not in found.samples
        np.testing.assert_array_equal(found.samples[np.sort(found.ranked[:3])], bad)
        assert set(found.wrong) >= set(bad)
        assert found.n_wrong < 20
        assert np.isnan(found.suggested_probability).all()
        at = np.searchsorted(found.samples, bad)
        gaps = found.suggested[at] - (true[bad] if targets.ndim == 2 else true[bad, 0])
        assert np.abs(gaps).max() < 1.0
        assert found.labels.shape == found.suggested.shape == (199, *targets.shape[1:])


def test_targets_that_are_all_alike():
    found = label_issues(np.random.default_rng(0).normal(size=(20, 3)), np.ones(20), task="regression")
    check_record(found, 20)
    assert np.isnan(found.n_wrong)
    assert not found.wrong.size


GOOD = np.arange(12.0).reshape(6, 2)
BAD = [
    ("labels", {"labels": [0, 1, 0]}, "one for each of 6 samples"),
    ("labels", {"labels": 3}, "one for each of 6 samples"),
    ("labels", {"labels": [-1] * 6}, "at least one label"),
    ("labels", {"labels": [None] * 6}, "at least one label"),
    ("labels", {"labels": [[0], [1]] * 3}, "one label per sample"),
    ("labels", {"labels": [0.5, 1, 0, 1, 0, 1]}, "classes"),
    ("labels", {"labels": [1, "a", 0, 1, 0, 1]}, "one kind"),
    ("labels", {"labels": [np.inf, 1, 0, 1, 0, 1]}, "classes"),
    ("labels", {"labels": [np.nan] * 6, "task": "regression"}, "at least one"),
    ("labels", {"labels": ["a"] * 6, "task": "regression"}, "real numbers"),
    ("labels", {"labels": [np.inf] * 6, "task": "regression"}, "finite"),
    ("task", {"task": "ranking"}, "classification"),
    ("view", {"view": "blurred"}, "raw"),
    ("view", {"view": "white", "metric": "cosine"}, "metric"),
    ("metric", {"metric": "nearest"}, "euclidean"),
    ("n_neighbors", {"n_neighbors": 0}, "at least 1"),
    ("n_neighbors", {"n_neighbors": "many"}, "integer"),
    ("n_neighbors", {"n_neighbors": 2.5}, "integer"),
    ("X", {"X": [[np.nan, 1.0]] * 6}, "finite"),
    ("X", {"X": np.zeros((0, 3)), "labels": []}, "at least one sample"),
    ("X", {"X": [[1.0]], "labels": [0]}, "at least 2 samples"),
]


@pytest.mark.parametrize(("argument", "given", "rule"), BAD)
def test_bad_input_is_named(argument, given, rule):
    given = {"X": GOOD, "labels": [0, 1, 0, 1, 0, 1], **given}
    with pytest.raises(tp.InputError, match=rule) as caught:
        label_issues(given.pop("X"), given.pop("labels"), **given)
    assert caught.value.argument == argument


def test_ten_thousand_classes_are_refused_at_once():
    with pytest.raises(tp.InputError, match=r"at most 2,000 classes.*merge.*got 10,000") as caught:
        label_issues(np.zeros((10_000, 1)), np.arange(10_000))
    assert caught.value.argument == "labels"


def test_too_many_numbers_are_refused_at_once(monkeypatch):
    monkeypatch.setattr(_label_issues, "LARGE", 30)
    X, y = blobs(40)
    for task, labels in (("classification", y), ("regression", y.astype(float))):
        with pytest.raises(tp.InputError, match="a part of the pool at a time") as caught:
            label_issues(X, labels, task=task)
        assert caught.value.argument == "labels"
