"""The tables of docs/reproduction.md are those of the stored output."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reproduction.md"


@pytest.fixture
def reproduction(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "website"))
    monkeypatch.delitem(sys.modules, "reproduction", raising=False)
    import reproduction

    return reproduction


def test_the_page_has_the_stored_tables(reproduction):
    text = PAGE.read_text()
    assert reproduction.page(text) == text, "run website/reproduction.py"


@pytest.mark.parametrize(
    "row", ["| GCLS has the lowest mean error", "| K-means | 0.86", "| Volume | 0.78", "| Volume | 8"]
)
def test_a_table_that_is_off_is_written_anew(reproduction, row):
    text = PAGE.read_text()
    start = text.index(row)
    other = text[:start] + "| something | else |\n| and more |\n" + text[text.index("\n", start) + 1 :]
    assert reproduction.page(other) == text


def test_tasks_are_not_published(reproduction, tmp_path, monkeypatch):
    monkeypatch.setattr(reproduction, "DOCS", tmp_path / "docs")
    for name in ("tasks/one.json", "README.md", "torus.png"):
        file = tmp_path / "out/torus" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    reproduction.publish(tmp_path / "out")
    found = {
        str(path.relative_to(tmp_path / "docs")) for path in (tmp_path / "docs").rglob("*") if path.is_file()
    }
    assert found == {"reproduction/torus/README.md", "reproduction/torus/torus.png"}
