import signal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from reference import dictionary as oracle
from trigpoint._kernels import dictionary_atoms as kernel
from trigpoint.dictionary import _ksvd
from trigpoint.dictionary._codes import sparse_codes
from trigpoint.dictionary._ksvd import ksvd


def problem(seed, n=30, n_atoms=8, p=5):
    rng = np.random.default_rng(seed)
    D = rng.standard_normal((n_atoms, p))
    return rng.standard_normal((n, p)), D / np.linalg.norm(D, axis=1, keepdims=True)


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_an_iteration_is_that_of_the_definition(seed, sparsity):
    Z, D = problem(seed)
    X, expected, replaced = oracle.sweep(Z, oracle.codes(Z, D, sparsity), D)
    fitted = ksvd(Z, D, sparsity, 1)
    assert_allclose(fitted.D, expected, atol=1e-8)
    assert_allclose(fitted.codes.matrix().toarray(), X, atol=1e-8)
    assert fitted.replaced.tolist() == [replaced]
    assert_allclose(fitted.errors[0], ((Z - X @ expected) ** 2).sum(axis=0), atol=1e-8)


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 6))
def test_laws(seed, sparsity, n_iterations):
    Z, D = problem(seed)
    given_D = D.copy()
    before = ((Z - sparse_codes(Z, D, sparsity).matrix() @ D) ** 2).sum()
    fitted = ksvd(Z, D, sparsity, n_iterations)
    assert_array_equal(D, given_D)
    assert_allclose(np.linalg.norm(fitted.D, axis=1), 1.0)
    assert fitted.codes.counts.max() <= sparsity
    assert fitted.errors[0].sum() <= before * (1 + 1e-12), "a sweep cannot raise the objective"
    left = Z - fitted.codes.matrix() @ fitted.D
    assert_allclose(fitted.errors[-1], (left**2).sum(axis=0), rtol=1e-10)


@given(st.integers(0, 10_000))
def test_the_order_of_signals_does_not_matter(seed):
    Z, D = problem(seed)
    order = np.random.default_rng(seed).permutation(len(Z))
    fitted, again = ksvd(Z, D, 2, 3), ksvd(Z[order], D, 2, 3)
    assert_allclose(again.D, fitted.D, atol=1e-6)
    assert_allclose(again.codes.matrix().toarray(), fitted.codes.matrix().toarray()[order], atol=1e-6)


def test_signals_made_of_few_atoms_are_found_out():
    rng = np.random.default_rng(0)
    truth = np.linalg.qr(rng.standard_normal((12, 12)))[0]
    X = np.zeros((600, 12))
    for x in X:
        x[rng.choice(12, 2, replace=False)] = rng.choice([-1, 1], 2) * rng.uniform(0.5, 2, 2)
    Z = X @ truth
    start = Z[:12] / np.linalg.norm(Z[:12], axis=1, keepdims=True)
    fitted = ksvd(Z, start, 2, 60)
    assert (np.abs(fitted.D @ truth.T).max(axis=0) > 0.99).sum() >= 10


def test_an_unused_atom_becomes_the_worst_signal_of_its_class():
    Z = np.array([[1.0, 0, 0], [0, 3, 0], [0, 0, 5]])
    D = np.array([[1.0, 0, 0], [-1, 0, 0], [1, 0, 0]])
    fitted = ksvd(Z, D, 1, 1, labels=np.array([0, 1, 0]), atom_classes=np.array([0, 1, 0]))
    assert_array_equal(fitted.D, np.eye(3))
    assert fitted.replaced.tolist() == [2]


def test_it_stops_when_nothing_is_left_and_by_tol():
    Z, D = problem(0)
    own = Z / np.linalg.norm(Z, axis=1, keepdims=True)
    exact = ksvd(Z, own, 1, 10)
    assert exact.converged
    assert len(exact.errors) == 1
    assert not ksvd(Z, D, 2, 4).converged
    early = ksvd(Z, D, 2, 100, tol=0.05)
    assert early.converged
    assert len(early.errors) < 100


def test_where_power_iterations_do_not_settle_eigenvectors_do(monkeypatch):
    """E with two equal singular values but for 1e-4, and a start that is nearly all of the second."""
    E = np.diag([1.0, 1.0 - 1e-4, 0.5])
    for matrix in (E, np.vstack([E, np.zeros((2, 3))])):
        d = np.array([1e-3, 1.0, 0.0])
        assert_allclose(kernel._leading(matrix, d / np.linalg.norm(d)), [1, 0, 0], atol=1e-8)
    assert_array_equal(kernel._leading(np.zeros((2, 3)), np.array([0.0, 1, 0])), [0, 1, 0])


def test_large_residuals_without_a_gap_take_no_eigenvectors(monkeypatch):
    rng = np.random.default_rng(0)
    E = np.linalg.qr(rng.standard_normal((300, 260)))[0] * np.linspace(1.0, 0.999, 260)
    d = rng.standard_normal(260)
    d /= np.linalg.norm(d)
    u = kernel._leading(E, d)
    monkeypatch.setattr(np.linalg, "eigh", None)
    assert_allclose(u, kernel._leading.py_func(E, d), atol=1e-10)
    assert np.linalg.norm(u) == pytest.approx(1.0)
    assert np.linalg.norm(E @ u) > np.linalg.norm(E @ d), "a sweep cannot raise the objective"
    assert_array_equal(kernel._leading(np.zeros((201, 201)), d[:201]), d[:201])


def test_large_signals_without_a_gap_obey_the_laws():
    Z, D = problem(0, n=700, n_atoms=4, p=210)
    before = ((Z - sparse_codes(Z, D, 2).matrix() @ D) ** 2).sum()
    fitted = ksvd(Z, D, 2, 1)
    assert fitted.codes.usage().min() > kernel.SMALL
    assert fitted.errors[0].sum() < before
    assert_allclose(np.linalg.norm(fitted.D, axis=1), 1.0)


def test_an_interrupt_waits_for_few_atoms(monkeypatch):
    calls = []

    def update(*arguments):
        calls.append(arguments[-2:])
        return kernel.update_atoms(*arguments)

    monkeypatch.setattr(_ksvd, "update_atoms", update)
    ksvd(*problem(0, n_atoms=10), 2, 1)
    assert calls == [(0, 4), (4, 8), (8, 10)]


def test_two_unused_atoms_become_different_signals():
    Z = np.array([[1.0, 0, 0], [0, 3, 0], [0, 0, 5]])
    fitted = ksvd(Z, np.array([[1.0, 0, 0], [-1, 0, 0], [1, 0, 0]]), 1, 1)
    assert fitted.replaced.tolist() == [2]
    assert_array_equal(fitted.D, np.eye(3)[[0, 2, 1]])


def test_a_rise_does_not_stop_a_run():
    """The pursuit is greedy, so that an iteration may raise the objective; that is not convergence."""
    for seed in range(50):
        Z, D = problem(seed)
        whole = ksvd(Z, D, 2, 40).errors.sum(axis=1)
        steps = np.abs(np.diff(whole)) / whole[1:]
        rise = int((np.diff(whole) > 0).argmax())
        if np.diff(whole)[rise] > 0 and rise + 2 < len(whole):
            tol = 0.5 * steps[: rise + 1].min()
            assert len(ksvd(Z, D, 2, 40, tol=tol).errors) > rise + 2
            return
    raise AssertionError("no seed raises the objective")


@pytest.mark.parametrize("n", [1, 2])
def test_signals_of_zeros_and_copies(n):
    Z = np.zeros((6, 3))
    Z[:n] = [1.0, 2, 2]
    fitted = ksvd(Z, np.eye(3), 2, 3)
    assert np.isfinite(fitted.D).all()
    assert_allclose(fitted.codes.matrix() @ fitted.D, Z, atol=1e-10)


def test_an_interrupt_stops_it():
    Z, D = problem(0, n=2000, n_atoms=300, p=60)
    ksvd(Z, D, 2, 1)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            ksvd(Z, D, 20, 1000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
