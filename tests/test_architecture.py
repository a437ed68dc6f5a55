"""The rules of the house, checked on the source itself."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "trigpoint"
FLOORS = [
    ("_errors",),
    ("_types", "_versions", "_lazy", "_progress"),
    ("_validation", "_kernels", "_lock", "_mapped"),
    ("views", "graph", "_circles", "annotators"),
    ("features", "storage"),
    ("io",),
    ("alignment", "datasets"),
    ("propagation", "selection"),
    ("bound", "prediction"),
    ("checks", "distributed"),
    ("estimators", "dictionary"),
    ("learner",),
    ("plots",),
    ("trials",),
    ("report", "experiments", "comparison", "studio"),
    ("demo",),
    ("cli",),
]
RANK = {room: rank for rank, rooms in enumerate(FLOORS) for room in rooms}
FILES = sorted(SOURCE.rglob("*.py"))


@cache
def imports(file: Path) -> set[str]:
    """Dotted names that a file imports, wherever in it, also by their names in strings (`import_module`)."""
    return imported(ast.parse(file.read_text()), str(file))


def imported(tree: ast.AST, where: str = "") -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{where} uses a relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant) and re.fullmatch(r"trigpoint(\.\w+)+\.?", str(node.value)):
            names.add(node.value.removesuffix("."))  # f"trigpoint.room.{name}" ends in a dot
    return names


def room(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def above(here: str, name: str) -> str | None:
    """The room of a dotted name, where the room ``here`` must not know it."""
    there = name.removeprefix("trigpoint.").split(".")[0] if name.startswith("trigpoint.") else ""
    known = there in RANK and there != here
    return there if known and here != "__init__" and RANK[there] >= RANK[here] else None


def private(here: str, name: str) -> bool:
    """Whether a dotted name lies within another room: a file or a name that starts with an underscore.

    Kernels are private as a whole, and known by their files.
    """
    parts = name.split(".")
    inside = parts[0] == "trigpoint" and len(parts) > 2 and parts[1] not in (here, "_kernels")
    return inside and any(part.startswith("_") and not part.startswith("__") for part in parts[2:])


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(SOURCE)))
def test_imports_point_down(file):
    for name in imports(file):
        assert above(room(file), name) is None, f"{room(file)} must not import {name}"


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(SOURCE)))
def test_no_room_reaches_into_another(file):
    for name in sorted(imports(file)):
        assert not private(room(file), name), f"{room(file)} must not import {name}: let the room export it"


def test_the_rules_see_every_way_to_import():
    code = """
import trigpoint.io._files
from trigpoint.graph import _record
from trigpoint.plots._png import data_uri
def late():
    from trigpoint.studio._web import app
    import_module("trigpoint.learner._auto")
    import_module(f"trigpoint.cli.{name}")
"""
    found = imported(ast.parse(code))
    assert {name for name in found if private("report", name)} == {
        "trigpoint.io._files",
        "trigpoint.graph._record",
        "trigpoint.plots._png.data_uri",
        "trigpoint.studio._web.app",
        "trigpoint.learner._auto",
    }
    assert {above("report", name) for name in found} == {None, "studio", "cli"}
    assert not private("io", "trigpoint.io._files")
    assert not private("io", "trigpoint._kernels.cg.solve")
    assert not private("io", "trigpoint._errors.InputError")


def test_no_file_name_has_three_meanings():
    rooms = defaultdict(set)
    for file in FILES:
        rooms[file.name].add(room(file))
    often = {name: sorted(found) for name, found in rooms.items() if len(found) > 2}
    assert set(often) <= {"__init__.py", "__main__.py"}, f"name these by what they hold: {often}"


OWNERS = {
    "numba": ("_kernels",),
    "matplotlib": ("plots",),
    "jinja2": ("report",),
    "starlette": ("studio",),
    "uvicorn": ("studio",),
    "msgspec": ("studio",),
    "sqlite3": ("studio",),
    "typer": ("cli",),
    "rich": ("cli", "_progress"),
    "pyarrow": ("io",),
    "distributed": ("distributed",),
    "dask": ("distributed",),
    "PIL": ("io", "plots", "report", "studio"),  # features, lighter files, thumbnails, pictures to label
}


@pytest.mark.parametrize(("library", "owners"), OWNERS.items())
def test_some_libraries_have_one_importer(library, owners):
    for file in FILES:
        if library in {name.split(".")[0] for name in imports(file)}:
            assert room(file) in owners, f"only {' and '.join(owners)} may import {library}; {file} does"


def test_every_room_has_its_floor():
    assert {room(f) for f in FILES} - {"__init__"} == set(RANK)


def test_importing_trigpoint_loads_nothing_heavy():
    code = "import sys, trigpoint; print(sorted({'numba', 'scipy', 'sklearn', 'numpy'} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_every_public_name_is_there():
    import trigpoint as tp

    for name in tp.__all__:
        assert callable(getattr(tp, name))
    assert set(tp.__all__) <= set(dir(tp))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = tp.nothing


def test_tests_mirror_the_source():
    tests = SOURCE.parents[1] / "tests"
    for file in SOURCE.iterdir():
        if file.is_dir() and (file / "__init__.py").exists() and file.name != "_kernels":
            assert list((tests / file.name).glob("test_*.py")), f"no tests for {file.name}"
