"""What only a process of its own can show: imports, signals, pipes, terminals."""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pytest

COMMAND = [sys.executable, "-m", "trigpoint.cli"]
HEAVY = {"numpy", "scipy", "sklearn", "numba", "pandas", "pyarrow", "PIL", "matplotlib"}


@pytest.mark.parametrize("words", [["--help"], ["select", "--help"], ["--version"], ["select", "--bugdet"]])
def test_what_computes_nothing_loads_nothing_heavy(words):
    code = f"""if True:
        import sys
        from trigpoint.cli import main
        try:
            main({words!r})
        except SystemExit as end:
            sys.stdout.flush()
            print("loaded", sorted({HEAVY!r} & set(sys.modules)))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded []"


def test_ctrl_c_ends_with_one_line_and_no_file(folder):
    np.save("large.npy", np.random.default_rng(0).standard_normal((40_000, 200), dtype=np.float32))
    process = subprocess.Popen(
        [*COMMAND, "select", "large.npy", "-n", "50", "-o", "found.csv", "--verbose"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stderr.readline().startswith("trigpoint: pool: ")
    time.sleep(1)  # by now it searches neighbors, which takes many seconds
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert out == ""
    *stages, last = err.splitlines()
    assert last == "trigpoint: stopped; no file was left half-written."
    assert all(re.fullmatch(r"trigpoint: views: \d+\.\d\d s", line) for line in stages)
    assert [file.name for file in folder.iterdir()] == ["large.npy"]


SLOW_IMPORT = """
import os, sys, time
import trigpoint.cli

class Slow:
    def find_spec(self, name, *more):
        if name == "trigpoint.cli._app":
            os.write(1, b"!")
            time.sleep(120)

sys.meta_path.insert(0, Slow())
trigpoint.cli.main(["--help"])
"""


def test_ctrl_c_before_the_first_import_is_done(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_IMPORT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout.read(1) == b"!"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert err == b"trigpoint: stopped; no file was left half-written.\n"


def test_a_reader_that_leaves_early_is_no_error(blobs):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND, "select", "pool.csv", "-n", "50"], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert done.stderr == b"trigpoint: columns used: 2 numbers (height, width); left out: id (the ids).\n"
    assert done.returncode == 1


def test_a_terminal_sees_progress_and_a_closing_line(blobs):
    master, slave = pty.openpty()
    words = [*COMMAND, "select", "pool.csv", "-n", "5", "-o", "found.csv"]
    terminal = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=slave, env=terminal) as process:
        os.close(slave)
        parts = []
        with suppress(OSError):  # the end of a terminal
            while part := os.read(master, 100_000):
                parts.append(part)
        assert process.stdout.read() == b""
    os.close(master)
    assert process.returncode == 0
    seen = b"".join(parts).decode()
    assert "neighbor graph ..." in seen or "landmarks ..." in seen
    assert "trigpoint: 5 landmarks of 60 samples in found.csv." in seen
