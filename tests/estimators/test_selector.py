import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.base import clone

import trigpoint as tp


@pytest.fixture(scope="module", name="X")
def pool():
    return np.random.default_rng(0).normal(size=(120, 3))


@pytest.mark.parametrize("method", ["auto", "random", "kmeans", "gcls", "nystrom"])
def test_it_is_the_function(X, method):
    graph = tp.neighbor_graph(X, 8)
    phi = tp.laplacian(graph)
    want = tp.select(phi, 7, method=method, X=X, graph=graph, random_state=3)
    selector = tp.LandmarkSelector(7, method=method, view="raw", n_neighbors=8, random_state=3)
    assert selector.fit(X) is selector
    np.testing.assert_array_equal(selector.landmarks_, want)
    assert selector.landmarks_.dtype == np.int64
    assert (selector.alignment_matrix_ != phi).nnz == 0
    np.testing.assert_array_equal(selector.graph_.indices, graph.indices)
    assert selector.n_features_in_ == 3


def test_alignments_and_options_go_through(X):
    graph = tp.neighbor_graph(X, 8)
    circles = tp.LandmarkSelector(
        5,
        method="gcls",
        options={"strategy": "two_candidates"},
        alignment="ltsa",
        alignment_options={"n_components": 2},
        view="raw",
        n_neighbors=8,
    ).fit(X)
    want = tp.select(tp.ltsa(graph, X, 2), 5, method="gcls", strategy="two_candidates")
    np.testing.assert_array_equal(circles.landmarks_, want)
    two = {"alignment": "isomap", "alignment_options": {"n_components": 2}, "view": "raw"}
    dense = tp.LandmarkSelector(4, method="gaussian_field", n_neighbors=8, **two).fit(X)
    np.testing.assert_allclose(dense.alignment_matrix_, tp.isomap(graph, 2))
    for name, phi in (("lle", tp.lle(graph, X)), ("diffusion", tp.diffusion(graph))):
        found = tp.LandmarkSelector(4, alignment=name, view="raw", n_neighbors=8).fit(X).landmarks_
        np.testing.assert_array_equal(found, tp.select(phi, 4))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"method": "kmeans", "alignment": "diffusion"},
            "alignment has no effect on method='kmeans', which does not use it; "
            "those that do: facility, .*gcls, .*; got 'diffusion'.",
        ),
        (
            {"method": "random", "alignment_options": {"weights": "binary"}},
            "alignment has no effect on method='random', .*; got 'laplacian'.",
        ),
        (
            {"alignment": "isomap", "alignment_options": {"n_components": 2}},
            "alignment must be sparse for method='auto', .* by: nystrom, gaussian_field, .*; got 'isomap'.",
        ),
    ],
)
def test_an_alignment_that_would_not_count_is_refused_before_the_graph_is_built(
    X, monkeypatch, options, message
):
    monkeypatch.setattr("trigpoint.prediction._pool_views.neighbor_graph", None)  # calling it would fail
    with pytest.raises(tp.InputError, match=message) as refused:
        tp.LandmarkSelector(4, **options).fit(X)
    assert refused.value.argument == "alignment"


def test_labeled_samples_are_taken_into_account(X):
    first = tp.LandmarkSelector(10, random_state=0).fit(X).landmarks_
    more = tp.LandmarkSelector(4, initial=first[:6], random_state=0).fit(X).landmarks_
    np.testing.assert_array_equal(more, first[6:])  # ten landmarks in all, so at the same scale
    assert not set(more) & set(first[:6])


def test_a_small_pool_is_chosen_whole_with_a_warning(X):
    with pytest.warns(UserWarning, match="n_landmarks=50 is more than the 8 samples to choose from"):
        picks = tp.LandmarkSelector(initial=[0, 1]).fit(X[:10]).landmarks_
    assert sorted(picks) == list(range(2, 10))
    with pytest.raises(ValueError, match="initial"):
        tp.LandmarkSelector(1, initial=np.arange(10)).fit(X[:10])


def test_n_neighbors_is_capped_by_the_pool(X):
    selector = tp.LandmarkSelector(2).fit(X[:5])
    assert selector.graph_.n_neighbors == 4
    assert selector.n_neighbors == 15


def test_distances_instead_of_features(X):
    D = cdist(X, X)
    want = tp.LandmarkSelector(6, view="raw", random_state=0).fit(X)
    got = tp.LandmarkSelector(6, metric="precomputed", random_state=0).fit(D)
    np.testing.assert_array_equal(got.landmarks_, want.landmarks_)
    ring = sparse.csr_array(np.roll(np.eye(9), 1, axis=1) + np.roll(np.eye(9), -1, axis=1))
    whole = tp.LandmarkSelector(3, metric="precomputed", n_neighbors=None, random_state=0).fit(ring)
    assert whole.graph_.n_neighbors == 2
    graph = tp.neighbor_graph(ring, None, metric="precomputed")
    want = tp.select(tp.laplacian(graph), 3, graph=graph, random_state=0)
    np.testing.assert_array_equal(whole.landmarks_, want)
    with pytest.raises(ValueError, match="X must be given for method='volume'"):
        tp.LandmarkSelector(3, method="volume", metric="precomputed").fit(D)


def test_square_sparse_features_are_features():
    """neighbor_graph alone would take this matrix for distances."""
    X = sparse.csr_array(np.abs(np.random.default_rng(0).integers(-5, 3, (30, 30)).clip(0)))
    X.setdiag(0)
    X.eliminate_zeros()
    selector = tp.LandmarkSelector(4, view="raw", n_neighbors=5, random_state=0).fit(X)
    dense = tp.LandmarkSelector(4, view="raw", n_neighbors=5, random_state=0).fit(X.toarray())
    assert selector.graph_.metric == "euclidean"
    assert selector.n_features_in_ == 30
    np.testing.assert_array_equal(selector.landmarks_, dense.landmarks_)


def test_there_is_nothing_to_transform(X):
    assert not hasattr(tp.LandmarkSelector(), "transform")
    assert not hasattr(tp.LandmarkSelector(), "fit_transform")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"method": "best"}, "method must be one of"),
        ({"alignment": "pca"}, "alignment must be one of 'laplacian', 'diffusion'"),
        ({"metric": "manhattan"}, "metric must be one of"),
        (
            {"view": "best"},
            "view must be one of 'auto', 'raw', 'standard', 'half_white', 'white'",
        ),
        ({"view": "white", "metric": "cosine"}, "view must be 'auto' or 'raw' with metric='cosine'"),
        ({"n_neighbors": 0}, "n_neighbors must be an integer and be at least 1; got 0"),
        ({"n_neighbors": None}, "n_neighbors must be an integer"),
        ({"n_landmarks": 2.5}, "n_landmarks must be an integer"),
        ({"options": {"speed": 1}}, "speed is not an option of method='auto'"),
        ({"options": ["speed"]}, "options must be None or a dict"),
        (
            {"alignment_options": {"sigm": 1.0}},
            "sigm is not an option of alignment='laplacian', whose options",
        ),
        ({"alignment": "ltsa"}, "alignment_options must hold n_components for 'ltsa'"),
        ({"alignment_options": {1: 2}}, "alignment_options must be None or a dict"),
    ],
)
def test_what_is_refused(X, parameters, message):
    with pytest.raises(ValueError, match=message):
        clone(tp.LandmarkSelector(4)).set_params(**parameters).fit(X)


def test_one_sample_is_no_pool(X):
    with pytest.raises(ValueError, match="1 sample"):
        tp.LandmarkSelector(1).fit(X[:1])


def test_features_are_missed_by_name(X):
    D = cdist(X, X)
    with pytest.raises(ValueError, match="alignment='lle' needs features"):
        tp.LandmarkSelector(3, alignment="lle", metric="precomputed").fit(D)
    with pytest.raises(ValueError, match="X must be a square matrix"):
        tp.LandmarkSelector(3, metric="precomputed").fit(D[:, :9])
