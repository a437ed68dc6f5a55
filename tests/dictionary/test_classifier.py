import pickle
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC, LinearSVC

import trigpoint as tp
from trigpoint.dictionary import _classifier
from trigpoint.dictionary._codes import sparse_codes
from trigpoint.dictionary._pairs import SAMPLES, class_scores

FEW = {"sparsity": 5, "n_iterations": 5, "n_init_iterations": 3, "random_state": 0}
HEADS = ("linear_svm", "rbf_svm", "learned")


def digits(n=600):
    X, y = load_digits(return_X_y=True)
    return train_test_split(X[:n], y[:n], random_state=0)


def wedges(n=40, p=6, n_classes=3, seed=0):
    """Classes in subspaces of their own, of two dimensions each."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % n_classes
    planes = rng.standard_normal((n_classes, 2, p))
    return np.einsum("ij,ijp->ip", rng.standard_normal((n, 2)), planes[labels]), labels


@pytest.mark.slow
@pytest.mark.parametrize("variant", [1, 2])
@pytest.mark.parametrize("classifier", HEADS)
def test_digits(variant, classifier):
    X, X_new, y, y_new = digits()
    clf = tp.LCKSVDClassifier(100, variant=variant, classifier=classifier, **FEW).fit(X, y)
    assert clf.score(X_new, y_new) > 0.9


@pytest.mark.parametrize("classifier", HEADS)
def test_attributes_are_those_of_the_functions(classifier):
    X, labels = wedges()
    names = np.array(["ash", "beech", "fir"])
    clf = tp.LCKSVDClassifier(7, classifier=classifier, **FEW).fit(X, names[labels])
    assert_array_equal(clf.classes_, names)
    assert clf.atom_classes_.tolist() == ["ash"] * 3 + ["beech"] * 2 + ["fir"] * 2
    assert clf.components_.shape == (7, 6)
    assert_allclose(np.linalg.norm(clf.components_, axis=1), 1.0)
    assert clf.usage_.shape == (7,)
    assert clf.usage_.sum() <= 5 * len(X)
    assert clf.n_iter_ == len(clf.history_.objective) == len(clf.history_.replaced) <= 5
    assert clf.label_map_.shape == (3, 7)
    assert clf.scale_ == pytest.approx(np.sqrt((X**2).sum() / len(X)))
    codes = clf.codes(X)
    assert_array_equal(codes.toarray(), sparse_codes(X / clf.scale_, clf.components_, 5).matrix().toarray())
    if classifier == "learned":
        assert clf.svm_ is None
        assert_allclose(clf.decision_function(X), codes @ clf.label_map_.T)
    else:
        again = SVC(kernel=classifier.removesuffix("_svm"), C=10.0).fit(codes.toarray(), labels)
        assert_allclose(clf.decision_function(X), again.decision_function(codes.toarray()))
    assert_array_equal(clf.predict(X), names[clf.decision_function(X).argmax(axis=1)])


@pytest.mark.parametrize("classifier", HEADS)
def test_two_classes_have_one_score(classifier):
    X, labels = wedges(n_classes=2)
    clf = tp.LCKSVDClassifier(6, classifier=classifier, **FEW).fit(X, labels == 1)
    scores = clf.decision_function(X)
    assert scores.shape == (len(X),)
    assert_array_equal(clf.predict(X), scores > 0)


def test_units_do_not_matter():
    X, X_new, y, _ = digits()
    clf = tp.LCKSVDClassifier(50, **FEW).fit(X, y)
    large = clone(clf).fit(1024.0 * X, y)
    assert_array_equal(large.components_, clf.components_)
    assert_array_equal(large.predict(1024.0 * X_new), clf.predict(X_new))


def test_it_repeats_and_survives_pickling():
    X, X_new, y, _ = digits()
    clf = tp.LCKSVDClassifier(50, **FEW).fit(X, y)
    again = clone(clf).fit(X, y)
    assert_array_equal(again.components_, clf.components_)
    assert_array_equal(pickle.loads(pickle.dumps(clf)).predict(X_new), clf.predict(X_new))
    assert tp.LCKSVDClassifier().random_state == 0 == clf.random_state
    for seed in (1, None):
        other = clone(clf).set_params(random_state=seed).fit(X, y)
        assert not np.array_equal(other.components_, clf.components_)


@pytest.mark.parametrize(
    "change",
    [
        lambda X: X.astype(np.float32),
        np.asfortranarray,
        lambda X: np.lib.stride_tricks.as_strided(X, writeable=False),
        lambda X: X[:, ::-1].copy()[:, ::-1],
        lambda X: X.tolist(),
    ],
    ids=["float32", "fortran", "read-only", "strided", "list"],
)
def test_any_array_will_do(change):
    X, labels = wedges()
    X = np.round(X, 3).astype(np.float32).astype(np.float64)
    clf = tp.LCKSVDClassifier(7, **FEW).fit(X, labels)
    before = X.copy()
    again = clone(clf).fit(change(X), labels)
    assert_array_equal(X, before)
    assert_allclose(again.components_, clf.components_)
    assert_array_equal(again.predict(change(X)), clf.predict(X))


def odd_pools():
    X, labels = wedges()
    zeros, copies, lonely = X.copy(), X.copy(), labels.copy()
    zeros[::4] = 0.0
    copies[:20] = copies[0]
    lonely[lonely == 2] = 0
    lonely[5] = 2
    yield pytest.param(zeros, labels, id="zero samples")
    yield pytest.param(copies, labels, id="copies, with different labels")
    yield pytest.param(X, lonely, id="a class of one sample")
    yield pytest.param(np.zeros_like(X), labels, id="nothing but zeros")
    yield pytest.param(np.ones_like(X), labels, id="constant")
    yield pytest.param(X[:, :1], labels, id="one feature")
    yield pytest.param(X[:3], labels[:3], id="one sample a class")
    yield pytest.param(X[:2], labels[:2], id="two samples")
    yield pytest.param(1e90 * X, labels, id="huge")
    yield pytest.param(1e-90 * X, labels, id="tiny")


@pytest.mark.parametrize("classifier", HEADS)
@pytest.mark.parametrize(("X", "labels"), list(odd_pools()))
def test_odd_pools(X, labels, classifier):
    clf = tp.LCKSVDClassifier(classifier=classifier, n_iterations=3, random_state=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clf.fit(X, labels)
    assert np.isfinite(clf.components_).all()
    silent = (clf.components_ == 0).all(axis=1).sum()
    said = [f"{silent} of {len(clf.components_)} atoms were left with labels alone"] if silent else []
    assert [str(warning.message).split(" and are")[0] for warning in caught] == said
    assert np.isfinite(clf.decision_function(X)).all()
    assert set(clf.predict(X)) <= set(labels)


def test_the_default_is_fifteen_atoms_a_class_or_its_samples():
    X, labels = wedges(70)
    labels[:] = 0
    labels[-9:] = 1
    clf = tp.LCKSVDClassifier(n_iterations=1, random_state=0).fit(X, labels)
    assert np.bincount(clf.atom_classes_).tolist() == [15, 9]


def test_more_atoms_than_samples_are_warned_of():
    X, labels = wedges(12)
    with pytest.warns(UserWarning, match="n_atoms = 50 is more than the 12 samples"):
        clf = tp.LCKSVDClassifier(50, sparsity=99, random_state=0).fit(X, labels)
    assert len(clf.components_) == 12
    assert clf.converged_, "every sample is an atom, and nothing is left to learn"
    assert clf.n_iter_ == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_atoms": 2}, "n_atoms must be an integer and be at least 3, one for each of 3 classes; got 2"),
        ({"sparsity": 0}, "sparsity must be an integer and be at least 1; got 0"),
        ({"variant": 3}, r"variant must be an integer and lie in \[1, 2\]; got 3"),
        ({"alpha": -1}, "alpha must be a finite number at least 0; got -1"),
        ({"alpha": 1e101}, r"alpha must be at most 1e\+100; got 1e\+101"),
        ({"beta": 1e200}, r"beta must be at most 1e\+100; got 1e\+200"),
        ({"beta": np.nan}, "beta must be a finite number at least 0; got nan"),
        ({"n_iterations": 0}, "n_iterations must be an integer and be at least 1; got 0"),
        ({"n_init_iterations": -1}, "n_init_iterations must be an integer and be at least 0; got -1"),
        ({"classifier": "svm"}, "classifier must be one of 'linear_svm', 'rbf_svm', 'learned'; got 'svm'"),
        ({"C": 0}, "C must be a finite number greater than 0; got 0"),
        ({"tol": -1}, "tol must be a finite number at least 0; got -1"),
        ({"random_state": "x"}, "random_state must be None, an integer from 0 or a numpy Generator; got 'x'"),
    ],
)
def test_bad_parameters_are_named(options, message):
    X, labels = wedges()
    with pytest.raises(ValueError, match=message):
        tp.LCKSVDClassifier(**options).fit(X, labels)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_linear_scores_are_those_of_the_machine(n_classes, monkeypatch):
    X, labels = wedges(4 * SAMPLES // 3, n_classes=n_classes)
    clf = tp.LCKSVDClassifier(4 * n_classes, **FEW).fit(X[:60], labels[:60])
    X = np.vstack([X, np.zeros(X.shape[1])])
    codes = clf.codes(X)
    expected = clf.svm_.decision_function(codes.toarray())
    assert_allclose(clf.decision_function(X), expected, rtol=0, atol=1e-12)
    monkeypatch.setattr(SVC, "decision_function", None)
    monkeypatch.setattr(type(codes), "toarray", None)
    assert_allclose(clf.decision_function(X), expected, rtol=0, atol=1e-12)


def test_votes_by_hand():
    """Pairs 01, 02 and 12 of three classes: 0 beats 1 and ties with 2, which beats 1."""
    found = class_scores(sparse.csr_array(np.ones((1, 1))), np.array([[2.0], [0], [-1]]), np.zeros(3), 3)
    assert_allclose(found, [[2 + 2 / 9, -3 / 12, 1 + 1 / 6]])


@pytest.mark.parametrize("trouble", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("where", ["label_consistent", "SVC"])
def test_a_fit_that_fails_changes_nothing(trouble, where, monkeypatch):
    def fail(*_, **__):
        raise trouble("no")

    X, labels = wedges()
    clf = tp.LCKSVDClassifier(7, **FEW).fit(X, labels)
    before, scores = dict(vars(clf)), clf.decision_function(X)
    fresh = tp.LCKSVDClassifier(7, **FEW)
    monkeypatch.setattr(_classifier, where, fail)
    for estimator in (clf, fresh):
        with pytest.raises(trouble, match="no"):
            estimator.fit(3 * X[:, :4], labels)
    assert vars(clf) == before
    assert_array_equal(clf.decision_function(X), scores)
    with pytest.raises(NotFittedError):
        fresh.predict(X)


def test_bad_parameters_are_found_before_anything_is_set():
    X, labels = wedges()
    clf = tp.LCKSVDClassifier(sparsity=0)
    with pytest.raises(ValueError, match="sparsity must be"):
        clf.fit(X, labels)
    assert vars(clf) == clf.get_params()
    with pytest.raises(NotFittedError):
        clf.codes(X)


def test_parameters_set_after_fitting_wait_for_the_next_fit():
    X, labels = wedges()
    clf = tp.LCKSVDClassifier(7, **FEW).fit(X, labels)
    scores = clf.decision_function(X)
    assert clf.sparsity_ == 5
    clf.set_params(sparsity="none", classifier="learned", variant=None)
    assert_array_equal(clf.decision_function(X), scores)


def test_codes_are_taken_by_other_machines():
    X, labels = wedges()
    codes = tp.LCKSVDClassifier(7, **FEW).fit(X, labels).codes(X)
    assert codes.indices.dtype == codes.indptr.dtype == np.int32
    SVC().fit(codes, labels)
    LinearSVC(max_iter=10_000).fit(codes, labels)


def test_the_first_variant_fits_its_map_afterwards():
    X, labels = wedges()
    first = tp.LCKSVDClassifier(7, variant=1, beta=0.3, alpha=0.1, **FEW).fit(X, labels)
    none = tp.LCKSVDClassifier(7, variant=2, beta=0.0, alpha=0.1, **FEW).fit(X, labels)
    second = clone(first).set_params(variant=2).fit(X, labels)
    assert_array_equal(first.components_, none.components_)
    assert_array_equal(first.label_map_, none.label_map_)
    assert np.abs(first.components_ - second.components_).max() > 1e-3


def test_new_samples_far_beyond_the_scale_are_refused():
    X, labels = wedges()
    clf = tp.LCKSVDClassifier(7, **FEW).fit(1e-60 * X, labels)
    for method in (clf.predict, clf.codes, clf.decision_function):
        with pytest.raises(ValueError, match="X must be of magnitude 1e-100 to 1e100"):
            method(1e200 * X)
        with pytest.raises(ValueError, match="X / scale_ must be of magnitude 1e-100 to 1e100"):
            method(1e60 * X)


def test_only_the_classifier_is_exported():
    assert tp.dictionary.__all__ == ["LCKSVDClassifier"]


def test_bad_input_is_named():
    X, labels = wedges()
    with pytest.raises(ValueError, match="y must hold at least 2 classes; got 1 class: 'a'"):
        tp.LCKSVDClassifier().fit(X, ["a"] * len(X))
    with pytest.raises(ValueError, match="X must be of magnitude 1e-100 to 1e100"):
        tp.LCKSVDClassifier().fit(1e200 * X, labels)


@pytest.mark.slow
def test_faces_under_any_light(data_folder):
    """Extended Yale B, half of each person's images: about 95 % by Jiang et al."""
    from trigpoint.datasets import random_faces

    held = np.load(data_folder / "extended_yaleb.npz")
    X, y = random_faces(held["images_48x42"], 504, random_state=0), held["labels"]
    X, X_new, y, y_new = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
    clf = tp.LCKSVDClassifier(570, n_iterations=10, random_state=0).fit(X, y)
    assert clf.score(X_new, y_new) > 0.92
