"""The covariance that labels leave, by pushes and held; V- and Sigma-optimality are in their own files."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import dense_selection, field_selection, graph_selection
from trigpoint.selection import _field
from trigpoint.selection._field import condition, unlabeled_field
from trigpoint.selection._pool import Pool

METHODS = ("v_optimal", "sigma_optimal", "pivoted_cholesky")


@pytest.fixture
def pushing(monkeypatch):
    """Small pools as if they were large, to more digits."""
    monkeypatch.setattr(_field, "DENSE", 0)
    monkeypatch.setattr(_field, "CUTOFF", 1e-13)


def pool_of(phi):
    return Pool(sparse.csr_array(phi), None, None, np.empty(0, dtype=np.int64))


def cloud(n=600, seed=0):
    return tp.laplacian(tp.neighbor_graph(np.random.default_rng(seed).random((n, 3)), 8))


def by_hand():
    """A = [[2, -1], [-1, 2]], C = [[2, 1], [1, 2]] / 3; a label at 0 leaves C = [1/2]."""
    for track, before, after in (("squares", 5 / 9, 1 / 4), ("sums", 1, 1 / 2)):
        field = unlabeled_field(pool_of([[1.0, -1.0], [-1.0, 1.0]]), 1, 1.0, track)
        assert_allclose(field.variance, [2 / 3, 2 / 3])
        assert_allclose(getattr(field, track), [before, before])
        condition(field, 0)
        assert_allclose([field.variance[1], getattr(field, track)[1]], [1 / 2, after])


def test_one_edge_by_hand():
    by_hand()


@pytest.mark.usefixtures("pushing")
def test_one_edge_by_hand_and_by_pushes():
    by_hand()


def check_against_the_inverse(phi, alpha, picks):
    A = field_selection.precision(phi, alpha)
    for track, power in (("squares", 2), ("sums", 1)):
        field = unlabeled_field(pool_of(phi), 1, alpha, track)
        for count in range(len(picks) + 1):
            C = field_selection.covariance(A, picks[:count])
            left = np.delete(np.arange(len(phi)), picks[:count])
            assert_allclose(field.variance[left], C.diagonal()[left], rtol=1e-7)
            assert_allclose(getattr(field, track)[left], (C**power).sum(axis=0)[left], rtol=1e-7)
            if count < len(picks):
                condition(field, int(picks[count]))


@pytest.mark.parametrize("alpha", [0.01, 0.05, 3.0])
def test_vectors_are_those_of_the_inverse(alpha):
    check_against_the_inverse(dense_selection.generic(0, 30), alpha, [4, 1, 29, 7, 8, 3, 0])


@pytest.mark.usefixtures("pushing")
@pytest.mark.parametrize("alpha", [0.01, 0.05, 3.0])
def test_vectors_by_pushes_are_those_of_the_inverse(alpha):
    check_against_the_inverse(dense_selection.generic(0, 30), alpha, [4, 1, 29, 7, 8, 3, 0])


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_pushes_choose_like_the_inverse(method, monkeypatch):
    phi = cloud()
    picks = tp.select(phi, 60, method=method)
    monkeypatch.setattr(_field, "DENSE", 0)
    rough = tp.select(phi, 60, method=method)
    assert_array_equal(rough[:5], picks[:5])
    alpha = 0.01 if method == "v_optimal" else 0.05
    A = field_selection.precision(phi.toarray(), alpha)
    measure = np.sum if method == "sigma_optimal" else np.trace
    whole = measure(np.linalg.inv(A))
    taken, closely = (whole - measure(field_selection.covariance(A, list(p))) for p in (rough, picks))
    assert taken > 0.99 * closely
    monkeypatch.setattr(_field, "CUTOFF", 1e-12)
    assert_array_equal(tp.select(phi, 60, method=method), picks)


@pytest.mark.parametrize("method", METHODS)
def test_pools_that_break_things_by_pushes(method, monkeypatch):
    monkeypatch.setattr(_field, "DENSE", 0)
    graph_selection.assert_survives(method)


@pytest.mark.usefixtures("pushing")
@pytest.mark.parametrize("method", METHODS)
def test_pushes_follow_the_samples(method):
    assert graph_selection.follows_samples(method, cloud(100), 20, np.random.default_rng(1))


@pytest.mark.parametrize(
    "method", [METHODS[0], *(pytest.param(method, marks=pytest.mark.slow) for method in METHODS[1:])]
)
def test_an_interrupt_stops_it(method):
    graph_selection.assert_interrupt_stops(method)


@pytest.mark.parametrize("method", METHODS)
def test_large_pools_choose_from_a_part(method, monkeypatch):
    phi = cloud()
    monkeypatch.setattr(_field, "DENSE", 0)
    monkeypatch.setattr(_field, "LARGE", 200)
    picks = tp.select(phi, 20, method=method)
    choice = np.random.default_rng(0).permutation(600)[:200]
    assert set(picks) <= set(choice)
    assert_array_equal(tp.select(phi, 8, method=method), picks[:8])
    assert_array_equal(tp.select(phi, 12, method=method, initial=picks[:8]), picks[8:])
    assert len(set(tp.select(phi, 500, method=method, initial=np.arange(100)))) == 500


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_the_number_of_threads_does_not_matter(method, monkeypatch):
    phi = cloud()
    monkeypatch.setattr(_field, "DENSE", 0)
    picks = tp.select(phi, 20, method=method)
    for count in (1, 5):
        monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda count=count: count)
        assert_array_equal(tp.select(phi, 20, method=method), picks)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("alpha", "message"),
    [(0, "alpha must be a finite number greater than 0; got 0"), (1e200, "alpha must be of magnitude")],
)
def test_bad_alpha_is_refused(method, alpha, message):
    with pytest.raises(ValueError, match=message):
        tp.select(cloud(20), 2, method=method, alpha=alpha)
