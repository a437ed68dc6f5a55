"""Models of few coordinates say what scikit-learn's say on all features."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from reference import prediction as reference
from trigpoint.prediction import _feature_models
from trigpoint.prediction._feature_models import (
    FOLDS,
    LEAST,
    Linear,
    Machine,
    coordinates,
    fit_model,
    fit_models,
    folds,
    left_out,
    model_names,
)
from trigpoint.views import fit_view


def problem(p, n_labels, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(n_classes, p))
    codes = np.arange(n_labels) % n_classes
    Z = centers[codes] + rng.normal(size=(n_labels, p))
    new = centers[rng.integers(n_classes, size=60)] + rng.normal(size=(60, p))
    return Z, codes, new


SHAPES = [(3, 30), (20, 20), (80, 15), (300, 24)]
FORMS = [np.asarray, np.asfortranarray, np.float32, sparse.csr_array]


@pytest.mark.parametrize("form", FORMS, ids=["dense", "fortran", "float32", "sparse"])
@pytest.mark.parametrize(("p", "n_labels"), SHAPES)
@pytest.mark.parametrize("n_classes", [2, 5])
def test_logistic_regression_says_the_same(p, n_labels, n_classes, form):
    Z, codes, new = problem(p, n_labels, n_classes)
    seen = coordinates(form(Z))
    model = fit_model("linear", seen.labeled, codes, n_classes, seen.scale)
    exact = LogisticRegression(max_iter=5000, tol=1e-9)
    want = exact.fit(Z, codes).predict_proba(new)
    np.testing.assert_allclose(model.predict(seen.of(form(new))), want, atol=2e-3)  # it stops early
    long = LogisticRegression(max_iter=5000, tol=1e-9).fit(seen.labeled[:, :-1], codes)
    model = replace(model, fitted=Linear(long.coef_, long.intercept_))
    np.testing.assert_allclose(model.predict(seen.of(form(new))), want, atol=1e-5)
    np.testing.assert_allclose(model.predict(seen.labeled), exact.predict_proba(Z), atol=1e-5)


@pytest.mark.parametrize("form", FORMS, ids=["dense", "fortran", "float32", "sparse"])
@pytest.mark.parametrize(("p", "n_labels"), SHAPES)
@pytest.mark.parametrize("n_classes", [2, 5])
def test_support_vector_machines_say_the_same(p, n_labels, n_classes, form):
    Z, codes, new = problem(p, n_labels, n_classes, 1)
    seen = coordinates(form(Z))
    model = fit_model("kernel", seen.labeled, codes, n_classes, seen.scale)
    want = SVC(gamma=1 / (p * Z.var()), decision_function_shape="ovr").fit(Z, codes)
    f = want.decision_function(new)
    f = np.column_stack([-f, f]) / 2 if n_classes == 2 else f
    atol = 1e-3 if form is np.float32 else 1e-5
    np.testing.assert_allclose(model.fitted.decisions(seen.of(form(new))), f, atol=atol)
    odds = np.exp(2 * f)
    np.testing.assert_allclose(
        model.predict(seen.of(form(new))), odds / odds.sum(axis=1, keepdims=True), atol=atol
    )


@pytest.mark.parametrize(("p", "n_labels"), SHAPES)
def test_coordinates_keep_lengths_and_distances(p, n_labels):
    Z, _, new = problem(p, n_labels, 3, 2)
    seen = coordinates(Z)
    assert seen.labeled.shape[1] <= min(p, n_labels) + 1
    np.testing.assert_allclose(seen.labeled @ seen.labeled.T, Z @ Z.T, atol=1e-8)
    np.testing.assert_allclose(seen.of(new) @ seen.labeled.T, new @ Z.T, atol=1e-8)
    np.testing.assert_allclose(np.square(seen.of(new)).sum(axis=1), np.square(new).sum(axis=1), rtol=1e-9)
    np.testing.assert_allclose(np.abs(seen.of(Z)), np.abs(seen.labeled), atol=1e-6)
    np.testing.assert_allclose(seen.scale, p * Z.var(), rtol=1e-9)


@pytest.mark.parametrize("p", [4, 50])
def test_samples_that_are_all_alike(p):
    for Z in (np.zeros((6, p)), np.ones((6, p)), sparse.csr_array((6, p))):
        seen = coordinates(Z)
        assert seen.scale > 0
        for name in ("linear", "kernel"):
            said = fit_model(name, seen.labeled, np.arange(6) % 2, 2, seen.scale).predict(seen.of(Z[:3]))
            np.testing.assert_allclose(said, 0.5, atol=1e-6)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40))
def test_folds_deal_out_each_class(codes):
    codes = np.array(codes)
    fold = folds(codes)
    np.testing.assert_array_equal(fold, reference.folds(codes, FOLDS))
    for code in set(codes):
        shares = np.bincount(fold[codes == code], minlength=FOLDS)
        assert shares.max() - shares.min() <= 1


@pytest.mark.parametrize("name", ["linear", "kernel"])
def test_labels_are_predicted_by_the_other_folds(name):
    Z, codes, _ = problem(6, 23, 3, 3)
    seen, fold = coordinates(Z), folds(codes)
    got = left_out(name, seen, codes, 3)
    for number in range(FOLDS):
        here = fold == number
        alone = fit_model(name, seen.labeled[~here], codes[~here], 3, seen.scale)
        np.testing.assert_array_equal(got[here], alone.predict(seen.labeled[here]))
    changed = codes.copy()
    changed[0] = (codes[0] + 1) % 3
    if (folds(changed) == fold)[0]:
        np.testing.assert_array_equal(left_out(name, seen, changed, 3)[0], got[0])


@pytest.mark.parametrize("name", ["linear", "kernel"])
@pytest.mark.parametrize(
    ("codes", "n_classes"), [([0], 1), ([1], 3), ([2, 2, 2], 3), ([0, 1], 2), ([0, 1, 2, 3, 4, 5, 6], 7)]
)
def test_few_labels(name, codes, n_classes):
    """One label says nothing of itself. Where one class is all that is known, it is the answer."""
    codes = np.array(codes)
    seen = coordinates(np.random.default_rng(0).normal(size=(len(codes), 3)))
    outside = left_out(name, seen, codes, n_classes)
    np.testing.assert_allclose(outside.sum(axis=1), 1.0)
    if len(codes) == 1:
        np.testing.assert_allclose(outside, 1 / n_classes)
    if len(codes) == 2:
        np.testing.assert_array_equal(outside, np.eye(2)[::-1])
    said = fit_model(name, seen.labeled, codes, n_classes, seen.scale).predict(seen.labeled)
    np.testing.assert_allclose(said.sum(axis=1), 1.0)
    if len(set(codes)) == 1:
        np.testing.assert_array_equal(said, np.eye(n_classes)[codes])
    unknown = np.setdiff1d(np.arange(n_classes), codes)
    np.testing.assert_array_equal(said[:, unknown], 0.0)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_blocks_of_rows_change_nothing(form, monkeypatch):
    Z, codes, new = problem(30, 12, 3, 4)
    X = form(np.concatenate([Z, new]))
    models, _ = fit_models(X, fit_view(X, "standard"), ("linear", "kernel"), np.arange(12), codes, 3)
    want = models.predict(X)
    monkeypatch.setattr(_feature_models, "BLOCK", 100)
    for a, b in zip(models.predict(X), want, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)


def test_kernel_machines_are_left_out_where_they_are_dear():
    assert model_names(60_000, 10, 5000) == ("linear", "kernel")
    assert model_names(1_000_000, 100, 500) == ("linear",)
    assert model_names(60_000, 10, 5001) == ("linear",)


@pytest.mark.parametrize("name", ["linear", "kernel"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_label_that_counts_twice_is_two_labels(name, n_classes):
    Z, codes, new = problem(6, 40, n_classes, 5)
    seen = coordinates(Z)
    counts = np.random.default_rng(0).integers(1, 4, 40)
    often = np.repeat(np.arange(40), counts)
    got = fit_model(name, seen.labeled, codes, n_classes, seen.scale, counts.astype(float))
    want = fit_model(name, seen.labeled[often], codes[often], n_classes, seen.scale)
    np.testing.assert_allclose(got.predict(seen.of(new)), want.predict(seen.of(new)), atol=5e-3)
    alike = fit_model(name, seen.labeled, codes, n_classes, seen.scale, np.ones(40))
    plain = fit_model(name, seen.labeled, codes, n_classes, seen.scale)
    np.testing.assert_array_equal(alike.predict(seen.of(new)), plain.predict(seen.of(new)))


@pytest.mark.parametrize("name", ["linear", "kernel"])
def test_labels_that_hardly_count_do_not_count(name):
    Z, codes, new = problem(6, 40, 3, 6)
    seen, held = coordinates(Z), np.arange(40) % 5 != 0
    counts = np.where(held, 0.7, LEAST / 2)
    got = fit_model(name, seen.labeled, codes, 3, seen.scale, counts)
    want = fit_model(name, seen.labeled[held], codes[held], 3, seen.scale, counts[held])
    np.testing.assert_array_equal(got.predict(seen.of(new)), want.predict(seen.of(new)))
    one = np.where(codes == 1, 1.0, 0.0)
    only = fit_model(name, seen.labeled, codes, 3, seen.scale, one).predict(seen.of(new))
    np.testing.assert_array_equal(only, np.eye(3)[np.ones(60, dtype=int)])
    none = fit_model(name, seen.labeled, codes, 3, seen.scale, np.full(40, LEAST / 2))
    np.testing.assert_allclose(none.predict(seen.of(new)).sum(axis=1), 1.0)


@pytest.mark.parametrize("name", ["linear", "kernel"])
def test_labels_are_predicted_by_the_other_folds_as_they_count(name):
    Z, codes, _ = problem(6, 25, 3, 3)
    seen, fold = coordinates(Z), folds(codes)
    counts = np.random.default_rng(1).uniform(0.1, 1.0, 25)
    got = left_out(name, seen, codes, 3, counts)
    for number in range(FOLDS):
        here = fold == number
        alone = fit_model(name, seen.labeled[~here], codes[~here], 3, seen.scale, counts[~here])
        np.testing.assert_array_equal(got[here], alone.predict(seen.labeled[here]))


def test_of_many_labels_an_even_choice_is_fitted(monkeypatch):
    """The others are predicted by a model that does not know them; those of the choice by the other folds."""
    monkeypatch.setattr(_feature_models, "MOST", 60)
    Z, codes, _ = problem(4, 400, 3, 7)
    landmarks = np.random.default_rng(2).permutation(400)[:300]
    codes, counts = codes[landmarks], np.random.default_rng(3).uniform(0.2, 1.0, 300)
    standard = fit_view(Z, "standard")
    models, (said,) = fit_models(Z, standard, ("linear",), landmarks, codes, 3, counts)
    some = _feature_models._even_choice(codes)
    assert len(np.unique(some)) == 60
    assert (np.diff(some) > 0).all()
    np.testing.assert_allclose(np.bincount(codes[some]) / 60, np.bincount(codes) / 300, atol=0.02)
    alone, (inside,) = fit_models(Z, standard, ("linear",), landmarks[some], codes[some], 3, counts[some])
    np.testing.assert_array_equal(said[some], inside)
    rest = np.setdiff1d(np.arange(300), some)
    np.testing.assert_allclose(said[rest], alone.predict(Z[landmarks[rest]])[0], rtol=1e-9)
    np.testing.assert_allclose(models.predict(Z)[0], alone.predict(Z)[0], rtol=1e-9)
    few = fit_models(Z, standard, ("linear",), landmarks[:60], codes[:60], 3)[1][0]
    seen = coordinates(standard.transform(Z[landmarks[:60]]))
    np.testing.assert_array_equal(few, left_out("linear", seen, codes[:60], 3))


def test_the_first_of_two_classes_wins_a_tie():
    machine = Machine(np.zeros((3, 2)), np.ones(3, dtype=np.int64), np.zeros((2, 3)), np.zeros(3), 1.0)
    np.testing.assert_array_equal(machine.decisions(np.ones((2, 2))), [[2.0, 1.0, 0.0]] * 2)
