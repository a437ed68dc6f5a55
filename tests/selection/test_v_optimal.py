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
    return tp.select(sparse.csr_array(phi), n_landmarks, method="v_optimal", initial=initial, **options)


@settings(max_examples=40)
@given(edge_lists, st.sets(st.integers(0, 6), max_size=3), st.sampled_from([0.01, 0.05, 1.0]))
def test_picks_match_the_definition(edges, initial, alpha):
    phi = dense_selection.laplacian(7, edges)
    picks = choose(phi, 7 - len(initial), sorted(initial), alpha=alpha)
    assert picks.tolist() == field_selection.least(np.trace, phi, alpha, initial, 7 - len(initial))


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_laws(seed):
    rng = np.random.default_rng(seed)
    dense_selection.assert_greedy_laws(choose, dense_selection.generic(seed), rng)
    phi = tp.laplacian(tp.neighbor_graph(rng.random((60, 2)), 5))
    assert graph_selection.follows_samples("v_optimal", phi, 20, rng)


def test_pools_that_break_things():
    graph_selection.assert_survives("v_optimal")
    graph_selection.assert_refuses_a_dense_phi("v_optimal")


def test_the_field_is_that_of_the_pattern_where_phi_is_signed():
    X = np.random.default_rng(3).random((40, 2))
    phi = tp.ltsa(tp.neighbor_graph(X, 6), X, 1)
    expected = field_selection.least(np.trace, phi.toarray(), 0.01, [2], 6)
    assert_array_equal(choose(phi, 6, [2]), expected)


def test_chain_by_hand():
    """The middle first; the halves are then alike, and so are the two samples of an edge to a landmark.

    Beyond the middle, A = [[2 + a, -1], [-1, 1 + a]] in each half: C = [[1, 1], [1, 2]] but for a, with
    gains 2 and 5/2, so the ends; then what is between.
    """
    chain = dense_selection.laplacian(5, [(i, i + 1, 1.0) for i in range(4)])
    assert choose(chain, 5, alpha=1e-6).tolist() == [2, 0, 4, 1, 3]


def test_with_hardly_a_prior_it_is_the_gaussian_field():
    phi = tp.laplacian(tp.neighbor_graph(np.random.default_rng(5).random((80, 2)), 6))
    dense = tp.select(phi, 20, method="gaussian_field")
    assert_array_equal(choose(phi, 20, alpha=1e-6), dense)
