"""Components by union-find are those of scipy, with the same numbers."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.sparse import coo_array, csgraph, csr_array

from trigpoint._kernels.union_find import connected, mark_touched


def lists(n, edges):
    rows, cols = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    order = np.argsort(rows, kind="stable")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
    return indptr, cols[order].astype(np.int32)


def by_scipy(n, edges):
    rows, cols = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    links = coo_array((np.ones(len(rows)), (rows, cols)), shape=(n, n))
    return csgraph.connected_components(csr_array(links), directed=False)[1]


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 30))
    node = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(node, node), max_size=40))


@given(graphs())
def test_components_and_their_numbers_are_those_of_scipy(graph):
    n, edges = graph
    found = connected(*lists(n, edges))
    assert found.dtype == np.int32
    assert_array_equal(found, by_scipy(n, edges))


def test_a_path_from_the_last_sample_to_the_first():
    n = 10_000
    edges = [(i, i - 1) for i in range(n - 1, 0, -1)]
    assert_array_equal(connected(*lists(n, edges)), np.zeros(n))
    assert_array_equal(connected(*lists(n, edges[::2])), np.repeat(np.arange(n // 2), 2))


@given(graphs())
def test_touched_samples_have_an_edge(graph):
    n, edges = graph
    touched = np.zeros(n, dtype=bool)
    mark_touched(*lists(n, edges), touched)
    assert_array_equal(np.flatnonzero(touched), sorted({i for edge in edges for i in edge}))


@pytest.mark.parametrize("part", ["components", "isolated"])
def test_memory_does_not_depend_on_the_number_of_edges(part):
    import trigpoint as tp

    n, k = 2000, 200
    indices = np.random.default_rng(0).integers(0, n, n * k).astype(np.int32)
    graph = tp.NeighborGraph(np.arange(n + 1) * k, indices, np.ones(n * k))
    getattr(tp.NeighborGraph(np.arange(3), np.array([1, 0], np.int32), np.ones(2)), part)  # compiles
    tracemalloc.start()
    try:
        getattr(graph, part)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000  # the indices take 1,600,000 bytes
