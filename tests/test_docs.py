"""Every example in the documentation runs."""

import doctest
import importlib
import inspect
import operator
import pkgutil
import re
import shlex
import unicodedata
import warnings
from pathlib import Path

import pytest

import trigpoint
from trigpoint.cli import main

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
STEPS = [ROOT / "docs/get_started.md"]  # pages whose blocks, Python and commands, are one story
MODULES = sorted(m.name for m in pkgutil.walk_packages(trigpoint.__path__, "trigpoint."))
SDIST = (ROOT / "PKG-INFO").exists()  # which has no pictures
LONG = ("compare.md", "learner.md", "estimators.md", "choose.md")
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def _slow(page):
    return pytest.param(page, marks=pytest.mark.slow) if page.name in LONG else page


def _name(page):
    return page.relative_to(ROOT).as_posix()


def _blocks(page, *languages):
    return [(kind, block) for kind, block in BLOCK.findall(page.read_text()) if kind in languages]


# Pages of examples are made by running their scripts, which test_examples.py does again.
WITH_PYTHON = [
    page for page in PAGES if _blocks(page, "python") and page not in STEPS and page.parent.name != "examples"
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIGPOINT_CACHE", str(tmp_path / "cache-of-pages"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", [_slow(page) for page in WITH_PYTHON], ids=_name)
def test_the_python_blocks_of_a_page_run(page):
    namespace: dict = {}
    for _, block in _blocks(page, "python"):
        exec(compile(block, page.name, "exec"), namespace)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", STEPS, ids=_name)
def test_a_page_works_as_it_is_written_from_its_first_line_to_its_last(page):
    namespace: dict = {}
    for kind, block in _blocks(page, "python", "sh"):
        if kind == "python":
            exec(compile(block, page.name, "exec"), namespace)
            continue
        for program, *words in (shlex.split(line, comments=True) for line in block.splitlines()):
            if program == "trigpoint" and words[0] != "studio":  # which waits for a person
                with pytest.raises(SystemExit) as end:
                    main(words)
                assert not end.value.code, words


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", _prose(page)):
            there = page.parent / target if target else page
            left_out = SDIST and target.endswith(".png")
            assert left_out or there.exists(), f"{_name(page)} links to {target}"
            if anchor and there.suffix == ".md":
                assert anchor in _anchors(there), f"{_name(page)} links to {target}#{anchor}"


def _prose(page):
    return re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)


def _anchors(page):
    """As GitHub and the site name headings: lower case, words joined by dashes."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", _prose(page), re.MULTILINE):
        named = re.search(r"\{ #(\S+) \}$", heading)
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
        found.add(named[1] if named else re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", plain)).strip("-"))
    return found


def test_every_test_function_and_file_that_the_paper_page_names_is_there():
    page = (ROOT / "docs/paper.md").read_text()
    for path in re.findall(r"`((?:tests|benchmarks)/[\w/]+\.py)`", page):
        assert (ROOT / path).exists(), path
    for path in re.findall(r"`((?:\w+/)?_\w+\.py|\w+/)`", page):
        assert (ROOT / "src/trigpoint" / path).exists(), path
    for name in re.findall(r"`tp\.([\w.]+)`", page):
        assert operator.attrgetter(name)(trigpoint)
    methods = {name for line in re.findall(r'method="(\w+)"', page) for name in [line]}
    assert {"random", "nystrom", "volume", "kmeans", "gcls", "mincond", "rrqr"} <= methods
    assert methods - {"spectral"} <= set(trigpoint.selection.METHODS)


@pytest.mark.parametrize("name", trigpoint.__all__)
def test_help_of_a_public_name_is_enough_to_use_it(name):
    text = inspect.getdoc(getattr(trigpoint, name)) or ""
    assert ">>>" in text, "an example"
    assert len(text.splitlines()) > 3


def test_warnings_are_errors_here():
    with pytest.raises(UserWarning):
        warnings.warn("so that no example hides one", UserWarning, stacklevel=1)
