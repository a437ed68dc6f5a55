"""Graphs of networkx and igraph."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference.graph import similarity

nx = pytest.importorskip("networkx")
ig = pytest.importorskip("igraph")


def dense(graph):
    n = graph.n_samples
    return sparse.csr_array((graph.similarities, graph.indices, graph.indptr), shape=(n, n)).toarray()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("multi", [False, True])
def test_the_rules_of_edge_lists(weighted, directed, multi):
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, 9, size=(30, 2))
    if not directed:
        pairs = np.sort(pairs, axis=1)
    if not multi:
        pairs = np.unique(pairs, axis=0)
    weights = rng.integers(1, 9, len(pairs)).astype(float) if weighted else None
    kinds = {
        (False, False): nx.Graph,
        (True, False): nx.DiGraph,
        (False, True): nx.MultiGraph,
        (True, True): nx.MultiDiGraph,
    }
    graph = kinds[directed, multi]()
    graph.add_nodes_from(range(9))
    for k, (a, b) in enumerate(pairs.tolist()):
        graph.add_edge(a, b, **({"weight": weights[k]} if weighted else {}))
    truth = similarity(pairs, weights, 9)
    assert_array_equal(dense(tp.graph_from_edges(graph)), truth)
    other = ig.Graph(9, pairs.tolist(), directed=directed)
    if weighted:
        other.es["weight"] = weights.tolist()
    assert_array_equal(dense(tp.graph_from_edges(other)), truth)


def test_nodes_keep_their_order_and_read_pool_their_names():
    graph = nx.Graph([("z", "a"), ("a", 3)])
    graph.add_node("alone")
    samples = tp.read_pool(graph)
    assert samples.ids.tolist() == ["z", "a", "3", "alone"]
    assert samples.kind == "graph"
    assert_array_equal(dense(samples.graph), dense(tp.graph_from_edges(graph)))
    assert samples.graph.isolated.tolist() == [3]
    named = ig.Graph([(0, 1)], vertex_attrs={"name": ["x", "y"]})
    assert tp.read_pool(named).ids.tolist() == ["x", "y"]
    assert tp.read_pool(named).fingerprint != samples.fingerprint


def test_edges_without_a_weight_weigh_one():
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=3)
    graph.add_edge(1, 2)
    assert_array_equal(dense(tp.graph_from_edges(graph)), [[0, 3, 0], [3, 0, 1], [0, 1, 0]])


def test_a_learner_on_a_graph():
    graph = nx.karate_club_graph()
    clf = tp.ActiveLearner(graph=tp.graph_from_edges(graph), audit=0.0)
    asked = clf.ask(2)
    clf.tell(asked, [graph.nodes[int(i)]["club"] for i in asked])
    assert len(clf.predict()) == 34


@pytest.mark.parametrize(
    ("edge", "message"),
    [
        ({"weight": -1}, "edges: weights must be similarities of at least 0; got -1"),
        ({"weight": "heavy"}, "edges must have numbers as weights; got 'heavy'"),
        ({"weight": np.inf}, "edges: weights must hold finite numbers"),
    ],
)
def test_bad_weights(edge, message):
    graph = nx.Graph()
    graph.add_edge(0, 1, **edge)
    with pytest.raises(ValueError, match=message):
        tp.graph_from_edges(graph)


def test_what_else_is_refused():
    with pytest.raises(ValueError, match="edges must be a graph with nodes"):
        tp.graph_from_edges(nx.Graph())
    with pytest.raises(ValueError, match="edges must have nodes that differ as text; got 1 that do not"):
        tp.graph_from_edges(nx.Graph([(1, "1")]))
    with pytest.raises(ValueError, match="weights must be None if edges is a graph"):
        tp.graph_from_edges(nx.path_graph(3), weights=[1, 2])
    with pytest.raises(
        ValueError, match="n_nodes must be an integer and be at least 3 for this graph; got 2"
    ):
        tp.graph_from_edges(nx.path_graph(3), n_nodes=2)
    assert tp.graph_from_edges(nx.path_graph(3), n_nodes=5).n_samples == 5
    with pytest.raises(ValueError, match="key has no meaning"):
        tp.read_pool(nx.path_graph(3), key="x")
