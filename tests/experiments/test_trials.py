"""One trial of each experiment, against the definition."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trigpoint as tp
from trigpoint.experiments import _bound, _classification, _regression, _runtime, _torus
from trigpoint.experiments._paper_methods import METHODS, Pool, picks_for
from trigpoint.experiments._pools import features
from trigpoint.experiments._settings import FULL, QUICK, SUITES
from trigpoint.trials import rng_for

FACES = replace(QUICK.regression[0], pool=60, n_samples=50, n_features=20, n_neighbors=8, budgets=(10, 20))
KINDS = {
    "regression": _regression,
    "classification": _classification,
    "runtime": _runtime,
    "bound": _bound,
    "torus": _torus,
}


def dense_harmonic(phi, landmarks, Z):
    """Values by the definition: the rest is the minimizer of tr(Z^T phi Z) with the landmarks held."""
    A = phi.toarray()
    rest = np.setdiff1d(np.arange(len(A)), landmarks)
    found = Z.copy()
    found[rest] = np.linalg.solve(A[np.ix_(rest, rest)], -A[np.ix_(rest, landmarks)] @ Z[landmarks])
    return rest, found


def test_errors_are_those_of_the_definition():
    (row,) = [
        row for row in _regression.trial(FACES, "clean", 1, "MaxMinGeo", 0, None) if row["n_landmarks"] == 20
    ]
    case = _regression.prepared(FACES, "clean", 1, 0, None)
    pool = Pool(case.X, case.graph, case.phi["laplacian"])
    landmarks = picks_for(METHODS["MaxMinGeo"], pool, [20], rng_for(0, "faces", 1, "MaxMinGeo"))[20]
    rest, found = dense_harmonic(pool.phi, landmarks, case.Z)
    by_hand = 100 * np.sqrt(((found - case.Z)[rest] ** 2).sum() / (case.Z[rest] ** 2).sum())
    assert row["ls_error"] == pytest.approx(by_hand, rel=1e-8)
    assert row["selected_on"] == "laplacian"


def test_methods_that_look_at_phi_select_on_both_matrices():
    both = {row["selected_on"] for row in _regression.trial(FACES, "clean", 0, "GCLS", 0, None)}
    assert both == {"laplacian", "ltsa"}
    slow = replace(FACES, slow_ltsa=False)
    assert {row["selected_on"] for row in _regression.trial(slow, "clean", 0, "MinCond", 0, None)} == {
        "laplacian"
    }


def test_a_trial_repeats_and_trials_differ():
    def errors(number, seed):
        return [row["ls_error"] for row in _regression.trial(FACES, "noisy", number, "K-means", seed, None)]

    assert errors(0, 0) == errors(0, 0)
    assert errors(0, 0) != errors(1, 0)
    assert errors(0, 0) != errors(0, 1)


def test_clean_and_noisy_draw_the_same_samples():
    clean, noisy = (_regression.prepared(FACES, condition, 3, 0, None) for condition in ("clean", "noisy"))
    np.testing.assert_array_equal(clean.keep, noisy.keep)
    np.testing.assert_array_equal(clean.Z, noisy.Z)
    assert np.abs(clean.X - noisy.X).max() > 0.01
    assert len(np.unique(clean.keep)) == FACES.n_samples


def test_noise_has_the_variance_of_the_paper():
    grid = replace(QUICK.regression[-1], pool=50)
    difference = features(grid, "noisy", None).X - features(grid, "clean", None).X
    assert difference.var() == pytest.approx(0.01, rel=0.05)
    assert abs(difference.mean()) < 0.002


def test_samples_that_no_landmark_reaches_get_the_mean():
    from scipy.sparse import csr_array

    phi = csr_array(np.array([[1.0, -1, 0], [-1, 1, 0], [0, 0, 0]]))
    found = _regression.inferred(phi, np.array([0, 1]), np.array([[2.0], [4.0], [7.0]]))
    np.testing.assert_allclose(found.ravel(), [2, 4, 3])


def test_every_budget_and_start_is_kept():
    case = _regression.prepared(FACES, "clean", 0, 0, None)
    pool = Pool(case.X, case.graph, case.phi["laplacian"])
    for method in METHODS.values():
        picks = picks_for(method, pool, (10, 20), rng_for(5, method.name))
        assert [len(np.unique(one)) for one in picks.values()] == [10, 20], method.name
        starts = rng_for(5, method.name).permutation(len(case.X))[: method.starts]
        assert set(starts) <= set(picks[10]), method.name
        if method.nested:
            np.testing.assert_array_equal(picks[20][:10], picks[10])


def test_streams_are_apart():
    draws = {rng_for(0, name, trial).random() for name in METHODS for trial in range(5)}
    assert len(draws) == 5 * len(METHODS)


@given(st.integers(1, 4), st.integers(2, 5), st.integers(0, 1000))
def test_the_first_of_each_class_are_those_of_a_loop(count, n_classes, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(n_classes), 6))
    order = rng.permutation(len(y))
    got = {label: [] for label in range(n_classes)}
    spent = 0
    for sample in order:
        spent += 1
        if len(got[y[sample]]) < count:
            got[y[sample]].append(sample)
        if all(len(one) == count for one in got.values()):
            break
    train, labels = _classification.first_of_each_class(order, y, count)
    assert labels == spent
    assert sorted(train) == sorted(sample for one in got.values() for sample in one)
    assert _classification.first_of_each_class(order[: spent - 1], y, count)[1] is None


@pytest.mark.parametrize("name", ["Random", "K-means", "GCLS"])
def test_labeling_goes_on_until_every_class_has_enough(name):
    case = _regression.prepared(FACES, "clean", 0, 0, None)
    pool = Pool(case.X, case.graph, case.phi["laplacian"])
    y = np.repeat([0, 1, 2], [20, 20, 10])
    order = _classification.labeling_order(METHODS[name], pool, y, 9, rng_for(0))
    assert len(np.unique(order)) == len(order)
    assert np.bincount(y[order]).min() >= 9


@pytest.mark.parametrize("suite", SUITES)
def test_tasks_have_names_of_their_own(suite):
    for preset in (FULL, QUICK):
        found = KINDS[suite].tasks(preset, 20, None, 0, "somewhere")
        assert len({task.name for task in found}) == len(found)
        assert len({str(task.arguments) for task in found}) == len(found)
        assert all(task.name == "".join(c for c in task.name if c.isalnum() or c in "-_.") for task in found)


def test_more_trials_keep_the_names_of_the_first():
    for suite in KINDS.values():
        few, many = (suite.tasks(QUICK, count, None, 0, "somewhere") for count in (2, 5))
        assert {task.name: task for task in few}.items() <= {task.name: task for task in many}.items()


def test_real_data_is_left_out_where_there_is_none():
    names = {task.arguments["known"].name for task in _regression.tasks(QUICK, 1, None, 0, None)}
    assert "isomap_faces" not in names
    assert "lips" in names


def test_methods_that_are_not_nested_order_labels_for_each_count(data_folder):
    known = replace(QUICK.classification[0], people=4, labels_per_class=(6, 8))
    rows = _classification.trial(known, "K-means", 0, 5, 2, 0, str(data_folder))
    X, y = _classification.projected(known, 0, 0, str(data_folder))
    nearest = tp.neighbor_graph(X, _classification.N_NEIGHBORS)
    pool = Pool(X, nearest, tp.laplacian(nearest))
    for row, count in zip(rows, (6, 8), strict=True):
        rng = rng_for(0, known.name, 0, "K-means")
        order = _classification.labeling_order(METHODS["K-means"], pool, y, count, rng)
        assert row["labels_spent"] == _classification.first_of_each_class(order, y, count)[1]
