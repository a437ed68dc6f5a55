"""Small groups of samples, and cells made of them."""

import joblib
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import trigpoint as tp
from reference import graph_selection as oracle
from reference import graphs
from trigpoint.alignment import _groups
from trigpoint.alignment._groups import MOST, groups
from trigpoint.selection import _facility, coarse_pool
from trigpoint.selection._resolvent import in_units

NONE = np.empty(0, dtype=np.int64)


def plane(n=1200, K=6, seed=0):
    X = np.random.default_rng(seed).random((n, 2))
    return X, tp.laplacian(tp.neighbor_graph(X, K))


@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 6), st.integers(0, 3))
def test_groups_are_those_of_the_definition(seed, n, K, n_given):
    rng = np.random.default_rng(seed)
    lists = [[] for _ in range(n)]
    if n > 1:
        lists = [
            [(int(j), float(rng.integers(1, 9))) for j in rng.permutation(n)[:K] if j != i] for i in range(n)
        ]
    phi = tp.laplacian(graphs.from_lists(lists), "distance")
    given = rng.permutation(n)[: min(n_given, n)]
    found = groups(phi, given)
    owner, centers = oracle.groups(phi.toarray(), given.tolist(), _groups.STRONG, MOST)
    assert found.owner.tolist() == owner
    assert found.centers.tolist() == centers
    P = np.eye(len(centers))[owner]
    L = P.T @ phi.toarray() @ P
    np.testing.assert_allclose(found.phi.toarray(), L, atol=1e-12)
    assert found.phi.has_canonical_format
    np.testing.assert_array_equal(found.total(None), P.sum(axis=0))
    np.testing.assert_allclose(found.total(np.arange(n, dtype=float)), np.arange(n) @ P)


def test_no_group_is_larger_than_sixteen():
    star = tp.laplacian(tp.graph_from_edges([[0, j] for j in range(1, 50)]))
    found = groups(star, NONE)
    assert found.total(None).max() == MOST
    assert len(found.centers) == 1 + 50 - MOST


def test_cells_of_groups_are_cells_of_samples(monkeypatch):
    """A, R, sizes and owners by their definition, in units of the samples' median degree."""
    _, phi = plane()
    monkeypatch.setattr(_facility, "PLENTY", 300)
    given = np.array([5, 700])
    cells = coarse_pool(phi, given, 40)
    assert cells.centers[:2].tolist() == [5, 700]
    assert len(set(cells.centers.tolist())) == 40
    P = np.eye(40)[cells.owner]
    L, R = in_units(phi)
    A = P.T @ L.toarray() @ P
    np.testing.assert_allclose(cells.A, A, atol=1e-10)
    np.testing.assert_allclose(cells.R, P.T @ R)
    np.testing.assert_array_equal(cells.sizes, P.sum(axis=0))
    assert cells.owner[cells.centers].tolist() == list(range(40))
    nearest = [max(np.flatnonzero(cells.owner == c), key=lambda j: cells.nearness[j]) for c in range(40)]
    assert nearest == cells.centers.tolist()


def test_samples_that_count_more_get_more_cells(monkeypatch):
    X, phi = plane()
    monkeypatch.setattr(_facility, "PLENTY", 300)
    m = np.where(X[:, 0] < 0.5, 1.9, 0.1)
    left = (X[coarse_pool(phi, NONE, 40, m).centers, 0] < 0.5).sum()
    assert left > 24 > (X[coarse_pool(phi, NONE, 40).centers, 0] < 0.5).sum()


def test_a_star_keeps_its_samples(monkeypatch):
    """Where grouping brings little, the samples themselves make the cells."""
    star = tp.laplacian(tp.graph_from_edges([[0, j] for j in range(1, 120)]))
    expected = coarse_pool(star, NONE, 10)
    monkeypatch.setattr(_facility, "PLENTY", 100)
    np.testing.assert_array_equal(coarse_pool(star, NONE, 10).centers, expected.centers)


def test_landmarks_of_very_large_pools(monkeypatch):
    """Distinct, none of initial, the same for any number of threads, and about as good as without groups."""
    X, phi = plane(n=2500)
    monkeypatch.setattr(_facility, "WHOLE", 120)
    without = tp.select(phi, 30, initial=[3, 4])
    monkeypatch.setattr(_facility, "PLENTY", 900)
    found = tp.select(phi, 30, initial=[3, 4])
    assert len(set(found.tolist()) | {3, 4}) == 32
    monkeypatch.setattr(joblib, "cpu_count", lambda *_: 1)
    np.testing.assert_array_equal(tp.select(phi, 30, initial=[3, 4]), found)
    gap = {name: _farthest(X, picks) for name, picks in (("groups", found), ("samples", without))}
    random = np.mean([_farthest(X, np.random.default_rng(k).permutation(2500)[:30]) for k in range(5)])
    assert gap["groups"] < 1.2 * gap["samples"]
    assert gap["groups"] < 0.8 * random


def _farthest(X, picks):
    """Mean distance to the nearest landmark."""
    return np.sqrt(((X[:, None] - X[picks]) ** 2).sum(axis=2)).min(axis=1).mean()
