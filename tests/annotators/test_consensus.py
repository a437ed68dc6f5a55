import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import trigpoint as tp
from reference import annotators as reference
from trigpoint.annotators import Annotator


def simulated(rng, n=300, k=4, skills=(0.9, 0.75, 0.6), share=1.0):
    """True classes, and (samples, labels, people) of answers that are right as often as the skills say."""
    truth = rng.integers(k, size=n)
    rows = []
    for a, skill in enumerate(skills):
        wrong = (truth + rng.integers(1, k, size=n)) % k
        said = np.where(rng.random(n) < skill, truth, wrong)
        rows += [(i, said[i], a) for i in range(n) if rng.random() < share]
    samples, labels, people = map(np.array, zip(*rows, strict=True))
    return truth, samples, labels, people


answers = st.dictionaries(
    st.tuples(st.integers(0, 5), st.sampled_from("xyzw")), st.sampled_from("abc"), min_size=1, max_size=20
)


def told(answers):
    samples, people = zip(*answers, strict=True)
    return list(samples), list(answers.values()), list(people)


@given(answers)
def test_classes_are_found_as_the_definition_says(answers):
    found = tp.consensus(*told(answers), classes="abc")
    place = {name: i for i, name in enumerate(found.samples.tolist())}
    person = {name: a for a, name in enumerate(found.annotators)}
    numbers = {(place[i], person[a]): "abc".index(c) for (i, a), c in answers.items()}
    rows, quality = reference.classes(numbers, len(place), len(person), 3)
    counts = {i: sum(j == i for j, _ in answers) for i in place}
    assert found.n_answers.tolist() == list(counts.values())
    if max(counts.values()) == 1:
        assert np.isnan(found.probabilities).all()
        assert np.isnan(found.probability).all()
        assert found.labels.tolist() == list(answers.values())
        return
    assert found.probabilities == pytest.approx(np.array(rows), abs=1e-5)
    assert [one.quality for one in found.annotators.values()] == pytest.approx(quality, abs=1e-5)
    for row, label, sure in zip(rows, found.labels, found.probability, strict=True):
        best, second = sorted(row, reverse=True)[:2]
        assert sure == pytest.approx(best, abs=1e-5)
        if best - second > 1e-4:
            assert label == "abc"[row.index(best)]


@given(answers, st.randoms(use_true_random=False))
def test_neither_the_order_of_answers_nor_names_matter(answers, random):
    first = tp.consensus(*told(answers), classes="abc")
    shuffled = list(answers.items())
    random.shuffle(shuffled)
    renamed = {(i, a.upper()): "bca"["abc".index(c)] for (i, a), c in shuffled}
    second = tp.consensus(*told(renamed), classes="bca")
    order = [second.samples.tolist().index(i) for i in first.samples.tolist()]
    assert second.probabilities[order] == pytest.approx(first.probabilities, abs=1e-5, nan_ok=True)
    for name, one in first.annotators.items():
        other = second.annotators[name.upper()]
        assert (other.n_answers, other.n_compared) == (one.n_answers, one.n_compared)
        assert other.quality == pytest.approx(one.quality, abs=1e-5, nan_ok=True)
    now = np.sort(np.nan_to_num(first.probabilities), axis=1)
    for i, j in enumerate(order):
        if abs(now[i, -1] - now[i, -2] - 1e-6) > 1e-5:  # else rounding decides whether it is a tie
            then = None if first.labels[i] is None else "bca"["abc".index(first.labels[i])]
            assert second.labels[j] == then
    assert (second.disputed[order] == first.disputed).all()


@given(answers)
def test_probabilities_sum_to_one_and_say_who_disagrees(answers):
    found = tp.consensus(*told(answers), classes="abc")
    if not np.isnan(found.probability).any():
        assert found.probabilities.sum(axis=1) == pytest.approx(1.0)
        assert ((found.probabilities >= 0) & (found.probabilities <= 1 + 1e-12)).all()
    for i, differ in zip(found.samples.tolist(), found.disputed.tolist(), strict=True):
        assert differ == (len({c for (j, _), c in answers.items() if j == i}) > 1)
    assert (found.agreement is None) == (found.n_answers.max() == 1)


@given(st.dictionaries(st.tuples(st.integers(0, 5), st.integers(0, 3)), st.integers(-9, 9), min_size=1))
def test_values_are_found_as_the_definition_says(answers):
    samples, people = zip(*answers, strict=True)
    found = tp.consensus(samples, list(answers.values()), people, task="regression")
    place = {name: i for i, name in enumerate(found.samples.tolist())}
    person = {name: a for a, name in enumerate(found.annotators)}
    numbers = {(place[i], person[a]): float(v) for (i, a), v in answers.items()}
    values, errors = reference.values(numbers, len(place), len(person))
    assert found.labels == pytest.approx(values, abs=1e-6)
    stds = [one.std[0] for one in found.annotators.values()]
    assert stds == pytest.approx(errors, abs=1e-6, nan_ok=True)
    assert found.classes == ()
    with pytest.raises(tp.InputError, match="no meaning"):
        _ = found.probabilities


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=5), st.integers(2, 3))
def test_equal_values_come_back_exactly(values, n_people):
    samples = np.repeat(np.arange(len(values)), n_people)
    people = np.tile(np.arange(n_people), len(values))
    found = tp.consensus(samples, np.repeat(values, n_people), people, task="regression")
    assert found.labels.tolist() == values
    alone = tp.consensus(range(len(values)), values, ["x"] * len(values), task="regression")
    assert alone.labels.tolist() == values


def test_better_people_count_more():
    truth, samples, labels, people = simulated(np.random.default_rng(0), skills=(0.95, 0.6, 0.6))
    found = tp.consensus(samples, labels, people)
    quality = [one.quality for one in found.annotators.values()]
    assert quality == pytest.approx([0.95, 0.6, 0.6], abs=0.1)
    votes = np.array([np.bincount(labels[samples == i], minlength=4) for i in range(len(truth))])
    majority = (votes.argmax(axis=1) != truth).mean()
    wrong = (found.labels != truth).mean()
    assert wrong < 0.6 * majority
    assert found.probability.mean() == pytest.approx(1 - wrong, abs=0.03)


def test_a_person_who_swaps_two_classes_is_found_out():
    rng = np.random.default_rng(1)
    truth = rng.integers(4, size=400)
    swap = np.array([1, 0, 2, 3])
    noise = np.where(rng.random((3, 400)) < 0.9, truth, rng.integers(4, size=(3, 400)))
    said = [noise[0], noise[1], swap[noise[2]]]
    samples, people = np.tile(np.arange(400), 3), np.repeat([0, 1, 2], 400)
    found = tp.consensus(samples, np.concatenate(said), people)
    alone = tp.consensus([*samples, 400], [*np.concatenate(said), 0], [*people, 2])
    assert (found.labels != truth).mean() < 0.05
    assert alone.probabilities[400, 0] < 0.5  # since this person says 0 of class 1


def test_a_model_decides_where_people_are_tied():
    rng = np.random.default_rng(2)
    truth, samples, labels, people = simulated(rng, skills=(0.7, 0.7), k=3)
    without = tp.consensus(samples, labels, people, classes=range(3))
    tied = without.labels == -1
    assert tied.any()
    assert (tied == without.disputed).all()
    assert (without.decided == ~tied).all()
    p = np.where(np.arange(3) == truth[:, None], 0.6, 0.2)
    p[::7] = np.nan
    with_model = tp.consensus(samples, labels, people, classes=range(3), probabilities=p)
    spoken = ~np.isnan(p[:, 0])
    assert (with_model.labels == truth)[spoken].mean() > 0.95
    assert with_model.decided[spoken].all()


def test_a_model_that_knows_nothing_is_not_trusted():
    rng = np.random.default_rng(3)
    truth, samples, labels, people = simulated(rng, skills=(0.9, 0.8, 0.7))
    noise = rng.dirichlet(np.full(4, 0.3), size=len(truth))
    without = tp.consensus(samples, labels, people, classes=range(4))
    found = tp.consensus(samples, labels, people, classes=range(4), probabilities=noise)
    assert (found.labels != truth).mean() <= (without.labels != truth).mean() + 0.01


def test_a_class_that_only_the_model_names_can_win():
    rng = np.random.default_rng(4)
    truth, samples, labels, people = simulated(rng, skills=(0.5, 0.5), k=5)
    p = np.where(np.arange(5) == truth[:, None], 0.99, 0.0025)
    found = tp.consensus(samples, labels, people, classes=range(5), probabilities=p)
    named = np.array([truth[i] in labels[samples == i] for i in range(len(truth))])
    assert (found.labels == truth)[~named].mean() > 0.8


def test_two_people_alone_count_the_same():
    _, samples, labels, people = simulated(np.random.default_rng(5), skills=(0.9, 0.6), share=0.7)
    found = tp.consensus(samples, labels, people)
    first, second = found.annotators.values()
    assert first.quality == pytest.approx(second.quality, abs=1e-6)
    assert (found.labels[found.disputed] == -1).all()
    assert (found.labels[~found.disputed] >= 0).all()


def test_one_person_is_taken_at_their_word():
    found = tp.consensus([3, 1, 2], ["b", "a", "b"], ["x"] * 3)
    assert found.samples.tolist() == [3, 1, 2]
    assert found.labels.tolist() == ["b", "a", "b"]
    assert np.isnan(found.probability).all()
    assert found.agreement is None
    (one,) = found.annotators.values()
    assert (one.n_answers, one.n_compared) == (3, 0)
    assert np.isnan([one.quality, one.agreement]).all()


def test_the_last_answer_of_a_person_counts():
    found = tp.consensus([1, 1, 1, 2], ["a", "b", None, "a"], ["x", "x", "y", "y"])
    assert found.labels.tolist() == ["b", "a"]
    assert not found.disputed.any()
    withdrawn = tp.consensus([1, 2, 1], ["a", "a", None], ["x", "x", "x"])
    assert withdrawn.samples.tolist() == [2]


def test_someone_with_one_answer_is_judged_as_most_people_are():
    _, samples, labels, people = simulated(np.random.default_rng(6))
    said = int(labels[(samples == 0) & (people == 0)][0])
    found = tp.consensus([*samples, 0], [*labels, said], [*people, "new"])
    assert isinstance(found.annotators["new"], Annotator)
    assert found.annotators["new"].n_answers == 1
    others = [one.quality for name, one in found.annotators.items() if name != "new"]
    assert min(others) < found.annotators["new"].quality < 1.0


def test_someone_who_always_says_the_same_is_no_use():
    truth, samples, labels, people = simulated(np.random.default_rng(7), skills=(0.8, 0.8, 0.8))
    found = tp.consensus(
        [*samples, *range(300)], [*labels, *[0] * 300], [*people, *["always"] * 300], classes=range(4)
    )
    assert found.annotators["always"].quality == pytest.approx(0.25, abs=0.07)
    without = tp.consensus(samples, labels, people, classes=range(4))
    assert (found.labels != truth).mean() <= (without.labels != truth).mean() + 0.02


def test_ten_thousand_classes_take_no_more_memory_than_their_answers():
    rng = np.random.default_rng(8)
    truth = rng.integers(10_000, size=3000)
    said = [np.where(rng.random(3000) < q, truth, rng.integers(10_000, size=3000)) for q in (0.9, 0.7, 0.7)]
    samples, people = np.tile(np.arange(3000), 3), np.repeat([0, 1, 2], 3000)
    found = tp.consensus(samples, np.concatenate(said), people, classes=range(10_000))
    assert (found.labels != truth).mean() < 0.1
    assert found.annotators[0].quality > found.annotators[1].quality + 0.1
    fit = found._fit
    assert len(fit.probabilities) <= 9000


def test_real_values_weigh_people_by_precision():
    rng = np.random.default_rng(9)
    truth = rng.normal(0, 10, (300, 2))
    noise = np.array([0.5, 2.0, 2.0])
    said = truth + rng.normal(size=(3, 300, 2)) * noise[:, None, None]
    samples, people = np.tile(np.arange(300), 3), np.repeat(["fine", "rough", "other"], 300)
    found = tp.consensus(samples, said.reshape(-1, 2), people, task="regression")
    errors = found.labels - truth
    plain = said.mean(axis=0) - truth
    assert (errors**2).mean() < 0.5 * (plain**2).mean()
    fine, *others = (one.std[0] for one in found.annotators.values())
    assert fine == pytest.approx(0.5, abs=0.4)  # the noise of the others hides how small it is
    assert others == pytest.approx([2.0, 2.0], abs=0.3)
    quality = [one.quality for one in found.annotators.values()]
    assert quality == pytest.approx(100 / (100 + noise**2), abs=0.02)
    assert (errors**2).mean() == pytest.approx((found.std**2).mean(), rel=0.5)


def test_values_of_any_size_do():
    found = tp.consensus([0, 0, 1, 1], [1.7e308, -1.7e308, 1.0, 2.0], [*"xyxy"], task="regression")
    assert found.labels == pytest.approx([0.0, 1.5], abs=1e290)
    assert found.disputed.tolist() == [True, False]
    tiny = tp.consensus([0, 0, 1, 1], [1e-300, 3e-300, 1e-300, 1e-300], [*"xyxy"], task="regression")
    assert tiny.labels == pytest.approx([2e-300, 1e-300])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"labels": [None, None]}, "at least one answer; all 2 are unknown"),
        ({"labels": [-1, float("nan")]}, "at least one answer"),
        ({"labels": ["a"]}, "samples must be one for each of 1 labels; got 2"),
        ({"labels": "ab"}, "labels must be a sequence"),
        ({"labels": [["a"], ["b"]]}, "labels must be hashable classes"),
        ({"annotators": "x"}, "annotators must be a sequence"),
        ({"annotators": ["x", float("nan")]}, "annotators must be hashable and not NaN"),
        ({"annotators": ["x"]}, "annotators must be one for each of 2 labels"),
        ({"task": "ranking"}, "task must be"),
        ({"classes": ["a", "a"]}, "classes must be distinct"),
        ({"probabilities": [[0.5, 0.5]]}, "a column for each of `classes`"),
        ({"probabilities": [[0.5, 0.5]] * 2, "classes": ["a", "b", "c"]}, "probabilities must have shape"),
        ({"probabilities": [[0.5, 0.9]] * 2, "classes": ["a", "b"]}, "sum to one"),
        ({"probabilities": [["x"]] * 2, "classes": ["a"]}, "probabilities must be numbers"),
        ({"task": "regression"}, "labels must be real numbers"),
        ({"task": "regression", "labels": [1.0, float("inf")]}, "labels must be finite"),
        ({"task": "regression", "labels": [[1.0], [1.0, 2.0]]}, "same number of targets"),
        ({"task": "regression", "labels": [1.0, 2.0], "classes": ["a"]}, "no meaning"),
    ],
)
def test_what_is_refused(words, message):
    given = {"samples": [1, 2], "labels": ["a", "b"], "annotators": ["x", "y"]} | words
    first = [given.pop(name) for name in ("samples", "labels", "annotators")]
    with pytest.raises(tp.InputError, match=message):
        tp.consensus(*first, **given)


def test_labels_keep_their_kind():
    whole = tp.consensus(np.array([5, 6]), np.array([1, 2], dtype=np.int32), np.array(["x", "y"]))
    assert whole.labels.dtype == whole.samples.dtype == np.int64
    assert tp.consensus(["s", "t"], [True, 2], [1, 1]).labels.tolist() == [True, 2]
    tie = tp.consensus(["s", "s"], [1, 2], ["x", "y"])
    assert tie.labels.tolist() == [-1]
    assert tie.samples.tolist() == ["s"]
    assert tp.consensus(["s", "s"], ["a", "b"], ["x", "y"]).labels.tolist() == [None]


@given(answers)
def test_a_new_class_that_nobody_names_changes_no_label(answers):
    labels = tp.consensus(*told(answers), classes="abc")
    p = labels.probabilities
    assume(not np.isnan(p).any())
    wider = tp.consensus(*told(answers), classes="abcd")
    assert wider.probabilities.shape[1] == 4
    assert (wider.disputed == labels.disputed).all()


def test_confusions_are_found_as_the_definition_says():
    rng = np.random.default_rng(10)
    truth = rng.integers(3, size=120)
    said = np.where(rng.random((4, 120)) < 0.85, truth, rng.integers(3, size=(4, 120)))
    said[3] = np.array([1, 0, 2])[said[3]]  # one who swaps two classes
    there = rng.random((4, 120)) < 0.9
    answers = {(i, a): int(said[a, i]) for i in range(120) for a in range(4) if there[a, i]}
    samples, people = zip(*answers, strict=True)
    found = tp.consensus(samples, list(answers.values()), people, classes=range(3))
    place = {name: i for i, name in enumerate(found.samples.tolist())}
    person = {name: a for a, name in enumerate(found.annotators)}
    numbers = {(place[i], person[a]): c for (i, a), c in answers.items()}
    rows, quality = reference.classes(numbers, len(place), 4, 3)
    assert found.probabilities == pytest.approx(np.array(rows), abs=1e-5)
    assert [one.quality for one in found.annotators.values()] == pytest.approx(quality, abs=1e-5)
    assert found.annotators[3].quality < 0.6
    assert (found.labels == truth[found.samples]).mean() > 0.9
