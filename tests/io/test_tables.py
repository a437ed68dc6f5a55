import gzip
import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from reference.files import IDS, POOLS, ROWS, X
from trigpoint.io import _read_table, content, read_pool

TABLES = ["pool.csv", "semicolons.csv", "pool.tsv", "pool.csv.gz", "pool.parquet", "pool.json", "pool.jsonl"]


def pool(tmp_path, text, name="t.csv", **options):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_pool(path, **options)


@pytest.mark.parametrize("name", TABLES)
def test_every_kind_of_table_says_the_same(tmp_path, name):
    POOLS[name](tmp_path / name)
    samples = read_pool(tmp_path / name)
    assert samples.kind == "table"
    assert samples.ids.tolist() == IDS
    assert samples.feature_names == ("a", "b")
    assert samples.X.dtype == np.float64
    assert_array_equal(samples.X, X)
    for i, (name, a, b, note) in enumerate(ROWS):
        assert content(samples, i) == {"id": name, "row": {"id": name, "a": a, "b": b, "note": note}}


@pytest.mark.parametrize("name", TABLES)
def test_chosen_columns_and_ids(tmp_path, name):
    POOLS[name](tmp_path / name)
    samples = read_pool(tmp_path / name, columns=["b", "a"], id_column="note" if "x" in name else "id")
    assert_array_equal(samples.X, X[:, ::-1])
    assert samples.feature_names == ("b", "a")
    assert_array_equal(read_pool(tmp_path / name, columns="b").X, X[:, 1:])
    with pytest.raises(ValueError, match=r"id_column must be a column of .*'id', 'a', 'b', 'note'.*got 'Id'"):
        read_pool(tmp_path / name, id_column="Id")
    with pytest.raises(
        ValueError, match=r"columns must name columns that can be .*; 'note' cannot: all diff"
    ):
        read_pool(tmp_path / name, columns=["note"])
    with pytest.raises(ValueError, match=r"every sample an id; .* has none"):
        read_pool(tmp_path / name, id_column="note")


def test_row_numbers_where_nothing_is_called_id(tmp_path):
    assert pool(tmp_path, "a,b\n1,2\n3,4\n").ids.tolist() == ["0", "1"]


def test_ids_keep_their_spelling(tmp_path):
    assert pool(tmp_path, "Name,a\n007,1\n7,2\n 7,3\n").ids.tolist() == ["007", "7", " 7"]


def test_labels_in_the_file_are_no_features_unless_asked_for(tmp_path):
    text = "id,a,label,Target\nx,1,0,5\ny,2,1,6\n"
    assert pool(tmp_path, text).feature_names == ("a",)
    assert pool(tmp_path, text, columns=["a", "label"]).feature_names == ("a", "label")


def test_half_filled_columns_that_are_no_features(tmp_path):
    samples = pool(tmp_path, "id,a,empty,label\nx,1,,0\ny,2,,\n")
    assert samples.feature_names == ("a",)
    assert content(samples, 1)["row"] == {"id": "y", "a": 2, "empty": None, "label": ""}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,a\n", "must hold at least one row below its header"),
        ("\n\n", "must have columns; it has none"),
        (
            "id,note\nx,hi\n",
            r"must have a column that can be a feature .*; got 'id' \(the ids\), 'note' \(all",
        ),
        ("id,a\nx,1\ny,2,3\n", r"t\.csv must have 2 cells in every row; line 3 has 3"),
        ("id,a\nx,1\ny\n", "line 3 has 1"),
        ("id,a\nx,1\ny,1e400\n", "line 3, column 'a': must be a finite number; got infinity"),
        ("id,a\nx,-inf\ny,inf\n", r"line 2, .* got infinity \(2 such cells in the column\)"),
        ("id,a\nx,1\ny,2\nz,n7a\n", "line 4, column 'a': must be a number, as 2 others .* got 'n7a'"),
        ("id,a\nx,1\ny,2\nz,1_0\n", "line 4, column 'a': must be a number, .* got '1_0'"),
        ("id,a\nx,1\ny,2\nx,3\n", "must have distinct ids; 'x' is in line 2 and line 4"),
        ("id,a\nx,1\n ,2\n", "must give every sample an id; line 3 has none"),
        ("id,a,a\nx,1,2\n", "must have distinct column names; 'a' is there twice"),
        ("id,a,\nx,1,2\n", "must name every column; column 3 has no name"),
        ("1.5,2\n3,4\n", "must start with a header of column names"),
        ('id,a\nx,"1\ny,2\n', "must be well-formed; line 3: unexpected end of data"),
        ('id,a\nx,"1"2\n', "must be well-formed; line 2"),
        ("id;a\nx;1,500\ny;2\n", "line 2, column 'a': may be a fraction or thousands; .* got '1,500'"),
        ('id,a\nx,"1,5"\ny,2.25\nz,3\n', "line 2, column 'a': must be a number, as 2 others .* got '1,5'"),
        (b"id,a\nx\0,1\n", "line 2 holds a NUL"),
        (
            "id,a\né,1\n".encode("latin-1"),
            r"must be UTF-8 text; line 2 holds the byte 0xe9, .* save it as UTF-8",
        ),
        ("id,a\né,1\n".encode("utf-16"), "must be UTF-8 text; line 1 holds the byte 0xff"),
        ("id,a\né".encode()[:-1], "must be UTF-8 text"),
    ],
)
def test_bad_csv(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        pool(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (
            "id,a\nx,1\ny,\nz,3\n",
            "t.csv",
            r"t\.csv, line 3, column 'a': must not be missing, .*; got a missing value",
        ),
        ("id,a\nx,1\ny,nan\nz,2\n", "t.csv", "line 3, column 'a': must not be missing"),
        ("id,a\nx,NA\ny,1\nz,-\n", "t.csv", r"line 2, .*got a missing value \(2 such cells in the column\)"),
        (
            'id,note,a\nx,"two\nlines",1\n\ny,z,2\nw,v,\n',
            "t.csv",
            "line 6, column 'a'",
        ),  # as an editor counts
        (
            '[{"id": 1, "a": 1}, {"id": 2}, {"id": 3, "a": 2}]',
            "t.json",
            "record 2, column 'a': must not be missing",
        ),
    ],
)
def test_missing_values_may_be_refused(tmp_path, text, name, message):
    with pytest.raises(ValueError, match=message):
        pool(tmp_path, text, name, missing="refuse")
    assert np.isfinite(pool(tmp_path, text, name).X).all()


def test_numbers_that_are_text_for_others(tmp_path):
    pd.DataFrame({"a": ["1", "2.5"], "b": ["", ""]}).to_parquet(tmp_path / "t.parquet")
    samples = read_pool(tmp_path / "t.parquet")
    assert samples.feature_names == ("a",)
    assert samples.X.tolist() == [[1], [2.5]]
    assert pool(tmp_path, "id,a\nx,'-5\ny,3\n").X.tolist() == [[-5], [3]]  # typed into a spreadsheet as text


@pytest.mark.parametrize(
    "text", ["﻿id,a\nx,1\n", "id,a\r\nx,1\r\n", "id,a\rx,1\r", "id,a\nx,1", "\n id , a \nx, 1 \n"]
)
def test_marks_and_line_ends_of_every_system(tmp_path, text):
    samples = pool(tmp_path, text)
    assert samples.ids.tolist() == ["x"]
    assert samples.X.tolist() == [[1.0]]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_what_pandas_writes(tmp_path, kind):
    frame = pd.DataFrame(X, index=[10, 11, 12, 13])
    path = tmp_path / f"t.{kind}"
    if kind == "csv":
        frame.to_csv(path)
    else:
        frame.rename(columns=str).to_parquet(path)
    samples = read_pool(path)
    assert samples.ids.tolist() == ["10", "11", "12", "13"]
    assert samples.feature_names == ("0", "1")
    assert_array_equal(samples.X, X)
    frame.to_csv(path.with_suffix(".csv"), index=False)
    assert_array_equal(read_pool(path.with_suffix(".csv")).X, X)


def test_columns_that_turn_to_text_late(tmp_path, monkeypatch):
    monkeypatch.setattr(_read_table, "BLOCK", 2)
    rows = "".join(f"s{i},{i},{'x' if i > 2 else '00'},{'t' if i % 2 else 'u'}\n" for i in range(9))
    samples = pool(tmp_path, "id,a,b,c\n" + rows)
    assert samples.feature_names == ("a", "b=00", "b=x", "c=t", "c=u")
    assert samples.X[:, 1].tolist() == [1] * 3 + [0] * 6
    assert [content(samples, i)["row"]["b"] for i in range(9)] == ["00"] * 3 + ["x"] * 6


def test_long_cells(tmp_path):
    long = "word " * 100_000
    samples = pool(tmp_path, f"id,a,note\nx,1,{long}\n")
    assert content(samples, 0)["row"]["note"] == long


def test_typed_columns_of_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    frame = pd.DataFrame(
        {
            "id": [2**60 + 1, 5, 6],
            "whole": pd.array([1, 2, 3], dtype="Int16"),
            "flag": [True, False, True],
            "small": np.array([0.5, 1, 2], dtype=np.float32),
            "kind": pd.Categorical(["u", "v", "u"]),
            "when": pd.to_datetime(["2020-01-01"] * 3),
            "lists": [[1.5, 2], [], [3]],
        }
    )
    frame.to_parquet(path)
    samples = read_pool(path)
    assert samples.ids.tolist() == ["1152921504606846977", "5", "6"]
    assert samples.feature_names == ("whole", "flag", "small")
    assert samples.X[:, 1].tolist() == [2**0.5, 0, 2**0.5]
    assert read_pool(path, scale="none").X.tolist() == [[1, 1, 0.5], [2, 0, 1], [3, 1, 2]]
    assert content(samples, 0)["row"]["lists"] == "[1.5, 2.0]"
    frame["whole"] = pd.array([1, None, 3], dtype="Int16")
    frame.to_parquet(path)
    assert read_pool(path, scale="none").X[:, 0].tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match=r"t\.parquet, row 2, column 'whole': must not be missing"):
        read_pool(path, missing="refuse")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "must hold at least one record"),
        ('{"id": 1}', "must be a list of JSON objects"),
        ("[1]", "must be a list of JSON objects"),
        ('[{"id": "\\ud800", "a": 1}]', "must be JSON, whole and undamaged"),
        ('[{"id": 1, "a": 1}, {"id": 1, "a": 1}]', "'1' is in record 1 and record 2"),
        ("[" * 100_000, "must be JSON, whole and undamaged"),
    ],
)
def test_bad_json(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        pool(tmp_path, text, "t.json")


def test_json_numbers_and_flags(tmp_path):
    records = [{"a": True, "b": 1}, {"a": False, "b": 0.5}]
    samples = pool(tmp_path, json.dumps(records), "t.json", scale="none")
    assert samples.X.tolist() == [[1, 1], [0, 0.5]]


def test_features_beside_a_table(tmp_path):
    np.save(tmp_path / "f.npy", np.eye(2))
    samples = pool(tmp_path, "id,note\nx,hi\ny,ho\n", features=tmp_path / "f.npy")
    assert isinstance(samples.X, np.memmap)
    assert content(samples, 1) == {"id": "y", "row": {"id": "y", "note": "ho"}}
    with pytest.raises(
        ValueError, match=r"features must have one row for each of the 1 samples of .*f\.npy has 2"
    ):
        pool(tmp_path, "id,note\nx,hi\n", features=tmp_path / "f.npy")


def test_a_damaged_gzip(tmp_path):
    whole = gzip.compress(b"id,a\n" + b"x,1\n" * 1000)
    with pytest.raises(ValueError, match=r"t\.csv\.gz must be a text file, whole and undamaged"):
        pool(tmp_path, whole[:-20], "t.csv.gz")
