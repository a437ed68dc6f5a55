"""How the project's end-to-end benchmark counts, and that its trials stay."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOM = Path(__file__).parents[2] / "benchmarks" / "endtoend"


@pytest.fixture
def bench(monkeypatch):
    """Its modules. Another benchmark has some of the same names, so they leave with the test."""
    monkeypatch.syspath_prepend(str(ROOM))
    names = [file.stem for file in ROOM.glob("[!_]*.py")]
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    yield importlib.import_module
    for name in names:
        sys.modules.pop(name, None)
    sys.modules.update(before)


def rows(pool, way, *errors, budget=20, judged=50):
    known = {"pool": pool, "method": way, "budget": budget, "judged": judged}
    return [{**known, "trial": trial, "held_out": error} for trial, error in enumerate(errors)]


def test_ratios_by_hand(bench):
    figures = bench("figures")
    held = figures.errors(
        [
            *rows("wine", "ours", 0.1, 0.0),  # no error counts as half of one sample
            *rows("wine", "svm", 0.2, 0.04),
            *rows("wine", "1nn", 0.4, 0.04, None),
            *rows("sonar", "ours", 0.3, 0.3),
            *rows("sonar", "svm", 0.3, None),
            *rows("sonar", "1nn", 0.1, 0.9),
        ]
    )
    found = figures.ratio(held, "ours", "svm")
    assert found.by_pool == pytest.approx({"wine": (0.5 * 0.25) ** 0.5, "sonar": 1.0})
    assert found.mean == pytest.approx((0.5 * 0.25) ** 0.25)
    assert (found.low, found.high) == pytest.approx((0.125**0.5, 1.0))
    assert found.worst == "sonar"
    assert found.among("own").by_pool == {"wine": found.by_pool["wine"]}
    best = figures.best_ratio(held, "ours", ("svm", "1nn"))
    assert best.by_pool == pytest.approx({"wine": (0.5 * 0.25) ** 0.5, "sonar": 1.0})
    assert figures.best_ratio(held, "ours", ("1nn",)).by_pool["sonar"] == pytest.approx(1.0)
    assert figures.ratio(held, "ours", "poisson") is None
    assert figures.ratio(held, "ours", "svm", budget=50) is None


def test_cells_that_are_worse_than_random(bench):
    figures = bench("figures")
    held = figures.errors(
        [
            *rows("wine", "ours", 0.2, 0.2, 0.2),
            *rows("wine", "random", 0.2, 0.2, 0.1),
            *rows("wine", "ours", 0.9, 0.9, budget=50),  # too few splits to say
            *rows("wine", "random", 0.2, 0.2, budget=50),
            *rows("iris", "ours", 0.2, 0.2, 0.2),
            *rows("iris", "random", 0.2, 0.2, 0.2),
        ]
    )
    count, worse = figures.worse_cells(held, "ours", "random")
    assert count == 2
    assert worse == pytest.approx({("wine", 20): 2 ** (1 / 3)})


def test_calibration_error_by_hand(bench):
    error = bench("trial").calibration_error
    sure = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert error(sure, np.array([3, 5]), np.array([3, 5])) == 0.0
    assert error(sure, np.array([3, 5]), np.array([5, 3])) == 1.0
    half = np.array([[0.75, 0.25], [0.25, 0.75], [0.72, 0.28], [0.28, 0.72]])
    truth = np.array([0, 1, 0, 0])
    assert error(half, np.arange(2), truth) == pytest.approx(abs((0.75 + 0.75 + 0.72 + 0.72) / 4 - 0.75))
    edges = np.array([[0.7, 0.3], [0.71, 0.29]])  # two bins, so a gap of each does not cancel
    assert error(edges, np.arange(2), np.array([0, 1])) == pytest.approx((0.3 + 0.71) / 2)
    unknown = np.full((2, 2), np.nan)
    assert error(unknown, np.arange(2), np.array([0, 1])) == 0.0


def test_splits_hold_a_quarter_out_and_repeat(bench):
    pools = bench("pools")
    one, again, other = (pools.split("wine", number, None, 100, 0) for number in (0, 0, 1))
    assert (one.n, len(one.y_held)) == (75, 25)
    assert one.budgets == [20]
    np.testing.assert_array_equal(one.X, again.X)
    assert not np.array_equal(one.X, other.X)
    assert not {tuple(row) for row in one.X} & {tuple(row) for row in one.X_held}


@pytest.mark.slow
def test_trials_stay_and_labels_that_change_are_judged_anew(tmp_path):
    def run(*further):
        words = [sys.executable, str(ROOM), "--pools", "iris", "--splits", "1", "--jobs", "1"]
        words += ["--ways", "ours,logistic", "-o", str(tmp_path), *further]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    assert "iris-000-ours" in run()
    names = sorted(path.name for path in (tmp_path / "tasks").iterdir())
    assert [name.rsplit("-", 1)[0] for name in names] == ["iris-000-logistic", "iris-000"]
    assert "iris-000" not in run()  # nothing is left to do
    page = (tmp_path / "README.md").read_text()
    path = tmp_path / "tasks" / "iris-000-ours.json"
    held = json.loads(path.read_text())
    held["rows"][0]["landmarks"].reverse()  # as another rule would choose
    held["code"] = "of before"
    path.write_text(json.dumps(held))
    assert "iris-000-logistic" in run()
    assert len(list((tmp_path / "tasks").iterdir())) == 3
    trials = (tmp_path / "trials.csv").read_text().splitlines()
    assert len(trials) == 3  # the head, ours and one logistic regression
    assert "Ours was made by the code of before (1 trials).\n" in (tmp_path / "README.md").read_text()
    assert "iris-000-ours" in run("--again", "ours")
    assert (tmp_path / "README.md").read_text().split("## CPU")[0] == page.split("## CPU")[0]
