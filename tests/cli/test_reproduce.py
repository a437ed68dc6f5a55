import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = (sys.executable, "-m", "trigpoint.cli", "reproduce")


@pytest.mark.slow
def test_a_suite_quickly(run, folder):
    done = run("reproduce", "bound", "--quick", "--trials", 1, "-o", "out", "--jobs", 1)
    assert done.code == 0, done.err
    assert done.out == f"{Path('out', 'bound', 'README.md')}\n"
    assert done.err == ""
    again = run("reproduce", "bound", "--quick", "--trials", 1, "-o", "out", "--json", "-v")
    assert again.json == {"bound": str(Path("out", "bound"))}
    assert "bound 13 of 13" in again.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["everything"], "SUITE must be one of"),
        (["classification"], "needs the real data"),
        (["torus", "--trials", "0"], "--trials"),
        (["torus", "--data", "nowhere"], "--data must name a folder; got 'nowhere'"),
        (["torus", "--reference", "nowhere"], "--reference must name a folder; got 'nowhere'"),
        (["torus", "-o", "file"], "--output must be a folder; file is a file"),
    ],
)
def test_bad_words_get_one_line(run, folder, monkeypatch, arguments, message):
    monkeypatch.delenv("TRIGPOINT_DATA", raising=False)
    (folder / "file").write_text("")
    done = run("reproduce", *arguments)
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_all_suites_are_checked_before_the_first_runs(run, folder, monkeypatch):
    monkeypatch.delenv("TRIGPOINT_DATA", raising=False)
    (folder / "reference").mkdir()
    (folder / "reference/paper_regression.csv").write_text(
        "dataset,condition,n_landmarks,method,error_percent,ci95\n"
    )
    done = run("reproduce", "all", "--quick", "--reference", "reference", "-o", "out")
    assert done.code == 2
    assert "toolbox_torus_results.csv must hold the paper's figures" in done.err
    assert not list((folder / "out").rglob("*"))


def wait_until_gone(group):
    for _ in range(1200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("workers outlived the process that they work for")


def finished(tasks):
    """Results on disk; files that are being written have names that begin with a dot."""
    return [file for file in tasks.glob("*.json") if not file.name.startswith(".")]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_kills_lose_and_double_nothing(tmp_path):
    """Stopped by Ctrl-C, then killed, then left to finish: the same tables as a run in one go."""
    words = ["torus", "--quick", "--trials", "3", "--jobs", "2", "-o"]
    for stop in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen(
            [*COMMAND, *words, "stopped"],
            cwd=tmp_path,
            start_new_session=True,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(
                signal.SIGINT, signal.SIG_DFL
            ),  # where tests run in the background
        )
        tasks = tmp_path / "stopped/torus/tasks"
        before = len(finished(tasks))
        while process.poll() is None and len(finished(tasks)) < before + 5:
            time.sleep(0.02)
        os.kill(process.pid, stop)  # the workers are not told
        process.wait()
        wait_until_gone(process.pid)
        process.stderr.close()
        assert process.returncode == (130 if stop == signal.SIGINT else -signal.SIGKILL)
        assert not (tmp_path / "stopped/torus/README.md").exists()
    done = {file.name: file.stat().st_mtime_ns for file in finished(tasks)}
    assert len(done) >= 10
    for name in ("stopped", "whole"):
        subprocess.run([*COMMAND, *words, name], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    assert {name: (tasks / name).stat().st_mtime_ns for name in done} == done
    stopped, whole = tmp_path / "stopped/torus", tmp_path / "whole/torus"

    def without_times(path):
        return [line.rsplit(",", 1)[0] for line in (path / "trials.csv").read_text().splitlines()]

    assert without_times(stopped) == without_times(whole)
    assert (stopped / "README.md").read_text() == (whole / "README.md").read_text()
