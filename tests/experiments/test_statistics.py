import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from trigpoint.experiments._statistics import estimate, verdict

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


def test_equal_differences_are_beyond_doubt():
    assert verdict(np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 4.0])) == -1
    assert verdict(np.array([1.0, 2.0]), np.array([1.0, 2.0])) == 0
