"""kill -9 of the whole server while people work: what was acknowledged is in the log once, nothing else is.

Several people send actions of all kinds and remember the answers. What was not answered is sent again after
the next start, as the page does (`store/outbox.js`). The log is then read by a naive model.

TRIGPOINT_KILLS=200 TRIGPOINT_SEED=0 says how often, and at which moments.
"""

import csv
import io
import os
import random
import sqlite3
import sys
import time
from collections import Counter
from pathlib import Path
from threading import Thread

import httpx
import numpy as np
import pytest

from reference import studio as naive
from studio.running import PATIENCE
from trigpoint.studio._events import Event

KILLS = int(os.environ.get("TRIGPOINT_KILLS", "12"))
SEED = int(os.environ.get("TRIGPOINT_SEED", "0"))
PEOPLE, N = 4, 600
CLASSES = "abcdef"
MOST, LONGEST = 40, 0.08  # actions acknowledged, then seconds, from one start to the kill
QUOTA = 25  # actions of a person from one start to the kill
EARLY = 0.1  # share of the kills that come before the server listens
KINDS = {"label": 8, "labels": 5, "undo": 4, "note": 3, "unsure": 1, "skip": 1, "guide": 1}
OWNERS = {"rename": 5, "class": 2, "describe": 1, "import": 3}  # done by one person: nobody races them


class Hand:
    """Somebody who sends actions until the server is gone; their outbox is all that they have to send."""

    def __init__(self, name, owns):
        self.name = name
        self.sent = {}  # client -> action, in the order of sending
        self.saved, self.refused = {}, {}  # client -> answer
        self.files = {}  # person -> rows of a file, and the answer where there was one
        self.outbox = []
        self.trouble = None
        self._kinds = {**KINDS, **(OWNERS if owns else {})}
        self._random = random.Random(f"{name} {SEED}")
        self._undoable = []

    def work(self, running, more=True):
        """With ``more``, until the server is gone; else until the outbox is empty."""
        try:
            with running.client() as client:
                done = 0
                while more or self.outbox:
                    self.outbox = self.outbox or (self._some_actions() if done < QUOTA else [])
                    done += len(self.outbox)
                    if not self.outbox:
                        client.get("/api/state").raise_for_status()  # until the server is gone
                        time.sleep(0.02)
                    elif self.outbox[0]["kind"] == "import":
                        self._load(client)
                    else:
                        self._post(client)
        except httpx.TransportError:
            return
        except BaseException as error:
            self.trouble = error

    @property
    def loads(self):
        """Whether a file is on its way."""
        return any(action["kind"] == "import" for action in self.outbox)

    def _post(self, client):
        ends = [k for k, action in enumerate(self.outbox) if action["kind"] == "import"]
        batch = self.outbox[: ends[0]] if ends else list(self.outbox)
        body = {"annotator": self.name, "held": [], "want": 4, "actions": batch}
        answer = client.post("/api/actions", json=body).raise_for_status().json()
        saved = {one["client"]: one for one in answer["saved"]}
        refused = {one["client"]: one["why"] for one in answer["refused"]}
        assert sorted([*saved, *refused]) == sorted(action["client"] for action in batch)
        self.saved |= saved
        self.refused |= refused
        self.outbox = self.outbox[len(batch) :]

    def _load(self, client):
        action = self.outbox[0]
        rows = io.StringIO()
        csv.writer(rows).writerows([("id", "label"), *action["rows"]])
        query = {"name": "labels.csv", "annotator": action["client"]}
        headers = {"content-type": "application/octet-stream"}
        answer = client.post("/api/import", params=query, content=rows.getvalue(), headers=headers)
        self.files[action["client"]] = action["rows"], answer.raise_for_status().json()
        self.outbox.pop(0)

    def _some_actions(self):
        actions = [self._action() for _ in range(self._random.randint(1, 4))]
        for action in actions:
            if action["kind"] != "import":
                self.sent[action["client"]] = action
        return actions

    def _action(self):
        draw, client = self._random, f"{self.name} {len(self.sent)} {self._random.getrandbits(64):x}"
        kind = draw.choices(list(self._kinds), list(self._kinds.values()))[0]
        action = {"client": client, "kind": kind}
        if kind == "undo":
            if not self._undoable:
                return {**action, "kind": "guide", "text": client}
            return {**action, "target": self._undoable.pop(draw.randrange(len(self._undoable)))}
        if kind == "labels":
            few = draw.random() < 0.9
            samples = draw.sample(range(N), draw.randint(1, 40) if few else draw.randint(250, N))
            groups = [name for name in self._undoable if name.startswith("group")]
            group = draw.choice(groups) if groups and draw.random() < 0.2 else f"group {client}"
            self._undoable += [] if group in groups else [group]
            more = {"value": draw.choice(CLASSES), "source": draw.choice(["map", "gallery"]), "group": group}
            return {**action, **more, "samples": samples, "relabel": draw.random() < 0.3}
        if kind in ("label", "rename"):
            self._undoable.append(client)
        more = {
            "label": lambda: {"sample": draw.randrange(N), "value": draw.choice(CLASSES)},
            "unsure": lambda: {"sample": draw.randrange(N)},
            "skip": lambda: {"sample": draw.randrange(N)},
            "note": lambda: {
                "sample": draw.randrange(N),
                "text": draw.choice(["", client]),
                "flag": draw.random() < 0.5,
            },
            "guide": lambda: {"text": client},
            "class": lambda: {"name": draw.choice(CLASSES)},
            "rename": lambda: dict(zip(("old", "new"), draw.sample(CLASSES + "gh", 2), strict=True)),
            "describe": lambda: {"name": draw.choice(CLASSES), "text": client},
            "import": lambda: {
                "client": f"file {client}"[:60],
                "rows": [(str(i), draw.choice(CLASSES)) for i in draw.sample(range(N), draw.randint(5, 300))],
            },
        }
        return {**action, **more[kind]()}


def n_acknowledged(people):
    return sum(len(person.saved) + len(person.files) for person in people)


def check_log(listed, people):
    """Every acknowledged action is in the log once, as it was given, in order; none that was refused is."""
    assert [event["seq"] for event in listed] == sorted({event["seq"] for event in listed})
    clients = Counter(event["client"] for event in listed if event["client"] is not None)
    assert set(clients.values()) <= {1}
    found = {}  # client of an action -> its events
    for event in listed:
        if event["client"] is not None:
            grouped = event["kind"] == "label" and event["body"].get("group") is not None
            found.setdefault(event["client"].rpartition(".")[0] if grouped else event["client"], []).append(
                event
            )
    for person in people:
        check_person(person, found, listed)
        check_files(person, listed)
    return found


def check_person(person, found, listed):
    answered = {}  # sample -> when somebody first answered it
    for event in listed:
        if event["kind"] in ("label", "unsure"):
            answered.setdefault(event["sample"], event["seq"])
    last = 0
    for client, action in person.sent.items():
        events = found.get(client, [])
        if client in person.refused:
            assert not events, (action, person.refused[client])
        if client in person.saved and action["kind"] == "labels":
            check_many(action, person.saved[client], events, answered)
        elif client in person.saved:
            [event] = events
            assert event["seq"] == person.saved[client]["seq"]
        for event in events:
            assert event["annotator"] == person.name
            check_content(action, event)
            if not may_come_late(action, event, answered):
                assert event["seq"] > last  # in the order of sending
                last = event["seq"]


def may_come_late(action, event, answered):
    """A sample that was answered when the labels were first sent, and no longer when they were sent again."""
    left_out = action["kind"] == "labels" and not action["relabel"]
    return left_out and answered[event["sample"]] < event["seq"]


def check_many(action, saved, events, answered):
    written = {event["sample"] for event in events}
    assert len(written) == len(events) == saved["n"]  # each sample at most once
    left_out = set(map(str, action["samples"])) - written
    assert not (action["relabel"] and left_out)
    assert left_out <= set(answered)
    assert max([event["seq"] for event in events], default=0) == saved["seq"]


def check_content(action, event):
    if action["kind"] == "labels":
        assert event["kind"] == "label"
        k = int(event["client"].rpartition(".")[2])
        assert event["sample"] == str(action["samples"][k])
        assert all(event["body"][field] == action[field] for field in ("value", "group", "source", "relabel"))
        return
    assert event["kind"] == action["kind"]
    assert event["sample"] == (str(action["sample"]) if "sample" in action else None)
    assert all(
        event["body"][field] == action[field] for field in action.keys() - {"client", "kind", "sample"}
    )


def check_files(person, listed):
    """A file has a person of its own: a row that is there twice shows."""
    for name, (rows, answer) in person.files.items():
        events = [event for event in listed if event["annotator"] == name]
        values = {event["sample"]: event["body"]["value"] for event in events}
        assert len(values) == len(events)
        assert values.items() <= dict(rows).items()
        assert len(rows) - len(values) <= answer["same"]


def check_state(running, listed):
    """Labels, notes and guidelines are what the naive model makes of the log."""
    fields = ("seq", "time", "kind", "annotator", "sample", "client", "body")
    events = [Event(*(event[field] for field in fields)) for event in listed]
    ids = [str(i) for i in range(N)]
    start = [Event(0, 0.0, "class", "", None, None, {"name": name}) for name in CLASSES]
    actions, names, _ = naive.standing([*start, *events], ids)
    by_sample = {i: [action for action in actions if action[2] == i] for i in range(N)}
    labels, state = running.labels(), running.state()
    for i, mine in by_sample.items():
        label, _, disputed = naive.consensus(mine, i)
        if label is None and disputed:  # a tie, which the better people may decide
            assert labels.get(str(i)) in {None, *(action[4] for action in mine)}
        else:
            assert labels.get(str(i)) == label
    assert state["classes"] == names
    notes = {event.sample: event.body for event in events if event.kind == "note"}
    shown = [one for k in range(0, N, 200) for one in running.get(f"/api/samples?ids={_some(k)}").json()]
    for one in shown:
        note = notes.get(one["id"], {"text": "", "flag": False})
        assert (one["note"], one["flag"]) == (note["text"], note["flag"])
    assert state["flagged"] == sum(body["flag"] for body in notes.values())
    guides = [event.body["text"] for event in events if event.kind == "guide"]
    assert running.get("/api/guide").json()["text"] == (guides[-1] if guides else "")


def _some(start):
    return ",".join(map(str, range(start, min(start + 200, N))))


def no_process_left(workers):
    """They end by themselves; one that nobody has waited for has ended, too."""
    end = time.monotonic() + PATIENCE
    while any(birth is not None and born(pid) == birth for pid, birth in workers):
        assert time.monotonic() < end, workers
        time.sleep(0.02)


def born(pid):
    """When a process began, which tells it from a later one of the same number; None where it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def storm(running, people, moments):
    """One start after the other, each ended by a kill; the processes that the servers had started."""
    workers = []
    for _ in range(KILLS):
        threads = [Thread(target=person.work, args=[running]) for person in people]
        for thread in threads:
            thread.start()
        enough = n_acknowledged(people) + moments.randrange(MOST)
        patient = moments.random() < 0.5  # an import takes longer than most lives, and must end in some
        while all(thread.is_alive() for thread in threads) and (
            n_acknowledged(people) < enough or (patient and any(person.loads for person in people))
        ):
            time.sleep(0.002)
        time.sleep(moments.uniform(0, LONGEST))  # the moment is what is tested
        workers += [(pid, born(pid)) for pid in running.children()]
        running.kill()
        for thread in threads:
            thread.join()
        for person in people:
            if person.trouble is not None:
                raise person.trouble
        if moments.random() < EARLY:
            running.launch()
            time.sleep(moments.uniform(0, 2))
            workers += [(pid, born(pid)) for pid in running.children()]
            running.kill()
        running.start()
    return workers


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_killed_again_and_again(studio, tmp_path):
    rng = np.random.default_rng(0)
    np.save(tmp_path / "pool.npy", np.repeat(np.eye(6), N // 6, axis=0) + rng.normal(0, 0.2, (N, 6)))
    running = studio(tmp_path / "pool.npy", "--budget", "500", "--classes", ",".join(CLASSES))
    people = [Hand(f"person {k}", owns=k == 0) for k in range(PEOPLE)]
    workers = storm(running, people, random.Random(SEED))
    check_log(running.events()[1:], people)
    for person in people:
        person.work(running, more=False)
        if person.trouble is not None:
            raise person.trouble
    listed = running.events()[1:]
    found = check_log(listed, people)
    sent = {client: action for person in people for client, action in person.sent.items()}
    files = {name for person in people for name in person.files}
    for client, events in found.items():  # nothing is there that nobody sent
        assert client in sent or events[0]["annotator"] in files
    check_state(running, listed)
    before = running.labels(), running.state()
    running.restart()
    after = running.labels(), running.state()
    assert before[0] == after[0]
    kept = (
        "classes",
        "counts",
        "labeled",
        "unsure",
        "spent",
        "annotators",
        "quality",
        "agreement",
        "flagged",
    )
    assert {field: before[1][field] for field in kept} == {field: after[1][field] for field in kept}
    assert running.events()[1 : len(listed) + 1] == listed
    running.stop()
    no_process_left(workers)
    assert "Traceback" not in running.complaints()
    with sqlite3.connect(running.store) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    said = Counter(action["kind"] for action in sent.values()) + Counter({"import": len(files)})
    report(f"{KILLS} kills, seed {SEED}: {len(listed)} events, {n_acknowledged(people)} acknowledged, {said}")
    assert n_acknowledged(people) > 3 * KILLS


def report(told):
    """For whoever runs it with -s."""
    sys.stdout.write(f"{told}\n")
