"""A studio as its users run it: a process of its own, which can be stopped, killed and started again."""

import csv
import io
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

PATIENCE = 600  # seconds; the worker yields to all else that a busy machine does


class Studio:
    """``trigpoint studio POOL OPTIONS``, always at the same port and with the same store."""

    def __init__(self, pool, options, folder, cache):
        self.store = folder / "labels.db"
        self.port = free_port()
        self._errors = folder / "stderr.txt"
        place = ["--store", str(self.store), "--port", str(self.port), "--no-browser", "--json"]
        self._command = [sys.executable, "-m", "trigpoint.cli", "studio", str(pool), *place, *options]
        self._environment = {**os.environ, "TRIGPOINT_CACHE": str(cache)}
        self._process = None
        self.start()

    def start(self, *more):
        self.launch(*more)
        said = ""
        while not said.endswith("\n}\n"):
            line = self._process.stdout.readline()
            if not line:
                self.close()
                raise RuntimeError(f"the studio did not start: {self._errors.read_text()}")
            said += line
        self.url = json.loads(said)["url"]
        self.address = self.url.partition("/?")[0]

    def launch(self, *more):
        """Start the process, and do not wait until it can be asked."""
        with self._errors.open("ab") as sink:
            self._process = subprocess.Popen(
                [*self._command, *more],
                stdout=subprocess.PIPE,
                stderr=sink,
                env=self._environment,
                text=True,
                # tests that run in the background were told to ignore Ctrl-C, and would hand that on
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )

    @property
    def runs(self):
        return self._process.poll() is None

    def stop(self):
        """As Ctrl-C does."""
        self._end(signal.SIGINT)
        assert self._process.returncode == 0, self._errors.read_text()

    def kill(self):
        self._end(signal.SIGKILL)

    def restart(self):
        self.stop()
        self.start()

    def close(self):
        """Whatever became of it."""
        with suppress(ProcessLookupError):
            self._end(signal.SIGKILL)

    def _end(self, number):
        self._process.send_signal(number)
        self._process.wait(PATIENCE)
        self._process.stdout.close()

    def children(self):
        """Process ids of those that it started."""
        pid = self._process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def limit_files(self, size):
        """No file of the process may grow beyond ``size`` bytes, as on a full disk; None: as it likes."""
        most = resource.RLIM_INFINITY if size is None else size
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    def limit_open_files(self, count):
        resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE, (count, count))

    @contextmanager
    def client(self):
        """Somebody with the cookie, who speaks HTTP."""
        with httpx.Client(
            base_url=self.address, headers={"origin": self.address}, timeout=PATIENCE
        ) as client:
            assert client.get(self.url).status_code == 303
            yield client

    def get(self, path):
        with self.client() as client:
            return client.get(path).raise_for_status()

    def state(self):
        return self.get("/api/state").json()

    def wait_until(self, holds):
        """Until its state is so; the worker computes when it likes."""
        end = time.monotonic() + PATIENCE
        while not holds(self.state()):
            assert time.monotonic() < end, self.state()
            time.sleep(0.05)

    def wait_until_learned(self):
        """Until the worker has told what it makes of all labels that are saved."""
        self.wait_until(lambda state: state["versions"]["predictions"] and not state["learning"])

    def labels(self):
        """id -> label, as exported; samples that nobody can tell are left out."""
        rows = self.table("labels.csv")
        labels = {row["id"]: row["label"] for row in rows}
        assert len(labels) == len(rows)
        return {name: label for name, label in labels.items() if label}

    def table(self, name):
        return list(csv.DictReader(io.StringIO(self.get(f"/api/export/{name}").text)))

    def events(self, kind=None):
        """The log, as exported."""
        lines = self.get("/api/export/log.jsonl").text.splitlines()
        listed = [json.loads(line) for line in lines]
        return [event for event in listed if kind is None or event.get("kind") == kind]


class Since:
    """A studio that others have used before: its labels and its log hold what was done from now on."""

    def __init__(self, studio):
        self._studio = studio
        self._labels, self._n_events = studio.labels(), len(studio.events())
        self.spent, self.unsure = (studio.state()[field] for field in ("spent", "unsure"))

    def __getattr__(self, name):
        return getattr(self._studio, name)

    def events(self, kind=None):
        events = self._studio.events()[self._n_events :]
        return [event for event in events if kind is None or event.get("kind") == kind]

    def labels(self):
        """Of the samples that somebody did something with; the others are as they were."""
        touched = {event.get("sample") for event in self.events() if event.get("kind") != "ask"}
        labels = self._studio.labels()
        rest = {name: label for name, label in labels.items() if name not in touched}
        assert rest == {name: label for name, label in self._labels.items() if name not in touched}
        return {name: label for name, label in labels.items() if name in touched}


@contextmanager
def studios(factory, cache):
    """A function that starts studios, each with a folder of its own; they end with the context."""
    running = []

    def start(pool, *options):
        running.append(Studio(pool, options, factory.mktemp("studio"), cache))
        return running[-1]

    try:
        yield start
    finally:
        for one in running:
            one.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
