"""Weights against every face of the simplex, temperatures, and what is said by some only."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from reference import prediction as reference
from trigpoint.prediction._mixture import GRID, PRIOR, PULL, mixed, sharpened, temperature_of, weights_of


def probabilities(rng, n, k, sharp=1.0):
    p = rng.random((n, k)) ** sharp
    return p / p.sum(axis=1, keepdims=True)


@given(seed=st.integers(0, 10_000), m=st.integers(1, 5), n_labels=st.integers(1, 200), k=st.integers(1, 4))
def test_weights_are_the_best_of_the_simplex(seed, m, n_labels, k):
    rng = np.random.default_rng(seed)
    y = np.eye(k)[rng.integers(k, size=n_labels)]
    said = [t * y + (1 - t) * probabilities(rng, n_labels, k, 3.0) for t in rng.random(m)]
    w = weights_of(said, y)
    np.testing.assert_allclose(w, reference.weights(said, y, PULL), atol=1e-5)
    assert w.min() >= 0
    np.testing.assert_allclose(w.sum(), 1.0, rtol=1e-12)


def test_an_optimizer_finds_the_same_weights():
    rng = np.random.default_rng(0)
    y = np.eye(3)[rng.integers(3, size=40)]
    said = [t * y + (1 - t) * probabilities(rng, 40, 3) for t in (0.1, 0.5, 0.6, 0.0)]

    def cost(w):
        mixture = sum(a * p for a, p in zip(w, said, strict=True))
        return np.sum((y - mixture) ** 2) + PULL * np.sum((w - 0.25) ** 2)

    best = minimize(
        cost,
        np.full(4, 0.25),
        bounds=[(0, 1)] * 4,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        tol=1e-12,
    )
    np.testing.assert_allclose(weights_of(said, y), best.x, atol=1e-4)


@given(seed=st.integers(0, 10_000), m=st.integers(1, 4), k=st.integers(1, 3))
def test_a_label_that_counts_twice_is_two_labels(seed, m, k):
    rng = np.random.default_rng(seed)
    y = np.eye(k)[rng.integers(k, size=30)]
    said = [t * y + (1 - t) * probabilities(rng, 30, k, 3.0) for t in rng.random(m)]
    counts = rng.integers(0, 4, 30)
    often = np.repeat(np.arange(30), counts)
    want = reference.weights([p[often] for p in said], y[often], PULL)
    got = weights_of(said, y, counts=counts.astype(float))
    np.testing.assert_allclose(got, want, atol=1e-5)
    np.testing.assert_array_equal(weights_of(said, y, counts=np.ones(30)), weights_of(said, y))


def test_units_of_values_do_not_matter():
    rng = np.random.default_rng(1)
    y = rng.normal(size=(30, 2))
    said = [y + s * rng.normal(size=(30, 2)) for s in (0.3, 0.5, 2.0)]
    want = weights_of(said, y)
    for unit in (1e-6, 1e8):
        np.testing.assert_allclose(weights_of([unit * p for p in said], unit * y, unit**2), want, rtol=1e-6)


def test_predictors_that_say_the_same_count_the_same():
    rng = np.random.default_rng(2)
    y = np.eye(2)[rng.integers(2, size=20)]
    p = probabilities(rng, 20, 2)
    np.testing.assert_allclose(weights_of([p] * 4, y), 0.25, atol=1e-6)


def test_one_that_is_always_right_and_one_that_is_always_wrong():
    """By hand: the least 40 w^2 + 6 (w - 1/2)^2 at w = 6 / 92, for the one that is wrong about 20 labels."""
    y = np.eye(2)[np.arange(20) % 2]
    np.testing.assert_allclose(weights_of([y, 1 - y], y), [86 / 92, 6 / 92], atol=1e-6)


def test_few_labels_decide_little_and_many_decide_all():
    rng = np.random.default_rng(3)
    for n_labels, least, most in ((1, 0.5, 0.75), (500, 0.99, 1.0)):
        y = np.eye(2)[rng.integers(2, size=n_labels)]
        w = weights_of([0.9 * y + 0.05, np.full((n_labels, 2), 0.5)], y)
        assert least <= w[0] <= most


@given(seed=st.integers(0, 10_000))
def test_the_temperature_is_the_best_of_the_grid(seed):
    rng = np.random.default_rng(seed)
    y = np.eye(3)[rng.integers(3, size=60)]
    q = sharpened(0.5 * y + 0.5 * probabilities(rng, 60, 3), float(rng.choice([0.4, 1.0, 2.5])))
    assert temperature_of(q, y) == reference.temperature(q, y, PRIOR, GRID)


def test_temperatures_say_how_far_to_trust():
    rng = np.random.default_rng(4)
    truth = probabilities(rng, 3000, 3, 4.0)
    y = np.array([np.eye(3)[rng.choice(3, p=p)] for p in truth])
    assert abs(np.log(temperature_of(truth, y))) < 0.15
    for T in (0.5, 2.0):
        np.testing.assert_allclose(temperature_of(sharpened(truth, 1 / T), y), T, rtol=0.15)
    assert temperature_of(np.full((5, 3), 1 / 3), y[:5]) == pytest.approx(1.0)
    assert 1 / 3 - 1e-9 <= temperature_of(1 - y, y) <= 3 + 1e-9


@given(seed=st.integers(0, 10_000), T=st.sampled_from([0.2, 0.5, 1.0, 3.0]))
def test_sharper_probabilities_match_the_definition(seed, T):
    p = probabilities(np.random.default_rng(seed), 6, 3)
    np.testing.assert_allclose(sharpened(p, T), reference.sharpened(p, T), rtol=1e-12)


def test_sharper_probabilities_of_all_kinds():
    odd = np.array([[1.0, 0.0, 0.0], [1e-300, 0.0, 0.0], [np.nan] * 3, [0.5, 0.5, 0.0]])
    got = sharpened(odd, 1 / 3)
    np.testing.assert_array_equal(got[0], [1, 0, 0])
    np.testing.assert_array_equal(got[1], [1, 0, 0])
    np.testing.assert_array_equal(got[2], [np.nan] * 3)
    np.testing.assert_array_equal(got[3], [0.5, 0.5, 0])
    np.testing.assert_array_equal(sharpened(np.ones((4, 1)), 0.5), np.ones((4, 1)))
    assert sharpened(np.ones((4, 0)), 0.5).shape == (4, 0)


@given(seed=st.integers(0, 10_000), m=st.integers(1, 4))
def test_mixtures_are_of_those_that_say_something(seed, m):
    rng = np.random.default_rng(seed)
    said = []
    for _ in range(m):
        p = probabilities(rng, 9, 3)
        p[rng.random(9) < 0.4] = np.nan
        said.append(p)
    w = rng.random(m) * (rng.random(m) < 0.6)
    got = mixed(said, w)
    np.testing.assert_allclose(got, reference.mixed(said, w), rtol=1e-12)
    silent = np.all([np.isnan(p[:, 0]) for p in said], axis=0)
    np.testing.assert_array_equal(np.isnan(got).all(axis=1), silent)
    np.testing.assert_allclose(got[~silent].sum(axis=1), 1.0, rtol=1e-12)


def test_a_weight_of_zero_still_speaks_where_nobody_else_does():
    here, there = np.array([[0.2, 0.8], [np.nan, np.nan]]), np.array([[0.7, 0.3], [0.6, 0.4]])
    np.testing.assert_allclose(mixed([here, there], np.array([1.0, 0.0])), [[0.2, 0.8], [0.6, 0.4]])
