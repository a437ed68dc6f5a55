import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import trigpoint as tp
from reference import propagation as oracle
from trigpoint.propagation import solve
from trigpoint.propagation._reach import reach


def two_paths_and_a_loner():
    return sparse.block_diag([oracle.path(3), oracle.path(4), np.zeros((1, 1))], format="csr")


@pytest.mark.parametrize("gamma", [None, 0.3])
@pytest.mark.parametrize("beta", [None, 0.3])
@pytest.mark.parametrize("dense", [False, True])
def test_components_without_a_landmark_are_nan(gamma, beta, dense):
    phi = two_paths_and_a_loner()
    phi = phi.toarray() if dense else phi
    said = r"^5 of 8 samples lie in 2 components without a landmark; their values are NaN\.$"
    with pytest.warns(UserWarning, match=said) as caught:
        found = solve(phi, [0, 2], [[1.0], [3.0]], gamma=gamma, beta=beta)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert np.isnan(found.values[3:]).all()
    assert np.isfinite(found.values[:3]).all()
    assert found.n_unreached == 5


def test_propagate_warns_where_it_is_called():
    said = "1 of 3 samples lie in 1 component without a landmark"
    with pytest.warns(UserWarning, match=said) as caught:
        tp.propagate(sparse.block_diag([oracle.path(2), np.zeros((1, 1))]), [0], [1.0])
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_isolated_landmarks_keep_their_value():
    z = tp.propagate(two_paths_and_a_loner(), [7, 0, 6], [5.0, 1.0, 2.0])
    np.testing.assert_allclose(z, [1, 1, 1, 2, 2, 2, 2, 5])
    z = tp.propagate(two_paths_and_a_loner(), [7, 0, 6], [5.0, 1.0, 2.0], beta=0.5)
    np.testing.assert_allclose(z, [1, 1, 1, 2, 2, 2, 2, 5])


@given(st.integers(2, 14), st.integers(0, 500), st.booleans())
def test_reached_samples_are_those_of_a_walk(n, seed, soft):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.integers(1, 3, (n, n)) * (rng.random((n, n)) < 1.0 / n), 1)
    phi = oracle.laplacian(W + W.T)
    landmarks = rng.permutation(n)[: rng.integers(1, n)]
    values = rng.standard_normal(len(landmarks))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        z = tp.propagate(phi, landmarks, values, beta=0.5 if soft else None)
    want = oracle.soft(phi, landmarks, values, 0.5) if soft else oracle.hard(phi, landmarks, values)
    np.testing.assert_array_equal(np.isnan(z), ~oracle.reached(phi, landmarks))
    np.testing.assert_allclose(z, want, atol=1e-9)


@pytest.mark.parametrize("link", [0.0, 1e-20])
def test_links_lost_in_rounding_are_none(link):
    phi = oracle.path(6).tolil()
    phi[2, 3] = phi[3, 2] = -link
    phi[2, 2] = phi[3, 3] = 1.0 + link
    phi = sparse.csr_array(phi)
    with pytest.warns(UserWarning, match="3 of 6 samples lie in 1 component without"):
        z = tp.propagate(phi, [0], [1.0])
    np.testing.assert_allclose(z[:3], 1.0)


def test_faint_samples_are_still_tied_to_their_neighbors():
    z = tp.propagate(oracle.path(4, [1.0, 1.0, 1e-40]), [0], [2.0])
    np.testing.assert_allclose(z, 2.0)


def test_many_components():
    phi = sparse.block_diag([oracle.path(3)] * 400, format="csr")
    landmarks = np.arange(0, 1200, 3)
    np.testing.assert_allclose(tp.propagate(phi, landmarks, landmarks / 3.0), np.repeat(np.arange(400), 3))


def clusters(faint):
    """0 1 2 and 4 5 6 hold together; 3 hangs between 2 and 4 by threads."""
    W = np.zeros((7, 7))
    for a, b in ((0, 1), (1, 2), (0, 2), (4, 5), (5, 6), (4, 6)):
        W[a, b] = W[b, a] = 1.0
    W[2, 3] = W[3, 2] = W[3, 4] = W[4, 3] = faint
    return oracle.laplacian(W)


NAN = np.nan


@pytest.mark.parametrize("faint", [1e-14, 1e-40, 1e-284])
@pytest.mark.parametrize("options", [{}, {"beta": 0.5}, {"gamma": 1e-9}, {"dense": True}])
@pytest.mark.parametrize(
    ("landmarks", "want", "said"),
    [
        ([3], [NAN, NAN, NAN, 1, NAN, NAN, NAN], "6 of 7 samples lie in 2 components"),
        ([0], [1, 1, 1, NAN, NAN, NAN, NAN], "4 of 7 samples lie in 1 component"),
        ([4, 3], [NAN, NAN, NAN, 2, 1, 1, 1], "3 of 7 samples lie in 1 component"),
        ([0, 6], [1, 1, 1, 1.5, 2, 2, 2], None),
    ],
)
def test_a_faint_sample_feels_its_neighbors_and_is_not_felt(landmarks, want, said, options, faint):
    """It takes their values and gives them none; what it would take from one without any is unknown."""
    options = dict(options)
    phi = clusters(faint).toarray() if options.pop("dense", False) else clusters(faint)
    if "gamma" in options:  # which holds a faint sample at zero
        want = [0 if value == 1.5 else value for value in want]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        z = tp.propagate(phi, landmarks, np.arange(1.0, 1 + len(landmarks)), **options)
    np.testing.assert_allclose(z, want, atol=1e-4)
    assert [said in str(warning.message) for warning in caught] == ([] if said is None else [True])


def test_uncertainty_where_only_a_faint_sample_is_known():
    with pytest.warns(UserWarning, match="6 of 7 samples"):
        std = tp.uncertainty(clusters(1e-40), [3])
    np.testing.assert_array_equal(std, [np.inf] * 3 + [0] + [np.inf] * 3)


@given(st.integers(2, 12), st.integers(0, 500))
def test_who_has_information_by_definition(n, seed):
    """Weights of 1 and 1e-20 and 1e-40: feelings in all directions, followed until nothing changes."""
    rng = np.random.default_rng(seed)
    W = np.triu(rng.choice([1.0, 1e-20, 1e-40], (n, n)) * (rng.random((n, n)) < 1.5 / n), 1)
    phi = oracle.laplacian(W + W.T).toarray()
    landmarks = rng.permutation(n)[: rng.integers(1, n)].tolist()
    feels = np.abs(phi) > 1e-13 * np.abs(phi.diagonal())[:, None]
    hears = np.isin(np.arange(n), landmarks)
    for _ in range(n):
        hears |= feels @ hears
    lost = ~hears
    for _ in range(n):
        lost |= feels @ lost
        lost[landmarks] = False
    found = reach(sparse.csr_array(phi), np.array(landmarks))
    np.testing.assert_array_equal(found.reached, ~lost)
    assert found.complete == found.reached.all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        z = tp.propagate(phi, landmarks, np.ones(len(landmarks)))
    np.testing.assert_allclose(z, np.where(lost, np.nan, 1.0))
