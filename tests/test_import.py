"""What `import trigpoint` gives without a further import."""

import subprocess
import sys
from pathlib import Path

import pytest

import trigpoint as tp

ROOMS = sorted(
    file.stem
    for file in Path(tp.__file__).parent.iterdir()
    if not file.stem.startswith("_") and (file.suffix == ".py" or (file / "__init__.py").exists())
)


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


ANEW = """
import importlib, sys
for room in sys.argv[1:]:
    for name in [name for name in sys.modules if name.partition(".")[0] == "trigpoint"]:
        del sys.modules[name]
    tp = importlib.import_module("trigpoint")
    assert getattr(tp, room).__name__ == f"trigpoint.{room}"
"""


def test_rooms_need_no_import_where_other_packages_are_loaded():
    subprocess.run([sys.executable, "-c", ANEW, *ROOMS], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_rooms_need_no_import_of_their_own(room):
    assert run(f"import trigpoint as tp; print(tp.{room}.__name__)") == f"trigpoint.{room}"


def test_dir_lists_rooms_and_names():
    listed = run("import trigpoint as tp; print(*dir(tp))").split()
    assert {*ROOMS, *tp.__all__, "__version__"} <= set(listed)
    assert len(listed) == len(set(listed))


def test_other_names_are_no_rooms():
    with pytest.raises(AttributeError, match="no attribute '_kernels_of_truth'"):
        _ = tp._kernels_of_truth
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tp.nothing


def test_a_small_pool_is_chosen_from_without_a_compiler():
    """In three dimensions the graph needs no kernel either."""
    code = """
import sys, numpy as np, trigpoint as tp
graph = tp.neighbor_graph(np.random.default_rng(0).random((200, 3)))
phi = tp.laplacian(graph)
tp.select(phi, 20, graph=graph)
print(sorted({"numba", "sklearn", "pandas", "scipy.stats"} & set(sys.modules)))
"""
    assert run(code) == "[]"
