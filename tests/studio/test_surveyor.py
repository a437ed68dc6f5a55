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

from trigpoint.io import read_pool
from trigpoint.studio._job import Job, ids_digest
from trigpoint.studio._news import Advice, Beliefs, Bound, Failed, Map, Proposals, Ready, Stage
from trigpoint.studio._settings import Settings
from trigpoint.studio._surveyor import Surveyor

SOON = 60.0  # seconds: a machine may be busy
X = np.random.default_rng(0).random((200, 2))
TOLD = [
    {"event": "ask", "samples": [3, 150], "audits": [True, False]},
    {"event": "tell", "samples": [3, 150], "labels": ["b", "a"]},
]


class Heard:
    """A surveyor and its news, to be waited for."""

    def __init__(self, job, settings=None):
        self.news, self.all, self.now = asyncio.Queue(), [], 0.0
        self.surveyor = Surveyor(job, settings or Settings(), self.hear, clock=lambda: self.now)
        self.surveyor.start()

    def hear(self, news):
        self.all.append(news)
        self.news.put_nowait((news, self.surveyor.busy))

    async def until(self, kind, accept=lambda _: True):
        """The next news of a kind, and whether the surveyor was busy when they were told."""
        while True:
            news, busy = await asyncio.wait_for(self.news.get(), SOON)
            if isinstance(news, kind) and accept(news):
                return news, busy


def run(work, job, settings=None):
    async def whole():
        heard = Heard(job, settings)
        try:
            return await work(heard)
        finally:
            heard.surveyor.close()

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
        surveyor = heard.surveyor
        assert surveyor.alive
        assert surveyor.survey(1, TOLD, ["a", "b"], 12)
        assert surveyor.busy
        assert not surveyor.survey(2, TOLD, ["a", "b"], 12), "one at a time"
        ready, _ = await heard.until(Ready)
        assert ready.n_samples == 200
        assert ready.fingerprint == read_pool(job.path).fingerprint
        proposals, busy = await heard.until(Proposals)
        assert busy
        assert (proposals.version, len(proposals.samples), len(proposals.audits)) == (1, 12, 12)
        assert not {3, 150} & set(proposals.samples)
        beliefs, busy = await heard.until(Beliefs)
        assert not busy, "the next survey may come"
        assert beliefs.classes == ("a", "b")
        assert beliefs.codes[[3, 150]].tolist() == [1, 0]
        assert (await heard.until(Advice))[0].n_audits == 1
        assert (await heard.until(Bound))[0].n_labels == 2
        assert surveyor.survey(2, [], [], 5)
        proposals, busy = await heard.until(Proposals)
        assert not busy, "without a label there is nothing to believe"
        assert proposals.version == 2
        if not any(isinstance(news, Map) and news.done for news in heard.all):
            await heard.until(Map, lambda news: news.done)
        await heard.until(Stage, lambda news: news.name == "") if heard.all[-1] != Stage("") else None
        assert not [news for news in heard.all if isinstance(news, Failed)]
        return surveyor

    surveyor = run(work, job)
    assert not surveyor.alive
    assert len(list(Path(job.cache).glob("map-*.npy"))) == 1
    assert not surveyor.survey(3, [], [], 5)


def test_the_news_of_a_round_come_in_order(job):
    async def work(heard):
        for version in range(1, 6):
            assert heard.surveyor.survey(version, TOLD, ["a", "b"], 5)
            await heard.until(Beliefs, lambda news, v=version: news.version == v)
        await heard.until(Advice, lambda news: news.version == 5)
        return [news for news in heard.all if isinstance(news, Proposals | Beliefs)]

    told = run(work, job)
    assert [(type(news), news.version) for news in told] == [
        (kind, version) for version in range(1, 6) for kind in (Proposals, Beliefs)
    ]


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="no priorities here")
def test_the_worker_is_nice_and_deaf_to_ctrl_c(job):
    async def work(heard):
        await heard.until(Ready)
        pid = heard.surveyor.pid
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)
        assert os.getsid(pid) != os.getsid(0)
        os.kill(pid, signal.SIGINT)
        heard.surveyor.survey(1, [], [], 3)
        await heard.until(Proposals)
        assert heard.surveyor.pid == pid

    run(work, job)


def test_a_worker_that_is_killed_comes_back_with_the_last_survey(job):
    async def work(heard):
        surveyor, pids = heard.surveyor, []
        for version in (1, 2):
            await heard.until(Ready)
            pids.append(surveyor.pid)
            if not surveyor.busy:
                assert surveyor.survey(version, TOLD, ["a", "b"], 5)
            os.kill(surveyor.pid, signal.SIGKILL)
        beliefs, _ = await heard.until(Beliefs)
        assert beliefs.version in (1, 2)
        pids.append(surveyor.pid)
        assert len(set(pids)) == 3
        assert surveyor.alive
        assert not surveyor.busy
        os.kill(surveyor.pid, signal.SIGKILL)
        failed, busy = await heard.until(Failed)
        assert not failed.fatal
        assert not busy
        assert not surveyor.alive
        assert not surveyor.survey(9, [], [], 5)
        return pids

    assert all(gone(pid) for pid in run(work, job))


def test_an_end_after_a_good_while_is_forgiven(job):
    async def work(heard):
        surveyor = heard.surveyor
        assert surveyor.survey(1, TOLD, ["a", "b"], 5)
        for _ in range(4):
            await heard.until(Beliefs)
            heard.now += 60
            os.kill(surveyor.pid, signal.SIGKILL)
        await heard.until(Beliefs)
        assert surveyor.alive
        assert not [news for news in heard.all if isinstance(news, Failed)]

    run(work, job)


def test_ends_one_after_the_other_are_not_forgiven(job):
    """The first had lived long; two more ends follow soon."""

    async def work(heard):
        surveyor = heard.surveyor
        assert surveyor.survey(1, TOLD, ["a", "b"], 5)
        for seconds in (60, 59.9, 0):
            await heard.until(Beliefs)
            heard.now += seconds
            os.kill(surveyor.pid, signal.SIGKILL)
        failed, _ = await heard.until(Failed)
        assert failed.message == "the computing process ended three times in a row; labels are still taken."
        assert not surveyor.alive

    run(work, job)


def test_a_worker_that_told_nothing_is_not_forgiven(job):
    async def work(heard):
        for _ in range(3):
            await heard.until(Ready)
            heard.now += 1000
            os.kill(heard.surveyor.pid, signal.SIGKILL)
        await heard.until(Failed)

    run(work, job)


def test_a_pool_that_is_not_the_one_that_people_see_ends_it(tmp_path):
    np.save(tmp_path / "x.npy", X)

    async def work(heard):
        heard.surveyor.survey(1, TOLD, ["a", "b"], 5)
        failed, _ = await heard.until(Failed)
        assert failed == Failed("the pool has changed since the studio was opened; start it again.", True)
        assert not heard.surveyor.alive

    run(work, Job(tmp_path / "x.npy", {}, None, ids_digest(["0", "1"])))


def test_a_pool_that_changes_before_a_restart_ends_it(job):
    async def work(heard):
        heard.surveyor.survey(1, TOLD, ["a", "b"], 5)
        await heard.until(Beliefs)
        np.save(job.path, X[:50])
        os.kill(heard.surveyor.pid, signal.SIGKILL)
        failed, _ = await heard.until(Failed)
        assert failed.fatal
        assert "the pool has changed" in failed.message

    run(work, Job(job.path, {}, job.cache, ids_digest(str(i) for i in range(200))))


def test_the_terminal_hears_of_each_failure_once(job, caplog):
    async def work(heard):
        for sample in (999, 999, 777):
            heard.surveyor.survey(1, [{"event": "tell", "samples": [sample], "labels": ["a"]}], [], 5)
            await heard.until(Failed)

    with caplog.at_level(logging.WARNING, "trigpoint.studio"):
        run(work, job)
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2
    assert all(line.startswith("trigpoint: ") and "\n" not in line for line in said)
    assert ["999" in said[0], "777" in said[1]] == [True, True]


def test_a_kill_in_the_middle_of_a_round(tmp_path):
    """Random points in many dimensions, and the slowest method: the first question takes its time."""
    np.save(tmp_path / "x.npy", np.random.default_rng(0).random((6000, 8)))

    async def work(heard):
        heard.surveyor.survey(1, TOLD, ["a", "b"], 2)
        await heard.until(Stage, lambda news: news.name == "choosing")
        first = heard.surveyor.pid
        os.kill(first, signal.SIGKILL)
        assert (await heard.until(Beliefs))[0].version == 1
        end = time.monotonic() + SOON
        while heard.surveyor.pid in (first, None):  # the beliefs may be the last words of the first
            assert time.monotonic() < end
            await asyncio.sleep(0.02)

    run(work, Job(tmp_path / "x.npy", {}, tmp_path / "cache"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("no.npy", None, "must be a file that exists"),
        ("text.csv", b"id,a\nx,1\nx,2\n", "must have distinct ids"),
        ("one.csv", b"id,a\nx,1\n", "at least 2 samples"),
    ],
)
def test_a_pool_that_cannot_be_read_ends_it(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)

    async def work(heard):
        heard.surveyor.survey(1, [], [], 5)
        failed, busy = await heard.until(Failed)
        assert failed.fatal
        assert message in failed.message
        assert "\n" not in failed.message
        assert not busy
        assert not heard.surveyor.alive
        await asyncio.sleep(0)
        assert heard.surveyor.pid is None

    run(work, Job(tmp_path / name))


def test_a_survey_that_makes_no_sense_is_told_and_the_next_one_works(job):
    async def work(heard):
        heard.surveyor.survey(1, [{"event": "tell", "samples": [999], "labels": ["a"]}], [], 5)
        failed, busy = await heard.until(Failed)
        assert (failed.fatal, busy) == (False, False)
        assert "samples must lie in [0, 199]" in failed.message
        heard.surveyor.survey(2, [], [], 5)
        assert (await heard.until(Proposals))[0].version == 2

    run(work, job)


def test_closing_waits_for_no_work_and_leaves_nothing(tmp_path):
    np.save(tmp_path / "x.npy", np.random.default_rng(0).random((20_000, 30)))

    async def work(heard):
        await heard.until(Stage, lambda news: news.name == "finding neighbors")
        pid = heard.surveyor.pid
        os.kill(pid, signal.SIGSTOP)  # it will not end by itself, nor if it is asked to
        heard.surveyor.close()
        count = len(heard.all)
        heard.surveyor.close()
        await asyncio.sleep(0)
        assert len(heard.all) == count, "no news after the end"
        return pid

    threads = threading.active_count()
    pid = run(work, Job(tmp_path / "x.npy", {}, tmp_path / "cache"))
    assert gone(pid)
    assert threading.active_count() == threads


def test_it_is_started_once(job):
    async def work(heard):
        with pytest.raises(RuntimeError, match="started once"):
            heard.surveyor.start()

    run(work, job)


SCRIPT = """
    import asyncio, sys
    from pathlib import Path
    print("main runs")
    from trigpoint.studio._job import Job
    from trigpoint.studio._news import Proposals
    from trigpoint.studio._settings import Settings
    from trigpoint.studio._surveyor import Surveyor

    async def work():
        found = asyncio.Event()
        hear = lambda news: isinstance(news, Proposals) and found.set()
        surveyor = Surveyor(Job(Path(sys.argv[1])), Settings(), hear)
        surveyor.start()
        surveyor.survey(1, [], [], 5)
        await found.wait()
        print("pid", surveyor.pid)
        sys.stdout.flush()
        {end}

    asyncio.run(work())
"""


@pytest.mark.parametrize("how", ["script", "command"])
def test_the_parents_script_is_not_run_again(tmp_path, job, how):
    """A script without a guard, from a folder with a module that must not be imported."""
    code = textwrap.dedent(SCRIPT).format(end="surveyor.close()")
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


@pytest.mark.parametrize("end", ["import os; os._exit(3)", "import os; os.kill(os.getpid(), 9)", "pass"])
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
