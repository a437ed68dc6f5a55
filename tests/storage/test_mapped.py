"""What is computed from mapped graphs and matrices is the same, and copies no more than from memory."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import trigpoint as tp

N, K = 3000, 15
ENTRIES = 8 * N * K  # bytes of the distances
picks = np.arange(0, N, 60)
values = np.sin(picks / 300)


@pytest.fixture(scope="module")
def pool():
    return np.random.default_rng(0).normal(size=(N, 6)).astype(np.float32)


@pytest.fixture(scope="module")
def both(pool, tmp_path_factory):
    """The graph and its matrix in memory, and mapped."""
    folder = tmp_path_factory.mktemp("stored")
    graph = tp.neighbor_graph(pool, K)
    phi = tp.laplacian(graph)
    tp.save_graph(folder / "graph", graph)
    tp.save_alignment(folder / "phi", phi)
    return (graph, phi), (tp.open_graph(folder / "graph"), tp.open_alignment(folder / "phi"))


CALLS = {
    "laplacian": lambda graph, phi, X: tp.laplacian(graph).data,
    "lle": lambda graph, phi, X: tp.lle(graph, X).data,
    "auto": lambda graph, phi, X: tp.select(phi, 30, graph=graph),
    "gcls": lambda graph, phi, X: tp.select(phi, 30, method="gcls"),
    "geodesic": lambda graph, phi, X: tp.select(phi, 30, graph=graph, method="maxmin_geodesic"),
    "propagate": lambda graph, phi, X: tp.propagate(phi, picks, values),
    "uncertainty": lambda graph, phi, X: tp.uncertainty(phi, picks),
    "extend": lambda graph, phi, X: tp.extend(graph, X, X[:5] + 1, np.arange(N) * 1.0),
    "grow": lambda graph, phi, X: tp.grow_graph(graph, X, X[:5] + 1).distances,
    "bound": lambda graph, phi, X: tp.landmark_bound(phi, picks).condition_number,
    "path": lambda graph, phi, X: tp.selection_path(phi, picks).bound_1,
    "learner": lambda graph, phi, X: tp.ActiveLearner(graph=graph, predictor="propagation").ask(5),
    "components": lambda graph, phi, X: (
        tp.NeighborGraph(graph.indptr, graph.indices, graph.distances).components
    ),
}


LONG = ("auto", "path")


def peak_of(call, *arguments):
    tracemalloc.start()
    try:
        found = call(*arguments)
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.slow) if one in LONG else one for one in CALLS]
)
def test_a_mapped_graph_is_as_good_and_costs_no_copy(name, both, pool):
    memory, mapped = both
    CALLS[name](*memory, pool)  # compiles, imports
    CALLS[name](*mapped, pool)
    expected, in_memory = peak_of(CALLS[name], *memory, pool)
    found, from_disk = peak_of(CALLS[name], *mapped, pool)
    if np.asarray(expected).dtype.kind == "i":
        assert_array_equal(found, expected)
    else:
        assert_allclose(found, expected, rtol=1e-9)
    assert from_disk < in_memory + ENTRIES / 8
