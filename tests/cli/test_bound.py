import dataclasses
from pathlib import Path

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.cli._bound import MEANINGS
from trigpoint.io import read_pool


@pytest.mark.parametrize("view", ["auto", "raw", "white"])
def test_the_bound_is_that_of_the_library_in_the_view_of_the_selection(run, blobs, view):
    found = tp.landmark_bound(tp.LandmarkSelector(2, view=view).fit(blobs).alignment_matrix_, [3, 40])
    words = ["bound", "pool.csv", "--landmarks", "landmarks.csv", *(["--view", view] * (view != "auto"))]
    done = run(*words, "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json["bound"] == dataclasses.asdict(found)
    told = run(*words).out
    for name, value in dataclasses.asdict(found).items():
        line = next(line for line in told.splitlines() if line.startswith(name + " "))
        assert (value if isinstance(value, str) else f"{value:.6g}") in line


def test_every_field_has_a_meaning():
    assert list(MEANINGS) == [field.name for field in dataclasses.fields(tp.bound.LandmarkBound)]


def test_alpha_is_passed_on(run, blobs):
    words = ["bound", "pool.csv", "--landmarks", "landmarks.csv", "--json"]
    assert run(*words, "--alpha", "0.25").json["bound"]["alpha"] == 0.25


def test_infinity_is_null_in_json(run, folder):
    Path("edges.csv").write_text("source,target\na,b\nb,c\nd,d\n")
    Path("one.csv").write_text("id\nd\n")
    done = run("bound", "edges.csv", "--landmarks", "one.csv", "--json")
    assert done.json["bound"]["bound_inf"] is None


def test_the_path_follows_the_picks_in_their_order(run, blobs):
    words = ["--landmarks", "landmarks.csv", "--path", "path.csv", "--view", "raw", "--json"]
    done = run("bound", "pool.csv", *words)
    path = tp.selection_path(tp.laplacian(tp.neighbor_graph(blobs)), [3, 40])
    table = read_pool("path.csv", scale="none")
    assert done.json["path"] == "path.csv"
    assert table.ids.tolist() == ["s3", "s40"]
    column = table.X[:, table.feature_names.index("condition_number")]
    np.testing.assert_allclose(column, path.condition_number)
