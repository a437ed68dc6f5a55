import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import ArpackNoConvergence

import trigpoint as tp
from reference import propagation as oracle
from trigpoint.propagation import _eigen


@pytest.fixture(params=["dense", "small", "shift_invert", "lanczos"])
def form(request, monkeypatch):
    if request.param in ("shift_invert", "lanczos"):
        monkeypatch.setattr(_eigen, "DENSE", 5)
    if request.param == "lanczos":
        monkeypatch.setattr(_eigen, "affordable", lambda *args: False)
    return (lambda phi: phi.toarray()) if request.param == "dense" else (lambda phi: phi)


def assert_same_up_to_sign(Y, Z, atol=1e-6):
    np.testing.assert_allclose(np.abs(np.sum(Y * Z, axis=0)), 1.0, atol=atol)


def test_coordinates_are_the_smallest_eigenvectors(form):
    phi = oracle.cloud_laplacian(90, 3, seed=2)
    Y = tp.embed(form(phi), 4)
    vectors = np.linalg.eigh(phi.toarray())[1]
    assert_same_up_to_sign(Y, vectors[:, 1:5])
    np.testing.assert_allclose(Y.T @ Y, np.eye(4), atol=1e-10)
    np.testing.assert_allclose(Y.sum(axis=0), 0.0, atol=1e-10)


def test_the_largest_entry_is_positive(form):
    Y = tp.embed(form(oracle.cloud_laplacian(60, 2, seed=5)), 5)
    peaks = np.argmax(np.abs(Y), axis=0)
    assert np.all(Y[peaks, np.arange(5)] > 0)


def test_a_ring_gives_a_circle(form):
    """Its second eigenvalue is double: both copies must be found."""
    Y = tp.embed(form(oracle.ring(24)), 2)
    np.testing.assert_allclose(np.linalg.norm(Y, axis=1), np.sqrt(2 / 24), rtol=1e-6)


def test_flat_data_comes_out_flat(form):
    X = np.random.default_rng(0).random((80, 2))
    Y = tp.embed(form(oracle.flat_ltsa(X)), 2)
    affine = np.column_stack([np.ones(80), X])
    np.testing.assert_allclose(affine @ np.linalg.lstsq(affine, Y, rcond=None)[0], Y, atol=1e-6)


def test_first_coordinates_tell_components_apart(form):
    parts = [oracle.path(7), oracle.cloud_laplacian(30, 2, seed=1), oracle.path(4)]
    phi = sparse.block_diag(parts, format="csr")
    Y = tp.embed(form(phi), 4)
    np.testing.assert_allclose(Y.T @ Y, np.eye(4), atol=1e-9)
    assert np.abs(phi @ Y[:, :2]).max() < 1e-12
    groups = np.repeat([0, 1, 2], [7, 30, 4])
    for g in range(3):
        assert np.ptp(Y[groups == g, :2], axis=0).max() < 1e-12
    assert len(np.unique(np.round(Y[:, :2], 6), axis=0)) == 3
    assert np.abs(phi @ Y[:, 2:]).max() > 1e-3
    values = np.linalg.eigvalsh(phi.toarray())
    np.testing.assert_allclose(np.diag(Y.T @ (phi @ Y)), values[1:5], atol=1e-9)


def test_more_components_than_coordinates():
    phi = sparse.block_diag([oracle.path(3)] * 6 + [np.zeros((1, 1))] * 3, format="csr")
    Y = tp.embed(phi, 4)
    np.testing.assert_allclose(Y.T @ Y, np.eye(4), atol=1e-12)
    assert np.abs(phi @ Y).max() < 1e-12


def test_a_normalized_laplacian_loses_its_own_null_vector(form):
    plain = oracle.cloud_laplacian(70, 2, seed=6)
    phi = oracle.normalized(plain)
    Y = tp.embed(form(phi), 3)
    assert_same_up_to_sign(Y, np.linalg.eigh(phi.toarray())[1][:, 1:4])
    np.testing.assert_allclose(np.sqrt(plain.diagonal()) @ Y, 0.0, atol=1e-7)


def test_a_shifted_matrix_still_loses_the_constant(form):
    phi = sparse.csr_array(oracle.cloud_laplacian(50, 2, seed=6) + 0.1 * sparse.eye_array(50))
    assert_same_up_to_sign(tp.embed(form(phi), 2), np.linalg.eigh(phi.toarray())[1][:, 1:3])


def test_without_a_trivial_vector_none_is_dropped(form):
    phi = oracle.cloud_laplacian(50, 2, seed=6)[1:, 1:].tocsr()
    assert_same_up_to_sign(tp.embed(form(phi), 2), np.linalg.eigh(phi.toarray())[1][:, :2])


@pytest.mark.parametrize("n_components", [1, 2])
def test_as_many_coordinates_as_there_can_be(n_components):
    Y = tp.embed(oracle.path(3), n_components)
    assert Y.shape == (3, n_components)
    np.testing.assert_allclose(Y[:, 0], [np.sqrt(0.5), 0, -np.sqrt(0.5)], atol=1e-12)


def test_landmarks_bend_the_coordinates_towards_their_values():
    phi = oracle.cloud_laplacian(150, 2, seed=3)
    landmarks = np.arange(0, 150, 11)
    values = np.random.default_rng(1).standard_normal(14)
    Y = tp.embed(phi, 2, landmarks=landmarks, values=values, gamma=1e3)
    assert Y.shape == (150, 2)
    np.testing.assert_allclose(Y.T @ Y, np.eye(2), atol=1e-10)
    span = np.column_stack([np.ones(14), values])
    left = Y[landmarks] - span @ np.linalg.lstsq(span, Y[landmarks], rcond=None)[0]
    assert np.abs(left).max() < 1e-3
    free = tp.embed(phi, 2)
    loose = free[landmarks] - span @ np.linalg.lstsq(span, free[landmarks], rcond=None)[0]
    assert np.abs(loose).max() > 0.01


def test_landmarks_leave_other_components_unknown():
    phi = sparse.block_diag([oracle.path(6), oracle.path(3)], format="csr")
    with pytest.warns(UserWarning, match="3 of 9 samples .* their coordinates are NaN") as caught:
        Y = tp.embed(phi, 1, landmarks=[0, 5], values=[0.0, 1.0])
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(np.isnan(Y[:, 0]), np.arange(9) >= 6)


def test_equal_input_gives_equal_output(form):
    phi = form(oracle.cloud_laplacian(60, 2, seed=5))
    np.testing.assert_array_equal(tp.embed(phi, 3), tp.embed(phi, 3))


def test_a_solver_that_fails_says_so(monkeypatch):
    def fail(*args, **kwargs):
        raise ArpackNoConvergence("no", np.zeros(1), np.zeros((60, 1)))

    monkeypatch.setattr(_eigen, "DENSE", 5)
    monkeypatch.setattr(_eigen, "eigsh", fail)
    with pytest.raises(RuntimeError, match="found 1 of 3 eigenvectors and no more; ask for fewer"):
        tp.embed(oracle.cloud_laplacian(60, 2, seed=5), 3)


@pytest.mark.parametrize(
    ("n_components", "options", "said"),
    [
        (0, {}, r"n_components must be an integer and lie in \[1, 4\] for 5 samples; got 0"),
        (5, {}, r"n_components must be an integer and lie in \[1, 4\]"),
        (2.0, {}, "n_components must be an integer"),
        (1, {"landmarks": [0]}, "landmarks and values must be given together"),
        (1, {"values": [0.0]}, "landmarks and values must be given together"),
        (1, {"gamma": 1.0}, "gamma has no meaning"),
        (1, {"landmarks": [0], "values": [0.0]}, "landmarks must be at least 2"),
        (2, {"landmarks": [0, 1], "values": [0.0, 1.0]}, r"n_components must .* \[1, 1\] for 2 landmarks"),
    ],
)
def test_refusals(n_components, options, said):
    with pytest.raises(ValueError, match=said):
        tp.embed(oracle.path(5), n_components, **options)


def test_one_sample_is_refused():
    with pytest.raises(ValueError, match="phi must hold at least 2 samples for an embedding; got 1"):
        tp.embed(np.zeros((1, 1)), 1)
