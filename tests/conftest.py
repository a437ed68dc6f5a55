"""Real data and reference outputs come from outside the project, where the environment says so.

Where several processes share the work, they also share what is compiled, and begin with the longest files.
"""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("few", settings.get_profile("house"), max_examples=5)  # ./dev test, without --all
settings.load_profile("house")


def _folder(variable: str) -> Path:
    value = os.environ.get(variable)
    if not value or not Path(value).is_dir():
        pytest.skip(f"{variable} does not name a folder; set it to run this test")
    return Path(value)


@pytest.fixture
def data_folder() -> Path:
    """The folder of real data sets."""
    return _folder("TRIGPOINT_DATA")


@pytest.fixture
def reference_folder() -> Path:
    """The folder of the authors' own outputs."""
    return _folder("TRIGPOINT_REFERENCE")


def pytest_configure(config):
    if hasattr(config, "workerinput"):
        _compile_in_turn()


def _compile_in_turn():
    """A kernel that several processes need at once is compiled by the first, and read by the others.

    Whoever compiles holds a lock on the file of the kernel. A kernel that calls others needs their files too,
    and files do not call each other in circles.
    """
    import fcntl

    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.dispatcher import Dispatcher

    compile_now, held = Dispatcher.compile, set()

    def compile_in_turn(self, signature):
        source = Path(self.py_func.__code__.co_filename)
        with global_compiler_lock, ExitStack() as stack:
            if source not in held and source.is_file():
                fcntl.flock(stack.enter_context(source.open("rb")), fcntl.LOCK_EX)
                held.add(source)
                stack.callback(held.discard, source)
            return compile_now(self, signature)

    Dispatcher.compile = compile_in_turn


LONG = ("distributed", "studio")  # folders; the files of the first are one piece of work


def pytest_collection_modifyitems(config, items):
    """Where several processes share the work: the longest files first, so that none is left for the end."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: [*LONG, item.path.parent.name].index(item.path.parent.name))


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """A file stays in one process, and so do the files of tests/distributed, which share a cluster."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = Path(super()._split_scope(nodeid))
            shares = file.parent.name == "distributed" and file.name != "test_faults.py"
            return str(file.parent if shares else file)

    return ByFile(config, log)
