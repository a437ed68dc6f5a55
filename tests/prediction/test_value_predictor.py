"""The mixture for real values: kept, left out by brute force, and sure in the right units."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_swiss_roll

import trigpoint as tp
from reference import prediction as reference
from trigpoint.prediction import _spread, graph_pool, predict_values, viewed_pool
from trigpoint.prediction._mixture import PULL


@pytest.fixture(scope="module")
def roll():
    X, t = make_swiss_roll(250, random_state=0)
    turn = np.random.default_rng(0).normal(size=(3, 6))
    return X @ turn, np.column_stack([t, X[:, 1]]), np.arange(0, 250, 5)


@pytest.fixture(scope="module")
def fitted(roll):
    X, Y, landmarks = roll
    return predict_values(viewed_pool(X), landmarks, Y[landmarks])


def test_it_is_the_mixture_of_its_parts(roll, fitted):
    X, Y, landmarks = roll
    mean = Y[landmarks].mean(axis=0)
    y = Y[landmarks] - mean
    names, left, said = [], [], []
    for name in ("raw", "half_white", "white"):
        phi = tp.laplacian(tp.neighbor_graph(tp.fit_view(X, name).transform(X)))
        for order in (1, 2):
            E = reference.energy(phi, order)
            names.append(name + ("^2" if order == 2 else ""))
            left.append(reference.left_out(E, landmarks, y))
            said.append(reference.values(E, landmarks, y))
    Z = tp.fit_view(X, "standard").transform(X)
    names.append("linear")
    left.append(reference.ridge_left_out(Z[landmarks], y))
    said.append(reference.ridge(Z[landmarks], y, Z))
    assert list(fitted.weights) == names
    assert list(fitted.errors) == names
    size = np.sqrt(np.mean(y**2, axis=0) * 2)
    w = reference.weights([p / size for p in left], y / size, PULL)
    np.testing.assert_allclose(list(fitted.weights.values()), w, atol=1e-4)
    errors = [np.sqrt(np.mean((p - y) ** 2)) for p in left]
    np.testing.assert_allclose(list(fitted.errors.values()), errors, rtol=1e-5)
    z = reference.mixed(said, w) + mean
    z[landmarks] = Y[landmarks]
    np.testing.assert_allclose(fitted.values, z, atol=2e-3)
    np.testing.assert_array_equal(fitted.values[landmarks], Y[landmarks])
    np.testing.assert_allclose(fitted.residuals, reference.mixed(left, w) - y, atol=2e-3)


def test_it_is_better_than_propagation_on_a_roll(roll, fitted):
    X, Y, landmarks = roll
    plain = tp.propagate(tp.laplacian(tp.neighbor_graph(X)), landmarks, Y[landmarks])
    assert np.square(fitted.values - Y).mean() < np.square(plain - Y).mean()


@pytest.mark.parametrize("p", [3, 70])
def test_the_ridge_is_that_of_the_features(p):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, p)) * rng.random(p)
    Y = X[:, :2] + rng.normal(size=(60, 2))
    landmarks = np.arange(25)
    for form in (np.asarray, np.float32):
        found = predict_values(viewed_pool(form(X)), landmarks, Y[:25], "linear")
        assert found.weights == {"linear": 1.0}
        Z, mean = tp.fit_view(X, "standard").transform(X), Y[:25].mean(axis=0)
        want = reference.ridge(Z[:25], Y[:25] - mean, Z) + mean
        np.testing.assert_allclose(found.values[25:], want[25:], atol=1e-5)
        np.testing.assert_allclose(
            found.residuals, reference.ridge_left_out(Z[:25], Y[:25] - mean) + mean - Y[:25], atol=1e-5
        )


def test_sparse_features(roll):
    rng = np.random.default_rng(1)
    X = sparse.csr_array(rng.poisson(0.5, size=(70, 40)).astype(float))
    y = X.toarray()[:, :1] + 3.0
    found = predict_values(viewed_pool(X), np.arange(20), y[:20])
    Z = tp.fit_view(X, "standard").transform(X).toarray()
    alone = predict_values(viewed_pool(X), np.arange(20), y[:20], "linear")
    want = reference.ridge(Z[:20], y[:20] - y[:20].mean(), Z) + y[:20].mean()
    np.testing.assert_allclose(alone.values[20:], want[20:], atol=1e-8)
    np.testing.assert_array_equal(found.new(X), found.values)


def test_units_and_origins_do_not_matter(roll, fitted):
    X, Y, landmarks = roll
    unit, origin = np.array([1e6, 1e-3]), np.array([5e7, -2.0])
    other = predict_values(viewed_pool(X), landmarks, Y[landmarks] * unit + origin)
    np.testing.assert_allclose(list(other.weights.values()), list(fitted.weights.values()), atol=1e-5)
    np.testing.assert_allclose((other.values - origin) / unit, fitted.values, atol=1e-3)
    np.testing.assert_allclose(other.units() / unit, fitted.units(), rtol=1e-4)


def test_samples_of_the_pool_are_predicted_as_they_were_inferred(roll, fitted):
    np.testing.assert_array_equal(fitted.new(roll[0]), fitted.values)
    np.testing.assert_array_equal(fitted.new(roll[0][[9, 2]]), fitted.values[[9, 2]])


@pytest.mark.parametrize("weights", ["self_tuning", "binary", "linear"])
def test_new_samples_are_mixed_like_those_of_the_pool(roll, fitted, weights):
    X_new = roll[0][:20] + 0.05
    said = []
    for seen, values in fitted.fields:
        new = seen.view.transform(X_new)
        said.append(tp.extend(seen.graph, seen.X, new, values, weights=weights))
    Z = fitted.pool.standard
    landmarks = roll[2]
    y = roll[1][landmarks] - fitted.mean
    said.append(reference.ridge(Z.transform(roll[0][landmarks]), y, Z.transform(X_new)))
    want = reference.mixed(said, list(fitted.weights.values())) + fitted.mean
    np.testing.assert_allclose(fitted.new(X_new, weights), want, rtol=1e-6)


def test_the_main_view_counts_most(fitted):
    counts = {
        name: fitted.weights[name] + fitted.weights[name + "^2"] for name in ("raw", "half_white", "white")
    }
    assert fitted.main.name == max(counts, key=counts.get)


def test_standard_deviations_cover(monkeypatch):
    """Fields drawn from the graph itself: 68 % lie within one standard deviation, 95 % within two."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    graph = tp.neighbor_graph(X)
    phi = tp.laplacian(graph)
    root = np.linalg.cholesky(np.linalg.inv(reference.leaky(phi)))
    landmarks = np.arange(0, 400, 5)
    rest = np.setdiff1d(np.arange(400), landmarks)
    Y = 3.0 * root @ rng.normal(size=(400, 12))
    found = predict_values(graph_pool(graph), landmarks, Y[landmarks])
    std = tp.uncertainty(phi, landmarks)[:, None] * found.units()
    surprise = (np.abs(found.values - Y) / np.where(std > 0, std, 1))[rest]
    assert 0.62 < (surprise < 1).mean() < 0.74
    assert 0.92 < (surprise < 2).mean() < 0.98
    # in units of the field: that of A is 3, and A is phi over its median degree
    degrees = phi.diagonal()
    np.testing.assert_allclose(np.median(found.units()) / np.sqrt(np.median(degrees)), 3.0, rtol=0.1)


def test_units_by_brute_force(roll, fitted):
    landmarks = roll[2]
    phi = fitted.main.phi
    typical = np.median(phi.diagonal())
    S = reference.precision(reference.energy(phi, 1), landmarks) * typical
    want = np.sqrt(np.mean(fitted.residuals**2 * S[:, None], axis=0))
    np.testing.assert_allclose(fitted.units(), want, rtol=1e-6)
    np.testing.assert_allclose(fitted.units(4.0 * phi), 2 * want, rtol=1e-6)


def test_one_value_says_nothing_of_the_scale(roll):
    X, Y, _ = roll
    found = predict_values(viewed_pool(X), np.array([3]), Y[[3]])
    np.testing.assert_allclose(found.values, np.repeat(Y[[3]], 250, axis=0))
    np.testing.assert_array_equal(found.units(), [np.inf, np.inf])


def test_constants_are_certain(roll):
    X, _, landmarks = roll
    found = predict_values(viewed_pool(X), landmarks, np.full((50, 1), 7.0))
    np.testing.assert_allclose(found.values, 7.0)
    np.testing.assert_allclose(found.units(), 0.0, atol=1e-9)
    np.testing.assert_allclose(sum(found.weights.values()), 1.0)


def test_large_pools_leave_the_smoother_field_out(roll, monkeypatch):
    X, Y, landmarks = roll
    pool = viewed_pool(X)
    monkeypatch.setattr(_spread, "WHOLE", 10)
    columns = predict_values(pool, landmarks, Y[landmarks])
    assert len(columns.weights) == 7
    monkeypatch.setattr(_spread, "COLUMNS", 10)
    probes = predict_values(pool, landmarks, Y[landmarks])
    assert list(probes.weights) == ["raw", "half_white", "white", "linear"]
    assert np.square(probes.values - Y).mean() < np.square(Y - Y.mean(axis=0)).mean() / 5


def test_values_that_no_label_reaches():
    X = np.concatenate([np.random.default_rng(0).normal(size=(30, 2)) + at for at in (0, 500)])
    landmarks, values = np.arange(8), X[:8, :1]
    pool = viewed_pool(X, "raw", n_neighbors=5)
    found = predict_values(pool, landmarks, values)  # the ridge speaks
    assert np.isfinite(found.values).all()
    with pytest.warns(tp.UnreachedWarning, match="30 of 60 samples lie in 1 component without a landmark"):
        alone = predict_values(graph_pool(pool.main.graph), landmarks, values)
    np.testing.assert_array_equal(np.isnan(alone.values[:, 0]), np.arange(60) >= 30)


def test_copies_do_not_lead_astray():
    """A labeled sample with a copy has edges a million times stronger than others."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 40))
    X[290:] = X[:10]
    y = X[:, :1] + X[:, 1:2] ** 2
    found = predict_values(viewed_pool(X), np.arange(60), y[:60])
    assert np.abs(found.values - y.mean()).max() < 2 * np.abs(y - y.mean()).max()
    for _, values in found.fields:
        assert np.abs(values).max() < 3 * np.abs(y - y.mean()).max()
