"""Every example in the documentation runs."""

import doctest
import importlib
import pkgutil
import re
import warnings
from pathlib import Path

import pytest

import trigpoint

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = sorted(m.name for m in pkgutil.walk_packages(trigpoint.__path__, "trigpoint."))
SDIST = (ROOT / "PKG-INFO").exists()  # which has no pictures
LONG = ("compare.md", "learner.md", "estimators.md")


def _slow(page):
    return pytest.param(page, marks=pytest.mark.slow) if page.name in LONG else page


@pytest.mark.parametrize("page", [_slow(page) for page in PAGES], ids=lambda p: p.name)
def test_the_python_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.setenv("TRIGPOINT_CACHE", str(tmp_path / "cache-of-pages"))
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    namespace: dict = {}
    for block in blocks:
        exec(compile(block, page.name, "exec"), namespace)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
            left_out = SDIST and target.endswith(".png")
            assert left_out or (page.parent / target).exists(), f"{page.name} links to {target}"


def test_warnings_are_errors_here():
    with pytest.raises(UserWarning):
        warnings.warn("so that no example hides one", UserWarning, stacklevel=1)
