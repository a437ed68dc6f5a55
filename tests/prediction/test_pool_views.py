"""Which views a pool has, and how one is chosen."""

import numpy as np
import pytest
from scipy import sparse

import trigpoint as tp
from trigpoint.prediction import (
    VIEW_NAMES,
    PoolView,
    _pool_views,
    best_view,
    check_view,
    graph_pool,
    viewed_pool,
)
from trigpoint.prediction._spread import spread
from trigpoint.views import nearness


@pytest.fixture(scope="module", name="X")
def pool_features():
    return np.random.default_rng(0).normal(size=(150, 6)) @ np.diag([3.0, 2, 2, 1, 1, 1])


@pytest.fixture
def large(monkeypatch):
    """As in pools of more than 20,000 samples, of which 2000 choose the view."""
    monkeypatch.setattr(_pool_views, "MANY", 100)
    monkeypatch.setattr(_pool_views, "SAMPLE", 80)


def names(pool):
    return [seen.name for seen in pool.views]


def test_auto_stands_for_three_views(X):
    pool = viewed_pool(X)
    assert names(pool) == ["raw", "half_white", "white"]
    assert names(viewed_pool(X * [1, 1, 1000, 1, 1, 1])) == ["standard", "half_white", "white"]
    for seen in pool.views:
        view = tp.fit_view(X, seen.name)
        np.testing.assert_array_equal(seen.X, view.transform(X))
        graph = tp.neighbor_graph(seen.X)
        assert (seen.phi != tp.laplacian(graph)).nnz == 0
        assert seen.nearness == nearness(graph.distances.reshape(150, -1))
        assert pool.considered[seen.name] == {"nearness": seen.nearness}
        np.testing.assert_array_equal(seen.transform(X[:3]), seen.X[:3])
    assert pool.main.nearness == min(seen.nearness for seen in pool.views)
    assert pool.n_samples == 150
    assert pool.X is X
    assert pool.views[0].X is X  # "raw" copies nothing


def test_few_features_are_seen_as_they_are(X):
    """Rows of length 1 would lose one of few dimensions: of one feature, all but its sign."""
    for p in (1, 2, 3, 4):
        for only_main in (False, True):
            pool = viewed_pool(X[:, :p], only_main=only_main)
            assert names(pool) == ["standard" if p == 1 else "raw"]
            assert set(pool.considered) == set(names(pool))
    assert names(viewed_pool(X[:, :3] * [1, 1, 1000])) == ["standard"]
    assert names(viewed_pool(X[:, :2], "white")) == ["white"]
    assert len(viewed_pool(X[:, :5]).views) == 3


@pytest.mark.parametrize("name", VIEW_NAMES[1:])
def test_one_name_is_one_view(X, name):
    pool = viewed_pool(X, name, n_neighbors=7)
    assert names(pool) == [name]
    assert pool.views[0].graph.n_neighbors == 7


def test_one_view_may_be_enough(X):
    pool = viewed_pool(X, only_main=True)
    whole = viewed_pool(X)
    assert names(pool) == [whole.main.name]
    assert pool.considered == whole.considered


def test_alignments_see_the_features_of_their_view(X):
    pool = viewed_pool(X, n_neighbors=8, align=lambda graph, seen: tp.lle(graph, seen))
    for seen in pool.views:
        assert (seen.phi != tp.lle(seen.graph, seen.X)).nnz == 0


def test_pools_without_features():
    D = sparse.csr_array(np.roll(np.eye(9), 1, axis=1) + np.roll(np.eye(9), -1, axis=1))
    given = viewed_pool(D, metric="precomputed", n_neighbors=None)
    assert (names(given), given.X, given.considered) == (["distances"], None, {})
    graph = tp.neighbor_graph(D, None, metric="precomputed")
    own = graph_pool(graph)
    assert (names(own), own.X, own.considered) == (["graph"], None, {})
    for pool in (given, own):
        assert (pool.main.phi != tp.laplacian(graph)).nnz == 0
        assert pool.main.view is None
        assert pool.main.transform(D[:2]) is not None
    twice = graph_pool(graph, 2.0 * tp.laplacian(graph))
    assert (twice.main.phi != 2.0 * own.main.phi).nnz == 0
    uneven = tp.graph_from_edges([[0, 1], [1, 2], [1, 3]], n_nodes=4)
    assert graph_pool(uneven).main.nearness >= 0  # has no tenth neighbor to compare with


def test_cosine_sees_raw_features(X):
    pool = viewed_pool(X, metric="cosine")
    assert names(pool) == ["raw"]
    assert pool.main.graph.metric == "cosine"


@pytest.mark.parametrize("metric", ["cosine", "precomputed"])
@pytest.mark.parametrize("view", ["standard", "half_white", "white"])
def test_other_metrics_refuse_other_views(metric, view):
    with pytest.raises(
        tp.InputError, match=f"view must be 'auto' or 'raw' with metric='{metric}'"
    ) as refused:
        check_view(view, metric)
    assert refused.value.argument == "view"
    assert check_view("auto", metric) == check_view("raw", metric) == "raw"


@pytest.mark.parametrize("view", ["best", None, 3, "AUTO"])
def test_names_that_are_none(view):
    with pytest.raises(tp.InputError, match="view must be one of 'auto', 'raw', 'standard'"):
        check_view(view)


def tight(n, seed):
    """In the first two columns, clusters that only one scale for all brings out of the noise of the third."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    angle = 2 * np.pi * y / 3
    X = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.1 * rng.normal(size=(n, 2))
    return np.column_stack([X, 10 * rng.normal(size=n), 0.1 * rng.normal(size=(n, 3))]), y


def test_large_pools_have_one_view_that_labels_choose(large):
    X, y = tight(400, 0)
    landmarks, one_hot = np.arange(60), np.eye(3)[y[:60]]
    pool = viewed_pool(X, landmarks=landmarks, values=one_hot)
    said = pool.considered
    assert set(said) == {"standard", "half_white", "white"}
    assert all(set(of) == {"nearness", "error"} for of in said.values())
    assert names(pool) == [min(said, key=lambda name: said[name]["error"])]
    assert pool.views[0].graph.n_samples == 400
    # The errors are those of spread values on the labeled samples and 80 others
    rows = np.concatenate(
        [landmarks, np.setdiff1d(np.random.default_rng(0).choice(400, 80, False), landmarks)]
    )
    for name, of in said.items():
        graph = tp.neighbor_graph(tp.fit_view(X, name).transform(X[rows]))
        left_out = spread(tp.laplacian(graph), np.arange(60), one_hot).left_out
        np.testing.assert_allclose(of["error"], np.square(left_out - one_hot).sum(axis=1).mean())
        assert of["nearness"] == nearness(graph.distances.reshape(len(rows), -1))


def test_large_pools_have_the_view_of_least_nearness_where_labels_are_few(large):
    X, y = tight(400, 1)
    for known in ({}, {"landmarks": np.arange(5), "values": np.eye(3)[y[:5]]}, {"only_main": True}):
        pool = viewed_pool(X, **known)
        said = pool.considered
        assert all(set(of) == {"nearness"} for of in said.values())
        assert names(pool) == [min(said, key=lambda name: said[name]["nearness"])]
    assert names(viewed_pool(X, "white")) == ["white"]


def test_the_choice_of_a_large_pool_is_the_same_again(large):
    X, y = tight(400, 2)
    known = {"landmarks": np.arange(30), "values": np.eye(3)[y[:30]]}
    assert viewed_pool(X, **known).considered == viewed_pool(X, **known).considered


def test_the_best_view_has_the_least_error(X):
    pool = viewed_pool(X)
    landmarks = np.arange(0, 150, 5)
    values = np.eye(2)[(X[landmarks, 0] > 0).astype(int)]
    best, errors = best_view(pool, landmarks, values)
    for seen in pool.views:
        left_out = spread(seen.phi, landmarks, values).left_out
        np.testing.assert_allclose(errors[seen.name], np.square(left_out - values).sum(axis=1).mean())
    assert best.name == min(errors, key=errors.get)
    few, _ = best_view(pool, landmarks[:3], values[:3])
    assert few is pool.main
    alone = viewed_pool(X, "white")
    assert best_view(alone, landmarks, values) == (alone.main, {})


def test_the_inverse_is_kept_only_where_it_was_asked_for(X):
    seen = viewed_pool(X, "raw").main
    landmarks, values = np.arange(10), X[:10, :1]
    for order in (1, 2):
        fresh = seen.spread(landmarks, values, order)
        assert "inverse" not in vars(seen)
        kept = PoolView(seen.name, seen.view, seen.X, seen.graph, seen.phi)
        assert kept.inverse is kept.inverse
        again = kept.spread(landmarks, values, order)
        np.testing.assert_allclose(again.values, fresh.values, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(again.left_out, fresh.left_out, rtol=1e-7, atol=1e-9)


def test_values_that_no_label_reaches_are_unknown():
    X = np.concatenate([np.random.default_rng(0).normal(size=(20, 2)) + at for at in (0, 1000)])
    seen = viewed_pool(X, "raw", n_neighbors=5).main
    found = seen.reached(np.array([3]), np.ones((40, 2)))
    np.testing.assert_array_equal(np.isnan(found), np.repeat([[False, False], [True, True]], 20, axis=0))
