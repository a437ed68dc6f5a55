"""docs/performance.md is what its stored results say."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))  # last: names of tests come first

from _figures import Figure  # noqa: E402
from _page import BEGIN, CURVES, END, FOLDER, PAGE, curves, draw, growth, joined, page  # noqa: E402


def test_the_page_is_made_of_its_results():
    text = PAGE.read_text(encoding="utf-8")
    assert page(text, json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))) == text


def test_words_around_the_figures_stay():
    results = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))
    made = page(f"before\n{BEGIN}\nold\n{END}\nafter\n", results)
    assert made.startswith(f"before\n{BEGIN}\n")
    assert made.endswith(f"{END}\nafter\n")
    assert "\nold\n" not in made


def test_what_was_not_measured_again_keeps_its_rows():
    before, measured = {"b": {"seconds": 1}, "a": {"seconds": 2}, "gone": {}}, {"c": {}, "a": {"seconds": 3}}
    found = joined(before, measured, ["a", "b", "c", "d"])
    assert list(found.items()) == [("a", {"seconds": 3}), ("b", {"seconds": 1}), ("c", {})]


def test_pictures_stand_beside_it():
    for name in CURVES:
        assert (FOLDER / name).read_text().startswith("<?xml")


def test_curves_are_drawn_with_their_exponents(tmp_path):
    figures = [Figure(f"graph {n}", n / 1e3, curve="graph", at=n) for n in (1e5, 1e4)]
    results = {"scale": {"figures": [figure.record() for figure in figures]}}
    found = curves(results, "scale")
    assert [figure.at for figure in found["graph"]] == [1e4, 1e5]
    assert growth(found, "samples").splitlines()[-1] == "| graph | 10 s | 100 s | 1.00 |"
    draw(tmp_path / "a.svg", found, "samples", "title")
    draw(tmp_path / "b.svg", found, "samples", "title")
    assert "graph (1.00)" in (tmp_path / "a.svg").read_text()
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
