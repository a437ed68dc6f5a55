"""Wrong answers: labels that pull, second looks, confirmed labels."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

import trigpoint as tp
from trigpoint.learner._audits import asked_again


@pytest.fixture(scope="module")
def noisy():
    """Digits, 200 labels of which a fifth is wrong."""
    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    some = rng.permutation(len(y))[:600]
    X, y = X[some], y[some]
    told = np.where(rng.random(600) < 0.2, (y + rng.integers(1, 10, 600)) % 10, y)
    return X, y, told


@pytest.fixture(scope="module")
def learner(noisy):
    X, _, told = noisy
    learner = tp.ActiveLearner(X)
    learner.tell(np.arange(200), told[:200])
    return learner


def test_predictions_are_better_if_labels_pull(noisy, learner):
    X, y, told = noisy
    kept = tp.ActiveLearner(X, noise=0)
    kept.tell(np.arange(200), told[:200])
    rest = slice(200, None)
    wrong, before = ((each.predict() != y)[rest].mean() for each in (learner, kept))
    assert wrong < 0.6 * before
    assert abs(learner.noise - (told != y)[:200].mean()) < 0.07
    assert kept.noise == 0.0
    np.testing.assert_array_equal(kept.predict()[:200], told[:200])
    assert (learner.predict() == y)[:200].mean() > (told == y)[:200].mean() + 0.1


def test_clean_labels_are_kept_to_the_last_bit(noisy):
    X, y, _ = noisy
    auto, kept = tp.ActiveLearner(X), tp.ActiveLearner(X, noise=0)
    for each in (auto, kept):
        samples = each.ask(60)
        each.tell(samples, y[samples])
    assert auto.noise == 0.0
    np.testing.assert_array_equal(auto.predict_proba(), kept.predict_proba())
    assert auto.log == kept.log
    assert len(auto.asked_again) == 0


@pytest.mark.slow
def test_contradicted_labels_are_asked_for_again(noisy):
    X, y, told = noisy
    learner = tp.ActiveLearner(X, audit=0.5)
    learner.tell(np.arange(200), told[:200])
    batch = learner.ask(8)
    again = learner.asked_again
    assert len(batch) == len(set(batch.tolist())) == 8
    assert 1 <= len(again) <= len(learner.audits)  # at most every second check
    assert set(again) <= set(batch)
    assert (told != y)[again].all()  # they are wrong indeed
    assert not set(again) & set(learner.audits)
    assert set(again) <= set(learner.pending)
    learner.tell(batch, y[batch])
    assert len(learner.pending) == 0
    np.testing.assert_array_equal(learner.predict()[again], y[again])
    quality = learner.label_issues().quality
    places = [list(learner.labels).index(i) for i in again]
    np.testing.assert_array_equal(quality[places], 1.0)
    assert not set(learner.ask(8)) & set(again)


@pytest.mark.slow
def test_a_run_with_second_looks_repeats(noisy, tmp_path):
    X, y, told = noisy
    learner = tp.ActiveLearner(X, audit=0.5)
    learner.tell(np.arange(200), told[:200])
    batch = learner.ask(6)
    learner.tell(batch[:4], y[batch[:4]])
    learner.confirm([3])
    assert any("again" in event for event in learner.log)
    learner.save(tmp_path / "run.trig")
    loaded = tp.ActiveLearner.load(tmp_path / "run.trig", X)
    again = tp.ActiveLearner(X, audit=0.5)
    again.replay(learner.log)
    restored = tp.ActiveLearner(X, audit=0.5)
    restored.restore(learner.log)
    for each in (loaded, again, restored):
        assert each.log == learner.log
        np.testing.assert_array_equal(each.asked_again, learner.asked_again)
        np.testing.assert_array_equal(each.pending, learner.pending)
        np.testing.assert_array_equal(each.predict_proba(), learner.predict_proba())
    np.testing.assert_array_equal(loaded.ask(4), learner.ask(4))


@pytest.mark.slow
def test_confirmed_labels_are_right_until_told_another(noisy, learner):
    X, _, told = noisy
    worst = learner.label_issues()
    i = int(worst.samples[worst.ranked[0]])
    other = tp.ActiveLearner(X)
    other.restore(learner.log)
    other.confirm(i)
    assert other.predict()[i] == told[i] != learner.predict()[i]
    assert other.label_issues().quality[i] == 1.0
    other.tell([i], [told[i]])
    assert other.label_issues().quality[i] < 0.5
    with pytest.raises(tp.InputError, match="samples must have labels; got sample 300, which has none"):
        other.confirm([5, 300])


def test_a_known_share(noisy, learner):
    X, _, told = noisy
    known = tp.ActiveLearner(X, noise=0.3)
    known.tell(np.arange(200), told[:200])
    assert known.noise == pytest.approx(0.3)
    with pytest.raises(tp.InputError, match="noise must be 'auto'"):
        tp.ActiveLearner(X, noise=1.0)
    for wrong in ("some", -0.1, np.nan, True, None):
        with pytest.raises(tp.InputError, match="noise must be"):
            tp.ActiveLearner(X, noise=wrong)
    with pytest.raises(tp.InputError, match="noise must be 'auto' or 0 with predictor='propagation'"):
        tp.ActiveLearner(X, noise=0.1, predictor="propagation")
    with pytest.raises(tp.InputError, match="label_issues needs labels"):
        tp.ActiveLearner(X).label_issues()


def test_wrong_values_count_less():
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, (300, 2))
    y = np.sin(X[:, 0]) + X[:, 1]
    told = y[:120].copy()
    told[:6] += 8.0
    errors = {}
    for noise in (0, "auto"):
        learner = tp.ActiveLearner(X, task="regression", noise=noise)
        learner.tell(np.arange(120), told)
        errors[noise] = np.sqrt(np.mean((learner.predict() - y)[120:] ** 2))
        np.testing.assert_array_equal(learner.predict()[:120], told)
    assert errors["auto"] < 0.7 * errors[0]
    issues = learner.label_issues()
    assert set(issues.samples[issues.ranked[:6]]) == set(range(6))
    assert 4 < issues.n_wrong < 9


@pytest.mark.parametrize(
    ("audits", "n_audits", "n_again", "waiting", "want"),
    [
        ([0, 1, 0, 1], 0, 0, [5, 6], {3: 5}),  # an audit first
        ([1, 1, 1, 1], 1, 0, [5, 6, 7], {0: 5, 2: 6}),
        ([1, 1], 5, 0, [9], {0: 9}),
        ([1, 1], 5, 0, [], {}),
        ([0, 0], 5, 0, [9], {}),
    ],
)
def test_every_second_check_is_a_second_look(audits, n_audits, n_again, waiting, want):
    due = np.array(audits, dtype=bool)
    assert asked_again(due, n_audits, n_again, np.array(waiting, dtype=np.int64)) == want
