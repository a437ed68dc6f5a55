"""Completion as people have it: installed by the command, in a real shell, at the press of Tab.

The shell runs what it has completed. Its `trigpoint` is a script that answers questions about completion, and
otherwise writes down how it was called.
"""

import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import trigpoint

PATIENCE = 600  # seconds for an answer, on a machine that is busy
READY = "ready> "
START = {  # a prompt that is easy to find
    "bash": (".bashrc", f"PS1='{READY}'\n"),
    "zsh": (".zshrc", f"PROMPT='{READY}'\n"),
    "fish": (".config/fish/config.fish", f"function fish_prompt; echo -n '{READY}'; end\n"),
}
SCRIPT = """#!/bin/sh
case "${{_TRIGPOINT_COMPLETE:-}}$*" in
--install-completion) exec "{python}" -m trigpoint.cli "$@" ;; # which looks for the shell that called it
complete_*)
    "{python}" -m trigpoint.cli "$@"
    code=$?
    echo >> ../asked
    exit $code
    ;;
esac
printf '%s|' "$@" >> ../called
echo >> ../called
"""
TABS = {
    "prop": "propagate|",
    "graph bu": "graph|build|",
    "propagate --labels-at": "propagate|--labels-at-random|",
    "select --method maxm": "select|--method|maxmin_geodesic|",
    "select poo": "select|pool.csv|",
    "propagate pool.csv --labels lab": "propagate|pool.csv|--labels|labels.csv|",
    "studio pho": "studio|photos|",
    "select two": "select|two words.csv|",
}


class Terminal:
    """A shell that believes that a person types."""

    def __init__(self, words, env, folder):
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, env)
        self.seen = ""

    def type(self, text):
        os.write(self.end, text.encode())

    def wait(self, happened):
        until = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < until, self.seen
            if select.select([self.end], [], [], 0.05)[0]:
                self.seen += os.read(self.end, 4096).decode(errors="replace")

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.end)


@pytest.fixture(
    params=["bash", *(pytest.param(name, marks=pytest.mark.slow) for name in START if name != "bash")]
)
def shell(request):
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return request.param


@pytest.fixture
def terminal(shell, tmp_path):
    """A shell in whose home `trigpoint --install-completion` has run, in a folder with a few files."""
    home, folder, programs = (tmp_path / name for name in ("home", "work", "bin"))
    for made in (home, folder, folder / "photos", programs):
        made.mkdir()
    for name in ("pool.csv", "labels.csv", "two words.csv"):
        (folder / name).touch()
    command = programs / "trigpoint"
    command.write_text(SCRIPT.format(python=sys.executable))
    command.chmod(0o755)
    source = str(Path(trigpoint.__file__).parents[1])
    path = f"{programs}:{os.environ['PATH']}"
    env = {"HOME": str(home), "PATH": path, "PYTHONPATH": source, "TERM": "xterm", "LANG": "C.UTF-8"}
    name, text = START[shell]
    (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / name).write_text(text)
    install = "trigpoint --install-completion; echo"  # the echo keeps the shell there, to be found
    done = subprocess.run([shell, "-c", install], env=env, cwd=folder, capture_output=True, text=True)
    assert f"{shell} completion installed" in done.stdout, done.stderr
    opened = Terminal((shell, "-i"), env, folder)
    opened.wait(lambda: READY in opened.seen)
    yield opened
    opened.close()


def test_tab_completes(terminal, shell, tmp_path):
    if shell == "zsh":
        terminal.type("trigpoint \t\x15")  # its first Tab only loads the completion; Ctrl-U clears the line
    asked, called = tmp_path / "asked", tmp_path / "called"
    found = {}
    for typed in TABS:
        asked.write_text("")
        called.write_text("")
        terminal.type(f"trigpoint {typed}\t")
        terminal.wait(asked.read_text)  # zsh would not complete what is followed by more already
        terminal.type("\n")
        terminal.wait(called.read_text)
        found[typed] = called.read_text().strip().replace("/|", "|")  # some shells drop the slash again
    assert found == TABS


def test_completion_loads_nothing_heavy():
    code = """
import sys
from trigpoint.cli import main
try:
    main([])
finally:
    print(*{"numpy", "scipy", "sklearn", "numba", "jinja2", "starlette"} & set(sys.modules), file=sys.stderr)
"""
    question = {"COMP_WORDS": "trigpoint select --method g", "COMP_CWORD": "3"}
    env = {**os.environ, **question, "_TRIGPOINT_COMPLETE": "complete_bash"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.stdout.split() == ["gaussian_field", "gcls"]
    assert done.stderr.strip() == ""
