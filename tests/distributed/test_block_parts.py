"""Parts and aggregates of blocks against naive code, without a cluster."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph, csr_array

from trigpoint.distributed._block_parts import adopted, block_diagonal, block_labels, joined_labels, seeded


@st.composite
def matrices(draw):
    """Laplacians of few whole weights, and where their rows are cut."""
    n = draw(st.integers(2, 12))
    links = draw(
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(1, 3)), max_size=15)
    )
    W = np.zeros((n, n))
    for i, j, w in links:
        if i != j:
            W[i, j] = W[j, i] = w
    cuts = draw(st.lists(st.integers(1, n - 1), max_size=3, unique=True))
    return csr_array(np.diag(W.sum(axis=1)) - W), [0, *sorted(cuts), n]


@given(matrices())
def test_labels_of_blocks_join_to_the_parts_of_the_whole(case):
    phi, bounds = case
    blocks = [(phi[a:b], a) for a, b in pairwise(bounds)]
    diagonal = np.concatenate([block_diagonal(*block) for block in blocks])
    assert np.array_equal(diagonal, phi.diagonal())
    labels = [block_labels(*block, diagonal) for block in blocks]
    while len(labels) > 1:
        labels = [joined_labels(*labels[:2]), *labels[2:]]
    parts, one_sided = labels[0]
    wanted = csgraph.connected_components(phi, directed=False)[1]
    assert one_sided == 0
    assert np.array_equal(parts[:, None] == parts, wanted[:, None] == wanted)


@given(matrices(), st.integers(1, 4))
def test_a_round_of_adoption_is_what_it_says(case, count):
    phi, bounds = case
    dense, n = phi.toarray(), phi.shape[0]
    among = np.arange(n) % 3 != 1
    owner = seeded(among, count)
    wanted = owner.copy()
    for i in range(n):
        if owner[i] < 0 and among[i]:
            near = [(-abs(dense[i, j]), j) for j in range(n) if j != i and dense[i, j] and owner[j] >= 0]
            if near:
                wanted[i] = owner[min(near)[1]]
    found = [adopted(phi[a:b], a, owner, among) for a, b in pairwise(bounds)]
    assert np.array_equal(np.concatenate(found), wanted)


def test_links_that_one_side_cannot_feel_are_counted():
    phi = csr_array(np.array([[1e14, -1.0], [-1.0, 1.0]]))
    assert block_labels(phi, 0, phi.diagonal())[1] == 2


def test_of_two_neighbors_as_near_the_first_gives_its_owner():
    phi = csr_array(np.array([[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]]))
    owner = seeded(np.ones(3, dtype=bool), 2)
    assert owner.tolist() == [0, -1, 1]
    assert adopted(phi, 0, owner, None).tolist() == [0, 0, 1]
