"""`./dev bench all`: benchmarks in processes of their own, results that stay, the exit code."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALL = ROOT / "benchmarks" / "all.py"
sys.path.append(str(ROOT / "benchmarks"))  # last: names of tests come first

from _figures import Figure  # noqa: E402
from _results import environment, write_result  # noqa: E402


def command(folder, *words):
    return [sys.executable, str(ALL), "-o", str(folder), *words]


def run(folder, *words):
    done = subprocess.run(command(folder, *words), capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def result_of(folder, name):
    return json.loads((folder / f"{name}.json").read_text())


def test_the_cheapest_runs_and_is_not_repeated(tmp_path):
    code, told = run(tmp_path, "--quick", "--only", "selection")
    assert code == 0
    assert "promises: 6 kept." in told
    found = result_of(tmp_path, "selection")
    assert found["figures"][0]["name"] == "auto to random, held out"
    assert found["cores"] >= 1
    assert found["stored"]
    assert result_of(tmp_path, "manifest")["packages"]["numpy"]
    assert "auto to random, held out" in (tmp_path / "table.md").read_text()
    code, told = run(tmp_path, "--quick", "--only", "selection")
    assert code == 0
    assert "done before" in told
    assert result_of(tmp_path, "selection") == found
    run(tmp_path, "--quick", "--only", "selection", "--again")
    assert result_of(tmp_path, "selection")["date"] >= found["date"]


@pytest.mark.slow
def test_a_benchmark_that_measures_runs_at_quick_sizes(tmp_path):
    code, told = run(tmp_path, "--quick", "--only", "uncertainty")
    assert code == 0
    assert "stated error" in told
    assert result_of(tmp_path, "uncertainty")["quick"]


@pytest.mark.parametrize(("value", "expected"), [(0.05, 0), (9.0, 1)])
def test_a_missed_promise_is_listed_last_and_is_the_exit_code(tmp_path, value, expected):
    names = ("100,000 x 64, half_white", "20,000 x 784, half_white", "20,000 x 784, white")
    figures = [Figure(name, 0.05, "s of CPU") for name in names]
    figures.append(Figure("sparse, 10,000 x 4,000, half_white", value, "s of CPU"))
    write_result(tmp_path, "views", {**environment(False), "figures": [one.record() for one in figures]})
    code, told = run(tmp_path, "--table", "--only", "views")
    assert code == expected
    last = told.rstrip().splitlines()[-1]
    assert last.startswith("MISSED views: sparse, 10,000 x 4,000, half_white: 9 s of CPU") == bool(expected)
    assert ("1 missed" in told) == bool(expected)


def test_one_that_fails_is_told_the_others_go_on_and_it_is_tried_again(tmp_path):
    code, told = run(tmp_path, "--only", "selection", "noise", "--minutes", "0.0001")
    assert code == 1
    for name in ("selection", "noise"):
        assert f"FAILED {name}: not finished in 0.0001 minutes" in told
        assert "failed" in result_of(tmp_path, name)
    code, told = run(tmp_path, "--only", "selection", "noise")
    assert code == 0
    assert "FAILED" not in told


def test_an_interruption_keeps_what_is_done(tmp_path):
    process = subprocess.Popen(
        command(tmp_path, "--quick", "--only", "selection", "uncertainty", "--minutes", "9"),
        stdout=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "PYTHONUNBUFFERED": "1",
            "TMPDIR": str(tmp_path),
        },  # its child names the folder, too
    )
    told = []
    while not any(line.startswith("== uncertainty") for line in told):
        told.append(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    assert left_behind(str(tmp_path)) == []  # before the pipe is read, which a child would hold open
    assert "what is done is kept" in process.communicate()[0]
    assert result_of(tmp_path, "selection")["figures"]
    assert not (tmp_path / "uncertainty.json").exists()


def left_behind(word):
    """Processes whose command line has the word; the command has waited for their end."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes()
        except OSError:
            continue
        if word.encode() in words and path.parent.name != str(os.getpid()):
            found.append(words)
    return found
