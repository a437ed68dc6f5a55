import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import trigpoint as tp


def test_a_graph_is_built_and_told(run, blobs):
    done = run("graph", "build", "pool.npy", "--neighbors", 6, "--view", "raw", "-o", "g")
    assert (done.code, done.out, done.err) == (0, "", "")
    expected = tp.neighbor_graph(blobs, 6)
    assert_array_equal(tp.open_graph("g", check=True).neighbors, expected.neighbors)
    facts = run("graph", "info", "g", "--json").json
    assert facts == {
        "n_samples": 60,
        "n_neighbors": 6,
        "n_edges": 360,
        "metric": "euclidean",
        "method": "exact",
        "recall": 1.0,
        "n_components": expected.n_components,
        "n_isolated": 0,
        "bytes": sum(file.stat().st_size for file in Path("g").glob("*.npy")),
        "created": facts["created"],
        "trigpoint": facts["trigpoint"],
        "settings": {"pool": "pool.npy", "view": "raw", "fingerprint": facts["settings"]["fingerprint"]},
    }
    told = dict(line.split(None, 2)[-2:] for line in run("graph", "info", "g").out.splitlines())
    assert (told["samples"], told["edges"]) == ("60", "360")
    assert "view          raw" in run("graph", "info", "g").out


@pytest.mark.parametrize("words", [[], ["--metric", "cosine"], ["--view", "white", "--no-cache"]])
def test_the_graph_is_that_of_select(run, blobs, words):
    facts = run("graph", "build", "pool.csv", *words, "-o", "g", "--json").json
    selected = run("select", "pool.csv", "-n", 3, *words, "--json").json
    assert facts["settings"]["view"] == selected["view"]["name"]
    assert {name: facts[name] for name in selected["graph"]} == selected["graph"]
    assert facts["output"] == "g"


def test_a_graph_is_a_pool_of_other_commands(run, blobs):
    run("graph", "build", "pool.npy", "--view", "raw", "-o", "g")
    from_graph = run("select", "g", "-n", 4, "--json").json
    from_pool = run("select", "pool.npy", "-n", 4, "--view", "raw", "--json").json
    assert from_graph["landmarks"] == from_pool["landmarks"]
    Path("l.csv").write_text("id,label\n3,low\n40,high\n")
    done = run("propagate", "g", "--labels", "l.csv", "--predictor", "propagation")
    assert done.code == 0
    assert [row["predicted"] for row in done.rows] == ["low"] * 30 + ["high"] * 30
    done = run("select", "g", "-n", 4, "--neighbors", 5)
    assert (done.code, "--neighbors has no meaning for g, which is a graph" in done.err) == (2, True)


def test_edges_and_shards_are_pools_too(run, folder):
    Path("edges.csv").write_text("source,target\na,b\nb,c\nd,d\n")
    facts = run("graph", "build", "edges.csv", "-o", "e", "--json").json
    assert (facts["n_samples"], facts["n_isolated"], facts["settings"]["view"]) == (4, 1, None)
    assert facts["n_neighbors"] is None
    assert "unknown" in run("graph", "info", "e").out
    Path("x").mkdir()
    X = np.random.default_rng(0).normal(size=(40, 3))
    np.save("x/0.npy", X[:15])
    np.save("x/1.npy", X[15:])
    assert run("graph", "build", "x", "-k", 4, "--view", "raw", "-o", "g").code == 0
    assert_array_equal(tp.open_graph("g").neighbors, tp.neighbor_graph(X, 4).neighbors)


def test_what_is_refused(run, blobs, monkeypatch):
    monkeypatch.setattr("trigpoint.cli._prepare.cached_graph", None)  # calling it would be an internal error
    Path("photos").mkdir()
    Path("photos/a.png").write_bytes(b"x")
    for words, message in {
        ("pool.npy", "-o", "photos"): "photos must be new, empty, or a folder written by",
        ("pool.npy", "-o", "no/g"): "must lie in a folder that exists",
        ("none.npy", "-o", "g"): "POOL must be a file or folder that exists",
        ("pool.npy", "-o", "g", "--metric", "far"): "--metric must be one of",
        ("pool.npy", "-o", "g", "-k", "60"): "--neighbors must be an integer and lie in [1, 59]",
        ("pool.npy",): "Missing option",
    }.items():
        done = run("graph", "build", *words)
        assert done.code == 2, words
        assert message in done.err
        assert done.err.count("\n") == 1
    assert not Path("g").exists()


def test_damage_is_told(run, blobs):
    run("graph", "build", "pool.npy", "-o", "g")
    data = bytearray(Path("g/distances.npy").read_bytes())
    data[-2] ^= 255
    Path("g/distances.npy").write_bytes(data)
    assert run("graph", "info", "g").code == 0
    done = run("graph", "info", "g", "--check")
    assert done.code == 2
    assert "distances.npy: its checksum is another" in done.err
    assert "there is none" in run("graph", "info", "h").err
    assert "it is a file" in run("graph", "info", "pool.npy").err


def test_a_file_of_options(run, blobs):
    Path("run.toml").write_text("[graph.build]\nneighbors = 7\noutput = 'g'\n[select]\nbudget = 3\n")
    assert run("graph", "build", "pool.npy", "--config", "run.toml").code == 0
    assert tp.open_graph("g").n_neighbors == 7
    assert run("select", "pool.npy", "--config", "run.toml").code == 0
    Path("run.toml").write_text("[graph.bild]\nneighbors = 7\n")
    done = run("graph", "build", "pool.npy", "--config", "run.toml", "-o", "g")
    assert "tables of commands (build, info); got 'bild'" in done.err


def test_json_has_no_nan(run, blobs):
    graph = tp.NeighborGraph(np.array([0, 1, 2]), np.array([1, 0], np.int32), np.ones(2), recall=np.nan)
    tp.save_graph("g", graph)
    assert json.loads(run("graph", "info", "g", "--json").out)["recall"] is None
