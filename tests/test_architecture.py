"""The rules of the house, checked on the source itself."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "trigpoint"
FLOORS = [
    ("_types", "_versions", "_errors", "_records"),
    ("_validation", "_kernels"),
    ("graph", "_circles"),
    ("io",),
    ("alignment", "datasets"),
    ("propagation", "selection"),
    ("bound",),
    ("estimators", "learner", "dictionary"),
    ("plots",),
    ("trials",),
    ("report", "experiments", "comparison", "distributed", "studio"),
    ("demo",),
    ("cli",),
]
RANK = {room: rank for rank, rooms in enumerate(FLOORS) for room in rooms}
FILES = sorted(SOURCE.rglob("*.py"))


def imports(file: Path) -> set[str]:
    """Dotted names that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} uses a relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def room(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(SOURCE)))
def test_imports_point_down(file):
    here = room(file)
    if here == "__init__":
        return
    for name in imports(file):
        parts = name.split(".")
        if parts[0] == "trigpoint" and len(parts) > 1 and parts[1] in RANK:
            there = parts[1]
            assert there == here or RANK[there] < RANK[here], f"{here} must not import {there}"


OWNERS = {
    "numba": "_kernels",
    "matplotlib": "plots",
    "starlette": "studio",
    "uvicorn": "studio",
    "sqlite3": "studio",
    "typer": "cli",
    "rich": "cli",
}


@pytest.mark.parametrize(("library", "owner"), OWNERS.items())
def test_some_libraries_have_one_importer(library, owner):
    for file in FILES:
        if library in {name.split(".")[0] for name in imports(file)}:
            assert room(file) == owner, f"only {owner} may import {library}; {file} does"


def test_every_room_has_its_floor():
    assert {room(f) for f in FILES} - {"__init__"} <= set(RANK)


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
