import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import linalg, sparse

import trigpoint as tp
from reference import dense_selection as oracle
from trigpoint.selection._gaussian_field import condition, gaussian_process, narrowed

edge_lists = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.25, 1.0, 2.0])), max_size=9
)
PRIOR = 2.0**-20  # as small as the default, and short as a fraction


def choose(phi, n_landmarks, initial=None, **options):
    return tp.select(phi, n_landmarks, method="gaussian_field", initial=initial, **options)


def chain(n):
    return oracle.laplacian(n, [(i, i + 1, 1.0) for i in range(n - 1)])


def test_chain_of_five_by_hand():
    """The middle; beyond it C = [[1, 1], [1, 2]] with gains 2 and 5/2, so the ends; then the others."""
    assert choose(chain(5), 5).tolist() == [2, 0, 4, 1, 3]


def test_every_component_is_entered_before_any_has_two():
    phi = linalg.block_diag(chain(5), np.zeros((1, 1)), chain(3))
    assert choose(phi, 5).tolist() == [5, 7, 2, 0, 4], "by the variance that is left: none, 2, 10"


@settings(max_examples=25)
@given(edge_lists, st.sets(st.integers(0, 5), max_size=2))
def test_picks_match_the_definition(edges, initial):
    phi = oracle.laplacian(6, edges)
    picks = choose(phi, 6 - len(initial), sorted(initial), prior=PRIOR)
    assert picks.tolist() == oracle.gaussian_field(phi, PRIOR, initial, 6 - len(initial))


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_laws(seed):
    rng = np.random.default_rng(seed)
    oracle.assert_greedy_laws(choose, oracle.generic(seed), rng)
    B = rng.standard_normal((12, 12))
    oracle.assert_follows_samples(choose, B.T @ B, rng)


@pytest.mark.parametrize("n_picks", [1, 2, 40])
def test_covariance_is_that_of_the_rest(n_picks):
    phi = oracle.generic(2, 150)
    delta = 1e-6 * phi.diagonal().mean()
    field = gaussian_process(sparse.csr_array(phi), np.ones(150, dtype=bool), delta)
    picks = choose(phi, n_picks)
    for pick in picks:
        condition(field, int(pick))
    rest = np.setdiff1d(np.arange(150), picks)
    anew = np.linalg.inv(phi[np.ix_(rest, rest)] + delta * np.eye(len(rest)))
    assert_allclose(field.C[np.ix_(rest, rest)], anew, atol=1e-9 * anew.max())
    assert_array_equal(field.C[picks], 0.0)
    assert_array_equal(field.C, field.C.T)
    assert_allclose(field.squares, (field.C**2).sum(axis=1), rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_narrowing_leaves_out_zeros_alone(seed, monkeypatch):
    """Also where variances run out: a chain that is cut into parts, and twins."""
    phi = oracle.generic(seed, 90)
    phi = linalg.block_diag(phi, np.zeros((2, 2)), chain(20), oracle.laplacian(2, [(0, 1, 1e12)]))
    picks = choose(phi, len(phi) - 3, [4, 91, 100])
    monkeypatch.setattr("trigpoint.selection._gaussian_field.NARROW", 0.0)
    assert_array_equal(choose(phi, len(phi) - 3, [4, 91, 100]), picks)


def test_what_is_narrowed_stays():
    phi = oracle.generic(5, 40)
    field = gaussian_process(phi, np.ones(40, dtype=bool), 1e-6)
    for spot in (0, 7, 39, 12, 20, 21, 3, 30):
        condition(field, spot)
    waiting, C = field.waiting.copy(), field.C.copy()
    few = narrowed(field)
    assert_array_equal(few.rest, np.flatnonzero(waiting))
    assert_array_equal(few.C, C[np.ix_(waiting, waiting)])
    assert_allclose(few.squares, (few.C**2).sum(axis=1), rtol=1e-12)


def test_the_number_of_threads_does_not_matter(monkeypatch):
    phi = oracle.generic(3, 200)
    picks = choose(phi, 60)
    for count in (1, 5):
        monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda count=count: count)
        assert_array_equal(choose(phi, 60), picks)


def test_sparse_dense_read_only_and_fortran_arrays_agree():
    phi = oracle.generic(1)
    frozen = np.asfortranarray(phi)
    frozen.flags.writeable = False
    picks = choose(phi, 12)
    for same in (sparse.csr_array(phi), frozen):
        assert_array_equal(choose(same, 12), picks)
    assert_array_equal(frozen, phi, "phi is the user's")


def test_small_and_degenerate_pools():
    assert choose(np.zeros((1, 1)), 1).tolist() == [0]
    assert choose(np.zeros((4, 4)), 4).tolist() == [0, 1, 2, 3], "all tie"
    assert choose(np.zeros((4, 4)), 2, [0, 2]).tolist() == [1, 3]
    near = oracle.laplacian(4, [(0, 1, 1e12), (1, 2, 1.0), (2, 3, 1e12)])
    assert sorted(choose(near, 4)) == [0, 1, 2, 3], "twins of landmarks have no variance left"


@pytest.mark.parametrize(
    ("phi", "options", "message"),
    [
        (np.eye(3), {"prior": 0}, "prior must be a finite number greater than 0; got 0"),
        (np.eye(3), {"prior": 1e-200}, "prior must be of magnitude 1e-100 to 1e100; got 1e-200"),
        (1e150 * np.eye(3), {}, "phi must be of magnitude 1e-100 to 1e100; got 1e[+]150"),
        (-np.eye(3), {"prior": 0.5}, r"phi \+ prior I must be positive definite; it is not for .* 0.5"),
        (sparse.csr_array((10001, 10001)), {}, "n = 10001 would need 0.8 GB; the limit is 10000"),
    ],
)
def test_bad_input_is_refused(phi, options, message):
    with pytest.raises(ValueError, match=message):
        choose(phi, 1, **options)
