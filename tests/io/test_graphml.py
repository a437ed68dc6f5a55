import time

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from reference.files import GRAPHML
from trigpoint.io import read_pool


def dense(graph):
    n = graph.n_samples
    return sparse.csr_array((graph.similarities, graph.indices, graph.indptr), shape=(n, n)).toarray()


def read(tmp_path, text):
    (tmp_path / "x.graphml").write_text(text, encoding="utf-8")
    return read_pool(tmp_path / "x.graphml")


def test_nodes_edges_and_weights(tmp_path):
    samples = read(tmp_path, GRAPHML)
    assert samples.ids.tolist() == ["a", "b", "c", "alone"]
    W = np.zeros((4, 4))
    W[0, 1] = W[1, 0] = 2.5
    W[1, 2] = W[2, 1] = 1
    assert_array_equal(dense(samples.graph), W)
    assert samples.ids[samples.graph.isolated].tolist() == ["alone"]


@pytest.mark.parametrize("directed", [False, True])
def test_what_networkx_writes(tmp_path, directed):
    nx = pytest.importorskip("networkx")
    graph = nx.gnp_random_graph(20, 0.2, seed=1, directed=directed)
    for k, (a, b) in enumerate(graph.edges):
        graph[a][b]["weight"] = k + 0.5
    nx.write_graphml(graph, tmp_path / "x.graphml")
    samples = read_pool(tmp_path / "x.graphml")
    assert samples.ids.tolist() == [str(node) for node in graph]
    W = nx.to_numpy_array(graph)
    assert_array_equal(dense(samples.graph), np.maximum(W, W.T))


def test_what_igraph_writes(tmp_path):
    ig = pytest.importorskip("igraph")
    graph = ig.Graph([(0, 1), (1, 2)], edge_attrs={"weight": [2.0, 3.0]})
    graph.write_graphml(str(tmp_path / "x.graphml"))
    assert read_pool(tmp_path / "x.graphml").ids.tolist() == ["n0", "n1", "n2"]
    graph.vs["name"] = ["ann", "bob", "cy"]
    graph.write_graphml(str(tmp_path / "x.graphml"))
    samples = read_pool(tmp_path / "x.graphml")
    assert samples.ids.tolist() == ["ann", "bob", "cy"]
    assert dense(samples.graph)[1, 2] == 3
    graph.vs["name"] = ["ann", "bob", "ann"]  # not distinct: the ids hold
    graph.write_graphml(str(tmp_path / "x.graphml"))
    assert read_pool(tmp_path / "x.graphml").ids.tolist() == ["n0", "n1", "n2"]


LAUGHS = "".join(
    f'<!ENTITY l{k} "{"&l" + str(k - 1) + ";" if k else "ha"}{"&l" + str(k - 1) + ";" if k else "ha"}">'
    for k in range(60)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"<!DOCTYPE g [{LAUGHS}]><graphml>&l59;</graphml>", "must not declare a document type or entities"),
        (
            '<!DOCTYPE g SYSTEM "file:///etc/passwd"><graphml/>',
            "must not declare a document type or entities",
        ),
        ("<html></html>", "must be a"),
        ("<svg></svg>", "must be a GraphML file; got <svg>"),
        ("<graphml><graph/></graphml>", "must hold nodes; it holds none"),
        (GRAPHML.replace('<node id="c"/>', ""), "must list the nodes of all its edges; got 'c'"),
        (GRAPHML.replace('id="c"', 'id="a"'), "must have distinct nodes; got 'a' twice"),
        (GRAPHML.replace('id="c"', 'id=" "'), "must give every <node> a id"),
        (GRAPHML.replace('target="c"', ""), "must give every <edge> a target"),
        (GRAPHML.replace("2.5", "-2.5"), "edge 1, weight: must be a finite number of at least 0; got '-2.5'"),
        (GRAPHML.replace("2.5", "heavy"), "edge 1, weight: must be a finite number"),
        (
            GRAPHML.replace("<edge", "<hyperedge/><edge", 1),
            "must hold edges between two nodes; got a hyperedge",
        ),
        (
            GRAPHML.replace('<node id="c"/>', '<node id="c"><graph/></node>'),
            "must hold one graph; one lies in another",
        ),
        (GRAPHML[:-20], "must be a GraphML file, whole and undamaged"),
        (GRAPHML + "more", "must be a GraphML file, whole and undamaged"),
    ],
)
def test_bad_documents(tmp_path, text, message):
    start = time.process_time()
    with pytest.raises(ValueError, match=message) as caught:
        read(tmp_path, text)
    assert "x.graphml" in str(caught.value)
    assert time.process_time() - start < 60, "a bomb"
