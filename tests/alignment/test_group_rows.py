"""Groups of rows in blocks are those of the whole matrix, to the last bit."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import trigpoint as tp
from trigpoint.alignment import (
    block_is_laplacian,
    block_links,
    block_strongest,
    completed,
    cut_by_groups,
    founded,
    groups,
    groups_of_ranges,
    rows_among,
    rows_of_groups,
)


def in_blocks(phi, initial, bounds, n_ranges):
    """The steps of a cluster, one after the other."""
    blocks, first = [phi[a:b] for a, b in pairwise(bounds)], bounds[:-1]
    strongest = np.concatenate([block_strongest(*one) for one in zip(blocks, first, strict=True)])
    links = [block_links(rows, a, strongest) for rows, a in zip(blocks, first, strict=True)]
    found = founded(links, phi.diagonal(), initial)
    rest = [rows_among(rows, a, found.waiting) for rows, a in zip(blocks, first, strict=True)]
    owner, centers = completed(found, rest)
    m = len(centers)
    ends = np.arange(n_ranges + 1) * m // n_ranges
    pieces = [cut_by_groups(rows, a, owner, ends) for rows, a in zip(blocks, first, strict=True)]
    ranges = [
        rows_of_groups([one[r] for one in pieces], *run, m) for r, run in enumerate(pairwise(ends.tolist()))
    ]
    return groups_of_ranges(owner, centers, ranges)


def assert_same(found, wanted):
    assert np.array_equal(found.centers, wanted.centers)
    assert np.array_equal(found.owner, wanted.owner)
    for name in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(found.phi, name), getattr(wanted.phi, name))


def weighted(n, edges, weights):
    W = sparse.coo_array((weights, edges.T), shape=(n, n)).tocsr()
    W = W.maximum(W.T)
    W.setdiag(0.0)
    W.eliminate_zeros()
    return sparse.csr_array(sparse.diags_array(W.sum(axis=1)) - W)


@given(st.integers(0, 10_000), st.integers(2, 40), st.integers(0, 120), st.integers(1, 5), st.integers(1, 4))
def test_groups_in_blocks_are_those_of_the_whole(seed, n, n_edges, n_blocks, n_ranges):
    """Weights of a few sizes, so that links tie; samples without a link, and some that are given."""
    rng = np.random.default_rng(seed)
    phi = weighted(n, rng.integers(0, n, (n_edges, 2)), rng.choice([0.1, 0.3, 1.0, 3.0], n_edges))
    phi.setdiag(phi.diagonal())  # stored, also where it is 0
    initial = rng.choice(n, rng.integers(0, min(n, 4)), replace=False)
    bounds = np.unique(np.concatenate([[0, n], rng.integers(0, n, n_blocks - 1)])).tolist()
    assert_same(in_blocks(phi, initial, bounds, n_ranges), groups(phi, initial))


@pytest.mark.parametrize("n_blocks", [1, 3, 8])
def test_groups_of_a_neighbor_graph_and_of_a_star(n_blocks):
    X = np.random.default_rng(0).standard_normal((3000, 3))
    star = tp.graph_from_edges([[0, i] for i in range(1, 60)])  # more links than a group takes
    for phi in (tp.laplacian(tp.neighbor_graph(X, 12)), tp.laplacian(star)):
        n = phi.shape[0]
        bounds = (np.arange(n_blocks + 1) * n // n_blocks).tolist()
        assert_same(in_blocks(phi, np.array([5, 3]), bounds, 4), groups(phi, np.array([5, 3])))


def test_what_is_no_laplacian_is_seen():
    phi = tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2], [2, 3]]))
    assert block_is_laplacian(phi, 0)
    assert block_is_laplacian(phi[2:], 2)
    assert not block_is_laplacian(phi[2:], 1)
    assert not block_is_laplacian(-phi, 0)
    assert not block_is_laplacian(sparse.csr_array(phi + sparse.eye_array(4)), 0)
    zero = phi.copy()
    zero.data[zero.indptr[0] : zero.indptr[1]] = 0.0
    assert not block_is_laplacian(zero, 0)
