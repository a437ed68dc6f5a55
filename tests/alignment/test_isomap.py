import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.linalg import subspace_angles

from reference import alignment as oracle
from reference import graphs
from trigpoint.alignment import _isomap, isomap

CLOUDS = hnp.arrays(np.float64, st.tuples(st.integers(3, 10), st.integers(1, 2)), elements=st.integers(-3, 3))


def test_a_path_by_hand():
    """Coordinates (-1, 0, 1), A = y y^T with lambda_1 = 2: phi = 2 I - y y^T - 2/3."""
    path = graphs.from_lists([[(1, 1.0)], [(0, 1.0), (2, 1.0)], [(1, 1.0)]])
    y = np.array([-1.0, 0, 1])
    np.testing.assert_allclose(isomap(path, 1), 2 * np.eye(3) - np.outer(y, y) - 2 / 3, atol=1e-14)


@given(CLOUDS, st.data())
def test_small_integer_clouds_match_the_definition(X, data):
    graph = graphs.knn(X, data.draw(st.integers(1, len(X) - 1)))
    assume(graph.n_components == 1)
    d = data.draw(st.integers(1, 2))
    P = np.eye(len(X)) - 1 / len(X)
    values = np.linalg.eigvalsh(-0.5 * P @ oracle.geodesics(graph) ** 2 @ P)[::-1]
    assume(values[d - 1] - values[d] > 1e-6 * values[0])  # else q_d is anyone's choice
    expected = oracle.isomap(graph, d)
    np.testing.assert_allclose(isomap(graph, d), expected, atol=1e-9 * (1 + np.abs(expected).max()))


def test_the_null_space_is_the_embedding_and_the_constant():
    rng = np.random.default_rng(0)
    n, d = 60, 3
    graph = graphs.knn(rng.normal(size=(n, 4)), 8)
    P = np.eye(n) - 1 / n
    q = np.linalg.eigh(-0.5 * P @ oracle.geodesics(graph) ** 2 @ P)[1][:, ::-1][:, :d]
    values, vectors = np.linalg.eigh(isomap(graph, d))
    scale = values[-1]
    np.testing.assert_allclose(values[: d + 1], 0, atol=1e-12 * scale)
    assert values[d + 1] > 1e-3 * scale
    assert subspace_angles(vectors[:, : d + 1], np.c_[q, np.ones(n)]).max() < 1e-7


def test_duplicates_are_joined_by_edges_of_length_zero():
    X = np.array([[0.0], [0.0], [1.0], [1.0], [3.0]])
    graph = graphs.from_lists([[(1, 0.0)], [(2, 1.0)], [(3, 0.0)], [(4, 2.0)], []])
    centered = X - X.mean()
    top = float((centered**2).sum())
    np.testing.assert_allclose(
        isomap(graph, 1), top * np.eye(5) - centered @ centered.T - top / 5, atol=1e-13
    )


def test_a_pool_of_duplicates_has_the_zero_matrix():
    np.testing.assert_array_equal(isomap(graphs.knn(np.ones((4, 2)), 3), 2), np.zeros((4, 4)))


def test_points_on_a_line_have_one_dimension_only():
    graph = graphs.knn(np.array([0.0, 1, 3, 4, 6, 9])[:, None], 5)
    phi = isomap(graph, 3)
    np.testing.assert_allclose(phi, isomap(graph, 1), atol=1e-12)
    assert np.linalg.eigvalsh(phi)[0] > -1e-12 * np.abs(phi).max()


def test_the_shorter_of_two_directions_counts():
    uneven = graphs.from_lists([[(1, 5.0)], [(0, 1.0), (2, 1.0)], []])
    even = graphs.from_lists([[(1, 1.0)], [(0, 1.0), (2, 1.0)], []])
    np.testing.assert_allclose(isomap(uneven, 1), isomap(even, 1))


def test_the_iterative_and_the_dense_eigensolver_agree(monkeypatch):
    rng = np.random.default_rng(0)
    graph = graphs.knn(rng.uniform(size=(150, 2)) * [3, 1], 8)
    dense = isomap(graph, 2)
    monkeypatch.setattr(_isomap, "SMALL", 10)
    monkeypatch.setattr(_isomap, "ROWS", 64)
    iterative = isomap(graph, 2)
    np.testing.assert_allclose(iterative, dense, atol=1e-9 * np.abs(dense).max())
    np.testing.assert_array_equal(iterative, isomap(graph, 2))


def test_refusals(monkeypatch):
    pair = graphs.from_lists([[(1, 1.0)], [(0, 1.0)]])
    for d in (0, 2, 1.5):
        with pytest.raises(
            ValueError, match=r"n_components must be an integer and lie in \[1, 1\] for 2 samples"
        ):
            isomap(pair, d)
    with pytest.raises(ValueError, match=r"graph must be connected .*; this one has 3 components"):
        isomap(graphs.from_lists([[(1, 1.0)], [], [], []]), 1)
    large = graphs.from_lists([[] for _ in range(50_000)])
    with pytest.raises(
        ValueError, match="needs a dense matrix: n = 50000 would need 20 GB; the limit is 10000"
    ):
        isomap(large, 1)


def test_it_holds_little_more_than_one_dense_array(monkeypatch):
    graph = graphs.knn(np.random.default_rng(0).random((600, 2)), 8)
    monkeypatch.setattr(_isomap, "ROWS", 64)
    tracemalloc.start()
    try:
        phi = isomap(graph, 2)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.6 * phi.nbytes
