import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_digits

import trigpoint as tp
from reference import learner as oracle
from trigpoint.learner._advice import StopAdvice, class_error, value_error
from trigpoint.learner._audits import chances_to_be_chosen
from trigpoint.learner._beliefs import Beliefs, Known, beliefs
from trigpoint.prediction import graph_pool

NONE = np.empty(0, dtype=np.int64)
LEAK = 0.001
MANY = 1_000_000


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


def test_audits_give_the_error_of_classes():
    """Of twelve labels ten are audits: one of them is wrong, and one is told by nobody."""
    third = 1 / 3 - 1e-6  # as sure as of the rest
    right, wrong, nothing = [1 - 2 * third, third, third], [third, 1 - 2 * third, third], [np.nan] * 3
    left_out = [right, wrong, nothing, *[right] * 7, wrong, wrong]
    now = told(left_out, [0] * 12, 1_000_000)
    *found, n_wrong = class_error(now, np.arange(10), np.zeros(10))
    assert n_wrong == 2
    plain = stats.beta(1.5, 8.5)  # of the nine that are told by others
    assert_allclose(found, [plain.mean(), plain.ppf(0.05), plain.ppf(0.95)], atol=3e-3)
    error, low, high, n_wrong = class_error(now, NONE, np.empty(0))
    assert np.isnan(error)
    assert (low, high, n_wrong) == (0.0, 1.0, 0)


def test_hard_samples_that_have_a_label_are_not_wrong_any_more():
    """Audits that would have been chosen are like the chosen: these are wrong, the rest is not."""
    right, wrong = [0.4, 0.3, 0.3], [0.3, 0.4, 0.3]
    now = told([wrong, wrong, *[right] * 8, *[wrong] * 40], [0] * 50, 1000)
    plain = class_error(now, np.arange(10), np.zeros(10))
    mended = class_error(now, np.arange(10), np.full(10, 0.3))
    assert mended[0] < 0.7 * plain[0]
    assert mended[1] < plain[1]
    assert mended[3] == plain[3] == 2


def test_everything_labeled_is_no_error():
    now = told([[0.4, 0.3, 0.3]] * 4, [1] * 4, 4)
    assert class_error(now, np.arange(2), np.zeros(2)) == (0.0, 0.0, 0.0, 2)
    assert class_error(now, NONE, np.empty(0)) == (0.0, 0.0, 0.0, 0)


def test_residuals_of_audits_give_the_error_of_values():
    known = Known(np.arange(4), np.array([[1.0], [2.0], [3.0], [4.0]]), ())
    left_out = np.array([[1.5], [0.0], [np.nan], [3.0]])
    now = Beliefs(known, np.zeros((MANY, 1)), left_out, None, {"x": 1.0})
    error, low, high = value_error(now, np.array([0, 2, 3]))
    assert error == pytest.approx(np.sqrt((0.25 + 1.0) / 2))
    assert low == pytest.approx(error * np.sqrt(2 / stats.chi2(2).ppf(0.95)), rel=1e-4)
    assert high == pytest.approx(error * np.sqrt(2 / stats.chi2(2).ppf(0.05)), rel=1e-4)
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert (advice.n_audits, advice.n_wrong) == (30, 30)
    assert advice.error > 0.95
    assert advice.low > 0.9
    assert advice.high == 1.0


def test_it_can_be_read():
    text = str(StopAdvice(0.05, 0.01, 0.2, 50, 6, 1, 12, 0.04))
    assert text == (
        "50 labels, 5 of 6 random checks right: error 0.05, 90 % interval 0.01 to 0.2; "
        "with 12 more labels it may become 0.04."
    )
    text = str(StopAdvice(0.05, 0.01, 0.2, 50, 1, None, 12, np.nan))
    assert text == "50 labels, 1 random check: error 0.05, 90 % interval 0.01 to 0.2."
    text = str(StopAdvice(np.nan, 0.0, 1.0, 1, 1, 1, 12, np.nan))
    assert text == "1 labels, 0 of 1 random check right: the error is unknown."


def test_random_labels_that_a_person_tells_of_are_audits():
    X, y = (part[:800] for part in load_digits(return_X_y=True))
    drawn = np.random.default_rng(0).permutation(len(y))[:400]
    learner = tp.ActiveLearner(X, audit=0.0)
    learner.tell(drawn, y[drawn])
    assert np.isnan(learner.stop_advice().error)
    learner.tell(drawn[:300], y[drawn[:300]], random=True)  # told again, to say so
    learner.tell(drawn[300:], y[drawn[300:]], random=True)
    advice = learner.stop_advice()
    rest = np.setdiff1d(np.arange(len(y)), drawn)
    assert (advice.n_labels, advice.n_audits) == (400, 400)
    assert advice.low <= (learner.predict()[rest] != y[rest]).mean() <= advice.high
    assert advice.high - advice.low < 0.04


def test_what_the_learner_chose_is_not_random_whoever_says_so():
    X, y = (part[:200] for part in load_digits(return_X_y=True))
    learner = tp.ActiveLearner(X, audit=0.5)
    samples = learner.ask(20)
    learner.tell(samples, y[samples], random=True)
    assert learner.stop_advice().n_audits == 10
    other = np.setdiff1d(np.arange(50), samples)[:5]
    learner.tell(other, y[other], random=True)
    learner.tell(other[:1], [None])  # unsure after all
    learner.tell(other[1:2], y[other[1:2]])  # a correction says nothing of how it was drawn
    assert learner.stop_advice().n_audits == 14


def test_chances_to_be_chosen():
    """Of ten samples 3 and 4 are audits and 5 was told at random; 0, 1, 2, 6 were chosen, 0 and 1 first."""
    log = [
        {"event": "tell", "samples": [0, 1]},
        {"event": "ask", "samples": [3, 2]},
        {"event": "tell", "samples": [3, 2]},
        {"event": "tell", "samples": [5], "random": True},
        {"event": "ask", "samples": [6, 4]},
    ]
    found = chances_to_be_chosen(log, 10, [3, 4, 5])
    assert_allclose(found, [2 / 8, 0 / 5, 1 / 6])
    assert chances_to_be_chosen(log, 10, []).shape == (0,)


def test_random_is_a_yes_or_no_and_a_wrong_log_takes_nothing_back():
    graph = tp.graph_from_edges([[0, 1], [1, 2], [2, 3], [3, 4]])
    learner = tp.ActiveLearner(graph=graph, audit=0.0)
    with pytest.raises(tp.InputError, match="random must be True or False; got 'yes'"):
        learner.tell([0], ["a"], random="yes")
    assert learner.labels == {}
    learner.tell([0, 4], ["a", "b"], random=np.True_)
    assert learner.log[-1]["random"] is True
    with pytest.raises(ValueError, match="log must be a list"):
        learner.restore([{"event": "tell", "samples": [0], "labels": ["a"], "random": "yes"}])
    assert learner.stop_advice().n_audits == 2
    learner.restore(learner.log)
    assert learner.stop_advice().n_audits == 2
    learner.restore([{"event": "tell", "samples": [0], "labels": ["a"]}])
    assert learner.stop_advice().n_audits == 0
