"""Labels that look wrong, as far as they are left: neither corrected, nor kept, nor gone."""

import re

from hypothesis import given
from hypothesis import strategies as st

from trigpoint.studio._events import Event, Settings
from trigpoint.studio._issues import Suspect, Suspects, few_labels, sentence
from trigpoint.studio._messages import Issues
from trigpoint.studio._state import State

IDS = ["s0", "s1", "s2", "s3"]


def told(*events, settings=None):
    """A state out of (kind, who, sample, body)."""
    state = State(settings or Settings(), IDS)
    for seq, (kind, who, sample, body) in enumerate(events, start=1):
        state.apply(Event(seq, 0.0, kind, who, sample, f"c{seq}", body))
    return state


def label(sample, value, who="ada", **more):
    return "label", who, sample, {"value": value, **more}


def issues(*rows, low=0.0, high=0.0):
    """Out of (sample, label, suggested, probability, quality)."""
    columns = [list(column) for column in zip(*rows, strict=True)] or [[]] * 5
    return Issues(1, 40, low, high, *columns)


FOUND = issues((2, "cat", "dog", 0.9, 0.1), (0, "cat", "owl", 0.7, 0.2), (1, "dog", "cat", 0.6, 0.3))
LABELS = [label("s0", "cat"), label("s1", "dog"), label("s2", "cat"), label("s3", "owl")]


def suspects(found, state, names):
    return Suspects(state, names).own_first(found, "eve")


def left(state, found=FOUND, names=str):
    return [one.sample for one in suspects(found, state, names)]


def test_all_are_left_at_first():
    state = told(*LABELS)
    assert suspects(FOUND, state, str) == [
        Suspect(2, "cat", "dog", 0.9, 0.1),
        Suspect(0, "cat", "owl", 0.7, 0.2),
        Suspect(1, "dog", "cat", 0.6, 0.3),
    ]


def test_what_was_corrected_kept_or_is_no_more_is_not_left():
    corrected = label("s2", "dog", source="check")
    kept = "keep", "bob", "s0", {"value": "cat", "quality": 0.2}
    assert left(told(*LABELS, corrected)) == [0, 1]
    assert left(told(*LABELS, kept)) == [2, 1]
    assert left(told(*LABELS, ("unsure", "ada", "s1", {}))) == [2, 0]
    assert left(told(*LABELS, kept, ("undo", "bob", None, {"target": "c5"}))) == [2, 0, 1]
    changed = label("s0", "dog"), label("s0", "cat")
    assert left(told(*LABELS, kept, changed[0])) == [2, 1]
    assert left(told(*LABELS, kept, *changed)) == [2, 1], "the label is again the one that was kept"


def test_a_third_class_is_not_shown_again_though_the_others_still_contradict_it():
    state = told(*LABELS, label("s2", "owl", source="check", was="cat"))
    assert left(state, issues((2, "owl", "dog", 0.9, 1e-9))) == []
    elsewhere = told(*LABELS, label("s2", "owl", source="history"))
    assert left(elsewhere, issues((2, "owl", "dog", 0.9, 1e-9))) == [2]


def test_what_was_doubtful_and_is_hopeless_now_comes_again():
    keep = "keep", "ada", "s0", {"value": "cat", "quality": 0.3}
    assert left(told(*LABELS, keep), issues((0, "cat", "dog", 0.9, 0.02))) == []
    hopeless = issues((0, "cat", "dog", 0.9, 0.001))
    assert left(told(*LABELS, keep), hopeless) == [0]
    again = "keep", "bob", "s0", {"value": "cat", "quality": 0.001}
    assert left(told(*LABELS, keep, again), hopeless) == []


def test_classes_go_by_their_names_of_now():
    state = told(*LABELS, ("rename", "ada", None, {"old": "cat", "new": "pet"}))
    now = {"cat": "pet", "dog": "dog", "owl": "owl"}
    assert suspects(FOUND, state, now.get)[0] == Suspect(2, "pet", "dog", 0.9, 0.1)
    merged = told(*LABELS, ("rename", "ada", None, {"old": "cat", "new": "dog"}))
    assert left(merged, names={"cat": "dog", "dog": "dog", "owl": "owl"}.get) == [0]
    assert left(state, names={"cat": "pet", "dog": None, "owl": "owl"}.get) == [0], "no such class"


events = st.tuples(
    st.sampled_from(["label", "label", "keep", "unsure", "undo", "rename"]),
    st.sampled_from(["ada", "bob"]),
    st.sampled_from(IDS),
    st.sampled_from(["cat", "dog", "owl"]),
    st.sampled_from(["queue", "check", "map"]),
    st.integers(1, 12),
)


@given(st.lists(events, max_size=14), st.integers(0, 14))
def test_what_is_left_follows_each_event(some, renewed):
    """As if all were looked through anew each time."""
    state = told(*LABELS)
    rows = [(i, label, other, 0.9, 0.001) for i in range(4) for label, other in [("cat", "dog")]]
    found = issues(*rows)
    name_now = lambda name: name if name in state.classes else state.book.renamed.get(name)  # noqa: E731
    kept_up = Suspects(state, name_now)
    for k, (kind, who, sample, value, source, target) in enumerate(some):
        body = {"value": value, "source": source, "quality": 0.2, "target": f"c{target}", "old": value}
        on = sample if kind in ("label", "keep", "unsure") else None
        state.apply(Event(5 + k, 0.0, kind, who, on, f"c{5 + k}", {**body, "new": "cat"}))
        if k == renewed:
            found = issues(*reversed(rows))
        for name in ("ada", "bob"):
            expected = Suspects(state, name_now).own_first(found, name)
            assert kept_up.own_first(found, name) == expected
            assert kept_up.count(found) == len(expected)
            own = [state.owns(name, one.sample) for one in expected]
            assert own == sorted(own, reverse=True)


def test_classes_that_have_too_few_labels_each():
    assert sentence(Issues(1, 40, None, None, [], [], [], [], []), 0) == "Too few labels of each class yet."


def test_numbers():
    real = Settings("regression", targets=("x",))
    state = told(label("s0", [1]), label("s1", [9.5]), label("s2", [2]), settings=real)
    nan = float("nan")
    found = issues(
        (1, (9.5,), (1.2,), None, 0.0), (0, (1.0,), (nan,), None, 0.1), (2, (3.0,), (1.0,), None, 0.1)
    )
    assert suspects(found, state, str) == [Suspect(1, (9.5,), (1.2,), None, 0.0)]


@given(st.integers(0, 500), st.integers(1, 120), st.booleans())
def test_enough_is_twenty_of_two_classes(n, k, regresses):
    k = min(n, k)
    enough = n >= 20 and (regresses or k > 1)
    assert (few_labels(n, k, regresses) is None) == enough


@given(st.integers(0, 40), st.integers(0, 40), st.floats(0, 40), st.floats(0, 40))
def test_the_sentence_counts_what_is_left(n, done, a, b):
    done = min(n, done)
    found = issues(*[(i, "a", "b", 0.9, 0.1) for i in range(n)], low=min(a, b, n), high=max(a, b, n))
    said = sentence(found, n - done)
    if n == done:
        assert said.startswith("Nothing looks wrong.")
        return
    about, of, low, high = map(int, re.findall(r"\d+", said))
    assert (about, of) == (n - done, 40)
    assert low <= about <= high
