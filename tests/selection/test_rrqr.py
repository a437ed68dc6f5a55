import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import linalg, sparse

import trigpoint as tp
from reference import dense_selection as oracle

edge_lists = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from([0.25, 1.0, 2.0])), max_size=14
)


def choose(phi, n_landmarks, initial=None):
    return tp.select(phi, n_landmarks, method="rrqr", initial=initial)


def test_chain_of_three_by_hand():
    """Diagonal 1, 2, 1: the middle pivots first. It leaves 1/2 at both ends; 2 pivots, and 0 at the last."""
    assert choose(oracle.laplacian(3, [(0, 1, 1), (1, 2, 1)]), 3).tolist() == [0, 2, 1]


def test_isolated_samples_by_hand():
    assert choose(np.diag([3.0, 0.0, 5.0, 1.0, 0.0]), 5).tolist() == [1, 4, 3, 0, 2]


@given(edge_lists)
def test_picks_match_pivoted_qr(edges):
    phi = oracle.laplacian(8, edges)
    assert choose(phi, 8).tolist() == oracle.rrqr(phi, 8)


def test_many_panels_match_lapack():
    B = np.random.default_rng(0).standard_normal((220, 200))
    _, pivots = linalg.qr(B, mode="r", pivoting=True)
    assert_array_equal(choose(B.T @ B, 200), pivots[::-1])


def test_low_rank_over_many_panels():
    """Rank 100: as many pivots are LAPACK's, and 50 samples tie at 0."""
    B = np.random.default_rng(1).standard_normal((100, 150))
    _, pivots = linalg.qr(B, mode="r", pivoting=True)
    picks = choose(B.T @ B, 150)
    assert_array_equal(picks[:50], np.sort(pivots[100:]))
    assert_array_equal(picks[50:], pivots[:100][::-1])


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_laws(seed):
    rng = np.random.default_rng(seed)
    oracle.assert_greedy_laws(choose, oracle.generic(seed), rng)
    B = rng.standard_normal((12, 12))
    oracle.assert_greedy_laws(choose, B.T @ B, rng)
    oracle.assert_follows_samples(choose, B.T @ B, rng)


def test_sparse_dense_read_only_and_fortran_arrays_agree():
    phi = oracle.generic(1)
    frozen = np.asfortranarray(phi)
    frozen.flags.writeable = False
    picks = choose(phi, 12)
    for same in (sparse.csr_array(phi), frozen):
        assert_array_equal(choose(same, 12), picks)
    assert_array_equal(frozen, phi, "phi is the user's")


def test_small_and_degenerate_pools():
    assert choose(np.zeros((1, 1)), 1).tolist() == [0]
    assert choose(np.zeros((4, 4)), 4).tolist() == [0, 1, 2, 3], "all tie"
    assert choose(np.ones((4, 4)), 4).tolist() == [0, 1, 2, 3], "duplicates: the last one stands for all"
    assert choose(np.ones((4, 4)), 2, [0, 1]).tolist() == [2, 3]


@pytest.mark.parametrize(
    "phi", [-np.eye(2), np.diag([1.0, -0.5]), np.array([[0.0, 1], [1, 0]]), np.array([[1.0, 2], [2, 1]])]
)
def test_indefinite_matrices_are_refused(phi):
    with pytest.raises(ValueError, match="phi must be positive semidefinite"):
        choose(phi, 1)


def test_large_pools_are_refused():
    with pytest.raises(
        ValueError, match=r"rrqr needs a dense matrix: n = 20000 would need 3.2 GB; the limit is 10000"
    ):
        choose(sparse.csr_array((20000, 20000)), 1)
