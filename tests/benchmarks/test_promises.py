"""What the documentation promises, and how it is judged."""

import ast
import importlib
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))  # last: names of tests come first

from _figures import Figure  # noqa: E402
from _promises import PROMISES, UNREPEATED, at_least, at_most, ratio  # noqa: E402
from _results import figures_of  # noqa: E402
from _stored import STORED  # noqa: E402
from _table import ABSENT, KEPT, LARGE, MISSED, missed_lines, rows, verdicts  # noqa: E402


@pytest.mark.parametrize("page", sorted({one.page for one in PROMISES} | {page for page, _ in UNREPEATED}))
def test_a_page_says_what_it_promises(page):
    text = " ".join((ROOT / page).read_text().split())
    words = [one.words for one in PROMISES if one.page == page] + [
        w for where, w in UNREPEATED if where == page
    ]
    for some in words:
        assert some in text, f"{page} does not say {some!r}"


@pytest.mark.parametrize("page", sorted({page for page, _ in UNREPEATED}))
def test_a_page_tells_that_figures_were_measured_once(page):
    text = (ROOT / page).read_text()
    assert "measured once" in text
    assert "performance.md#stated-without-a-benchmark" in text


def test_every_benchmark_that_is_promised_is_run():
    assert {one.benchmark for one in PROMISES} <= set(importlib.import_module("all").NAMES)


def test_every_benchmark_has_figures_and_every_file_with_figures_is_run():
    """Read from the source, since peers need not be installed here."""
    found = set()
    for path in (ROOT / "benchmarks").glob("[!_]*.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name == "figures":
                assert node.args.args[0].arg == "quick", path.name
                found.add(path.stem)
    named = set(importlib.import_module("all").NAMES) - set(STORED)
    assert {importlib.import_module("_child").MODULES.get(name, name) for name in named} == found


def test_no_promise_is_made_twice():
    keys = [(one.benchmark, one.figure, one.of, one.page) for one in PROMISES]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("name", STORED)
def test_stored_runs_hold_what_is_promised_of_them(name):
    found = {"quick": False, "figures": [figure.record() for figure in STORED[name]()]}
    judged = verdicts({name: found}, [one for one in PROMISES if one.benchmark == name])
    assert judged
    assert {one.said for one in judged} == {KEPT}


def test_benchmarks_of_full_size_have_every_figure_that_is_promised():
    results = json.loads((ROOT / "docs" / "performance" / "results.json").read_text())
    for name, result in results.items():
        if not result["quick"] and "failed" not in result:
            names = {figure.name for figure in figures_of(result)}
            assert {one.figure for one in PROMISES if one.benchmark == name} <= names


def judged(figure, promise, quick=False):
    result = {"quick": quick, "figures": [figure.record()]}
    return verdicts({"one": result}, [promise])[0].said


def test_values_and_ratios_are_judged_each_by_its_inequality():
    slow = Figure("cost", 2.0, "s", "peer", 3.0)  # ratio 1.5
    assert judged(slow, at_most("one", "cost", 2.0)) == KEPT
    assert judged(slow, at_most("one", "cost", 1.9)) == MISSED
    assert judged(slow, at_least("one", "cost", 2.1)) == MISSED
    assert judged(slow, ratio("one", "cost", 1.5)) == KEPT
    assert judged(slow, ratio("one", "cost", 1.6)) == MISSED
    assert judged(Figure("cost", float("nan")), at_most("one", "cost", 1.0)) == MISSED
    assert judged(Figure("cost", 1.0), ratio("one", "cost", 1.0)) == MISSED  # no peer: nothing is kept


def test_quick_sizes_judge_only_what_holds_at_any_size():
    slow = Figure("cost", 2.0)
    assert judged(slow, at_most("one", "cost", 1.0), quick=True) == LARGE
    assert judged(slow, at_most("one", "cost", 1.0, quick=True), quick=True) == MISSED
    assert judged(slow, at_most("one", "another", 1.0)) == ABSENT


def test_what_was_missed_names_figure_promise_page_and_command():
    result = {"quick": False, "figures": [Figure("cost", 2.0).record()]}
    promises = [at_most("one", "cost", 1.0, "README.md", "takes a second"), at_most("one", "gone", 1.0)]
    found = verdicts({"one": result}, promises)
    [line] = missed_lines(found)
    for words in ("one: cost: 2 s", "≤ 1", "README.md", "takes a second", "./dev bench one"):
        assert words in line
    table = rows({"one": result}, found)
    assert [line[1] for line in table] == ["cost", "gone"]
    assert "missed" in table[0][-1]
    assert table[1][-1] == ABSENT


def test_a_figure_stays_the_same_in_a_file():
    for figure in (
        Figure("a", 1.0, "", "peer", 2.0, "words", "curve", 1e5),
        Figure("b", 2.0),
        Figure("c", 0.0, "s", "peer", 0.0),
    ):
        assert Figure(**json.loads(json.dumps(figure.record()))) == figure
    assert Figure("a", 2.0, "s", "peer", 3.0).ratio == 1.5
    assert Figure("a", 0.0, "s", "peer", 3.0).ratio is None
