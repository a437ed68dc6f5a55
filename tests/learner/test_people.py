"""Several annotators who tell one learner."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import trigpoint as tp
from trigpoint.learner._people import People


@pytest.fixture(scope="module")
def pool():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(c, 1.0, (20, 2)) for c in ([0, 0], [9, 0], [0, 9])])
    return X, np.repeat([0, 1, 2], 20)


def learner_of(X, **options):
    return tp.ActiveLearner(X, n_neighbors=5, audit=0.0, view="raw", **options)


def tell_all(learner, y, seed=1):
    """Ada is nearly always right; Bob and Cy each err on a third. What is left undecided is rare."""
    rng = np.random.default_rng(seed)
    for name, skill in (("ada", 0.95), ("bob", 0.66), ("cy", 0.66)):
        said = np.where(rng.random(len(y)) < skill, y, (y + rng.integers(1, 3, len(y))) % 3)
        learner.tell(np.arange(len(y)), said, annotator=name)


def test_the_label_is_the_consensus_of_people_by_their_quality(pool):
    X, y = pool
    learner = learner_of(X)
    tell_all(learner, y)
    people = learner.annotators
    assert list(people) == ["ada", "bob", "cy"]
    assert people["ada"].quality > max(people["bob"].quality, people["cy"].quality) + 0.1
    wrong = [i for i, label in learner.labels.items() if label != y[i]]
    assert len(wrong) <= 6
    assert learner.agreement.samples == 60
    assert 0 < learner.agreement.alpha < 1
    assert len(learner.disputed) > 20
    assert (learner.predict() == y).mean() > 0.9


def test_one_person_is_as_nobody_in_particular(pool):
    X, _ = pool
    named, plain = learner_of(X), learner_of(X)
    for samples, labels in (([3, 5], [0, None]), ([5, 3], [1, 2]), ([3], [None]), ([3, 9], [0, 1])):
        named.tell(samples, labels, annotator="ada")
        plain.tell(samples, labels)
        assert list(named.labels.items()) == list(plain.labels.items())
        assert_array_equal(named.predict_proba(), plain.predict_proba())
    assert named.agreement is None
    assert [event.get("annotator") for event in named.log] == ["ada"] * 4
    assert all("annotator" not in event for event in plain.log)
    assert list(plain.annotators) == [None]
    assert learner_of(X).annotators == {}
    assert len(learner_of(X).disputed) == 0


def test_ties_are_no_labels_and_corrections_replace(pool):
    X, _ = pool
    learner = learner_of(X)
    asked = learner.ask(2)
    learner.tell(asked, ["a", "b"], annotator="ada")
    learner.tell(asked, ["a", "c"], annotator="bob")
    assert learner.labels == {asked[0]: "a"}
    assert len(learner.pending) == 0, "an answer that is disputed is not one that is missing"
    assert_array_equal(learner.disputed, asked[1:])
    assert asked[1] not in learner.ask(58)
    learner.tell([asked[1]], ["b"], annotator="bob")
    assert learner.labels[asked[1]] == "b"
    learner.tell([asked[1]], [None], annotator="ada")
    assert learner.labels[asked[1]] == "b"
    learner.tell([asked[1]], [None], annotator="bob")
    assert learner.labels == {asked[0]: "a"}


def test_real_targets_are_weighed_and_single_answers_stay(pool):
    X, _ = pool
    learner = learner_of(X, task="regression")
    learner.tell([0, 1], [[1.5, 2.0], [0.1, 0.3]], annotator="ada")
    learner.tell([0], [[2.5, 4.0]], annotator="bob")
    assert learner.labels[1] == (0.1, 0.3)
    assert learner.labels[0] == pytest.approx((2.0, 3.0))
    assert learner.annotators["ada"].std == pytest.approx(learner.annotators["bob"].std)
    with pytest.raises(tp.InputError, match="2 targets"):
        learner.tell([3], [1.0], annotator="bob")


def test_logs_and_files_know_who_said_what(pool, tmp_path):
    X, y = pool
    learner = learner_of(X)
    learner.ask(5)
    tell_all(learner, y)
    learner.tell([0], [2])
    learner.save(tmp_path / "l.npz")
    again = tp.ActiveLearner.load(tmp_path / "l.npz", X)
    replayed, restored = learner_of(X), learner_of(X)
    replayed.replay(learner.log)
    restored.tell([1], ["other"], annotator="dot")
    restored.restore(learner.log)
    for other in (again, replayed, restored):
        assert other.log == learner.log
        assert list(other.labels.items()) == list(learner.labels.items())
        assert other.annotators == learner.annotators
    with pytest.raises(ValueError, match="must be a name"):
        restored.restore([{"event": "tell", "samples": [0], "labels": [1], "annotator": 3}])
    assert restored.annotators == learner.annotators


@pytest.mark.parametrize("name", ["", "  ", 3, b"ada"])
def test_names_are_text(pool, name):
    learner = learner_of(pool[0])
    with pytest.raises(tp.InputError, match="annotator must be a name"):
        learner.tell([0], [1], annotator=name)
    assert learner.log == []


def test_telling_is_cheap_and_the_consensus_found_once(pool, monkeypatch):
    import trigpoint.learner._people as people

    calls, real = [], people.consensus
    monkeypatch.setattr(people, "consensus", lambda *given, **more: calls.append(1) or real(*given, **more))
    learner = learner_of(pool[0])
    for i in range(20):
        learner.tell([i], [i % 3], annotator="ada")
        learner.tell([i], [i % 3], annotator="bob")
    assert calls == []
    assert len(learner.labels) == 20
    _ = learner.labels, learner.agreement, learner.annotators, learner.disputed, learner.pending
    assert calls == [1]


steps = st.lists(
    st.tuples(
        st.integers(0, 3), st.sampled_from([None, "ada", "bob"]), st.sampled_from([None, "a", "b", "c"])
    )
)


@given(steps)
def test_labels_follow_from_the_last_answer_of_each_person(steps):
    people, said = People("classification"), {}
    for i, name, answer in steps:
        people.take(i, answer, name)
        said[i, name] = answer
    stands = {pair: answer for pair, answer in said.items() if answer is not None}
    for i in range(4):
        answers = {answer for (j, _), answer in stands.items() if j == i}
        if len(answers) == 1:
            assert people.labels[i] in answers
        elif not answers:
            assert i not in people.labels
        assert (i in people.unsure) == (i not in people.labels and any(j == i for j, _ in said))
