"""kill -9 of the whole server while people label: what was acknowledged is there after the next start."""

import random
import sqlite3
import sys
import time
from pathlib import Path
from threading import Thread

import httpx
import pytest

from studio.running import PATIENCE

KILLS, PEOPLE = 25, 3
MOST, LONGEST = 20, 0.05  # labels acknowledged, then seconds, from one start to the kill


class Annotator:
    """Sends labels until the server is gone; remembers which were acknowledged, and which may be saved."""

    def __init__(self, name, n_samples):
        self.name = name
        self.acknowledged, self.unknown = {}, {}
        self._random = random.Random(name)
        self._n_samples = n_samples
        self._serial = 0

    def work(self, running):
        """What is not known to be saved is sent again first, as the page does."""
        try:
            with running.client() as client:
                while True:
                    actions = list(self.unknown.values()) or self._some_labels()
                    self.unknown = {action["client"]: action for action in actions}
                    body = {"annotator": self.name, "held": [], "want": 8, "actions": actions}
                    answer = client.post("/api/actions", json=body).raise_for_status().json()
                    assert answer["refused"] == []
                    for one in answer["saved"]:
                        self.acknowledged[one["client"]] = self.unknown.pop(one["client"])
        except httpx.TransportError:
            return

    def _some_labels(self):
        labels = []
        for _ in range(self._random.randint(1, 5)):
            self._serial += 1
            sample, value = self._random.randrange(self._n_samples), self._random.choice("ab")
            client = f"{self.name}-{self._serial}"
            labels.append({"client": client, "kind": "label", "sample": sample, "value": value})
        return labels


def acknowledged(people):
    return [client for person in people for client in list(person.acknowledged)]


def check_kept(running, people, names):
    """Every label that was acknowledged is there, as it was given, and none is there twice."""
    events = running.events("label")
    kept = {
        event["client"]: (event["annotator"], event["sample"], event["body"]["value"]) for event in events
    }
    assert len(kept) == len(events)
    for person in people:
        for client, action in person.acknowledged.items():
            assert kept.get(client) == (person.name, names[action["sample"]], action["value"])


@pytest.mark.slow
def test_killed_again_and_again(studio, digits):
    running = studio(digits, "--budget", "200", "--classes", "a,b")
    names = sorted(path.name for path in digits.iterdir())
    people = [Annotator(f"person {k}", len(names)) for k in range(PEOPLE)]
    moments = random.Random(0)
    for _ in range(KILLS):
        threads = [Thread(target=person.work, args=[running]) for person in people]
        for thread in threads:
            thread.start()
        enough = len(acknowledged(people)) + moments.randrange(MOST)
        while len(acknowledged(people)) < enough and all(thread.is_alive() for thread in threads):
            time.sleep(0.002)
        time.sleep(moments.uniform(0, LONGEST))  # the moment is what is tested
        running.kill()
        for thread in threads:
            thread.join()
        running.start()
        check_kept(running, people, names)
    assert len(acknowledged(people)) > 5 * KILLS
    running.stop()
    with sqlite3.connect(running.store) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_worker_ends_with_its_server(studio, digits):
    running = studio(digits, "--classes", "a,b")
    workers = running.children()
    assert workers
    running.kill()
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
def test_one_store_has_one_studio(studio, digits):
    running = studio(digits, "--classes", "a,b")
    with pytest.raises(RuntimeError, match="another studio"):
        studio(digits, "--classes", "a,b", "--store", str(running.store))
    running.restart()
