import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import trigpoint as tp
from reference import propagation as oracle
from trigpoint.propagation import solve

SOLVERS = ["auto", "direct", "jacobi_cg", "sgs_cg", "amg_cg"]


@st.composite
def problems(draw, connected=True):
    """A small weighted graph with landmarks and integer values."""
    n = draw(st.integers(2, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    W = np.triu(rng.integers(0, 4, (n, n)), 1) * (rng.random((n, n)) < 0.4)
    if connected:
        W[np.arange(n - 1), np.arange(1, n)] = rng.integers(1, 4, n - 1)
    landmarks = rng.permutation(n)[: draw(st.integers(1, n))]
    values = rng.integers(-5, 6, (len(landmarks), 2)).astype(float)
    return oracle.laplacian(W + W.T), landmarks, values


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_path_interpolates_linearly(solver):
    z = tp.propagate(oracle.path(6), [0, 5], [0.0, 10.0], solver=solver)
    np.testing.assert_allclose(z, [0, 2, 4, 6, 8, 10], atol=1e-8)


def test_a_weighted_path_divides_like_resistors():
    z = tp.propagate(oracle.path(3, [1.0, 3.0]), [0, 2], [0.0, 8.0])
    np.testing.assert_allclose(z, [0, 6, 8])


def test_an_eight_ring():
    z = tp.propagate(oracle.ring(8), [0, 4], [1.0, -1.0])
    np.testing.assert_allclose(z, [1, 0.5, 0, -0.5, -1, -0.5, 0, 0.5], atol=1e-12)


@given(problems(), st.sampled_from([0.0, 0.5]))
def test_hard_landmarks_match_the_definition(problem, gamma):
    phi, landmarks, values = problem
    z = tp.propagate(phi, landmarks, values, gamma=gamma)
    np.testing.assert_allclose(z, oracle.hard(phi, landmarks, values, gamma), atol=1e-9)
    np.testing.assert_array_equal(z[landmarks], values)


@given(problems(), st.sampled_from([0.0, 0.5]), st.booleans())
def test_soft_landmarks_match_the_definition(problem, gamma, one_each):
    phi, landmarks, values = problem
    beta = np.linspace(0.1, 2.0, len(landmarks)) if one_each else 0.3
    z = tp.propagate(phi, landmarks, values, beta=beta, gamma=gamma)
    np.testing.assert_allclose(z, oracle.soft(phi, landmarks, values, beta, gamma), atol=1e-8)


@given(problems())
def test_values_stay_between_the_landmarks(problem):
    phi, landmarks, values = problem
    z = tp.propagate(phi, landmarks, values)
    assert np.all(z >= values.min(axis=0) - 1e-9)
    assert np.all(z <= values.max(axis=0) + 1e-9)


@given(problems(), st.randoms(use_true_random=False))
def test_renaming_samples_renames_values(problem, random):
    phi, landmarks, values = problem
    order = np.array(random.sample(range(phi.shape[0]), phi.shape[0]))
    renamed = tp.propagate(phi[order][:, order], np.argsort(order)[landmarks], values)
    np.testing.assert_allclose(renamed, tp.propagate(phi, landmarks, values)[order], atol=1e-9)


@given(problems(), st.sampled_from([1e-6, 3.0, 1e6]))
def test_the_scale_of_phi_does_not_matter(problem, factor):
    phi, landmarks, values = problem
    z = tp.propagate(phi, landmarks, values)
    np.testing.assert_allclose(tp.propagate(factor * phi, landmarks, values), z, atol=1e-9)


@given(problems())
def test_it_is_linear_in_the_values(problem):
    phi, landmarks, values = problem
    both = tp.propagate(phi, landmarks, 2.0 * values[:, 0] - values[:, 1])
    z = tp.propagate(phi, landmarks, values)
    np.testing.assert_allclose(both, 2.0 * z[:, 0] - z[:, 1], atol=1e-9)


def test_soft_tends_to_hard_as_beta_grows():
    phi = oracle.cloud_laplacian(80, 2, seed=1)
    landmarks, values = np.arange(0, 80, 9), np.cos(np.arange(0, 80, 9))
    z = tp.propagate(phi, landmarks, values)
    gaps = [np.abs(tp.propagate(phi, landmarks, values, beta=beta) - z).max() for beta in (1e2, 1e4, 1e6)]
    assert gaps[0] > 50 * gaps[1] > 2500 * gaps[2]


def test_a_large_gamma_draws_to_zero():
    phi = oracle.path(5)
    z = [tp.propagate(phi, [0], [1.0], gamma=gamma) for gamma in (0.0, 0.1, 1e6)]
    np.testing.assert_allclose(z[0], 1.0)
    assert np.all(np.diff(z[1]) < 0)
    np.testing.assert_allclose(z[2], [1, 0, 0, 0, 0], atol=2e-6)


def test_affine_functions_of_flat_data_are_reproduced():
    X = np.random.default_rng(0).random((60, 2))
    phi = oracle.flat_ltsa(X)
    truth = X @ [[1.0, -2.0], [3.0, 0.5]] + [4.0, 0.0]
    np.testing.assert_allclose(tp.propagate(phi, [3, 30, 50, 59], truth[[3, 30, 50, 59]]), truth, atol=1e-7)


@pytest.mark.parametrize("k", [0, 1])
def test_the_authors_soft_labels(reference_folder, k):
    theirs = np.load(reference_folder / f"toolbox_torus_{k}.npz")
    for phi in (theirs["ltsa"], sparse.csr_array(theirs["ltsa"])):
        z = tp.propagate(phi, np.arange(40), theirs["Y"][:40], beta=0.1)
        np.testing.assert_allclose(z, theirs["ls"].T, atol=1e-9)


def test_duplicates_and_hubs():
    n = 40
    W = np.zeros((n, n))
    W[0, 1:] = W[1:, 0] = 1.0  # a hub
    W[1, 2] = W[2, 1] = 1e8  # twins
    z = tp.propagate(oracle.laplacian(W), [5, 6], [0.0, 4.0])
    np.testing.assert_allclose(z[[0, 1, 2, 30]], 2.0)


@pytest.mark.parametrize("phi", [np.zeros((1, 1)), sparse.csr_array((1, 1))])
def test_one_sample(phi):
    np.testing.assert_array_equal(tp.propagate(phi, [0], [7.0]), [7.0])


def test_every_sample_a_landmark():
    values = np.arange(5.0)
    found = solve(oracle.path(5), np.arange(5), values)
    np.testing.assert_array_equal(found.values, values)
    assert (found.solver, found.iterations, found.residual) == ("none", 0, 0.0)


def test_one_landmark_is_a_constant():
    np.testing.assert_allclose(tp.propagate(oracle.ring(9), [4], [2.5]), 2.5)
    np.testing.assert_allclose(tp.propagate(oracle.ring(9), [4], [2.5], beta=0.1), 2.5)


def test_one_class():
    z = tp.propagate(oracle.ring(9), [4, 7], np.ones((2, 1)))
    assert z.shape == (9, 1)
    np.testing.assert_allclose(z, 1.0)


@pytest.mark.parametrize("form", ["csc", "coo", "lil", "float32", "int", "read_only", "fortran", "dense"])
def test_any_form_of_phi_and_values(form):
    phi, landmarks, values = oracle.ring(8), np.array([0, 3]), np.array([[1.0, 2.0], [4.0, 8.0]])
    want = tp.propagate(phi, landmarks, values)
    if form in ("csc", "coo", "lil"):
        phi = phi.asformat(form)
    elif form == "float32":
        phi, values = phi.astype(np.float32), values.astype(np.float32)
    elif form == "int":
        phi, landmarks, values = phi.astype(np.int64), landmarks.astype(np.uint8), values.astype(int)
    elif form == "read_only":
        for array in (phi.data, phi.indices, phi.indptr, landmarks, values):
            array.flags.writeable = False
    elif form == "fortran":
        phi, values = np.asfortranarray(phi.toarray()), np.asfortranarray(values)
    else:
        phi, landmarks, values = phi.toarray().tolist(), landmarks.tolist(), values.tolist()
    np.testing.assert_allclose(tp.propagate(phi, landmarks, values), want, rtol=1e-12)


@pytest.mark.parametrize("soft", [False, True])
def test_the_input_is_left_alone(soft):
    phi = oracle.cloud_laplacian(30, 2, seed=0)
    before = phi.copy()
    landmarks, values = np.array([4, 1]), np.array([1.0, 2.0])
    tp.propagate(phi, landmarks, values, beta=1.0 if soft else None, gamma=0.1)
    assert (phi != before).nnz == 0
    np.testing.assert_array_equal(landmarks, [4, 1])
    np.testing.assert_array_equal(values, [1.0, 2.0])
