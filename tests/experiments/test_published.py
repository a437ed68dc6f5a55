"""Published tables, taken over by a later run."""

import csv
import json
from pathlib import Path

import pytest

from trigpoint.experiments import _bound, reproduce
from trigpoint.experiments._paper_methods import METHODS
from trigpoint.experiments._published import published
from trigpoint.experiments._reproduce import _TABLE
from trigpoint.experiments._settings import FULL, SUITES

DOCS = Path(__file__).parents[2] / "docs/reproduction"


@pytest.mark.parametrize("suite", SUITES)
def test_every_published_row_comes_from_a_task_and_every_task_has_rows(suite):
    known = _TABLE[suite]
    rows = published(DOCS / suite / "trials.csv")
    run = json.loads((DOCS / suite / "manifest.json").read_text())["runs"][-1]
    tasks = known.tasks(FULL, run["trials"], run["slow_trials"], 0, "somewhere")
    assert {known.name_of(row) for row in rows} == {task.name for task in tasks}


def drop_tasks(folder, cell=None):
    """Leave what is published; ``cell``, of row 1 and some column, gets another value."""
    for file in (folder / "tasks").iterdir():
        file.unlink()
    (folder / "tasks").rmdir()
    if cell is not None:
        with (folder / "trials.csv").open(newline="") as stream:
            rows = list(csv.reader(stream))
        rows[1][rows[0].index(cell)] = "123.456"
        with (folder / "trials.csv").open("w", newline="") as stream:
            csv.writer(stream).writerows(rows)


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A published folder of two methods, one of them ours; and a list of what is computed from then on."""
    for name in set(METHODS) - {"Random", "Facility (our default)"}:
        monkeypatch.delitem(METHODS, name)
    monkeypatch.setattr("trigpoint.experiments._page_others.curves_picture", lambda *_: None)
    monkeypatch.setattr("trigpoint.trials._publish.save_picture", lambda *_, **__: None)
    folder = reproduce("bound", tmp_path, preset="quick", trials=2)
    computed, trial = [], _bound.trial

    def counted(**arguments):
        computed.append((arguments["name"], arguments["number"]))
        return trial(**arguments)

    monkeypatch.setitem(
        _TABLE, "bound", _TABLE["bound"].__class__(**{**vars(_TABLE["bound"]), "trial": counted})
    )
    return folder, computed


OURS = [("Facility (our default)", 0), ("Facility (our default)", 1)]


def test_a_run_goes_on_from_tables_but_for_our_default(made):
    folder, computed = made
    before = (folder / "trials.csv").read_text()
    drop_tasks(folder)
    reproduce("bound", folder.parent, preset="quick", trials=3)
    assert sorted(computed) == sorted([*OURS, ("Facility (our default)", 2), ("Random", 2)])
    assert (folder / "trials.csv").read_text().startswith(before)


def test_tasks_that_are_there_come_before_tables(made):
    folder, computed = made
    reproduce("bound", folder.parent, preset="quick", trials=2)
    assert computed == []


def test_the_manifest_tells_who_made_what(made, monkeypatch):
    folder, _ = made
    (old,) = json.loads((folder / "manifest.json").read_text())["made_by"]
    drop_tasks(folder)
    monkeypatch.setattr("trigpoint.experiments._reproduce.code_digest", lambda module: "today")
    reproduce("bound", folder.parent, preset="quick", trials=2)
    assert json.loads((folder / "manifest.json").read_text())["made_by"] == {old: 2, "today": 2}


@pytest.mark.parametrize(("cell", "equal"), [(None, 2), ("bound_1", 1)])
def test_some_are_computed_again_and_compared(made, monkeypatch, cell, equal):
    folder, computed = made
    right = (folder / "trials.csv").read_text()
    drop_tasks(folder, cell)
    monkeypatch.setattr("trigpoint.experiments._reproduce.code_digest", lambda module: "today")
    reproduce("bound", folder.parent, preset="quick", trials=2, again=9)
    assert sorted(computed) == sorted([*OURS, ("Random", 0), ("Random", 1)])
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["again"] == [{"code": "today", "tasks": 2, "equal": equal}]
    assert manifest["made_by"] == {"today": 4}
    assert [run["code"] for run in manifest["runs"]] == ["today"], "of older runs nothing is left"
    assert (folder / "trials.csv").read_text() == right
    reproduce("bound", folder.parent, preset="quick", trials=2, again=9)
    assert len(computed) == 4, "all are of today's code"


def test_results_that_are_computed_again_survive_a_stop(made, monkeypatch):
    folder, computed = made
    right = (folder / "trials.csv").read_text()
    monkeypatch.setattr("trigpoint.experiments._reproduce.code_digest", lambda module: "today")
    counted = _TABLE["bound"].trial

    def stopped(**arguments):
        if len(computed) == 3:
            raise KeyboardInterrupt
        return counted(**arguments)

    known = _TABLE["bound"].__class__(**{**vars(_TABLE["bound"]), "trial": stopped})
    with monkeypatch.context() as patch:
        patch.setitem(_TABLE, "bound", known)
        with pytest.raises(KeyboardInterrupt):
            reproduce("bound", folder.parent, preset="quick", trials=2, again=9)
    reproduce("bound", folder.parent, preset="quick", trials=2, again=9)
    assert len(computed) == len(set(computed)) == 4, "none was computed twice"
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [(one["tasks"], one["equal"]) for one in manifest["again"]] == [(3, 3), (1, 1)]
    assert (folder / "trials.csv").read_text() == right
