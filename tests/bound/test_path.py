import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import trigpoint as tp
from reference import bound as oracle
from reference import graphs as lists
from reference import propagation as graphs


@st.composite
def walks(draw):
    """A signed symmetric matrix of small integers, some of them stored zeros, and an order of picks."""
    n = draw(st.integers(2, 14))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    mask = np.triu(rng.random((n, n)) < draw(st.sampled_from([0.1, 0.3, 0.8])))
    W = np.triu(rng.integers(-3, 4, (n, n)).astype(float))
    i, j = np.nonzero(mask & ~np.eye(n, dtype=bool))
    places = (np.concatenate([i, j, np.arange(n)]), np.concatenate([j, i, np.arange(n)]))
    entries = np.concatenate([W[i, j], W[i, j], rng.integers(0, 9, n)])
    phi = sparse.coo_array((entries, places), shape=(n, n)).tocsr()
    return phi, rng.permutation(n)[: draw(st.integers(1, n))]


def test_a_path_by_hand():
    found = tp.selection_path(graphs.path(5), [0, 4, 2], alpha=0.5)
    np.testing.assert_array_equal(found.coverage, [0.4, 0.8, 1.0])
    np.testing.assert_array_equal(found.norm_inf, [1, 1, 2])
    np.testing.assert_array_equal(found.norm_1, [1, 1, 2])
    np.testing.assert_array_equal(found.norm_rest, [4.5, 4.5, 2.5])
    np.testing.assert_array_equal(found.gershgorin, [11, 11, 0.9])
    np.testing.assert_array_equal(found.checkpoints, [0, 1, 2])
    assert found.condition_number[2] == 1.0
    assert found.bound_inf[2] == pytest.approx(0.9)


@given(walks(), st.integers(0, 4))
def test_every_prefix_matches_the_definition(walk, hops):
    phi, landmarks = walk
    found = tp.selection_path(phi, landmarks, alpha=0.5, hops=hops, checkpoints=0)
    psi = oracle.shifted(phi, 0.5)
    off = psi - np.diag(np.diag(psi))
    for k in range(1, len(landmarks) + 1):
        assert found.coverage[k - 1] == oracle.coverage(off, landmarks[:k], hops)
        here = tuple(a[k - 1] for a in (found.norm_1, found.norm_inf, found.norm_rest, found.gershgorin))
        assert here == (oracle.norms(psi, landmarks[:k]) if k < phi.shape[0] else (0, 0, 0, 0))


@given(walks(), st.integers(1, 5))
def test_at_checkpoints_it_is_the_bound_and_above_it_elsewhere(walk, checkpoints):
    phi, landmarks = walk
    found = tp.selection_path(phi, landmarks, checkpoints=checkpoints)
    assert len(found.checkpoints) <= checkpoints
    assert found.checkpoints[0] == 0
    assert found.checkpoints[-1] == (len(landmarks) - 1 if checkpoints > 1 else 0)
    for k in range(len(landmarks)):
        one = tp.landmark_bound(phi, landmarks[: k + 1])
        exact = k in found.checkpoints
        for name in ("condition_number", "bound_1", "bound_inf"):
            ours, theirs = getattr(found, name)[k], getattr(one, name)
            assert ours == pytest.approx(theirs, rel=1e-9) if exact else ours >= theirs * (1 - 1e-9)
        assert found.gershgorin[k] == pytest.approx(one.gershgorin)
        assert (found.alpha, found.shift) == (one.alpha, one.shift)


def test_with_real_weights_it_agrees_with_the_bound_of_each_prefix():
    phi = graphs.cloud_laplacian(150, 2, seed=3)
    landmarks = np.random.default_rng(0).permutation(150)
    found = tp.selection_path(phi, landmarks, checkpoints=0)
    for k in (1, 7, 60, 120, 145, 149, 150):
        one = tp.landmark_bound(phi, landmarks[:k])
        for name in ("norm_1", "norm_inf", "norm_rest", "gershgorin"):
            np.testing.assert_allclose(
                getattr(found, name)[k - 1], getattr(one, name), rtol=1e-12, err_msg=name
            )


def test_sums_that_shrink_stay_accurate():
    """A landmark that loses its heavy neighbors: what is left of its sum must not be rounding."""
    weights = np.array([1e16, 3.0, 1e-8, 1e-9])
    phi = graphs.laplacian(
        np.pad(weights[None], ((0, 4), (1, 0))) + np.pad(weights[:, None], ((1, 0), (0, 4)))
    )
    found = tp.selection_path(phi, [0, 1, 2, 3, 4], alpha=1.0, checkpoints=0)
    np.testing.assert_array_equal(found.norm_1[1:], [3.0 + 1e-8 + 1e-9, 1e-8 + 1e-9, 1e-9, 0.0])


def test_without_checkpoints_there_are_no_eigenvalues():
    found = tp.selection_path(graphs.ring(8), [0, 4], checkpoints=0)
    assert len(found.checkpoints) == 0
    assert np.isnan([found.condition_number, found.bound_1, found.bound_inf]).all()


def test_checkpoints_are_spread_on_a_logarithmic_scale():
    found = tp.selection_path(graphs.ring(600), np.arange(500), checkpoints=4)
    np.testing.assert_array_equal(found.checkpoints, [0, 7, 62, 499])


def test_coverage_follows_the_edges_of_a_given_graph():
    phi = graphs.laplacian(np.ones((5, 5)))
    chain = lists.from_lists([[(1, 1.0)], [(2, 0.0)], [(3, 1.0)], [], []])  # directed; one of length 0
    found = tp.selection_path(phi, [3, 0], graph=chain, hops=2, checkpoints=0)
    np.testing.assert_array_equal(found.coverage, [0.6, 0.8])
    np.testing.assert_array_equal(tp.selection_path(phi, [3, 0], checkpoints=0).coverage, [1.0, 1.0])


def test_a_later_landmark_may_come_closer():
    phi = graphs.path(9)
    found = tp.selection_path(phi, [0, 2, 8], hops=3, checkpoints=0)
    np.testing.assert_allclose(found.coverage * 9, [4, 6, 9])


def test_a_dense_matrix_gives_the_same():
    phi = graphs.cloud_laplacian(60, 2, seed=3)
    a, b = (tp.selection_path(m, [5, 10, 50, 20], hops=2) for m in (phi, phi.toarray()))
    for name in ("coverage", "gershgorin", "norm_1", "norm_inf", "norm_rest", "bound_1", "bound_inf"):
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"hops": -1}, ValueError, "hops must be an integer and be at least 0"),
        ({"checkpoints": -1}, ValueError, "checkpoints must be an integer and be at least 0"),
        ({"graph": "knn"}, TypeError, "graph must be a NeighborGraph; got str"),
        ({"graph": lists.from_lists([[], []])}, ValueError, "graph must have 5 samples, as phi does; got 2"),
        ({"landmarks": [5]}, ValueError, r"landmarks must lie in \[0, 4\]"),
    ],
)
def test_bad_input_is_refused(change, error, message):
    with pytest.raises(error, match=message):
        tp.selection_path(**({"phi": graphs.path(5), "landmarks": [0]} | change))
