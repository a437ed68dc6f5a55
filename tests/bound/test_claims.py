"""What the bound says, and what it does not: the cases of docs/bound.md."""

import numpy as np
import pytest
from scipy import sparse

import trigpoint as tp
from reference import bound as oracle
from reference import propagation as graphs


def change(psi, E, landmarks, labels):
    """||dZ_U|| / ||Z_U|| where psi_UU Z_U = -psi_UL Z_L is solved with psi + E instead of psi."""
    rest = np.setdiff1d(np.arange(len(psi)), landmarks)
    Z, moved = (
        np.linalg.solve(m[np.ix_(rest, rest)], -m[np.ix_(rest, landmarks)] @ labels) for m in (psi, psi + E)
    )
    return np.linalg.norm(moved - Z) / np.linalg.norm(Z)


def two_norm_bound(psi, landmarks):
    """The paper's own inequality, in the 2-norm."""
    rest = np.setdiff1d(np.arange(len(psi)), landmarks)
    UU, UL = psi[np.ix_(rest, rest)], psi[np.ix_(rest, landmarks)]
    return np.linalg.cond(UU) * (1 / np.linalg.norm(UL, 2) + 1 / np.linalg.norm(UU, 2))


@pytest.mark.parametrize("size", [1e-3, 1e-6])
def test_labels_that_cancel_break_the_inequality_51_fold(size):
    """A sample between landmarks of labels 1 and -51/52, however small the noise."""
    phi, labels = graphs.path(3), np.array([1.0, -51 / 52])
    found = tp.landmark_bound(phi, [0, 2], alpha=1e-3)
    psi = oracle.shifted(phi, 1e-3)
    E = np.zeros((3, 3))
    E[0, 1] = E[1, 0] = -size
    moved = change(psi, E, [0, 2], labels)
    assert moved > 51 * size * found.bound_inf
    assert moved > 40 * size * two_norm_bound(psi, [0, 2])


def test_where_labels_do_not_cancel_noise_stays_within_it():
    phi = graphs.cloud_laplacian(60, 2, seed=0)
    psi, landmarks = oracle.shifted(phi, 0.01), np.arange(0, 60, 6)
    E = np.random.default_rng(0).standard_normal((60, 60))
    E = (E + E.T) / np.linalg.norm(E + E.T, 2)
    assert change(psi, 1e-6 * E, landmarks, np.ones(10)) < 1e-6 * two_norm_bound(psi, landmarks)


def test_a_small_bound_says_nothing_about_labels():
    """Every other sample of a ring is labeled, and labels alternate: all others come out wrong."""
    phi = graphs.ring(12)
    landmarks = np.arange(0, 12, 2)
    found = tp.landmark_bound(phi, landmarks)
    assert found.condition_number == pytest.approx(1.0)  # as good as it gets
    alternating = np.tile([1.0, -1.0], 6)
    z = tp.propagate(phi, landmarks, alternating[landmarks])
    assert np.linalg.norm(z - alternating) > 2 * np.linalg.norm(alternating[1::2]) * 0.99


def test_propagating_on_psi_is_not_propagating_on_phi():
    """The paper's Property 2 holds up to a ridge: gamma = shift, which for signed phi is large."""
    X = np.random.default_rng(0).random((80, 2))
    phi = tp.lle(tp.neighbor_graph(X, 8), X)
    landmarks = np.arange(0, 80, 5)
    values = 1.0 + X[landmarks, 0]
    shift = tp.landmark_bound(phi, landmarks).shift
    on_psi = tp.propagate(sparse.csr_array(phi + shift * sparse.eye_array(80)), landmarks, values)
    np.testing.assert_allclose(on_psi, tp.propagate(phi, landmarks, values, gamma=shift), atol=1e-8)
    rest = np.setdiff1d(np.arange(80), landmarks)
    assert np.abs(on_psi[rest]).mean() < 0.5 < 1.2 < tp.propagate(phi, landmarks, values)[rest].mean()


def test_a_poor_set_may_exceed_what_some_set_attains():
    heavy = sparse.csr_array(sparse.block_diag([graphs.path(3), 1e-6 * graphs.path(3)]))
    found = tp.landmark_bound(heavy, [0, 1], alpha=1e-9)
    assert found.condition_number > found.existence
