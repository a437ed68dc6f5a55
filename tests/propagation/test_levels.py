"""Levels of a graph: how far it reaches, and how wide it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse import csgraph

from reference import propagation as oracle
from trigpoint.propagation._levels import hops, walk, widths


@pytest.mark.parametrize(
    ("start", "far"), [([0], 9), ([5], 5), ([0, 9], 4), (range(10), 0), ([], 0), ([2, 3], 6)]
)
def test_hops_along_a_path(start, far):
    assert hops(oracle.path(10), np.array(list(start), dtype=np.int64)) == far


def test_out_of_reach_does_not_count():
    assert hops(oracle.laplacian(np.zeros((4, 4))), np.array([0])) == 0


@given(st.integers(1, 30), st.integers(0, 1000), st.floats(0.0, 0.3), st.data())
def test_levels_are_distances(n, seed, density, data):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.random((n, n)) < density, 1).astype(float)
    phi = oracle.laplacian(W + W.T)
    start = np.array(sorted(data.draw(st.sets(st.integers(0, n - 1)))), dtype=np.int64)
    order, level = walk(phi, start)
    away = np.full(n, np.inf)
    if len(start):
        away = csgraph.shortest_path(W + W.T, unweighted=True, indices=start).min(axis=0)
    assert sorted(order) == np.flatnonzero(np.isfinite(away)).tolist()
    np.testing.assert_array_equal(level, away[order])


@given(st.integers(1, 30), st.integers(0, 1000), st.floats(0.0, 0.3))
def test_widths_count_everybody_once(n, seed, density):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.random((n, n)) < density, 1).astype(float)
    assert widths(oracle.laplacian(W + W.T)).sum() == n


def test_widths_of_known_graphs():
    assert widths(oracle.path(50)).tolist() == [1.0] * 50
    line, eye = oracle.path(6), sparse.eye_array(6)
    grid = sparse.csr_array(sparse.kron(line, eye) + sparse.kron(eye, line))
    assert sorted(widths(grid)) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6], "its diagonals, from a corner"
    assert sorted(widths(oracle.laplacian(np.ones((5, 5)) - np.eye(5)))) == [1, 4]
    pair = sparse.block_diag([oracle.path(7), oracle.path(3)], format="csr")
    assert widths(sparse.csr_array(pair)).tolist() == [1.0] * 10, "each component has levels of its own"
