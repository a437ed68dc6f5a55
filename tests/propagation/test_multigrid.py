"""Multigrid on groups of groups: levels by their definition, symmetric cycles, columns that stand alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import trigpoint as tp
from reference import graphs
from reference import propagation as oracle
from trigpoint._kernels.cycles import steps
from trigpoint.propagation import _hierarchy, _multigrid, solve
from trigpoint.propagation._hierarchy import hierarchy
from trigpoint.propagation._multigrid import _block, _cycle, amg_cg, prepare


def plane(n, seed=0, K=8):
    return tp.laplacian(tp.neighbor_graph(np.random.default_rng(seed).random((n, 2)), K))


def grounded(phi, landmarks):
    """phi without the rows of landmarks."""
    rest = np.setdiff1d(np.arange(phi.shape[0]), landmarks)
    return phi[rest][:, rest]


def small_levels(monkeypatch, last=12):
    monkeypatch.setattr(_hierarchy, "LAST", last)


def test_levels_are_those_of_the_definition(monkeypatch):
    small_levels(monkeypatch)
    A = grounded(plane(900), [3, 400, 800])
    found = hierarchy(A)
    assert len(found.levels) > 2
    assert sorted(found.order.tolist()) == list(range(A.shape[0]))
    np.testing.assert_array_equal(found.A.toarray(), A.toarray()[np.ix_(found.order, found.order)])
    unit, dense = np.median(A.diagonal()), found.A.toarray()
    for level in found.levels:
        n = len(level.inverse)
        here = sparse.csr_array((level.data, level.indices, level.indptr), shape=(n, n)).toarray()
        np.testing.assert_allclose(unit * here, dense, atol=1e-5 * unit)
        np.testing.assert_allclose(level.inverse, unit / dense.diagonal(), rtol=1e-5)
        assert (np.diff(level.owner) >= 0).all()  # groups are ranges of rows
        if len(level.owner):
            P = np.eye(level.owner.max() + 1)[level.owner]
            dense = P.T @ dense @ P
    np.testing.assert_allclose(found.inverse / unit, np.linalg.inv(dense), rtol=1e-3)


@pytest.mark.parametrize("scaled", [False, True])
def test_a_cycle_is_symmetric_and_positive_definite(monkeypatch, scaled):
    small_levels(monkeypatch)
    A = grounded(plane(150), [3, 70])
    s = np.random.default_rng(0).uniform(0.5, 2.0, A.shape[0]) if scaled else None
    system = prepare(A, s)
    n = A.shape[0]
    M = np.empty((n, n))
    for a in range(0, n, 4):
        some = np.arange(a, min(a + 4, n))
        R = np.zeros((n, len(some)))
        R[some, np.arange(len(some))] = 1.0
        block = _block(system, np.zeros((n, len(some))), R, np.ones(len(some)), np.arange(len(some)))
        single, Z = block.vectors[0][:2]
        _cycle(system.levels, steps(len(some)), block.vectors, 0, single, Z)
        M[np.ix_(system.levels.order, some)] = Z
    np.testing.assert_allclose(M, M.T, atol=1e-4 * np.abs(M).max())
    assert np.linalg.eigvalsh((M + M.T) / 2).min() > 0.0


def test_cycles_do_not_grow_with_the_pool():
    counts = []
    for side in (40, 80, 160):
        n = side * side
        edges = [(i, i + 1) for i in range(n) if (i + 1) % side] + [(i, i + side) for i in range(n - side)]
        phi = tp.laplacian(tp.graph_from_edges(edges))
        counts.append(solve(phi, [0, n - 1], [0.0, 1.0], solver="amg_cg").iterations)
    assert counts[-1] < 1.6 * counts[0]


@given(st.integers(0, 10_000), st.integers(2, 60), st.integers(1, 5), st.integers(1, 4))
def test_it_solves_what_the_oracle_does(seed, n, K, d):
    rng = np.random.default_rng(seed)
    lists = [
        [(int(j), float(10.0 ** rng.integers(-6, 7))) for j in rng.permutation(n)[:K] if j != i]
        for i in range(n)
    ]
    phi = tp.laplacian(graphs.from_lists(lists), "distance")
    landmarks = rng.permutation(n)[: rng.integers(1, n)]
    if len(np.unique(tp.propagation.reach(phi, landmarks).labels)) > 1:
        landmarks = np.concatenate([landmarks, np.setdiff1d(np.arange(n), landmarks)[: n // 2]])
    values = rng.standard_normal((len(landmarks), d))
    reached = tp.propagation.reach(phi, landmarks).reached
    if not reached.all():
        return
    A = grounded(phi, landmarks)
    if A.shape[0] == 0:
        return
    rest = np.setdiff1d(np.arange(n), landmarks)
    found = amg_cg(sparse.csr_array(A), -(phi[rest][:, landmarks] @ values), 1e-12)
    assert found.converged
    np.testing.assert_allclose(found.X, oracle.hard(phi, landmarks, values)[rest], atol=1e-5)


def test_columns_do_not_depend_on_those_beside_them(monkeypatch):
    small_levels(monkeypatch, 40)
    phi, landmarks = plane(2000), np.arange(0, 2000, 100)
    values = np.random.default_rng(0).standard_normal((20, 11))
    want = solve(phi, landmarks, values, solver="amg_cg")
    monkeypatch.setattr("joblib.cpu_count", lambda: 1)
    np.testing.assert_array_equal(solve(phi, landmarks, values, solver="amg_cg").values, want.values)
    alone = solve(phi, landmarks, values[:, 3], solver="amg_cg")
    np.testing.assert_array_equal(alone.values, want.values[:, 3])


def test_a_last_level_too_large_for_an_inverse_is_swept(monkeypatch):
    small_levels(monkeypatch, 40)
    monkeypatch.setattr(_hierarchy, "DENSE", 0)
    phi = plane(2000)
    found = solve(phi, [0, 1000], [0.0, 1.0], solver="amg_cg")
    want = solve(phi, [0, 1000], [0.0, 1.0], solver="direct")
    np.testing.assert_allclose(found.values, want.values, atol=1e-6)


def test_parts_and_lonely_groups_are_no_obstacle(monkeypatch):
    """Hundreds of pairs that no group can join, each with a landmark."""
    small_levels(monkeypatch, 5)
    phi = tp.laplacian(tp.graph_from_edges([(2 * i, 2 * i + 1) for i in range(400)]))
    found = solve(phi, np.arange(0, 800, 2), np.arange(400.0), solver="amg_cg")
    np.testing.assert_allclose(found.values, np.repeat(np.arange(400.0), 2), atol=1e-6)


def test_diagonals_out_of_reach_of_single_precision_are_left_to_others():
    A = sparse.csr_array(np.diag([1e-25, 1e25]))
    assert not amg_cg(A, np.ones((2, 1)), 1e-10).converged
    assert _multigrid.WIDE < 1e50


def test_it_begins_from_where_others_stand():
    A = grounded(plane(1500), [0, 700])
    B = np.random.default_rng(0).standard_normal((A.shape[0], 2))
    whole = amg_cg(A, B, 1e-10)
    again = amg_cg(A, B, 1e-10, X=whole.X)
    assert whole.converged
    assert again.converged
    assert again.iterations == 0
