import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import field_selection, graph_selection
from trigpoint.selection import _spectral_kmeans, _spectrum
from trigpoint.selection._spectrum import slow_modes


def choose(phi, n_landmarks, initial=None, seed=0):
    return tp.select(phi, n_landmarks, method="spectral_kmeans", initial=initial, random_state=seed)


def plane(n, seed=0, **options):
    return tp.laplacian(tp.neighbor_graph(np.random.default_rng(seed).random((n, 2)), 8), **options)


def test_two_cliques_and_a_link_by_hand():
    """The second mode has one sign on each clique."""
    cliques = [(i, j) for c in (0, 5) for i in range(c, c + 5) for j in range(i) if j >= c]
    phi = tp.laplacian(tp.graph_from_edges([*cliques, (4, 5)]))
    assert sorted(choose(phi, 2) // 5) == [0, 1]
    assert choose(phi, 1, [3])[0] >= 5, "the first is claimed"


@pytest.mark.parametrize(("n_landmarks", "initial"), [(4, []), (20, []), (60, []), (12, [3, 70, 100])])
def test_it_is_kmeans_on_the_modes(n_landmarks, initial):
    phi = plane(150)
    k = min(50, n_landmarks + len(initial))
    positions = field_selection.spectral_positions(phi.toarray(), k)
    expected = tp.select(phi, n_landmarks, method="kmeans", X=positions, initial=initial, random_state=0)
    assert_array_equal(choose(phi, n_landmarks, initial), expected)


@pytest.mark.parametrize("parts", [1, 3])
def test_filtered_modes_are_the_slowest(parts, monkeypatch):
    phi = sparse.csr_array(sparse.block_diag([plane(500, seed) for seed in range(parts)]))
    exact = slow_modes(phi, 12, np.random.default_rng(0))
    monkeypatch.setattr(_spectrum, "DENSE", 0)
    filtered = slow_modes(phi, 12, np.random.default_rng(0))
    assert_allclose(filtered.T @ filtered, np.eye(12), atol=1e-10)
    cosines = np.linalg.svd(exact[:, :10].T @ filtered)[1]
    assert cosines.min() > 0.999


def test_large_pools_are_chosen_as_well(monkeypatch):
    phi = plane(400)
    monkeypatch.setattr(_spectrum, "DENSE", 0)
    picks = choose(phi, 30)
    assert len(set(picks)) == 30
    assert_array_equal(choose(phi, 30), picks)
    assert choose(phi, 30, seed=1).tolist() != picks.tolist()


def test_every_part_of_the_pool_gets_its_share(monkeypatch):
    X = np.concatenate([np.random.default_rng(k).normal(50 * k, 1, (30, 2)) for k in range(4)])
    phi = tp.laplacian(tp.neighbor_graph(X, 5))
    assert sorted(choose(phi, 4) // 30) == [0, 1, 2, 3]
    assert sorted(choose(phi, 2, [5, 70]) // 30) == [1, 3]
    monkeypatch.setattr(_spectrum, "DENSE", 0)
    assert sorted(choose(phi, 4) // 30) == [0, 1, 2, 3]


def test_more_parts_than_modes():
    phi = tp.laplacian(tp.graph_from_edges([[2 * i, 2 * i + 1] for i in range(80)]))
    assert len(set(choose(phi, 70) // 2)) == 70


def test_samples_alone_share_a_position():
    lonely = sparse.csr_array(sparse.block_diag([plane(60), sparse.csr_array((5, 5))]))
    assert (choose(lonely, 20) >= 60).sum() <= 1
    assert len(set(choose(lonely, 65))) == 65


def test_more_parts_than_modes_in_a_large_pool(monkeypatch):
    """Each part is one position, to the digits that count; without that, rounding would make the clusters."""
    seen, original = [], _spectral_kmeans.kmeans

    def kmeans(pool, n_landmarks, rng):
        seen.append(len(np.unique(pool.X, axis=0)))
        return original(pool, n_landmarks, rng)

    monkeypatch.setattr(_spectral_kmeans, "kmeans", kmeans)
    monkeypatch.setattr(_spectrum, "DENSE", 0)
    parts = [plane(12, seed, perplexity=None) for seed in range(80)]  # flat weights: no slow modes inside
    phi = sparse.csr_array(sparse.block_diag(parts))
    picks = choose(phi, 100)
    assert seen == [80]
    assert len(set(picks)) == 100
    assert sorted(picks[:80] // 12) == list(range(80)), "one each before any gets a second"


def test_an_interrupt_stops_it():
    graph_selection.assert_interrupt_stops("spectral_kmeans")


def test_pools_that_break_things():
    graph_selection.assert_survives("spectral_kmeans")
    graph_selection.assert_refuses_a_dense_phi("spectral_kmeans")
