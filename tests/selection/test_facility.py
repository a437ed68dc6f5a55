import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import learner as oracle
from trigpoint.selection._resolvent import ALPHA, resolvent_correlations


def plane(n=120, seed=0):
    X = np.random.default_rng(seed).random((n, 2))
    graph = tp.neighbor_graph(X, 6)
    return X, graph, tp.laplacian(graph)


def test_picks_are_those_of_the_full_search():
    _, graph, phi = plane()
    S = resolvent_correlations(phi).toarray()
    flat = np.ones(120)
    expected = oracle.cover(S, flat, np.zeros(120), range(120), flat, 40)
    assert tp.select(phi, 40, graph=graph).tolist() == expected
    assert tp.select(phi, 40, method="facility").tolist() == expected, "phi is the Laplacian of the graph"


def test_it_reaches_the_guarantee_of_greedy_coverage():
    """Against the best of all pairs, on exact correlations."""
    _, _, phi = plane(40)
    S = oracle.correlations(phi.toarray(), ALPHA)
    picks = tp.select(phi, 2, method="facility")
    best = max(np.maximum(S[i], S[j]).sum() for i in range(40) for j in range(i))
    assert np.maximum(*S[picks]).sum() > (1 - 1 / np.e) * best


def test_nested_continued_and_apart_from_what_is_there():
    _, graph, phi = plane()
    picks = tp.select(phi, 30, graph=graph)
    assert_array_equal(tp.select(phi, 12, graph=graph), picks[:12])
    assert_array_equal(tp.select(phi, 18, graph=graph, initial=picks[:12]), picks[12:])
    assert len(set(tp.select(phi, 120, graph=graph))) == 120


def test_every_part_of_the_pool_gets_its_share():
    X = np.concatenate([np.random.default_rng(k).normal(50 * k, 1, (30, 2)) for k in range(4)])
    graph = tp.neighbor_graph(X, 5)
    assert sorted(tp.select(tp.laplacian(graph), 4, graph=graph) // 30) == [0, 1, 2, 3]


def test_other_matrices_lend_their_pattern_and_dense_ones_need_the_graph():
    X, graph, _ = plane()
    phi = tp.ltsa(X, graph, 1)
    assert len(set(tp.select(phi, 20))) == 20
    with pytest.raises(
        ValueError, match="graph must be given for method='auto' where phi is dense; got None"
    ):
        tp.select(phi.toarray(), 20)
    assert_array_equal(tp.select(phi.toarray(), 20, graph=graph), tp.select(phi, 20, graph=graph))


def test_isolated_samples_and_pools_of_one():
    assert tp.select(sparse.csr_array((3, 3)), 3).tolist() == [0, 1, 2]
    assert tp.select(sparse.csr_array((1, 1)), 1).tolist() == [0]
