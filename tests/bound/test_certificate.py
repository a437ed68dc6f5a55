import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse

import trigpoint as tp
from reference import bound as oracle
from reference import propagation as graphs


@st.composite
def problems(draw, whole=None):
    """A random signed symmetric matrix, of small integers or floats, sparse or dense, and landmarks."""
    n = draw(st.integers(2, 12))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    whole = draw(st.booleans()) if whole is None else whole
    W = rng.integers(-3, 4, (n, n)).astype(float) if whole else rng.standard_normal((n, n))
    W = np.triu(W * (rng.random((n, n)) < draw(st.sampled_from([0.2, 0.5, 1.0]))))
    landmarks = rng.permutation(n)[: draw(st.integers(1, n - 1))]
    phi = W + W.T
    assume(phi.any())
    return (sparse.csr_array(phi) if draw(st.booleans()) else phi), landmarks


def test_a_path_by_hand():
    found = tp.landmark_bound(graphs.path(5), [4, 0], alpha=0.5)
    kappa = (2.5 + np.sqrt(2)) / (2.5 - np.sqrt(2))
    assert found.condition_number == pytest.approx(kappa, rel=1e-12)
    assert (found.norm_1, found.norm_inf, found.norm_rest) == (1.0, 1.0, 4.5)
    assert found.bound_inf == found.bound_1 == pytest.approx(kappa * (1 + 1 / 4.5))
    assert found.gershgorin == (1 + 4.5) / (1 * 0.5)
    assert (found.alpha, found.shift, found.method) == (0.5, 0.5, "dense")
    assert found.accuracy < 1e-13


def test_the_default_alpha_is_a_thousandth_of_the_mean_diagonal():
    found = tp.landmark_bound(graphs.ring(6), [0])
    assert found.alpha == found.shift == pytest.approx(0.002)


def test_a_signed_matrix_is_shifted_to_a_positive_one():
    found = tp.landmark_bound(np.array([[0.0, 2.0], [2.0, 1.0]]), [0], alpha=0.25)
    assert (found.alpha, found.shift) == (0.25, 2.25)
    assert (found.condition_number, found.norm_inf, found.norm_rest) == (1.0, 2.0, 3.25)


@given(problems(), st.sampled_from([None, 0.5, 2.0]))
def test_it_matches_the_definition(problem, alpha):
    phi, landmarks = problem
    found = tp.landmark_bound(phi, landmarks, alpha=alpha)
    psi = oracle.shifted(phi, found.alpha)
    one, inf, rest, Q = oracle.norms(psi, landmarks)
    kappa = oracle.condition_number(psi, landmarks)
    assert found.condition_number == pytest.approx(kappa, rel=1e-9)
    np.testing.assert_allclose([found.norm_1, found.norm_inf, found.norm_rest], [one, inf, rest], rtol=1e-12)
    assert found.gershgorin == pytest.approx(Q, rel=1e-9)
    assert found.existence == pytest.approx(oracle.existence(psi, len(landmarks)), rel=1e-9)
    if inf > 0:
        assert found.bound_1 == pytest.approx(kappa * (1 / one + 1 / rest), rel=1e-9)
        assert found.bound_inf == pytest.approx(kappa * (1 / inf + 1 / rest), rel=1e-9)


@given(problems(whole=True))
def test_with_small_integers_norms_and_q_are_exact(problem):
    phi, landmarks = problem
    found = tp.landmark_bound(phi, landmarks, alpha=0.5)
    expected = oracle.norms(oracle.shifted(phi, 0.5), landmarks)
    assert (found.norm_1, found.norm_inf, found.norm_rest, found.gershgorin) == expected


@given(problems(), st.sampled_from([None, 1e-9, 1.0]))
def test_q_is_at_least_the_bound_in_the_infinity_norm(problem, alpha):
    phi, landmarks = problem
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # kappa of 1e10 and more is not found to 1e-6
        found = tp.landmark_bound(phi, landmarks, alpha=alpha)
    assert found.gershgorin >= found.bound_inf * (1 - 1e-12)
    assert found.condition_number >= 1.0


def test_q_is_the_bound_where_the_rest_is_diagonal():
    phi = graphs.path(7, [1.0, 2.0, 3.0, 1.0, 2.0, 3.0])
    found = tp.landmark_bound(phi, [1, 3, 5])
    assert found.gershgorin == pytest.approx(found.bound_inf, rel=1e-14)


def test_the_bound_in_the_one_norm_may_exceed_q():
    found = tp.landmark_bound(np.diag([1.0, 3.0, 3.0]) - [[0, 1, 0], [1, 0, 2], [0, 2, 0]], [0, 2], alpha=1)
    assert found.bound_1 > found.gershgorin  # one sample, two landmarks: 3 in a row, 2 in a column


@given(problems(), st.sampled_from([1e-6, 0.37, 1e5]))
def test_scaling_phi_and_alpha_scales_the_norms(problem, factor):
    phi, landmarks = problem
    a = tp.landmark_bound(phi, landmarks, alpha=0.5)
    b = tp.landmark_bound(factor * phi, landmarks, alpha=factor * 0.5)
    assert b.condition_number == pytest.approx(a.condition_number, rel=1e-9)
    assert b.existence == pytest.approx(a.existence, rel=1e-9)
    for name in ("norm_1", "norm_inf", "norm_rest"):
        assert getattr(b, name) == pytest.approx(factor * getattr(a, name), rel=1e-9)
    for name in ("bound_1", "bound_inf", "gershgorin"):
        assert getattr(b, name) == pytest.approx(getattr(a, name) / factor, rel=1e-9)


@given(problems(), st.randoms(use_true_random=False))
def test_renaming_samples_changes_nothing(problem, random):
    phi, landmarks = problem
    order = np.array(random.sample(range(phi.shape[0]), phi.shape[0]))
    a = tp.landmark_bound(phi, landmarks)
    b = tp.landmark_bound(
        phi[order][:, order], random.sample(list(np.argsort(order)[landmarks]), len(landmarks))
    )
    for name in ("condition_number", "norm_1", "norm_inf", "norm_rest", "gershgorin", "existence"):
        assert getattr(b, name) == pytest.approx(getattr(a, name), rel=1e-9)


@given(problems())
def test_more_landmarks_never_raise_the_condition_number(problem):
    phi, landmarks = problem
    kappa = [tp.landmark_bound(phi, landmarks[: k + 1]).condition_number for k in range(len(landmarks))]
    assert np.all(np.diff(kappa) <= 1e-9 * kappa[0])


@pytest.mark.slow
@given(problems())
def test_some_landmarks_attain_what_exists(problem):
    phi, landmarks = problem
    n, size = phi.shape[0], min(len(landmarks), 2)
    sets = [[i, j][:size] for i in range(n) for j in range(i) if size < n]
    if sets:
        found = [tp.landmark_bound(phi, chosen) for chosen in sets]
        assert min(b.condition_number for b in found) <= found[0].existence * (1 + 1e-9)


def test_without_a_link_to_a_landmark_the_bounds_are_infinite():
    found = tp.landmark_bound(graphs.laplacian([[0, 0, 0], [0, 0, 1], [0, 1, 0]]), [0])
    assert found.norm_1 == found.norm_inf == 0.0
    assert found.bound_1 == found.bound_inf == found.gershgorin == np.inf
    assert np.isfinite(found.condition_number)


@pytest.mark.parametrize("n", [1, 4])
def test_where_all_is_labeled_nothing_is_left_to_change(n):
    found = tp.landmark_bound(graphs.laplacian(np.ones((n, n))), range(n))
    assert found.condition_number == found.existence == 1.0
    assert found.norm_1 == found.norm_inf == found.norm_rest == 0.0
    assert found.bound_1 == found.bound_inf == found.gershgorin == 0.0


def test_a_zero_matrix_has_a_shift_of_one():
    found = tp.landmark_bound(sparse.csr_array((3, 3)), [1])
    assert (found.shift, found.condition_number, found.norm_rest, found.bound_inf) == (1.0, 1.0, 1.0, np.inf)


@pytest.mark.parametrize("method", ["laplacian", "lle", "ltsa", "isomap"])
def test_every_alignment_has_a_bound(method):
    X = np.random.default_rng(0).standard_normal((80, 3))
    X[1] = X[0]  # duplicates
    graph = tp.neighbor_graph(X, 12)
    make = {
        "laplacian": lambda: tp.laplacian(graph),
        "lle": lambda: tp.lle(graph, X),
        "ltsa": lambda: tp.ltsa(graph, X, 2),
        "isomap": lambda: tp.isomap(graph, 2),
    }
    phi = make[method]()
    found = tp.landmark_bound(phi, np.arange(0, 80, 8))
    psi = oracle.shifted(phi, found.alpha)
    assert found.condition_number == pytest.approx(oracle.condition_number(psi, range(0, 80, 8)), rel=1e-8)
    assert 0 < found.bound_inf <= found.gershgorin < np.inf


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"landmarks": [0, 9]}, r"landmarks must lie in \[0, 4\]"),
        ({"landmarks": []}, "landmarks must be one-dimensional and not empty"),
        ({"landmarks": [1, 1]}, "landmarks must be distinct"),
        ({"alpha": 0.0}, "alpha must be a finite number greater than 0"),
        ({"phi": np.array([[1.0, 2.0], [0.0, 1.0]])}, "phi must be symmetric"),
        ({"phi": np.full((5, 5), 1e150)}, "phi must be of magnitude"),
    ],
)
def test_bad_input_is_refused(change, message):
    call = {"phi": graphs.path(5), "landmarks": [0], "alpha": None} | change
    with pytest.raises(ValueError, match=message):
        tp.landmark_bound(**call)


def test_the_input_is_left_alone():
    phi = graphs.path(6)
    for given_phi in (phi, phi.toarray()):
        before = given_phi.copy()
        tp.landmark_bound(given_phi, [0, 3])
        tp.selection_path(given_phi, [0, 3])
        assert abs(given_phi - before).max() == 0.0
