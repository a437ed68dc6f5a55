import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from scipy.sparse import csgraph

import trigpoint as tp
from reference import selection as oracle
from trigpoint._kernels.selection_geodesic import close_in, traverse, undirected
from trigpoint.graph import NeighborGraph
from trigpoint.selection import _maxmin_geodesic as module

N = 12
exact = st.sampled_from([0.0, 0.25, 1.0, 1.0, 2.0, 3.0])  # sums without rounding, and real ties
rounded = st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.7, 1.1]) | st.floats(0, 10) | st.floats(1e-17, 1e-15)
pairs = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)).filter(lambda p: p[0] != p[1])
starts = st.lists(st.integers(0, N - 1), unique=True, min_size=1, max_size=5)


def entries(lengths, max_size=3 * N):
    """Directed lists; both directions of a pair may be there, with different lengths."""
    return st.dictionaries(pairs, lengths, max_size=max_size)


def record(found, n=N):
    """The neighbor graph that lists just these entries."""
    rows = [sorted((d, j) for (i, j), d in found.items() if i == row) for row in range(n)]
    flat = list(itertools.chain.from_iterable(rows))
    indptr = np.cumsum([0, *map(len, rows)])
    return NeighborGraph(indptr, np.array([j for _, j in flat], np.int32), np.array([d for d, _ in flat]))


def definition(found, taken, n_landmarks):
    D = oracle.geodesics(N, [(*pair, d) for pair, d in found.items()])
    return oracle.farthest(D, taken, n_landmarks, np.isfinite(D).argmax(axis=0))


def choose(graph, n_landmarks, **options):
    n = graph.n_samples
    phi = sparse.csr_array((n, n))
    return tp.select(phi, n_landmarks, method="maxmin_geodesic", graph=graph, **options)


def test_a_path_by_hand():
    """0 -1- 1 -1- 2 -1- 3 -1- 4, apart from it 5 -9- 6, and 7 alone."""
    graph = record({(0, 1): 1.0, (2, 1): 1.0, (2, 3): 1.0, (4, 3): 1.0, (6, 5): 9.0}, 8)
    assert choose(graph, 7, initial=[1]).tolist() == [5, 7, 6, 4, 0, 2, 3]
    assert choose(graph, 5, initial=[7, 4, 6]).tolist() == [5, 0, 2, 1, 3]


@given(entries(exact), starts)
def test_picks_match_the_definition(found, initial):
    free = N - len(initial)
    picks = choose(record(found), free, initial=initial)
    assert picks.tolist() == definition(found, initial, free)


@given(entries(rounded), starts)
def test_picks_match_full_searches_to_the_last_bit(found, initial):
    graph = record(found)
    free = N - len(initial)
    expected = oracle.farthest_by_searches(graph.lengths(), initial, free, graph.components)
    assert choose(graph, free, initial=initial).tolist() == expected


@given(entries(exact), st.integers(0, 5))
def test_a_selection_is_nested_and_goes_on_where_it_stopped(found, seed):
    graph = record(found)
    picks = choose(graph, N, random_state=seed)
    assert sorted(picks) == list(range(N))
    assert picks[1:].tolist() == definition(found, picks[:1], N - 1)
    for k in (1, 2, 5):
        assert_array_equal(choose(graph, k, random_state=seed), picks[:k])
        assert_array_equal(choose(graph, N - k, initial=picks[:k]), picks[k:])


@pytest.mark.parametrize("kind", ["surface", "grid", "copies", "clusters", "edges"])
def test_larger_pools_match_full_searches(kind):
    rng = np.random.default_rng(0)
    n = 2000
    if kind == "edges":
        graph = tp.graph_from_edges(rng.integers(n, size=(3 * n, 2)), rng.random(3 * n), n_nodes=n)
    else:
        X = rng.random((n, 3)) * [1, 1, 0.01]
        if kind == "grid":
            X = np.argwhere(np.ones((40, 50)))[rng.permutation(n)].astype(float)
        if kind == "copies":
            X[1::2] = X[::2]
        if kind == "clusters":
            X[:, 0] += 10 * rng.integers(30, size=n) ** 2
        graph = tp.neighbor_graph(X, 6)
    initial = rng.choice(n, 3, replace=False)
    expected = oracle.farthest_by_searches(graph.lengths(), initial, 300, graph.components)
    assert choose(graph, 300, initial=initial).tolist() == expected


@pytest.mark.parametrize(("work", "stops"), [(1, 900), (7, 300), (100, 30)])
def test_ctrl_c_finds_stops_on_the_way_that_change_nothing(work, stops, monkeypatch):
    graph = tp.neighbor_graph(np.random.default_rng(1).random((200, 2)), 4)
    whole = choose(graph, 200, random_state=0)
    calls = []
    monkeypatch.setattr(module, "WORK", work)
    monkeypatch.setattr(module, "traverse", lambda *state: calls.append(1) or traverse(*state))
    assert_array_equal(choose(graph, 200, random_state=0), whole)
    assert len(calls) > stops


def test_a_search_settles_what_it_lowers_and_each_once():
    """A star of long edges over a path of short ones: nearly every sample comes closer while it waits."""
    n, budget, rng = 300, 10**6, np.random.default_rng(2)
    found = {(0, i): d for i, d in enumerate(rng.uniform(50, 300, n)) if i > 0}
    graph = record(found | {(i, i + 1): d for i, d in enumerate(rng.random(n - 1)) if i > 0}, n)
    adjacency = undirected(graph.indptr, graph.indices, graph.distances)
    gap, heap, place = np.full(n, np.inf), np.empty(n, np.int32), np.full(n, -1, np.int32)
    for landmark in (0, 141, 259):
        before = gap.copy()
        gap[landmark], heap[0], place[landmark] = 0.0, landmark, 0
        size, left = close_in(*adjacency, gap, heap, place, 1, budget)
        full = csgraph.dijkstra(graph.lengths(), directed=False, indices=landmark)
        assert_array_equal(gap, np.minimum(before, full))
        assert budget - left == np.sum((1 + np.diff(adjacency[0]))[full < before])
        assert size == 0
        assert (place == -1).all()


def test_duplicates_are_never_chosen_twice():
    graph = tp.neighbor_graph(np.zeros((6, 2)), 2)
    assert sorted(choose(graph, 6, random_state=0)) == list(range(6))


def test_one_sample():
    graph = tp.graph_from_edges(np.empty((0, 2), int), n_nodes=1)
    assert choose(graph, 1, random_state=0).tolist() == [0]


def test_samples_without_any_edge_go_by_index():
    graph = tp.graph_from_edges([[4, 3]], n_nodes=6)
    assert choose(graph, 5, initial=[1]).tolist() == [3, 0, 2, 5, 4]


@given(entries(exact))
def test_the_union_holds_each_edge_once_with_its_shorter_length(found):
    graph = record(found)
    indptr, indices, lengths = undirected(graph.indptr, graph.indices, graph.distances)
    rows = np.repeat(np.arange(N), np.diff(indptr))
    union = dict(zip(zip(rows.tolist(), indices.tolist(), strict=True), lengths.tolist(), strict=True))
    assert len(union) == len(indices)
    one_way = {(min(p), max(p)): np.inf for p in found}
    for p, d in found.items():
        one_way[min(p), max(p)] = min(one_way[min(p), max(p)], d)
    assert union == one_way | {p[::-1]: d for p, d in one_way.items()}
    assert indices.dtype == np.int32
