import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trigpoint as tp
from reference import propagation as oracle
from trigpoint.alignment import sharpness
from trigpoint.propagation import extend_std, field_scale


def enlarged(graph, X, x):
    """The Laplacian of the pool and one more node, and the new node's weights."""
    n, k = graph.n_samples, graph.n_neighbors
    near = np.argsort(np.linalg.norm(X - x, axis=1))[:k]
    d = np.linalg.norm(X[near] - x, axis=1)
    w = np.exp(-sharpness(graph) * d**2 / (d[-1] * graph.distances.reshape(n, k)[near, -1]))
    W = np.zeros((n + 1, n + 1))
    phi = tp.laplacian(graph).toarray()
    W[:n, :n] = np.diag(phi.diagonal()) - phi
    W[n, near] = W[near, n] = w
    return oracle.laplacian(W), near, w


@given(st.integers(0, 100), st.integers(2, 15))
def test_it_bounds_what_the_covariances_give(seed, n_landmarks):
    rng = np.random.default_rng(seed)
    X, x = rng.random((40, 2)), rng.random(2)
    graph = tp.neighbor_graph(X, 10)
    landmarks = rng.choice(40, n_landmarks, replace=False)
    phi = tp.laplacian(graph)
    if graph.n_components > 1:
        return
    std = tp.uncertainty(phi, landmarks)
    more, near, w = enlarged(graph, X, x)
    rest = np.setdiff1d(np.arange(40), landmarks)
    covariance = np.zeros((40, 40))
    covariance[np.ix_(rest, rest)] = np.linalg.inv(phi.toarray()[np.ix_(rest, rest)])
    share = w / w.sum()
    exact = np.sqrt(1 / w.sum() + share @ covariance[np.ix_(near, near)] @ share)
    found = extend_std(graph, X, x[None], std)[0]
    np.testing.assert_allclose(found, np.sqrt(1 / w.sum() + (share @ std[near]) ** 2))
    assert tp.uncertainty(more, landmarks)[40] <= exact * (1 + 1e-9) <= found * (1 + 2e-9)


def test_among_labeled_neighbors_it_is_exact():
    rng = np.random.default_rng(0)
    X = rng.random((40, 2))
    graph = tp.neighbor_graph(X, 10)
    values = np.column_stack([X[:, 0], X[:, 1] ** 2])
    phi = tp.laplacian(graph)
    unit = field_scale(phi, np.arange(40), values)
    more, _, _ = enlarged(graph, X, np.array([0.4, 0.6]))
    exact = tp.uncertainty(more, np.arange(40))[40] * unit
    np.testing.assert_allclose(extend_std(graph, X, [[0.4, 0.6]], 0 * values, unit)[0], exact)


def test_a_column_stands_alone():
    rng = np.random.default_rng(0)
    X, X_new, std = rng.random((40, 2)), rng.random((7, 2)), rng.random((40, 2))
    graph = tp.neighbor_graph(X, 5)
    both = extend_std(graph, X, X_new, std, [2.0, 3.0])
    for k, unit in enumerate((2.0, 3.0)):
        np.testing.assert_allclose(both[:, k], extend_std(graph, X, X_new, std[:, k], unit))


def test_perplexity_is_that_of_the_laplacian():
    rng = np.random.default_rng(0)
    X, x = rng.random((40, 2)), np.array([0.4, 0.6])
    graph = tp.neighbor_graph(X, 10)
    near = np.argsort(np.linalg.norm(X - x, axis=1))[:10]
    d = np.linalg.norm(X[near] - x, axis=1)
    powers = d**2 / (d[-1] * graph.distances.reshape(40, 10)[near, -1])
    for perplexity in (None, 3.0, 5.0):
        w = np.exp(-sharpness(graph, perplexity) * powers)
        found = extend_std(graph, X, x[None], np.zeros(40), perplexity=perplexity)
        np.testing.assert_allclose(found, 1 / np.sqrt(w.sum()))
    assert extend_std(graph, X, x[None], np.zeros(40)) == found
    with pytest.raises(ValueError, match="perplexity must be a finite number greater than 1; got 1"):
        extend_std(graph, X, x[None], np.zeros(40), perplexity=1)


def test_copies_distance_and_neighbors_without_information():
    X = np.arange(6.0)[:, None]
    graph = tp.neighbor_graph(X, 2)
    std = np.array([0.0, 1.0, 2.0, np.inf, np.inf, np.inf])
    near = extend_std(graph, X, [[1.0], [0.6], [5.0], [4.4], [2.6]], std)
    assert near[0] == 1.0
    w = np.exp([-(0.6**2) / 1.2, -(0.4**2) / 0.6])  # s = .6, s_0 = 2, s_1 = 1
    assert near[1] == pytest.approx(np.hypot(w[1] / w.sum(), 1 / np.sqrt(w.sum())))
    assert near[2] == near[3] == np.inf
    assert near[4] == pytest.approx(np.hypot(2.0, np.exp(0.6**2 / 0.6 / 2)))  # s = .6, s_2 = 1; 3 is left out
    far = extend_std(graph, X, [[-1.0], [-3.0], [-9.0], [-1e6]], std)
    assert (np.diff(far[:3]) > 0).all()
    assert far[3] == np.inf


def test_the_scale_of_the_field():
    """Unit line, ends labeled: J = 8^2 / 4 at one degree of freedom; with values = scale x without."""
    path = tp.graph_from_edges([[i, i + 1] for i in range(4)])
    phi = tp.laplacian(path)
    assert field_scale(phi, [0, 4], [0.0, 8.0]) == pytest.approx(4.0)
    values = np.array([[0.0, 1.0], [8.0, 3.0]])
    for options in ({}, {"beta": 2.0}, {"gamma": 0.3}):
        product = np.multiply.outer(
            tp.uncertainty(phi, [0, 4], **options), field_scale(phi, [0, 4], values, **options)
        )
        np.testing.assert_allclose(product, tp.uncertainty(phi, [0, 4], values, **options))
    with pytest.raises(ValueError, match="more than 1 landmarks"):
        field_scale(phi, [0], [1.0])
