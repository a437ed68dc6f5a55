"""Links, roles, passwords and sessions: who comes in, as whom, and what they may do there."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.studio import _people
from trigpoint.studio._event_store import Store
from trigpoint.studio._people import FADE, People, Tries, name_key

PASSWORD = "correct horse"


@pytest.fixture
def cheap(monkeypatch):
    """Hashes that cost nothing: the real cost has a test of its own."""
    monkeypatch.setattr(_people, "COST", {"n": 2, "r": 1, "p": 1})


@pytest.fixture
def store(tmp_path):
    with closing(Store.open(tmp_path / "s.db", {})) as store:
        yield store


@pytest.fixture
def people(store, cheap):
    return People(store, "owner's token")


run = asyncio.run


def test_a_person_has_one_link_and_keeps_it(people, store):
    ada = run(people.invite("annotator", " Ada "))
    assert (ada.name, ada.role) == ("Ada", "annotator")
    assert run(people.invite("annotator", "ada")) == ada
    viewer = run(people.invite("viewer", "Ada"))
    assert (viewer.token, viewer.role) == (ada.token, "viewer")
    again = People(store, "owner's token")
    assert again.links == [viewer]
    assert again.visitor(ada.token) == people.visitor(ada.token)


def test_nobodys_links_are_one_for_each_role(people):
    made = [run(people.invite(role, None)) for role in ("annotator", "viewer", "annotator")]
    assert made[0] == made[2]
    assert len({link.token for link in made}) == 2
    assert people.visitor(made[1].token).name is None


def test_what_was_ended_stays_ended(people, store):
    ada = run(people.invite("annotator", "Ada"))
    run(people.set_password(ada.id, PASSWORD, ""))
    session = run(people.sign_in("Ada", PASSWORD))
    assert run(people.end(ada.id))
    assert not run(people.end(ada.id))
    new = run(people.invite("annotator", "Ada"))
    for one in (people, People(store, "")):
        assert one.visitor(ada.token).ended
        assert one.visitor(session).ended
        assert one.links == [new]
        assert not one.has_passwords
    assert new.token != ada.token
    assert not people.visitor(new.token).ended
    assert run(people.sign_in("Ada", PASSWORD)) is None


def test_strangers_are_nobody(people):
    assert people.visitor("owner's token").role == "owner"
    run(people.invite("annotator", "Ada"))
    assert [people.visitor(secret) for secret in ("", "x", "owner's toke")] == [None] * 3


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\0b", "\ud800"])
def test_names_that_nobody_has(people, name):
    with pytest.raises(ValueError, match="name must"):
        run(people.invite("annotator", name))
    assert people.links == []


def test_nobody_acts_in_anothers_name(people):
    ada = run(people.invite("annotator", "Ada"))
    anybody = run(people.invite("annotator", None))
    hers, theirs = people.visitor(ada.token), people.visitor(anybody.token)
    assert people.name_problem(hers, "Ada") is None
    assert people.name_problem(hers, "Bob") == "annotator must be 'Ada', whose link this is; got 'Bob'."
    assert people.name_problem(theirs, "Bob") is None
    assert "ADA' has a link of their own" in people.name_problem(theirs, "ADA")
    assert people.name_problem(people.visitor("owner's token"), "Ada") is None
    run(people.end(ada.id))
    assert people.name_problem(theirs, "Ada") is None


def test_name_and_password_open_a_session_that_outlives_the_server(people, store):
    ada = run(people.invite("annotator", "Ada"))
    assert not people.has_passwords
    run(people.set_password(ada.id, PASSWORD, ""))
    assert people.has_passwords
    secret = run(people.sign_in(" ada", PASSWORD))
    for one in (people, People(store, "")):
        assert (one.visitor(secret).name, one.visitor(secret).role) == ("Ada", "annotator")
    run(people.sign_out(secret))
    for one in (people, People(store, "")):
        assert one.visitor(secret) is None
    run(people.sign_out(ada.token))
    assert people.visitor(ada.token) is not None  # a link is no session


@pytest.mark.parametrize(
    ("name", "password"),
    [("Ada", PASSWORD + " "), ("Ada", ""), ("Bob", PASSWORD), ("Cy", PASSWORD), ("Cy", ""), ("", "")],
)
def test_wrong_names_and_wrong_passwords_get_the_same_answer(people, name, password):
    ada = run(people.invite("annotator", "Ada"))
    run(people.invite("annotator", "Cy"))  # who set none
    run(people.set_password(ada.id, PASSWORD, ""))
    assert run(people.sign_in(name, password)) is None


def test_unknown_names_cost_as_much_as_wrong_passwords(people, monkeypatch):
    ada = run(people.invite("annotator", "Ada"))
    run(people.set_password(ada.id, PASSWORD, ""))
    hashed = []
    monkeypatch.setattr(_people, "_hash", lambda *given: hashed.append(given) or b"x")
    for name in ("Ada", "Bob"):
        run(people.sign_in(name, "wrong password"))
    assert len(hashed) == 2
    assert [len(salt) for _, salt in hashed] == [16, 16]


def test_a_new_password_ends_other_sessions(people, store):
    ada = run(people.invite("annotator", "Ada"))
    run(people.set_password(ada.id, PASSWORD, ""))
    first, second = (run(people.sign_in("Ada", PASSWORD)) for _ in range(2))
    run(people.set_password(ada.id, "battery staple", second))
    assert run(people.sign_in("Ada", PASSWORD)) is None
    assert run(people.sign_in("Ada", "battery staple"))
    for one in (people, People(store, "")):
        assert one.visitor(first) is None
        assert one.visitor(second).name == "Ada"


@pytest.mark.parametrize("length", [0, 7, 201])
def test_passwords_have_a_length(people, length):
    ada = run(people.invite("annotator", "Ada"))
    with pytest.raises(ValueError, match=f"password must have 8 to 200 characters; got {length}."):
        run(people.set_password(ada.id, "x" * length, ""))


def test_sessions_end_by_themselves(people, monkeypatch):
    ada = run(people.invite("annotator", "Ada"))
    run(people.set_password(ada.id, PASSWORD, ""))
    made = [run(people.sign_in("Ada", PASSWORD)) for _ in range(_people.SESSIONS + 3)]
    alive = [people.visitor(secret) is not None for secret in made]
    assert alive == [False] * 3 + [True] * _people.SESSIONS
    monkeypatch.setattr(_people, "SESSION", -1.0)
    assert people.visitor(made[-1]) is None


def test_the_store_has_no_secret_of_a_session_and_no_password(people, store, tmp_path):
    """In the file as it is on disk; the log of events has nothing of people at all."""
    ada = run(people.invite("annotator", "Ada"))
    run(people.set_password(ada.id, PASSWORD, ""))
    secret = run(people.sign_in("Ada", PASSWORD))
    assert list(store.events()) == []
    store.close()
    with closing(sqlite3.connect(tmp_path / "s.db")) as file:
        text = "\n".join(file.iterdump())
    assert ada.token in text  # which is shown again
    assert secret not in text
    assert PASSWORD not in text


def test_the_real_cost():
    assert _people.COST["n"] >= 2**14
    assert len(_people._hash("é", b"0" * 16)) == 64
    assert _people._hash("e\u0301", b"0" * 16) == _people._hash("é", b"0" * 16)


def test_waits_grow_and_fade():
    tries = Tries(free=2, most=8)
    waits = []
    for _ in range(7):
        waits.append(tries.wait("a", 100.0))
        tries.add("a", 100.0)
    assert waits == [0, 0, 1, 2, 4, 8, 8]
    assert tries.wait("a", 103.0) == 5.0
    assert tries.wait("b", 100.0) == 0.0
    assert tries.wait("a", 100.0 + FADE + 1) == 0.0
    tries.add("a", 100.0 + FADE + 1)
    assert tries.wait("a", 100.0 + FADE + 1) == 0.0
    tries.forgive("a")
    assert tries.wait("a", 100.0) == 0.0


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 2000)), max_size=60))
def test_who_keeps_to_the_waits_tries_seldom(steps):
    """However somebody spreads them, the tries for one name that were allowed are few."""
    tries, now, allowed = Tries(_people.FREE, _people.MOST), 0.0, {"a": [], "b": []}
    for name, pause in sorted(steps):
        now += pause
        if tries.wait(name, now) == 0:
            tries.add(name, now)
            allowed[name].append(now)
    for times in allowed.values():
        for k in range(len(times) - _people.FREE - 1):
            assert times[k + _people.FREE + 1] - times[k] >= 1.0


@pytest.fixture
def still(monkeypatch):
    """A clock that stands."""
    monkeypatch.setattr(_people, "monotonic", lambda: 1000.0)


def test_tries_are_counted_for_a_name_and_in_all(people, still):
    for _ in range(_people.FREE):
        assert people.wait("Nobody") == 0
        run(people.sign_in("Nobody", "wrong"))
    assert people.wait("nobody ") == 1
    assert people.wait("Ada") == 0
    for k in range(2 * _people.FREE_ALL):
        run(people.sign_in(f"name {k}", "wrong"))
    assert people.wait("Ada") == _people.MOST_ALL


def test_tries_at_the_same_moment_are_all_counted(people, still):
    async def rush():
        await asyncio.gather(*[people.sign_in("Ada", "wrong") for _ in range(_people.FREE)])

    run(rush())
    assert people.wait("Ada") > 0


@pytest.mark.parametrize("name", ["ada lovelace", " Ada   Lovelace\n", "ADA LOVELACE", "\uff21da lovelace"])
def test_names_that_look_the_same_are_the_same(name):
    assert name_key(name) == "ada lovelace"
