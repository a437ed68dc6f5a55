"""Samples that have changed since they were labeled: told until somebody looks again, also after a start."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.io import glimpse
from trigpoint.studio._changed import Outdated, changed_words, former_marks
from trigpoint.studio._events import Draft, Settings
from trigpoint.studio._open import open_studio
from trigpoint.studio._pool_change import PoolChange
from trigpoint.studio._state import State

CLIENTS = map("c{}".format, count())


class Pool:
    """Texts with ids, a store, and starts of a studio between which the texts are edited."""

    def __init__(self, folder):
        self._file, self._store = folder / "texts.csv", folder / "s.db"

    def write(self, **texts):
        self._file.write_text("id,text\n" + "".join(f"{name},{text}\n" for name, text in texts.items()))
        return self

    def start(self, *drafts):
        """Which labels are outdated after these events, and what the start told."""
        samples = glimpse(self._file, text_column="text")
        store, settings = open_studio(self._store, samples, Settings(), [])
        try:
            store.append([Draft(kind, "ada", name, client, body) for kind, name, client, body in drafts])
            state = State(settings, samples.ids.tolist())
            names, about = samples.ids.tolist(), store.about
            outdated = Outdated(state, names, about["samples"], about.get("former", {}))
            for event in store.events():
                state.apply(event)
            return [names[i] for i in outdated.samples()], about["change"]
        finally:
            store.close()


@pytest.fixture
def pool(tmp_path):
    return Pool(tmp_path).write(a="one", b="two", c="three")


def label(name, value, client=None):
    return "label", name, client or next(CLIENTS), {"value": value}


def keep(name, value, client=None):
    return "keep", name, client or next(CLIENTS), {"value": value}


def undo(client):
    return "undo", None, next(CLIENTS), {"target": client}


def test_an_edited_text_is_told_until_its_label_is_given_or_kept(pool):
    assert pool.start(label("a", "x"), label("b", "y")) == ([], PoolChange())
    pool.write(a="won", b="too", c="tree")
    assert pool.start() == (["a", "b"], PoolChange(changed=3))
    assert pool.start() == (["a", "b"], PoolChange()), "it outlives a restart"
    assert pool.start(keep("a", "x", "kept"))[0] == ["b"]
    assert pool.start(label("b", "x", "again"))[0] == []
    assert pool.start(undo("kept"))[0] == ["a"]
    assert pool.start(undo("again"))[0] == ["a", "b"]


def test_a_text_that_is_again_as_it_was_needs_no_look(pool):
    pool.start(label("a", "x"))
    assert pool.write(a="won", b="two", c="three").start()[0] == ["a"]
    assert pool.write(a="one", b="two", c="three").start()[0] == []


def test_a_label_given_after_one_change_and_before_the_next(pool):
    pool.start(label("a", "x"))
    assert pool.write(a="won", b="two").start(label("a", "x"))[0] == []
    assert pool.write(a="one", b="two").start()[0] == ["a"], "it was labeled as the other text"


def test_a_sample_that_is_gone_or_new_is_not_changed(pool):
    pool.start(label("a", "x"), label("b", "y"))
    assert pool.write(b="two", d="four").start() == ([], PoolChange(1, 2))


marks = st.lists(st.sampled_from("AB"), min_size=1, max_size=6)


@given(st.data(), marks)
def test_a_label_is_outdated_if_the_mark_of_its_time_is_not_that_of_now(data, marks):
    """At each start the sample has a mark; before the next one some events are written."""
    events = [data.draw(st.integers(0, 3)) for _ in marks]
    former, seen, last = {}, [], 0  # seen: the mark at each event
    known = {"ids": ["s"], "marks": [marks[0]]}
    for mark, n in zip(marks, events, strict=True):
        now = {"ids": ["s"], "marks": [mark]}
        former, known = former_marks(former, known, now, last), now
        last += n
        seen += [mark] * n

    class Labeled:
        touched, checked = (), ()

        def __init__(self, seq):
            self.seq = seq

        def labeled_at(self, i):
            return self.seq

    for seq, mark in enumerate(seen, start=1):
        found = Outdated(Labeled(seq), ["s"], known, former).samples()
        assert found == ([0] if mark != marks[-1] else [])


def test_it_is_told_in_words():
    assert [changed_words(n) for n in (0, 1, 1200)] == [
        "",
        "1 sample has changed since it was labeled.",
        "1,200 samples have changed since they were labeled.",
    ]
