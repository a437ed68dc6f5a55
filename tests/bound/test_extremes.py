import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import trigpoint as tp
from reference import bound as oracle
from reference import propagation as graphs
from trigpoint.bound import _existence, _extremes
from trigpoint.bound._davidson import smallest_eigenvalue


@pytest.fixture
def sparse_only(monkeypatch):
    monkeypatch.setattr(_extremes, "DENSE", 0)
    monkeypatch.setattr(_existence, "DENSE", 0)


@pytest.fixture
def no_factor(monkeypatch, sparse_only):
    monkeypatch.setattr(_extremes, "affordable", lambda A, iterations=None: False)


def signed(n, seed, definite):
    """A random sparse symmetric matrix with entries of both signs."""
    rng = np.random.default_rng(seed)
    places = rng.integers(0, n, (2, 4 * n))
    B = sparse.coo_array((rng.standard_normal(4 * n), places), shape=(n, n)).tocsr()
    return sparse.csr_array(B.T @ B if definite else B + B.T)


CASES = {
    "surface": lambda: graphs.cloud_laplacian(400, 2, seed=0),
    "expander": lambda: graphs.expander(600, 0),
    "weak link": lambda: graphs.weakly_linked(200, 1e-6),
    "islands": lambda: sparse.csr_array(sparse.block_diag([graphs.ring(5)] * 60)),
    "isolated": lambda: sparse.csr_array(sparse.block_diag([graphs.ring(300), sparse.csr_array((20, 20))])),
    "path": lambda: graphs.path(500),
    "hub": lambda: graphs.laplacian(5.0 * (np.arange(300) == 0)[:, None] + 5.0 * (np.arange(300) == 0)),
    "islands and a negative one": lambda: sparse.csr_array(
        sparse.block_diag([graphs.ring(5)] * 60 + [np.array([[0.0, 1.0], [1.0, 0.0]])])
    ),
    "signed, definite": lambda: signed(400, 1, True),
    "signed, indefinite": lambda: signed(400, 2, False),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("route", ["sparse_only", "no_factor"])
def test_the_sparse_route_finds_what_the_dense_one_does(case, route, request, monkeypatch):
    phi = CASES[case]()
    landmarks = np.arange(3, phi.shape[0], 61)
    monkeypatch.setattr(_extremes, "DENSE", 1000)
    exact = tp.landmark_bound(phi, landmarks)
    request.getfixturevalue(route)
    found = tp.landmark_bound(phi, landmarks)
    assert (exact.method, found.method) == ("dense", "sparse")
    assert found.accuracy <= 1e-6
    assert found.condition_number == pytest.approx(exact.condition_number, rel=1e-7)
    assert found.condition_number * (1 + exact.accuracy + 1e-12) >= exact.condition_number
    assert found.bound_inf <= found.gershgorin * (1 + 1e-12)


@pytest.mark.parametrize("case", ["surface", "islands", "signed, indefinite"])
def test_existence_without_all_eigenvalues(case, sparse_only):
    phi = CASES[case]()
    found = tp.landmark_bound(phi, [3, 70, 200])
    assert found.existence == pytest.approx(oracle.existence(oracle.shifted(phi, found.alpha), 3), rel=1e-6)


def test_existence_is_not_made_up(monkeypatch, sparse_only):
    phi = graphs.cloud_laplacian(300, 2, seed=0)
    assert np.isfinite(tp.landmark_bound(phi, np.arange(20)).existence)
    assert np.isnan(tp.landmark_bound(phi, np.arange(21)).existence)


def test_above_the_dense_size_the_route_is_sparse():
    phi = graphs.expander(501, 0)
    found = tp.landmark_bound(phi, np.arange(0, 501, 40))
    assert found.method == "sparse"
    psi = oracle.shifted(phi, found.alpha)
    assert found.condition_number == pytest.approx(oracle.condition_number(psi, range(0, 501, 40)), rel=1e-7)
    assert found.existence == pytest.approx(oracle.existence(psi, 13), rel=1e-9)
    assert tp.landmark_bound(phi.toarray(), [0]).method == "dense"


def test_what_was_not_found_well_is_said(monkeypatch, no_factor):
    monkeypatch.setattr(_extremes, "STEPS", 20)
    phi = graphs.path(500)
    with pytest.warns(UserWarning, match=r"may be too large by a factor of up to 1 \+ "):
        found = tp.landmark_bound(phi, [0, 250])
    exact = oracle.condition_number(oracle.shifted(phi, found.alpha), [0, 250])
    assert exact <= found.condition_number <= exact * (1 + found.accuracy)
    assert found.bound_inf <= found.gershgorin * (1 + 1e-12)


def test_a_largest_eigenvalue_that_was_not_found_is_bounded_by_the_circles(monkeypatch, sparse_only):
    monkeypatch.setattr(_extremes, "STEPS", 1)
    phi = graphs.path(500)
    with pytest.warns(UserWarning, match=r"may be too large by a factor of up to 1 \+ "):
        found = tp.landmark_bound(phi, [0, 250])
    exact = oracle.condition_number(oracle.shifted(phi, found.alpha), [0, 250])
    assert exact <= found.condition_number <= exact * (1 + found.accuracy)


@pytest.mark.parametrize("seed", [22, 29, 53, 130])
def test_a_search_that_stalls_inside_the_spectrum_is_not_believed(seed, no_factor):
    """Weights over eight orders of magnitude: a residual of 1e-7 was seen at a wrong eigenvalue."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(300, 900)), int(rng.integers(1, 6))
    i = np.repeat(np.arange(n), k)
    j = rng.integers(0, n, n * k) if seed % 2 else (i + rng.integers(1, 4, n * k)) % n
    signs = rng.choice([-1, 1], n * k) if seed % 5 == 0 else 1
    W = sparse.coo_array((signs * 10.0 ** rng.uniform(-6, 2, n * k) * (i != j), (i, j)), shape=(n, n)).tocsr()
    W = W + W.T
    phi = sparse.csr_array(sparse.diags_array(W.sum(axis=1)) - W)
    landmarks = rng.permutation(n)[:5]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = tp.landmark_bound(phi, landmarks)
    exact = oracle.condition_number(oracle.shifted(phi, found.alpha), landmarks)
    assert exact * (1 - 1e-8) <= found.condition_number <= exact * (1 + found.accuracy + 1e-8)
    assert bool(caught) == (found.accuracy > 1e-6)


def test_a_tiny_alpha_is_answered_or_warned_of(sparse_only):
    phi = graphs.cloud_laplacian(400, 2, seed=0)
    with pytest.warns(UserWarning, match="may be too large"):
        found = tp.landmark_bound(sparse.csr_array(sparse.block_diag([phi, phi])), [0], alpha=1e-13)
    assert found.condition_number <= found.norm_rest / 1e-13  # no more than the circles say


@given(st.integers(1, 40), st.integers(0, 1000), st.sampled_from(["none", "diagonal", "inverse"]))
def test_davidson_finds_the_smallest_eigenvalue(n, seed, preconditioner):
    rng = np.random.default_rng(seed)
    A = rng.integers(-3, 4, (n, n)).astype(float)
    A = A + A.T + 20.0 * np.eye(n)
    values = np.linalg.eigvalsh(A)
    inverse = np.linalg.inv(A - (values[0] - 0.1) * np.eye(n))
    M = {"none": lambda r: r, "diagonal": lambda r: r / np.diag(A), "inverse": lambda r: inverse @ r}
    found = smallest_eigenvalue(lambda x: A @ x, M[preconditioner], rng.standard_normal(n), 2000)
    assert found.settled
    assert found.value == pytest.approx(values[0], rel=1e-7, abs=1e-7)
    assert np.linalg.norm(A @ found.vector - found.value * found.vector) == pytest.approx(
        found.residual, abs=1e-9
    )


@given(st.integers(1, 10), st.integers(0, 1000))
def test_principal_submatrices(n, seed):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.integers(-2, 3, (n, n)).astype(float) * (rng.random((n, n)) < 0.4))
    phi = sparse.csr_array(W + W.T)
    phi.eliminate_zeros()
    rest = np.flatnonzero(rng.random(n) < 0.6)
    A = _extremes.submatrix(phi, rest, 0.5)
    assert A.has_canonical_format
    np.testing.assert_array_equal(A.toarray(), (phi.toarray() + 0.5 * np.eye(n))[np.ix_(rest, rest)])
    assert np.all(np.diff(A.indptr) >= 1)  # the diagonal is stored
