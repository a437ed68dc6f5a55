import numpy as np
import pytest
from scipy.sparse.linalg import cg

from reference import propagation as oracle
from trigpoint._kernels.cg import cg_leg
from trigpoint.propagation._conjugate import WIDEST


def system(n=60, columns=WIDEST, seed=0):
    phi = oracle.cloud_laplacian(n, 3, seed)
    A = phi[1:, 1:].tocsr()
    B = np.random.default_rng(seed).standard_normal((n - 1, columns))
    return A, B


def run(A, B, tol, n_iterations):
    inverse = 1.0 / A.diagonal()
    X, R = np.zeros_like(B), B.copy()
    P = R * inverse[:, None]
    rz = np.array([np.sum(np.ascontiguousarray(r) ** 2 * inverse) for r in R.T])
    live, norms = np.ones(B.shape[1], dtype=bool), np.zeros(B.shape[1])
    goals = tol * np.linalg.norm(B, axis=0)
    matrix = (A.indptr.astype(np.int64), A.indices.astype(np.int32), A.data)
    made = cg_leg(matrix, inverse, X, R, P, rz, live, goals, norms, n_iterations)
    return X, R, norms, live, made


RARE = [pytest.param(columns, marks=pytest.mark.slow) for columns in range(4, WIDEST)]  # each is compiled


@pytest.mark.parametrize("columns", [1, 2, 3, *RARE, WIDEST])
def test_every_width_solves(columns):
    A, B = system(columns=columns)
    X, R, norms, live, _ = run(A, B, 1e-12, 500)
    np.testing.assert_allclose(A @ X, B, atol=1e-10)
    np.testing.assert_allclose(norms, np.linalg.norm(R, axis=0), rtol=1e-12)
    assert not live.any()


def test_iterates_are_those_of_the_textbook():
    A, B = system(columns=1)
    for n_iterations in (1, 2, 5, 9):
        X = run(A, B, 0.0, n_iterations)[0]
        M = np.diag(1.0 / A.diagonal())
        theirs = cg(A, B[:, 0], rtol=0.0, maxiter=n_iterations, M=M)[0]
        np.testing.assert_allclose(X[:, 0], theirs, rtol=1e-9, atol=1e-12)


def test_a_column_does_not_depend_on_those_beside_it():
    A, B = system()
    together = run(A, B, 1e-9, 37)[0]
    for columns in ([0], [3, 1], [7, 2, 5]):
        apart = run(A, np.ascontiguousarray(B[:, columns]), 1e-9, 37)[0]
        np.testing.assert_array_equal(apart, together[:, columns])


def test_a_converged_column_stands_still():
    A, B = system(columns=2)
    B[:, 0] = A.diagonal() * 0.0
    B[4, 0] = 1e-30
    early = run(A, B, np.array([0.5, 1e-12]), 3)[0]
    late = run(A, B, np.array([0.5, 1e-12]), 300)[0]
    np.testing.assert_array_equal(early[:, 0], late[:, 0])


def test_an_indefinite_matrix_stops_the_column():
    A, B = system(columns=1)
    A = (A - 2.0 * A.diagonal().max() * np.eye(A.shape[0])).astype(np.float64)
    from scipy.sparse import csr_array

    X, _, _, live, made = run(csr_array(A), B, 1e-12, 50)
    assert made == 1
    assert not live.any()
    assert not X.any()


def test_legs_join_up():
    A, B = system(columns=3)
    whole = run(A, B, 0.0, 20)[0]
    inverse = 1.0 / A.diagonal()
    X, R = np.zeros_like(B), B.copy()
    P = R * inverse[:, None]
    rz = np.array([np.sum(np.ascontiguousarray(r) ** 2 * inverse) for r in R.T])
    live, norms, goals = np.ones(3, dtype=bool), np.zeros(3), np.zeros(3)
    matrix = (A.indptr.astype(np.int64), A.indices.astype(np.int32), A.data)
    for leg in (7, 13):
        assert cg_leg(matrix, inverse, X, R, P, rz, live, goals, norms, leg) == leg
    np.testing.assert_array_equal(X, whole)
