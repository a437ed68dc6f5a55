"""Searching along a few directions: what they are, how many will do, and that nothing depends on blocks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trigpoint as tp
from trigpoint._kernels.meetings import join_all
from trigpoint.graph import Workspace, nearest
from trigpoint.graph import _directions as directions
from trigpoint.graph._exact import Task
from trigpoint.graph._part_rounds import no_neighbors
from trigpoint.graph._points import Points, points
from trigpoint.graph._refined import refined_neighbors


def curved(n, p=40, d=6, seed=0, noise=0.01):
    rng = np.random.default_rng(seed)
    X = np.tanh(rng.normal(size=(n, d)) @ rng.normal(size=(d, p)) / 4) + noise * rng.normal(size=(n, p))
    return X.astype(np.float32)


def directions_used(X, k=10):
    pool, work = points(X, "euclidean"), Workspace()
    rows = np.arange(len(X))
    refined_neighbors(Task(pool, rows, pool, rows, True), k, np.random.default_rng(0), work)
    return work.facts["directions"]


def test_directions_are_those_of_most_variance_and_no_outlier_turns_them():
    rng = np.random.default_rng(0)
    turned = np.linalg.qr(rng.normal(size=(40, 40)))[0]
    X = (rng.normal(size=(4000, 40)) * np.linspace(9, 0.1, 40)) @ turned.T
    axes = directions.principal_axes(X.astype(np.float32))
    assert axes.shape == (40, 16)
    np.testing.assert_allclose(axes.T @ axes, np.eye(16), atol=1e-5)
    kept = np.var(X @ axes, axis=0)
    assert (np.diff(kept) < 0).all()
    assert kept.sum() > 0.98 * np.sort(np.var(X @ turned, axis=0))[-16:].sum()
    X[::500] = 1e18 * rng.normal(size=(8, 40))
    wild = directions.principal_axes(X.astype(np.float32))
    assert np.var(np.delete(X, np.s_[::500], axis=0) @ wild, axis=0).sum() > 0.98 * kept.sum()


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_points_along_directions_are_their_products_whatever_block_they_are_in(metric, dtype):
    X = (20 + 10 * np.random.default_rng(0).random((300, 40))).astype(dtype)
    pool = points(X, metric)
    axes = directions.principal_axes(pool.block(np.arange(300), np.float32))
    short = directions.along(pool, axes, np.empty((300, 16), np.float32))
    np.testing.assert_allclose(short.X, pool.block(np.arange(300)) @ axes, rtol=1e-4, atol=1e-4)
    rows = np.arange(37, 120)
    some = directions.along(pool.only(rows), axes, np.empty((len(rows), 16), np.float32))
    np.testing.assert_array_equal(some.X, short.X[rows])


def test_directions_will_do_if_nearly_all_true_neighbors_are_kept():
    true = np.arange(2000).reshape(100, 20)
    kept = np.hstack([true[:, ::-1], np.full((100, 5), 9999)])
    assert directions.will_do(kept, true)
    kept[0, 0] = kept[1, 0] = 9999  # 2 of 2,000 are lost
    assert directions.will_do(kept, true)
    kept[2, 0] = 9999
    assert not directions.will_do(kept, true)


def test_few_directions_are_used_where_they_will_do():
    assert directions_used(curved(6000)) == 16
    assert directions_used(curved(6000, p=30)) == 0  # they would save less than half
    assert directions_used(np.random.default_rng(0).normal(size=(6000, 40)).astype(np.float32)) == 0


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_neighbors_are_ranked_in_all_features(metric):
    X = curved(6000, noise=0.05)
    graph = tp.neighbor_graph(X, 10, metric=metric, method="approximate")
    i, j = np.repeat(np.arange(len(X)), 10), graph.indices
    A, B = X[i].astype(np.float64), X[j].astype(np.float64)
    gaps = np.linalg.norm(A - B, axis=1)
    if metric == "cosine":
        gaps = 1 - np.sum(A * B, axis=1) / np.linalg.norm(A, axis=1) / np.linalg.norm(B, axis=1)
    np.testing.assert_allclose(graph.distances, gaps, rtol=1e-6, atol=1e-12)
    truth = nearest(X, X[:1000], 11, metric=metric, method="exact")[0][:, -1:]
    assert np.mean(graph.distances.reshape(-1, 10)[:1000] <= truth * (1 + 1e-9)) >= 0.985


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 60), st.integers(1, 9), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_a_list_compared_is_its_definition(n, width, cuts, seed):
    """Each sample keeps the nearest of all that it met in any list, ties by number."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 9, (n, 3)).astype(np.float32)  # whole numbers: ties, and no rounding
    pool, found = Points(X, None, 1.0, np.zeros(3), False), no_neighbors(n, width)
    met = [set() for _ in range(n)]
    for _ in range(cuts):
        members = np.sort(rng.choice(n, rng.integers(1, n + 1), replace=False))
        join_all(*pool.raw, members, found.ids, found.near, found.fresh)
        for i in members:
            met[i] |= {(float(np.sum((X[i] - X[j]) ** 2)), int(j)) for j in members if j != i}
    for i in range(n):
        wanted = sorted(met[i])[:width]
        held = [(float(gap), int(j)) for gap, j in zip(found.near[i], found.ids[i], strict=True) if j >= 0]
        assert held == wanted
        assert (found.ids[i, len(wanted) :] == -1).all()
        assert (found.fresh[i, : len(wanted)] == 1).all()
