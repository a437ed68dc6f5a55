import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from reference import studio as reference
from trigpoint.studio._events import KINDS, Draft, Event, Settings
from trigpoint.studio._state import State

IDS = ["s0", "s1", "s2", "s3"]
REAL = Settings("regression", targets=("x", "y"))


class Log:
    """A state, and the events that it was told."""

    def __init__(self, settings=None, ids=IDS):
        self.state = State(Settings() if settings is None else settings, ids)
        self.events = []

    def take(self, draft):
        event = Event(len(self.events) + 1, 1000.0 + len(self.events), *vars(draft).values())
        self.events.append(event)
        self.state.apply(event)
        return event

    def act(self, annotator, kind, sample=None, **body):
        sample = sample if sample is None or isinstance(sample, str) else IDS[sample]
        draft = Draft(kind, annotator, sample, f"c{len(self.events) + 1}", body)
        assert self.state.check(draft) is None
        return self.take(draft).client

    def label(self, annotator, sample, value, **body):
        return self.act(annotator, "label", sample, value=value, **body)


@pytest.fixture
def log():
    return Log()


def test_a_session_by_hand(log):
    state = log.state
    log.act("ada", "ask", 2, audit=True)
    log.act("ada", "ask", 0, audit=False)
    log.label("ada", 2, "cat", suggested="dog", seconds=1, source="queue")
    log.label("ada", 0, "dog")
    log.act("ada", "unsure", 1)
    assert state.asked == {2: True, 0: False}
    assert list(state.asked) == [2, 0]
    assert state.labels == {2: "cat", 0: "dog"}
    assert list(state.labels) == [2, 0]
    assert state.unsure == {1}
    assert state.classes == ("cat", "dog")
    assert state.counts() == {"cat": 1, "dog": 1}
    assert state.annotators() == {"ada": 2}
    action = state.current(2)["ada"]
    assert (action.seq, action.kind, action.value, action.suggested) == (3, "label", "cat", "dog")
    assert (action.seconds, action.source, action.final, action.client) == (1.0, "queue", False, "c3")
    assert state.current(3) == {}
    assert state.snapshot() == [
        {"event": "ask", "samples": [2, 0], "audits": [True, False]},
        {"event": "tell", "samples": [2, 0, 1], "labels": ["cat", "dog", None]},
    ]


def test_a_label_that_is_on_its_way_stands_above_one_for_many(log):
    log.label("ada", 0, "a")
    log.label("bob", 0, "b", group="g", source="map")  # checked before ada's label was there
    assert (log.state.labels, log.state.disagreements()) == ({0: "a"}, [])
    log.label("bob", 1, "b", group="g", source="map")
    log.act("bob", "undo", target="g")
    log.label("bob", 2, "b", group="g", source="map")  # the rest of what was taken back meanwhile
    assert log.state.labels == {0: "a"}
    again = Draft("undo", "bob", None, "again", {"target": "g"})
    assert log.state.check(again) == "target must be an action that stands; it was undone before."


def test_who_relabels_among_many_gets_nothing_of_the_budget_back(log):
    log.act("ada", "ask", 0, audit=False)
    log.label("ada", 0, "a")
    assert log.state.paid == {0}
    log.label("ada", 0, "b", group="g", source="gallery", relabel=True)
    assert log.state.paid == {0}
    log.act("ada", "skip", 0)
    assert log.state.paid == set()


def test_an_empty_state():
    state = State(Settings(classes=("a", "b"), budget=9), IDS)
    assert state.snapshot() == []
    assert state.classes == ("a", "b")
    assert state.counts() == {"a": 0, "b": 0}
    assert state.agreement() is None
    assert state.disagreements() == state.history(None, None, 10) == []
    assert (state.budget, state.version) == (9, 0)


def test_undo_goes_to_any_depth_and_in_any_order(log):
    first, second = log.label("ada", 0, "cat"), log.label("ada", 0, "dog")
    third = log.act("ada", "skip", 0)
    assert log.state.labels == {}
    log.act("ada", "undo", target=second)
    assert log.state.labels == {}
    log.act("ada", "undo", target=third)
    assert log.state.labels == {0: "cat"}
    log.act("ada", "undo", target=first)
    assert log.state.labels == log.state.current(0) == {}
    assert log.state.classes == ("cat", "dog")
    assert log.state.annotators() == {"ada": 0}


def test_what_cannot_be_undone_is_refused(log):
    mine = log.label("ada", 0, "cat")
    named = log.act("ada", "class", name="dog")
    undone = log.act("ada", "undo", target=mine)

    def why(annotator, target, client="new"):
        return log.state.check(Draft("undo", annotator, None, client, {"target": target}))

    assert why("ada", mine) == "target must be an action that stands; it was undone before."
    assert why("ada", mine, client=undone) is None  # the same undo, sent again
    for target in (named, undone, "unknown", None, ["c1"]):
        assert why("ada", target).startswith("target must be a label, an unsure, a skip, a keep, ")
    other = log.label("bob", 0, "cat")
    assert why("ada", other) == "target must be an action of 'ada'; it is one of 'bob'."


@pytest.mark.parametrize(
    ("kind", "sample", "body", "why"),
    [
        ("label", "s9", {"value": "a"}, "sample must be in the pool; got 's9'."),
        ("label", None, {"value": "a"}, "sample must be in the pool; got None."),
        ("skip", "s9", {}, "sample must be in the pool; got 's9'."),
        ("label", "s0", {}, "value must be text; got None."),
        ("label", "s0", {"value": 1}, "value must be text; got 1."),
        ("label", "s0", {"value": ""}, "value must be text without spaces around it; got ''."),
        ("label", "s0", {"value": " a"}, "value must be text without spaces around it; got ' a'."),
        ("label", "s0", {"value": "a" * 201}, "value must have at most 200 characters; got 201."),
        ("label", "s0", {"value": "\ud800"}, "value must be text that can be written; got '\\ud800'."),
        ("label", "s0", {"value": "a", "suggested": 3}, "suggested must be text; got 3."),
        ("label", "s0", {"value": "a", "seconds": "3"}, "seconds must hold finite numbers; got ['3']."),
        ("label", "s0", {"value": "a", "was": 3}, "was must be text; got 3."),
        ("keep", "s9", {"value": "a"}, "sample must be in the pool; got 's9'."),
        ("keep", "s0", {}, "value must be text; got None."),
        ("keep", "s0", {"value": "a", "quality": "x"}, "quality must hold finite numbers; got ['x']."),
        ("class", None, {"name": "\n"}, "name must be text without spaces around it; got '\\n'."),
        ("rename", None, {"old": "b", "new": "c"}, "old must be one of the classes; got 'b'."),
        ("rename", None, {"old": "a", "new": "a"}, "new must be another name than old; got 'a'."),
        ("rename", None, {"old": "a", "new": ""}, "new must be text without spaces around it; got ''."),
        ("budget", None, {"budget": 0}, "budget must be a whole number from 1; got 0."),
        ("budget", None, {"budget": True}, "budget must be a whole number from 1; got True."),
        (
            "guess",
            None,
            {},
            f"kind must be one of {', '.join(KINDS)}; got 'guess'.",
        ),
    ],
)
def test_refusals_of_classes(kind, sample, body, why):
    log = Log(Settings(classes=("a",)))
    draft = Draft(kind, "ada", sample, "c", body)
    assert log.state.check(draft) == why
    before = vars_of(log.state)
    log.take(draft)
    assert vars_of(log.state) == before  # an event that is refused changes nothing


@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        ("label", {"value": "a"}, "value must be a list of 2 numbers; got 'a'."),
        ("label", {"value": [1]}, "value must be a list of 2 numbers; got [1]."),
        ("label", {"value": [1, float("inf")]}, "value must hold finite numbers; got [1, inf]."),
        ("label", {"value": [1, float("nan")]}, "value must hold finite numbers; got [1, nan]."),
        ("label", {"value": [True, 1]}, "value must hold finite numbers; got [True, 1]."),
        ("label", {"value": [10**400, 1]}, "value must hold finite numbers; got [1" + "0" * 55 + "...."),
        ("keep", {"value": [1]}, "value must be a list of 2 numbers; got [1]."),
        ("class", {"name": "a"}, "class must be of a pool with classes; this one has numbers for labels."),
    ],
)
def test_refusals_of_numbers(kind, body, why):
    assert State(REAL, IDS).check(Draft(kind, "ada", "s0", "c", body)) == why


def vars_of(state):
    answers = (
        state.labels,
        state.unsure,
        state.classes,
        state.budget,
        state.version,
        state.asked,
        state.touched,
        state.touched_by,
        state.confirmed,
        state.checked,
    )
    return repr(
        (*answers, state.counts(), state.annotators(), state.history(None, None, 99), state.snapshot())
    )


def test_a_rename_merges_into_a_class_that_is_there(log):
    log.label("ada", 0, "cat")
    log.label("bob", 0, "Cat", suggested="cat")
    log.label("ada", 1, "dog")
    assert log.state.labels == {1: "dog"}
    assert log.state.disagreements() == [0]
    log.act("ada", "rename", old="cat", new="Cat")
    assert log.state.labels == {1: "dog", 0: "Cat"}
    assert log.state.classes == ("Cat", "dog")
    assert log.state.disagreements() == []
    assert log.state.current(0)["bob"].suggested == "Cat"
    log.act("ada", "rename", old="Cat", new="feline")
    assert log.state.classes == ("feline", "dog")
    log.label("ada", 2, "cat")  # from a page that has not heard of it
    assert log.state.labels[2] == "feline"
    log.act("ada", "class", name="cat")
    log.label("ada", 2, "cat")
    assert log.state.classes == ("feline", "dog", "cat")
    assert log.state.labels[2] == "cat"


def test_a_correction_of_anothers_label_decides(log):
    log.label("ada", 0, "cat")
    log.label("bob", 0, "dog", source="map")
    assert log.state.labels == {0: "dog"}
    assert log.state.disagreements() == []
    log.label("ada", 0, "cat", source="history")
    assert log.state.labels == {0: "cat"}


def test_labels_from_files_yield_to_people(log):
    log.label("file", 0, "cat", source="import")
    assert log.state.labels == {0: "cat"}
    log.label("ada", 0, "dog")
    assert log.state.labels == {0: "dog"}
    log.label("file", 0, "cat", source="import")
    assert log.state.labels == {0: "dog"}


def test_history_is_read_in_pages(log):
    clients = [log.label("ada" if k % 2 else "bob", k % 3, "a") for k in range(9)]
    log.act("ada", "undo", target=clients[3])
    state = log.state
    page = state.history(None, None, 3)
    assert [entry.seq for entry in page] == [9, 8, 7]
    assert [entry.seq for entry in state.history(None, page[-1].seq, 3)] == [6, 5, 3]
    assert [entry.seq for entry in state.history("ada", None, 99)] == [8, 6, 2]
    assert [entry.current for entry in state.history("ada", None, 99)] == [True, True, False]
    assert state.history("nobody", None, 5) == []
    assert structs.asdict(page[0]) == {
        "seq": 9,
        "time": 1008.0,
        "client": "c9",
        "kind": "label",
        "annotator": "bob",
        "sample": 2,
        "id": "s2",
        "value": "a",
        "source": "queue",
        "current": True,
        "group": None,
        "n": 1,
    }


def test_a_gesture_is_one_entry_of_the_history_on_all_pages(log):
    log.label("ada", 0, "a")
    together = [log.label("ada", i, "b", group="g", source="map", relabel=True) for i in range(3)]
    log.label("bob", 3, "b", group="g", source="map")  # a name that somebody else has taken, too
    log.label("ada", 0, "c")
    log.label("ada", 3, "b", group="g", source="map", relabel=True)

    def entries(before=None, limit=2):
        return [(one.seq, one.group, one.n) for one in log.state.history("ada", before, limit)]

    assert entries() == [(7, "g", 4), (6, None, 1)]
    assert entries(before=6) == [(1, None, 1)], "the rest of the gesture is not told again"
    assert [one.n for one in log.state.history("bob", None, 9)] == [1]
    assert log.state.group("g") == [0, 1, 2, 3, 3]
    log.act("ada", "undo", target=together[1])
    assert entries() == [(7, "g", 3), (6, None, 1)]
    log.act("ada", "undo", target="g")
    assert entries() == [(6, None, 1), (1, None, 1)]
    assert log.state.labels == {0: "c", 3: "b"}, "what is not of the gesture, and what is bob's, stands"


def test_events_of_other_pools_are_kept_aside(log):
    event = log.take(Draft("label", "ada", "elsewhere", "c", {"value": "x"}))
    assert log.state.missing == [event]
    assert log.state.labels == {}
    assert log.state.classes == ()
    log.take(Draft("undo", "ada", None, "d", {"target": "c"}))
    assert len(log.state.missing) == 1


def test_the_latest_disagreement_comes_first(log):
    for i in (0, 1):
        log.label("ada", i, "cat")
        log.label("bob", i, "dog")
    assert log.state.disagreements() == [1, 0]
    log.label("eve", 0, "owl")
    assert log.state.disagreements() == [0, 1]


def test_a_snapshot_follows_what_is_told(log):
    log.label("ada", 0, "cat")
    kept = log.state.snapshot()
    assert log.state.snapshot() is kept
    log.label("bob", 0, "cat")
    assert log.state.snapshot() == kept
    log.label("ada", 1, "cat")
    assert log.state.snapshot()[0]["samples"] == [0, 1]
    log.act("ada", "ask", 2, audit=False)
    log.act("ada", "rename", old="cat", new="dog")
    assert log.state.snapshot() == [
        {"event": "ask", "samples": [2], "audits": [False]},
        {"event": "tell", "samples": [0, 1], "labels": ["dog", "dog"]},
    ]


def test_real_targets():
    log = Log(REAL)
    log.label("ada", 0, [1, 2.5], suggested=[1, 1])
    log.label("bob", 0, [3, 2.5])
    log.label("bob", 1, [5e99, 9])
    log.label("ada", 1, [7.5e99, 9])
    assert log.state.labels == {0: (2.0, 2.5), 1: (6.25e99, 9.0)}
    assert log.state.counts() == {}
    assert log.state.snapshot()[0]["labels"] == [[2.0, 2.5], [6.25e99, 9.0]]
    assert log.state.disagreements() == [1]  # 2 is little beside 1e99
    log.label("ada", 1, [5e99, 9], final=True)
    assert log.state.labels[1] == (5e99, 9.0)
    assert log.state.disagreements() == []


def test_the_version_grows_with_labels_and_classes_only(log):
    def grows(*arguments, **body):
        before = log.state.version
        log.act(*arguments, **body)
        return log.state.version > before

    assert grows("ada", "label", 0, value="a")
    assert not grows("bob", "label", 0, value="a")  # the same label again
    assert grows("bob", "label", 0, value="b")
    assert grows("ada", "class", name="c")
    assert not grows("ada", "class", name="c")
    assert not grows("ada", "skip", 1)
    assert grows("ada", "unsure", 1)
    assert grows("ada", "undo", target=f"c{len(log.events)}")
    assert grows("ada", "rename", old="c", new="d")
    assert not grows("ada", "budget", budget=3)
    assert not grows("ada", "ask", 3, audit=False)
    assert log.state.budget == 3


def test_a_label_that_is_kept_stays_whose_it_was(log):
    log.label("ada", 0, "cat")
    version, touched = log.state.version, list(log.state.touched)
    kept = log.act("bob", "keep", 0, value="cat", quality=0.2, source="check")
    state = log.state
    assert (state.confirmed, state.confirmed_at(0)) == ({0}, 0.2)
    assert state.labels == {0: "cat"}
    assert state.current(0).keys() == {"ada"}
    assert state.annotators() == {"ada": 1}
    assert (state.version, state.touched) == (version, touched)
    assert state.owns("ada", 0)
    assert not state.owns("bob", 0)
    (entry, _) = state.history(None, None, 9)
    assert (entry.kind, entry.annotator, entry.value, entry.source) == ("keep", "bob", "cat", "check")
    assert [one.kind for one in state.history("bob", None, 9)] == ["keep"]
    log.act("bob", "undo", target=kept)
    assert (state.confirmed, state.confirmed_at(0)) == (set(), None)
    why = state.check(Draft("undo", "bob", None, "new", {"target": kept}))
    assert why == "target must be an action that stands; it was undone before."


def test_what_is_kept_holds_while_the_label_does(log):
    log.label("ada", 0, "cat")
    log.act("ada", "keep", 0, value="cat")
    assert log.state.confirmed == {0}
    other = log.label("bob", 0, "dog", source="map")
    assert log.state.confirmed == set()
    log.act("bob", "undo", target=other)
    assert log.state.confirmed == {0}
    log.act("ada", "rename", old="cat", new="feline")
    assert log.state.confirmed == {0}
    log.act("bob", "keep", 0, value="cat")  # from a page that has not heard of it
    assert log.state.confirmed_at(0) == 0
    log.act("ada", "unsure", 0)
    assert log.state.labels == {}
    assert log.state.confirmed == set()


def test_a_correction_confirms_itself_and_decides(log):
    log.label("ada", 0, "cat")
    log.label("bob", 0, "dog", source="check", was="cat")
    state = log.state
    assert (state.labels, state.disagreements()) == ({0: "dog"}, [])
    assert state.current(0)["bob"].final
    assert state.confirmed == {0}
    assert state.annotators() == {"ada": 1, "bob": 1}
    log.act("bob", "undo", target="c2")
    assert (state.labels, state.confirmed) == ({0: "cat"}, set())


def test_a_check_of_what_has_changed_is_outdated(log):
    log.label("ada", 0, "cat")
    state = log.state

    def outdated(kind, client="new", **body):
        return state.outdated(Draft(kind, "bob", "s0", client, body))

    assert outdated("label", value="dog", was="cat") is None
    assert outdated("label", value="dog") is None
    assert outdated("keep", value="cat") is None
    log.label("eve", 0, "owl", source="history")
    said = "the label of 's0' has changed since it was 'cat': now it is 'owl'."
    assert outdated("label", value="dog", was="cat") == said
    assert outdated("keep", value="cat") == said
    assert outdated("keep", client="c1", value="cat") is None, "it was written before"
    log.act("eve", "rename", old="owl", new="bird")
    assert outdated("keep", value="owl") is None
    log.act("eve", "undo", target="c2")
    log.act("ada", "undo", target="c1")
    assert outdated("keep", value="cat").endswith("now it is none.")
    log.take(Draft("label", "bob", "s0", "late", {"value": "dog", "was": "cat", "source": "check"}))
    assert state.labels == {0: "dog"}, "what is written is never dropped"


def test_numbers_are_kept_and_corrected():
    log = Log(REAL)
    log.label("ada", 0, [1, 2.5])
    log.act("ada", "keep", 0, value=[1, 2.5], quality=0.004)
    assert log.state.confirmed_at(0) == 0.004
    assert log.state.outdated(Draft("keep", "bob", "s0", "n", {"value": [1.0, 2.5]})) is None
    why = log.state.outdated(Draft("label", "bob", "s0", "n", {"value": [3, 3], "was": [1, 2]}))
    assert why == "the label of 's0' has changed since it was [1, 2]: now it is [1.0, 2.5]."
    log.label("bob", 0, [3.0, 2.5])
    assert log.state.labels == {0: (2.0, 2.5)}
    assert log.state.confirmed == set()


names = st.sampled_from(["ada", "bob", "eve"])
samples = st.sampled_from([*IDS, "gone"])
classes = st.sampled_from(["a", "b", "c"])
numbers = st.lists(st.integers(0, 3).map(float), min_size=2, max_size=2)


def drafts(value):
    finals = st.sampled_from([False, False, False, True])
    sources = st.sampled_from(["queue", "queue", "map", "check", "import"])
    answers = st.fixed_dictionaries({"value": value, "final": finals, "source": sources})
    renames = st.fixed_dictionaries({"old": classes, "new": classes})
    groups = st.sampled_from(["g1", "g2"])
    among = st.fixed_dictionaries(
        {"value": value, "source": st.just("map"), "group": groups, "relabel": st.booleans()}
    )
    targets = st.integers(1, 12).map("c{}".format) | groups
    kinds = [
        st.builds(Draft, st.just("label"), names, samples, st.none(), among),
        st.builds(Draft, st.just("label"), names, samples, st.none(), answers),
        st.builds(Draft, st.just("label"), names, samples, st.none(), answers),
        st.builds(Draft, st.sampled_from(["unsure", "skip"]), names, samples, st.none(), st.just({})),
        st.builds(lambda i, audit: Draft("ask", "ada", i, None, {"audit": audit}), samples, st.booleans()),
        st.builds(lambda a, to: Draft("undo", a, None, None, {"target": to}), names, targets),
        st.builds(lambda a, i, x: Draft("keep", a, i, None, {"value": x}), names, samples, value),
        st.builds(Draft, st.just("rename"), names, st.none(), st.none(), renames),
        st.builds(lambda name: Draft("class", "ada", None, None, {"name": name}), classes),
    ]
    return st.lists(st.one_of(kinds), max_size=6) | st.lists(st.one_of(kinds), min_size=15, max_size=40)


def told(settings, some):
    """Events that a studio would have written: refused ones are not."""
    log = Log(settings)
    for draft in some:
        client = f"c{len(log.events) + 1}"
        named = Draft(draft.kind, draft.annotator, draft.sample, client, draft.body)
        if log.state.check(named) is None or draft.sample == "gone":
            log.take(named)
    return log


def compare(log):
    state, events, n = log.state, log.events, len(IDS)
    actions, names_of_classes, _ = reference.standing(events, IDS)
    for i in range(n):
        now = {name: (a.seq, a.kind, a.value, a.final) for name, a in state.current(i).items()}
        assert now == {k: (a[0], a[3], a[4], a[5]) for k, a in reference.current(actions, i).items()}
    assert list(state.labels.items()) == list(reference.labels_in_order(events, IDS).items())
    assert state.unsure == {i for i in range(n) if reference.consensus(actions, i)[1]}
    assert list(state.classes) == names_of_classes
    deeds = reference.deeds(events, IDS)[0]
    gestures = {a[0]: (a[8], a[1]) if len(a) > 8 and a[8] is not None else a[0] for a in deeds}
    lasts = {gesture: seq for seq, gesture in sorted(gestures.items())}  # one entry each, that of the last
    sizes = Counter(gestures.values())
    told = [(entry.seq, entry.n) for entry in state.history(None, None, 99)]
    assert told == sorted(((seq, sizes[one]) for one, seq in lasts.items()), reverse=True)
    keeps = [a for a in deeds if a[3] == "keep"]
    tops = {a[0] for some in (actions, keeps) for i in range(n) for a in reference.current(some, i).values()}
    assert state.confirmed == reference.confirmed(events, IDS)
    assert {entry.seq for entry in state.history(None, None, 99) if entry.current} == tops & {*lasts.values()}
    for name, count in state.annotators().items():
        current = [reference.current(actions, i).get(name) for i in range(n)]
        assert count == sum(a is not None and a[3] == "label" for a in current)
    return actions


@settings(max_examples=200)
@given(drafts(classes))
def test_a_state_of_classes_is_the_fold_of_all_events(some):
    log = told(Settings(), some)
    actions, state = compare(log), log.state
    assert state.counts() == {c: sum(v == c for v in state.labels.values()) for c in state.classes}
    assert state.disagreements() == reference.disputes_in_order(log.events, IDS)
    units = reference.independent_labels(actions, len(IDS))
    figures = state.agreement()
    agreeing, pairs = reference.agreeing_pairs(units, lambda a, b: a == b)
    assert (figures is None) == (pairs == 0)
    if figures is not None:
        assert figures.share == pytest.approx(agreeing / pairs)
        alpha = reference.alpha(units, lambda a, b: a != b)
        assert figures.alpha == (None if alpha is None else pytest.approx(alpha))
        assert figures.pairs == pairs
        assert figures.samples == sum(len(unit) > 1 for unit in units)


@settings(max_examples=200)
@given(drafts(numbers))
def test_a_state_of_numbers_is_the_fold_of_all_events(some):
    log = told(REAL, some)
    compare(log)
    assert set(log.state.disagreements()) <= set(reference.disputes_in_order(log.events, IDS))


@given(drafts(classes), st.data())
def test_events_may_come_twice(some, data):
    log = told(Settings(), some)
    again = State(Settings(), IDS)
    for event in log.events:
        again.apply(event)
        for other in data.draw(st.lists(st.sampled_from(log.events[: event.seq]), max_size=2)):
            again.apply(other)
    assert vars_of(again) == vars_of(log.state)


def test_thousands_of_events_are_soon_applied():
    n = 70_000
    ids = [str(i) for i in range(n)]
    state = State(Settings(), ids)
    events = [
        Event(k, 0.0, "label", f"a{k % 20}", ids[k * 7 % 2500], f"c{k}", {"value": str(k % 11)})
        for k in range(1, 5001)
    ]
    begun = time.process_time()
    for event in events:
        state.apply(event)
        state.counts(), state.agreement(), state.annotators(), state.disagreements()
    assert time.process_time() - begun < 10.0
    assert state.snapshot() is state.snapshot()
    assert len(state.history(None, None, 50)) == 50


def crowd(n=60):
    """Ada is right, Bob and Cy err on every third sample, each on others."""
    log = Log(ids=[f"s{i}" for i in range(n + 1)])
    for i in range(n):
        right, wrong = ("a", "b") if i % 2 else ("b", "a")
        log.label("ada", f"s{i}", right)
        log.label("bob", f"s{i}", wrong if i % 3 == 0 else right)
        log.label("cy", f"s{i}", wrong if i % 3 == 1 else right)
    return log


def test_people_are_weighed_and_ties_go_to_the_better(log):
    log.label("ada", 0, "a")
    log.label("bob", 0, "b")
    assert log.state.quality() == {}, "two answers say nothing of people"
    log = crowd()
    quality = log.state.quality()
    assert quality["ada"] > quality["bob"] + 0.1
    assert quality["bob"] == pytest.approx(quality["cy"], abs=0.05)
    log.label("ada", "s60", "a")
    log.label("bob", "s60", "b")
    assert log.state.labels[60] == "a"
    assert log.state.disagreements()[0] == 60
    log.label("bob", "s60", "b", final=True)
    assert log.state.labels[60] == "b"


def test_quality_follows_from_the_events_alone():
    log = crowd()
    again = State(Settings(), [f"s{i}" for i in range(61)])
    for event in log.events:
        again.apply(event)
    assert again.quality() == log.state.quality()
    assert list(again.labels.items()) == list(log.state.labels.items())


def test_real_targets_have_people_of_quality_and_plain_means():
    log = Log(REAL, [f"s{i}" for i in range(20)])
    for i in range(20):
        log.label("ada", f"s{i}", [float(i), 1.0])
        log.label("bob", f"s{i}", [float(i) + (1.0 if i % 2 else -1.0), 1.0])
        log.label("cy", f"s{i}", [float(i), 1.0])
    quality = log.state.quality()
    assert 0.5 < quality["bob"] < quality["ada"] <= 1.0
    assert log.state.labels[3] == pytest.approx((10 / 3, 1.0))
