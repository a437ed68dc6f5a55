"""The laws that every alignment matrix obeys, whatever its maker."""

import numpy as np
import pytest
from scipy import sparse

from reference import graphs
from trigpoint import alignment

MAKERS = {
    "self_tuning": lambda X, g: alignment.laplacian(g),
    "heat": lambda X, g: alignment.laplacian(g, "heat"),
    "distance": lambda X, g: alignment.laplacian(g, "distance"),
    "diffusion": lambda X, g: alignment.diffusion(g),
    "lle": lambda X, g: alignment.lle(g, X),
    "lle_reg": lambda X, g: alignment.lle(g, X, reg=1e-3),
    "ltsa": lambda X, g: alignment.ltsa(g, X, 2),
    "ltsa_others": lambda X, g: alignment.ltsa(g, X, 2, include_self=False),
    "isomap": lambda X, g: alignment.isomap(g, 2),
}
WITH_FEATURES = ["lle", "lle_reg", "ltsa", "ltsa_others"]


def pool(kind, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 4))
    if kind == "duplicates":
        X[20:] = X[:20]
    elif kind == "apart":
        X[20:] += 1000.0
    elif kind == "roll":
        t = np.linspace(1, 7, 40)
        X = np.c_[t * np.cos(t), t * np.sin(t), rng.uniform(0, 3, 40)]
    elif kind == "hub":
        X = np.r_[np.zeros((1, 4)), X / np.linalg.norm(X, axis=1, keepdims=True)]
    return X


def dense(phi):
    return phi.toarray() if sparse.issparse(phi) else phi


@pytest.mark.parametrize("kind", ["plain", "duplicates", "apart", "roll", "hub"])
@pytest.mark.parametrize("name", MAKERS)
def test_symmetric_psd_and_constants_cost_nothing(name, kind):
    X = pool(kind)
    graph = graphs.knn(X, 7)
    if name == "isomap" and graph.n_components > 1:
        with pytest.raises(ValueError, match="graph must be connected"):
            MAKERS[name](X, graph)
        return
    phi = MAKERS[name](X, graph)
    if name != "isomap":
        assert isinstance(phi, sparse.csr_array)
        assert phi.has_canonical_format
        rows = np.repeat(np.arange(len(X)), np.diff(phi.indptr))
        assert np.count_nonzero(rows == phi.indices) == len(X)
    assert phi.dtype == np.float64
    A = dense(phi)
    scale = np.abs(A).max()
    np.testing.assert_array_equal(A, A.T)
    assert np.linalg.eigvalsh(A)[0] > -1e-12 * len(A) * scale
    np.testing.assert_allclose(A.sum(axis=1), 0, atol=1e-12 * len(A) * scale)


@pytest.mark.parametrize("name", MAKERS)
def test_rigid_motions_change_nothing(name):
    X = pool("plain")
    Q = np.linalg.qr(np.random.default_rng(1).normal(size=(4, 4)))[0]
    moved = X @ Q + [1.0, -2.0, 3.0, 0.5]
    before, after = (dense(MAKERS[name](Z, graphs.knn(Z, 7))) for Z in (X, moved))
    np.testing.assert_allclose(before, after, atol=1e-9 * np.abs(before).max())


@pytest.mark.parametrize("name", MAKERS)
def test_renaming_samples_renames_rows_and_columns(name):
    X = pool("plain")
    graph = graphs.knn(X, 7)
    order = np.random.default_rng(2).permutation(len(X))
    before = dense(MAKERS[name](X, graph))[np.ix_(order, order)]
    after = dense(MAKERS[name](X[order], graphs.permuted(graph, order)))
    np.testing.assert_allclose(before, after, atol=1e-10 * np.abs(before).max())


@pytest.mark.parametrize("name", MAKERS)
def test_two_samples_and_three(name):
    for n in (2, 3):
        X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 1.0]])[:n]
        graph = graphs.knn(X, n - 1)
        if "ltsa" in name or (name == "isomap" and n == 2):
            with pytest.raises(ValueError, match="n_components must"):
                MAKERS[name](X, graph)
        else:
            A = dense(MAKERS[name](X, graph))
            np.testing.assert_allclose(A.sum(axis=1), 0, atol=1e-9)


@pytest.mark.parametrize("name", WITH_FEATURES)
def test_the_form_of_the_features_does_not_matter(name):
    X = pool("plain").astype(np.float32)
    graph = graphs.knn(X, 7)
    expected = dense(MAKERS[name](X.astype(np.float64), graph))
    frozen = X.copy()
    frozen.flags.writeable = False
    whole = np.round(X * 8).astype(np.int64)
    forms = [X, frozen, np.asfortranarray(X), np.asfortranarray(X, dtype=np.float64), X[:, :].tolist()]
    forms += [sparse.csr_array(X), sparse.csc_array(X.astype(np.float64)), np.repeat(X, 2, axis=0)[::2]]
    for form in forms:
        np.testing.assert_allclose(dense(MAKERS[name](form, graph)), expected, atol=1e-10)
    np.testing.assert_array_equal(frozen, X)
    np.testing.assert_allclose(
        dense(MAKERS[name](whole, graph)), dense(MAKERS[name](whole.astype(float), graph)), atol=1e-12
    )


@pytest.mark.parametrize("name", WITH_FEATURES)
def test_chunks_do_not_change_the_matrix(name, monkeypatch):
    X = pool("duplicates")
    graph = graphs.knn(X, 7)
    whole = MAKERS[name](X, graph)
    monkeypatch.setattr("trigpoint.alignment._neighborhoods.CHUNK", 1)
    pieces = MAKERS[name](X, graph)
    np.testing.assert_allclose(whole.toarray(), pieces.toarray(), atol=1e-10)


@pytest.mark.parametrize("name", WITH_FEATURES)
def test_repeated_runs_agree_to_the_last_bit(name):
    X = pool("duplicates")
    graph = graphs.knn(X, 7)
    np.testing.assert_array_equal(MAKERS[name](X, graph).data, MAKERS[name](X, graph).data)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
@pytest.mark.parametrize("name", WITH_FEATURES)
def test_features_of_any_magnitude(name, scale):
    X = pool("plain")
    graph = graphs.knn(X, 8)
    expected = MAKERS[name](X, graph).toarray()
    np.testing.assert_allclose(MAKERS[name](X * scale, graph).toarray(), expected, rtol=1e-9, atol=1e-10)


def test_isomap_refuses_distances_whose_squares_overflow():
    for scale in (1e-200, 1e200):
        with pytest.raises(ValueError, match="graph must span between 1e-120 and 1e120 for isomap"):
            alignment.isomap(graphs.from_lists([[(1, scale)], [(0, scale)]]), 1)
