import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array
from sklearn.datasets import load_digits, load_iris

import trigpoint as tp
from reference import checks as reference
from trigpoint.checks import _copies
from trigpoint.checks._copies import (
    by_chance,
    conflicts,
    exact_groups,
    groups_of,
    near_groups,
    text_groups,
)

SMALL = arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 3)), elements=st.integers(-1, 1))


def lists(groups):
    return [group.tolist() for group in groups]


@given(SMALL)
def test_exact_copies_are_equal_rows(X):
    first, found = exact_groups(X)
    assert lists(found) == reference.exact_groups(X)
    for i in range(len(X)):
        assert first[i] == min(j for j in range(len(X)) if (X[j] == X[i]).all())
    for other in (csr_array(X), X.astype(np.float32), np.asfortranarray(X)):
        assert lists(exact_groups(other)[1]) == lists(found)


def test_a_negative_zero_is_zero_and_arrays_may_be_read_only():
    X = np.array([[0.0, 1.0], [-0.0, 1.0], [2.0, 1.0]])
    X.flags.writeable = False
    assert lists(exact_groups(X)[1]) == [[0, 1]]


@given(SMALL)
def test_copies_by_chance_follow_from_the_columns(X):
    expected = reference.expected_copies(X)
    if abs(expected - 1) > 1e-9:
        assert by_chance(X) == (expected >= 1)
        assert by_chance(csr_array(X)) == (expected >= 1)


def test_few_values_make_copies_by_chance_and_many_do_not():
    rng = np.random.default_rng(0)
    assert by_chance(rng.integers(0, 2, (100, 5)).astype(float))
    assert not by_chance(rng.normal(size=(100, 5)))


def test_texts_are_equal_but_for_case_spaces_and_punctuation():
    texts = ["A top-up?", "a  top up", "top up a", "a €1 fee", "a £1 fee", "?", "!", "Ａ top up"]
    assert lists(text_groups(texts)[1]) == [[0, 1, 7]]


@st.composite
def clouds(draw):
    """Points at random, some of them once more with a little noise, or exactly."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, p = draw(st.integers(8, 40)), draw(st.integers(1, 6))
    X = rng.normal(size=(n, p))
    X[: n // 2] *= 10.0 ** -draw(st.integers(0, 4))
    noise = 10.0 ** -draw(st.integers(1, 9))
    near = X[rng.integers(0, n, 3)] + noise * rng.normal(size=(3, p))
    return np.concatenate([X, near, X[rng.integers(0, n, draw(st.integers(0, 3)))]])


@given(clouds(), st.integers(4, 7))
def test_near_copies_are_those_of_the_definition(X, k):
    graph = tp.neighbor_graph(X, k)
    first, _ = exact_groups(X)
    D = graph.distances.reshape(-1, k)
    pairs = reference.near_pairs(D, graph.neighbors, _copies.NEAR, _copies.CHANCE)
    pairs = [(int(first[i]), int(first[j])) for i, j in pairs]
    assert sorted(lists(near_groups(graph, first))) == reference.groups(len(X), pairs)


def near_in(X):
    return near_groups(tp.neighbor_graph(X), exact_groups(X)[0])


@pytest.mark.parametrize("noise", [0.001, 0.01, 0.03])
def test_every_noisy_copy_is_found_and_nothing_else(noise):
    X = load_digits().data[:500]
    rng = np.random.default_rng(0)
    source = rng.choice(500, 20, replace=False)
    copies = X[source] + noise * X.std(axis=0) * rng.normal(size=(20, X.shape[1]))
    found = near_in(np.concatenate([X, copies]))
    assert sorted(lists(found)) == sorted([int(i), 500 + place] for place, i in enumerate(source))


def test_clean_pools_have_no_near_copies():
    rng = np.random.default_rng(0)
    plane, line = rng.uniform(size=(2000, 2)), rng.uniform(size=(2000, 1))
    grid = rng.integers(0, 9, (500, 4)).astype(float)
    uneven = np.concatenate([rng.normal(size=(500, 5)), 1e-3 * rng.normal(size=(500, 5)) + 20])
    for X in (load_digits().data[:500], load_iris().data, plane, line, grid, uneven):
        assert near_in(X) == ()


def test_a_pool_that_is_all_pairs_still_shows_them():
    X = np.random.default_rng(0).normal(size=(100, 8))
    found = near_in(np.concatenate([X, X + 1e-3 * np.random.default_rng(1).normal(size=X.shape)]))
    assert sorted(lists(found)) == [[i, 100 + i] for i in range(100)]


def test_the_nearest_group_comes_first_and_scale_does_not_matter():
    X = np.random.default_rng(0).normal(size=(60, 4))
    X[50], X[40] = X[3] + 1e-7, X[9] + 1e-9
    assert lists(near_in(X)) == lists(near_in(X * 1024)) == [[9, 40], [3, 50]]
    turned = np.random.default_rng(2).permutation(60)
    back = [sorted(turned[group].tolist()) for group in near_in(X[turned])]
    assert back == [[9, 40], [3, 50]]


def test_copies_are_found_beside_a_crowd():
    X = np.random.default_rng(0).normal(size=(100, 4))
    X[30:] = X[0]
    X[20] = X[3] + 1e-8
    assert lists(near_in(X)) == [[3, 20]]


def test_what_is_usual_is_usual_for_both_and_for_the_pool():
    """Two samples of a rare kind are near each other for want of others; they are no copies."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    X[:2] = [[50, 0, 0], [50, 0.2, 0]]
    assert near_in(X) == ()
    D = 1 + rng.random((40, 40)) / 2
    D[5, 10:20] = 0.3
    D = np.minimum(D, D.T)
    for d, expected in ((0.05, []), (0.02, [[4, 5]])):
        D[4, 5] = D[5, 4] = d
        np.fill_diagonal(D, 0)
        graph = tp.neighbor_graph(D, 5, metric="precomputed")
        assert lists(near_groups(graph, np.arange(40))) == expected


def test_crowds_and_equal_distances_say_nothing():
    X = np.repeat(np.random.default_rng(0).normal(size=(3, 4)), 30, axis=0)
    assert near_in(X) == ()
    assert near_in(np.eye(30)) == ()
    assert near_in(np.ones((30, 2))) == ()
    few = np.random.default_rng(0).normal(size=(4, 2))
    assert near_groups(tp.neighbor_graph(few, 2), np.arange(4)) == ()


def test_conflicts_are_groups_with_two_labels():
    first = np.array([0, 0, 2, 3, 3, 3, 6])
    codes = np.array([1, 2, 0, 1, -1, 1, 2])
    exact = groups_of(first)
    assert lists(exact) == [[0, 1], [3, 4, 5]]
    assert lists(conflicts(exact, first, codes)) == [[0, 1]]
    near = (np.array([2, 3]), np.array([0, 6]))
    assert lists(conflicts(near, first, codes)) == [[2, 3, 5], [0, 1, 6]]
    assert conflicts((), first, codes) == ()
