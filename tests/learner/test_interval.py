"""Intervals for the error of the rest: the definition, laws, ends, and how often they hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from scipy.special import expit, logit

from reference import learner as oracle
from trigpoint.learner import class_interval, value_interval
from trigpoint.learner._interval import Chosen

MANY = 200_000  # a rest so large that its own noise does not count


def random_case(seed, m, n_rest, slope=1.0, shift=0.0):
    """Doubts as they come in pools, labels that are wrong accordingly, and the truth of the rest."""
    rng = np.random.default_rng(seed)
    doubts, rest = rng.beta(0.4, 2.0, m).clip(0.002, 0.9), rng.beta(0.4, 2.0, n_rest).clip(0.002, 0.9)
    wrong = rng.random(m) < expit(shift + slope * logit(doubts))
    truth = (rng.random(n_rest) < expit(shift + slope * logit(rest))).mean()
    return wrong, doubts, rest, truth


@given(st.integers(1, 60), st.data(), st.floats(0.0, 0.95))
def test_without_differences_of_doubt_it_is_the_interval_of_jeffreys(m, data, doubt):
    w = data.draw(st.integers(0, m))
    error, low, high = class_interval(np.arange(m) < w, np.full(m, doubt), np.full(MANY, doubt))
    plain = stats.beta(w + 0.5, m - w + 0.5)
    assert error == pytest.approx(plain.mean(), abs=1e-4)
    assert low == pytest.approx(plain.ppf(0.05) if w > 0 else 0.0, abs=3e-4)
    assert high == pytest.approx(plain.ppf(0.95) if w < m else 1.0, abs=3e-4)


@pytest.mark.parametrize("seed", range(3))
def test_the_definition(seed):
    wrong, doubts, rest, _ = random_case(seed, 15, 25, slope=0.8, shift=1.0)
    E, share = oracle.posterior_of_error(wrong, doubts, rest)
    many = np.repeat(rest, MANY // 25)
    error, low, high = class_interval(wrong, doubts, many)
    assert wrong.any()
    assert error == pytest.approx(share @ E, abs=2e-3)
    quantiles = np.interp([0.05, 0.95], np.cumsum(share) - share / 2, E)
    assert_allclose([low, high], quantiles, atol=3e-3)


@given(st.integers(0, 10**6), st.integers(1, 40), st.floats(-3.0, 3.0), st.sampled_from([0.0, 1.0, 2.0]))
def test_laws(seed, m, shift, slope):
    wrong, doubts, rest, _ = random_case(seed, m, 300, slope, shift)
    found = class_interval(wrong, doubts, rest)
    error, low, high = found
    assert 0.0 <= low <= error <= high <= 1.0
    order = np.random.default_rng(seed).permutation(m)
    assert class_interval(wrong[order], doubts[order], rest) == found
    twice = class_interval(np.tile(wrong, 2), np.tile(doubts, 2), rest)
    assert twice[2] - twice[1] < high - low
    worse = class_interval(np.ones(m, dtype=bool), doubts, rest)
    assert worse[0] >= error
    assert worse[1] >= low
    assert worse[2] >= high


def test_ends():
    some = np.full(100, 0.1)
    none = np.empty(0)
    assert class_interval(none.astype(bool), none, none) == (0.0, 0.0, 0.0), "everything is labeled"
    error, *ends = class_interval(none.astype(bool), none, some)
    assert np.isnan(error)
    assert ends == [0.0, 1.0]
    for m in (1, 20):
        error, low, high = class_interval(np.zeros(m, dtype=bool), some[:m], some)
        assert low == 0.0 < error < high < 1.0
        error, low, high = class_interval(np.ones(m, dtype=bool), some[:m], some)
        assert high == 1.0 > error > low > 0.0
    for extreme in (0.0, 1e-300, 1.0 - 1e-16):
        error, low, high = class_interval(np.array([True, False]), np.full(2, extreme), np.full(9, extreme))
        assert 0.0 < low < error < high < 1.0
    many = np.arange(10**6) < 3000
    error, low, high = class_interval(many, np.full(10**6, 0.1), np.full(10**7, 0.1))
    assert 0.0029 < low < error < high < 0.0031


def test_what_no_label_reaches_is_wrong_for_certain():
    wrong, doubts, rest, _ = random_case(1, 20, 300)
    reached = np.array(class_interval(wrong, doubts, rest))
    half = class_interval(wrong, doubts, np.append(rest, np.ones(300)))
    assert_allclose(half, 0.5 + 0.5 * reached)
    alone = class_interval(np.append(wrong, True), np.append(doubts, 1.0), rest)
    assert_allclose(alone, reached, err_msg="a label that no other reaches says nothing")
    assert np.isnan(class_interval(np.array([True]), np.ones(1), rest)[0])
    assert class_interval(wrong, doubts, np.ones(5)) == (1.0, 1.0, 1.0)


def test_a_small_rest_is_noisy():
    """One sample is right or wrong; a thousand are near their mean."""
    wrong, doubts = np.arange(200) < 40, np.full(200, 0.2)
    widths = [np.diff(class_interval(wrong, doubts, np.full(n, 0.2))[1:]).item() for n in (1, 10, 100, 10**4)]
    assert widths[0] > 0.6
    assert widths == sorted(widths, reverse=True)
    plain = np.sqrt(0.2 * 0.8 * (1 / 200 + 1 / 100)) * 2 * stats.norm.ppf(0.95)
    assert widths[2] == pytest.approx(plain, rel=0.03)


def test_doubts_narrow_the_interval_and_mend_a_bias():
    """Random labels are harder than the rest, as if questions had kept away from them."""
    wrong, doubts, rest, _ = random_case(3, 2000, 4000, slope=1.0, shift=0.3)
    kept = (doubts > 0.2) | (np.arange(2000) % 4 == 0)
    wrong, doubts = wrong[kept], doubts[kept]
    truth = expit(0.3 + logit(rest)).mean()
    error, low, high = class_interval(wrong, doubts, rest)
    w, m = wrong.sum(), len(wrong)
    plain = stats.beta(w + 0.5, m - w + 0.5)
    assert low < truth < high
    assert plain.ppf(0.05) > 1.3 * truth
    assert high - low < 0.75 * (plain.ppf(0.95) - plain.ppf(0.05))
    assert abs(error - truth) < 0.03


@pytest.mark.slow
def test_it_holds_in_nine_runs_of_ten():
    """20 random labels; doubts that are right, too small or too large, or say nothing."""
    held, widths, plain = [], [], []
    for seed in range(400):
        slope, shift = [(1.0, 0.0), (0.6, -0.5), (1.3, 1.0), (0.0, -2.0)][seed % 4]
        wrong, doubts, rest, truth = random_case(seed, 20, 500, slope, shift)
        _, low, high = class_interval(wrong, doubts, rest)
        held.append(low <= truth <= high)
        widths.append(high - low)
        plain.append(np.diff(clopper_pearson(20, wrong.sum())).item())
    assert 0.88 <= np.mean(held) <= 0.93
    assert np.mean(widths) < 0.8 * np.mean(plain)


def clopper_pearson(m, w):
    """The exact interval of a share, which knows nothing of doubts."""
    low = stats.beta(w, m - w + 1).ppf(0.05) if w > 0 else 0.0
    return low, stats.beta(w + 1, m - w).ppf(0.95) if w < m else 1.0


def test_labels_that_would_have_been_chosen_do_not_bias_it():
    """A fifth of the pool is hard, whatever its doubts say; it is chosen, but for what was drawn before."""
    held, plain = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        hard, doubts = np.arange(1000) < 200, rng.beta(2.0, 8.0, 1000)
        wrong = rng.random(1000) < np.where(hard, 0.6, 0.05)
        drawn = rng.permutation(1000)[:60]
        chosen = np.setdiff1d(np.flatnonzero(hard), drawn)
        rest = np.setdiff1d(np.arange(1000), np.append(drawn, chosen))
        chances = np.full(60, len(chosen) / 1000)
        others = Chosen(chances, wrong[chosen], doubts[chosen])
        truth = wrong[rest].mean()
        _, low, high = class_interval(wrong[drawn], doubts[drawn], doubts[rest], others)
        held.append(low <= truth <= high)
        _, low, high = class_interval(wrong[drawn], doubts[drawn], doubts[rest])
        plain.append(low <= truth <= high)
    assert np.mean(held) >= 0.85
    assert np.mean(plain) < 0.3


def test_without_a_chance_to_be_chosen_others_do_not_count():
    wrong, doubts, rest, _ = random_case(5, 30, 200)
    others = Chosen(np.zeros(30), np.ones(9, dtype=bool), np.full(9, 0.3))
    assert class_interval(wrong, doubts, rest, others) == class_interval(wrong, doubts, rest)
    nobody = Chosen(np.zeros(30), np.empty(0, dtype=bool), np.empty(0))
    assert class_interval(wrong, doubts, rest, nobody) == class_interval(wrong, doubts, rest)


def test_values_at_the_ends():
    none = np.empty(0)
    assert value_interval(np.ones(3), none, 0) == (0.0, 0.0, 0.0), "everything is labeled"
    error, low, high = value_interval(none, np.ones(9), 5)
    assert np.isnan(error)
    assert (low, high) == (0.0, np.inf)
    assert value_interval(np.zeros(4), none, 5) == (0.0, 0.0, 0.0)
    error, low, high = value_interval(np.array([2.25]), none, MANY)
    assert low < error == 1.5 < high < np.inf
    error, low, high = value_interval(np.ones(3), np.append(np.zeros(10**6), 1e9), 9)
    assert 0.0 < low < error == 1.0 < high < np.inf


def test_gaussian_errors_have_the_interval_of_chi_square():
    rng = np.random.default_rng(0)
    flat = rng.uniform(0.5, 1.5, 15)
    error, low, high = value_interval(flat, np.empty(0), 10**9)
    assert error == pytest.approx(np.sqrt(flat.mean()))
    assert low == pytest.approx(error * np.sqrt(15 / stats.chi2(15).ppf(0.95)))
    assert high == pytest.approx(error * np.sqrt(15 / stats.chi2(15).ppf(0.05)))
    freedom = 1.0 / (1 / 15 + 1 / 30)
    assert value_interval(flat, np.empty(0), 30)[2] == pytest.approx(
        error * np.sqrt(freedom / stats.chi2(freedom).ppf(0.05))
    )


@pytest.mark.parametrize("tails", [4, 50])
def test_values_hold_in_nine_runs_of_ten(tails):
    """20 random labels of 200, with the errors of Student's t: the heavier tails need the other labels."""
    rng = np.random.default_rng(0)
    held, plain = [], []
    for _ in range(400):
        squares = rng.standard_t(tails, 1000) ** 2
        error, low, high = value_interval(squares[:20], squares[20:200], 800)
        truth = np.sqrt(squares[200:].mean())
        held.append(low <= truth <= high)
        ends = error * np.sqrt(20 / stats.chi2(20).ppf([0.95, 0.05]))
        plain.append(ends[0] <= truth <= ends[1])
    assert 0.86 <= np.mean(held) <= 0.95
    assert np.mean(plain) < (0.8 if tails == 4 else 0.92)
