import tracemalloc

import numpy as np
import pytest
from scipy import sparse

import trigpoint as tp
from reference import propagation as oracle
from trigpoint.propagation import _eigen, solve


@pytest.fixture(scope="module")
def flat():
    X = np.random.default_rng(0).random((120, 2))
    return X, oracle.flat_ltsa(X)


@pytest.fixture(scope="module")
def bent():
    """A curved cloud, its matrix no exact null space beside the constant."""
    phi = oracle.cloud_laplacian(150, 2, seed=3)
    return phi, np.arange(0, 150, 11), np.random.default_rng(1).standard_normal((14, 2))


@pytest.mark.parametrize("gamma", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("n_components", [1, 2, 4])
@pytest.mark.parametrize("form", ["dense", "small", "shift_invert", "lanczos"])
def test_values_match_the_definition(bent, monkeypatch, gamma, n_components, form):
    phi, landmarks, values = bent
    want = oracle.spectral(phi, landmarks, values, gamma, n_components)
    if form in ("shift_invert", "lanczos"):
        monkeypatch.setattr(_eigen, "DENSE", 10)
        if form == "lanczos":
            monkeypatch.setattr(_eigen, "affordable", lambda *args: False)
    found = solve(
        phi.toarray() if form == "dense" else phi,
        landmarks,
        values,
        method="spectral",
        gamma=gamma,
        n_components=n_components,
        ridge=0.0,
    )
    assert found.solver == ("dense" if form == "small" else form)
    np.testing.assert_allclose(found.values, want, atol=1e-5 * np.abs(want).max())
    assert found.residual < 1e-7
    assert (found.iterations > 0) == (form in ("shift_invert", "lanczos"))


def test_affine_functions_of_flat_data_are_reproduced(flat):
    X, phi = flat
    truth = X @ [[1.0, -2.0], [3.0, 0.5]] + [4.0, 0.0]
    landmarks = [3, 30, 50, 59, 80]
    z = tp.propagate(phi, landmarks, truth[landmarks], method="spectral")
    np.testing.assert_allclose(z, truth, atol=1e-5)


@pytest.mark.parametrize("form", ["shift_invert", "lanczos"])
def test_copies_of_an_eigenvalue_are_not_missed(flat, monkeypatch, form):
    """Both coordinates of flat data have eigenvalue 0."""
    X, phi = flat
    monkeypatch.setattr(_eigen, "DENSE", 10)
    if form == "lanczos":
        monkeypatch.setattr(_eigen, "affordable", lambda *args: False)
    landmarks = np.arange(0, 120, 10)
    z = tp.propagate(phi, landmarks, X[landmarks], method="spectral")
    np.testing.assert_allclose(z, X, atol=1e-4)


def test_the_default_weight_is_the_mean_diagonal(bent):
    phi, landmarks, values = bent
    z = tp.propagate(phi, landmarks, values, method="spectral")
    again = tp.propagate(
        phi, landmarks, values, method="spectral", gamma=phi.diagonal().mean(), n_components=2
    )
    np.testing.assert_array_equal(z, again)


def test_one_column_and_the_scale_of_phi(bent):
    phi, landmarks, values = bent
    z = tp.propagate(phi, landmarks, values[:, 0], method="spectral")
    assert z.shape == (150,)
    np.testing.assert_allclose(
        tp.propagate(1e-3 * phi, landmarks, values[:, 0], method="spectral"), z, atol=1e-6
    )


def test_constant_values_stay_constant(bent):
    phi, landmarks, _ = bent
    z = tp.propagate(phi, landmarks, np.full(14, 3.0), method="spectral")
    np.testing.assert_allclose(z, 3.0)


def test_a_ridge_draws_to_the_mean(bent):
    phi, landmarks, values = bent
    mean = values.mean(axis=0)
    gaps = [
        np.abs(tp.propagate(phi, landmarks, values, method="spectral", ridge=ridge) - mean).max()
        for ridge in (0.0, 1.0, 1e6)
    ]
    assert gaps[0] > gaps[1] > 1e3 * gaps[2]


def test_components_without_a_landmark_are_nan(bent):
    phi, landmarks, values = bent
    pair = sparse.block_diag([oracle.path(5), phi, np.zeros((1, 1))], format="csr")
    with pytest.warns(UserWarning, match="6 of 156 samples lie in 2 components") as caught:
        z = tp.propagate(pair, landmarks + 5, values, method="spectral")
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert np.isnan(z[[0, 1, 2, 3, 4, 155]]).all()
    np.testing.assert_allclose(z[5:155], tp.propagate(phi, landmarks, values, method="spectral"), atol=1e-8)


def test_a_normalized_laplacian_works_in_its_own_variable(bent):
    phi, landmarks, values = bent
    scaled = oracle.normalized(phi)
    z = tp.propagate(scaled, landmarks, np.full(14, 3.0), method="spectral")
    np.testing.assert_allclose(z, 3.0)
    s = np.sqrt(phi.diagonal())
    span = s[landmarks, None] * np.column_stack([np.ones(14), values])
    M = scaled.toarray() + 1e6 * np.outer(s, s) / (s @ s)
    M[np.ix_(landmarks, landmarks)] += np.eye(14) - span @ np.linalg.pinv(span)
    Y = np.column_stack([np.ones(150), np.linalg.eigh(M)[1][:, :2] / s[:, None]])
    want = Y @ np.linalg.lstsq(Y[landmarks], values, rcond=None)[0]
    z = tp.propagate(scaled, landmarks, values, method="spectral", gamma=1.0, ridge=0.0)
    np.testing.assert_allclose(z, want, atol=1e-5)


def test_equal_input_gives_equal_output(bent, monkeypatch):
    phi, landmarks, values = bent
    monkeypatch.setattr(_eigen, "DENSE", 10)
    runs = [tp.propagate(phi, landmarks, values, method="spectral", random_state=5) for _ in range(2)]
    np.testing.assert_array_equal(*runs)


def test_many_samples_take_little_memory():
    n = 20_000
    rng = np.random.default_rng(0)
    t = np.sort(rng.random(n))
    links = [1.0 + rng.random(n - step) for step in (1, 2, 3)]
    W = sparse.diags_array(links, offsets=[1, 2, 3], shape=(n, n))
    W = sparse.csr_array(W + W.T)
    phi = sparse.csr_array(sparse.diags_array(W.sum(axis=1)) - W)
    landmarks = np.arange(0, n, 500)
    tracemalloc.start()
    z = tp.propagate(phi, landmarks, t[landmarks], method="spectral", n_components=3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.isfinite(z).all()
    assert peak < 0.05 * 8 * n**2


def test_the_authors_torus(reference_folder):
    theirs = np.load(reference_folder / "toolbox_torus_0.npz")
    landmarks, Y = np.arange(40), theirs["Y"]
    z = tp.propagate(theirs["ltsa"], landmarks, Y[:40], method="spectral", n_components=3)
    assert np.linalg.norm(z[40:] - Y[40:]) / np.linalg.norm(Y[40:]) < 0.3
