"""The models of features for tags: against their definitions, and their edges."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from reference import tags as reference
from trigpoint.prediction import _tag_models
from trigpoint.prediction._tag_models import RIDGE, fit_tag_models
from trigpoint.views import fit_view


def made(n, p, t, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, (X @ rng.normal(size=(p, t)) + rng.normal(size=t) > 0).astype(float)


@pytest.mark.parametrize(("p", "counted"), [(4, False), (4, True), (40, False)])
def test_models_are_what_their_definitions_say(p, counted):
    X, Y = made(60, p, 3)
    landmarks, standard = np.arange(0, 60, 3), fit_view(X, "standard")
    counts = np.linspace(0.5, 2, 20) if counted else None
    models, left = fit_tag_models(X, standard, landmarks, Y[landmarks], counts)
    assert models.names == ("linear", "kernel")
    linear, kernel = models.predict(X)
    Z = standard.transform(X)
    scale = Z[landmarks].var() * p
    want = reference.kernel_ridge(Z[landmarks], Y[landmarks], Z, scale, RIDGE, counts)
    np.testing.assert_allclose(kernel, want, atol=1e-8)
    want = reference.kernel_ridge_left_out(Z[landmarks], Y[landmarks], scale, RIDGE, counts)
    np.testing.assert_allclose(left[1], want, atol=1e-8)
    for tag in range(3):
        model = LogisticRegression(max_iter=500, tol=1e-8)
        model.fit(Z[landmarks], Y[landmarks, tag], sample_weight=counts)
        np.testing.assert_allclose(linear[:, tag], model.predict_proba(Z)[:, 1], atol=1e-2)


def test_a_tag_that_all_have_or_none_is_certain():
    X, Y = made(30, 4, 3)
    Y[:, 0], Y[:, 2] = 1.0, 0.0
    landmarks = np.arange(10)
    models, left = fit_tag_models(X, fit_view(X, "standard"), landmarks, Y[landmarks], None)
    for p in (*models.predict(X), *left):
        np.testing.assert_allclose(p[:, 0], 1.0)
        np.testing.assert_allclose(p[:, 2], 0.0, atol=1e-12)
        assert np.ptp(p[:, 1]) > 0.1


def test_many_labels_are_chosen_from_evenly(monkeypatch):
    X, Y = made(60, 4, 2)
    monkeypatch.setattr(_tag_models, "MOST", 15)
    models, left = fit_tag_models(X, fit_view(X, "standard"), np.arange(50), Y[:50], None)
    assert models.seen.labeled.shape[0] == 15
    assert left[0].shape == left[1].shape == (50, 2)
    some = np.linspace(0, 49, 15).round().astype(int)
    others = np.setdiff1d(np.arange(50), some)
    np.testing.assert_array_equal(left[0][others], models.predict(X[:50])[0][others])
    assert not np.array_equal(left[0][some], models.predict(X[:50])[0][some])


def test_blocks_change_nothing_and_a_dear_kernel_is_left_out(monkeypatch):
    X, Y = made(60, 4, 2)
    standard = fit_view(X, "standard")
    models, _ = fit_tag_models(X, standard, np.arange(20), Y[:20], None)
    whole = models.predict(X)
    monkeypatch.setattr(_tag_models, "BLOCK", 140)
    for p, want in zip(models.predict(X), whole, strict=True):
        np.testing.assert_allclose(p, want, rtol=1e-12)
    monkeypatch.setattr(_tag_models, "DEAR", 60 * 20 - 1)
    dear, left = fit_tag_models(X, standard, np.arange(20), Y[:20], None)
    assert dear.names == ("linear",)
    assert len(left) == len(dear.predict(X)) == 1


def test_sparse_features():
    rng = np.random.default_rng(3)
    X = rng.poisson(0.7, size=(50, 30)).astype(float)
    Y = (X[:, :2] > 0).astype(float)
    dense = fit_tag_models(X, fit_view(X, "standard"), np.arange(20), Y[:20], None)[0]
    S = sparse.csr_array(X)
    found = fit_tag_models(S, fit_view(S, "standard"), np.arange(20), Y[:20], None)[0]
    assert ((found.predict(S)[1] > 0.5) == (dense.predict(X)[1] > 0.5)).mean() > 0.85
