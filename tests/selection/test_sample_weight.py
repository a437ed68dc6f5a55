"""Samples that count differently."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

import trigpoint as tp
from reference import covering as oracle
from trigpoint.selection import METHODS, _facility
from trigpoint.selection._facility import coarse_pool, weights
from trigpoint.selection._resolvent import in_units
from trigpoint.selection._scale import scale_for


def plane(n=120, seed=0):
    X = np.random.default_rng(seed).random((n, 2))
    graph = tp.neighbor_graph(X, 6)
    return X, graph, tp.laplacian(graph)


@pytest.mark.parametrize("method", ["auto", "facility", "kmeans"])
@pytest.mark.parametrize("scale", [1, 0.1, 7.0])
def test_equal_weights_change_nothing(method, scale):
    X, graph, phi = plane()
    want = tp.select(phi, 9, method=method, X=X, graph=graph, initial=[4])
    found = tp.select(phi, 9, method=method, X=X, graph=graph, initial=[4], sample_weight=np.full(120, scale))
    np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize("count", [1, 6, 30])
def test_facility_makes_the_weighted_sum_large(count):
    _, _, phi = plane()
    m = np.random.default_rng(1).integers(0, 6, 120).astype(float)
    A, R = in_units(phi)
    scale = scale_for(A.toarray(), R, count)
    h, mean = scale.shares, m / m.mean()
    w = mean * h ** (np.sum(mean * h) / mean.sum())
    want = oracle.best_covering(scale.S.astype(float), w, count)
    assert tp.select(phi, count, sample_weight=m).tolist() == want
    assert tp.select(phi, count, sample_weight=3 * m.astype(np.float32)).tolist() == want


def test_whole_weights_are_copies():
    """The same F, where S has a row and a column for each copy."""
    _, _, phi = plane(40)
    m = np.random.default_rng(2).integers(1, 4, 40)
    A, R = in_units(phi)
    scale = scale_for(A.toarray(), R, 5)
    owner = np.repeat(np.arange(40), m)
    S, h = scale.S.astype(float)[np.ix_(owner, owner)], scale.shares[owner]
    w = h ** h.mean()
    copies = oracle.best_covering(S, w, 5)
    assert owner[copies].tolist() == tp.select(phi, 5, sample_weight=m).tolist()


def test_landmarks_go_where_samples_count():
    X, _, phi = plane(300)
    left = X[:, 0] < 0.5
    for method in ("auto", "kmeans"):
        few = tp.select(phi, 20, method=method, X=X, sample_weight=np.where(left, 1.0, 50.0))
        even = tp.select(phi, 20, method=method, X=X)
        assert left[few].sum() < left[even].sum()
        none = tp.select(phi, 20, method=method, X=X, sample_weight=np.where(left, 0.0, 1.0))
        assert left[none].sum() <= 2


def test_cells_count_what_their_samples_count(monkeypatch):
    X, _, phi = plane(300)
    m = np.random.default_rng(3).random(300)
    m /= m.mean()
    coarse = coarse_pool(phi, np.array([5]), 40, m)
    want = [m[coarse.owner == k].sum() for k in range(40)]
    np.testing.assert_allclose(coarse.total(m), want)
    np.testing.assert_array_equal(coarse.total(None), coarse.sizes)
    h, s = np.random.default_rng(4).random(40), coarse.sizes
    g = np.sum(coarse.total(m) * h / s) / np.sum(coarse.total(m))
    np.testing.assert_allclose(weights(h, s, coarse.total(m)), coarse.total(m) * (h / s) ** g)
    monkeypatch.setattr(_facility, "WHOLE", 100)
    heavy = np.where(X[:, 0] < 0.5, 0.01, 1.0)
    for count in (10, 80):  # cells, and short columns
        picks = tp.select(phi, count, sample_weight=heavy)
        even = tp.select(phi, count)
        assert (X[picks, 0] < 0.5).sum() < (X[even, 0] < 0.5).sum()


def test_kmeans_moves_centers_to_weighted_means():
    X, _, phi = plane(60)
    m = np.random.default_rng(5).random(60) + 0.1
    picks = tp.select(phi, 1, method="kmeans", X=X, sample_weight=m)
    center = np.average(X, axis=0, weights=m)
    assert picks[0] == np.argmin(np.linalg.norm(X - center, axis=1))
    three = tp.select(phi, 3, method="kmeans", X=X, sample_weight=m)
    model = KMeans(3, init=X[three], n_init=1).fit(X, sample_weight=m)
    share = np.bincount(model.predict(X[three]), minlength=3)
    assert share.tolist() == [1, 1, 1]
    copies = np.repeat([[0.0, 0.0], [1.0, 1.0], [5.0, 5.0]], 4, axis=0)
    graph = tp.neighbor_graph(copies + np.random.default_rng(0).random((12, 2)) * 0, 5)
    heavy = np.repeat([1.0, 9.0, 2.0], 4)
    first = tp.select(tp.laplacian(graph), 3, method="kmeans", X=copies, sample_weight=heavy)
    assert (first // 4).tolist() == [1, 2, 0]  # the heaviest cluster first


def test_the_estimator_passes_weights_on():
    X, _, _ = plane()
    m = np.arange(120.0)
    found = tp.LandmarkSelector(8, view="raw").fit(X, sample_weight=m)
    want = tp.select(found.alignment_matrix_, 8, X=X, sample_weight=m)
    np.testing.assert_array_equal(found.landmarks_, want)
    assert found.landmarks_.tolist() != tp.LandmarkSelector(8, view="raw").fit(X).landmarks_.tolist()


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"auto", "facility", "kmeans"}))
def test_methods_that_know_no_weights_refuse_them(method):
    X, graph, phi = plane(30)
    with pytest.raises(tp.InputError, match="methods that take it: auto, facility, kmeans") as caught:
        tp.select(phi, 3, method=method, X=X, graph=graph, sample_weight=np.ones(30))
    assert caught.value.argument == "sample_weight"


@pytest.mark.parametrize(
    ("weight", "rule"),
    [
        (np.ones(29), r"must have shape \(30,\)"),
        (np.ones((30, 1)), r"must have shape \(30,\)"),
        (np.full(30, -1.0), "must be at least 0, and not all zero"),
        (np.zeros(30), "must be at least 0, and not all zero"),
        (np.full(30, np.nan), "sample_weight"),
        (["a"] * 30, "sample_weight"),
    ],
)
def test_what_is_refused(weight, rule):
    _, _, phi = plane(30)
    with pytest.raises(tp.InputError, match=rule):
        tp.select(phi, 3, sample_weight=weight)


def test_weights_of_every_form():
    _, _, phi = plane(30)
    m = np.arange(30)
    want = tp.select(phi, 4, sample_weight=m)
    frozen = m.astype(float)
    frozen.flags.writeable = False
    for form in (m.tolist(), m.astype(np.float32), frozen, np.repeat(m, 2)[::2]):
        np.testing.assert_array_equal(tp.select(phi, 4, sample_weight=form), want)
