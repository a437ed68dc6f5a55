import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import dense_selection, field_selection, graph_selection

edge_lists = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.25, 1.0, 2.0])), max_size=12
)


def choose(phi, n_landmarks, initial=None, **options):
    return tp.select(sparse.csr_array(phi), n_landmarks, method="sigma_optimal", initial=initial, **options)


@settings(max_examples=40)
@given(edge_lists, st.sets(st.integers(0, 6), max_size=3), st.sampled_from([0.01, 0.05, 1.0]))
def test_picks_match_the_definition(edges, initial, alpha):
    phi = dense_selection.laplacian(7, edges)
    picks = choose(phi, 7 - len(initial), sorted(initial), alpha=alpha)
    assert picks.tolist() == field_selection.least(np.sum, phi, alpha, initial, 7 - len(initial))


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_laws(seed):
    rng = np.random.default_rng(seed)
    dense_selection.assert_greedy_laws(choose, dense_selection.generic(seed), rng)
    phi = tp.laplacian(tp.neighbor_graph(rng.random((60, 2)), 5))
    assert graph_selection.follows_samples("sigma_optimal", phi, 20, rng)


def test_pools_that_break_things():
    graph_selection.assert_survives("sigma_optimal")
    graph_selection.assert_refuses_a_dense_phi("sigma_optimal")


def test_the_field_is_that_of_the_pattern_where_phi_is_signed():
    X = np.random.default_rng(3).random((40, 2))
    phi = tp.ltsa(tp.neighbor_graph(X, 6), X, 1)
    expected = field_selection.least(np.sum, phi.toarray(), 0.05, [2], 6)
    assert_array_equal(choose(phi, 6, [2]), expected)


def test_star_and_lone_sample_by_hand():
    """With alpha = 1: a lone sample takes 1 from the sum, and the hub of a star more than any leaf."""
    star = dense_selection.laplacian(7, [(0, i, 1.0) for i in range(1, 6)])
    assert choose(star, 2, alpha=1.0).tolist() == [0, 6]


def test_it_is_drawn_to_the_middle_where_v_is_drawn_to_outliers():
    X = np.concatenate([np.random.default_rng(0).normal(0, 1, (60, 2)), [[9.0, 9.0]]])
    phi = tp.laplacian(tp.neighbor_graph(X, 5), "heat")
    assert 60 not in choose(phi, 5)
    assert 60 in tp.select(phi, 5, method="v_optimal", alpha=0.2)
