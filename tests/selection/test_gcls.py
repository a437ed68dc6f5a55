import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import gcls as oracle


@st.composite
def small_matrices(draw):
    """Symmetric matrices of small integers: arithmetic is exact and ties are real."""
    n = draw(st.integers(1, 9))
    entries = st.sampled_from([0, 0, 0, 1, 1, 2, 3])
    upper = np.array(draw(st.lists(entries, min_size=n * n, max_size=n * n)), dtype=float).reshape(n, n)
    if draw(st.booleans()):
        upper *= np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=n * n, max_size=n * n))).reshape(
            n, n
        )
    phi = -(np.triu(upper, 1) + np.triu(upper, 1).T)
    if draw(st.booleans()):
        np.fill_diagonal(phi, np.abs(phi).sum(axis=1))  # a Laplacian, signed or not
    else:
        np.fill_diagonal(phi, draw(st.lists(st.integers(0, 6), min_size=n, max_size=n)))
    initial = draw(st.lists(st.integers(0, n - 1), unique=True, max_size=min(2, n - 1)))
    return phi, initial


def pick(phi, n_landmarks, **options):
    return tp.select(phi, n_landmarks, method="gcls", **options).tolist()


@settings(max_examples=8 * settings().max_examples)
@given(small_matrices(), st.sampled_from([0.5, 1.0, 4.0]), st.sampled_from(["spread", "index"]))
def test_every_pick_is_that_of_the_full_search(case, alpha, ties):
    phi, initial = case
    count = len(phi) - len(initial)
    expected = oracle.gcls(phi, count, alpha, initial, ties)
    options = {"alpha": alpha, "ties": ties, "initial": initial}
    assert pick(phi, count, **options) == expected
    assert pick(sparse.csr_array(phi), count, **options) == expected


@settings(max_examples=200)
@given(small_matrices(), st.sampled_from([0.5, 1.0]))
def test_two_candidates_are_those_of_the_rule(case, alpha):
    phi, initial = case
    count = len(phi) - len(initial)
    found = pick(phi, count, strategy="two_candidates", alpha=alpha, initial=initial)
    assert found == oracle.two_candidates(phi, count, alpha, initial)
    assert sorted([*found, *initial]) == list(range(len(phi))), "no landmark twice"


@pytest.mark.parametrize("weights", ["self_tuning", "binary", "lle", "ltsa"])
def test_every_pick_on_a_real_manifold_is_that_of_the_full_search(weights):
    X = np.random.default_rng(0).random((70, 3))
    graph = tp.neighbor_graph(X, 5)
    if weights == "lle":
        phi = tp.lle(graph, X)
    elif weights == "ltsa":
        phi = tp.ltsa(graph, X, 2)
    else:
        phi = tp.laplacian(graph, weights=weights)
    phi = sparse.csr_array(np.round(phi.toarray() * 2**20) / 2**20)  # so that sums in any order are exact
    dense = phi.toarray()
    dense = (dense + dense.T) / 2
    assert pick(dense, 60, alpha=0.125) == oracle.gcls(dense, 60, 0.125)
    assert pick(dense, 60, alpha=0.125, ties="index") == oracle.gcls(dense, 60, 0.125, ties="index")


def test_a_hub_and_its_leaves():
    """A star: deleting the hub leaves equal circles; then no leaf can change anything."""
    phi = tp.laplacian(tp.graph_from_edges([[0, k] for k in range(1, 6)]), weights="binary")
    assert pick(phi, 6) == [0, 1, 2, 3, 4, 5]


def test_all_samples_are_chosen_once_even_without_any_edge():
    assert pick(np.zeros((4, 4)), 4) == [0, 1, 2, 3]
    assert pick(np.zeros((4, 4)), 2, initial=[0, 2]) == [1, 3]
    assert pick(np.zeros((1, 1)), 1) == [0]


def shuffled_laplacian(seed, n=40):
    rng = np.random.default_rng(seed)
    phi = tp.laplacian(tp.neighbor_graph(rng.random((n, 2)), 4)).toarray()
    return phi, rng.permutation(n)


@given(st.integers(0, 1000))
def test_nested_continued_and_independent_of_scale_and_numbering(seed):
    phi, order = shuffled_laplacian(seed)
    picks = pick(phi, 20)
    assert pick(phi, 8) == picks[:8]
    assert pick(phi, 12, initial=picks[:8]) == picks[8:]
    assert pick(4.0 * phi, 20) == picks
    assert_array_equal(order[pick(phi[np.ix_(order, order)], 20)], picks)


def test_the_tie_rule_spreads():
    """Two equal stars far apart: once a landmark sits in one, ties go to the other."""
    edges = [[0, k] for k in (1, 2, 3)] + [[4, k] for k in (5, 6, 7)]
    phi = tp.laplacian(tp.graph_from_edges(edges), weights="binary")
    assert pick(phi, 2) == [0, 4]
    assert pick(phi, 2, ties="index") == [0, 4]
    phi = tp.laplacian(tp.graph_from_edges([[0, 1], [2, 3], [4, 5]]), weights="binary")
    assert pick(phi, 3) == [0, 2, 4], "the partners have something in common with a landmark"


def test_input_is_left_alone_and_any_layout_serves():
    phi, _ = shuffled_laplacian(3)
    picks = pick(phi, 10)
    frozen = sparse.csr_array(phi)
    for array in (frozen.data, frozen.indices, frozen.indptr):
        array.flags.writeable = False
    wide = sparse.csr_array((frozen.data, frozen.indices.astype(np.int64), frozen.indptr.astype(np.int64)))
    for matrix in (frozen, wide, np.asfortranarray(phi), sparse.coo_array(phi)):
        assert pick(matrix, 10) == picks
    assert_array_equal(frozen.toarray(), phi)
    single = phi.astype(np.float32)
    assert pick(single, 10) == pick(single.astype(np.float64), 10)


def test_links_too_weak_for_their_product_do_not_stop_it():
    """A C underflows to 0 on the way: Q is infinite then, as it is without any link."""
    W = np.zeros((5, 5))
    W[0, 1], W[1, 2], W[2, 3], W[3, 4] = 5e-324, 1.0, 1.0, 1.0
    phi = np.diag((W + W.T).sum(axis=1)) - W - W.T
    assert sorted(pick(phi, 5)) == list(range(5))
    assert pick(phi, 4, initial=[0]) == oracle.gcls(phi, 4, 1e-3 * phi.diagonal().mean(), [0])


def test_an_interrupt_while_it_starts_is_an_interrupt():
    """It used to crash the interpreter, so another one tries."""
    code = """
import signal, numpy as np, trigpoint as tp
from scipy import sparse
from trigpoint.selection import _gcls
n = 300_000
e = np.ones(n)
phi = sparse.diags_array([2 * e, -e[1:], -e[1:]], offsets=[0, 1, -1]).tocsr()
tp.select(np.eye(3), 1, method="gcls")
begin = _gcls.start
def timed(*arguments):
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.004)
    return begin(*arguments)
_gcls.start = timed
try:
    tp.select(phi, 100_000, method="gcls")
except KeyboardInterrupt:
    print("interrupted")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "interrupted\n"), run.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "fast"}, "strategy must be one of 'exact', 'two_candidates'; got 'fast'"),
        ({"ties": "first"}, "ties must be one of 'spread', 'index'; got 'first'"),
        ({"ties": "spread", "strategy": "two_candidates"}, "ties must be 'index' for strategy='two_cand"),
        ({"alpha": 1e-300}, "alpha must be of magnitude 1e-100 to 1e100; got 1e-300"),
        ({"alpha": 0.0}, "alpha must be a finite number greater than 0; got 0.0"),
        ({"alpha": -1}, "alpha must be .* got -1"),
        ({"beta": 1}, "beta is not an option of method='gcls', whose options are: strategy, ties, alpha"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        pick(np.eye(3), 1, **options)


@pytest.mark.parametrize("sample", [0, 1])
@pytest.mark.parametrize(
    ("matrix", "order"), [("ltsa", "hgc_ltsa"), ("lle", "hgc_lle"), ("laplacian", "hgc_lap")]
)
def test_two_candidates_choose_what_the_toolbox_chose(reference_folder, sample, matrix, order):
    """As far as ties and its double picks allow: four in five of 40 on LTSA, nine in ten elsewhere."""
    toolbox = np.load(reference_folder / f"toolbox_torus_{sample}.npz")
    theirs = set(toolbox[order].astype(int))
    ours = pick(toolbox[matrix], 40, strategy="two_candidates", alpha=0.1)
    assert len(set(ours)) == 40
    assert len(theirs & set(ours)) >= (31 if matrix == "ltsa" else 36)
