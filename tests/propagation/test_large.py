"""Compiled code for large systems against what small ones get."""

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse import csgraph

import trigpoint as tp
from reference import graphs
from trigpoint.propagation import _conjugate, _levels, _reach, _structure, solve
from trigpoint.propagation._conjugate import jacobi_cg, sgs_cg
from trigpoint.propagation._levels import parts, walk, widths
from trigpoint.propagation._reach import reach
from trigpoint.propagation._structure import is_dominant, is_laplacian_like, principal


@st.composite
def symmetric(draw):
    """Patterns of a few samples, in several parts, entries of very different sizes, some stored zeros."""
    n = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    W = np.triu(rng.random((n, n)) < draw(st.sampled_from([0.05, 0.2, 0.6])), 1)
    W = W * rng.choice([1.0, 1e-3, 1e-14, 1e-20, 0.0], size=(n, n))
    W = W + W.T
    phi = sparse.csr_array(np.diag(W.sum(axis=1)) - W)
    return phi, rng.permutation(n)[: draw(st.integers(1, n))]


@pytest.fixture
def all_large(monkeypatch):
    for module in (_conjugate, _levels, _reach, _structure):
        monkeypatch.setattr(module, "COMPILED", 0)


@given(symmetric())
def test_reach_parts_and_walks_are_those_of_small_pools(case):
    phi, landmarks = case
    small, walked, width = reach(phi, landmarks), walk(phi, landmarks), widths(phi)
    with pytest.MonkeyPatch.context() as patch:
        for module in (_levels, _reach):
            patch.setattr(module, "COMPILED", 0)
        large = reach(phi, landmarks)
        for found, expected in zip(walk(phi, landmarks), walked, strict=True):
            np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(np.sort(widths(phi)), np.sort(width))
    np.testing.assert_array_equal(large.labels, small.labels)
    np.testing.assert_array_equal(large.reached, small.reached)
    assert large.n_missed == small.n_missed
    count, labels = csgraph.connected_components(phi, directed=False)
    assert parts(phi)[0] == count
    np.testing.assert_array_equal(parts(phi)[1], labels)


@given(symmetric(), st.booleans())
@pytest.mark.usefixtures("all_large")
def test_rows_and_columns_in_another_order(case, some):
    phi, samples = case
    samples = samples if some else np.random.default_rng(0).permutation(phi.shape[0])
    found = principal(phi, samples)
    np.testing.assert_array_equal(found.toarray(), phi.toarray()[np.ix_(samples, samples)])
    assert found.has_canonical_format


@pytest.mark.usefixtures("all_large")
def test_long_rows_are_sorted_too():
    star = sparse.csr_array(np.eye(300) * 299.0)
    star = sparse.csr_array(
        star + sparse.csr_array((np.full(299, -1.0), (np.zeros(299, int), range(1, 300))), (300, 300))
    )
    order = np.random.default_rng(0).permutation(300)
    found = principal(star, order)
    assert found.has_canonical_format
    np.testing.assert_array_equal(found.toarray(), star.toarray()[np.ix_(order, order)])


def test_signs_and_sums_are_seen_in_every_block(monkeypatch):
    monkeypatch.setattr(_structure, "BLOCK", 7)
    phi = tp.laplacian(graphs.knn(np.random.default_rng(0).normal(size=(60, 3)), 5))
    assert is_laplacian_like(phi)
    assert is_dominant(phi)
    for row in (0, 31, 59):
        bad = phi.tolil()
        other = (row + 30) % 60
        bad[row, other] = 1e-3
        assert not is_laplacian_like(sparse.csr_array(bad))
        assert not is_dominant(sparse.csr_array(bad))


def system(n=900, K=8, seed=0):
    phi = tp.laplacian(graphs.knn(np.random.default_rng(seed).normal(size=(n, 3)), K))
    rest = np.arange(25, n)
    return phi[rest][:, rest], np.random.default_rng(1).standard_normal((n - 25, 5))


def test_sweeps_reach_the_solution_in_fewer_iterations():
    A, B = system()
    plain, swept = jacobi_cg(A, B, 1e-12), sgs_cg(A, B, 1e-12)
    assert swept.converged
    assert swept.residuals.max() <= 1e-12
    assert swept.iterations < 0.6 * plain.iterations
    np.testing.assert_allclose(swept.X, np.linalg.solve(A.toarray(), B), rtol=1e-8, atol=1e-9)


def test_sweeps_go_on_from_any_start_and_each_column_to_its_own_goal():
    A, B = system(seed=2)
    part = sgs_cg(A, B, 1e-10, max_iterations=13, leg=13)
    assert not part.converged
    assert part.iterations == 13
    rest = sgs_cg(A, B, 1e-10, X=part.X)
    assert rest.converged
    loose = sgs_cg(A, B, np.array([1e-12, 1e-2, 1e-12, 1e-12, 1e-12]))
    assert loose.residuals[1] > 1e-6
    assert loose.residuals.max() <= 1e-2
    np.testing.assert_array_equal(loose.X[:, 0], sgs_cg(A, B[:, :1], 1e-12).X[:, 0])


@pytest.mark.parametrize("alignment", ["ltsa", "lle"])
def test_sweeps_solve_matrices_of_fourth_order(alignment):
    X = np.random.default_rng(3).random((400, 2))
    graph = tp.neighbor_graph(X, 10)
    phi = tp.alignment.align(alignment, graph, X, **({"n_components": 2} if alignment == "ltsa" else {}))
    z = tp.propagate(phi, np.arange(40), X[:40], solver="sgs_cg")
    np.testing.assert_allclose(z, tp.propagate(phi, np.arange(40), X[:40], solver="direct"), atol=1e-6)


@pytest.mark.usefixtures("all_large")
def test_the_same_numbers_for_any_number_of_threads_and_read_only_arrays(monkeypatch):
    phi = tp.laplacian(graphs.knn(np.random.default_rng(4).normal(size=(1500, 6)), 12))
    values = np.random.default_rng(5).random((30, 6))
    want = solve(phi, np.arange(30), values, solver="sgs_cg")
    for array in (phi.data, phi.indices, phi.indptr):
        array.flags.writeable = False
    for cores in (1, 3):
        monkeypatch.setattr(joblib, "cpu_count", lambda *_, cores=cores: cores)
        found = solve(phi, np.arange(30), values, solver="sgs_cg")
        np.testing.assert_array_equal(found.values, want.values)
    third = solve(phi, np.arange(30), values[:, 3], solver="sgs_cg")
    np.testing.assert_array_equal(third.values, want.values[:, 3])
