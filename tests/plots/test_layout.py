import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.spatial import cKDTree

import trigpoint as tp
from trigpoint.plots import _layout, map_coordinates


def share_of_neighbors_of_the_same_class(Y, labels, k=5):
    near = cKDTree(Y).query(Y, k + 1)[1][:, 1:]
    return (labels[near] == labels[:, None]).mean()


def test_digits_stay_together():
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    Y = map_coordinates(tp.neighbor_graph(X, 10))
    assert share_of_neighbors_of_the_same_class(Y, y) > 0.95
    assert np.abs(Y.mean(axis=0)).max() < 1e-9


def test_the_layout_can_be_watched():
    graph = tp.neighbor_graph(np.random.default_rng(0).random((300, 3)), 6)
    seen = []
    Y = map_coordinates(graph, lambda share, Y: seen.append((share, Y)))
    shares = [share for share, _ in seen]
    assert len(shares) == (_layout.EARLY + _layout.LATE) // _layout.OFTEN
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert all(Y.shape == (300, 2) for _, Y in seen)
    assert_array_equal(seen[-1][1], Y)
    assert_array_equal(map_coordinates(graph), Y, "watching changes nothing")


@pytest.mark.parametrize(
    ("n", "seed", "large"), [(400, 0, 400), (400, 1, 400), (400, 2, 400), (2000, 0, 200)]
)
def test_all_pictures_lie_the_same_way_round(n, seed, large, monkeypatch):
    """The turn, or the mirror, that brings a picture nearest to the last one leaves it about as it is."""
    monkeypatch.setattr(_layout, "LARGE", large)
    rng = np.random.default_rng(seed)
    seen = []
    X = 5 * np.eye(4)[rng.integers(0, 4, n)] + rng.standard_normal((n, 4))
    last = map_coordinates(tp.neighbor_graph(X, 8), lambda _, Y: seen.append(Y))
    for Y in seen:
        left, _, right = np.linalg.svd(Y.T @ last)
        assert np.trace(left @ right) > 2 * np.cos(np.radians(20))


def test_neighbors_are_near_whatever_the_order_of_the_samples():
    """The samples of a ring, shuffled: the map must give each the place of its own."""
    order = np.random.default_rng(0).permutation(400)
    Y = map_coordinates(tp.graph_from_edges(np.column_stack([order, np.roll(order, 1)])))
    steps = np.linalg.norm(Y[order] - Y[np.roll(order, 1)], axis=1)
    assert np.median(steps) < 0.05 * np.ptp(Y[:, 0])


@pytest.mark.slow
def test_large_pools_are_laid_out_by_cells_first(monkeypatch):
    from sklearn.datasets import load_digits

    monkeypatch.setattr(_layout, "LARGE", 500)
    X, y = load_digits(return_X_y=True)
    shares = []
    Y = map_coordinates(tp.neighbor_graph(X, 10), lambda share, _: shares.append(share))
    assert share_of_neighbors_of_the_same_class(Y, y) > 0.9
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    lonely = map_coordinates(tp.graph_from_edges(np.array([[0, 1], [2, 3]]), n_nodes=600))
    assert np.isfinite(lonely).all()
    assert len(np.unique(lonely.round(6), axis=0)) == 600


def test_cells_are_those_of_the_nearest_centers():
    """A path of 60 samples, which knows neighbors of neighbors: two places are one step."""
    P = _layout._affinities(tp.graph_from_edges([[i, i + 1] for i in range(59)]))
    owner, coarse = _layout._cells(P)
    centers = np.sort(np.random.default_rng(0).permutation(60)[: 60 // _layout.MEMBERS])
    steps = (np.abs(np.arange(60)[:, None] - centers) + 1) // 2
    assert_array_equal(steps[np.arange(60), owner], steps.min(axis=1))
    assert coarse.shape == (3, 3)
    assert abs(coarse.sum() - 1) < 1e-12
    assert_array_equal(coarse.diagonal(), 0)
    assert_array_equal(
        coarse.toarray() > 0, [[False, True, False], [True, False, True], [False, True, False]]
    )


def test_equal_graphs_give_equal_maps():
    graph = tp.neighbor_graph(np.random.default_rng(0).random((300, 3)), 6)
    assert_array_equal(map_coordinates(graph), map_coordinates(graph))


def test_the_parts_of_a_disconnected_graph_stay_apart_and_in_the_picture():
    rng = np.random.default_rng(0)
    part = np.repeat(np.arange(8), 40)
    X = 100.0 * rng.permutation(np.eye(8))[part] + rng.standard_normal((320, 8))
    graph = tp.neighbor_graph(X, 5)
    Y = map_coordinates(graph)
    assert share_of_neighbors_of_the_same_class(Y, graph.components) > 0.98
    assert np.abs(Y).max() < 10 * np.abs(Y).std()


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_tiny_pools(n):
    graph = tp.graph_from_edges([[i, i + 1] for i in range(n - 1)], n_nodes=n)
    Y = map_coordinates(graph)
    assert Y.shape == (n, 2)
    assert np.isfinite(Y).all()
    assert len(np.unique(Y.round(6), axis=0)) == n
    assert np.abs(Y).max() < 100


@pytest.mark.parametrize(
    "edges",
    [np.empty((0, 2), dtype=int), [[0, 1], [2, 3]], [[0, i] for i in range(1, 60)]],
    ids=["no edge", "two pairs", "a star"],
)
def test_odd_graphs_have_a_map(edges):
    Y = map_coordinates(tp.graph_from_edges(edges, n_nodes=60))
    assert Y.shape == (60, 2)
    assert np.abs(Y).max() < 1000
    assert len(np.unique(Y.round(6), axis=0)) == 60


@pytest.mark.parametrize(("cell", "blur"), [(0.5, 0.25), (0.1, 0.02)])
def test_repulsion_tends_to_its_definition_as_the_grid_gets_finer(cell, blur, monkeypatch):
    monkeypatch.setattr(_layout, "CELL", cell)
    monkeypatch.setattr(_layout, "MOST_CELLS", 1024)
    Y = 12 * np.random.default_rng(0).standard_normal((200, 2))
    apart, q = pairs(Y)
    repulsion, Z = _layout._repulsion(Y)
    exact = (q[..., None] ** 2 * apart).sum(axis=1)
    assert np.linalg.norm(repulsion - exact) < blur * np.linalg.norm(exact)
    assert abs(Z - q.sum()) < blur * Z


def test_attraction_matches_its_definition():
    Y = 12 * np.random.default_rng(0).standard_normal((200, 2))
    apart, q = pairs(Y)
    P = _layout._affinities(tp.neighbor_graph(Y, 5))
    assert abs(P.sum() - 1) < 1e-12
    direct = ((P.toarray() * q)[..., None] * apart).sum(axis=1)
    np.testing.assert_allclose(_layout._attraction(Y, P), direct, atol=1e-12)


def pairs(Y):
    apart = Y[:, None] - Y  # (n, n, 2)
    return apart, 1 / (1 + (apart**2).sum(axis=2))


@pytest.mark.slow
def test_seventy_thousand_samples_are_laid_out():
    rng = np.random.default_rng(0)
    n = 70_000
    edges = np.column_stack(
        [np.repeat(np.arange(n), 10), (np.repeat(np.arange(n), 10) + rng.integers(1, 200, 10 * n)) % n]
    )
    graph = tp.graph_from_edges(edges, n_nodes=n)
    assert np.isfinite(map_coordinates(graph)).all()
