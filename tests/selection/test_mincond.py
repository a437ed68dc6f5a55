import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from threadpoolctl import threadpool_limits

import trigpoint as tp
from reference import dense_selection as oracle

edge_lists = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.25, 1.0, 2.0])), max_size=12
)


def choose(phi, n_landmarks, initial=None, **options):
    return tp.select(phi, n_landmarks, method="mincond", initial=initial, **options)


def kappa(psi, deleted):
    rest = np.setdiff1d(np.arange(len(psi)), deleted)
    return np.linalg.cond(psi[np.ix_(rest, rest)])


def test_isolated_samples_can_be_worked_out_by_hand():
    phi = np.diag([3.875, 0.875, 0.0, 1.875])  # c = ln (4, 1, 1/8, 2), and no radius in the circle theorem
    assert choose(phi, 4, alpha=0.125, radii="gershgorin").tolist() == [0, 3, 1, 2]
    assert choose(phi, 4, alpha=0.125).tolist() == [2, 0, 3, 1], "c = -ln 8 has a radius of 2 ln 8"


@settings(max_examples=20)
@given(edge_lists, st.booleans())
def test_picks_match_the_definition(edges, signed):
    phi = oracle.laplacian(7, edges)
    picks = choose(phi, 7, alpha=0.125, radii="toolbox" if signed else "gershgorin")
    with threadpool_limits(1):  # small matrices only wait for threads
        assert picks.tolist() == oracle.mincond(phi, 0.125, 7, signed)


@pytest.mark.parametrize("sample", [0, 1])
@pytest.mark.parametrize(
    ("key", "matrix", "alpha"), [("gc_ltsa", "ltsa", 0.001), ("gc_lap", "laplacian", 0.1)]
)
def test_the_authors_orders_are_repeated(reference_folder, sample, key, matrix, alpha):
    torus = np.load(reference_folder / f"toolbox_torus_{sample}.npz")
    assert_array_equal(choose(torus[matrix], 15, alpha=alpha), torus[key])


@pytest.mark.parametrize("sample", [0, 1])
def test_plain_radii_repeat_the_authors_laplacians(reference_folder, sample):
    torus = np.load(reference_folder / f"toolbox_torus_{sample}.npz")
    assert_array_equal(choose(torus["laplacian"], 15, alpha=0.1, radii="gershgorin"), torus["gc_lap"])


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_laws(seed):
    rng = np.random.default_rng(seed)

    def go_on(phi, n_landmarks, initial):
        return choose(phi, n_landmarks, initial, radii="gershgorin")

    oracle.assert_greedy_laws(go_on, oracle.generic(seed), rng)
    oracle.assert_greedy_laws(choose, oracle.generic(seed), rng, scale=None)
    B = rng.standard_normal((12, 12))
    oracle.assert_follows_samples(choose, B.T @ B, rng)


def test_the_condition_number_falls():
    phi = oracle.generic(0, 60)
    psi = phi + 1e-3 * phi.diagonal().mean() * np.eye(60)
    picks = choose(phi, 30)
    assert kappa(psi, picks) < 0.2 * kappa(psi, [])


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
    complete = oracle.laplacian(4, [(i, j, 1.0) for i in range(4) for j in range(i)])
    assert choose(complete, 4).tolist() == [0, 1, 2, 3], "all tie but for rounding"


@pytest.mark.parametrize(
    ("phi", "options", "message"),
    [
        (np.eye(3), {"alpha": 0.0}, "alpha must be a finite number greater than 0; got 0.0"),
        (np.eye(3), {"radii": "none"}, "radii must be one of 'toolbox', 'gershgorin'; got 'none'"),
        (-np.eye(3), {"alpha": 0.5}, r"phi \+ alpha I must be positive definite .* least eigenvalue is -0.5"),
        (np.ones((3, 3)), {"alpha": 1e-30}, "must be positive definite .* raise alpha"),
        (sparse.csr_array((3001, 3001)), {}, "n = 3001 would need 0.432 GB; the limit is 3000"),
    ],
)
def test_bad_input_is_refused(phi, options, message):
    with pytest.raises(ValueError, match=message):
        choose(phi, 1, **options)
