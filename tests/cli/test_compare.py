import json
import os
from pathlib import Path

import numpy as np
import pytest

KNOWN = ("compare", "pool.csv", "--labels", "known.csv")
QUICK = ("--splits", 2, "--jobs", 1)


@pytest.fixture
def known(blobs):
    """Two classes of the first 50 samples, numbers of all 60."""
    classes = [f"s{i},{'low' if i < 30 else 'high'}" for i in range(50)]
    Path("known.csv").write_text("id,label\n" + "\n".join(classes) + "\n")
    numbers = [f"s{i},{i + 0.5}" for i in range(60)]
    Path("numbers.csv").write_text("id,score\n" + "\n".join(numbers) + "\n")


def test_the_table_and_the_folder(run, known):
    done = run(*KNOWN, "--methods", "auto", "--predictors", "auto,1-nn", "--budgets", "2,10", *QUICK)
    assert done.code == 0, done.err
    assert done.err.endswith("comparison/README.md\n")
    assert "random" in done.err, "the answer is told in a pipe, too"
    assert "On this pool, " in done.err
    assert len(done.rows) == 2 * 2 * 2 * 2
    assert {row["method"] for row in done.rows} == {"auto", "random"}
    assert {row["predictor"] for row in done.rows} == {"auto", "1-nn"}
    assert {row["n_landmarks"] for row in done.rows} == {"2", "10"}
    files = {file.name for file in Path("comparison").iterdir()}
    assert files == {"README.md", "summary.csv", "trials.csv", "compare.png", "manifest.json", "tasks"}
    assert done.out == Path("comparison/summary.csv").read_text()


@pytest.mark.slow
def test_the_same_command_goes_on(run, known):
    words = (*KNOWN, "--methods", "gcls", "--budgets", "4", "-o", "out", "--jobs", 1)
    run(*words, "--splits", 1)
    task = Path("out/tasks/000-gcls.json")
    before = task.stat().st_mtime_ns
    again = run(*words, "--splits", 2, "--json", "-v")
    assert again.code == 0, again.err
    assert "compare 2 of 4" in again.err
    assert task.stat().st_mtime_ns == before
    assert again.json["n_splits"] == 2
    assert again.json["output"] == "out"
    assert again.json["winner"] in again.err
    assert again.json["answer"] in again.err
    assert set(again.json["best"]) == {"method", "predictor"}
    assert again.json["predictors"] == ["auto", "propagation", "logistic", "svm", "1-nn"]
    assert set(again.json["overall"]) == {"gcls", "random"}
    assert list(again.json["overall"]["gcls"]) == again.json["predictors"]
    assert again.json["overall"]["random"]["svm"]["ratio"] == 1.0
    assert len(again.json["table"]) == 4 * 5
    refused = run(*words, "--splits", 2, "--seed", 1)
    assert refused.code == 2
    assert "out holds results with seed = 0; this run has 1" in refused.err


def test_labels_in_the_loop(run, known):
    done = run(*KNOWN, "--methods", "kmeans,learner", "--budgets", "4", *QUICK, "--json", "-v")
    assert done.code == 0, done.err
    assert done.json["winner"].startswith(("kmeans", "No method"))
    assert done.json["loop"].startswith("Labels in the loop")
    assert done.json["loop"] in done.err
    assert {name: one["svm"]["told_labels"] for name, one in done.json["overall"].items()} == {
        "kmeans": False,
        "learner": True,
        "random": False,
    }
    assert "## Labels in the loop" in Path("comparison/README.md").read_text()


def test_numbers(run, known):
    done = run("compare", "pool.csv", "--labels", "numbers.csv", "--budgets", "5", *QUICK, "--json")
    assert done.json["task"] == "regression"
    assert done.json["n_pool"] == 45
    assert set(done.json["overall"]) == {"auto", "random", "kmeans"}
    assert done.json["predictors"] == ["auto", "propagation", "ridge", "svm", "1-nn"]


def test_a_network(run, folder):
    Path("edges.csv").write_text("source,target\n" + "".join(f"n{i},n{i + 1}\n" for i in range(29)))
    Path("known.csv").write_text("id,label\n" + "".join(f"n{i},{'ab'[i > 12]}\n" for i in range(30)))
    words = ("compare", "edges.csv", "--labels", "known.csv", *QUICK, "--json")
    done = run(*words)
    assert done.code == 0, done.err
    assert set(done.json["overall"]) == {"auto", "random", "maxmin_geodesic"}
    assert (done.json["predictors"], done.json["answer"]) == (["auto"], "")
    refused = run(*words, "--methods", "kmeans", "-o", "b")
    assert refused.code == 2
    assert "--methods kmeans needs features; edges.csv is a graph." in refused.err
    refused = run(*words, "--predictors", "auto,svm", "-o", "b")
    assert "--predictors must be among auto, propagation without features; got 'svm'." in refused.err
    assert "--neighbors has no meaning" in run(*words, "-k", 3, "-o", "b").err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--methods", "auto,best"], "--methods must be one of"),
        (["--methods", "auto,auto"], "--methods must be distinct"),
        (["--predictors", "auto,forest"], "--predictors must be one of 'auto', 'propagation', 'logistic'"),
        (["--predictors", "auto,auto"], "--predictors must have distinct names"),
        (["--predictors", "ridge"], "--predictors must be among auto, propagation, logistic, svm, 1-nn for"),
        (["--budgets", "5,many"], "--budgets must be whole numbers between commas; got 'many'"),
        (["--budgets", "38"], "--budgets must be an integer and lie in [1, 37] for pools of 38"),
        (["--splits", "0"], "--splits"),
        (["--held-out", "1"], "--held-out must be greater than 0 and less than 1"),
        (["--neighbors", "40"], "--neighbors must be an integer and lie in [1, 37]"),
        (["--metric", "manhattan"], "--metric must be one of"),
        (["--task", "ranking"], "--task must be one of"),
        (["--labels", "nowhere.csv"], "--labels must be a file that exists"),
        (["--labels", "few.csv"], "--labels must label at least 8 samples for a comparison; got 2"),
        (["--labels", "one.csv"], "--labels must hold at least two classes; got only a"),
        (["-o", "few.csv"], "--output must be a folder; few.csv is a file"),
        (["-o", "few.csv/deep"], "few.csv is a file"),
        (["--labels", "out/summary.csv"], "must not overwrite out/summary.csv"),
    ],
)
def test_bad_words_get_one_line(run, known, arguments, message):
    Path("few.csv").write_text("id,label\ns1,a\ns2,b\n")
    Path("one.csv").write_text("id,label\n" + "".join(f"s{i},a\n" for i in range(20)))
    Path("out").mkdir()
    Path("out/summary.csv").write_text("id,label\n" + "".join(f"s{i},{'ab'[i % 2]}\n" for i in range(20)))
    done = run(*KNOWN, "-o", "out", *arguments)
    assert done.code == 2, done.err
    assert message in done.err
    assert len(done.err.splitlines()) == 1
    assert {file.name for file in Path("out").iterdir()} == {"summary.csv"}


def test_a_folder_that_cannot_be_written_is_refused_before_the_pool_is_read(run, known, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
    Path("pool.csv").write_text("no table")
    done = run(*KNOWN, "-o", "closed/deep")
    assert done.code == 2
    assert "--output must be a folder that can be written to;" in done.err


def test_a_folder_of_other_labels_is_refused_in_words(run, known):
    words = (*KNOWN, *QUICK, "--methods", "random", "--budgets", "5", "-o", "out")
    assert run(*words).code == 0
    Path("known.csv").write_text(Path("known.csv").read_text().rsplit("\n", 2)[0] + "\n")
    done = run(*words)
    assert done.code == 2
    assert "out holds results of other samples or labels; name another output folder" in done.err


@pytest.mark.slow
def test_the_order_of_the_labels_changes_nothing(run, known):
    lines = Path("known.csv").read_text().splitlines()
    order = np.random.default_rng(0).permutation(len(lines) - 1)
    Path("other.csv").write_text("\n".join([lines[0], *(lines[1 + i] for i in order)]) + "\n")
    for name in ("known", "other"):
        run("compare", "pool.csv", "--labels", f"{name}.csv", "--methods", "kmeans", *QUICK, "-o", name)
    held = [json.loads(Path(name, "tasks/001-kmeans.json").read_text()) for name in ("known", "other")]
    first, second = ([[row["rest"], row["held_out"]] for row in one["rows"]] for one in held)
    assert first == second
