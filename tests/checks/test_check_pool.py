"""The whole check: what it finds, in which order, and what it says."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_digits, load_iris

import trigpoint as tp
from trigpoint.checks import KINDS, SEVERITIES, check_pool


def blobs(n=120, p=6, seed=0):
    """Two clouds, and their names."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[n // 2 :] += 7
    labels = np.array(["low"] * (n // 2) + ["high"] * (n - n // 2), dtype=object)
    return X, labels


def kinds(found):
    return [finding.kind for finding in found.findings]


def test_a_healthy_pool_gets_a_short_page():
    X, labels = blobs()
    found = check_pool(X, labels)
    assert found.healthy
    assert set(kinds(found)) <= {"parts"}
    assert str(found).startswith("120 samples, 120 of them labeled. Nothing looks wrong")
    bare = check_pool(np.random.default_rng(0).normal(size=(100, 5)))
    assert str(bare) == "100 samples, without labels. Nothing looks wrong."
    assert (bare.n_labels, bare.task, bare.labels, bare.corrected) == (0, None, None, None)


WRONG = [5, 15, 25, 35, 75, 85, 95, 105]


@pytest.fixture(scope="module")
def messy():
    """A pool with one defect of every kind that features and classes can have."""
    X, labels = blobs()
    rng = np.random.default_rng(1)
    X = np.column_stack([X, np.full(120, 7.0), X[:, 5], rng.permutation(120), labels == "high"])
    labels[WRONG] = np.where(labels[WRONG] == "low", "high", "low")
    labels[[1, 2, 3]] = "Low ", "LOW", "lwo"
    X[20, :8] = X[10, :8]
    X[20, 9] = X[10, 9]
    labels[80] = None
    X[80, :5] += 400
    return X, labels, check_pool(X, labels, ids=[f"s{i}" for i in range(120)], columns=list("abcdefghij"))


def test_every_defect_is_found_the_worst_first(messy):
    found = messy[2]
    severities = [SEVERITIES.index(finding.severity) for finding in found.findings]
    assert severities == sorted(severities)
    order = [(SEVERITIES.index(each.severity), KINDS.index(each.kind)) for each in found.findings]
    assert order == sorted(order)
    for kind in ("wrong_labels", "spellings", "counting", "duplicates", "outliers", "constant", "repeated"):
        assert kind in found, kind
    assert found["duplicates"].groups[0].tolist() == [10, 20], "an id does not hide copies"
    assert found["outliers"].samples.tolist() == [80]
    assert found["outliers"].severity == "warning"
    assert found["spellings"].classes == (("low", "LOW", "Low "),)
    assert found["counting"].columns == ((8,),)
    assert found["constant"].columns == ((6,),)
    assert found["repeated"].columns == ((5, 7),)
    wrong = found["wrong_labels"].samples.tolist()
    assert set(wrong) <= set(WRONG)
    assert len(wrong) >= 5
    assert found.issues.samples[found.suspects].tolist() == wrong
    assert not found.healthy
    assert found.redundant.tolist() == [20]
    with pytest.raises(KeyError):
        found["isolated"]


def test_the_page_names_samples_columns_and_calls(messy):
    page = str(messy[2])
    for words in (
        "problem: 3 classes look like one under different spellings.",
        "    'low', 'LOW', 'Low '",
        "warning: 2 samples are exact copies of each other.\n    s10, s20\n",
        "to act: X = np.delete(X, found.redundant, axis=0)",
        " labels look wrong, of 119: the others suggest another class. In all, ",
        ": 'high', perhaps 'low' (",
        "    'f' = 'h'",
        "1 sample lies far from all others",
    ):
        assert words in page, words


def test_corrected_labels_are_those_that_were_meant(messy):
    _, labels, found = messy
    truth = np.array(["low"] * 60 + ["high"] * 60, dtype=object)[found.labeled]
    assert found.labels.tolist() == labels[found.labeled].tolist()
    changed = found.corrected != found.labels
    assert found.corrected[changed].tolist() == truth[changed].tolist()
    assert changed.sum() == len(found.suspects) + 2
    assert found.corrected[[1, 2]].tolist() == ["low", "low"]


def test_copies_with_two_labels_are_a_problem():
    X, labels = blobs()
    X[7] = X[6]
    labels[7] = "high"
    X[9] = X[8] + 1e-6
    labels[9] = "high"
    found = check_pool(X, labels)
    assert found["conflicts"].severity == "problem"
    assert found["conflicts"].groups[0].tolist() == [6, 7]
    assert "    6 'low', 7 'high'" in str(found)
    assert found["near_conflicts"].groups[0].tolist() == [8, 9]
    assert found["near_duplicates"].groups[0].tolist() == [8, 9]


def test_copies_where_features_have_few_values_are_notes():
    rng = np.random.default_rng(0)
    found = check_pool(rng.integers(0, 2, (90, 4)).astype(float), rng.integers(0, 2, 90))
    assert found["duplicates"].severity == "note"
    assert found["conflicts"].severity == "note"


def test_wrong_labels_come_with_a_number_and_an_interval():
    X, y = load_digits(return_X_y=True)
    X, y = X[:400], y[:400].copy()
    rng = np.random.default_rng(0)
    bad = rng.choice(400, 30, replace=False)
    y[bad] = (y[bad] + rng.integers(1, 10, 30)) % 10
    found = check_pool(X, y, column_checks=False)
    finding, issues = found["wrong_labels"], found.issues
    assert finding.severity == "problem"
    assert finding.count == len(finding.samples)
    assert f"In all, {int(issues.low)} to {int(np.ceil(issues.high))} are wrong." in finding.sentence
    assert len(set(finding.samples.tolist()) & set(bad.tolist())) >= 25
    assert len(set(finding.samples.tolist()) - set(bad.tolist())) <= 3
    np.testing.assert_array_equal(issues.labels, y)
    np.testing.assert_array_equal(issues.samples, np.arange(400))
    assert found.skipped == {"columns": "those of pixels and of texts have no meaning of their own"}


def test_one_spelling_is_one_class_for_wrong_labels():
    """Otherwise the two halves of a class would contradict each other."""
    X, y = load_iris(return_X_y=True)
    labels = np.array(["setosa", "versicolor", "virginica"], dtype=object)[y]
    plain = check_pool(X, labels).issues
    labels[::2] = [name.upper() for name in labels[::2]]
    mixed = check_pool(X, labels)
    np.testing.assert_allclose(mixed.issues.quality, plain.quality)
    assert set(mixed.issues.suggested) <= {
        "setosa",
        "versicolor",
        "virginica",
        "SETOSA",
        "VERSICOLOR",
        "VIRGINICA",
    }
    assert len(mixed["spellings"].classes) == 3


def test_a_typo_must_look_like_the_class_that_it_is_taken_for():
    X, labels = blobs()
    labels = np.where(labels == "low", "airplane", "ship").astype(object)
    labels[3] = "airplan"
    assert check_pool(X, labels)["typos"].classes == (("airplan", "airplane"),)
    labels[3], labels[100] = "airplane", "airplan"
    assert "typos" not in check_pool(X, labels)


def test_a_leak_is_found_through_wrong_labels():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 150)
    X = np.column_stack([rng.normal(size=(150, 8)) + y[:, None] * 0.7, y])
    labels = y.copy()
    labels[:8] = (labels[:8] + 1) % 3
    leaks = check_pool(X, labels)["leaks"]
    assert (leaks.columns, leaks.severity) == (((8,),), "warning")
    assert "leaks" not in check_pool(X[:, :8], labels)


def test_a_good_feature_is_a_note():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 5))
    X[50:, 2] += 20
    found = check_pool(X, np.repeat([0, 1], 50))
    assert found["leaks"].columns == ((2,),)
    assert found["leaks"].severity == "note"
    assert found.healthy


def test_real_targets_have_no_classes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 5))
    y = X.sum(axis=1) + 0.1 * rng.normal(size=150)
    y[7] += 30
    y[100:] = np.nan
    found = check_pool(X, y)
    assert (found.task, found.n_labels) == ("regression", 100)
    assert found["wrong_labels"].samples.tolist()[0] == 7
    assert "another value" in found["wrong_labels"].sentence
    assert f"    7: {y[7]:.4g}, perhaps {found.issues.suggested[7]:.4g}\n" in str(found)
    assert set(kinds(found)) <= {"wrong_labels", "outliers"}
    assert found.corrected[7] == pytest.approx(found.issues.suggested[7])
    assert found.corrected[8] == y[8]
    two = check_pool(X, np.column_stack([y, y]))
    assert two.labels.shape == two.corrected.shape == (100, 2)
    assert f"    7: ({y[7]:.4g}, {y[7]:.4g}), perhaps (" in str(two)


def test_a_graph_has_links_parts_and_classes():
    edges = [(i, i + 1) for i in range(23)] + [(24, 25), (25, 26)]
    graph = tp.graph_from_edges(np.array(edges), n_nodes=29)
    labels = np.array(["a"] * 12 + ["b"] * 12 + [None] * 5, dtype=object)
    found = check_pool(graph, labels)
    assert found["isolated"].samples.tolist() == [27, 28]
    assert [group.tolist() for group in found["unlabeled_parts"].groups] == [[24, 25, 26]]
    assert [len(group) for group in found["parts"].groups] == [24, 3]
    assert set(found.skipped) == {"duplicates and outliers", "columns"}
    assert found.issues is not None
    few = check_pool(graph, np.where(np.arange(29) % 3, None, labels))
    assert few.skipped["wrong labels"] == "too few labels a class for the others to tell"


def test_a_graph_of_distances_has_copies():
    X, _ = blobs()
    X[7] = X[6] + 1e-9
    found = check_pool(tp.neighbor_graph(X))
    assert found["near_duplicates"].groups[0].tolist() == [6, 7]
    assert set(found.skipped) == {"columns"}


def test_parts_without_labels_are_found():
    X, labels = blobs()
    labels[60:] = None
    found = check_pool(X, labels)
    assert found["unlabeled_parts"].count == 1
    assert found["unlabeled_parts"].groups[0].tolist() == list(range(60, 120))
    assert found["one_class"].severity == "warning"
    assert found.skipped["wrong labels"] == "all labels are of one class"


def test_classes_of_few_labels_and_of_many():
    X, labels = blobs()
    labels[[0, 1, 119]] = "rare", "rare", "single"
    few = check_pool(X, labels)["few_labels"]
    assert few.classes == (("single",), ("rare",))
    assert few.samples.tolist() == [0, 1, 119]
    labels[:] = "high"
    labels[:6] = "low"
    uneven = check_pool(X, labels)["imbalance"]
    assert uneven.classes == (("high", "low"),)
    assert "'high' has 114 labels, 'low' has 6" in uneven.sentence


def test_ten_thousand_classes_get_a_clear_word():
    X = np.random.default_rng(0).normal(size=(10_000, 1))
    found = check_pool(X, [f"name {i}" for i in range(10_000)], view="raw", n_neighbors=2)
    assert found["many_classes"].sentence.endswith("Are they ids, or numbers?")
    assert "too few" in found.skipped["wrong labels"]


def test_equal_texts_are_copies_and_near_ones_are_notes():
    X, labels = blobs()
    X[5] = X[4]
    texts = [f"text {i}" for i in range(120)]
    texts[9] = "TEXT 8!"
    labels[9] = "high"
    found = check_pool(X, labels, texts=texts)
    assert [group.tolist() for group in found["duplicates"].groups] == [[8, 9]]
    assert [group.tolist() for group in found["conflicts"].groups] == [[8, 9]]
    assert [group.tolist() for group in found["near_duplicates"].groups] == [[4, 5]]
    assert found["near_duplicates"].severity == "note"


@pytest.mark.parametrize("form", ["float32", "fortran", "read-only", "sparse"])
def test_the_form_of_an_array_does_not_matter(form):
    X, labels = blobs()
    X = np.round(X * 16) / 16  # exact in float32
    X[7] = X[6]
    X[3] += 300
    given = {
        "float32": X.astype(np.float32),
        "fortran": np.asfortranarray(X),
        "read-only": X.copy(),
        "sparse": csr_array(X),
    }[form]
    if form == "read-only":
        given.flags.writeable = False
    found, plain = check_pool(given, labels, view="raw"), check_pool(X, labels, view="raw")
    assert kinds(found) == kinds(plain)
    for mine, other in zip(found.findings, plain.findings, strict=True):
        assert mine.samples.tolist() == other.samples.tolist()


def test_the_metric_may_be_cosine():
    X, labels = blobs()
    X[7] = 3 * X[6]
    found = check_pool(X, labels, metric="cosine")
    assert found["near_duplicates"].groups[0].tolist() == [6, 7]


def test_the_same_call_gives_the_same_answer(messy):
    X, labels, found = messy
    again = check_pool(X, labels, ids=[f"s{i}" for i in range(120)], columns=list("abcdefghij"))
    assert str(again) == str(found)


def test_the_smallest_pools():
    assert kinds(check_pool([[0.0], [1.0]])) == []
    assert kinds(check_pool([[0.0, 1.0], [0.0, 1.0], [3.0, 4.0]])) == ["duplicates"]
    with pytest.raises(tp.InputError, match="X must hold at least 2 samples; got 1"):
        check_pool([[1.0]])


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        ({"task": "guess"}, "task"),
        ({"metric": "precomputed"}, "metric"),
        ({"view": "blue"}, "view"),
        ({"ids": ["a"]}, "ids"),
        ({"columns": ["a"]}, "columns"),
        ({"texts": ["a"]}, "texts"),
        ({"n_neighbors": 0}, "n_neighbors"),
    ],
)
def test_bad_words_are_refused(words, argument):
    with pytest.raises(tp.InputError) as refused:
        check_pool(np.zeros((5, 2)), **words)
    assert refused.value.argument == argument


def test_nan_is_refused():
    with pytest.raises(tp.InputError, match="X"):
        check_pool([[np.nan, 1.0], [1.0, 2.0]])


def test_steps_are_shown_and_graphs_may_come_from_elsewhere():
    told, made = [], []

    def graph_of(name, X):
        made.append(name)
        return tp.neighbor_graph(X)

    X, labels = blobs()
    with tp.progress(told.append):
        check_pool(X, labels, graph_of=graph_of)
    assert made == ["raw", "half_white", "white"]
    steps = [one.stage for one in told if one.ended and len(one.path) == 1]
    assert steps == [*(f"neighbor graph, {name}" for name in made), "labels", "columns", "samples"]
    made.clear()
    check_pool(X, graph_of=graph_of)
    assert made == ["raw"], "without labels one graph is enough"


def test_large_pools_have_the_graph_for_distances_and_the_one_for_labels(monkeypatch):
    from trigpoint.prediction import _pool_views

    monkeypatch.setattr(_pool_views, "MANY", 100)
    monkeypatch.setattr(_pool_views, "SAMPLE", 50)
    X, labels = blobs()
    X[7] = X[6] + 1e-9
    made = []

    def graph_of(name, features):
        made.append(name)
        return tp.neighbor_graph(features)

    found = check_pool(X, labels, graph_of=graph_of)
    assert made == ["half_white", "raw"], "the best for labels, and the one for distances"
    assert found["near_duplicates"].groups[0].tolist() == [6, 7]
