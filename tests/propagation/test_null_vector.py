"""Matrices that annihilate sqrt(degrees) instead of constants."""

import numpy as np
import pytest
from scipy import sparse

import trigpoint as tp
from reference import propagation as oracle
from trigpoint.propagation._null_vector import null_vector
from trigpoint.propagation._reach import components


@pytest.fixture(params=[60, 900], ids=["small", "large"])
def plain(request):
    return oracle.cloud_laplacian(request.param, 2, seed=4)


@pytest.mark.parametrize("given", [False, True])
def test_constants_propagate(plain, given):
    scale = np.sqrt(plain.diagonal()) if given else None
    for beta in (None, 0.7):
        z = tp.propagate(oracle.normalized(plain), [3, 40], [2.0, 2.0], beta=beta, scale=scale)
        np.testing.assert_allclose(z, 2.0, rtol=1e-7)


def test_values_are_those_of_the_plain_laplacian(plain):
    landmarks = np.arange(0, plain.shape[0], 13)
    values = np.random.default_rng(0).standard_normal((len(landmarks), 2))
    want = tp.propagate(plain, landmarks, values)
    phi = oracle.normalized(plain)
    np.testing.assert_allclose(tp.propagate(phi, landmarks, values), want, atol=1e-7)
    for solver in ("jacobi_cg", "amg_cg"):
        z = tp.propagate(phi, landmarks, values, solver=solver, scale=np.sqrt(plain.diagonal()))
        np.testing.assert_allclose(z, want, atol=1e-7)
    if plain.shape[0] < 100:
        np.testing.assert_allclose(tp.propagate(phi.toarray(), landmarks, values), want, atol=1e-7)


def test_soft_values_follow_the_definition(plain):
    s = np.sqrt(plain.diagonal())
    phi, landmarks, values = oracle.normalized(plain), np.array([1, 30]), np.array([1.0, 4.0])
    want = oracle.soft(phi, landmarks, values * s[landmarks], 0.4, 0.01) / s
    np.testing.assert_allclose(tp.propagate(phi, landmarks, values, beta=0.4, gamma=0.01), want, atol=1e-7)


def test_the_vector_is_found_by_component():
    plain = sparse.block_diag(
        [oracle.cloud_laplacian(30, 2, seed=1), np.zeros((1, 1)), oracle.cloud_laplacian(20, 3, seed=2)],
        format="csr",
    )
    phi = oracle.normalized(plain)
    labels = components(phi)[1]
    s = null_vector(phi, labels)
    d = np.sqrt(plain.diagonal())
    d[30] = 1.0
    for c in range(labels.max() + 1):
        part = labels == c
        np.testing.assert_allclose(s[part], d[part] / np.sqrt(np.mean(d[part] ** 2)), rtol=1e-8)


@pytest.mark.parametrize(
    "phi",
    [
        oracle.path(5),
        oracle.ring(6) / 2.0,  # unit diagonal, but constants cost nothing
        sparse.csr_array(np.eye(4)),
        sparse.csr_array(np.eye(4) - 0.1 * np.ones((4, 4))),
        sparse.csr_array(np.eye(3) - 0.2 * (np.ones((3, 3)) - np.eye(3))),  # nothing costs nothing
        sparse.csr_array(np.eye(2) + 0.5),
    ],
)
def test_other_matrices_are_taken_as_they_stand(phi):
    assert null_vector(phi, components(phi)[1]) is None


@pytest.mark.parametrize(
    "scale", [np.ones(4), -np.ones(5), np.zeros(5), [1, 2, np.nan, 1, 1], np.ones((5, 1))]
)
def test_a_scale_must_be_positive_and_whole(scale):
    with pytest.raises(ValueError, match="scale must"):
        tp.propagate(oracle.path(5), [0], [1.0], scale=scale)


def test_single_precision_is_precise_enough():
    plain = oracle.cloud_laplacian(120, 2, seed=0)
    phi = oracle.normalized(plain)
    landmarks = np.arange(0, 120, 10)
    np.testing.assert_allclose(tp.propagate(phi.astype(np.float32), landmarks, np.ones(12)), 1.0, atol=1e-4)
    for method in ("least_squares", "spectral"):
        values = np.arange(12.0)
        exact = tp.propagate(plain, landmarks, values, method=method)
        single = tp.propagate(plain.astype(np.float32), landmarks, values, method=method)
        np.testing.assert_allclose(single, exact, atol=1e-2)


def test_a_scale_that_phi_does_not_annihilate_is_refused():
    plain = oracle.cloud_laplacian(50, 2, seed=0)
    with pytest.raises(ValueError, match=r"scale must satisfy phi @ scale = 0; got entries up to"):
        tp.propagate(oracle.normalized(plain), [0], [1.0], scale=plain.diagonal())
