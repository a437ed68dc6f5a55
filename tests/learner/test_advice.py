import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_digits

import trigpoint as tp
from reference import learner as oracle
from trigpoint.learner._advice import StopAdvice, left_out
from trigpoint.learner._beliefs import Known


def test_leaving_a_label_out_is_propagating_without_it():
    rng = np.random.default_rng(0)
    phi = tp.laplacian(tp.neighbor_graph(rng.random((80, 2)), 6))
    landmarks = rng.choice(80, 12, replace=False)
    values = rng.normal(size=(12, 3))
    found = left_out(phi, Known(landmarks, values, ()), np.array([0, 5, 11]))
    for row, k in zip(found, (0, 5, 11), strict=True):
        assert_allclose(row, oracle.left_out(phi.toarray(), landmarks, values, k), rtol=1e-8)


def test_a_label_alone_in_its_part_is_told_by_no_other():
    phi = tp.laplacian(tp.graph_from_edges([[0, 1], [2, 3], [3, 4]]))
    found = left_out(phi, Known(np.array([0, 2, 4]), np.array([[1.0], [2.0], [3.0]]), ()), np.array([0, 1]))
    assert np.isnan(found[0, 0])
    assert_allclose(found[1, 0], 3.0)


def test_without_audits_the_error_is_unknown():
    X, y = load_digits(return_X_y=True)
    learner = tp.ActiveLearner(X, audit=0.0)
    samples = learner.ask(20)
    learner.tell(samples, y[samples])
    advice = learner.stop_advice()
    assert np.isnan(advice.error)
    assert (advice.low, advice.high, advice.n_audits) == (0.0, 1.0, 0)
    assert "unknown" in str(advice)


def test_the_interval_holds_and_narrows_and_more_labels_help():
    X, y = load_digits(return_X_y=True)
    widths = []
    for budget in (40, 160):
        learner = tp.ActiveLearner(X, audit=0.25)
        while len(learner.labels) < budget:
            samples = learner.ask(20)
            learner.tell(samples, y[samples])
        rest = np.setdiff1d(np.arange(len(y)), list(learner.labels))
        advice = learner.stop_advice()
        assert advice.low <= (learner.predict()[rest] != y[rest]).mean() <= advice.high
        assert advice.expected_error <= advice.error
        assert advice.n_audits == budget // 4
        widths.append(advice.high - advice.low)
    assert widths[1] < widths[0]
    assert learner.stop_advice(40).next_labels == 40


def test_labels_known_before_do_not_bias_the_estimate():
    """Hard samples told of first; the audits are still a sample of the whole pool."""
    rng = np.random.default_rng(0)
    held = 0
    for seed in range(6):
        X = rng.random((600, 2))
        y = np.where(X[:, 0] < 0.6, rng.integers(0, 3, 600), 0)  # noise on the left
        learner = tp.ActiveLearner(X, audit=1.0, random_state=seed)
        hard = np.flatnonzero(X[:, 0] < 0.6)[:200]
        learner.tell(hard, y[hard])
        samples = learner.ask(60)
        learner.tell(samples, y[samples])
        rest = np.setdiff1d(np.arange(600), list(learner.labels))
        advice = learner.stop_advice()
        held += advice.low <= (learner.predict()[rest] != y[rest]).mean() <= advice.high
    assert held >= 5


def test_all_audits_wrong_is_everything_wrong():
    """Labels without any relation to the pool."""
    X, _ = load_digits(return_X_y=True)
    learner = tp.ActiveLearner(X[:300], audit=1.0)
    samples = learner.ask(30)
    learner.tell(samples, list(range(30)))
    advice = learner.stop_advice()
    assert advice.error == pytest.approx(1.0)
    assert advice.high == 1.0


def test_it_can_be_read():
    text = str(StopAdvice(0.05, 0.01, 0.2, 50, 5, 12, 0.04))
    assert "50 labels (5 of them audits)" in text
    assert "error 0.05, 90 % interval 0.01 to 0.2; with 12 more labels it may become 0.04." in text
