import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import dense_selection, field_selection, graph_selection


def choose(phi, n_landmarks, initial=None, **options):
    return tp.select(
        sparse.csr_array(phi), n_landmarks, method="pivoted_cholesky", initial=initial, **options
    )


def test_star_by_hand():
    """All shares are 1 at first, and the hub is the best connected; then the leaves, which are alike."""
    star = dense_selection.laplacian(5, [(2, i, 1.0) for i in (0, 1, 3, 4)])
    assert choose(star, 5).tolist() == [2, 0, 1, 3, 4]


@settings(max_examples=25)
@given(st.integers(0, 1000), st.sets(st.integers(0, 11), max_size=3), st.sampled_from([0.05, 0.5]))
def test_picks_match_the_definition(seed, initial, alpha):
    phi = dense_selection.generic(seed)
    expected = field_selection.cholesky_pivots(phi, alpha, sorted(initial), 12 - len(initial))
    assert choose(phi, 12 - len(initial), sorted(initial), alpha=alpha).tolist() == expected


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_laws(seed):
    rng = np.random.default_rng(seed)
    dense_selection.assert_greedy_laws(choose, dense_selection.generic(seed), rng)
    phi = tp.laplacian(tp.neighbor_graph(rng.random((60, 2)), 5))
    assert graph_selection.follows_samples("pivoted_cholesky", phi, 20, rng)


@pytest.mark.slow
def test_random_pivots_follow_their_law():
    """Of pairs: the first uniform, the second in proportion to what the first leaves of the diagonal."""
    phi = dense_selection.laplacian(4, [(0, 1, 1.0), (1, 2, 10.0)])
    C = np.linalg.inv(field_selection.precision(phi, 0.1))
    S = C / np.sqrt(np.outer(C.diagonal(), C.diagonal()))
    left = 1 - S**2
    law = left / left.sum(axis=1, keepdims=True) / 4
    counts = np.zeros((4, 4))
    for seed in range(600):
        i, j = choose(phi, 2, pivots="random", alpha=0.1, random_state=seed)
        counts[i, j] += 1
    pairs = ~np.eye(4, dtype=bool)
    expected = 600 * law[pairs]
    assert ((counts[pairs] - expected) ** 2 / expected).sum() < 31  # chi-square, 11 degrees: p = 0.001
    assert ((counts[pairs] - 50) ** 2 / 50).sum() > 50, "a uniform pair would be told"


def test_random_pivots_are_nested_and_repeat_with_the_seed():
    phi = tp.laplacian(tp.neighbor_graph(np.random.default_rng(0).random((60, 2)), 5))
    picks = choose(phi, 60, pivots="random", random_state=1)
    assert sorted(picks) == list(range(60))
    assert_array_equal(choose(phi, 20, pivots="random", random_state=1), picks[:20])
    assert not np.array_equal(choose(phi, 20, pivots="random", random_state=2), picks[:20])


def test_pools_that_break_things():
    graph_selection.assert_survives("pivoted_cholesky")
    graph_selection.assert_survives("pivoted_cholesky", pivots="random")
    graph_selection.assert_refuses_a_dense_phi("pivoted_cholesky")


def test_other_pivots_are_refused():
    with pytest.raises(ValueError, match="pivots must be one of 'greedy', 'random'"):
        choose(np.eye(3), 1, pivots="best")
