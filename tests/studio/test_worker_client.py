"""The worker process: it works, dies, comes back and ends as it should."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from trigpoint.io import ids_digest, read_pool
from trigpoint.studio._events import Settings
from trigpoint.studio._messages import (
    Advice,
    Bound,
    Failed,
    Job,
    Map,
    Predictions,
    Proposals,
    Ready,
    Stage,
)
from trigpoint.studio._worker_client import WorkerClient

SOON = 600.0  # seconds: a machine may be busy
X = np.random.default_rng(0).random((200, 2))
TOLD = [
    {"event": "ask", "samples": [3, 150], "audits": [True, False]},
    {"event": "tell", "samples": [3, 150], "labels": ["b", "a"]},
]


class Heard:
    """A worker and its messages, to be waited for."""

    def __init__(self, job, settings=None):
        self.queue, self.all, self.now = asyncio.Queue(), [], 0.0
        self.worker = WorkerClient(job, settings or Settings(), self.receive, clock=lambda: self.now)
        self.worker.start()

    def receive(self, message):
        self.all.append(message)
        self.queue.put_nowait((message, self.worker.busy))

    async def until(self, kind, accept=lambda _: True):
        """The next message of a kind, and whether the worker was busy when it came."""
        while True:
            message, busy = await asyncio.wait_for(self.queue.get(), SOON)
            if isinstance(message, kind) and accept(message):
                return message, busy


def run(work, job, settings=None):
    async def whole():
        heard = Heard(job, settings)
        try:
            return await work(heard)
        finally:
            heard.worker.close()

    return asyncio.run(whole())


@pytest.fixture
def job(tmp_path):
    np.save(tmp_path / "x.npy", X)
    return Job(tmp_path / "x.npy", {}, tmp_path / "cache")


def gone(pid):
    """Not even a zombie is left."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_whole_round_and_the_map(job):
    async def work(heard):
        worker = heard.worker
        assert worker.alive
        assert worker.request(1, TOLD, ["a", "b"], 12)
        assert worker.busy
        assert not worker.request(2, TOLD, ["a", "b"], 12), "one at a time"
        ready, _ = await heard.until(Ready)
        assert ready.n_samples == 200
        assert ready.fingerprint == read_pool(job.path).fingerprint
        proposals, busy = await heard.until(Proposals)
        assert busy
        assert (proposals.version, len(proposals.samples), len(proposals.audits)) == (1, 12, 12)
        assert not {3, 150} & set(proposals.samples)
        predictions, busy = await heard.until(Predictions)
        assert not busy, "the next request may come"
        assert predictions.classes == ("a", "b")
        assert predictions.codes[[3, 150]].tolist() == [1, 0]
        assert (await heard.until(Advice))[0].n_audits == 1
        assert (await heard.until(Bound))[0].n_labels == 2
        assert worker.request(2, [], [], 5)
        proposals, busy = await heard.until(Proposals)
        assert not busy, "without a label there is nothing to believe"
        assert proposals.version == 2
        if not any(isinstance(message, Map) and message.done for message in heard.all):
            await heard.until(Map, lambda message: message.done)
        await heard.until(Stage, lambda message: message.name == "") if heard.all[-1] != Stage("") else None
        assert not [message for message in heard.all if isinstance(message, Failed)]
        return worker

    worker = run(work, job)
    assert not worker.alive
    assert len(list(Path(job.cache).glob("map-*.npy"))) == 1
    assert not worker.request(3, [], [], 5)


def test_the_messages_of_a_round_come_in_order(job):
    async def work(heard):
        for version in range(1, 6):
            assert heard.worker.request(version, TOLD, ["a", "b"], 5)
            await heard.until(Predictions, lambda message, v=version: message.version == v)
        await heard.until(Advice, lambda message: message.version == 5)
        return [message for message in heard.all if isinstance(message, Proposals | Predictions)]

    told = run(work, job)
    assert [(type(message), message.version) for message in told] == [
        (kind, version) for version in range(1, 6) for kind in (Proposals, Predictions)
    ]


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="no priorities here")
def test_the_worker_is_nice_and_deaf_to_ctrl_c(job):
    async def work(heard):
        await heard.until(Ready)
        pid = heard.worker.pid
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)
        assert os.getsid(pid) != os.getsid(0)
        os.kill(pid, signal.SIGINT)
        heard.worker.request(1, [], [], 3)
        await heard.until(Proposals)
        assert heard.worker.pid == pid

    run(work, job)


def test_a_worker_that_is_killed_comes_back_with_the_last_request(job):
    async def work(heard):
        worker, pids = heard.worker, []
        for version in (1, 2):
            await heard.until(Ready)
            pids.append(worker.pid)
            if not worker.busy:
                assert worker.request(version, TOLD, ["a", "b"], 5)
            os.kill(worker.pid, signal.SIGKILL)
        predictions, _ = await heard.until(Predictions)
        assert predictions.version in (1, 2)
        pids.append(worker.pid)
        assert len(set(pids)) == 3
        assert worker.alive
        assert not worker.busy
        os.kill(worker.pid, signal.SIGKILL)
        failed, busy = await heard.until(Failed)
        assert not failed.fatal
        assert not busy
        assert not worker.alive
        assert not worker.request(9, [], [], 5)
        return pids

    assert all(gone(pid) for pid in run(work, job))


@pytest.mark.slow
def test_an_end_after_a_good_while_is_forgiven(job):
    async def work(heard):
        worker = heard.worker
        assert worker.request(1, TOLD, ["a", "b"], 5)
        for _ in range(4):
            await heard.until(Predictions)
            heard.now += 60
            os.kill(worker.pid, signal.SIGKILL)
        await heard.until(Predictions)
        assert worker.alive
        assert not [message for message in heard.all if isinstance(message, Failed)]

    run(work, job)


@pytest.mark.slow
def test_ends_one_after_the_other_are_not_forgiven(job):
    """The first had lived long; two more ends follow soon."""

    async def work(heard):
        worker = heard.worker
        assert worker.request(1, TOLD, ["a", "b"], 5)
        for seconds in (60, 59.9, 0):
            await heard.until(Predictions)
            heard.now += seconds
            os.kill(worker.pid, signal.SIGKILL)
        failed, _ = await heard.until(Failed)
        assert failed.message == "the computing process ended three times in a row; labels are still taken."
        assert not worker.alive

    run(work, job)


@pytest.mark.slow
def test_a_worker_that_told_nothing_is_not_forgiven(job):
    async def work(heard):
        for _ in range(3):
            await heard.until(Ready)
            heard.now += 1000
            os.kill(heard.worker.pid, signal.SIGKILL)
        await heard.until(Failed)

    run(work, job)


def test_a_pool_that_is_not_the_one_that_people_see_ends_it(tmp_path):
    np.save(tmp_path / "x.npy", X)

    async def work(heard):
        heard.worker.request(1, TOLD, ["a", "b"], 5)
        failed, _ = await heard.until(Failed)
        assert failed == Failed("the pool has changed since the studio was opened; start it again.", True)
        assert not heard.worker.alive

    run(work, Job(tmp_path / "x.npy", {}, None, ids_digest(["0", "1"])))


@pytest.mark.slow
def test_a_pool_that_changes_before_a_restart_ends_it(job):
    async def work(heard):
        heard.worker.request(1, TOLD, ["a", "b"], 5)
        await heard.until(Predictions)
        np.save(job.path, X[:50])
        os.kill(heard.worker.pid, signal.SIGKILL)
        failed, _ = await heard.until(Failed)
        assert failed.fatal
        assert "the pool has changed" in failed.message

    run(work, Job(job.path, {}, job.cache, ids_digest(str(i) for i in range(200))))


def test_the_terminal_hears_of_each_failure_once(job, caplog):
    async def work(heard):
        for sample in (999, 999, 777):
            heard.worker.request(1, [{"event": "tell", "samples": [sample], "labels": ["a"]}], [], 5)
            await heard.until(Failed)

    with caplog.at_level(logging.WARNING, "trigpoint.studio"):
        run(work, job)
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2
    assert all(line.startswith("trigpoint: ") and "\n" not in line for line in said)
    assert ["999" in said[0], "777" in said[1]] == [True, True]


@pytest.mark.slow
def test_a_kill_in_the_middle_of_a_round(tmp_path):
    """Random points in many dimensions, and the slowest method: the first question takes its time."""
    np.save(tmp_path / "x.npy", np.random.default_rng(0).random((6000, 8)))

    async def work(heard):
        heard.worker.request(1, TOLD, ["a", "b"], 2)
        await heard.until(Stage, lambda message: message.name == "choosing")
        first = heard.worker.pid
        os.kill(first, signal.SIGKILL)
        assert (await heard.until(Predictions))[0].version == 1
        end = time.monotonic() + SOON
        while heard.worker.pid in (first, None):  # the predictions may be the last words of the first
            assert time.monotonic() < end
            await asyncio.sleep(0.02)

    run(work, Job(tmp_path / "x.npy", {}, tmp_path / "cache"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("no.npy", None, "must be a file that exists"),
        pytest.param("text.csv", b"id,a\nx,1\nx,2\n", "must have distinct ids", marks=pytest.mark.slow),
        pytest.param("one.csv", b"id,a\nx,1\n", "at least 2 samples", marks=pytest.mark.slow),
    ],
)
def test_a_pool_that_cannot_be_read_ends_it(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)

    async def work(heard):
        heard.worker.request(1, [], [], 5)
        failed, busy = await heard.until(Failed)
        assert failed.fatal
        assert message in failed.message
        assert "\n" not in failed.message
        assert not busy
        assert not heard.worker.alive
        await asyncio.sleep(0)
        assert heard.worker.pid is None

    run(work, Job(tmp_path / name))


def test_a_request_that_makes_no_sense_is_told_and_the_next_one_works(job):
    async def work(heard):
        heard.worker.request(1, [{"event": "tell", "samples": [999], "labels": ["a"]}], [], 5)
        failed, busy = await heard.until(Failed)
        assert (failed.fatal, busy) == (False, False)
        assert "samples must lie in [0, 199]" in failed.message
        heard.worker.request(2, [], [], 5)
        assert (await heard.until(Proposals))[0].version == 2

    run(work, job)


def test_closing_waits_for_no_work_and_leaves_nothing(tmp_path):
    np.save(tmp_path / "x.npy", np.random.default_rng(0).random((20_000, 30)))

    async def work(heard):
        await heard.until(Stage, lambda message: message.name == "finding neighbors")
        pid = heard.worker.pid
        os.kill(pid, signal.SIGSTOP)  # it will not end by itself, nor if it is asked to
        heard.worker.close()
        count = len(heard.all)
        heard.worker.close()
        await asyncio.sleep(0)
        assert len(heard.all) == count, "no message after the end"
        return pid

    threads = threading.active_count()
    pid = run(work, Job(tmp_path / "x.npy", {}, tmp_path / "cache"))
    assert gone(pid)
    assert threading.active_count() == threads


def test_it_is_started_once(job):
    async def work(heard):
        with pytest.raises(RuntimeError, match="started once"):
            heard.worker.start()

    run(work, job)


SCRIPT = """
    import asyncio, sys
    from pathlib import Path
    print("main runs")
    from trigpoint.studio._messages import Job
    from trigpoint.studio._messages import Proposals
    from trigpoint.studio._events import Settings
    from trigpoint.studio._worker_client import WorkerClient

    async def work():
        found = asyncio.Event()
        hear = lambda message: isinstance(message, Proposals) and found.set()
        worker = WorkerClient(Job(Path(sys.argv[1])), Settings(), hear)
        worker.start()
        worker.request(1, [], [], 5)
        await found.wait()
        print("pid", worker.pid)
        sys.stdout.flush()
        {end}

    asyncio.run(work())
"""


@pytest.mark.parametrize("how", ["script", pytest.param("command", marks=pytest.mark.slow)])
def test_the_parents_script_is_not_run_again(tmp_path, job, how):
    """A script without a guard, from a folder with a module that must not be imported."""
    code = textwrap.dedent(SCRIPT).format(end="worker.close()")
    (tmp_path / "script.py").write_text(code)
    (tmp_path / "json.py").write_text("raise RuntimeError('this is not the json you want')")
    what = ["script.py"] if how == "script" else ["-c", code]
    done = subprocess.run(
        [sys.executable, "-P", *what, str(job.path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SOON,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout.count("main runs") == 1


@pytest.mark.parametrize(
    "end",
    [
        "import os; os.kill(os.getpid(), 9)",
        pytest.param("import os; os._exit(3)", marks=pytest.mark.slow),
        pytest.param("pass", marks=pytest.mark.slow),
    ],
)
def test_the_worker_goes_with_its_parent(tmp_path, job, end):
    (tmp_path / "script.py").write_text(textwrap.dedent(SCRIPT).format(end=end))
    command = [sys.executable, str(tmp_path / "script.py"), str(job.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        out = parent.stdout.read()  # until the last of its writers is gone
    pid = int(out.split("pid ")[1])
    deadline = time.monotonic() + SOON
    while not _ended(pid) and time.monotonic() < deadline:
        threading.Event().wait(0.02)
    assert _ended(pid)


def _ended(pid):
    """Gone, or a zombie for whoever inherited it to bury."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
