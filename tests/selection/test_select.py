import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp


def empty_phi(n):
    return sparse.csr_array((n, n))


def test_random_landmarks_repeat_with_the_seed_and_are_uniform():
    a, b = (tp.select(empty_phi(20), 5, method="random", random_state=3) for _ in range(2))
    assert_array_equal(a, b)
    counts = np.zeros(6)
    for seed in range(600):
        counts[tp.select(empty_phi(6), 2, method="random", random_state=seed)] += 1
    assert ((counts - 200) ** 2 / 200).sum() < 20  # chi-square, 5 degrees of freedom: p = 0.001


def test_random_landmarks_leave_the_initial_ones_out():
    picks = tp.select(empty_phi(5), 3, method="random", initial=[1, 4], random_state=0)
    assert sorted(picks) == [0, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_landmarks": 6}, r"n_landmarks must .* lie in \[1, 5\] for 5 samples; got 6"),
        ({"n_landmarks": 0}, r"n_landmarks must .* got 0"),
        ({"n_landmarks": 4, "initial": [0, 1]}, r"\[1, 3\] for 5 samples, 2 of them in initial; got 4"),
        ({"n_landmarks": 1, "initial": [0, 1, 2, 3, 4]}, "initial must leave a sample to choose; got all 5"),
        ({"n_landmarks": 1, "initial": [[1, 2], [3]]}, "initial must be one-dimensional; got rows of diff"),
        ({"n_landmarks": 1, "random_state": True}, "random_state must be None, an integer from 0"),
        ({"n_landmarks": 1, "initial": [5]}, r"initial must lie in \[0, 4\] for 5 samples; got 5"),
        ({"n_landmarks": 1, "method": "best"}, "method must be one of 'auto', 'facility', 'random'"),
        ({"n_landmarks": 1, "method": "maxmin_geodesic"}, "graph must be given for method='maxmin"),
        ({"n_landmarks": 1, "graph": "wrong size"}, "graph must have 5 samples, as phi does; got 2"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    if "graph" in arguments:
        arguments = {**arguments, "graph": tp.graph_from_edges([[0, 1]])}
    with pytest.raises(ValueError, match=message):
        tp.select(empty_phi(5), **arguments)


def test_one_large_entry_does_not_hide_that_the_rest_is_one_sided():
    phi = np.diag(np.ones(6))
    phi[0, 0] = 1e9
    phi[2, 3] = -1.0
    with pytest.raises(ValueError, match=r"phi must be symmetric; .* at [23]"):
        tp.select(phi, 1, method="random")
    tp.select(phi + phi.T, 1, method="random")
    with pytest.raises(ValueError, match="phi must be of magnitude up to 1e300"):
        tp.select(np.eye(2) * 1.7e308, 1, method="random")
