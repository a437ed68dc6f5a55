import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import studio as reference
from trigpoint.studio._assigner import Assigner, Assignment
from trigpoint.studio._events import Event, Settings
from trigpoint.studio._state import State

LEASE = 60.0


class Room:
    """A state and a assigner, and people who come to it."""

    def __init__(self, n=12, budget=100, overlap=1):
        self.ids = [f"s{i}" for i in range(n)]
        self.state = State(Settings(budget=budget, overlap=overlap), self.ids)
        self.overlap, self.seq = overlap, 0
        self.assigner = Assigner(self.state, overlap, LEASE)

    def tell(self, kind, annotator, sample=None, **body):
        self.seq += 1
        name = None if sample is None else self.ids[sample]
        self.state.apply(Event(self.seq, 0.0, kind, annotator, name, f"c{self.seq}", body))
        return f"c{self.seq}"

    def label(self, annotator, sample, value="a", **body):
        return self.tell("label", annotator, sample, value=value, **body)

    def propose(self, *samples):
        self.assigner.propose(samples, [i % 2 == 0 for i in samples])

    def come(self, annotator, held=(), want=1, now=0.0, again=True):
        """Samples that somebody is handed; what is new is written down, as the studio does."""
        assignments = self.assigner.assign(annotator, held, want, now, again)
        for assignment in assignments:
            if assignment.first:
                self.tell("ask", annotator, assignment.sample, audit=assignment.audit)
        return [assignment.sample for assignment in assignments]


def test_one_person_gets_the_proposals_in_order():
    room = Room()
    room.propose(5, 3, 8)
    assert room.assigner.waiting == 3
    assert room.assigner.assign("ada", [], 2, 0.0) == [Assignment(5, False, True), Assignment(3, False, True)]
    assert room.assigner.waiting == 1
    assert room.come("ada", [5, 3], 2) == []
    room.label("ada", 5)
    assert room.assigner.assign("ada", [3], 2, 0.0) == [Assignment(8, True, True)]
    assert room.come("ada", [3, 8], 5) == []


def test_two_people_never_get_the_same_with_an_overlap_of_one():
    room = Room()
    room.propose(*range(6))
    assert room.come("ada", want=2) == [0, 1]
    assert room.come("bob", want=2) == [2, 3]
    assert room.come("eve", want=9) == [4, 5]


def test_an_overlap_of_two_finishes_a_sample_before_another_is_begun():
    room = Room(overlap=2)
    room.propose(*range(6))
    assert room.come("ada", want=2) == [0, 1]
    assert room.come("bob", want=3) == [0, 1, 2]
    assert room.come("eve", want=2) == [2, 3]
    room.label("ada", 0)
    room.label("bob", 0)
    assert room.come("dan", want=2) == [3, 4]


def test_a_lease_that_is_not_renewed_runs_out():
    room = Room()
    room.propose(0, 1)
    assert room.come("ada", want=1, now=0.0) == [0]
    assert room.come("bob", [], 1, now=59.0) == [1]
    assert room.come("eve", want=1, now=59.9) == []
    assert room.come("eve", want=1, now=60.0) == [0]
    assert room.come("ada", [0], 1, now=61.0) == []  # ada still holds it, but it is eve's now
    room.label("ada", 0)
    assert room.come("eve", [0], 1, now=62.0) == []


def test_a_lease_that_is_renewed_stays():
    room = Room()
    room.propose(0)
    assert room.come("ada", want=1) == [0]
    for now in (50.0, 100.0, 150.0):
        assert room.come("ada", [0], 0, now) == []
        assert room.come("bob", [], 1, now + 9) == []


def test_a_restart_leaves_people_what_they_hold():
    room = Room()
    room.propose(0, 1, 2)
    assert room.come("ada", want=2) == [0, 1]
    room.assigner = Assigner(room.state, 1, LEASE)
    room.propose(2, 3)
    assert room.come("ada", [0, 1], 2) == []
    assert room.come("bob", want=2) == [2, 3]


def test_what_was_handed_out_before_a_restart_and_not_written_down_is_known_again():
    room = Room()
    room.propose(4)
    assert room.come("ada", [4], 1) == []
    assert room.assigner.unasked() == [("ada", Assignment(4, True, True))]
    room.tell("ask", "ada", 4, audit=True)
    assert room.assigner.unasked() == []


def test_a_skip_goes_to_others_and_comes_back_last():
    room = Room()
    room.propose(0, 1)
    assert room.come("ada") == [0]
    room.tell("skip", "ada", 0)
    assert room.come("ada") == [1]
    room.tell("skip", "ada", 1)
    assert room.come("ada", again=False) == []
    assert room.come("ada", want=9) == [0, 1]
    room.tell("skip", "ada", 0)
    assert room.come("bob") == [0]
    assert room.come("ada", [1], 2) == []


def test_undo_opens_a_sample_again():
    room = Room(budget=1)
    room.propose(0, 1)
    assert room.come("ada") == [0]
    saved = room.label("ada", 0)
    assert room.come("ada") == []
    room.tell("undo", "ada", target=saved)
    assert room.come("bob") == [0]


def test_a_final_label_ends_a_sample():
    room = Room(overlap=3)
    room.propose(0)
    assert room.come("ada") == [0]
    room.label("ada", 0, final=True)
    assert room.come("bob") == []


def test_the_budget_ends_new_samples_but_not_those_that_are_begun():
    room = Room(budget=2, overlap=2)
    room.propose(0, 1, 2)
    assert room.come("ada", want=9) == [0, 1]
    room.label("ada", 0)
    assert room.come("bob", want=9) == [0, 1]
    assert room.come("eve", want=9) == []
    room.tell("budget", "ada", budget=3)
    assert room.come("eve", want=9) == [2]


def test_labels_that_nobody_was_asked_for_cost_nothing_of_the_budget():
    room = Room(budget=2)
    room.propose(0, 1, 2, 3)
    room.label("ada", 0)
    assert room.assigner.waiting == 3
    assert room.come("bob", want=9) == [1, 2]


def test_a_released_sample_is_free_at_once():
    room = Room()
    room.propose(0)
    assert room.come("ada") == [0]
    room.assigner.release("bob", 0)
    assert room.come("bob") == []
    room.assigner.release("ada", 0)
    assert room.come("bob") == [0]


def test_proposals_replace_those_before_but_not_what_was_handed_out():
    room = Room()
    room.propose(0, 1, 2)
    assert room.come("ada") == [0]
    room.propose(2, 0, 4)
    assert room.assigner.waiting == 2
    assert room.come("bob", want=9) == [2, 4]


def test_each_lease_runs_out_by_itself():
    room = Room()
    room.propose(0, 1)
    assert room.come("ada", want=2, now=0.0) == [0, 1]
    assert room.come("ada", [0], 1, now=50.0) == []
    assert room.come("bob", want=2, now=61.0) == [1]


def test_the_oldest_skip_comes_back_first():
    room = Room()
    room.propose(0, 1)
    for i in (0, 1, 0):
        assert room.come("ada") == [i]
        room.tell("skip", "ada", i)
    assert room.come("ada", want=2) == [1, 0]


def test_a_skipped_sample_on_the_page_is_not_handed_out_again():
    room = Room()
    room.propose(0)
    assert room.come("ada") == [0]
    room.tell("skip", "ada", 0)
    assert room.come("ada", [0], 2) == []


def test_a_larger_budget_opens_what_was_asked_before():
    room = Room(budget=2)
    room.propose(0, 1)
    assert room.come("ada", want=2) == [0, 1]
    room.tell("budget", "ada", budget=1)
    assert room.come("bob", want=2, now=61.0) == [0]
    assert room.come("bob", [0], 2, now=61.0) == []
    room.tell("budget", "ada", budget=2)
    assert room.come("bob", [0], 2, now=61.0) == [1]


people = st.sampled_from(["ada", "bob", "eve"])
picks = st.integers(0, 7)
answers = st.sampled_from(["label", "label", "unsure", "skip"])
steps = st.one_of(
    st.tuples(st.just("propose"), st.lists(picks, max_size=6, unique=True)),
    st.tuples(st.just("come"), people, st.integers(0, 4), st.booleans()),
    st.tuples(st.just("come"), people, st.integers(0, 4), st.booleans()),
    st.tuples(
        st.just("answer"), people, st.sampled_from(["label", "label", "unsure", "skip"]), st.booleans()
    ),
    st.tuples(st.just("answer"), people, answers, st.booleans()),
    st.tuples(st.just("answer"), people, answers, st.booleans()),
    st.tuples(st.just("elsewhere"), people, answers, picks),
    st.tuples(st.just("undo"), people),
    st.tuples(st.just("wait"), st.sampled_from([1.0, 30.0, 61.0])),
    st.tuples(st.just("leave"), people),
    st.tuples(st.just("restart")),
    st.tuples(st.just("claim"), people, picks),
    st.tuples(st.just("budget"), st.integers(1, 8)),
)


class Day:
    """Steps of a day in a room, each done by the assigner and by the definition."""

    def __init__(self, overlap, budget, late):
        self.room = Room(8, budget, overlap)
        self.naive = reference.Assigner(self.room.state, overlap, LEASE)
        self.held = {name: [] for name in ("ada", "bob", "eve")}
        self.now, self.late = 0.0, late

    def propose(self, samples):
        self.room.propose(*samples)
        self.naive.propose(samples)
        assert self.room.assigner.waiting == len(self.naive.proposals)

    def come(self, name, want, again):
        held, naive, state = self.held[name], self.naive, self.room.state
        expected = naive.assign(name, held, want, self.now, again)
        assignments = self.room.assigner.assign(name, held, want, self.now, again)
        assert [assignment.sample for assignment in assignments] == expected
        for assignment in assignments:
            i = assignment.sample
            assert assignment.first == (i not in state.asked)
            assert naive.answers(i) + len(naive.holders(i)) <= naive.overlap
            assert name not in state.current(i) or state.current(i)[name].kind == "skip"
        assert len(held) + len(assignments) <= max(want, len(held))
        self.held[name] = held + expected
        if not self.late:
            self.write_asks()

    def write_asks(self):
        for name, assignment in self.room.assigner.unasked():
            self.room.tell("ask", name, assignment.sample, audit=assignment.audit)

    def act(self, name, kind, sample, **body):
        self.write_asks()
        self.room.tell(kind, name, sample, **({"value": "a"} if kind == "label" else {}), **body)
        self.naive.acted(name, sample)

    def answer(self, name, kind, final):
        if self.held[name]:
            body = {"final": True} if final and kind == "label" else {}
            self.act(name, kind, self.held[name].pop(0), **body)

    def elsewhere(self, name, kind, sample):
        self.held[name] = [i for i in self.held[name] if i != sample]
        self.act(name, kind, sample)

    def undo(self, name):
        stands = self.room.state.history(name, None, 1)
        if stands:
            self.write_asks()
            self.room.tell("undo", name, target=stands[0].client)
            self.naive.acted(name, stands[0].sample)

    def wait(self, seconds):
        self.now += seconds

    def leave(self, name):
        self.held[name] = []

    def claim(self, name, sample):
        if sample not in self.held[name]:
            self.held[name].append(sample)

    def restart(self):
        self.room.assigner = Assigner(self.room.state, self.room.overlap, LEASE)
        self.naive = reference.Assigner(self.room.state, self.room.overlap, LEASE)

    def budget(self, budget):
        self.room.tell("budget", "ada", budget=budget)


days = st.lists(steps, max_size=6) | st.lists(steps, min_size=15, max_size=60)


@settings(max_examples=300)
@given(st.integers(1, 3), st.integers(1, 8), st.booleans(), days)
def test_the_assigner_does_what_a_look_at_all_samples_would(overlap, budget, late, some):
    day = Day(overlap, budget, late)
    day.propose(range(6))
    for name, *arguments in some:
        getattr(day, name)(*arguments)


@given(st.integers(1, 3), st.integers(1, 30), st.lists(people, min_size=1), st.randoms(use_true_random=False))
def test_a_day_without_undo_keeps_to_the_budget_and_finishes(overlap, budget, callers, rng):
    room = Room(30, budget, overlap)
    room.propose(*range(30))
    held = {name: [] for name in ("ada", "bob", "eve")}
    callers = [*callers, *(["ada", "bob", "eve"] * 100)]  # in the end everyone does what they can
    for name in callers:
        if held[name] and rng.random() < 0.7:
            room.label(name, held[name].pop(0))
        held[name] += room.come(name, held[name], 3)
    for name, mine in held.items():
        for i in mine:
            room.label(name, i)
    assert len(room.state.labels) == budget
    assert all(len(room.state.current(i)) == overlap for i in room.state.labels)


@pytest.mark.slow
@pytest.mark.parametrize("overlap", [1, 2])
def test_a_call_does_not_look_at_all_samples(overlap):
    room = Room(70_000, 5000, overlap)
    held = {f"p{k}": [] for k in range(20)}
    spent = calls = 0
    for turn in range(250 * overlap):
        if turn % 10 == 0:
            room.propose(*(i for i in range(turn * 20, turn * 20 + 400) if i not in room.state.asked))
        for name, mine in held.items():
            if mine:
                room.label(name, mine.pop(0))
            begun = time.thread_time()
            assignments = room.assigner.assign(name, mine, 6, float(turn))
            spent, calls = spent + time.thread_time() - begun, calls + 1
            mine += [assignment.sample for assignment in assignments]
            for assignment in assignments:
                if assignment.first:
                    room.tell("ask", name, assignment.sample, audit=assignment.audit)
    assert len(room.state.asked) > 2000
    assert spent / calls < 0.001


def test_what_is_withheld_is_given_to_nobody():
    room = Room()
    room.tell("ask", "eve", 1, audit=False)
    room.propose(2, 3, 5)
    assert room.come("ada", want=1) == [1]
    room.tell("skip", "ada", 1)
    room.assigner.withhold([1, 2])
    assert room.come("bob", want=5) == [3, 5]
    room.propose(2, 4)
    assert room.assigner.waiting == 1
    assert room.come("ada", want=5) == [4]  # and not what she skipped


def test_a_reserve_is_lent_to_nobody_and_keeps_to_the_budget():
    room = Room(n=40, budget=10)
    room.propose(*range(1, 40))  # the even ones are audits
    ada = room.assigner.reserve("ada", 6)
    assert len(set(ada)) == 6
    assert all(i % 2 for i in ada)
    assert ada == room.assigner.reserve("ada", 6)
    assert ada[:3] == room.assigner.reserve("ada", 3)
    assert ada != room.assigner.reserve("bob", 6)
    assert room.assigner.waiting == 39
    room.label("bob", ada[0])
    assert ada[1:] == room.assigner.reserve("ada", 5), "without what has a label"
    assert len(room.come("eve", want=7)) == 7
    assert len(room.assigner.reserve("ada", 6)) == 3, "the budget of 10 has no more"
    assert len(room.come("eve", want=9, held=[])) == 3
    assert room.assigner.reserve("ada", 6) == []
