"""Links lead somewhere, names exist, the examples of docstrings are true."""

import doctest
import importlib
import operator
import pkgutil
import re
import unicodedata
import warnings

import pytest

import trigpoint
from docs.pages import PAGES, ROOT, path_of, prose

MODULES = sorted(m.name for m in pkgutil.walk_packages(trigpoint.__path__, "trigpoint."))
SDIST = (ROOT / "PKG-INFO").exists()  # which has no pictures


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", prose(page)):
            there = page.parent / target if target else page
            left_out = SDIST and target.endswith(".png")
            assert left_out or there.exists(), f"{path_of(page)} links to {target}"
            if anchor and there.suffix == ".md":
                assert anchor in _anchors(there), f"{path_of(page)} links to {target}#{anchor}"


def _anchors(page):
    """As GitHub and the site name headings: lower case, words joined by dashes."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE):
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


def test_warnings_are_errors_here():
    with pytest.raises(UserWarning):
        warnings.warn("so that no example hides one", UserWarning, stacklevel=1)
