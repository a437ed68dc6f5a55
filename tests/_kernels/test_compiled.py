"""How kernels are compiled, and what is said meanwhile."""

import ctypes
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest

import trigpoint
from trigpoint._kernels.compiled import Kernel, kernel
from trigpoint._kernels.waiting import Waiting, tell

PACKAGE = Path(trigpoint.__file__).parent


@kernel
def double(x):
    return 2 * x


@kernel
def double_all(values):
    total = 0
    for x in values:
        total += double(x)
    return total


def test_kernels_call_each_other_whoever_is_called_first():
    assert double_all(np.arange(4)) == 12
    assert double(21) == 42
    assert double.py_func(21) == 42
    assert double.__name__ == "double"


def test_every_kernel_is_made_in_one_place():
    for file in (PACKAGE / "_kernels").glob("*.py"):
        if file.name != "compiled.py":
            lines = [
                line for line in file.read_text().splitlines() if line.lstrip().startswith(("from", "import"))
            ]
            assert not any("numba" in line for line in lines), f"{file.name} must use @kernel"


def test_kernels_that_are_called_by_many_threads_at_once_are_compiled_once():
    fresh, found = Kernel(double.py_func), []
    threads = [threading.Thread(target=lambda: found.append(fresh.dispatcher)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(dispatcher) for dispatcher in found}) == 1


TEN_LINES = """
import numpy as np, trigpoint as tp
from trigpoint._kernels.circles import radii
X = np.random.default_rng(0).random((300, 8))
graph = tp.neighbor_graph(X, n_neighbors=10)
phi = tp.laplacian(graph)
picks = tp.select(phi, 20, graph=graph, random_state=0)
values = tp.propagate(phi, picks, X[picks])
std = tp.uncertainty(phi, picks)
sums = radii(phi.indptr, phi.indices, phi.data)
print(tp.__file__, np.allclose(sums, phi.diagonal()), radii.dispatcher.stats.cache_path)
"""


@pytest.fixture
def locked():
    """A copy of the package that may be read by all and written by none but root."""
    folder = Path(tempfile.mkdtemp())
    shutil.copytree(PACKAGE, folder / "trigpoint", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


def bound_by_permissions():
    """Root without the right to write where the bits forbid it; others never have it."""
    if os.geteuid() == 0:
        drop_from_bounding_set, cap_dac_override = 24, 1
        failed = ctypes.CDLL(None).prctl(drop_from_bounding_set, cap_dac_override, 0, 0, 0)
        os._exit(77) if failed else None


def test_an_install_that_cannot_be_written_to_runs_uncached(locked):
    environment = {"PATH": os.environ["PATH"], "HOME": str(locked), "PYTHONPATH": str(locked)}
    run = subprocess.run(
        [sys.executable, "-c", TEN_LINES],
        env=environment,
        cwd=locked,
        preexec_fn=bound_by_permissions,
        capture_output=True,
        text=True,
    )
    if run.returncode == 77:
        pytest.skip("root cannot give up its rights here")
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == [str(locked / "trigpoint" / "__init__.py"), "True", "None"]
    assert run.stderr == ""


def test_a_word_is_said_once_when_compiling_takes_long():
    said, heard = [], threading.Event()

    def say(text):
        said.append(text)
        heard.set()

    waiting = Waiting(say, patience=0.0)
    for _ in range(2):
        waiting.begin()
        waiting.begin()  # a kernel that calls a kernel
        assert heard.wait(600)
        waiting.end()
        waiting.end()
    assert said == ["compiling for this machine, once ..."]


def test_nothing_is_said_when_it_is_short():
    said = []
    waiting = Waiting(said.append, patience=3600.0)
    for _ in range(3):
        waiting.begin()
        waiting.end()
    assert not waiting._timer.is_alive() or waiting._timer.finished.is_set()
    assert said == []


def test_words_go_to_the_log_and_to_a_person_at_a_terminal(monkeypatch, capsys, caplog):
    log = logging.getLogger("trigpoint")
    with caplog.at_level(logging.INFO, "trigpoint"):
        tell("one")
    assert caplog.messages == ["one"]
    monkeypatch.setattr(log, "hasHandlers", lambda: False)
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    for terminal in (False, True):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        tell("two")
        assert capsys.readouterr().err == ("trigpoint: two\n" if terminal else "")
