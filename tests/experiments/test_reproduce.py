import csv
import json

import pytest

import trigpoint as tp
from trigpoint.experiments import needs_data, reproduce
from trigpoint.experiments._paper_methods import METHODS

FILES = {"README.md", "manifest.json", "summary.csv", "trials.csv"}


def table(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.slow
def test_the_torus_quickly(tmp_path):
    told = []
    with tp.progress(told.append):
        folder = reproduce("torus", tmp_path, preset="quick", jobs=2)
    assert {file.name for file in folder.iterdir()} == {*FILES, "tasks", "torus.png"}
    trials = table(folder / "trials.csv")
    assert {row["method"] for row in trials} == set(METHODS)
    assert len(trials) == 2 * 2 * (2 * (len(METHODS) - 1) + 1)  # noises, budgets, trials; MinCond has one
    assert all(0 < float(row["ls_error"]) < 1000 for row in trials)
    page = (folder / "README.md").read_text()
    assert "| Facility (our default) |" in page
    assert "](torus.png)" in page
    assert [one.done for one in told if one.stage == "torus"] == [0, *range(51), 50]
    assert told[-1].total == 50
    run = json.loads((folder / "manifest.json").read_text())["runs"][0]
    assert run["preset"] == "quick"
    assert run["versions"]["numpy"]
    assert run["machine"]["cores"] >= 1
    assert len(run["code"]) == 16


@pytest.mark.slow
def test_going_on_is_the_same_as_going_through(tmp_path):
    """Trials added later, and a task that was lost, leave the tables that one run would have made."""
    reproduce("bound", tmp_path / "a", preset="quick", trials=1)
    (tmp_path / "a/bound/tasks/faces-000-gcls.json").unlink()
    again = reproduce("bound", tmp_path / "a", preset="quick", trials=2, jobs=2)
    whole = reproduce("bound", tmp_path / "b", preset="quick", trials=2)
    for name in ("trials.csv", "summary.csv", "README.md"):
        assert (again / name).read_text() == (whole / name).read_text()
    assert len(table(whole / "trials.csv")) == 2 * 2 * len(METHODS)


@pytest.mark.slow
def test_regression_quickly(tmp_path, data_folder, reference_folder):
    folder = reproduce(
        "regression", tmp_path, preset="quick", jobs=2, data=data_folder, reference=reference_folder
    )
    sets = ("faces", "isomap_faces", "lips", "jazz_hands", "deformed_grid")
    pictures = {f"{name}{end}.png" for name in sets for end in ("", "_pictures")}
    assert {file.name for file in folder.iterdir()} == {*FILES, *pictures, "tasks"}
    trials = table(folder / "trials.csv")
    assert {(row["dataset"], row["condition"]) for row in trials} == {
        (name, condition) for name in sets for condition in ("clean", "noisy")
    }
    assert all(float(row[name]) > 0 for row in trials for name in ("ls_error", "spec_error"))
    page = (folder / "README.md").read_text()
    assert "Selecting on LTSA instead of the Laplacian" in page


@pytest.mark.slow
def test_classification_quickly(tmp_path, data_folder):
    folder = reproduce("classification", tmp_path, preset="quick", trials=1, jobs=2, data=data_folder)
    trials = table(folder / "trials.csv")
    assert {row["method"] for row in trials} == set(METHODS) - {"MinCond"}
    for row in trials:
        assert int(row["labels_spent"]) >= int(row["labels_per_class"]) * (6 if row["dataset"] == "ar" else 5)
        assert 20 < float(row["accuracy_untrained"]) <= 100
    assert "hours of one core" in (folder / "README.md").read_text()


@pytest.mark.slow
def test_run_times_quickly(tmp_path):
    folder = reproduce("runtime", tmp_path, preset="quick", trials=1, jobs=2)
    assert all(float(row["seconds"]) > 0 for row in table(folder / "trials.csv"))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"suite": "everything"}, "suite must be one of"),
        ({"preset": "slow"}, "preset must be one of"),
        ({"trials": 0}, "trials must be"),
        ({"slow_trials": -1}, "slow_trials must be"),
        ({"jobs": 0}, "jobs must be"),
        ({"seed": -1}, "seed must be"),
        ({"data": "nowhere"}, "data must name a folder; got 'nowhere'"),
        ({"reference": "nowhere"}, "reference must name a folder; got 'nowhere'"),
        ({"suite": "classification"}, "data must name the folder of the real data sets"),
    ],
)
def test_bad_words_are_refused_before_anything_is_written(tmp_path, given, message):
    suite = given.pop("suite", "torus")
    with pytest.raises((ValueError, OSError), match=message):
        reproduce(suite, tmp_path / "out", **given)
    assert not (tmp_path / "out").exists()


def test_a_missing_data_file_is_told_before_anything_is_written(tmp_path):
    (tmp_path / "data").mkdir()
    with pytest.raises(FileNotFoundError, match=r"ar_faces\.npz"):
        reproduce("classification", tmp_path / "out", preset="quick", data=tmp_path / "data")
    with pytest.raises(FileNotFoundError, match=r"isomap_faces\.npz"):
        reproduce("regression", tmp_path / "out", preset="quick", data=tmp_path / "data")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_other_settings_are_refused(tmp_path):
    reproduce("bound", tmp_path, preset="quick", trials=1)
    with pytest.raises(ValueError, match=r"holds results with seed = 0; this run has 3"):
        reproduce("bound", tmp_path, preset="quick", trials=1, seed=3)


def test_which_suites_need_data():
    assert needs_data("classification")
    assert not needs_data("regression")
