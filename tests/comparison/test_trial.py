"""Errors by hand, by the definition, and the laws that they keep."""

from time import process_time, sleep

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.alignment import laplacian, sharpness
from trigpoint.comparison._contestants import Method, chosen
from trigpoint.comparison._labeled import check_labeled, induced
from trigpoint.comparison._predictors import Predictor
from trigpoint.comparison._split import Setting, Split, split
from trigpoint.comparison._trial import errors, trial
from trigpoint.selection import SELECTORS
from trigpoint.trials import rng_for

PATH = [[i, i + 1] for i in range(7)]
PLAIN = Predictor("plain", "propagation")


def cut(known, keep):
    """The split of a given graph that keeps these samples."""
    graph = induced(known.graph, keep)
    held = np.setdiff1d(np.arange(known.n), keep)
    X = None if known.X is None else known.X[keep]
    return Split(keep, held, X, graph, laplacian(graph))


def test_classes_on_a_path_by_hand():
    """0-1-2-3-4 and 6-7 are the pool, 5 is held out; 0 and 3 are labeled, both of class 0."""
    known = check_labeled(None, [0, 0, 0, 0, 1, 1, 1, 1], PATH, "auto")
    drawn = cut(known, np.array([0, 1, 2, 3, 4, 6, 7]))
    rest, held = errors(known, drawn, np.array([0, 3]), PLAIN)
    assert rest == pytest.approx(3 / 5)  # 4 takes the class of 3, nothing reaches 6 and 7
    assert held == 1.0  # 5 takes the class of 4
    rest, held = errors(known, drawn, np.array([0, 5]), PLAIN)  # 0 and 6
    assert rest == pytest.approx(1 / 5)  # 4 alone
    assert held == pytest.approx(1.0)  # between 0 and 1 it is even, and the first class is taken


def test_values_on_a_path_by_hand():
    known = check_labeled(None, np.arange(8.0), PATH, "regression")
    drawn = cut(known, np.array([0, 1, 2, 3, 4, 6, 7]))
    rest, held = errors(known, drawn, np.array([0, 3]), PLAIN)
    # 1, 2 are right, 4 is taken for 3, and 6 and 7 for 1.5, the mean of 0 and 3; the spread is sqrt(5.25)
    assert rest == pytest.approx(np.sqrt((1 + 4.5**2 + 5.5**2) / 5 / 5.25))
    assert held == pytest.approx(2 / np.sqrt(5.25))


def test_the_mean_has_error_one():
    """Without an edge every value is the landmarks' mean, here that of all."""
    known = check_labeled(None, np.array([1.0, 3.0] * 5) + 0.5, np.empty((0, 2)), "auto")
    drawn = cut(known, np.arange(8))
    assert errors(known, drawn, np.array([0, 1]), PLAIN) == (pytest.approx(1), pytest.approx(1))


def dense_errors(X, Z, keep, held, landmarks, k, c):
    """By the definition: K nearest, self-tuning weights, dense solve, weighted mean of the K nearest."""
    P = X[keep]
    D = np.linalg.norm(P[:, None] - P[None], axis=2)
    near = np.argsort(D + np.diag(np.full(len(P), np.inf)), axis=1)[:, :k]
    s = np.take_along_axis(D, near, axis=1)[:, -1]
    W = np.zeros_like(D)
    for i, row in enumerate(near):
        W[i, row] = np.exp(-c * D[i, row] ** 2 / (s[i] * s[row]))
    W = np.maximum(W, W.T)
    A = np.diag(W.sum(axis=1)) - W
    rest = np.setdiff1d(np.arange(len(P)), landmarks)
    values = Z[keep].copy()
    values[rest] = np.linalg.solve(A[np.ix_(rest, rest)], -A[np.ix_(rest, landmarks)] @ values[landmarks])
    far = np.linalg.norm(X[held][:, None] - P[None], axis=2)
    close = np.argsort(far, axis=1)[:, :k]
    d = np.take_along_axis(far, close, axis=1)
    w = np.exp(-c * d**2 / (d[:, -1:] * s[close]))
    return values[rest], Z[keep][rest], (w[..., None] * values[close]).sum(axis=1) / w.sum(axis=1)[:, None]


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_errors_are_those_of_the_definition(task):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2))
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0) if task == "classification" else X @ rng.random((2, 2))
    known, setting = check_labeled(X, y, None, task), Setting(0.25, 6, "euclidean", 3)
    rows = trial(known, setting, Method("random", "random"), (PLAIN,), (5, 12), 4)
    drawn = split(known, setting, 4)
    assert (len(drawn.keep), len(drawn.held)) == (45, 15)
    assert sorted([*drawn.keep, *drawn.held]) == list(range(60))
    picks = landmarks_of(known, setting, 12, 4)
    Z = known.targets
    if task == "regression":
        assert (Z**2).sum(axis=1).mean() == pytest.approx(1)
    got, truth, held = dense_errors(X, Z, drawn.keep, drawn.held, picks, 6, sharpness(drawn.graph))
    if task == "classification":
        rest = np.mean(got.argmax(axis=1) != truth.argmax(axis=1))
        out = np.mean(held.argmax(axis=1) != Z[drawn.held].argmax(axis=1))
    else:
        rest = np.sqrt(((got - truth) ** 2).sum(axis=1).mean())
        out = np.sqrt(((held - Z[drawn.held]) ** 2).sum(axis=1).mean())
    assert rows[1]["n_landmarks"] == 12
    assert (rows[1]["rest"], rows[1]["held_out"]) == (pytest.approx(rest), pytest.approx(out))
    assert rest > 0
    first = errors(known, drawn, picks[:5], PLAIN)
    assert (rows[0]["rest"], rows[0]["held_out"]) == first


def landmarks_of(known, setting, count, number):
    """What "random" chooses in a trial."""
    drawn = split(known, setting, number)
    seed = int(rng_for(setting.seed, "method", number, "random").integers(2**31))
    return tp.select(drawn.phi, count, method="random", random_state=seed)


def test_the_order_of_samples_and_the_names_of_classes_change_nothing():
    rng = np.random.default_rng(1)
    edges, weights = rng.integers(0, 40, (90, 2)), rng.random(90)  # so that no vote is even
    y = rng.integers(0, 3, 40)
    order = rng.permutation(40)
    place = np.argsort(order)  # new number of an old sample
    graph, other = (tp.graph_from_edges(one, weights, n_nodes=40) for one in (edges, place[edges]))
    known = check_labeled(None, y, graph, "auto")
    moved = check_labeled(None, np.array(["c", "a", "b"])[y[order]], other, "auto")
    keep = np.sort(rng.permutation(40)[:30])
    picks = rng.permutation(30)[:7]
    new_keep = np.sort(place[keep])
    new_picks = np.searchsorted(new_keep, place[keep[picks]])
    before, after = (
        errors(known, cut(known, keep), picks, PLAIN),
        errors(moved, cut(moved, new_keep), new_picks, PLAIN),
    )
    assert 0 < before[0] < 1
    assert after == before
    values = rng.standard_normal((40, 2))
    known, moved = (
        check_labeled(None, values, graph, "auto"),
        check_labeled(None, 7 * values[order] - 2, other, "auto"),
    )
    before, after = (
        errors(known, cut(known, keep), picks, PLAIN),
        errors(moved, cut(moved, new_keep), new_picks, PLAIN),
    )
    assert after == pytest.approx(before)


def test_a_given_graph_is_cut_with_its_weights():
    graph = tp.graph_from_edges([[0, 1], [1, 2], [2, 3], [0, 3]], [1.0, 2.0, 4.0, 8.0])
    part = induced(graph, np.array([0, 2, 3]))
    expected = tp.graph_from_edges([[1, 2], [0, 2]], [4.0, 8.0])
    for name in ("indptr", "indices", "distances", "similarities"):
        np.testing.assert_array_equal(getattr(part, name), getattr(expected, name))
    assert part.metric == "edges"


@pytest.mark.parametrize("name", [name for name, one in SELECTORS.items() if one.nested])
def test_methods_that_are_asked_once_are_nested(name):
    X = np.random.default_rng(0).standard_normal((60, 3))
    graph = tp.neighbor_graph(X, 6)
    phi = tp.laplacian(graph)
    method = Method(name, name)
    assert method.nested(20)
    drawn = Split(np.arange(60), np.empty(0, dtype=np.int64), X, graph, phi)
    long, short = (chosen(method, drawn, count, 5, np.arange(60) % 2) for count in (20, 8))
    assert long[:8].tolist() == short.tolist()


def test_those_that_draw_candidates_are_asked_again_for_many_landmarks():
    assert not Method("v_optimal", "v_optimal").nested(1001)
    assert Method("gcls", "gcls").nested(1001)


def test_splits_differ_and_repeat():
    known = check_labeled(None, [0, 1] * 10, [[i, i + 1] for i in range(19)], "auto")
    setting = Setting(0.3, 1, "euclidean", 0)
    first = split(known, setting, 0)
    assert len(first.held) == 6
    assert split(known, setting, 1).keep.tolist() != first.keep.tolist()
    assert split(known, setting, 0).keep.tolist() == first.keep.tolist()
    assert split(known, Setting(0.3, 1, "euclidean", 1), 0).keep.tolist() != first.keep.tolist()


def test_seconds_are_of_the_processor():
    """A method that waits takes no time; one that works takes what it works."""

    def waits(X, graph, phi, n_landmarks, rng):
        sleep(0.3)
        return np.arange(n_landmarks)

    def works(X, graph, phi, n_landmarks, rng):
        start = process_time()
        while process_time() - start < 0.1:
            pass
        return np.arange(n_landmarks)

    known = check_labeled(None, [0, 1] * 10, [[i, i + 1] for i in range(19)], "auto")
    setting = Setting(0.3, 1, "euclidean", 0)
    (idle,), (busy,) = (
        trial(known, setting, Method("mine", own=own), (PLAIN,), (3,), 0) for own in (waits, works)
    )
    assert idle["seconds"] < 0.1
    assert 0.1 <= busy["seconds"] < 0.3
