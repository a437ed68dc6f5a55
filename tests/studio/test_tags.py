"""Sets of tags in the studio: what the worker says of them, and what the server makes of that."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import trigpoint as tp
from trigpoint.studio._compute import SlowResults, round_messages
from trigpoint.studio._events import Draft, Event, Settings
from trigpoint.studio._export_values import predicted_values
from trigpoint.studio._messages import Advice, Bound, Predictions, Request
from trigpoint.studio._results import Results
from trigpoint.studio._state import State

X = np.random.default_rng(0).random((120, 2))
GRAPH = tp.neighbor_graph(X, 6)
TAGS = ["high", "right", "never"]
TRUTH = [[tag for tag, has in zip(("high", "right"), (y > 0.5, x > 0.5), strict=True) if has] for x, y in X]
SOME = list(range(40))


def told(samples=SOME):
    return [
        {"event": "ask", "samples": samples, "audits": [i < 20 for i in samples]},
        {"event": "tell", "samples": samples, "labels": [TRUTH[i] for i in samples]},
    ]


def learner():
    return tp.ActiveLearner(graph=GRAPH, task="tags")


def predicted(log, classes=TAGS):
    *_, message = round_messages(learner(), Request(3, log, classes, 5), "tags", None)
    assert isinstance(message, Predictions)
    return message


def test_each_tag_has_a_probability_of_its_own():
    found = predicted(told())
    assert (found.version, found.classes, found.tags.dtype) == (3, tuple(TAGS), np.float16)
    own = learner()
    own.restore(told(), classes=TAGS)
    assert_allclose(found.tags, own.predict_proba(), atol=1e-3)
    assert found.threshold == own.threshold
    sets = [{TAGS[k] for k in np.flatnonzero(row > found.threshold)} for row in found.tags]
    assert sets == [set(one) for one in own.predict()]
    assert np.mean([one == set(true) for one, true in zip(sets, TRUTH, strict=True)]) > 0.85
    assert_allclose(found.uncertainty, own.uncertainty(), atol=1e-6)
    assert_allclose(found.probability, 1 - found.uncertainty, atol=1e-6)
    assert_array_equal(found.codes == -1, [not one for one in sets])
    likeliest = found.tags.argmax(axis=1)
    assert_array_equal(found.codes[found.codes >= 0], likeliest[found.codes >= 0])


def test_what_no_label_reaches_has_no_tags():
    parts = tp.graph_from_edges([[0, 1], [1, 2], [3, 4]])
    log = [{"event": "tell", "samples": [0, 1], "labels": [["a"], []]}]
    *_, found = round_messages(
        tp.ActiveLearner(graph=parts, task="tags"), Request(1, log, ["a"], 9), "tags", None
    )
    assert_array_equal(np.isnan(found.tags[:, 0]), [False, False, False, True, True])
    assert_array_equal(found.codes[3:], -1)
    assert_array_equal(found.uncertainty[3:], 1)


@pytest.mark.parametrize("labels", [[[]], [[], []]])
def test_a_pool_without_any_tag_yet(labels):
    samples = list(range(len(labels)))
    found = predicted([{"event": "tell", "samples": samples, "labels": labels}], [])
    assert found.classes == ()
    assert found.tags.shape == (120, 0)
    assert_array_equal(found.codes, -1)


def test_advice_is_about_exact_sets_and_labels_are_not_judged():
    mine = learner()
    mine.restore(told(), classes=TAGS)
    messages = list(SlowResults(GRAPH, "tags").messages(mine, 4))
    assert [type(message) for message in messages] == [Advice, Bound]
    assert messages[0].n_audits == 20
    assert messages[0].error < 0.5


def prediction(*rows, threshold=0.4):
    """Predictions of the tags a, b and c."""
    tags, n = np.array(rows, dtype=np.float16), len(rows)
    flat = np.zeros(n, dtype=np.float32)
    return Predictions(1, ("a", "b", "c"), flat.astype(np.int16), flat, flat, tags=tags, threshold=threshold)


def test_the_page_is_told_a_set_and_each_probability():
    results = Results(regresses=False)
    results.receive(prediction([0.75, 0.5, 0.25], [0, 0, 0], [np.nan] * 3))
    first, second, third = map(results.predicted, range(3))
    assert first.value == ["a", "b"]
    assert first.tags == {"a": 0.75, "b": 0.5, "c": 0.25}
    assert second.value == []
    assert third is None


def test_tags_of_the_worker_have_their_names_of_now():
    names = {"a": "z", "b": "z", "c": None}
    results = Results(False, names.get)
    results.receive(prediction([0.125, 0.5, 0.75]))
    assert results.predicted(0).tags == {"z": 0.5}
    assert results.predicted(0).value == ["z"]


def test_exports_tell_the_predicted_set_by_the_names_of_now():
    state = replay([("class", "ada", None, None, {"name": "c"})])
    guess = predicted_values(state, prediction([0.75, 0.5, 0.25], [0, 0, 0], [np.nan] * 3))
    assert guess(0).value == ("a", "b")
    assert guess(1).value == ()
    assert guess(2) is None
    renamed = replay(
        [
            ("class", "ada", None, None, {"name": "c"}),
            ("rename", "ada", None, None, {"old": "a", "new": "c"}),
        ]
    )
    assert predicted_values(renamed, prediction([0.75, 0.5, 0.25]))(0).value == ("b", "c")


def test_the_estimate_says_that_it_is_about_exact_sets():
    results = Results(regresses=False)
    results.receive(prediction([0.75, 0.5, 0.25]))
    results.receive(Advice(1, 0.07, 0.04, 0.12, 100, 60, 4, 0, None, 900))
    said = results.page_fields()["advice"].sentence
    assert said == (
        "Of 100 samples that nobody has labeled, about 93 have exactly the right tags; it may be 88 to 96."
    )


IDS = ["s0", "s1", "s2"]
TAGGED = Settings(task="tags", classes=("a", "b"))
people = st.sampled_from(["ada", "bob", "eve"])
tags = st.sampled_from(["a", "b", "c", "d"])
sets = st.lists(tags, max_size=3)
answers = st.lists(st.tuples(people, st.sampled_from(IDS), sets), max_size=12)


def replay(drafts, settings=TAGGED):
    state = State(settings, IDS)
    for seq, (kind, who, sample, client, body) in enumerate(drafts, start=1):
        draft = Draft(kind, who, sample, client or f"c{seq}", body)
        assert state.check(draft) is None
        state.apply(Event(seq, 0.0, *vars(draft).values()))
    return state


def labeled(said):
    return [("label", who, sample, None, {"value": some}) for who, sample, some in said]


@given(answers)
def test_a_tag_is_given_where_more_than_half_gave_it(said):
    state = replay(labeled(said))
    last = {}
    for who, sample, some in said:
        last.setdefault(sample, {})[who] = set(some)
    expected = {
        IDS.index(sample): tuple(
            sorted(tag for tag in "abcd" if 2 * sum(tag in one for one in votes.values()) > len(votes))
        )
        for sample, votes in last.items()
    }
    assert state.labels == expected
    assert list(state.snapshot()[-1]["labels"] if expected else []) == [
        list(v) for v in state.labels.values()
    ]
    counts = {tag: sum(tag in label for label in expected.values()) for tag in state.classes}
    assert state.counts() == counts
    pairs = [a == b for votes in last.values() for a, b in combinations(votes.values(), 2)]
    found = state.agreement()
    assert (found is None) == (not pairs)
    if pairs:
        assert found.share == pytest.approx(np.mean(pairs))
    assert set(state.disagreements()) == {
        IDS.index(sample) for sample, votes in last.items() if len(set(map(frozenset, votes.values()))) > 1
    }


@given(answers, tags, tags, st.booleans())
def test_a_merge_that_is_undone_leaves_nothing_behind(said, old, new, other):
    """Also where another tag was renamed in between."""
    before = replay(labeled(said))
    assume(old in before.classes and old != new)
    rest = next((tag for tag in before.classes if tag not in (old, new)), None)
    between = [("rename", "ada", None, None, {"old": rest, "new": "y"})] if other and rest else []
    merge = ("rename", "ada", None, "merge", {"old": old, "new": new})
    undo = ("undo", "bob", None, None, {"target": "merge"})
    plain, parted = (
        replay([*labeled(said), *between]),
        replay([*labeled(said), merge, *between, undo]),
    )
    assert parted.labels == plain.labels
    assert parted.classes == plain.classes
    assert parted.counts() == plain.counts()
    assert [parted.current(i).keys() for i in range(3)] == [plain.current(i).keys() for i in range(3)]
    said_then, said_now = (
        [[a.value for a in state.current(i).values()] for i in range(3)] for state in (plain, parted)
    )
    assert said_now == said_then


def test_none_of_them_is_a_label_and_can_be_kept_and_corrected():
    state = replay(labeled([("ada", "s0", [])]))
    assert state.labels == {0: ()}
    assert state.outdated(Draft("keep", "bob", "s0", "k", {"value": []})) is None
    assert state.outdated(Draft("label", "bob", "s0", "k", {"value": ["a"], "was": ["a"]})) is not None
    assert state.outdated(Draft("label", "bob", "s0", "k", {"value": ["a"], "was": []})) is None


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("a", "value must be a list of tags; got 'a'."),
        ([1.0], "each of value must be text; got 1.0."),
        ([" a"], "each of value must be text without spaces around it; got ' a'."),
    ],
)
def test_what_is_no_set_of_tags_is_refused(value, why):
    assert State(TAGGED, IDS).check(Draft("label", "ada", "s0", "c", {"value": value})) == why
