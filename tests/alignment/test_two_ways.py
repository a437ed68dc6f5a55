"""Rows of large graphs, block by block, against the whole matrix at once."""

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from reference import graphs
from trigpoint.alignment import _two_ways, _weights, edge_weights, laplacian
from trigpoint.alignment._two_ways import two_way_laplacian, two_way_weights
from trigpoint.alignment._weights import weighing_of, whole_weights
from trigpoint.graph import NeighborGraph

NAMES = ("self_tuning", "heat", "binary", "distance", "own")


def assert_same(found, expected):
    """To the last bit, columns ascending."""
    assert csr_array((found.data, found.indices, found.indptr), shape=found.shape).has_canonical_format
    assert found.indices.dtype == np.int32
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


@st.composite
def lists(draw):
    """Any lists: directions disagree, some are empty, distances and similarities are often 0."""
    n = draw(st.integers(1, 9))
    numbers = st.sampled_from([0.0, 0.5, 1.0, 3.0])
    rows, own = [], []
    for i in range(n):
        others = draw(st.lists(st.sampled_from([j for j in range(n) if j != i] or [-1]), unique=True))
        others = [j for j in others if j >= 0]
        rows.append(sorted((draw(numbers), j) for j in others))
        own += [draw(numbers) for _ in others]
    return graphs.from_lists([[(j, d) for d, j in row] for row in rows], own)


@pytest.fixture
def small_blocks(monkeypatch):
    """Several blocks even in small graphs."""
    monkeypatch.setattr(_two_ways, "ROWS", 2)
    monkeypatch.setattr(_weights, "BLOCK", 3)


@given(lists(), st.sampled_from(NAMES), st.booleans())
@pytest.mark.usefixtures("small_blocks")
@pytest.mark.filterwarnings("ignore:.*listed edges")
def test_any_lists_give_the_matrix_of_all_at_once(graph, name, normalized):
    weighing = weighing_of(graph, name, None, 2.0)
    assert_same(two_way_weights(graph, weighing), whole_weights(graph, weighing))
    expected = laplacian(graph, name, normalized=normalized, perplexity=2.0)
    assert_same(two_way_laplacian(graph, weighing, normalized), expected)


@pytest.mark.filterwarnings("ignore:.*listed edges")
def test_heat_that_is_lost_leaves_no_entry():
    graph = graphs.from_lists([[(1, 1.0), (2, 100.0)], [(0, 1.0)], [(0, 100.0)]])
    found = two_way_weights(graph, weighing_of(graph, "heat", 1.0, None))
    assert found.nnz == 2


@pytest.mark.parametrize("name", NAMES)
def test_a_list_of_more_than_255(name):
    """A hub that lists 600, of which 300 list it at another distance."""
    rng = np.random.default_rng(0)
    hub = sorted((float(d), j) for j, d in enumerate(rng.integers(1, 9, 600), start=1))
    leaves = [[(0, 3.0)] if j % 2 else [(j % 600 + 1, 2.0)] for j in range(1, 601)]
    graph = graphs.from_lists([[(j, d) for d, j in hub], *leaves], list(rng.random(1200)))
    weighing = weighing_of(graph, name, None, 5.0)
    assert_same(two_way_weights(graph, weighing), whole_weights(graph, weighing))


@pytest.mark.parametrize("normalized", [False, True])
def test_large_graphs_mapped_from_files_give_the_same_on_any_number_of_threads(
    tmp_path, monkeypatch, normalized
):
    rng = np.random.default_rng(1)
    graph = graphs.knn(rng.normal(size=(700, 3)), 9)
    expected = laplacian(graph, normalized=normalized)
    mapped = []
    for name in ("indptr", "indices", "distances"):
        np.save(tmp_path / f"{name}.npy", getattr(graph, name))
        mapped.append(np.load(tmp_path / f"{name}.npy", mmap_mode="r"))
    monkeypatch.setattr(_weights, "COMPILED", 1)
    monkeypatch.setattr(_two_ways, "ROWS", 50)
    for cores in (1, 3):
        monkeypatch.setattr(joblib, "cpu_count", lambda *_, cores=cores: cores)
        assert_same(laplacian(NeighborGraph(*mapped), normalized=normalized), expected)
    assert_same(edge_weights(NeighborGraph(*mapped)), edge_weights(graph))


def test_the_arrays_may_be_maps_of_files(tmp_path):
    graph = graphs.knn(np.random.default_rng(2).normal(size=(80, 3)), 5)
    made = {}

    def make(name, size, dtype):
        made[name] = np.lib.format.open_memmap(tmp_path / f"{name}.npy", "w+", dtype, (size,))
        return made[name]

    phi = two_way_laplacian(graph, weighing_of(graph, "auto", None, 5.0), False, make)
    assert_same(phi, laplacian(graph))
    assert np.shares_memory(phi.data, made["data"])
    assert np.shares_memory(phi.indices, made["indices"])
    made["data"].flush()
    np.testing.assert_array_equal(np.load(tmp_path / "data.npy"), phi.data)
