import json
from pathlib import Path

import numpy as np
import pytest

import trigpoint as tp
from trigpoint import features
from trigpoint.cli import _options
from trigpoint.io import read_landmarks, read_pool


def test_landmarks_are_those_of_the_library_in_order_of_choice(run, blobs):
    done = run("select", "pool.csv", "--budget", 5)
    picks = tp.LandmarkSelector(5).fit(blobs).landmarks_
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == "id,rank,index"
    assert done.rows == [{"id": f"s{i}", "rank": str(k + 1), "index": str(i)} for k, i in enumerate(picks)]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_the_suffix_decides_and_the_file_comes_back(run, blobs, suffix):
    printed = run("select", "pool.csv", "-n", 4)
    done = run("select", "pool.csv", "-n", 4, "-o", f"found.{suffix}")
    assert (done.code, done.out, done.err) == (0, "", "")
    found = read_landmarks(f"found.{suffix}", read_pool("pool.csv").ids)
    assert found.tolist() == [int(row["index"]) for row in printed.rows]
    assert not list(Path().glob(".trigpoint-*"))


def test_a_dash_is_standard_output(run, blobs):
    assert run("select", "pool.csv", "-n", 4, "-o", "-").out == run("select", "pool.csv", "-n", 4).out


@pytest.mark.parametrize("method", ["random", "kmeans", "volume", "nystrom"])
def test_equal_seeds_give_equal_landmarks(run, blobs, method):
    same = [run("select", "pool.csv", "-n", 6, "--method", method, "--seed", 7).out for _ in range(2)]
    other = [run("select", "pool.csv", "-n", 6, "--method", method, "--seed", seed).out for seed in range(5)]
    assert same[0] == same[1]
    assert len(set(other)) > 1


def test_json_holds_the_landmarks_or_where_they_went(run, blobs):
    inline = run("select", "pool.csv", "-n", 3, "--json").json
    table = run("select", "pool.csv", "-n", 3).rows
    assert [row["id"] for row in inline["landmarks"]] == [row["id"] for row in table]
    assert inline["n_samples"] == 60
    assert inline["graph"]["n_components"] == 2
    written = run("select", "pool.csv", "-n", 3, "--json", "-o", "found.csv").json
    assert written["output"] == "found.csv"
    assert "landmarks" not in written
    assert len(Path("found.csv").read_text().splitlines()) == 4


@pytest.mark.parametrize(
    "content", ["id,label\ns3,low\ns40,high\ns8,\n", "id,rank,index\ns3,1,3\ns40,2,40\n", "id\ns3\ns40\n"]
)
def test_samples_that_are_labeled_already_count(run, blobs, content):
    Path("known.csv").write_text(content)
    done = run("select", "pool.csv", "-n", 58, "--initial", "known.csv", "--json").json
    chosen = {row["index"] for row in done["landmarks"]}
    assert chosen == set(range(60)) - {3, 40}
    assert done["n_initial"] == 2


def test_options_reach_the_method(run, blobs):
    words = ["select", "pool.csv", "-n", 4, "--method", "gcls", "--view", "raw", "-k", 10, "--json"]
    done = run(*words, "--option", "strategy=two_candidates", "--option", "alpha=0.5").json
    phi = tp.laplacian(tp.neighbor_graph(blobs, 10))
    picks = tp.select(phi, 4, method="gcls", strategy="two_candidates", alpha=0.5)
    assert [row["index"] for row in done["landmarks"]] == picks.tolist()
    assert done["options"] == {"strategy": "two_candidates", "alpha": 0.5}


@pytest.mark.parametrize("method", ["auto", "gcls"])
@pytest.mark.parametrize("alignment", ["diffusion", "lle", "ltsa"])
def test_alignments(run, blobs, alignment, method):
    extra = ["--alignment-option", "n_components=1"] if alignment == "ltsa" else []
    words = ["select", "pool.npy", "-n", 4, "-k", 6, "--view", "raw", "--alignment", alignment]
    words += ["--method", method]
    done = run(*words, *extra, "--json")
    graph = tp.neighbor_graph(blobs, 6)
    phi = {
        "diffusion": lambda: tp.diffusion(graph),
        "lle": lambda: tp.lle(graph, blobs),
        "ltsa": lambda: tp.ltsa(graph, blobs, n_components=1),
    }[alignment]()
    picks = tp.select(phi, 4, method=method)
    assert [row["index"] for row in done.json["landmarks"]] == picks.tolist()


def test_a_pool_that_is_a_graph(run, folder):
    edges = "\n".join(f"n{i},n{i + 1}" for i in range(8))
    Path("edges.csv").write_text("source,target\n" + edges + "\n")
    Path("start.csv").write_text("id\nn0\n")
    done = run("select", "edges.csv", "-n", 3, "--initial", "start.csv", "--method", "maxmin_geodesic")
    assert [row["id"] for row in done.rows] == ["n8", "n4", "n2"]
    for words, message in (
        (["--alignment", "lle"], "--alignment lle needs features; edges.csv is a graph."),
        (["--method", "kmeans"], "--method kmeans needs features; edges.csv is a graph."),
        (["--neighbors", "3"], "--neighbors has no meaning for edges.csv, which is a graph; got 3."),
        (["--metric", "cosine"], "--metric has no meaning for edges.csv, which is a graph; got 'cosine'."),
        (["--view", "auto"], "--view has no meaning for edges.csv, which is a graph; got 'auto'."),
    ):
        assert run("select", "edges.csv", "-n", 3, *words).err == f"trigpoint: {message}\n"


def test_a_folder_of_pictures_and_tasks_for_label_studio(run, folder):
    from PIL import Image

    Path("pictures").mkdir()
    rng = np.random.default_rng(0)
    for i in range(12):
        Image.fromarray(rng.integers(0, 256, (9, 7), dtype=np.uint8)).save(f"pictures/{i:02d}.png")
    words = ["pictures", "-n", 3, "--image-size", "9x7", "-k", 3]
    done = run("select", *words, "--label-studio", "tasks.json")
    tasks = json.loads(Path("tasks.json").read_text())
    assert [task["data"]["id"] for task in tasks] == [row["id"] for row in done.rows]
    assert run("select", *words, "--color").code == 0


def test_texts_columns_and_embeddings_beside(run, folder):
    words = ["red fox", "red dog", "blue fox", "blue dog", "green fox", "green dog"]
    rows = [f"{i},{i % 2},{i // 2},{text}" for i, text in enumerate(words)]
    Path("pool.csv").write_text("key,a,b,note\n" + "\n".join(rows) + "\n")
    np.save("embedded.npy", np.arange(6.0)[:, None])
    texts = run("select", "pool.csv", "-n", 2, "-k", 2, "--text-column", "note", "--id-column", "key")
    chosen = run("select", "pool.csv", "-n", 2, "-k", 2, "--columns", "a,b")
    beside = run("select", "pool.csv", "-n", 2, "-k", 2, "--features", "embedded.npy")
    assert [texts.code, chosen.code, beside.code] == [0, 0, 0]


def test_a_small_pool_takes_fewer_neighbors_than_usual(run, folder):
    np.save("small.npy", np.arange(4.0)[:, None])
    assert run("select", "small.npy", "-n", 2, "--json").json["graph"]["n_neighbors"] == 3


def test_the_second_command_finds_the_graph(run, folder, monkeypatch):
    np.save("wide.npy", np.random.default_rng(0).normal(size=(60, 6)))
    first = run("select", "wide.npy", "-n", 3, "--cache", "kept")
    assert len(list(Path("kept").iterdir())) == 3, "one a view"
    named = run("select", "wide.npy", "-n", 3, "--cache", "kept", "--view", "white")
    assert len(list(Path("kept").iterdir())) == 3
    monkeypatch.setattr("trigpoint.io._cache.neighbor_graph", None)  # calling it would fail
    assert run("select", "wide.npy", "-n", 3, "--cache", "kept").out == first.out
    assert run("select", "wide.npy", "-n", 3, "--no-cache").out == first.out
    assert run("select", "wide.npy", "-n", 3, "--no-cache", "--view", "white").out == named.out


def test_the_view_is_chosen_and_told(run, folder):
    """Clusters in eight columns, and one column of noise in a unit of its own."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(0, 0.1, (90, 8)) + np.eye(8)[np.arange(90) % 3], rng.normal(0, 1e4, 90)])
    np.save("pool.npy", X)
    told = run("select", "pool.npy", "-n", 3, "--json").json
    model = tp.LandmarkSelector(3).fit(X)
    assert list(told["view"]["considered"]) == ["standard", "half_white", "white"]
    assert told["view"]["considered"] == model.views_considered_
    assert (told["view"]["name"], told["view"]["base"]) == (model.view_.name, "standard")
    assert [row["index"] for row in told["landmarks"]] == model.landmarks_.tolist()
    loud = run("select", "pool.npy", "-n", 3, "-v").err
    said = ", ".join(f"{name} {each['nearness']:.3f}" for name, each in told["view"]["considered"].items())
    used = model.view_.name
    assert f"trigpoint: views by nearness, where less is better: {said}; used: {used}\n" in loud


@pytest.mark.parametrize("view", ["raw", "standard", "half_white", "white"])
@pytest.mark.parametrize("method", ["auto", "kmeans"])  # the second works on the features
def test_a_view_can_be_named(run, blobs, view, method):
    done = run("select", "pool.csv", "-n", 4, "--view", view, "--method", method, "--json").json
    model = tp.LandmarkSelector(4, view=view, method=method).fit(blobs)
    assert [row["index"] for row in done["landmarks"]] == model.landmarks_.tolist()
    assert done["view"] == {"name": view, "base": model.view_.base, "considered": model.views_considered_}


def test_a_view_may_have_too_few_features_for_an_alignment(run, blobs, monkeypatch):
    """Told before the graph of that view is made."""
    monkeypatch.setattr("trigpoint.cli._prepare.cached_graph", None)
    words = ["select", "pool.csv", "-n", 4, "--alignment", "ltsa", "--alignment-option", "n_components=2"]
    done = run(*words, "--view", "half_white")
    rule = "must be an integer and lie in [1, 1] for 1 features in the view half_white"
    assert (done.code, done.err) == (2, f"trigpoint: n_components {rule}; got 2.\n")


def test_other_metrics_are_of_raw_features(run, blobs):
    done = run("select", "pool.csv", "-n", 4, "--metric", "cosine", "--json").json
    assert (done["view"]["name"], done["graph"]["metric"]) == ("raw", "cosine")


def test_a_graph_has_no_view(run, folder):
    Path("edges.csv").write_text("source,target\na,b\nb,c\n")
    assert run("select", "edges.csv", "-n", 1, "--json").json["view"] is None


def test_no_cache_leaves_nothing(run, blobs, tmp_path):
    run("select", "pool.csv", "-n", 3, "--no-cache")
    assert not (tmp_path.parent / f"{tmp_path.name}-cache").exists()


def test_verbose_speaks_on_standard_error_only(run, blobs):
    quiet, loud = (run("select", "pool.csv", "-n", 3, *more) for more in ([], ["--verbose"]))
    assert loud.out == quiet.out
    assert "NeighborGraph(n=60, K=15, euclidean, exact, recall=1, components=2, isolated=0)" in loud.err
    assert all(line.startswith("trigpoint: ") for line in loud.err.splitlines())


@pytest.mark.slow
def test_mnist(run, data_folder):
    done = run("select", data_folder / "mnist" / "t10k-images-idx3-ubyte.gz", "-n", 5, "--json").json
    assert done["n_samples"] == 10_000
    assert len({row["index"] for row in done["landmarks"]}) == 5


def test_one_line_tells_the_columns_of_a_table(run, folder):
    rng = np.random.default_rng(0)
    sexes = ["male", "female", "NA"]
    rows = [
        f"{500 + i},{x},{'' if i == 7 else 1000 * x},{sexes[i % 3]},EU" for i, x in enumerate(rng.random(40))
    ]
    Path("birds.csv").write_text("bird_id,bill,mass,sex,region\n" + "\n".join(rows) + "\n")
    line = (
        "trigpoint: columns used: 2 numbers (bill, mass), 1 category (sex); "
        "left out: bird_id (counts the rows), region (constant).\n"
    )
    done = run("select", "birds.csv", "-n", "4", "--json", "--report", "page.html")
    assert (done.code, done.err, done.columns) == (0, "", line)
    assert done.json["columns"] == [
        {"name": "bird_id", "use": None, "why": "counts the rows"},
        {"name": "bill", "use": "number", "why": ""},
        {"name": "mass", "use": "number", "why": ""},
        {"name": "sex", "use": "category", "why": "2 categories; missing values marked"},
        {"name": "region", "use": None, "why": "constant"},
    ]
    assert "2 numbers (bill, mass), 1 category (sex)" in Path("page.html").read_text()
    other = run(
        "select", "birds.csv", "-n", "4", "--drop", "sex", "--scale", "standard", "--columns", "bill,sex"
    )
    assert other.columns == "trigpoint: columns used: 1 number (bill); left out: sex (dropped).\n"


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["--drop", "z"], "--drop must be a column of pool.csv"),
        (["--scale", "tiny"], "--scale must be one of 'auto', 'robust', 'standard', 'none'; got 'tiny'"),
        (["--missing", "drop"], "--missing must be one of 'impute', 'refuse'; got 'drop'"),
        (["--drop", "height,width"], "pool.csv must have a column that can be a feature"),
    ],
)
def test_bad_options_of_columns_get_one_line(run, blobs, words, rule):
    done = run("select", "pool.csv", "-n", "4", *words)
    assert (done.code, done.columns) == (2, "")
    assert rule in done.err
    assert done.err.count("\n") == 1


def test_the_words_of_the_options_are_those_of_the_library():
    assert (_options.SCALES, _options.MISSING_RULES) == (features.SCALES, features.MISSING_RULES)
