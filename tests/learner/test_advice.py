import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_digits

import trigpoint as tp
from reference import learner as oracle
from trigpoint.learner._advice import StopAdvice, class_error, value_error
from trigpoint.learner._beliefs import Beliefs, Known, beliefs
from trigpoint.prediction import graph_pool

NONE = np.empty(0, dtype=np.int64)
LEAK = 0.001


def test_leaving_a_label_out_is_propagating_without_it():
    rng = np.random.default_rng(0)
    graph = tp.neighbor_graph(rng.random((80, 2)), 6)
    landmarks = rng.choice(80, 12, replace=False)
    values = rng.normal(size=(12, 3))
    found = beliefs(graph_pool(graph), Known(landmarks, values, ()), "propagation", NONE)
    assert_allclose(found.values, tp.propagate(tp.laplacian(graph), landmarks, values), rtol=1e-8)
    phi, middle = tp.laplacian(graph).toarray(), values.mean(axis=0)
    phi += LEAK * np.diag(phi.diagonal())
    for k, row in enumerate(found.left_out):
        expected = middle + oracle.left_out(phi, landmarks, values - middle, k)
        assert_allclose(row, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("predictor", ["auto", "propagation"])
def test_a_label_alone_in_its_part_is_told_by_no_other(predictor):
    pool = graph_pool(tp.graph_from_edges([[0, 1], [2, 3], [3, 4]]))
    known = Known(np.array([0, 2, 4]), np.array([[1.0], [2.0], [3.0]]), ())
    found = beliefs(pool, known, predictor, NONE).left_out
    assert np.isnan(found[0, 0])
    assert np.isfinite(found[1:]).all()
    assert_allclose(found[1, 0], 3.0, atol=0.01 if predictor == "propagation" else 1.0)
    classes = Known(np.array([0, 2, 4]), np.eye(2)[[0, 1, 1]], ("a", "b"))
    found = beliefs(pool, classes, predictor, NONE).left_out
    assert np.isnan(found[0]).all()
    assert (found[1:].argmax(axis=1) == 1).all()


def told(left_out, codes, n):
    """Beliefs of n samples of which the first have labels."""
    known = Known(np.arange(len(codes)), np.eye(3)[codes], ("a", "b", "c"))
    return Beliefs(known, np.full((n, 3), 1 / 3), np.array(left_out, dtype=float), None, {"x": 1.0})


def test_hard_samples_that_have_a_label_are_not_wrong_any_more():
    """Of twelve labels ten are audits, one of them wrong; of the others one is told by nobody: wrong too."""
    right, wrong, nothing = [0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [np.nan] * 3
    now = told([right, wrong, *[right] * 8, nothing, right], [0] * 12, 200)
    error, low, high = class_error(now, np.arange(10))
    assert error == pytest.approx((200 * 0.1 - 2) / 188)
    assert low == 0.0, "one sample is hard at the least, and two are labeled"
    assert high == pytest.approx((200 * stats.beta(2, 9).ppf(0.95) - 2) / 188)
    assert class_error(now, NONE)[1:] == (0.0, 1.0)


def test_residuals_of_audits_give_the_error_of_values():
    known = Known(np.arange(4), np.array([[1.0], [2.0], [3.0], [4.0]]), ())
    left_out = np.array([[1.5], [0.0], [np.nan], [3.0]])
    now = Beliefs(known, np.zeros((9, 1)), left_out, None, {"x": 1.0})
    error, low, high = value_error(now, np.array([0, 2, 3]))
    assert error == pytest.approx(np.sqrt((0.25 + 1.0) / 2))
    assert low == pytest.approx(error * np.sqrt(2 / stats.chi2(2).ppf(0.95)))
    assert high == pytest.approx(error * np.sqrt(2 / stats.chi2(2).ppf(0.05)))
    assert np.isnan(value_error(now, NONE)[0])


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
