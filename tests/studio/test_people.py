"""Links, roles, passwords and sessions: who comes in, as whom, and what they may do there."""

import asyncio
import sqlite3
import time
from contextlib import closing
from types import SimpleNamespace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.io import glimpse
from trigpoint.studio import _people, _roles
from trigpoint.studio._event_store import Store
from trigpoint.studio._events import Settings
from trigpoint.studio._messages import Job
from trigpoint.studio._open import open_studio
from trigpoint.studio._openapi import PATHS
from trigpoint.studio._people import FADE, People, Tries, name_key
from trigpoint.studio._requests import AnyAction
from trigpoint.studio._security import Access
from trigpoint.studio._studio import Studio
from trigpoint.studio._team_web import allowed
from trigpoint.studio._web import make_app
from trigpoint.studio._writer import Writer

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


# The routes, with a real studio behind them; the worker is not needed, and is not started.

BASE = "http://127.0.0.1:8300"
COOKIE = "trigpoint-8300"
ACTIONS = {
    "label": {"sample": 0, "value": "x"},
    "labels": {"samples": [1, 2], "value": "x", "source": "map", "group": "g"},
    "unsure": {"sample": 3},
    "skip": {"sample": 4},
    "keep": {"sample": 0, "value": "x"},
    "undo": {"target": "label"},
    "note": {"sample": 0, "text": "hm", "flag": True},
    "checks": {"count": 2},
    "class": {"name": "z"},
    "rename": {"old": "x", "new": "y"},
    "order": {"names": ["z", "y"]},
    "describe": {"name": "z", "text": "zz", "example": None, "key": None},
    "guide": {"text": "look"},
    "budget": {"budget": 9},
}
KINDS = get_args(AnyAction)


class House:
    """A studio, and visitors with a cookie or without."""

    def __init__(self, visit, folder):
        pool = folder / "pool.csv"
        pool.write_text("id,height\n" + "".join(f"t{i},{i}\n" for i in range(12)))
        samples = glimpse(pool)
        store, settings = open_studio(folder / "s.db", samples, Settings(n_neighbors=3), ())
        self.studio = Studio(samples, store, settings, Job(pool, {}, None))
        self.app = make_app(self.studio, Access("owner", COOKIE))
        self.outside = visit(self.app, BASE, origin=BASE)
        self.outside.run(self._start())

    async def _start(self):
        self.studio._writer = Writer(self.studio.store, asyncio.get_running_loop(), self.studio._apply)
        self.studio._worker = SimpleNamespace(busy=True, alive=False)

    def close(self):
        self.studio._writer.close()

    def ask(self, secret, method, path, **more):
        headers = {} if secret is None else {"cookie": f"{COOKIE}={secret}"}
        return self.outside.request(method, path, headers=headers, **more)

    def get(self, path, secret="owner", **more):
        return self.ask(secret, "GET", path, **more)

    def post(self, path, body, secret="owner"):
        return self.ask(secret, "POST", path, json=body)

    def act(self, *actions, secret="owner", annotator="Ada"):
        return self.post("/api/actions", {"annotator": annotator, "actions": list(actions)}, secret)

    def link(self, role="annotator", name=None):
        """The token of a new link, and its id."""
        told = self.post("/api/links", {"role": role, "name": name}).json()
        return told["url"].partition("token=")[2], told["id"]


@pytest.fixture
def house(visit, tmp_path, cheap):
    house = House(visit, tmp_path)
    yield house
    house.close()


def action(kind, client=None, **more):
    return {"kind": kind, "client": client or kind, **ACTIONS[kind], **more}


def test_every_action_has_a_rule():
    assert {kind.__struct_config__.tag for kind in KINDS} == set(_roles.ACTIONS) == set(ACTIONS)
    for rules in (_roles.ACTIONS, _roles.ROUTES):
        assert all("owner" in roles for roles in rules.values())
    assert not any("viewer" in roles for roles in _roles.ACTIONS.values())


MAY = {"owner": set(ACTIONS), "viewer": set()}
MAY["annotator"] = {"label", "labels", "unsure", "skip", "keep", "undo", "note", "checks", "class"}


@pytest.mark.parametrize("role", _roles.ROLES)
def test_every_kind_of_action_for_every_role(house, role):
    """Each is posted by somebody in the role, and done or not done as the table of the brief says."""
    secret, _ = house.link(role)
    for kind in ACTIONS:
        answer = house.act(action(kind), secret=secret)
        if role == "viewer":
            assert answer.status_code == 403
            assert (
                answer.json()["error"] == "this is for an owner or an annotator; your link is for a viewer."
            )
            continue
        told = answer.json()
        done = [one["client"] for one in told["saved"]]
        assert done == ([kind] if kind in MAY[role] else []), told
        if kind not in MAY[role]:
            (why,) = told["refused"]
            assert why["client"] == kind
            assert why["why"].startswith("only an owner may ")
    events = {event.kind for event in house.studio.store.events()}
    assert events == {"label" if kind == "labels" else kind for kind in MAY[role]}


@pytest.mark.parametrize("role", _roles.ROLES)
def test_who_looks_on_holds_no_samples(house, role):
    secret, _ = house.link(role)
    house.studio.assigner.propose([0, 1, 2], [False] * 3)
    house.ask(secret, "GET", "/api/state?annotator=eve&held=0,1,2")
    assert len(house.studio.assigner.assign("bob", [], 3, time.monotonic())) == (3 if role == "viewer" else 0)


OWNERS_ALONE = {("POST", "/api/import"), ("GET", "/api/links"), ("POST", "/api/links")}
OWNERS_ALONE |= {("POST", "/api/links/end")}
NOT_FOR_ANNOTATORS = OWNERS_ALONE | {("GET", "/api/team"), ("GET", "/api/activity")}
NOT_FOR_VIEWERS = OWNERS_ALONE | {("POST", "/api/actions"), ("GET", "/api/reserve")}


@pytest.mark.parametrize("role", _roles.ROLES)
def test_every_route_for_every_role(house, role):
    """Whatever a route makes of an empty request: those who may not use it are told so, others are not."""
    refused = {"owner": set(), "annotator": NOT_FOR_ANNOTATORS, "viewer": NOT_FOR_VIEWERS}[role]
    secret, _ = house.link(role, "Ada" if role != "owner" else None)
    seen = set()
    for route in house.app._app.routes:
        for method in sorted(route.methods - {"HEAD"}):
            path = route.path.replace("{index}", "0").replace("{name}", "labels.csv")
            path = path.replace("{path:path}", "app.js")
            body = {} if method == "GET" else {"content": b"{}"}
            kind = "octet-stream" if path == "/api/import" else "json"
            answer = house.outside.request(
                method,
                path,
                headers={"cookie": f"{COOKIE}={secret}", "content-type": f"application/{kind}"},
                **body,
            )
            told = answer.json().get("error", "") if answer.status_code == 403 else ""
            assert (told.startswith("this is for")) == ((method, route.path) in refused), (method, path, told)
            assert house.ask(None, method, path, **body).status_code in (401, 403, 404, 415), path
            seen.add((method, route.path))
    assert refused <= seen
    assert {path for _, path in seen} == set(_roles.ROUTES)


def test_a_route_without_a_rule_is_an_error():
    with pytest.raises(LookupError, match=r"/api/new must have a rule in _roles.ROUTES; it has none."):
        allowed("/api/new", None)


def test_an_annotator_cannot_undo_a_rename(house):
    secret, _ = house.link("annotator")
    house.act(action("label"), action("rename"))
    told = house.act(action("undo", target="rename"), secret=secret).json()
    assert told["refused"][0]["why"].startswith("only an owner may rename or merge")
    assert house.act(action("undo", "u2", target="rename")).json()["saved"]


def _takes_annotator(operation):
    return any(one["name"] == "annotator" for one in operation.get("parameters", ()))


def test_a_named_link_is_that_person_everywhere(house):
    secret, _ = house.link("annotator", "Ada")
    setup = house.get("/api/setup", secret).json()
    assert (setup["role"], setup["person"]) == ("annotator", "Ada")
    assert house.act(action("label"), secret=secret).json()["saved"]
    why = "annotator must be 'Ada', whose link this is; got 'Bob'."
    assert house.act(action("skip"), secret=secret, annotator="Bob").json() == {"error": why}
    named = [path for path, one in PATHS.items() if _takes_annotator(one.get("get", {}))]
    assert {"/api/state", "/api/history", "/api/samples", "/api/samples/{index}"} <= set(named)
    for path in named:
        query = f"{path.replace('{index}', '0')}?ids=1&annotator="
        assert house.get(f"{query}Ada", secret).status_code == 200, path
        answer = house.get(f"{query}Bob", secret)
        assert (answer.status_code, answer.json()) == (403, {"error": why}), path
    anybody, _ = house.link("annotator")
    assert house.act(action("skip"), secret=anybody, annotator="ada").status_code == 403
    assert house.act(action("skip"), secret=anybody, annotator="Bob").status_code == 200
    assert len(list(house.studio.store.events())) == 2


def test_nobody_takes_back_what_others_did(house):
    ada, _ = house.link("annotator", "Ada")
    bob, _ = house.link("annotator", "Bob")
    house.act(action("label"), action("labels"), secret=ada)
    for target in ("label", "g", "labels.0"):
        told = house.act(action("undo", f"u {target}", target=target), secret=bob, annotator="Bob").json()
        assert told["saved"] == []
        assert "target must be an action of 'Bob'" in told["refused"][0]["why"], target
    assert len(house.studio.state.labels) == 3
    assert house.act(action("undo", "own", target="g"), secret=ada).json()["saved"]
    assert len(house.studio.state.labels) == 1


def test_an_ended_link_ends_at_once_with_a_sentence(house):
    secret, link = house.link("annotator", "Ada")
    assert house.get(f"/?token={secret}", None).status_code == 303
    assert house.post("/api/links/end", {"id": link}).json() == {"done": True}
    answer = house.act(action("label"), secret=secret)
    assert answer.status_code == 410
    assert answer.json()["error"] == "this link was ended by an owner of the studio: ask for a new one."
    for page in (house.get("/", secret), house.get(f"/?token={secret}", None)):
        assert page.status_code == 410
        assert "This link was ended" in page.text
        assert "stay in it, and are sent when you come back" in page.text
    assert house.post("/api/links/end", {"id": link}).json() == {"done": False}


def test_the_links_of_the_owner(house):
    assert house.get("/api/links").json() == {"links": [], "local": True}
    house.link("annotator", "Ada")
    told = house.get("/api/links").json()["links"]
    assert [(one["name"], one["role"], one["password"], one["seen"]) for one in told] == [
        ("Ada", "annotator", False, None)
    ]
    assert told[0]["url"].startswith(f"{BASE}/?token=")
    assert house.link("annotator", "Ada")[1] == told[0]["id"]
    answer = house.post("/api/links", {"role": "boss"})
    assert answer.json()["error"] == "body.role must be one of owner, annotator, viewer; got 'boss'."
    assert house.post("/api/links", {"role": "viewer", "name": " "}).status_code == 400


def test_signing_in_by_name_and_password(house):
    assert 'id="sign-in"' not in house.get("/", None).text  # nobody has a password: nothing of accounts
    secret, _ = house.link("annotator", "Ada")
    assert house.post("/api/password", {"password": PASSWORD}).status_code == 403  # nobody's link
    assert house.post("/api/password", {"password": "short"}, secret).status_code == 400
    assert house.post("/api/password", {"password": PASSWORD}, secret).json() == {"done": True}
    page = house.get("/", None)
    assert 'id="sign-in"' in page.text
    assert "form-action 'none'" in page.headers["content-security-policy"]
    assert house.get("/static/sign_in.js", None).status_code == 200
    wrong = [
        house.post("/api/sign_in", {"name": name, "password": password}, None)
        for name, password in (("Ada", "wrong password"), ("Bob", PASSWORD))
    ]
    assert [answer.status_code for answer in wrong] == [401, 401]
    assert wrong[0].content == wrong[1].content
    answer = house.post("/api/sign_in", {"name": "Ada", "password": PASSWORD}, None)
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert cookie.endswith("; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000")
    session = cookie.partition("=")[2].partition(";")[0]
    house.outside.client.cookies.clear()
    assert session != secret
    assert house.get("/api/setup", session).json()["person"] == "Ada"
    gone = house.post("/api/sign_out", {}, session)
    assert gone.headers["set-cookie"].startswith(f"{COOKIE}=; ")
    assert gone.headers["set-cookie"].endswith("; Max-Age=0")
    house.outside.client.cookies.clear()
    assert house.get("/api/setup", session).status_code == 401
    assert house.get("/api/setup", secret).status_code == 200


def test_a_stranger_at_the_door_must_come_from_our_own_page(house):
    body = {"name": "Ada", "password": PASSWORD}
    for origin in ("http://evil.example", "null"):
        answer = house.outside.request("POST", "/api/sign_in", json=body, headers={"origin": origin})
        assert answer.status_code == 403


def test_who_guesses_waits(house, still):
    body = {"name": "Ada", "password": "guess"}
    answers = [house.post("/api/sign_in", body, None) for _ in range(_people.FREE + 2)]
    assert [answer.status_code for answer in answers] == [401] * _people.FREE + [429] * 2
    assert answers[-1].headers["retry-after"] == "1"
    assert answers[-1].json()["error"] == "too many tries: wait 1 second, then try again."


def test_secrets_are_not_in_the_exported_log(house):
    secret, _ = house.link("annotator", "Ada")
    house.post("/api/password", {"password": PASSWORD}, secret)
    house.act(action("label"), secret=secret)
    text = house.get("/api/export/log.jsonl").text
    assert "t0" in text
    assert secret not in text
    assert "owner" not in text


def test_the_team_and_what_it_did(house):
    secret, _ = house.link("annotator", "Ada")
    house.link("viewer", "Vi")
    house.act(action("label"), secret=secret)
    told = house.get("/api/team").json()
    assert [(one["name"], one["role"], one["labels"]) for one in told["members"]] == [
        ("Ada", "annotator", 1),
        ("Vi", "viewer", 0),
    ]
    assert told["members"][0]["seen"] is not None
    deeds = house.get("/api/activity?person=Ada").json()["deeds"]
    assert [(one["person"], one["words"], one["sample"]) for one in deeds] == [("Ada", "labeled t0 as x", 0)]
