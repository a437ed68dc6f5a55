import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import dense_selection, field_selection, graph_selection
from trigpoint._kernels import compiled_csr
from trigpoint._kernels.selection_discs import aligned_sets
from trigpoint.selection import _aligned

edge_lists = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 8), st.sampled_from([0.3, 1.0, 1.7])), max_size=16
)


def choose(phi, n_landmarks, initial=None, **options):
    return tp.select(sparse.csr_array(phi), n_landmarks, method="aligned", initial=initial, **options)


def sets_of(phi, mu, threshold, reach=1000):
    phi = sparse.csr_array(phi)
    sizes, members = aligned_sets(
        *compiled_csr(phi), phi.diagonal(), np.arange(phi.shape[0]), mu, threshold, reach
    )
    return [set(part.tolist()) for part in np.split(members, np.cumsum(sizes)[:-1])]


def test_discs_of_a_chain_by_hand():
    """mu = 1, landmark 0 of a chain: s_0 = 2 - T, and 1 is covered where 2 - T >= 1 + 1 / s_0.

    For T = 0.3, s_0 = 1.7, s_1 = 1.7 / (1 + 1 / 1.7) = 1.07, and sample 2 has 1.7 < 1 + 1 / 1.07. For
    T = 0.5, s_0 = 1.5, and sample 1 has 1.5 < 1 + 1 / 1.5. From the middle, s = 1.35 at T = 0.3, and
    1.7 < 1 + 1 / 1.35: nobody.
    """
    chain = dense_selection.laplacian(5, [(i, i + 1, 1.0) for i in range(4)])
    assert sets_of(chain, 1.0, 0.3)[0] == {0, 1}
    assert sets_of(chain, 1.0, 0.5)[0] == {0}
    assert sets_of(chain, 1.0, 0.3)[2] == {2}
    assert sets_of(chain, 1.0, 1e-9) == [{0, 1, 2, 3, 4}] * 5
    assert sets_of(chain, 1.0, 1e-9, 2) == [{0, 1}, {0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4}]


@given(edge_lists, st.sampled_from([0.01, 1.0]), st.sampled_from([1e-9, 0.0011, 0.0037, 0.013, 0.31]))
def test_sets_match_the_definition(edges, mu, threshold):
    phi = dense_selection.laplacian(9, edges)
    for reach in (3, 100):
        expected = [field_selection.aligned_set(phi, i, mu, threshold, reach)[0] for i in range(9)]
        assert sets_of(phi, mu, threshold, reach) == expected


@settings(max_examples=25)
@given(st.integers(0, 1000), st.integers(1, 6), st.sets(st.integers(0, 11), max_size=3))
def test_picks_match_the_definition(seed, n_landmarks, initial):
    phi = dense_selection.generic(seed)
    for coverage in (0.5, 0.95, 1.0):
        expected, _ = field_selection.aligned(phi, sorted(initial), n_landmarks, coverage)
        assert choose(phi, n_landmarks, sorted(initial), coverage=coverage).tolist() == expected


@pytest.mark.parametrize("n_landmarks", [3, 10, 40])
def test_no_eigenvalue_is_below_the_threshold(n_landmarks):
    phi = tp.laplacian(tp.neighbor_graph(np.random.default_rng(0).random((100, 2)), 6))
    expected, threshold = field_selection.aligned(phi.toarray(), [], n_landmarks, 1.0)
    picks = choose(phi, n_landmarks, coverage=1.0)
    assert picks.tolist() == expected

    def least(landmarks):
        a = np.isin(np.arange(100), landmarks)
        return np.linalg.eigvalsh(np.diag(a) + 0.01 / np.median(phi.diagonal()) * phi.toarray())[0]

    assert least(picks) >= threshold > 1e-7
    assert least(picks) > least(np.random.default_rng(1).permutation(100)[:n_landmarks])


def test_it_follows_the_samples():
    rng = np.random.default_rng(3)
    phi = tp.laplacian(tp.neighbor_graph(rng.random((120, 2)), 6))
    assert graph_selection.follows_samples("aligned", phi, 12, rng)


def test_pools_that_break_things():
    graph_selection.assert_survives("aligned")
    graph_selection.assert_survives("aligned", coverage=1.0)
    graph_selection.assert_refuses_a_dense_phi("aligned")


def test_every_part_of_the_pool_gets_its_share():
    X = np.concatenate([np.random.default_rng(k).normal(50 * k, 1, (30, 2)) for k in range(4)])
    phi = tp.laplacian(tp.neighbor_graph(X, 5))
    assert sorted(choose(phi, 4) // 30) == [0, 1, 2, 3]
    assert sorted(choose(phi, 2, [5, 70]) // 30) == [1, 3], "the others have one"


def test_large_pools_choose_from_a_part_drawn_with_the_seed(monkeypatch):
    monkeypatch.setattr(_aligned, "CANDIDATES", 10)
    monkeypatch.setattr(_aligned, "FEWEST", 20)
    phi = tp.laplacian(tp.neighbor_graph(np.random.default_rng(0).random((300, 2)), 6))
    picks = choose(phi, 5, [7], random_state=0)
    others = np.delete(np.arange(300), 7)
    assert set(picks) <= set(np.random.default_rng(0).permutation(others)[:50])
    assert_array_equal(choose(phi, 5, [7], random_state=0), picks)


def test_the_number_of_threads_does_not_matter(monkeypatch):
    phi = tp.laplacian(tp.neighbor_graph(np.random.default_rng(0).random((300, 2)), 6))
    monkeypatch.setattr(_aligned, "ROWS", 32)
    picks = choose(phi, 30)
    for count in (1, 5):
        monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda count=count: count)
        assert_array_equal(choose(phi, 30), picks)


def test_an_interrupt_stops_it():
    graph_selection.assert_interrupt_stops("aligned")


@pytest.mark.parametrize("coverage", [-0.1, 1.5, "all"])
def test_bad_coverage_is_refused(coverage):
    with pytest.raises(ValueError, match=r"coverage must be a number in \[0, 1\]"):
        choose(np.eye(3), 1, coverage=coverage)
