import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trigpoint.trials import Ratio, estimate, overall_ratio, ratio, verdict

numbers = st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=20).map(np.array)


def test_an_interval_by_hand():
    found = estimate(np.array([1.0, 3.0]))  # mean 2, s = sqrt 2, t(1) = 12.706
    assert found.mean == 2.0
    assert found.ci95 == pytest.approx(12.7062, abs=1e-4)
    assert found.trials == 2


@given(numbers)
def test_the_interval_is_that_of_scipy(values):
    found = estimate(values)
    if values.std() < 1e-9:
        return
    low, high = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    np.testing.assert_allclose([found.mean - found.ci95, found.mean + found.ci95], [low, high], rtol=1e-9)


def test_trials_that_are_missing_are_left_out():
    assert estimate(np.array([np.nan, 4.0, np.nan])).trials == 1
    assert estimate(np.array([np.nan, 4.0])).mean == 4.0
    assert np.isnan(estimate(np.array([4.0])).ci95)
    assert estimate(np.array([])).trials == 0


def test_pairs_see_what_means_do_not():
    rng = np.random.default_rng(0)
    hard = 100 * rng.random(20)  # trials differ far more than methods do
    assert verdict(hard, hard + 1 + rng.random(20)) == -1
    assert verdict(hard + 1 + rng.random(20), hard) == 1
    assert verdict(hard, rng.permutation(hard)) == 0


def test_a_difference_within_its_interval_is_undecided():
    a = np.array([1.0, 2.0, 3.0, 4.0])
    noise = np.array([3.0, -2.0, 1.0, -1.0])  # mean 0.25, half width 3.5
    assert verdict(a, a + noise) == verdict(a + noise, a) == 0


def test_a_comparison_needs_two_pairs():
    assert verdict(np.array([1.0, np.nan]), np.array([2.0, 3.0])) == 0


def test_equal_differences_are_certain():
    assert verdict(np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 4.0])) == -1
    assert verdict(np.array([1.0, 2.0]), np.array([1.0, 2.0])) == 0


pairs = st.lists(
    st.tuples(st.floats(0.1, 10), st.floats(1, 10)), min_size=3, max_size=15, unique_by=(lambda p: p[0])
).map(lambda rows: np.array(rows).T)


@given(pairs)
def test_the_ends_of_a_ratio_are_where_the_difference_may_just_be_zero(held):
    a, b = held
    found = ratio(a, b)
    assert found.value == pytest.approx(a.mean() / b.mean())
    for end in (found.low, found.high):
        if 0 < end < np.inf:
            gap = estimate(a - end * b)
            assert abs(gap.mean) == pytest.approx(gap.ci95, rel=1e-5, abs=1e-9)
    assert found.low <= found.value <= found.high


def test_a_ratio_by_hand():
    a, b = np.array([10.0, 11.0, 12.0]), np.array([20.0, 22.0, 24.0])
    assert ratio(a, b) == Ratio(0.5, pytest.approx(0.5), pytest.approx(0.5))  # always half: certain
    assert np.isnan(ratio(a, 0 * b).value)
    single = ratio(a[:1], b[:1])
    assert single.value == 0.5
    assert np.isnan(single.low)
    assert ratio(np.array([1.0, np.nan]), np.array([4.0, 4.0])).value == 0.25


def test_a_ratio_to_what_may_be_zero_has_no_upper_end():
    assert ratio(np.array([1.0, 2.0, 1.5]), np.array([0.0, 0.0, 1.0])).high == np.inf


def test_the_overall_ratio_is_the_geometric_mean():
    a, b = np.array([[1.0, 3.0], [8.0, 8.0]]), np.array([[4.0, 4.0], [2.0, 2.0]])
    found = overall_ratio(a, b, 1e-9)
    assert found.value == pytest.approx(np.sqrt(2 / 4 * 8 / 2))
    left_out = np.log(np.array([3.0, 1.0]) / 4 * 4) / 2  # without the first trial, without the second
    half = estimate(2 * np.log(found.value) - left_out).ci95
    assert (found.low, found.high) == (
        pytest.approx(found.value * np.exp(-half)),
        pytest.approx(found.value * np.exp(half)),
    )


def test_an_error_of_zero_counts_as_the_floor():
    assert overall_ratio(np.zeros((1, 3)), np.full((1, 3), 0.5), 0.01).value == pytest.approx(0.02)
    assert overall_ratio(np.zeros((1, 3)), np.zeros((1, 3)), 0.01).value == 1.0
    assert np.isnan(overall_ratio(np.ones((2, 1)), np.ones((2, 1)), 0.01).low)
