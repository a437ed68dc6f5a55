"""Pace, agreement, checks and time left, against a count made by hand or anew from all events."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.studio._events import Event, Settings
from trigpoint.studio._state import State
from trigpoint.studio._team import KEPT, KEPT_EACH, Team, local_day, words

NOON = 1_700_000_000.0 - 1_700_000_000.0 % 86400 + 43200
IDS = [f"s{i}" for i in range(6)]


class Log:
    """Writes events as a store would."""

    def __init__(self, **settings):
        self.state = State(Settings(classes=("a", "b"), **settings), IDS)
        self.team = Team(self.state)
        self.seq, self.now = 0, NOON

    def add(self, kind, annotator="ada", sample=None, *, after=1.0, client=None, **body):
        self.seq, self.now = self.seq + 1, self.now + after
        name = None if sample is None else IDS[sample]
        event = Event(self.seq, self.now, kind, annotator, name, client or f"c{self.seq}", body)
        self.state.apply(event)
        self.team.apply(event)
        return event

    def label(self, sample, value="a", annotator="ada", **more):
        return self.add("label", annotator, sample, value=value, **more)

    def answer(self, spent=0, roles=(), heard=(), now=None):
        return self.team.answer(spent, dict(roles), dict(heard), now or self.now)

    def member(self, name="ada"):
        return next(one for one in self.answer().members if one.name == name)

    def deeds(self, person=None, before=None, limit=50):
        return [deed.words for deed in self.team.activity(person, before, limit).deeds]


@pytest.fixture
def log():
    return Log()


def test_breaks_do_not_count_for_the_pace(log):
    for k in range(6):
        log.label(k, after=2.0)
    assert log.member().pace == 30.0
    log.label(0, "b", after=3600.0)
    assert log.member().pace == 30.0
    log.label(1, "b", after=60.0)
    assert log.member().pace == 60 * 6 / 70


def test_a_few_answers_are_no_pace(log):
    for k in range(5):
        log.label(k)
    assert log.member().pace is None


def test_imports_are_nobodys_work(log):
    for k in range(6):
        log.label(k, source="import")
    found = log.member()
    assert (found.pace, found.labels, found.today) == (None, 6, 0)
    assert log.deeds() == ["imported labels of 6 samples"]


def test_time_left(log):
    assert log.answer(40).sentence == "60 answers to go; how long that takes is told when somebody labels."
    for k in range(6):
        log.label(k, after=5.0)
        log.label(k, annotator="bob", after=5.0)
    found = log.answer(40)
    assert found.minutes == pytest.approx(60 / 12)
    assert found.sentence == "About 5 minutes at today's pace of 2 people."
    assert log.answer(100).sentence == "The budget is used up."
    assert log.answer(40, now=log.now + 86400).minutes is None


def test_who_left_does_not_count_for_the_time_left(log):
    for k in range(6):
        log.label(k, annotator="bob", after=10.0)
    for k in range(6):
        log.label(k, after=200.0 if k == 0 else 1.0)
    log.now += 600
    log.label(0, "b")
    assert log.answer(40).sentence == "About a minute at today's pace of 1 person."


def test_what_costs_nothing_of_the_budget_does_not_shorten_the_time_left(log):
    for k in range(6):
        log.label(k, after=10.0)
    for k in range(6):
        log.label(k, "b", after=0.0, source="gallery", group="g", relabel=True)
    assert log.answer(40).minutes == pytest.approx(60 / 6)
    assert log.member().pace == 60 * 5 / 50, "one gesture is not six answers"
    assert log.member().today == 12


def test_each_sample_is_labeled_by_several():
    log = Log(overlap=2)
    for k in range(6):
        log.label(k, after=10.0)
    assert log.answer(40).minutes == pytest.approx(2 * 60 / 6)


def test_suggestions_taken(log):
    log.label(0, "a", suggested="a")
    log.label(1, "b", suggested="a")
    log.label(2, "b")
    assert (log.member().accepted, log.member().suggested) == (0.5, 2)


def test_random_checks_count_where_somebody_else_has_a_word(log):
    for k in (0, 1):
        log.add("ask", "ada", k, audit=True)
    log.add("ask", "ada", 2, audit=False)
    for k in range(3):
        log.label(k)
    assert log.member().checks == 0
    log.label(0, "a", "bob")
    log.label(2, "a", "bob")
    assert (log.member().right, log.member().checks) == (1, 1)
    log.add("keep", "bob", 1, value="a", quality=0.5)
    assert (log.member().right, log.member().checks) == (2, 2)
    log.label(1, "b", "bob", source="disagreement", final=True)
    assert (log.member().right, log.member().checks) == (1, 2)


def test_people_with_links_are_listed_before_they_come(log):
    log.label(0)
    found = log.answer(roles={"bob": "viewer"}, heard={"bob": NOON + 5, "ada": NOON}).members
    assert [(one.name, one.role, one.seen) for one in found] == [
        ("ada", None, NOON + 1),
        ("bob", "viewer", NOON + 5),
    ]


def test_merged_classes_agree_from_then_on(log):
    log.label(0, "a")
    log.label(0, "b", "bob")
    assert log.member().agreement == 0.0
    log.add("rename", "ada", old="b", new="a")
    assert log.member().agreement == 1.0


acts = st.lists(
    st.tuples(
        st.sampled_from(["label", "label", "unsure", "undo", "rename", "keep"]),
        st.sampled_from(["ada", "bob", "eve"]),
        st.integers(0, 5),
        st.sampled_from(["a", "b"]),
        st.sampled_from(["queue", "disagreement"]),
    ),
    max_size=30,
)


@given(acts)
def test_agreement_is_that_of_all_pairs(acts):
    log, done = Log(), {}
    for k in range(3):
        log.add("ask", "ada", k, audit=True)
    for kind, name, sample, value, source in acts:
        if kind == "undo":
            if done.get(name):
                log.add("undo", name, target=done[name].pop())
        elif kind == "rename":
            log.add("rename", name, old=value, new="ab")
        else:
            body = {} if kind == "unsure" else {"value": value}
            done.setdefault(name, []).append(log.add(kind, name, sample, source=source, **body).client)
    pairs, agreed = {}, {}
    for i in range(len(IDS)):
        told = [(a.annotator, a.value) for a in log.state.independent(i) if a.value is not None]
        for (one, hers), (other, his) in combinations(told, 2):
            for name in (one, other):
                pairs[name] = pairs.get(name, 0) + 1
                agreed[name] = agreed.get(name, 0) + (hers == his)
    for one in log.answer().members:
        assert one.pairs == pairs.get(one.name, 0)
        assert one.agreement == (agreed[one.name] / one.pairs if one.pairs else None)


def test_the_activity_in_words(log):
    log.label(0, "a", client="x")
    log.add("unsure", "bob", 1)
    log.add("class", "bob", name="c")
    log.add("rename", "ada", old="c", new="d")
    log.add("undo", "ada", target="x")
    log.add("budget", "ada", budget=7)
    log.add("ask", "ada", 3, audit=False)
    assert log.deeds() == [
        "set the budget to 7",
        "took back: labeled s0 as a",
        "renamed c to d",
        "added the class c",
        "was unsure about s1",
        "labeled s0 as a",
    ]
    assert log.deeds("bob") == ["added the class c", "was unsure about s1"]
    assert log.deeds("bob", before=3) == ["was unsure about s1"]
    assert log.deeds("nobody") == []
    assert log.deeds(limit=1) == ["set the budget to 7"]
    assert log.team.activity(None, None, 9).people == ["ada", "bob"]


def test_a_group_is_one_line(log):
    for k in range(5):
        log.label(k, source="gallery", group="g", client=f"g.{k}")
        if k == 2:
            log.label(5, "b", "bob")
    log.add("undo", "ada", target="g")
    assert log.deeds() == ["took back: labeled 5 samples as a", "labeled s5 as b", "labeled 5 samples as a"]


def test_old_deeds_are_forgotten(log):
    for k in range(KEPT + 20):
        log.label(k % 6, "ab"[k % 2], client=f"k{k}")
    assert len(log.deeds(limit=5000)) == KEPT
    assert len(log.deeds("ada", limit=5000)) == KEPT_EACH
    assert len(log.team._by_client) == KEPT
    log.add("undo", "ada", target="k0")
    assert log.deeds(limit=1) == ["took back: an earlier answer"]


def test_events_count_once(log):
    event = log.label(0)
    log.team.apply(event)
    assert len(log.deeds()) == 1


@pytest.mark.parametrize(
    ("value", "told"),
    [([1.5, 2], "1.5, 2"), (["x", "y"], "x, y"), ([], "none of them"), ("a" * 90, "a" * 80)],
)
def test_labels_of_all_kinds_have_words(value, told):
    assert words(Event(1, 0.0, "label", "ada", "s", None, {"value": value})) == f"labeled s as {told}"


def test_days_are_those_of_the_place():
    assert local_day(NOON) != local_day(NOON + 86400)
