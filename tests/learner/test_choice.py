import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import sparse

import trigpoint as tp
from reference import learner as oracle
from trigpoint._kernels.selection_push import cover
from trigpoint._kernels.tournament import new_trees
from trigpoint.selection._resolvent import resolvent_correlations


def swiss_laplacian(n, seed=0):
    rng = np.random.default_rng(seed)
    return tp.laplacian(tp.neighbor_graph(rng.random((n, 2)), 6))


def test_correlations_are_those_of_the_inverse():
    phi = swiss_laplacian(150)
    exact = oracle.correlations(phi.toarray(), 0.05)
    close = resolvent_correlations(phi, cutoff=1e-8).toarray()
    assert_allclose(close, exact, atol=2e-6)
    rough = resolvent_correlations(phi).toarray()
    assert np.abs(rough - exact).max() < 0.2
    assert_allclose(rough.diagonal(), 1.0, rtol=1e-6)
    assert (rough <= 1.0).all()


def test_weights_of_any_range_and_scale_come_to_an_end():
    ring = [[i, (i + 1) % 50] for i in range(50)]
    graph = tp.graph_from_edges(np.array([*ring, [50, 51]]), np.append(np.ones(50), 1e20))
    assert np.isfinite(resolvent_correlations(tp.laplacian(graph)).data).all()
    unit = tp.graph_from_edges(np.array(ring))
    expected = resolvent_correlations(tp.laplacian(unit)).toarray()
    for scale in (1e-100, 1e100):
        scaled = tp.graph_from_edges(np.array(ring), np.full(50, scale))
        assert_allclose(resolvent_correlations(tp.laplacian(scaled)).toarray(), expected, rtol=1e-5)


def test_correlations_of_isolated_samples_and_blocks(monkeypatch):
    lonely = resolvent_correlations(sparse.csr_array((4, 4)))
    assert_allclose(lonely.toarray(), np.eye(4))
    phi = swiss_laplacian(150)
    whole = resolvent_correlations(phi)
    monkeypatch.setattr("trigpoint.selection._resolvent.ROWS", 7)
    pieces = resolvent_correlations(phi)
    assert (whole != pieces).nnz == 0


@given(st.integers(0, 500), st.integers(1, 9))
def test_lazy_coverage_is_the_full_search(seed, count):
    """Small integers make gains exact and ties real."""
    rng = np.random.default_rng(seed)
    n = 9
    S = sparse.csr_array(rng.integers(0, 4, (n, n)) * (rng.random((n, n)) < 0.5) * 1.0)
    weights, best = rng.integers(0, 3, n) * 1.0, rng.integers(0, 3, n) * 1.0
    free = rng.random(n) < 0.8
    cost = rng.choice([1.0, 2.0], n)
    count = min(count, int(free.sum()))
    picks = np.empty(count, dtype=np.int64)
    expected = oracle.cover(S.toarray(), weights, best, np.flatnonzero(free), cost, count)
    arrays = S.indptr, S.indices, S.data.astype(np.float32)
    cover(*arrays, weights.copy(), best.copy(), free.copy(), cost, new_trees(n, 1), picks)
    assert picks.tolist() == expected
