"""Values on a cluster are those of one machine."""

import numpy as np
import pytest

import trigpoint as tp

SPLITS = ("columns", "rows")


@pytest.fixture(scope="module")
def given(graph):
    rng = np.random.default_rng(1)
    landmarks = rng.choice(graph.n_samples, 30, replace=False)
    return landmarks, rng.standard_normal((30, 3))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("n_partitions", [1, 2, 5])
def test_values_are_those_of_one_machine(cluster, graph, given, split, n_partitions):
    phi = tp.laplacian(graph)
    found = tp.distributed.propagate(tp.distributed.scatter(phi, cluster, n_partitions), *given, split=split)
    wanted = tp.propagate(phi, *given)
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max() < 1e-6
    assert np.array_equal(found[given[0]], given[1])


@pytest.mark.parametrize("split", SPLITS)
def test_where_no_landmark_reaches_there_is_nothing(cluster, islands, split):
    phi = tp.laplacian(islands)
    there = tp.distributed.scatter(phi, cluster, 4)
    with pytest.warns(tp.UnreachedWarning, match=r"301 of 701 samples lie in 2 components"):
        found = tp.distributed.propagate(there, [3, 7, 20], [0.0, 1.0, 5.0], split=split)
    with pytest.warns(tp.UnreachedWarning):
        wanted = tp.propagate(phi, [3, 7, 20], [0.0, 1.0, 5.0])
    assert found.shape == (701,)
    assert np.array_equal(np.isnan(found), np.isnan(wanted))
    assert np.nanmax(np.abs(found - wanted)) < 1e-6


@pytest.mark.parametrize("split", SPLITS)
def test_all_samples_may_be_landmarks(cluster, islands, split):
    phi = tp.distributed.scatter(tp.laplacian(islands), cluster, 2)
    values = np.arange(701.0)
    assert np.array_equal(tp.distributed.propagate(phi, np.arange(701), values, split=split), values)


def test_a_constant_stays_one_in_rows(cluster, graph, given):
    phi = tp.distributed.scatter(tp.laplacian(graph), cluster, 3)
    found = tp.distributed.propagate(phi, given[0], np.full(30, 7.0), split="rows")
    assert np.abs(found - 7.0).max() < 1e-6


@pytest.mark.slow
def test_a_weak_link_is_carried_across_in_rows(cluster):
    """A chain of two clusters that hang together by 1e-7 of their weights: a small residual is no proof."""
    chain = [[i, i + 1] for i in range(79)]
    weights = np.where(np.arange(79) == 39, 1e-7, 1.0)
    phi = tp.laplacian(tp.graph_from_edges(chain, weights=weights))
    wanted = tp.propagate(phi, [0], [3.0])
    found = tp.distributed.propagate(tp.distributed.scatter(phi, cluster, 2), [0], [3.0], split="rows")
    assert np.abs(found - wanted).max() < 1e-3


def test_auto_is_rows_for_large_laplacians_and_where_phi_does_not_fit(cluster, graph, given, monkeypatch):
    from trigpoint.distributed import _inference

    seen = []
    for name in ("_solve_columns", "solve_rows"):
        solve = getattr(_inference, name)
        monkeypatch.setattr(
            _inference, name, lambda *a, solve=solve, name=name: seen.append(name) or solve(*a)
        )
    phi = tp.distributed.scatter(tp.laplacian(graph), cluster, 2)
    tp.distributed.propagate(phi, *given)
    monkeypatch.setattr(_inference, "HUGE", 1000)  # entries
    tp.distributed.propagate(phi, *given)
    other = tp.distributed.scatter(tp.laplacian(graph, normalized=True), cluster, 2)
    tp.distributed.propagate(other, *given)
    monkeypatch.setattr(_inference, "FACTOR", 1e6)  # copies of phi that a worker cannot hold
    monkeypatch.setattr(_inference, "HUGE", 1e9)
    tp.distributed.propagate(phi, *given)
    assert seen == ["_solve_columns", "solve_rows", "_solve_columns", "solve_rows"]


def test_what_rows_cannot_solve_columns_do(cluster, monkeypatch):
    """A link that only one side feels."""
    from trigpoint.distributed import _inference

    edges, weights = [[0, 1], [1, 2], [2, 3], [3, 4]], [1e20, 1e20, 1.0, 1.0]
    phi = tp.laplacian(tp.graph_from_edges(edges, weights=weights))
    there = tp.distributed.scatter(phi, cluster, 2)
    with pytest.raises(tp.InputError, match="one side cannot feel"):
        tp.distributed.propagate(there, [0, 4], [1.0, 2.0], split="rows")
    monkeypatch.setattr(_inference, "HUGE", 1)
    wanted = tp.propagate(phi, [0, 4], [1.0, 2.0])
    assert np.abs(tp.distributed.propagate(there, [0, 4], [1.0, 2.0]) - wanted).max() < 1e-6


def test_rows_of_a_matrix_that_is_no_laplacian(cluster, graph, given):
    L = tp.laplacian(graph, "binary")
    phi = L + 0.01 * (L @ L)  # rows sum to 0, entries have both signs
    there = tp.distributed.scatter(phi, cluster, 3)
    found = tp.distributed.propagate(there, *given, split="rows")
    assert np.abs(found - tp.propagate(phi, *given)).max() < 1e-6


def test_many_columns_are_solved_some_at_a_time(cluster, graph, given):
    phi = tp.laplacian(graph)
    values = np.random.default_rng(2).standard_normal((30, 13))
    found = tp.distributed.propagate(tp.distributed.scatter(phi, cluster, 3), given[0], values, split="rows")
    assert np.abs(found - tp.propagate(phi, given[0], values)).max() < 1e-6


def test_what_cannot_be(cluster, graph, given):
    local = tp.laplacian(graph, normalized=True)
    phi = tp.distributed.scatter(local, cluster, 2)
    wanted = tp.propagate(local, *given)
    assert np.abs(tp.distributed.propagate(phi, *given) - wanted).max() < 1e-6
    with pytest.raises(tp.InputError, match="rows that sum to 0"):
        tp.distributed.propagate(phi, *given, split="rows")
    with pytest.raises(tp.InputError, match="landmarks must lie in"):
        tp.distributed.propagate(phi, [99_999], [0.0])
    with pytest.raises(tp.InputError, match="must be numbers; for classes"):
        tp.distributed.propagate(phi, [0], ["cat"])
    with pytest.raises(TypeError, match="DistributedMatrix"):
        tp.distributed.propagate(local, *given)
