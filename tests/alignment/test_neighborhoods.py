import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import trigpoint as tp
from reference import graphs
from trigpoint.alignment import _neighborhoods
from trigpoint.alignment._neighborhoods import each_chunk, neighborhoods, outer_sum, patches

RAGGED = graphs.from_lists([[(2, 1.0), (1, 2.0)], [], [(0, 1.0)]])


def test_neighborhoods_by_hand():
    indptr, members = neighborhoods(RAGGED, include_self=True)
    assert indptr.tolist() == [0, 3, 4, 6]
    assert members.tolist() == [0, 2, 1, 1, 2, 0]
    indptr, members = neighborhoods(RAGGED, include_self=False)
    assert indptr.tolist() == [0, 2, 2, 3]
    assert members.tolist() == [2, 1, 0]


@pytest.mark.parametrize("n_features", [1, 10**6])
def test_each_chunk_visits_every_slot_once(n_features):
    indptr = np.cumsum([0, 3, 0, 1, 3, 5, 3])
    visits = np.zeros(15, dtype=int)
    sizes = []

    def work(slots):
        visits[slots] += 1
        sizes.append(slots.shape[1])

    each_chunk(indptr, n_features, work)
    assert visits.tolist() == [1] * 15
    assert set(sizes) == {1, 3, 5}


def test_patches_are_float64_differences_from_the_first_member():
    X = np.array([[1e8, 1], [1e8 + 8, 2], [1e8, 3]], dtype=np.float32)
    found = patches(X, np.array([[0, 1, 2], [1, 1, 0]]))
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, [[[0, 0], [8, 1], [0, 2]], [[0, 0], [0, 0], [-8, -1]]])
    squeezed = patches(sparse.csr_array(X), np.array([[0, 1, 2]]))
    np.testing.assert_array_equal(squeezed, found[:1])


@given(st.integers(1, 9), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_outer_sum_matches_the_definition(n, c, seed):
    rng = np.random.default_rng(seed)
    lists = [rng.permutation(n)[: rng.integers(0, n + 1)] for _ in range(n)]
    indptr = np.cumsum([0] + [len(row) for row in lists]).astype(np.int64)
    members = np.concatenate(lists).astype(np.int32)
    factors = rng.integers(-4, 5, size=(len(members), c)).astype(float)
    expected = np.zeros((n, n))
    for i, row in enumerate(lists):
        F = factors[indptr[i] : indptr[i + 1]]
        expected[np.ix_(row, row)] += F @ F.T
    total = outer_sum(indptr, members, factors)
    np.testing.assert_array_equal(total.toarray(), expected)
    assert total.has_canonical_format
    rows = np.repeat(np.arange(n), np.diff(total.indptr))
    assert np.count_nonzero(rows == total.indices) == n  # the diagonal is stored


def test_blocks_do_not_change_the_sum(monkeypatch):
    rng = np.random.default_rng(0)
    members = np.concatenate([rng.permutation(50)[:6] for _ in range(50)]).astype(np.int32)
    indptr = np.arange(0, 301, 6)
    factors = rng.normal(size=(300, 2))
    whole = outer_sum(indptr, members, factors)
    monkeypatch.setattr(_neighborhoods, "ROWS", 7)
    pieces = outer_sum(indptr, members, factors)
    for name in ("data", "indices", "indptr"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(pieces, name))
    np.testing.assert_array_equal(whole.toarray(), whole.toarray().T)


def test_sparse_patches_hold_only_the_columns_in_use():
    X = sparse.csr_array(([1.0, 2.0, 3.0], ([0, 1, 2], [5, 10**9, 5])), shape=(3, 2 * 10**9))
    np.testing.assert_array_equal(patches(X, np.array([[0, 1, 2]])), [[[0, 0], [-1, 2], [2, 0]]])


def test_hubs_whose_gram_matrix_would_not_fit_are_refused():
    hub = tp.graph_from_edges([[0, j] for j in range(1, 6002)])
    X = np.zeros((6002, 2))
    for call in (lambda: tp.lle(hub, X), lambda: tp.ltsa(hub, X, 1)):
        with pytest.raises(ValueError, match=r"at most 5000 neighbors .* got a list of 6001, 0.288 GB"):
            call()
