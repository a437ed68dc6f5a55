import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.io import check_table_path, read_labels, read_pool, write_table
from trigpoint.io._table import guarded, number, restored

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
SPICY = st.one_of(
    TEXT, TEXT.map(lambda t: "=" + t), TEXT.map(lambda t: "'-" + t), st.sampled_from(["+", "''@", "-1"])
)
IDS = st.lists(SPICY.filter(lambda t: t.strip() and t == t.strip("﻿")), min_size=1, max_size=5, unique=True)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "jsonl", "parquet"])
@given(ids=IDS, data=st.data())
def test_ids_and_numbers_come_back_exactly(tmp_path_factory, suffix, ids, data):
    finite = st.floats(allow_nan=False, allow_infinity=False)
    values = data.draw(st.lists(finite, min_size=len(ids), max_size=len(ids)))
    path = tmp_path_factory.mktemp("t") / f"t.{suffix}"
    write_table(path, {"id": ids, "a": values})
    samples = read_pool(path)
    assert samples.ids.tolist() == ids
    assert samples.X.ravel().tolist() == values


@given(SPICY)
def test_no_cell_starts_a_formula(cell):
    written = guarded(cell)
    assert restored(written) == cell
    assert number(written) is not None or not re.match(r"[=+\-@\t\r\n＝＋－＠]", written)


@given(st.lists(SPICY.filter(str.strip), min_size=1, max_size=5))
def test_labels_come_back_exactly(tmp_path_factory, classes):
    path = tmp_path_factory.mktemp("t") / "l.csv"
    ids = [f"s{i}" for i in range(len(classes))]
    write_table(path, {"id": ids, "label": classes})
    assert read_labels(path, ids, task="classification").values == classes


def test_values_of_every_type(tmp_path):
    columns = {
        "s": np.array(['é, "q"', "b"]),
        "i": np.array([1, 2**62], dtype=np.int64),
        "f": np.array([0.1, np.nan], dtype=np.float64),
        "b": [True, np.bool_(False)],
        "n": [None, 3],
    }
    write_table(tmp_path / "t.csv", columns)
    assert (tmp_path / "t.csv").read_text() == (
        's,i,f,b,n\n"é, ""q""",1,0.1,true,\nb,4611686018427387904,,false,3\n'
    )
    rows = [
        {"s": 'é, "q"', "i": 1, "f": 0.1, "b": True, "n": None},
        {"s": "b", "i": 2**62, "f": None, "b": False, "n": 3},
    ]
    write_table(tmp_path / "t.json", columns)
    assert json.loads((tmp_path / "t.json").read_text()) == rows
    write_table(tmp_path / "t.jsonl", columns)
    assert [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()] == rows
    write_table(tmp_path / "t.parquet", columns)
    frame = pd.read_parquet(tmp_path / "t.parquet")
    assert frame["i"].tolist() == [1, 2**62]
    assert frame["s"].tolist() == ['é, "q"', "b"]
    assert frame["f"].isna().tolist() == [False, True]


def test_infinity(tmp_path):
    write_table(tmp_path / "t.csv", {"a": [np.inf, -np.inf]})
    assert (tmp_path / "t.csv").read_text() == "a\ninf\n-inf\n"
    write_table(tmp_path / "t.json", {"a": [np.inf, 1.0]})
    assert json.loads((tmp_path / "t.json").read_text()) == [{"a": None}, {"a": 1.0}]


def test_standard_output(capsysbinary):
    write_table("-", {"id": ["é"], "a": [1]})
    assert capsysbinary.readouterr().out == "id,a\né,1\n".encode()


def test_nobody_else_is_misled(tmp_path):
    """Readers without our rule see an apostrophe, and the same cells otherwise."""
    write_table(tmp_path / "t.csv", {"id": ["=HYPERLINK(1)", "-1", "'tis", "a\nb"]})
    rows = list(csv.reader(io.StringIO((tmp_path / "t.csv").read_text())))
    assert rows == [["id"], ["'=HYPERLINK(1)"], ["-1"], ["'tis"], ["a\nb"]]


@pytest.mark.parametrize(
    ("name", "columns", "error", "message"),
    [
        ("t.xlsx", {"a": [1]}, ValueError, r"known kind \(\.csv, .*got '\.xlsx'"),
        ("t.csv.gz", {"a": [1]}, ValueError, "tables are written plain"),
        ("no/t.csv", {"a": [1]}, FileNotFoundError, "must lie in a folder that exists"),
        ("t.csv", {}, ValueError, "columns must be at least one, all of one length"),
        ("t.csv", {"a": [1], "b": [1, 2]}, ValueError, "all of one length; got {'a': 1, 'b': 2}"),
        ("t.csv", {"a": [[1]]}, ValueError, "column 'a' must hold text, numbers or None; got list"),
        ("t.csv", {"a": np.ones((1, 2))}, ValueError, "column 'a' must hold text, numbers or None"),
        ("t.parquet", {"a": [1, "x"]}, ValueError, "must each hold one kind of value"),
    ],
)
def test_what_cannot_be_written(tmp_path, name, columns, error, message):
    with pytest.raises(error, match=message):
        write_table(tmp_path / name, columns)
    assert list(tmp_path.iterdir()) == []


def test_paths_can_be_checked_before_the_work(tmp_path):
    check_table_path("-")
    check_table_path(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="known kind"):
        check_table_path(tmp_path / "t.doc")


def test_a_failed_write_leaves_the_old_table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_table(path, {"a": ["\ud800"]})
    assert path.read_text() == "old"
