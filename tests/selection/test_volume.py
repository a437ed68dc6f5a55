import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from threadpoolctl import threadpool_limits

import trigpoint as tp
from reference import samplers as oracle
from trigpoint._kernels import serial_blas
from trigpoint.selection._pool import Pool
from trigpoint.selection._volume import _directions, _frame, _singular_basis, volume

X = np.array(
    [[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [2.0, 1.0, 0.0], [0.0, 2.0, 2.0], [1.0, -1.0, 3.0], [3.0, 0.5, 1.0]]
)
FLAT = X[:, [0, 1, 0, 1]] + X[:, [1, 0, 0, 1]]  # four features of rank 2


def empty_phi(n):
    return sparse.csr_array((n, n))


def draws(features, n_landmarks, initial=(), times=1000):
    pool = Pool(empty_phi(len(features)), features, None, np.array(initial, dtype=np.int64))
    rng = np.random.default_rng(0)
    with serial_blas(), warnings.catch_warnings():  # once, not in every draw
        warnings.simplefilter("ignore")
        return [frozenset(volume(pool, n_landmarks, rng).tolist()) for _ in range(times)]


@pytest.mark.parametrize(
    ("features", "n_landmarks", "initial"),
    [
        (X[:, :2], 2, ()),
        (X[:, :2], 3, ()),
        (X, 4, ()),
        (X, 2, (1,)),
        (X, 4, (1,)),
        (X, 2, (1, 4)),
        (X, 2, (1, 3)),  # parallel rows: one dimension
        (X, 1, (0, 1, 2)),
        (X, 1, (0, 1, 2, 4)),
    ],
)
def test_sets_have_the_law_of_their_volumes(features, n_landmarks, initial):
    features = features.copy()
    features[3] = 2 * features[1]
    law = oracle.volumes(features, n_landmarks, initial)
    uniform = dict.fromkeys(law, 1 / len(law))
    seen = draws(features, n_landmarks, initial)
    assert oracle.chi_square(seen, law) > 1e-3
    assert oracle.chi_square(seen, uniform) < 1e-3, "the test must tell the uniform law apart"


@pytest.mark.parametrize(("n_landmarks", "initial"), [(2, ()), (3, ()), (2, (1,)), (1, (1, 3))])
def test_features_below_full_rank_are_taken_in_their_span(n_landmarks, initial):
    law = oracle.volumes(oracle.leading(FLAT, 2), n_landmarks, initial)
    assert oracle.chi_square(draws(FLAT, n_landmarks, initial), law) > 1e-3


@pytest.mark.parametrize(
    ("n_landmarks", "initial", "dimensions"), [(1, (), 1), (2, (), 2), (1, (1,), 2), (1, (1, 3), 2)]
)
def test_too_few_landmarks_span_the_leading_directions(n_landmarks, initial, dimensions):
    features = X.copy()
    features[3] = 2 * features[1]
    narrow = oracle.leading(features, dimensions, initial)
    law = oracle.volumes(narrow, n_landmarks, initial)
    assert oracle.chi_square(draws(features, n_landmarks, initial), law) > 1e-3


def test_more_features_than_samples():
    wide = np.hstack([X, X**2, X**3])
    law = oracle.volumes(oracle.leading(wide, 3, (2,)), 2, (2,))
    assert oracle.chi_square(draws(wide, 2, (2,)), law) > 1e-3


@pytest.mark.parametrize("initial", [[], [1], [1, 3], [0, 1, 2, 4]])
def test_directions_are_orthonormal_on_the_rest(initial):
    Q, C, sigma = _singular_basis(X)
    V, h, C = _directions(Q[initial], C, sigma, 1e-15, 3)
    rest = [i for i in range(6) if i not in initial]
    U = Q[rest] @ _frame(C, V, h, h > 1e-9)
    assert_allclose(U.T @ U, np.eye(min(3, len(rest))), atol=1e-12)
    assert_allclose(Q @ C @ (C.T @ Q.T @ X), X, atol=1e-12)


def test_features_of_zeros_give_uniform_sets():
    law = oracle.volumes(np.ones((5, 1)), 2)
    assert oracle.chi_square(draws(np.zeros((5, 3)), 2), law) > 1e-3


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_the_scale_of_the_features_does_not_matter(scale):
    for n_landmarks in (1, 4):
        assert draws(X * scale, n_landmarks, (1,), 50) == draws(X, n_landmarks, (1,), 50)


def test_projections_are_told():
    with pytest.warns(UserWarning, match="X has rank 2, below its 4 features: .* projects it to its rank"):
        tp.select(empty_phi(6), 2, method="volume", X=FLAT)
    with pytest.warns(UserWarning, match="X has rank 3, too much for 2 landmarks: .* to 2 dimensions"):
        tp.select(empty_phi(6), 2, method="volume", X=X)
    beside = "X has rank 3, too much for 1 landmarks beside the 1 dimensions of initial: .* to 2 dimensions"
    with pytest.warns(UserWarning, match=beside) as told:
        tp.select(empty_phi(6), 1, method="volume", X=X, initial=[1])
    assert told[0].filename == __file__


@given(st.integers(1, 8), st.integers(1, 4), st.integers(0, 99), st.data())
@pytest.mark.filterwarnings("ignore:X has rank")
def test_landmarks_are_distinct_and_free_whatever_the_form_of_the_features(n, p, seed, data):
    features = np.random.default_rng(seed).integers(-1, 3, (n, p)).astype(np.float32)
    initial = data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=n - 1))
    count = data.draw(st.integers(1, n - len(initial)))
    frozen = np.asfortranarray(features, dtype=np.float64)
    frozen.flags.writeable = False
    picks, *others = (
        tp.select(empty_phi(n), count, method="volume", X=form, initial=initial, random_state=seed)
        for form in (features, frozen, sparse.csr_array(features))
    )
    assert picks.dtype == np.int64
    assert len(set(picks) | set(initial)) == count + len(initial)
    for same in others:
        assert_array_equal(same, picks)


def test_nested_from_the_rank_on():
    longest = tp.select(empty_phi(6), 6, method="volume", X=X, random_state=4)
    for k in (3, 4, 5):
        assert_array_equal(tp.select(empty_phi(6), k, method="volume", X=X, random_state=4), longest[:k])


def test_threads_do_not_change_the_landmarks():
    features = np.random.default_rng(0).standard_normal((3000, 60))
    few, many = [], []
    for threads, picks in ((1, few), (2, many)):
        with threadpool_limits(threads):
            picks.append(tp.select(empty_phi(3000), 80, method="volume", X=features, random_state=0))
    assert_array_equal(few, many)


def test_a_direction_is_covered_by_the_samples_that_have_it():
    features = np.zeros((500, 2))
    features[:, 0] = 1.0
    features[77, 1] = 1e-6  # nothing but this sample spans the second direction
    for seed in range(5):
        assert 77 in tp.select(empty_phi(500), 2, method="volume", X=features, random_state=seed)


def test_what_it_cannot_do_is_refused():
    with pytest.raises(ValueError, match="X must be given for method='volume'; got None"):
        tp.select(empty_phi(3), 1, method="volume")
    wide = sparse.csr_array((1000, 10**7))
    with pytest.raises(ValueError, match=r"X must take at most 2 GB .* got 1000 x 10000000, 80 GB"):
        tp.select(empty_phi(1000), 1, method="volume", X=wide)
