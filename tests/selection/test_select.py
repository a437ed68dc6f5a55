import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import graph as graphs
from reference import selection as oracle

edge_lists = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.25, 0.5, 1.0])), max_size=20
)


def empty_phi(n):
    return sparse.csr_array((n, n))


@given(edge_lists, st.integers(0, 5))
def test_maxmin_geodesic_matches_the_definition(edges, seed):
    pairs, weights = [e[:2] for e in edges], [e[2] for e in edges]
    graph = tp.graph_from_edges(np.reshape(pairs, (-1, 2)), weights, n_nodes=10)
    picks = tp.select(empty_phi(10), 10, method="maxmin_geodesic", graph=graph, random_state=seed)
    W = graphs.similarity(pairs, weights, 10)
    lengths = [(i, j, 1 / W[i, j]) for i, j in np.argwhere(W > 0)]
    D = oracle.geodesics(10, lengths)
    assert picks[1:].tolist() == oracle.farthest(D, picks[:1], 9, graphs.components(W))
    later = tp.select(empty_phi(10), 6, graph=graph, initial=picks[:4])
    assert_array_equal(later, picks[4:], "a selection goes on where it stopped")


def test_duplicates_are_never_chosen_twice():
    graph = tp.neighbor_graph(np.zeros((6, 2)), 2)
    assert sorted(tp.select(empty_phi(6), 6, graph=graph, random_state=0)) == list(range(6))


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
        ({"n_landmarks": 1, "initial": [5]}, r"initial must lie in \[0, 4\] for 5 samples; got 5"),
        ({"n_landmarks": 1, "method": "best"}, "method must be one of 'auto', 'random'"),
        ({"n_landmarks": 1}, "graph must be given for method='auto'; got None"),
        ({"n_landmarks": 1, "graph": "wrong size"}, "graph must have 5 samples, as phi does; got 2"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    if "graph" in arguments:
        arguments = {**arguments, "graph": tp.graph_from_edges([[0, 1]])}
    with pytest.raises(ValueError, match=message):
        tp.select(empty_phi(5), **arguments)
