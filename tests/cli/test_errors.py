"""Bad input: one line, exit code 2, nothing written, and nothing long computed before."""

import os
from pathlib import Path

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.selection import METHODS

SELECT = ["select", "pool.csv", "--budget", "3"]
PROPAGATE = ["propagate", "pool.csv", "--labels"]
BOUND = ["bound", "pool.csv", "--landmarks"]
CASES = [
    (["select", "no.csv", "-n", "3"], "POOL must be a file or folder that exists; there is no no.csv.\n"),
    (
        ["select", "poool.csv", "-n", "3"],
        "POOL must be a file or folder that exists; there is no poool.csv. Did you mean pool.csv?",
    ),
    (["select", "no/pool.csv", "-n", "3"], "there is no no/pool.csv.\n"),
    (
        ["select", "pool.csv", "-n", "61"],
        "--budget must be an integer and lie in [1, 60] for 60 samples; got 61.",
    ),
    (
        ["select", "pool.csv", "-n", "59", "--initial", "labels.csv"],
        "--budget must be an integer and lie in [1, 58] for 60 samples, 2 of them in --initial; got 59.",
    ),
    ([*SELECT, "--initial", "no.csv"], "--initial must be a file that exists; there is no no.csv."),
    ([*SELECT, "-o", "found.xlsx"], "found.xlsx must be of a known kind"),
    ([*SELECT, "-o", "no/found.csv"], "no/found.csv must lie in a folder that exists; no does not."),
    ([*SELECT, "-o", "pool.csv"], "pool.csv must differ from all inputs and other outputs."),
    ([*SELECT, "-o", "./pool.csv"], "must differ from all inputs and other outputs"),
    (
        [*SELECT, "-o", "x.json", "--label-studio", "x.json"],
        "x.json must differ from all inputs and other outputs",
    ),
    ([*SELECT, "--label-studio", "tasks.csv"], "tasks.csv must end in .json."),
    ([*SELECT, "--json", "-o", "-"], "--output must name a file, because --json is printed; got -."),
    ([*SELECT, "--method", "best"], "--method must be one of 'auto', "),
    ([*SELECT, "--option", "power=1"], "power is not an option of --method auto, whose options are: none."),
    (
        [*SELECT, "--method", "gcls", "--option", "strategy=x"],
        "strategy must be one of 'exact', 'two_candidates'",
    ),
    ([*SELECT, "--option", "power"], "--option must look like KEY=VALUE; got 'power'."),
    ([*SELECT, "--option", "a=1", "--option", "a=2"], "--option must be given once for a; got it twice."),
    (
        [*SELECT, "--method", "kmeans", "--alignment", "diffusion"],
        "--alignment has no effect on --method kmeans, which does not use it; those that do: facility, ",
    ),
    (
        [*SELECT, "--method", "random", "--alignment-option", "weights=binary"],
        "--alignment has no effect on --method random",
    ),
    (
        [*SELECT, "--alignment-option", "weights=own"],
        "weights='own' needs a graph with similarities of its own",
    ),
    (
        [*SELECT, "--alignment", "lle", "--alignment-option", "reg=-1"],
        "reg must be a finite number at least 0",
    ),
    ([*SELECT, "--alignment", "isomap"], "--alignment must be one of 'laplacian', "),
    ([*SELECT, "--alignment", "ltsa"], "--alignment ltsa needs --alignment-option n_components=..."),
    (
        [*SELECT, "--alignment", "ltsa", "--alignment-option", "n_components=5"],
        "n_components must be an integer and lie in [1, 2] for 2 features; got 5.",
    ),
    (
        [*SELECT, "--alignment-option", "x=1"],
        "x is not an option of --alignment laplacian, whose options are: ",
    ),
    ([*SELECT, "--alignment-option", "weights=x"], "weights must be one of"),
    ([*SELECT, "--metric", "manhattan"], "--metric must be one of 'euclidean', 'cosine'; got 'manhattan'."),
    (
        [*SELECT, "--view", "best"],
        "--view must be one of 'auto', 'raw', 'standard', 'half_white', 'white'; got 'best'.",
    ),
    (
        ["select", "no.csv", "-n", "3", "--view", "best"],
        "--view must be one of 'auto', 'raw', 'standard', 'half_white', 'white'; got 'best'.",
    ),
    (
        [*SELECT, "--view", "white", "--metric", "cosine"],
        "--view must be 'auto' or 'raw' with --metric cosine; got 'white'.",
    ),
    ([*SELECT, "-k", "60"], "--neighbors must be an integer and lie in [1, 59] for 60 samples; got 60."),
    ([*SELECT, "-k", "0"], "--neighbors must be an integer and be at least 1; got 0."),
    (
        [*SELECT, "--id-column", "x"],
        "--id-column must be a column of pool.csv ('id', 'height', 'width'); got 'x'.",
    ),
    ([*SELECT, "--columns", "height,x"], "--columns must be a column of pool.csv"),
    ([*SELECT, "--key", "x"], "--key has no meaning for a .csv file, pool.csv; got 'x'."),
    ([*SELECT, "--features", "no.npy"], "no.npy must be a file that exists; there is none."),
    ([*SELECT, "--image-size", "big"], "--image-size must look like 32x32, height and width; got 'big'."),
    ([*SELECT, "--cache", "x", "--no-cache"], "--cache and --no-cache must not be used together."),
    ([*SELECT, "--bugdet", "3"], "--bugdet"),
    ([*SELECT, "--seed", "-1"], "--seed"),
    (["select", "pool.csv"], "--budget"),
    (["select"], "POOL"),
    (["slect"], "No such command 'slect'"),
    ([*PROPAGATE, "no.csv"], "--labels must be a file that exists; there is no no.csv."),
    (
        [*PROPAGATE, "strangers.csv"],
        "got 1 unknown, first 'zz' in line 2; the first id of the pool is 's0'.",
    ),
    ([*PROPAGATE, "twice.csv"], "twice.csv must give a sample one label; line 2 says 'a', line 3 says 'b'"),
    ([*PROPAGATE, "blank.csv"], "blank.csv must hold at least one label; it holds none."),
    ([*PROPAGATE, "pool.csv"], "pool.csv must have a column called label, or give --label-column; got"),
    ([*PROPAGATE, "labels.csv", "--label-column", "x"], "--label-column must be a column of labels.csv"),
    ([*PROPAGATE, "labels.csv", "--task", "regression"], "must be a number; got 'low'."),
    (
        [*PROPAGATE, "labels.csv", "--task", "x"],
        "--task must be one of 'auto', 'classification', 'regression'",
    ),
    (
        [*PROPAGATE, "labels.csv", "-o", "labels.csv"],
        "labels.csv must differ from all inputs and other outputs",
    ),
    (
        [*PROPAGATE, "labels.csv", "--predictor", "best"],
        "--predictor must be one of 'auto', 'propagation', 'linear'; got 'best'.",
    ),
    ([*PROPAGATE, "labels.csv", "--view", "best"], "--view must be one of 'auto', 'raw', "),
    ([*BOUND, "landmarks.csv", "--view", "best"], "--view must be one of 'auto', 'raw', "),
    ([*BOUND, "strangers.csv"], "strangers.csv must hold ids of the pool only"),
    ([*BOUND, "landmarks.csv", "--alpha", "0"], "--alpha must be a finite number greater than 0; got 0.0."),
    (
        [*BOUND, "landmarks.csv", "--path", "-"],
        "--path must name a file, because the bound is printed; got -.",
    ),
]


@pytest.fixture
def files(blobs, folder):
    Path("strangers.csv").write_text("id,label\nzz,a\n")
    Path("twice.csv").write_text("id,label\ns3,a\ns3,b\n")
    Path("blank.csv").write_text("id,label\ns3,\n")
    return sorted(folder.iterdir())


@pytest.mark.parametrize(("words", "message"), CASES, ids=lambda v: str(v)[:60])
def test_bad_input_is_one_line_before_anything_long(run, files, folder, monkeypatch, words, message):
    monkeypatch.setattr("trigpoint.cli._prepare.cached_graph", None)  # calling it would be an internal error
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("trigpoint: ")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert sorted(folder.iterdir()) == files


def test_methods_that_are_dense_by_nature_say_so_first(run, folder, monkeypatch):
    monkeypatch.setattr("trigpoint.cli._prepare.cached_graph", None)
    np.save("large.npy", np.zeros((10_001, 1)))
    for method, limit in (("mincond", 3000), ("rrqr", 10_000), ("gaussian_field", 10_000)):
        done = run("select", "large.npy", "-n", 3, "--method", method)
        assert done.code == 2
        assert done.err.startswith(f"trigpoint: --method {method} needs a dense matrix")
        assert done.err.endswith(f"the limit is {limit}.\n")


def test_a_missing_extra_is_told_at_once(run, blobs, monkeypatch):
    monkeypatch.setattr("trigpoint.io._files.find_spec", lambda name: None)
    monkeypatch.setattr("trigpoint.cli._prepare.cached_graph", None)
    done = run(*SELECT, "-o", "found.parquet")
    words = 'found.parquet needs pyarrow; install it with: pip install "trigpoint[files]".'
    assert (done.code, done.err) == (2, f"trigpoint: {words}\n")


def test_a_folder_that_cannot_be_written(run, blobs, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    done = run(*SELECT, "-o", "found.csv")
    assert done.code == 2
    assert "found.csv must be writable" in done.err


def test_the_methods_on_offer_are_those_of_the_library():
    ring = tp.graph_from_edges([[i, (i + 1) % 5] for i in range(5)])
    with pytest.raises(ValueError, match="method must be one of") as refused:
        tp.select(tp.laplacian(ring), 1, method="?")
    assert ", ".join(repr(name) for name in METHODS) in str(refused.value)


def test_every_method_runs_on_a_pool_with_features(run, blobs):
    for method in METHODS:
        assert run(*SELECT, "--method", method).err == ""


def test_a_failure_while_writing_leaves_the_old_file(run, blobs, monkeypatch):
    Path("found.csv").write_text("old")

    def full(part, target, special):
        raise OSError(28, "No space left on device", str(part))

    monkeypatch.setattr("trigpoint.io._atomic._settle", full)
    done = run(*SELECT, "-o", "found.csv", "--no-cache")
    assert (done.code, done.err) == (2, "trigpoint: found.csv: No space left on device.\n")
    assert Path("found.csv").read_text() == "old"
    assert not list(Path().glob(".trigpoint-*"))


def test_a_bug_is_one_line_too(run, blobs, monkeypatch):
    monkeypatch.setattr("trigpoint.cli._prepare.cached_graph", None)
    done = run(*SELECT)
    assert done.code == 1
    assert done.err.startswith("trigpoint: internal error, please report it: TypeError: ")
    assert done.err.count("\n") == 1


def test_warnings_are_one_line_each(run, blobs):
    Path("a-file").write_text("")
    done = run(*SELECT, "--cache", "a-file")
    assert done.code == 0
    assert done.err.startswith("trigpoint: warning: the graph was not cached: ")
    assert done.err.count("\n") == 1
