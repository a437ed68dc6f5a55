import numpy as np
import pytest

from reference import graphs
from trigpoint import alignment

X = np.random.default_rng(0).normal(size=(12, 3))
GRAPH = graphs.knn(X, 5)
CALLS = {
    "laplacian": lambda graph, X: alignment.laplacian(graph),
    "degrees": lambda graph, X: alignment.degrees(graph),
    "diffusion": lambda graph, X: alignment.diffusion(graph),
    "lle": lambda graph, X: alignment.lle(graph, X),
    "ltsa": lambda graph, X: alignment.ltsa(graph, X, 2),
    "isomap": lambda graph, X: alignment.isomap(graph, 2),
}


def test_every_public_name_is_covered_here():
    assert sorted(CALLS) == sorted([*alignment.ALIGNMENTS, "degrees"])


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("graph", [np.eye(12), None, GRAPH.lengths()], ids=["array", "None", "sparse"])
def test_only_a_neighbor_graph_is_a_graph(name, graph):
    with pytest.raises(TypeError, match=rf"graph must be a NeighborGraph .*; got {type(graph).__name__}"):
        CALLS[name](graph, X)


@pytest.mark.parametrize("name", ["lle", "ltsa"])
def test_features_must_belong_to_the_graph(name):
    with pytest.raises(
        ValueError, match="X must have one row for each of the graph's 12 samples; got 11 rows"
    ):
        CALLS[name](GRAPH, X[:-1])
    with pytest.raises(ValueError, match="X must be two-dimensional"):
        CALLS[name](GRAPH, X[:, 0])
    bad = X.copy()
    bad[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"X must hold finite numbers only; got 1 .*\(3, 1\)"):
        CALLS[name](GRAPH, bad)
