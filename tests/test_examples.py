"""The examples of the gallery run, and their pages hold what the scripts printed."""

import importlib.util
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

HERE = Path(__file__).parents[1] / "docs" / "examples"
spec = importlib.util.spec_from_file_location("build", HERE / "build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)
MADE = build.read_manifest()
LONG = ("images",)


def _slow(name):
    return pytest.param(name, marks=pytest.mark.slow) if name in LONG else name


def stored(name):
    cells = build.stored(name)
    assert cells is not None, f"the code of {name}.py has changed: build it again"
    return cells


@pytest.mark.parametrize("name", [_slow(name) for name in build.SCRIPTS])
def test_a_script_runs_in_its_small_size(name, monkeypatch):
    monkeypatch.delenv("TRIGPOINT_DATA", raising=False)
    plt.figure()  # which is none of its own
    cells = build.run(name, quick=True)
    shows = [cell for cell in cells if "plt.show()" in cell.text]
    assert shows
    for cell in shows:
        assert len(cell.pictures) == 1
        assert cell.pictures[0].startswith(b"\x89PNG")
    assert any(cell.printed for cell in cells)


@pytest.mark.parametrize("name", MADE)
def test_page_notebook_and_pictures_tell_the_same(name):
    cells = stored(name)
    assert (HERE / f"{name}.md").read_text("utf-8") == build.page(name, cells)
    pictures = [picture for cell in cells for picture in cell.pictures]
    for number, picture in enumerate(pictures, 1):
        assert (HERE / f"{name}_{number}.png").read_bytes() == picture


@pytest.mark.parametrize("name", MADE)
def test_figures_in_the_prose_are_figures_that_the_script_printed(name):
    cells = stored(name)
    printed = " ".join(cell.printed for cell in cells)
    prose = " ".join(cell.text for cell in cells if cell.prose)
    for figure in re.findall(r"\d+\.\d+", prose):
        assert re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d)", printed), f"{name} does not print {figure}"


@pytest.mark.parametrize("name", MADE)
def test_the_manifest_is_about_the_files_that_are_there(name):
    made = MADE[name]
    assert made["script"] == build.digest((HERE / f"{name}.py").read_bytes()), f"build {name} again"
    for file, digest in made["files"].items():
        assert build.digest((HERE / file).read_bytes()) == digest, f"build {name} again: {file} differs"
        assert file.endswith((".md", ".ipynb")) or (HERE / file).stat().st_size <= 150_000, f"{file} is large"


def test_the_gallery_is_made_of_the_stored_outputs():
    assert (HERE / "index.md").read_text("utf-8") == build.gallery()
    pages = [HERE / "index.md", *(HERE / f"{name}.md" for name in MADE)]
    for page in pages:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_a_script_becomes_a_page():
    source = "# %% [markdown]\n# # Two\n#\n# One *and* one. Or not.\n\n# %%\nprint(1 + 1)\n"
    prose, code = build.read_cells(source)
    assert (prose.prose, prose.text) == (True, "# Two\n\nOne *and* one. Or not.")
    assert (code.prose, code.text) == (False, "print(1 + 1)")
    code.printed, code.pictures = "2\n", [b"png"]
    text = build.page("two", [prose, code, build.Cell(True, "A *two*. More.")])
    parts = (
        "# Two",
        "```python\nprint(1 + 1)\n```",
        "```text\n2\n```",
        "![A two.](two_1.png)",
        "A *two*. More.",
    )
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
