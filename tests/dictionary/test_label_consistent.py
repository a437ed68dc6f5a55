import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from reference import dictionary as oracle
from trigpoint.dictionary._codes import sparse_codes
from trigpoint.dictionary._label_consistent import label_consistent
from trigpoint.dictionary._start import first_atoms, ridge, shares


def problem(seed, n=36, p=7, n_classes=3):
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=n - n_classes)])
    centers = 2 * rng.standard_normal((n_classes, p))
    return centers[labels] + rng.standard_normal((n, p)), labels


def learn(Y, labels, n_per_class, seed=0, **options):
    defaults = {"sparsity": 3, "alpha": 0.5, "beta": 0.2, "n_iterations": 3, "n_init_iterations": 2}
    options = {**defaults, "tol": 0.0, **options}
    return label_consistent(Y, labels, np.array(n_per_class), rng=np.random.default_rng(seed), **options)


@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.2]), st.integers(1, 3))
def test_fewer_columns_give_what_all_of_them_give(seed, beta, n_iterations):
    """The problem as it is written, [Y, Q, H] in p + K + C columns, step by step."""
    Y, labels = problem(seed)
    n_per_class = np.array([4, 2, 3])
    D, atom_classes = first_atoms(Y, labels, n_per_class, 3, 2, np.random.default_rng(seed))
    expected, A, W, X, errors = oracle.label_consistent(
        Y, labels, D, atom_classes, 3, 0.5, beta, n_iterations
    )
    ours = learn(Y, labels, n_per_class, seed, beta=beta, n_iterations=n_iterations)
    assert_array_equal(ours.atom_classes, atom_classes)
    assert_allclose(ours.D, expected, atol=1e-7)
    assert_allclose(ours.codes.matrix().toarray(), X, atol=1e-7)
    assert_allclose(ours.history.reconstruction, errors[:, 0], rtol=1e-7)
    assert_allclose(ours.history.label_consistency, errors[:, 1], rtol=1e-6, atol=1e-9)
    weights = [1.0, 0.5, beta]
    total = [ours.history.reconstruction, ours.history.label_consistency, ours.history.classification]
    assert_allclose(ours.history.objective, np.array(weights) @ total, rtol=1e-10)
    assert_allclose(ours.W, W, atol=1e-6)
    if beta:
        assert_allclose(ours.W[:, atom_classes], A, atol=1e-6)
        assert_allclose(ours.history.classification, errors[:, 2], rtol=1e-6, atol=1e-9)


def test_ridge_is_the_closed_form():
    Y, labels = problem(1)
    codes = sparse_codes(Y, np.eye(7), 3)
    X, H = codes.matrix().toarray(), np.eye(3)[labels]
    assert_allclose(ridge(codes, H), np.linalg.inv(X.T @ X + np.eye(7)) @ X.T @ H)


@pytest.mark.parametrize(
    ("n_atoms", "counts", "expected"),
    [
        (6, [9, 9, 9], [2, 2, 2]),
        (8, [9, 9, 9], [3, 3, 2]),
        (9, [1, 9, 9], [1, 4, 4]),
        (10, [1, 3, 9], [1, 3, 6]),
        (99, [1, 3, 9], [1, 3, 9]),
        (3, [5, 1, 1], [1, 1, 1]),
    ],
)
def test_shares_of_atoms(n_atoms, counts, expected):
    assert shares(n_atoms, np.array(counts)).tolist() == expected


def test_first_atoms_are_samples_of_their_class():
    Y, labels = problem(2)
    D, classes = first_atoms(Y, labels, np.array([3, 2, 4]), 3, 0, np.random.default_rng(0))
    assert classes.tolist() == [0, 0, 0, 1, 1, 2, 2, 2, 2]
    samples = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    for d, c in zip(D, classes, strict=True):
        assert np.abs(samples[labels == c] - d).sum(axis=1).min() < 1e-12


def test_a_class_of_zeros_gets_atoms_all_the_same():
    Y, labels = problem(3)
    Y[labels == 1] = 0.0
    learned = learn(Y, labels, [3, 2, 3])
    assert np.isfinite(learned.D).all()
    assert np.isfinite(learned.W).all()
    lengths = np.linalg.norm(learned.D, axis=1)
    assert (np.isclose(lengths, 1) | (lengths == 0)).all()


def test_without_weight_for_labels_it_is_plain_ksvd():
    Y, labels = problem(4)
    learned = learn(Y, labels, [3, 3, 3], alpha=0.0, beta=0.0)
    assert np.isnan(learned.history.label_consistency).all()
    assert_allclose(learned.history.objective, learned.history.reconstruction)
    assert np.isfinite(learned.W).all()


@pytest.mark.parametrize("cores", [1, 3])
def test_it_repeats_exactly_on_any_number_of_threads(monkeypatch, cores):
    Y, labels = problem(5, n=200)
    first = learn(Y, labels, [5, 5, 5])
    monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda: cores)
    again = learn(Y, labels, [5, 5, 5])
    assert_array_equal(again.D, first.D)
    assert_array_equal(again.W, first.W)
    assert_array_equal(again.history.objective, first.history.objective)


def test_the_map_of_the_first_variant_is_for_codes_in_atoms_of_length_one():
    """Codes of the joint problem, times the lengths of its atoms, are codes in D: scores are the same."""
    Y, labels = problem(6)
    learned = learn(Y, labels, [3, 3, 3], beta=0.0)
    W = ridge(learned.codes, np.eye(3)[labels])
    lengths = W[:, :1] / learned.W[:, :1]
    assert_allclose(W / lengths, learned.W)
    assert lengths.max() <= 1 + 1e-12
    assert lengths.min() < 0.97, "labels weigh something"
    X = learned.codes.matrix().toarray() * lengths.T
    assert_allclose(((Y - X @ learned.D) ** 2).sum(), learned.history.reconstruction[-1])


def test_unused_atoms_of_the_joint_problem_become_signals_of_their_own_class():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], [20, 6])
    Y = rng.standard_normal((26, 5))
    Y[labels == 1] = rng.standard_normal((6, 1)) * np.eye(5)[0]  # an axis: atoms on it are equal exactly
    n_per_class = np.array([4, 4])
    options = {"sparsity": 2, "alpha": 0.1, "beta": 0.1, "n_init_iterations": 0, "n_iterations": 3}
    ours = learn(Y, labels, n_per_class, **options)
    assert ours.history.replaced.sum() > 0
    D, atom_classes = first_atoms(Y, labels, n_per_class, 2, 0, np.random.default_rng(0))
    expected, _, W, _, errors = oracle.label_consistent(Y, labels, D, atom_classes, 2, 0.1, 0.1, 3)
    assert_allclose(ours.D, expected, atol=1e-7)
    assert_allclose(ours.W, W, atol=1e-6)
    assert_allclose(ours.history.reconstruction, errors[:, 0], rtol=1e-7)


def test_an_atom_with_little_but_labels_still_speaks():
    """Two classes of one line each, one of them 1e-4 of the other: its atom is short, and yet an atom."""
    Y = np.array([[1.0, 0], [2, 0], [0, 1e-4], [0, 2e-4]])
    learned = learn(Y, np.array([0, 0, 1, 1]), [1, 1], sparsity=1, alpha=1.0, beta=1.0, n_init_iterations=0)
    assert_allclose(learned.D[1], [0, 1], atol=1e-8)
    assert np.isfinite(learned.W).all()
    assert np.abs(learned.W[1]).max() > 100


def test_spare_atoms_are_of_length_one():
    Y, labels = problem(3)
    Y[labels == 1] = 0.0
    for n_iterations in (0, 2):
        D, _ = first_atoms(Y, labels, np.array([3, 2, 3]), 3, n_iterations, np.random.default_rng(0))
        assert_allclose(np.linalg.norm(D, axis=1), 1.0)


def test_a_class_without_atoms_leaves_the_history_whole():
    Y, labels = problem(7)
    history = learn(Y, labels, [4, 0, 4], beta=0.0, n_init_iterations=0).history
    assert np.isfinite(history.label_consistency).all()
    assert_allclose(history.objective, history.reconstruction + 0.5 * history.label_consistency)
