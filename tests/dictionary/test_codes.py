import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import orthogonal_mp_gram

from reference import dictionary as oracle
from trigpoint.dictionary._codes import sparse_codes


def unit(D):
    return D / np.linalg.norm(D, axis=1, keepdims=True)


def problem(seed, n=12, n_atoms=9, p=6):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, p)), unit(rng.standard_normal((n_atoms, p)))


def test_by_hand():
    D = np.array([[1.0, 0, 0], [0, 1, 0], [0.6, 0, 0.8]])
    codes = sparse_codes(np.array([[3.0, 2, 0], [0.6, 0, 0.8]]), D, 2)
    assert codes.indices[0].tolist() == [0, 1], "in order of choice"
    assert_allclose(codes.matrix().toarray(), [[3, 2, 0], [0, 0, 1]], atol=1e-15)
    assert codes.counts.tolist() == [2, 1], "nothing is left after one"
    assert codes.usage().tolist() == [1, 1, 1]


@given(st.integers(0, 10_000), st.integers(1, 8))
def test_they_are_those_of_the_definition_and_of_scikit_learn(seed, sparsity):
    Z, D = problem(seed)
    codes = sparse_codes(Z, D, sparsity).matrix().toarray()
    assert_allclose(codes, oracle.codes(Z, D, sparsity), atol=1e-8)
    if sparsity < D.shape[1]:  # from there on scikit-learn warns that nothing is left
        assert_allclose(codes.T, orthogonal_mp_gram(D @ D.T, D @ Z.T, n_nonzero_coefs=sparsity), atol=1e-8)


def test_they_are_those_of_scikit_learn_at_full_size():
    Z, D = problem(0, n=100, n_atoms=300, p=120)
    expected = orthogonal_mp_gram(D @ D.T, D @ Z.T, n_nonzero_coefs=30).T
    assert_allclose(sparse_codes(Z, D, 30).matrix().toarray(), expected, atol=1e-12)


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_what_is_left_is_orthogonal_to_the_chosen_atoms(seed, sparsity):
    Z, D = problem(seed)
    codes = sparse_codes(Z, D, sparsity)
    X = codes.matrix().toarray()
    assert ((X != 0).sum(axis=1) <= sparsity).all()
    assert np.abs((Z - X @ D) @ D.T)[X != 0].max() < 1e-10
    for i in range(len(Z)):
        chosen = codes.indices[i, : codes.counts[i]]
        assert len(set(chosen.tolist())) == len(chosen)


@given(st.integers(0, 10_000))
def test_signals_do_not_know_of_each_other(seed):
    Z, D = problem(seed, n=140)
    order = np.random.default_rng(seed).permutation(len(Z))
    together = sparse_codes(Z, D, 3).matrix().toarray()
    assert_allclose(sparse_codes(Z[order], D, 3).matrix().toarray(), together[order], atol=1e-12)
    assert_allclose(sparse_codes(-7 * Z, D, 3).matrix().toarray(), -7 * together, atol=1e-11)


def test_signals_and_atoms_of_zeros_and_copies_of_atoms():
    D = np.array([[1.0, 0], [1, 0], [0, 0], [0.6, 0.8]])
    codes = sparse_codes(np.array([[0.0, 0], [1, 0], [1, 5]]), D, 9)
    assert_array_equal(codes.matrix().toarray()[:2], [[0, 0, 0, 0], [1, 0, 0, 0]])
    assert codes.counts.tolist() == [0, 1, 2]
    assert_allclose(codes.matrix() @ D, [[0, 0], [1, 0], [1, 5]], atol=1e-12)


def test_a_dependent_atom_is_left_out():
    D = unit(np.array([[1.0, 0, 0], [0, 1, 0], [1, 1, 0]]))
    codes = sparse_codes(np.array([[3.0, 1, 1]]), D, 3)
    assert codes.counts.tolist() == [2], "what is left, along the third axis, is across all atoms"


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_the_number_of_threads_does_not_matter(monkeypatch, cores):
    Z, D = problem(1, n=300, n_atoms=40, p=20)
    expected = sparse_codes(Z, D, 8)
    monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda: cores)
    again = sparse_codes(Z, D, 8)
    assert_array_equal(again.indices, expected.indices)
    assert_array_equal(again.values, expected.values)
