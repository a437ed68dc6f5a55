import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import trigpoint as tp
from reference import propagation as oracle
from trigpoint.propagation import _solver, _variance, posterior


def test_a_path_is_a_brownian_bridge():
    """Variance i (n - i) / n of a bridge over n steps."""
    i = np.arange(11)
    np.testing.assert_allclose(
        tp.uncertainty(oracle.path(11), [0, 10]), np.sqrt(i * (10 - i) / 10), atol=1e-12
    )


@given(st.integers(2, 12), st.integers(0, 500), st.booleans(), st.sampled_from([0.0, 0.4]))
def test_it_matches_the_definition(n, seed, soft, gamma):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.integers(1, 3, (n, n)) * (rng.random((n, n)) < 0.4), 1)
    phi = oracle.laplacian(W + W.T)
    landmarks = rng.permutation(n)[: rng.integers(1, n + 1)]
    beta = np.linspace(0.2, 1.0, len(landmarks)) if soft else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        std = tp.uncertainty(phi, landmarks, beta=beta, gamma=gamma)
    np.testing.assert_allclose(std, oracle.std(phi, landmarks, beta, gamma), rtol=1e-8)


def test_samples_out_of_reach_are_infinitely_uncertain():
    phi = sparse.block_diag([oracle.path(3), oracle.path(2)], format="csr")
    said = "2 of 5 samples lie in 1 component without a landmark; their standard deviation is infinite"
    with pytest.warns(UserWarning, match=said) as caught:
        std = tp.uncertainty(phi, [0, 1], [1.0, 4.0])
    assert len(caught) == 1
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(np.isinf(std), [False, False, False, True, True])
    with pytest.warns(UserWarning, match="infinite"):
        assert np.isinf(tp.uncertainty(phi, [0, 1], [1.0, 1.0])[3:]).all()  # a field of scale 0


def test_dense_and_normalized_matrices():
    plain = oracle.cloud_laplacian(50, 2, seed=0)
    phi, landmarks = oracle.normalized(plain), [3, 20]
    np.testing.assert_allclose(tp.uncertainty(plain.toarray(), landmarks), tp.uncertainty(plain, landmarks))
    s = np.sqrt(plain.diagonal())
    want = oracle.std(phi, landmarks) / s
    rms = np.sqrt(np.mean(s**2))  # s counts with mean square 1, whether found or given
    np.testing.assert_allclose(tp.uncertainty(phi, landmarks, scale=s), want * rms)
    np.testing.assert_allclose(tp.uncertainty(phi, landmarks), want * rms, rtol=1e-6)


CASES = {
    "laplacian": (lambda: oracle.cloud_laplacian(400, 2, seed=1), {}),
    "soft": (lambda: oracle.cloud_laplacian(400, 2, seed=1), {"beta": 0.5, "gamma": 0.01}),
    "high_dimension": (lambda: oracle.cloud_laplacian(900, 8, seed=1), {}),
    "normalized": (lambda: oracle.normalized(oracle.cloud_laplacian(400, 2, seed=1)), {}),
    "signed": (lambda: signed(300), {"gamma": 0.1}),
    "ltsa": (lambda: oracle.flat_ltsa(np.random.default_rng(0).random((700, 2))), {}),
    "small_ltsa": (lambda: oracle.flat_ltsa(np.random.default_rng(0).random((90, 2))), {"beta": 1.0}),
}


def signed(n):
    """Diagonally dominant, with entries of both signs."""
    phi = oracle.cloud_laplacian(n, 2, seed=2).tocoo()
    flip = np.where((phi.row != phi.col) & ((phi.row * phi.col) % 5 == 0), -1.0, 1.0)
    return sparse.csr_array((phi.data * flip, (phi.row, phi.col)), shape=phi.shape)


@pytest.mark.parametrize("case", CASES)
def test_draws_agree_with_the_inverse_as_well_as_they_say(case):
    make, options = CASES[case]
    phi = make()
    landmarks = np.arange(0, phi.shape[0], 23)
    exact = posterior(phi, landmarks, method="exact", **options)
    sampled = posterior(phi, landmarks, method="sampled", **options)
    assert (exact.method, exact.n_probes, sampled.method, sampled.n_probes) == ("exact", 0, "sampled", 256)
    assert not exact.relative_error.any()
    known = sampled.relative_error > 0
    assert known.sum() >= phi.shape[0] - len(landmarks)
    error = (sampled.std / np.where(known, exact.std, 1.0) - 1.0)[known] / sampled.relative_error[known]
    assert np.abs(error).max() < 6.0
    assert 0.6 < np.sqrt(np.mean(error**2)) < 1.5  # neighbors err together, so not closer to 1
    assert sampled.relative_error.max() <= 1 / np.sqrt(2 * 256)
    np.testing.assert_array_equal(sampled.std[~known], exact.std[~known])


def test_stated_errors_are_honest_over_many_runs():
    phi = oracle.cloud_laplacian(120, 2, seed=1)
    landmarks = np.arange(0, 120, 23)
    exact = tp.uncertainty(phi, landmarks)
    errors, ratios = [], []
    for seed in range(40):
        one = posterior(phi, landmarks, method="sampled", n_probes=64, random_state=seed)
        known = one.relative_error > 0
        errors.append((one.std[known] / exact[known] - 1.0) / one.relative_error[known])
        ratios.append(one.std[known] ** 2 / exact[known] ** 2)
    assert 0.9 < np.sqrt(np.mean(np.square(errors))) < 1.1
    assert abs(np.mean(ratios) - 1.0) < 0.03  # variances are unbiased


def test_hutchinson_where_no_draw_is_cheap(monkeypatch):
    monkeypatch.setattr(_solver, "LARGEST", 0.0)
    phi = oracle.flat_ltsa(np.random.default_rng(0).random((300, 2)))
    landmarks = np.arange(0, 300, 5)
    exact = tp.uncertainty(phi, landmarks, gamma=0.1)
    sampled = posterior(phi, landmarks, gamma=0.1, method="sampled", n_probes=200)
    assert sampled.method == "hutchinson"
    known = sampled.relative_error > 0
    error = (sampled.std[known] ** 2 / exact[known] ** 2 - 1.0) / (2 * sampled.relative_error[known])
    assert 0.6 < np.sqrt(np.mean(error**2)) < 1.6


def test_draws_are_solved_by_factorization_or_iteration(monkeypatch):
    phi = oracle.cloud_laplacian(900, 8, seed=1)
    landmarks = np.arange(0, 900, 30)
    want = posterior(phi, landmarks, method="sampled", n_probes=40)
    for largest in (np.inf, 0.0):  # a factorization, or none
        monkeypatch.setattr(_solver, "LARGEST", largest)
        again = posterior(phi, landmarks, method="sampled", n_probes=40)
        np.testing.assert_allclose(again.std, want.std, rtol=1e-5)


def test_draws_repeat_and_batches_cover_all(monkeypatch):
    phi = oracle.cloud_laplacian(200, 2, seed=1)
    runs = [posterior(phi, [0, 9], method="sampled", n_probes=50, random_state=3) for _ in range(2)]
    np.testing.assert_array_equal(runs[0].std, runs[1].std)
    other = posterior(phi, [0, 9], method="sampled", n_probes=50, random_state=4)
    assert not np.array_equal(runs[0].std, other.std)
    assert _variance._batches(50, 10) == [32, 18]
    assert sum(_variance._batches(256, 10**9)) == 256


def test_auto_samples_above_the_limit(monkeypatch):
    phi = oracle.cloud_laplacian(150, 2, seed=1)
    assert posterior(phi, [0]).method == "exact"
    monkeypatch.setattr("trigpoint.propagation._posterior.EXACT", 100)
    assert posterior(phi, [0]).method == "sampled"
    monkeypatch.setattr("trigpoint.propagation._posterior.EXACT_AT_MOST", 100)
    with pytest.raises(ValueError, match=r"number of unknown samples for method='exact' must .* \[1, 100\]"):
        posterior(phi, [0], method="exact")
    with pytest.raises(ValueError, match="number of unknown samples for a dense phi must"):
        posterior(phi.toarray(), [0])


def field_samples(phi, count, rng):
    """Draws of the field with sample 0 at 0: from the Cholesky factor of the rest's precision."""
    A = phi.toarray()[1:, 1:]
    draws = np.linalg.solve(np.linalg.cholesky(A).T, rng.standard_normal((len(A), count)))
    return np.vstack([np.zeros(count), draws])


@pytest.mark.parametrize("soft", [False, True])
def test_two_standard_deviations_cover_95_percent(soft):
    """Fields drawn from the model, in units of their own."""
    rng = np.random.default_rng(0)
    phi = oracle.cloud_laplacian(150, 2, seed=3)
    z = 7.0 * field_samples(phi, 300, rng) + 100.0
    landmarks = np.arange(0, 150, 3)
    rest = np.setdiff1d(np.arange(150), landmarks)
    beta = 2.0 if soft else None
    values = z[landmarks]
    if soft:
        values = values + 7.0 / np.sqrt(beta) * rng.standard_normal(values.shape)
    std = tp.uncertainty(phi, landmarks, values, beta=beta)
    mean = tp.propagate(phi, landmarks, values, beta=beta)
    assert std.shape == z.shape
    covered = np.mean(np.abs(z - mean)[rest] <= 2.0 * std[rest])
    assert 0.935 < covered < 0.965
    unit = std[rest] / tp.uncertainty(phi, landmarks, beta=beta)[rest, None]
    np.testing.assert_allclose(np.sqrt(np.mean(unit**2)), 7.0, rtol=0.03)


def test_the_unit_counts_degrees_of_freedom():
    phi = sparse.block_diag([oracle.path(4), oracle.path(3), np.zeros((1, 1))], format="csr")
    landmarks, values = [0, 3, 4, 6, 7], np.array([0.0, 6.0, 1.0, 3.0, 9.0])
    energy = 3 * 2.0**2 + 2 * 1.0**2
    std = tp.uncertainty(phi, landmarks, values)
    np.testing.assert_allclose(std, oracle.std(phi, landmarks) * np.sqrt(energy / (5 - 3)))
    gamma = 0.5
    z = oracle.hard(phi, landmarks, values, gamma)
    energy = z @ (phi @ z) + gamma * np.sum(np.delete(z, landmarks) ** 2)
    std = tp.uncertainty(phi, landmarks, values, gamma=gamma)
    np.testing.assert_allclose(std, oracle.std(phi, landmarks, None, gamma) * np.sqrt(energy / (5 - 1)))


def test_the_unit_is_that_of_the_values():
    phi, landmarks = oracle.cloud_laplacian(60, 2, seed=0), np.arange(0, 60, 7)
    values = np.random.default_rng(0).standard_normal((9, 2))
    std = tp.uncertainty(phi, landmarks, values)
    assert std.shape == (60, 2)
    np.testing.assert_allclose(tp.uncertainty(phi, landmarks, 5.0 * values[:, 1]), 5.0 * std[:, 1])
    np.testing.assert_allclose(tp.uncertainty(3.0 * phi, landmarks, values), std)
    assert not tp.uncertainty(phi, landmarks, np.ones(9)).any()


def test_every_sample_a_landmark():
    found = posterior(oracle.path(3), [0, 1, 2], [1.0, 2.0, 4.0])
    np.testing.assert_array_equal(found.std, 0.0)
    np.testing.assert_array_equal(found.relative_error, 0.0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "guess"}, "method must be one of 'auto', 'exact', 'sampled'; got 'guess'"),
        ({"n_probes": 1}, "n_probes must be an integer and be at least 2; got 1"),
        ({"values": [1.0]}, "values must come from more than 1 landmarks to estimate the scale .* got 1"),
        ({"beta": -1.0}, "beta must be greater than 0"),
        ({"gamma": np.nan}, "gamma must be a finite number"),
        ({"scale": [1.0]}, "scale must"),
    ],
)
def test_refusals(options, said):
    with pytest.raises(ValueError, match=said):
        tp.uncertainty(oracle.path(5), [0], **options)


@pytest.mark.parametrize("method", ["exact", "sampled"])
@pytest.mark.parametrize("n", [40, 700])
def test_singular_and_indefinite_matrices_are_refused(n, method):
    phi = oracle.flat_ltsa(np.random.default_rng(0).random((n, 2)))
    with pytest.raises(ValueError, match="phi is singular"):
        tp.uncertainty(phi, [3], method=method)
    off = sparse.csr_array(phi - 0.5 * sparse.eye_array(n))
    with pytest.raises(ValueError, match="phi must be positive semidefinite"):
        tp.uncertainty(off, [3], method=method)


def test_an_offset_of_the_values_changes_nothing():
    phi = oracle.cloud_laplacian(200, 2, seed=0)
    landmarks = np.arange(0, 200, 10)
    values = np.random.default_rng(0).random(20)
    want = tp.uncertainty(phi, landmarks, values)
    np.testing.assert_allclose(tp.uncertainty(phi, landmarks, values + 1e8), want, rtol=1e-6)


def test_draws_reach_across_weak_links():
    """A cluster tied to the landmarks by one edge of weight 1e-6 has a variance of about 1e6."""
    phi = oracle.weakly_linked(3000, 1e-6)
    landmarks = np.arange(0, 3000, 60)
    found = tp.propagation.posterior(phi, landmarks, method="sampled", n_probes=64)
    assert np.abs(found.std[3000:] / 1e3 - 1).max() < 4 * found.relative_error.max()
