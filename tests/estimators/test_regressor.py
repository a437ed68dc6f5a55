import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.base import clone

import trigpoint as tp

PLAIN = {"predictor": "propagation", "view": "raw"}
both = pytest.mark.parametrize("predictor", ["auto", "propagation"])


def roll(n, seed):
    rng = np.random.default_rng(seed)
    t, h = rng.uniform(1.5, 4.5, n) * np.pi, rng.uniform(0, 20, n)
    return np.column_stack([t * np.cos(t), h, t * np.sin(t)]), np.column_stack([t, h])


@pytest.fixture(scope="module")
def pool():
    X, Y = roll(400, 0)
    few = np.full_like(Y, np.nan)
    few[::8] = Y[::8]
    return X, Y, few


@pytest.mark.parametrize("options", [{}, {"beta": 3.0}, {"gamma": 0.1}, {"beta": 2.0, "gamma": 0.05}])
def test_it_is_the_functions(pool, options):
    X, Y, few = pool
    reg = tp.ManifoldRegressor(n_neighbors=8, **PLAIN, **options).fit(X, few)
    graph = tp.neighbor_graph(X, 8)
    phi, landmarks = tp.laplacian(graph), np.arange(0, 400, 8)
    z = tp.propagate(phi, landmarks, Y[landmarks], **options)
    np.testing.assert_array_equal(reg.transduction_, z)
    np.testing.assert_array_equal(reg.uncertainty_, tp.uncertainty(phi, landmarks, Y[landmarks], **options))
    np.testing.assert_array_equal(reg.landmarks_, landmarks)
    X_new, _ = roll(30, 1)
    values, std = reg.predict(X_new, return_std=True)
    np.testing.assert_array_equal(values, tp.extend(graph, X, X_new, z))
    unit = tp.propagation.field_scale(phi, landmarks, Y[landmarks], **options)
    want = tp.propagation.extend_std(graph, X, X_new, reg.uncertainty_, unit)
    np.testing.assert_allclose(std, want, rtol=1e-12)


@both
def test_one_target_is_one_column(pool, predictor):
    X, _, few = pool
    reg = tp.ManifoldRegressor(predictor=predictor)
    two, flat, column = clone(reg).fit(X, few), clone(reg).fit(X, few[:, 0]), clone(reg).fit(X, few[:, :1])
    for reg, shape in ((flat, ()), (column, (1,)), (two, (2,))):
        assert reg.transduction_.shape == reg.uncertainty_.shape == (400, *shape)
        for part in reg.predict(X[:7], return_std=True):
            assert part.shape == (7, *shape)
    np.testing.assert_array_equal(flat.transduction_, column.transduction_[:, 0])
    np.testing.assert_array_equal(flat.uncertainty_, column.uncertainty_[:, 0])
    if predictor == "propagation":
        np.testing.assert_allclose(flat.transduction_, two.transduction_[:, 0], atol=1e-7)
        np.testing.assert_allclose(flat.uncertainty_, two.uncertainty_[:, 0], atol=1e-7)
    else:  # targets that are known at the same samples share their weights, whatever their units
        other = tp.ManifoldRegressor().fit(X, few * [1e5, 1.0])
        np.testing.assert_allclose(other.transduction_ / [1e5, 1.0], two.transduction_, atol=1e-4)
        np.testing.assert_allclose(other.uncertainty_ / [1e5, 1.0], two.uncertainty_, atol=1e-4)


@both
def test_new_samples_are_predicted_well_and_the_error_is_foreseen(pool, predictor):
    X, _, few = pool
    reg = tp.ManifoldRegressor(predictor=predictor).fit(X, few)
    X_new, Y_new = roll(300, 2)
    assert reg.score(X_new, Y_new) > 0.85
    values, std = reg.predict(X_new, return_std=True)
    assert (np.abs(values - Y_new) < 2 * std).mean() > 0.9
    assert std.max() < 10 * np.abs(values - Y_new).std()


@both
@pytest.mark.parametrize(
    ("alignment", "options"),
    [("diffusion", None), ("lle", None), ("ltsa", {"n_components": 2}), ("isomap", {"n_components": 2})],
)
def test_the_error_is_foreseen_whatever_the_alignment(pool, alignment, options, predictor):
    """Y[:, 1] is a feature, which LLE and LTSA think free of cost; its extension is not."""
    X, Y, _ = pool
    reg = tp.ManifoldRegressor(
        alignment=alignment, alignment_options=options, predictor=predictor, view="raw"
    ).fit(X, Y)
    X_new, Y_new = roll(300, 2)
    values, std = reg.predict(X_new, return_std=True)
    surprise = np.sqrt((((values - Y_new) / std) ** 2).mean(axis=0))
    assert surprise.min() > (0.2 if predictor == "propagation" else 0.1)
    assert surprise.max() < 1.5


def test_linear_extension_follows_slopes(pool):
    X, Y, _ = pool
    X_new, Y_new = roll(300, 2)
    means = tp.ManifoldRegressor(compute_std=False, **PLAIN).fit(X, Y)
    slopes = tp.ManifoldRegressor(compute_std=False, extension="linear", **PLAIN).fit(X, Y)
    assert slopes.score(X_new, Y_new) > 0.999 > means.score(X_new, Y_new)
    for parameters in ({"extension": "cubic"}, {"extension": "linear", "metric": "precomputed"}):
        with pytest.raises(ValueError, match="extension must be one of 'self_tuning', 'binary'"):
            tp.ManifoldRegressor(**parameters).fit(cdist(X, X), Y)


@pytest.mark.parametrize("predictor", ["auto", "propagation", "linear"])
@pytest.mark.parametrize("form", [np.float64, np.float32, sparse.csr_array])
def test_training_samples_are_predicted_as_they_were_inferred(pool, form, predictor):
    X, _, few = pool
    X = X.astype(form) if form in (np.float64, np.float32) else form(X)
    reg = tp.ManifoldRegressor(predictor=predictor).fit(X, few)
    values, std = reg.predict(X, return_std=True)
    np.testing.assert_array_equal(values, reg.transduction_)
    np.testing.assert_array_equal(std, reg.uncertainty_)
    np.testing.assert_array_equal(std[::8], 0.0)


@both
def test_targets_may_be_known_apart(pool, predictor):
    X, Y, _ = pool
    apart = np.full((400, 3), np.nan)
    apart[::10, 0], apart[5::10, 1], apart[::10, 2] = Y[::10, 0], Y[5::10, 1], Y[::10, 1]
    reg = tp.ManifoldRegressor(predictor=predictor).fit(X, apart)
    np.testing.assert_array_equal(reg.landmarks_, np.arange(0, 400, 5))
    apart_too = (0, 1, 2) if predictor == "propagation" else (1,)  # known together, mixed together
    for k in apart_too:
        alone = tp.ManifoldRegressor(predictor=predictor).fit(X, apart[:, k])
        np.testing.assert_allclose(reg.transduction_[:, k], alone.transduction_, atol=1e-7)
        np.testing.assert_allclose(reg.uncertainty_[:, k], alone.uncertainty_, rtol=1e-6)
        for got, want in zip(reg.predict(X[:9] + 0.1, True), alone.predict(X[:9] + 0.1, True), strict=True):
            np.testing.assert_allclose(got[:, k], want, rtol=1e-6)
    together = tp.ManifoldRegressor(predictor=predictor).fit(X, apart[:, [0, 2]])
    np.testing.assert_allclose(reg.transduction_[:, [0, 2]], together.transduction_, atol=1e-7)
    np.testing.assert_allclose(reg.uncertainty_[:, [0, 2]], together.uncertainty_, rtol=1e-6)


def test_a_component_without_a_value_has_none():
    X = np.array([[0.0], [1.0], [2.0], [50.0], [51.0], [52.0]])
    y = [0.0, np.nan, 4.0, np.nan, np.nan, np.nan]
    with pytest.warns(UserWarning, match="3 of 6 samples lie in 1 component without a landmark") as caught:
        reg = tp.ManifoldRegressor(n_neighbors=2, **PLAIN).fit(X, y)
    assert len(caught) == 1
    np.testing.assert_array_equal(np.isnan(reg.transduction_), [False] * 3 + [True] * 3)
    np.testing.assert_array_equal(np.isinf(reg.uncertainty_), [False] * 3 + [True] * 3)
    values, std = reg.predict([[1.5], [51.5]], return_std=True)
    assert np.isfinite([values[0], std[0]]).all()
    assert np.isnan(values[1])
    assert std[1] == np.inf


@pytest.mark.parametrize("value", [4.0, 0.0])
def test_a_component_without_a_value_has_that_of_the_ridge_and_no_certainty(value):
    """Equal values have a scale of 0, which makes nothing certain that nobody knows."""
    X = np.array([[0.0], [1.0], [2.0], [50.0], [51.0], [52.0]])
    reg = tp.ManifoldRegressor(n_neighbors=2).fit(X, [0.0, np.nan, value, np.nan, np.nan, np.nan])
    assert np.isfinite(reg.transduction_).all()
    np.testing.assert_array_equal(np.isinf(reg.uncertainty_), [False] * 3 + [True] * 3)
    values, std = reg.predict([[1.5], [51.5]], return_std=True)
    assert np.isfinite(values).all()
    np.testing.assert_array_equal(np.isinf(std), [False, True])


@both
def test_too_few_values_to_tell_the_scale(predictor):
    X = np.arange(4.0)[:, None]
    reg = tp.ManifoldRegressor(n_neighbors=1, predictor=predictor).fit(X, [np.nan, 7.0, np.nan, np.nan])
    np.testing.assert_allclose(reg.transduction_, 7.0)
    np.testing.assert_array_equal(reg.uncertainty_, [np.inf, 0, np.inf, np.inf])
    np.testing.assert_array_equal(reg.predict([[1.0], [1.5]], return_std=True)[1], [0, np.inf])
    with pytest.raises(ValueError, match="beta must be greater than 0"):
        tp.ManifoldRegressor(predictor="propagation", beta=-1.0).fit(X, [np.nan, 7.0, np.nan, np.nan])


def test_a_new_node_on_a_line_by_hand():
    """Fully labeled, unit edges: c = J / (l - 1), and one neighbor at weight exp(-1)."""
    X = np.arange(4.0)[:, None]
    y = np.array([0.0, 2.0, 4.0, 6.0])
    reg = tp.ManifoldRegressor(n_neighbors=1, **PLAIN).fit(X, y)
    w = np.exp(-1.0)
    c = 3 * w * 4 / 3
    values, std = reg.predict([[4.0]], return_std=True)
    np.testing.assert_allclose(values, [6.0])
    np.testing.assert_allclose(std, [np.sqrt(c / w)])
    far = reg.predict([[10.0], [1e4]], return_std=True)[1]
    np.testing.assert_allclose(far, [np.sqrt(c / np.exp(-7.0)), np.inf])


@both
def test_constants_are_certain(predictor):
    X = np.random.default_rng(0).normal(size=(30, 2))
    reg = tp.ManifoldRegressor(predictor=predictor).fit(X, np.where(np.arange(30) < 9, 3.0, np.nan))
    np.testing.assert_allclose(reg.transduction_, 3.0)
    np.testing.assert_allclose(reg.predict(X + 0.1, return_std=True)[1], 0.0, atol=1e-6)


def test_standard_deviations_can_be_left_out(pool):
    X, _, few = pool
    reg = tp.ManifoldRegressor().fit(X, few)
    want = reg.predict(X[:5])
    reg.set_params(compute_std=False).fit(X, few)
    assert reg.uncertainty_ is None
    np.testing.assert_array_equal(reg.predict(X[:5]), want)
    with pytest.raises(ValueError, match="return_std must be False after a fit with compute_std=False"):
        reg.predict(X[:5], return_std=True)


def test_given_distances_give_what_features_give(pool):
    X, _, few = pool
    X_new, _ = roll(40, 3)
    want = tp.ManifoldRegressor(n_neighbors=6, **PLAIN).fit(X, few)
    got = tp.ManifoldRegressor(n_neighbors=6, metric="precomputed", **PLAIN).fit(cdist(X, X), few)
    pairs = zip(got.predict(cdist(X_new, X), True), want.predict(X_new, True), strict=True)
    for a, b in pairs:
        np.testing.assert_allclose(a, b, rtol=1e-6)
    for a, b in zip(got.predict(cdist(X, X), True), (got.transduction_, got.uncertainty_), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.full(400, np.nan), "y must hold at least one value; all 400 are NaN"),
        (np.column_stack([np.arange(400.0), np.full(400, np.nan)]), "one value of target 1; all 400 are NaN"),
        (np.full(400, np.inf), "Input y contains infinity"),
        (np.zeros((400, 2, 2)), "dim"),
        (np.zeros(399), "inconsistent numbers of samples"),
        (["a"] * 400, "could not convert"),
        (None, "requires y to be passed"),
    ],
)
def test_what_is_refused(pool, y, message):
    with pytest.raises(ValueError, match=message):
        tp.ManifoldRegressor().fit(pool[0], y)


@both
def test_integers_and_missing_objects_are_values(pool, predictor):
    X = pool[0]
    whole = tp.ManifoldRegressor(predictor=predictor, compute_std=False).fit(X, np.arange(400))
    np.testing.assert_array_equal(whole.transduction_, np.arange(400.0))
    some = np.where(np.arange(400) % 2, None, 1.0)
    ones = tp.ManifoldRegressor(predictor=predictor, compute_std=False).fit(X, some)
    np.testing.assert_allclose(ones.transduction_, 1.0)
