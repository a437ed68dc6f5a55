import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse

from trigpoint.views import fit_view
from trigpoint.views._components import components
from trigpoint.views._fit import WHITENING
from trigpoint.views._rows import Rows, Steps


def pool(n, p, decay, seed=0):
    """A centered pool whose s fall as k^-decay, with noise."""
    rng = np.random.default_rng(seed)
    r = min(n, p)
    X = rng.normal(size=(n, r)) * np.arange(1, r + 1) ** -decay @ np.linalg.qr(rng.normal(size=(p, r)))[0].T
    return X - X.mean(axis=0)


def found(X, most, share=1.0, seed=0):
    total = abs(X).power(2).sum() if sparse.issparse(X) else (X**2).sum()
    rows = Rows(X, np.arange(X.shape[0]), Steps())
    return components(rows, most, share, total / X.shape[0], np.random.default_rng(seed))


@pytest.mark.parametrize("shape", [(60, 20), (20, 60), (900, 4), (4, 900)])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_small_sides_give_the_svd(shape, form):
    X = pool(*shape, 0.5)
    V, s = found(form(X), 3)
    _, exact, W = np.linalg.svd(X, full_matrices=False)
    assert_allclose(s, exact[:3] / np.sqrt(shape[0]), rtol=1e-10)
    assert_allclose(np.abs(np.sum(V * W[:3].T, axis=0)), 1, rtol=1e-8)
    assert (V[np.argmax(np.abs(V), axis=0), np.arange(3)] > 0).all()


@given(st.integers(1, 30), st.integers(1, 30), st.floats(0.05, 1), st.integers(0, 999))
def test_as_few_components_as_hold_the_share(n, p, share, seed):
    X = np.random.default_rng(seed).normal(size=(n, p))
    s = found(X, 100, share)[1]
    exact = np.linalg.svd(X, compute_uv=False)
    held = np.cumsum(exact**2) / (exact**2).sum()
    assert held[len(s) - 1] >= share - 1e-9
    assert len(s) == 1 or held[len(s) - 2] < share + 1e-9


@pytest.mark.parametrize("shape", [(400, 200), (200, 400)])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("decay", "held", "off"), [(0.1, 0.85, 0.1), (1.0, 0.99, 1e-4)], ids=["flat", "steep"]
)
def test_large_sides_give_uncorrelated_components(shape, form, decay, held, off, monkeypatch):
    monkeypatch.setattr("trigpoint.views._components.SMALL", 0)
    X = pool(*shape, decay)
    V, s = found(form(X), 20)
    exact = np.linalg.svd(X, compute_uv=False)[:20] / np.sqrt(shape[0])
    assert_allclose(V.T @ V, np.eye(20), atol=1e-10)
    Y = X @ V
    assert_allclose(Y.T @ Y / shape[0], np.diag(s**2), atol=1e-10 * s[0] ** 2)
    assert (s**2).sum() >= held * (exact**2).sum()
    assert_allclose(s[:5], exact[:5], rtol=off)


@pytest.fixture
def large_sides(monkeypatch):
    """What pools with many samples and many features get, with fewer components."""
    monkeypatch.setattr("trigpoint.views._components.SMALL", 0)
    for name, rule in WHITENING.items():
        monkeypatch.setitem(WHITENING, name, rule._replace(most=30))


@pytest.mark.usefixtures("large_sides")
@pytest.mark.parametrize("shape", [(400, 200), (200, 400)])
@pytest.mark.parametrize("name", ["half_white", "white"])
def test_the_order_of_samples_does_not_matter_to_large_sides(shape, name):
    X, order = pool(*shape, 0.5), np.random.default_rng(1).permutation(shape[0])
    for form in (X, sparse.csr_array(X)):
        a, b = fit_view(form, name).transform(form), fit_view(form[order], name).transform(form[order])
        assert_allclose(b, a[order], atol=1e-6)
        again = fit_view(form, name).transform(form)
        assert (a == again).all()


@pytest.mark.usefixtures("large_sides")
@pytest.mark.parametrize("shape", [(400, 200), (200, 400)])
@pytest.mark.parametrize("name", ["half_white", "white"])
def test_a_low_rank_is_found_in_a_larger_space(shape, name, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(shape[0], 7)) @ rng.normal(size=(7, shape[1]))
    view = fit_view(X, name)
    monkeypatch.setattr("trigpoint.views._components.SMALL", 1000)
    exact = fit_view(X, name)
    assert view.n_components == exact.n_components <= 7
    assert_allclose(view.transform(X), exact.transform(X), atol=1e-8)
