import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import samplers as oracle
from trigpoint.selection._nystrom import nystrom
from trigpoint.selection._pool import Pool

PHI = np.array(
    [
        [3.0, -1.0, 0.0, 0.0, 0.0],
        [-1.0, 2.0, -1.0, 0.0, 0.0],
        [0.0, -1.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0],
    ]
)


def draws(phi, n_landmarks, times, initial=(), **options):
    pool = Pool(sparse.csr_array(phi), None, None, np.array(initial, dtype=np.int64))
    rng = np.random.default_rng(0)
    return [tuple(nystrom(pool, n_landmarks, rng, **options).tolist()) for _ in range(times)]


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize(("n_landmarks", "initial"), [(3, ()), (5, ()), (2, (0, 3))])
def test_draws_are_successive_and_in_proportion_to_the_norms(power, n_landmarks, initial):
    free = [i for i in range(5) if i not in initial]
    law = oracle.successive(oracle.column_weight(PHI, power), free, n_landmarks)
    other = oracle.successive(oracle.column_weight(PHI, 3 - power), free, n_landmarks)
    seen = draws(PHI, n_landmarks, 1500, initial, power=power)
    assert oracle.chi_square(seen, law) > 1e-3
    assert oracle.chi_square(seen, other) < 1e-3, "the test must tell the two laws apart"


def test_empty_rows_come_last_and_in_random_order():
    tails = [order[3:] for order in draws(PHI, 5, 1000)]
    assert oracle.chi_square(tails, {(3, 4): 0.5, (4, 3): 0.5}) > 1e-3
    zeros = draws(np.zeros((3, 3)), 1, 1000)
    assert oracle.chi_square(zeros, {(i,): 1 / 3 for i in range(3)}) > 1e-3


@pytest.mark.parametrize("scale", [1e-200, 1e200, 1e-320])
def test_the_scale_of_phi_does_not_matter(scale):
    assert draws(PHI * scale, 3, 50) == draws(PHI, 3, 50)


def test_rows_of_very_different_scale_are_still_told_apart():
    phi = np.diag([1e-220, 3e-220, 1e220])
    seen = [order[1:] for order in draws(phi, 3, 1000)]
    assert oracle.chi_square(seen, {(0, 1): 0.1, (1, 0): 0.9}) > 1e-3


def test_blocks_of_rows_do_not_show(monkeypatch):
    whole = draws(PHI, 3, 20)
    monkeypatch.setattr("trigpoint.selection._nystrom.ENTRIES", 1)
    assert draws(PHI, 3, 20) == whole


@given(st.integers(1, 8), st.integers(0, 99), st.data())
def test_landmarks_are_distinct_free_and_nested_dense_or_sparse(n, seed, data):
    B = np.random.default_rng(seed).integers(-2, 3, (n, n)) * 1.0
    phi = np.asfortranarray(B @ B.T)
    phi.flags.writeable = False
    initial = data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=n - 1))
    count = n - len(initial)
    picks = tp.select(phi, count, method="nystrom", initial=initial, random_state=seed)
    assert picks.dtype == np.int64
    assert sorted([*picks, *initial]) == list(range(n))
    fewer = data.draw(st.integers(1, count))
    sparsely = sparse.csr_array(phi)
    again = tp.select(sparsely, fewer, method="nystrom", initial=initial, random_state=seed)
    assert_array_equal(again, picks[:fewer], "the first k are the answer for k")


@pytest.mark.parametrize("power", [0, 3, 1.5, "2", True])
def test_bad_powers_are_refused(power):
    with pytest.raises(ValueError, match=r"power must be an integer and lie in \[1, 2\]; got"):
        tp.select(PHI, 1, method="nystrom", power=power)
