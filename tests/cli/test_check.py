"""trigpoint check, on files as strangers have them."""

import csv
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from trigpoint.io import read_labels, read_pool


def write(path, heads, rows):
    with Path(path).open("w", newline="") as file:
        csv.writer(file).writerows([heads, *rows])


def read(path):
    with Path(path).open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def table(folder):
    """Two clouds in messy.csv with some defects, and the labels in the pool itself."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 5))
    X[40:] += 7
    labels = ["low"] * 40 + ["high"] * 40
    for i in (6, 26, 36, 50, 60, 75):
        labels[i] = "low" if i > 39 else "high"
    labels[3], labels[4] = "Low ", "LOW"
    X[20] = X[10]
    X[70] += 900
    rows = [[f"s{i}", *X[i], 1.5, i, labels[i]] for i in range(80)]
    write("messy.csv", ["id", "a", "b", "c", "d", "e", "site", "row", "label"], rows)
    return X, labels


@pytest.fixture
def clean(folder):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 5))
    write("clean.csv", ["id", "a", "b", "c", "d", "e"], [[f"s{i}", *X[i]] for i in range(80)])
    return X


def finding(done, kind):
    return next(each for each in done.json["findings"] if each["kind"] == kind)


def kinds(done):
    return [each["kind"] for each in done.json["findings"]]


def test_a_healthy_pool_gets_one_line_and_what_was_left_out(run, clean):
    done = run("check", "clean.csv")
    assert (done.code, done.err) == (0, "")
    first, *rest = done.out.splitlines()
    assert first == "80 samples, without labels. Nothing looks wrong."
    assert "give --labels, or --label-column" in rest[-1]
    assert run("check", "clean.csv", "--strict").code == 0
    assert run("check", "clean.csv", "--json").json["healthy"] is True


def test_defects_of_a_table_are_told_with_commands(run, table):
    done = run("check", "messy.csv")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("80 samples, 80 of them labeled. Found ")
    for words in (
        "problem: 3 classes look like one under different spellings.\n    'low', 'LOW', 'Low '\n",
        "    to act: trigpoint check messy.csv -o issues.csv\n",
        "warning: 2 samples are exact copies of each other.\n    s10, s20\n",
        "    to act: trigpoint check messy.csv --kept kept.csv\n",
        "    s70: ",
    ):
        assert words in done.out, words
    assert done.columns == (
        "trigpoint: columns used: 5 numbers (a, b, c, d, e); "
        "left out: id (the ids), site (constant), row (counts the rows), label (a label).\n"
    )


def test_columns_to_leave_out_are_told_with_a_command(run, table):
    done = run("check", "messy.csv", "--columns", "a,b,c,d,e,row")
    assert "warning: 1 column counts the rows, as an id does.\n    'row'\n" in done.out
    assert "    to act: trigpoint check messy.csv --columns a,b,c,d,e,row --drop row\n" in done.out


def test_strict_ends_with_1_where_something_is_found(run, table):
    assert run("check", "messy.csv", "--strict").code == 1


@pytest.mark.slow
def test_every_command_that_is_told_runs(run, table):
    write("some.csv", ["id", "label"], [["s1", "low"], ["s2", "low"], ["s51", "high"], ["s52", "high"]])
    told = set()
    for words in (["--labels", "some.csv"], ["-o", "issues.csv"], []):
        told |= set(re.findall(r"to act: (trigpoint .*)", run("check", "messy.csv", *words).out))
    assert len(told) >= 6
    for command in told:
        done = run(*shlex.split(command)[1:])
        assert done.code == 0, f"{command}: {done.err}"


def test_json_holds_all_that_was_found(run, table):
    done = run("check", "messy.csv", "--json")
    assert done.json["n_samples"] == done.json["n_labels"] == 80
    assert done.json["task"] == "classification"
    assert finding(done, "duplicates")["groups"] == [["s10", "s20"]]
    assert finding(done, "spellings")["samples"] == ["s3", "s4"]
    assert finding(done, "spellings")["classes"] == [["low", "LOW", "Low "]]
    whys = {use["name"]: use["why"] for use in done.json["columns"] if use["use"] is None}
    assert whys == {"id": "the ids", "site": "constant", "row": "counts the rows", "label": "a label"}
    assert finding(done, "outliers")["samples"][0] == "s70"
    assert finding(done, "outliers")["far"][0] > 10
    for each in done.json["findings"]:
        assert {"kind", "severity", "sentence", "count", "samples", "action"} <= set(each)
    done = run("check", "messy.csv", "--columns", "a,b,c,d,e,row", "--scale", "none", "--json")
    assert finding(done, "counting")["columns"] == [["row"]]
    wrong = finding(done, "wrong_labels")
    assert [row["id"] for row in wrong["labels"]] == wrong["samples"]
    assert sorted(wrong["samples"]) == ["s26", "s36", "s50", "s6", "s60", "s75"]
    assert {"label": "low", "suggested": "high"}.items() <= next(
        row for row in wrong["labels"] if row["id"] == "s50"
    ).items()


def test_issues_are_a_table_that_propagate_reads(run, table):
    done = run("check", "messy.csv", "-o", "issues.csv")
    assert "trigpoint propagate messy.csv --labels issues.csv --label-column corrected" in done.out
    rows = read("issues.csv")
    assert list(rows[0]) == ["id", "label", "suggested", "quality", "probability", "issue", "corrected"]
    assert len(rows) == 80
    by_id = {row["id"]: row for row in rows}
    assert by_id["s50"]["issue"] == "wrong"
    assert (by_id["s50"]["label"], by_id["s50"]["corrected"]) == ("low", "high")
    assert (by_id["s3"]["label"], by_id["s3"]["corrected"]) == ("Low ", "low")
    assert "spelling" in by_id["s3"]["issue"]
    marked = [bool(row["issue"]) for row in rows]
    assert marked == sorted(marked, reverse=True), "what was found comes first"
    ids = read_pool("messy.csv").ids
    assert set(read_labels("issues.csv", ids, label_column="corrected").values) == {"low", "high"}
    assert read_labels("issues.csv", ids).columns == ("label",), "as they were, by default"


def test_kept_samples_are_those_without_copies(run, table):
    assert run("check", "messy.csv", "--kept", "kept.csv").code == 0
    rows = read("kept.csv")
    assert [row["id"] for row in rows] == [f"s{i}" for i in range(80) if i != 20]
    assert rows[20] == {"id": "s21", "index": "21"}


def test_labels_come_from_a_file_or_from_any_column(run, table):
    write("labels.csv", ["id", "label"], [["s1", "x"], ["s2", "x"], ["s60", "y"], ["s61", "y"]])
    assert run("check", "messy.csv", "--labels", "labels.csv", "--json").json["n_labels"] == 4
    numbers = run("check", "messy.csv", "--label-column", "a", "--json")
    assert numbers.json["task"] == "regression"
    assert "leaks" not in kinds(numbers), "the label is no feature"
    assert {"name": "a", "use": None, "why": "the label"} in numbers.json["columns"]


def test_an_archive_holds_its_labels_beside_the_features(run, folder):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    X[30:] += 9
    np.savez("pool.npz", X=X, y=np.repeat([0, 1], 30))
    assert run("check", "pool.npz", "--json").json["n_labels"] == 60
    np.savez("other.npz", X=X, truth=np.repeat([0, 1], 30))
    assert run("check", "other.npz", "--json").json["n_labels"] == 0
    assert run("check", "other.npz", "--label-column", "truth", "--json").json["n_labels"] == 60


@pytest.fixture
def pictures(folder):
    from PIL import Image
    from sklearn.datasets import load_digits

    digits = load_digits()
    Path("pictures").mkdir()
    rows = []
    for i in range(80):
        pixels = (digits.images[i] * 15).astype(np.uint8)
        Image.fromarray(pixels).resize((48, 48)).save(f"pictures/{i:02d}.png")
        rows.append([f"{i:02d}.png", digits.target[i]])
    Image.open("pictures/07.png").save("pictures/copy.png")
    Image.open("pictures/11.png").save("pictures/again.jpg", quality=60)
    noise = np.random.default_rng(0).integers(0, 256, (48, 48), dtype=np.uint8)
    Image.fromarray(noise).save("pictures/noise.png")
    write("labels.csv", ["id", "label"], [*rows, ["copy.png", 3]])
    return rows


def test_pictures_that_are_there_twice_are_found_and_shown(run, pictures):
    done = run("check", "pictures", "--labels", "labels.csv", "--json", "--report", "page.html")
    assert done.code == 0, done.err
    assert finding(done, "conflicts")["groups"] == [["07.png", "copy.png"]]
    assert finding(done, "duplicates")["groups"] == [["07.png", "copy.png"]]
    assert finding(done, "near_duplicates")["groups"] == [["11.png", "again.jpg"]]
    assert "noise.png" in finding(done, "outliers")["samples"]
    assert done.json["skipped"]["columns"].startswith("those of pixels")
    assert done.json["report"] == "page.html"
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.count('src="data:image/') >= 6
    assert "Same sample, different labels" in page


def test_texts_are_compared_as_texts(run, folder):
    texts = [f"the price of {fruit} in {city}" for fruit in ("figs", "plums", "pears") for city in "abcdefg"]
    texts += ["Where is my parcel?", "where is my  parcel", "my parcel is where"]
    write("texts.csv", ["id", "review", "class"], [[i, text, "xy"[i > 20]] for i, text in enumerate(texts)])
    done = run("check", "texts.csv", "--text-column", "review", "--json")
    assert done.code == 0, done.err
    assert done.json["n_labels"] == 24, "the column called class"
    assert finding(done, "duplicates")["groups"] == [["21", "22"]]
    assert "columns" in done.json["skipped"]
    told = run("check", "texts.csv", "--text-column", "review").out
    assert "    21, 22\n        Where is my parcel?\n        where is my parcel\n" in told


def test_graphs_have_parts(run, folder):
    Path("edges.csv").write_text("source,target\na,b\nb,c\nc,d\nd,e\nfar,away\nalone,alone\n")
    Path("labels.csv").write_text("id,label\na,low\nb,low\nd,high\ne,high\n")
    done = run("check", "edges.csv", "--labels", "labels.csv", "--json")
    assert finding(done, "isolated")["samples"] == ["alone"]
    assert finding(done, "unlabeled_parts")["groups"] == [["far", "away"]]
    command = finding(done, "unlabeled_parts")["action"]
    assert command == "trigpoint select edges.csv --initial labels.csv -n 1 -o next.csv"
    assert run(*shlex.split(command)[1:]).code == 0
    assert {"duplicates and outliers", "columns"} <= set(done.json["skipped"])
    assert run("check", "edges.csv", "-k", 3).err.startswith("trigpoint: --neighbors has no meaning")


def test_numbers_are_checked_as_numbers(run, table):
    X = np.random.default_rng(0).normal(size=(80, 3))
    y = X.sum(axis=1)
    y[5] += 50
    write("pool.csv", ["id", "a", "b", "c"], [[f"s{i}", *X[i]] for i in range(80)])
    write("values.csv", ["id", "x", "y"], [[f"s{i}", y[i], -y[i]] for i in range(80)])
    words = ["check", "pool.csv", "--labels", "values.csv", "--label-column", "x,y", "-o", "issues.csv"]
    done = run(*words, "--json")
    assert done.json["task"] == "regression"
    assert finding(done, "wrong_labels")["samples"][0] == "s5"
    rows = read("issues.csv")
    assert rows[0]["id"] == "s5"
    assert float(rows[0]["label_1"]) == pytest.approx(y[5])
    assert abs(float(rows[0]["corrected_1"])) < 20


def test_the_report_is_one_page(run, table):
    done = run("check", "messy.csv", "--report", "page.html")
    page = Path("page.html").read_text(encoding="utf-8")
    assert done.code == 0, done.err
    for words in ("Labels that look wrong", "One class, several spellings", "Copies", "s20", "perhaps"):
        assert words in page, words
    assert "look at them in page.html" in page
    assert "<script" not in page


def test_hostile_cells_are_only_text(run, folder):
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[7] = X[6]
    bad = "<script>alert(1)</script>"
    rows = [[f"{bad}{i}", *X[i], f"{bad}{i % 2}" + " " * (i == 5)] for i in range(40)]
    write("pool.csv", ["id", bad, "b", "c", "label"], rows)
    assert run("check", "pool.csv", "--report", "page.html").code == 0
    assert "<script" not in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["nowhere.csv"], "there is no nowhere.csv"),
        (["clean.csv", "-o", "issues.csv"], "--output needs labels: give --labels, or --label-column"),
        (["clean.csv", "-o", "-"], "--output must name a file, because the page is printed"),
        (["clean.csv", "--kept", "clean.csv"], "must differ from all inputs"),
        (["clean.csv", "--report", "page.png"], "must end in .html"),
        (["clean.csv", "--task", "guess"], "--task must be one of"),
        (["clean.csv", "--task", "regression"], "--task has no meaning without labels"),
        (["clean.csv", "--view", "blue"], "--view must be one of"),
        (["clean.csv", "--label-column", "nothing"], "--label-column must be a column of clean.csv"),
        (["clean.csv", "--labels", "away.csv"], "must hold ids of the pool only"),
        (["clean.csv", "--labels", "blank.csv"], "must hold at least one label"),
        (["empty.csv"], "must hold at least one row below its header"),
        (["single.csv"], "single.csv must hold at least 2 samples"),
        (["one.csv", "--label-column", "a"], "one.csv must have a column that can be a feature"),
    ],
)
def test_bad_input_gets_one_line(run, clean, words, rule):
    write("away.csv", ["id", "label"], [["s1", "x"], ["nobody", "y"]])
    write("blank.csv", ["id", "label"], [["s1", ""], ["s2", ""]])
    write("empty.csv", ["id", "a"], [])
    write("one.csv", ["id", "a"], [["x", 1], ["y", 2]])
    write("single.csv", ["id", "a"], [["x", 1]])
    done = run("check", *words)
    assert done.code == 2
    assert rule in done.err
    assert done.err.count("\n") == 1
    assert not Path("issues.csv").exists()


def test_one_class_and_many_get_a_clear_word(run, clean):
    write("same.csv", ["id", "label"], [[f"s{i}", "x"] for i in range(80)])
    write("names.csv", ["id", "label"], [[f"s{i}", f"name {i}"] for i in range(80)])
    assert "All 80 labels are of one class, 'x'." in run("check", "clean.csv", "--labels", "same.csv").out
    many = run("check", "clean.csv", "--labels", "names.csv")
    assert "80 labels have 80 classes" in many.out
    assert "to act: trigpoint check clean.csv --labels names.csv --task regression" in many.out


def test_graphs_are_taken_from_the_cache(run, clean, monkeypatch):
    import trigpoint.graph

    assert run("check", "clean.csv").code == 0
    monkeypatch.setattr(trigpoint.graph._neighbors, "search", None)
    assert run("check", "clean.csv").code == 0, "no search was needed"
    assert run("check", "clean.csv", "--no-cache").code == 1


def test_json_is_json(run, table):
    text = run("check", "messy.csv", "--json").out
    assert "NaN" not in text
    assert json.loads(text)["pool"] == "messy.csv"
