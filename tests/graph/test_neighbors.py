import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsTransformer

import trigpoint as tp
from reference import graph as oracle
from trigpoint._errors import InputError
from trigpoint.graph import nearest

small_integer_clouds = st.integers(1, 7).flatmap(
    lambda p: st.integers(2, 30).flatmap(
        lambda n: arrays(np.float64, (n, p), elements=st.integers(-3, 3).map(float))
    )
)


@pytest.fixture(scope="module", params=["small", "large"])
def size(request):
    """Small pools are searched without compiled code; test that, and what large ones get."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "large":
            patch.setattr("trigpoint.graph._exact.FEW", 0)
        yield request.param


def lattice(graph):
    return graph.distances.reshape(graph.n_samples, -1)


def test_a_line_of_points():
    graph = tp.neighbor_graph([[0.0], [1.0], [3.0], [7.0]], 2)
    assert graph.neighbors.tolist() == [[1, 2], [0, 2], [1, 0], [2, 1]]
    assert_array_equal(lattice(graph), [[1, 3], [1, 2], [2, 3], [4, 6]])
    assert (graph.method, graph.recall, graph.n_neighbors, graph.n_components) == ("exact", 1.0, 2, 1)


@pytest.mark.usefixtures("size")
@given(small_integer_clouds, st.data())
def test_exact_search_matches_the_definition_ties_included(X, data):
    k = data.draw(st.integers(1, len(X) - 1))
    graph = tp.neighbor_graph(X, k, method="exact")
    D, nearest = oracle.neighbors(X, k)
    assert_array_equal(lattice(graph), D)
    copies = (X[:, None] == X[None]).all(axis=2).sum(axis=1)
    lone = copies <= k + 1  # the members of a crowd take a ring instead of the lowest indices
    nobody_in_a_crowd = lone.all()
    if nobody_in_a_crowd:
        assert_array_equal(graph.neighbors, nearest)
    assert (graph.neighbors != np.arange(len(X))[:, None]).all()
    assert all(len(set(row)) == k for row in graph.neighbors.tolist())


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("p", [2, 5, 6, 40])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exact_search_matches_the_definition(metric, p, dtype):
    X = np.random.default_rng(p).normal(1, 1, size=(700, p)).astype(dtype)
    D, nearest = oracle.neighbors(X, 9, metric)
    graph = tp.neighbor_graph(X, 9, metric=metric)
    assert_array_equal(graph.neighbors, nearest)
    assert_allclose(lattice(graph), D, rtol=1e-12, atol=1e-15)


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize("offset", [1e3, 1e6])
def test_tight_clusters_far_apart_are_still_exact(offset):
    """float32 products cannot see inside these clusters, and at 1e6 barely float64 ones."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(60, 8)) * 1e-3 + c for c in (0, offset, -offset)])
    D, nearest = oracle.neighbors(X, 5)
    graph = tp.neighbor_graph(X, 5)
    assert_array_equal(graph.neighbors, nearest)
    assert_allclose(lattice(graph), D, rtol=1e-14)
    assert graph.n_components >= 3


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize("p", [3, 10])
@pytest.mark.parametrize("scale", [1e-200, 1e-160, 1e-23, 1e19, 1e100, 1e160, 1e200])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_neither_large_nor_small_numbers_change_the_neighbors(p, scale, metric):
    X = np.random.default_rng(0).normal(size=(300, p))
    expected = tp.neighbor_graph(X, 5, metric=metric)
    for form in (np.asarray, sparse.csr_array):
        graph = tp.neighbor_graph(form(X * scale), 5, metric=metric)
        assert_array_equal(graph.neighbors, expected.neighbors)
        factor = scale if metric == "euclidean" else 1.0
        assert_allclose(graph.distances, expected.distances * factor, rtol=1e-9, atol=1e-14 * factor)


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize("p", [2, 10])
@pytest.mark.parametrize("far", [1e9, 1e20, 1e36, 1e150])
def test_an_outlier_changes_nothing_for_the_others(p, far):
    X = np.random.default_rng(0).normal(size=(400, p))
    expected = tp.neighbor_graph(X, 5).neighbors
    graph = tp.neighbor_graph(np.vstack([X, np.full((1, p), far)]), 5)
    assert_array_equal(graph.neighbors[:400], expected)
    assert (graph.neighbors[400] < 400).all()


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_heavy_tails_are_exact(form):
    rng = np.random.default_rng(0)
    for X in (
        10.0 ** rng.uniform(-14, 6, (500, 1)),
        10.0 ** rng.uniform(-8, 6, (500, 8)),
        np.concatenate([rng.normal(size=(200, 2)) * 3e-11, rng.normal(size=(40, 2)) + 1e6]),
        np.concatenate([rng.normal(size=(99, 8)) * 1e-3 + c for c in (0, 1e6, -1e6)]),
    ):
        D, nearest_ = oracle.neighbors(X, 5)
        graph = tp.neighbor_graph(form(X), 5)
        assert_allclose(lattice(graph), D, rtol=1e-13)
        assert_array_equal(graph.neighbors, nearest_)


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("p", [3, 6])
def test_ties_of_halves_and_of_grids_go_to_the_lower_index(form, p):
    rng = np.random.default_rng(0)
    grid = np.stack(np.meshgrid(*[np.arange(3)] * p), axis=-1).reshape(-1, p)
    for X in (grid * 0.5, grid * 1.0, rng.integers(-2, 3, (300, p)) * 0.5):
        graph = tp.neighbor_graph(form(X), 9)
        D, nearest_ = oracle.neighbors(X, 9)
        assert_array_equal(lattice(graph), D)
        copies = (X[:, None] == X[None]).all(axis=2).sum(axis=1)
        if copies.max() <= 10:
            assert_array_equal(graph.neighbors, nearest_)


def test_sparse_crowds_have_no_hub():
    rng = np.random.default_rng(0)
    X = sparse.csr_array(np.vstack([np.zeros((200, 40)), rng.random((100, 40))]))
    graph = tp.neighbor_graph(X, 5)
    assert np.bincount(graph.indices[: 200 * 5]).max() == 5
    assert (graph.neighbors != np.arange(300)[:, None]).all()


def test_clusters_that_float32_cannot_see_turn_the_approximate_search_exact():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 8))[rng.integers(200, size=5000)]
    X += 1e-6 * rng.normal(size=X.shape)
    graph = tp.neighbor_graph(X, 5, method="approximate")
    assert graph.recall >= 0.95
    exact = tp.neighbor_graph(X, 5, method="exact")
    assert np.mean(lattice(graph) <= lattice(exact)[:, -1:] * (1 + 1e-12)) >= 0.95


@pytest.mark.parametrize("whole", [True, False])
def test_small_pools_give_the_graph_that_compiled_code_gives(monkeypatch, whole):
    X = np.random.default_rng(0).normal(size=(1200, 12)) * 3
    X = np.rint(X) if whole else X
    small = tp.neighbor_graph(X, 10)
    monkeypatch.setattr("trigpoint.graph._exact.FEW", 0)
    large = tp.neighbor_graph(X, 10)
    assert_array_equal(small.indices, large.indices)
    assert_allclose(small.distances, large.distances, rtol=1e-15)


def test_crowds_of_identical_rows_stay_linked_and_cheap():
    X = np.concatenate([np.zeros((500, 3)), np.random.default_rng(0).normal(size=(50, 3))])
    graph = tp.neighbor_graph(X, 4)
    D, _ = oracle.neighbors(X, 4)
    assert_allclose(lattice(graph), D, rtol=1e-14)
    crowd = graph.neighbors[:500]
    assert len(set(graph.components[:500])) == 1
    assert np.bincount(crowd.ravel()).max() == 4, "no member of the crowd is a hub"


def test_approximate_search_reaches_and_reports_its_recall():
    rng = np.random.default_rng(0)
    X = np.tanh(rng.normal(size=(6000, 4)) @ rng.normal(size=(4, 20)))
    graph = tp.neighbor_graph(X, 10, method="approximate")
    assert graph.method == "approximate"
    exact = tp.neighbor_graph(X, 10, method="exact")
    recall = np.mean(lattice(graph) <= lattice(exact)[:, -1:] * (1 + 1e-12))
    assert recall >= 0.99
    assert abs(graph.recall - recall) < 0.01


def test_approximate_search_repeats_exactly_and_heeds_its_seed():
    X = np.random.default_rng(0).normal(size=(4000, 6))
    first, second, other = (tp.neighbor_graph(X, 10, method="approximate", random_state=s) for s in (1, 1, 2))
    assert_array_equal(first.indices, second.indices)
    assert_array_equal(first.distances, second.distances)
    assert first.recall == second.recall
    assert (first.indices != other.indices).any()


def test_results_do_not_depend_on_the_number_of_threads(monkeypatch):
    X = np.random.default_rng(0).normal(size=(5000, 6))
    many = tp.neighbor_graph(X, 10, method="approximate")
    monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda: 1)
    one = tp.neighbor_graph(X, 10, method="approximate")
    assert_array_equal(many.indices, one.indices)
    assert_array_equal(many.distances, one.distances)


def test_a_poor_recall_is_said(monkeypatch):
    for module in ("_inverted_lists", "_search"):
        monkeypatch.setattr(f"trigpoint.graph.{module}.MAX_SCAN", 200)
    X = np.random.default_rng(0).normal(size=(3000, 30))
    with pytest.warns(UserWarning, match=r"found \d+.\d% of the true neighbors") as told:
        graph = tp.neighbor_graph(X, 10, method="approximate")
    assert graph.recall < 0.95
    with pytest.warns(UserWarning, match=r"found \d+.\d% of the true neighbors") as told_again:
        nearest(X, X[:2000], 10, method="approximate")
    assert told[0].filename == told_again[0].filename == __file__, "the warning points at the caller"


def test_hard_pools_turn_exact_where_probing_costs_as_much():
    X = np.random.default_rng(0).normal(size=(3000, 60))
    graph = tp.neighbor_graph(X, 10, method="approximate")
    assert (graph.method, graph.recall) == ("exact", 1.0)


def test_copies_of_one_row_do_not_break_the_approximate_search():
    rng = np.random.default_rng(0)
    X = np.concatenate([np.ones((3000, 8)), np.ones((500, 8)) + 1e-3 * rng.normal(size=(500, 8))])
    X = np.concatenate([X, rng.normal(size=(3000, 8))])
    graph = tp.neighbor_graph(X, 5, method="approximate")
    assert graph.recall >= 0.95
    assert (graph.neighbors != np.arange(len(X))[:, None]).all()


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_sparse_rows_give_the_graph_of_the_dense_ones(metric):
    X = sparse.random_array((300, 400), density=0.05, rng=np.random.default_rng(0)).tocsr()
    D, nearest = oracle.neighbors(X.toarray(), 6, metric)
    for form in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        graph = tp.neighbor_graph(form(X), 6, metric=metric)
        assert_allclose(lattice(graph), D, rtol=1e-10, atol=1e-12)
        assert_array_equal(graph.neighbors, nearest)


@pytest.mark.parametrize(("p", "expected"), [(40, 0.99), (1000, 0.85)])
@pytest.mark.filterwarnings("ignore:the approximate search found 9")
def test_approximate_search_of_sparse_rows(p, expected):
    """Past a few hundred features candidates come from an SVD, which misses some; the recall says so."""
    rng = np.random.default_rng(0)
    topics = rng.random((20, p)) ** 40
    X = sparse.csr_array(rng.poisson(20 * topics[rng.integers(20, size=4000)]) + np.eye(1, p))
    graph = tp.neighbor_graph(X, 10, method="approximate", metric="cosine")
    exact = tp.neighbor_graph(X, 10, method="exact", metric="cosine")
    recall = np.mean(lattice(graph) <= lattice(exact)[:, -1:] * (1 + 1e-12))
    assert abs(graph.recall - recall) < 0.03
    assert recall > expected


def test_read_only_fortran_and_sliced_pools():
    X = np.random.default_rng(0).normal(size=(200, 8))
    expected = tp.neighbor_graph(X, 5).neighbors
    frozen = X.copy()
    frozen.flags.writeable = False
    for same in (frozen, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], X.tolist()):
        assert_array_equal(tp.neighbor_graph(same, 5).neighbors, expected)


def test_permuting_the_pool_permutes_the_graph():
    rng = np.random.default_rng(0)
    X, order = rng.normal(size=(300, 7)), rng.permutation(300)
    graph, moved = tp.neighbor_graph(X, 5), tp.neighbor_graph(X[order], 5)
    assert_array_equal(order[moved.neighbors], graph.neighbors[order])


def test_rotation_and_shift_leave_the_neighbors_alone():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 7))
    turn = np.linalg.qr(rng.normal(size=(7, 7)))[0]
    assert_array_equal(tp.neighbor_graph(X @ turn + 100, 5).neighbors, tp.neighbor_graph(X, 5).neighbors)


def test_two_samples_and_all_others_as_neighbors():
    assert tp.neighbor_graph([[0.0], [1.0]], 1).neighbors.tolist() == [[1], [0]]
    X = np.random.default_rng(0).normal(size=(12, 9))
    assert_array_equal(tp.neighbor_graph(X, 11).neighbors, oracle.neighbors(X, 11)[1])


def test_components_are_counted():
    X = np.concatenate([np.arange(5.0), 100 + np.arange(5.0)])[:, None]
    graph = tp.neighbor_graph(X, 2)
    assert graph.n_components == 2
    assert_array_equal(graph.components, np.repeat([0, 1], 5))
    assert "components=2" in repr(graph)


def test_any_kneighbors_transformer_will_do():
    X = np.random.default_rng(0).normal(size=(100, 4))
    transformer = KNeighborsTransformer(n_neighbors=6, mode="distance")
    graph = tp.neighbor_graph(X, 6, method=transformer)
    assert_array_equal(graph.neighbors, oracle.neighbors(X, 6)[1])
    assert graph.method == "KNeighborsTransformer"
    assert graph.metric == "euclidean"
    assert np.isnan(graph.recall)
    assert not hasattr(transformer, "n_features_in_"), "the user's transformer is left unfitted"


class TestPrecomputed:
    def test_a_sparse_graph_keeps_zero_distances_and_drops_the_diagonal(self):
        rows, cols = [0, 0, 0, 1, 2, 3], [0, 1, 2, 0, 3, 2]
        D = sparse.csr_array(([0.0, 0.0, 2.0, 0.0, 1.0, 1.0], (rows, cols)), shape=(5, 5))
        graph = tp.neighbor_graph(D, 2, metric="precomputed")
        assert graph.indices.tolist() == [1, 2, 0, 3, 2]
        assert graph.distances.tolist() == [0, 2, 0, 1, 1]
        assert graph.isolated.tolist() == [4]
        assert graph.n_components == 2
        assert graph.n_neighbors is None

    def test_each_row_keeps_its_nearest(self):
        X = np.random.default_rng(0).normal(size=(40, 3))
        D = oracle.distances(X, X)
        for form in (D, sparse.csr_array(D)):
            graph = tp.neighbor_graph(form, 5, metric="precomputed")
            assert_array_equal(graph.neighbors, oracle.neighbors(X, 5)[1])
        everything = tp.neighbor_graph(D, None, metric="precomputed")
        assert everything.n_neighbors == 39

    @pytest.mark.parametrize(
        ("D", "message"),
        [
            (np.ones((3, 4)), r"X must be a square matrix, .* got shape \(3, 4\)"),
            (-np.eye(3), "X must hold distances of at least 0 for metric='precomputed'; got -1"),
            (1j * np.eye(3), "X must hold real numbers; got dtype complex128"),
            (np.full((3, 3), np.nan), "X must hold finite numbers only; got 9 NaN"),
        ],
    )
    def test_what_is_no_distance_matrix_is_refused(self, D, message):
        for form in (D, sparse.csr_array(D)):
            with pytest.raises(ValueError, match=message):
                tp.neighbor_graph(form, 1, metric="precomputed")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0], [np.nan]], 1), r"X must hold finite numbers only; got 1 NaN .* nan at \(1, 0\)"),
        (([[1.0], [np.inf]], 1), r"X must hold finite numbers only; got 1 NaN or infinite, first inf"),
        (([1.0, 2.0], 1), r"X must be two-dimensional, .* got shape \(2,\)"),
        ((np.empty((0, 3)), 1), r"X must hold at least one sample .* got shape \(0, 3\)"),
        ((np.empty((3, 0)), 1), r"X must hold at least one sample .* got shape \(3, 0\)"),
        ((3.0, 1), r"X must be two-dimensional, .* got shape \(\)"),
        ((np.ma.masked_less([[1.0], [2.0]], 1.5), 1), "X must have no masked entries; got 1"),
        ((sparse.coo_array([1.0, 2.0]), 1), r"X must be two-dimensional; got a sparse array of shape \(2,\)"),
        (([["a"], ["b"]], 1), r"X must hold real numbers; got dtype <U1"),
        (([[1j], [2.0]], 1), "X must hold real numbers; got dtype complex128"),
        (([[1.0]], 1), "X must hold at least 2 samples .* got 1"),
        (([[1.0], [2.0]], 2), r"n_neighbors must be an integer and lie in \[1, 1\] for 2 samples; got 2"),
        (([[1.0], [2.0]], 0), r"n_neighbors must .* got 0"),
        (([[1.0], [2.0]], 1.5), r"n_neighbors must be an integer .* got 1.5"),
        (([[1.0], [2.0]], True), r"n_neighbors must be an integer .* got True"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        tp.neighbor_graph(*arguments)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_square_sparse_features_are_features_unless_the_caller_says_precomputed(metric):
    D = sparse.random_array((60, 60), density=0.2, rng=np.random.default_rng(0)).tolil()
    D.setdiag(0)
    D = sparse.csr_array(D)
    D.eliminate_zeros()
    for form in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        graph, expected = (tp.neighbor_graph(X, 4, metric=metric) for X in (form(D), D.toarray()))
        assert graph.metric == metric
        assert_array_equal(graph.neighbors, expected.neighbors)
        assert_allclose(graph.distances, expected.distances, rtol=1e-12, atol=1e-12)
    given = tp.neighbor_graph(
        sparse.csr_array(np.array([[0.0, 2, 1], [2, 0, 3], [1, 3, 0]])), 1, metric="precomputed"
    )
    assert given.metric == "precomputed"
    assert given.neighbors.ravel().tolist() == [2, 0, 0]


def test_fifteen_neighbors_by_default_and_fewer_in_smaller_pools():
    X = np.random.default_rng(0).normal(size=(30, 3))
    assert tp.neighbor_graph(X).n_neighbors == 15
    assert tp.neighbor_graph(X[:5]).n_neighbors == 4
    assert tp.neighbor_graph(oracle.distances(X[:5], X[:5]), metric="precomputed").n_neighbors == 4
    with pytest.raises(InputError, match=r"n_neighbors must .* \[1, 4\] for 5 samples; got 15"):
        tp.neighbor_graph(X[:5], 15)
    with pytest.raises(InputError, match="X must hold at least 2 samples"):
        tp.neighbor_graph(X[:1])


def test_transformers_that_do_not_fit_are_refused():
    X = np.random.default_rng(0).normal(size=(30, 4))
    few = KNeighborsTransformer(n_neighbors=3)
    with pytest.raises(ValueError, match="at most what KNeighborsTransformer finds, 3; got 10"):
        tp.neighbor_graph(X, 10, method=few)
    with pytest.raises(
        ValueError, match=r"metric must be left to the transformer .*, which has its own; got 'cosine'"
    ):
        tp.neighbor_graph(X, 3, method=few, metric="cosine")
    with pytest.raises(ValueError, match=r"PCA gave ndarray of shape \(30, 2\)"):
        tp.neighbor_graph(X, 3, method=PCA(2))
    with pytest.raises(ValueError, match="method must be 'auto' if the distances are given; got 'exact'"):
        tp.neighbor_graph(np.ones((3, 3)), 1, metric="precomputed", method="exact")


def test_unknown_names_are_refused():
    X = np.eye(4)
    with pytest.raises(ValueError, match=r"metric must be one of 'euclidean', 'cosine', .*; got 'manhattan'"):
        tp.neighbor_graph(X, 2, metric="manhattan")
    with pytest.raises(ValueError, match=r"method must be one of 'auto', .*; got 'hnsw'"):
        tp.neighbor_graph(X, 2, method="hnsw")
    with pytest.raises(ValueError, match="mode='distance'; got mode='connectivity'"):
        tp.neighbor_graph(X, 2, method=KNeighborsTransformer(mode="connectivity"))


def test_the_graph_is_read_only():
    graph = tp.neighbor_graph(np.eye(4), 2)
    with pytest.raises(ValueError, match="read-only"):
        graph.indices[0] = 3
    with pytest.raises(AttributeError):
        graph.recall = 0.5


def test_the_callers_arrays_stay_writable_and_pickles_are_read_only():
    distances = np.ones(2)
    graph = tp.NeighborGraph(np.array([0, 1, 2]), np.array([1, 0], dtype=np.int32), distances)
    distances[0] = 5.0
    again = pickle.loads(pickle.dumps(graph))
    assert_array_equal(again.indices, graph.indices)
    assert again.recall == graph.recall
    with pytest.raises(ValueError, match="read-only"):
        again.distances[0] = 3
