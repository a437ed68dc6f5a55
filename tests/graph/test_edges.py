import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import graph as oracle
from trigpoint._errors import InputError

edge_lists = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=25)


def dense(graph):
    n = graph.n_samples
    return sparse.csr_array((graph.similarities, graph.indices, graph.indptr), shape=(n, n)).toarray()


@given(edge_lists, st.booleans(), st.data())
def test_edges_match_the_definition(edges, weighted, data):
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(edges), max_size=len(edges)))
    weights = [float(w) for w in weights] if weighted else None
    graph = tp.graph_from_edges(edges, weights, n_nodes=8)
    W = oracle.similarity(edges, weights, 8)
    assert_array_equal(dense(graph), W)
    assert_array_equal(graph.distances, 1 / graph.similarities)
    assert_array_equal(graph.isolated, np.flatnonzero(~W.any(axis=0)))
    labels = oracle.components(W)
    assert graph.n_components == labels.max() + 1
    assert_array_equal(graph.components[:, None] == graph.components, labels[:, None] == labels)


def test_a_sparse_matrix_of_similarities():
    W = np.array([[5.0, 2, 0], [1, 0, 0], [0, 0, 0]])
    graph = tp.graph_from_edges(sparse.csr_matrix(W))
    assert_array_equal(dense(graph), [[0, 2, 0], [2, 0, 0], [0, 0, 0]])
    assert graph.isolated.tolist() == [2]


def test_neighbors_come_nearest_first():
    graph = tp.graph_from_edges([[0, 1], [0, 2], [0, 3]], [1.0, 4.0, 2.0])
    assert graph.indices[:3].tolist() == [2, 3, 1]
    assert graph.distances[:3].tolist() == [0.25, 0.5, 1.0]


def test_no_edges_at_all():
    for none in (np.empty((0, 2)), []):
        graph = tp.graph_from_edges(none, n_nodes=3)
        assert graph.isolated.tolist() == [0, 1, 2]
        assert graph.n_components == 3


def test_whole_floats_are_sample_numbers():
    assert tp.graph_from_edges(np.array([[0.0, 1.0]])).n_samples == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 1, 2]],), r"edges must have shape \(m, 2\), .* got \(1, 3\)"),
        (([[0, -1]],), "edges must hold whole numbers from 0; got -1"),
        (([[0, 1.5]],), "edges must hold whole numbers from 0; got 1.5"),
        (([[0, np.nan]],), "edges must hold finite numbers only"),
        (([["a", "b"]],), "edges must hold real numbers; got dtype <U1"),
        (([[0, 1]], [1.0, 2.0]), r"weights must have shape \(1,\), one per edge; got \(2,\)"),
        (([[0, 1]], [-1.0]), "weights must be similarities of at least 0; got -1"),
        (([[0, 1]], [np.inf]), "weights must hold finite numbers only"),
        ((np.empty((0, 2)),), "n_nodes must be an integer and be at least 1"),
        ((sparse.csr_array(np.ones((2, 3))),), r"edges must be a square matrix, .* got shape \(2, 3\)"),
        ((sparse.csr_array([[0.0, -1.0], [1.0, 0.0]]),), "edges must be similarities of at least 0; got -1"),
        ((sparse.csr_array([[0.0, 1j], [1.0, 0.0]]),), "edges must hold real numbers; got dtype complex128"),
        (
            (sparse.coo_array([1.0, 2.0]),),
            r"edges must be two-dimensional; .* \(2,\)",
        ),
        (([[0, 5_000_000_000]],), r"edges must number samples below 2\^31 - 1, .* got 5000000000"),
        (([[0, 1]], [1e-310]), r"weights must be 0 or lie in \[1e-300, 1e300\]; got 1e-310"),
        (([[0, 1]], [1e308]), r"weights must be 0 or lie in \[1e-300, 1e300\]; got 1e\+308"),
        ((sparse.csr_array(np.ones((2, 2))), [1.0]), "weights must be None if edges is a sparse matrix"),
    ],
)
def test_bad_edges_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        tp.graph_from_edges(*arguments)


def test_too_few_nodes_are_refused():
    with pytest.raises(
        ValueError, match="n_nodes must be an integer and be at least 6 for these edges; got 3"
    ):
        tp.graph_from_edges([[0, 5]], n_nodes=3)
    with pytest.raises(ValueError, match=r"n_nodes must .* \[2, 2\] for this matrix; got 3"):
        tp.graph_from_edges(sparse.csr_array(np.ones((2, 2))), n_nodes=3)


def test_numbers_with_wide_gaps_are_refused_before_memory_is_taken():
    for edges in ([[0, 10**9]], [[5, 10**6]], [[0, 1], [2, 2 * 10**9]]):
        with pytest.raises(InputError, match=r"np.unique\(edges, return_inverse=True\)") as told:
            tp.graph_from_edges(edges)
        assert told.value.argument == "edges"
        assert told.value.value == np.max(edges)
    ids, again = np.unique([[7, 10**9], [10**9, 9]], return_inverse=True)
    assert tp.graph_from_edges(again).indices.tolist() == [2, 2, 0, 1]
    assert ids.tolist() == [7, 9, 10**9]


def test_sensible_gaps_and_the_callers_word_are_heeded():
    assert tp.graph_from_edges([[0, 999_999]]).n_samples == 10**6
    assert tp.graph_from_edges([[0, 10**6]], n_nodes=10**6 + 1).n_samples == 10**6 + 1
    many = 10 * np.arange(150_000)  # every tenth number
    assert tp.graph_from_edges(np.column_stack([many[:-1], many[1:]])).n_samples == 1_499_991
    with pytest.raises(InputError, match=r"n_nodes must be at most 2147483647, .* got 2147483648"):
        tp.graph_from_edges([[0, 1]], n_nodes=2**31)


def test_a_real_graph(data_folder):
    edges = np.loadtxt(data_folder / "facebook_pages" / "facebook_edges.csv", delimiter=",", skiprows=1)
    graph = tp.graph_from_edges(edges)
    loops = (edges[:, 0] == edges[:, 1]).sum()
    assert graph.n_samples == 22_470
    assert len(graph.indices) == 2 * (len(np.unique(np.sort(edges, axis=1), axis=0)) - loops)
    assert graph.n_components == 1
