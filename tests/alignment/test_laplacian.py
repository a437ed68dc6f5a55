import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csgraph

from reference import alignment as oracle
from reference import graphs
from trigpoint.alignment import degrees, laplacian
from trigpoint.alignment._weights import edge_weights

CLOUDS = hnp.arrays(np.float64, st.tuples(st.integers(2, 12), st.integers(1, 3)), elements=st.integers(-2, 2))
KERNELS = ("self_tuning", "heat", "binary", "distance")


def test_a_path_by_hand():
    path = graphs.from_lists([[(1, 1.0)], [(0, 1.0), (2, 2.0)], [(1, 2.0)]])
    np.testing.assert_array_equal(laplacian(path, "binary").toarray(), [[1, -1, 0], [-1, 2, -1], [0, -1, 1]])
    np.testing.assert_array_equal(
        laplacian(path, "distance").toarray(), [[1, -1, 0], [-1, 3, -2], [0, -2, 2]]
    )
    half = 2**-0.5
    np.testing.assert_allclose(
        laplacian(path, "binary", normalized=True).toarray(),
        [[1, -half, 0], [-half, 1, -half], [0, -half, 1]],
    )
    np.testing.assert_array_equal(degrees(path, "binary"), [1, 2, 1])


@given(CLOUDS, st.data(), st.sampled_from(KERNELS), st.booleans())
def test_laplacian_matches_the_definition(X, data, name, normalized):
    graph = graphs.knn(X, data.draw(st.integers(1, len(X) - 1)))
    phi = laplacian(graph, name, normalized=normalized)
    np.testing.assert_allclose(
        phi.toarray(), oracle.laplacian(graph, name, normalized), rtol=1e-6, atol=1e-14
    )
    phi = laplacian(graph, name, normalized=normalized, perplexity=None)
    np.testing.assert_allclose(
        phi.toarray(), oracle.laplacian(graph, name, normalized, perplexity=None), rtol=1e-12, atol=1e-14
    )


@given(CLOUDS, st.data(), st.sampled_from(KERNELS))
def test_the_normalized_null_vector_is_the_root_of_the_degrees(X, data, name):
    graph = graphs.knn(X, data.draw(st.integers(1, len(X) - 1)))
    root = np.sqrt(degrees(graph, name))
    np.testing.assert_allclose(
        laplacian(graph, name, normalized=True) @ root, 0, atol=1e-13 * (1 + root.max())
    )


@pytest.mark.parametrize("normalized", [False, True])
def test_agrees_with_scipy(normalized):
    graph = graphs.knn(np.random.default_rng(0).normal(size=(60, 4)), 7)
    expected = csgraph.laplacian(edge_weights(graph, "self_tuning"), normed=normalized)
    np.testing.assert_allclose(
        laplacian(graph, normalized=normalized).toarray(), expected.toarray(), rtol=1e-12, atol=1e-14
    )


@pytest.mark.parametrize("normalized", [False, True])
def test_isolated_samples_have_a_zero_row_and_a_stored_diagonal(normalized):
    graph = graphs.from_lists([[(1, 1.0)], [(0, 1.0)], []])
    phi = laplacian(graph, normalized=normalized)
    assert phi[2, 2] == 0
    assert phi.indices[phi.indptr[2] : phi.indptr[3]].tolist() == [2]
    assert degrees(graph)[2] == 0


def test_the_authors_heat_laplacian(reference_folder):
    """Theirs is on the union of both directions with K = 8; sigma is read off one edge."""
    for seed in (0, 1):
        arrays = np.load(reference_folder / f"toolbox_torus_{seed}.npz")
        graph = graphs.knn(arrays["X"], int(arrays["n_neighbors"]))
        theirs = arrays["laplacian"]
        sigma = graph.distances[0] / np.sqrt(-np.log(-theirs[0, graph.indices[0]]))
        np.testing.assert_allclose(laplacian(graph, "heat", sigma=sigma).toarray(), theirs, atol=1e-9)


def test_sigma_reaches_the_kernel():
    graph = graphs.knn(np.arange(5.0)[:, None], 2)
    expected = oracle.laplacian(graph, "heat", sigma=3.0)
    np.testing.assert_allclose(laplacian(graph, "heat", sigma=3.0).toarray(), expected)
    np.testing.assert_allclose(degrees(graph, "heat", sigma=3.0), np.diag(expected))


def test_perplexity_reaches_the_kernel():
    graph = graphs.knn(np.random.default_rng(0).normal(size=(30, 2)), 8)
    for perplexity in (2.0, 5.0, None):
        expected = oracle.laplacian(graph, "self_tuning", perplexity=perplexity)
        np.testing.assert_allclose(
            laplacian(graph, perplexity=perplexity).toarray(), expected, rtol=1e-6, atol=1e-12
        )
        np.testing.assert_allclose(degrees(graph, perplexity=perplexity), np.diag(expected), rtol=1e-6)
    np.testing.assert_array_equal(laplacian(graph).toarray(), laplacian(graph, perplexity=5.0).toarray())


def test_refusals():
    graph = graphs.from_lists([[(1, 1.0)], [(0, 1.0)]])
    with pytest.raises(ValueError, match="sigma must be a finite number greater than 0; got -1"):
        laplacian(graph, "heat", sigma=-1)
    with pytest.raises(ValueError, match="weights must be one of"):
        degrees(graph, "cosine")
