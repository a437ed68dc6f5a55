"""Frames of pandas, polars and pyarrow: one way, one answer."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

import trigpoint as tp
from trigpoint.features import ColumnUse
from trigpoint.io import content, frame_features, glimpse

E = np.arange(12.0, dtype=np.float32).reshape(6, 2)
MIXED = {
    "name": list("uvwxyz"),
    "size": [1.5, 2.0, None, 4.0, 9.0, 2.5],
    "flag": [True, False, True, None, False, False],
    "kind": ["a", "b", "a", "c", "b", "a"],
    "label": [0, 1, 0, 1, 0, 1],
}
MAKERS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.fixture(params=MAKERS)
def make(request):
    return MAKERS[request.param]


def test_an_embedding(make):
    frame = make(
        {"id": list("abcdef"), "e": E.tolist(), "a": range(6)}
        | ({} if make is not pa.table else {"a": list(range(6))})
    )
    samples = tp.read_pool(frame)
    assert_array_equal(samples.X, E)
    assert samples.ids.tolist() == list("abcdef")
    assert [use.use for use in samples.columns] == [None, "embedding", None]
    assert content(samples, 2)["row"] == {"id": "c", "a": 2}
    assert content(glimpse(frame), 2) == content(samples, 2)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"e": list(E)}),
        pd.DataFrame({"e": [tuple(row) for row in E.tolist()]}),
        pl.DataFrame({"e": E}),
        pl.DataFrame({"e": list(E)}),
        pl.DataFrame({"e": E}, schema={"e": pl.Array(pl.Float32, 2)}),
        pa.table({"e": pa.array(list(E.astype(np.float16)), pa.list_(pa.float16(), 2))}),
        pa.table({"e": pa.chunked_array([pa.array(E[:2].tolist()), pa.array(E[2:].tolist())])}),
    ],
    ids=repr,
)
def test_embeddings_of_every_type(frame):
    assert_array_equal(tp.read_pool(frame).X, E)


def test_float32_and_float16_stay_small():
    assert tp.read_pool(pd.DataFrame({"e": list(E.astype(np.float16))})).X.dtype == np.float32
    assert tp.read_pool(pl.DataFrame({"e": E})).X.dtype == np.float32
    assert tp.read_pool(pa.table({"e": pa.array(list(E), pa.list_(pa.float32()))})).X.dtype == np.float32
    assert tp.read_pool(pd.DataFrame({"e": list(E.astype(np.float64))})).X.dtype == np.float64


def test_tables_of_all_libraries_are_the_same_pool(make):
    samples, other = tp.read_pool(make(MIXED)), tp.read_pool(pl.DataFrame(MIXED))
    assert_array_equal(samples.X, other.X)
    assert samples.ids.tolist() == list("uvwxyz")
    assert samples.feature_names == other.feature_names
    assert [(use.name, use.use) for use in samples.columns] == [
        ("name", None),
        ("size", "number"),
        ("flag", "boolean"),
        ("kind", "category"),
        ("label", None),
    ]
    assert samples.fingerprint == other.fingerprint


def test_a_frame_and_its_file_have_the_same_features(tmp_path):
    frame = pl.DataFrame(MIXED)
    frame.write_parquet(tmp_path / "x.parquet")
    found, file = tp.read_pool(frame), tp.read_pool(tmp_path / "x.parquet")
    assert_array_equal(found.X, file.X)
    assert found.columns == file.columns


def test_ordered_categories_of_pandas():
    kinds = pd.Categorical(["lo", "hi", "mid"] * 2, categories=["lo", "mid", "hi"], ordered=True)
    samples = tp.read_pool(pd.DataFrame({"kind": kinds, "x": [1.5, 2, 3, 4, 5, 7]}))
    assert samples.columns[0].use == "ordered"
    places = samples.X[:3, 0]
    assert places[0] < places[2] < places[1]


def test_the_index_of_pandas():
    frame = pd.DataFrame({"a": [1.5, 2, 3], "b": [3.5, 1, 2]})
    assert tp.read_pool(frame).ids.tolist() == ["0", "1", "2"]
    assert tp.read_pool(frame.set_index(pd.Index(["x", "y", "z"]))).ids.tolist() == ["x", "y", "z"]
    assert tp.read_pool(frame.set_index(pd.Index(["x", "y", "x"]))).ids.tolist() == ["0", "1", "2"]
    assert tp.read_pool(frame.iloc[[2, 0]]).ids.tolist() == ["0", "1"]
    assert tp.read_pool(
        frame.assign(id=list("uvw")).set_index(pd.Index(["x", "y", "z"]))
    ).ids.tolist() == list("uvw")


def test_edges_in_a_frame(make):
    samples = tp.read_pool(make({"source": ["a", "b"], "target": ["b", "c"], "weight": [1.0, 2.5]}))
    assert samples.kind == "graph"
    assert samples.ids.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([[1.0, 2], [1.0], [2.0, 3]], "data frame, row 2, column 'e': must be a list of 2 numbers"),
        ([[1.0, 2], None, [2.0, 3]], "data frame, row 2, column 'e': must be a list of numbers; got nothing"),
        ([[1.0, 2], [2.0, 3], [2.0, np.nan]], "row 3, column 'e': must be a list of finite numbers; got nan"),
    ],
)
def test_bad_lists(make, cells, message):
    with pytest.raises(ValueError, match=message):
        tp.read_pool(make({"e": cells}))


def test_what_is_refused(make):
    with pytest.raises(ValueError, match="data frame must hold at least one row"):
        tp.read_pool(make({"a": []}))
    with pytest.raises(ValueError, match="key has no meaning for a data frame"):
        tp.read_pool(make(MIXED), key="a")
    with pytest.raises(ValueError, match=r"columns must be a column of data frame .*; got 'q'"):
        tp.read_pool(make(MIXED), columns=["q"])
    with pytest.raises(ValueError, match=r"X must be a frame in memory: call \.collect"):
        tp.read_pool(pl.DataFrame(MIXED).lazy())


def test_what_is_no_pool():
    for wrong in (np.eye(3), [1, 2], None, 7):
        with pytest.raises(
            ValueError, match="path must be a file, a folder, a data frame, or a graph of networkx"
        ):
            tp.read_pool(wrong)


def test_plain_frames_and_arrays_pass_through(make):
    frame = make({"a": [1.0, 2], "b": [3, 4]})
    for data in (frame, np.eye(2), [[1, 2]], None):
        X, recipe, columns = frame_features(data)
        assert X is data
        assert recipe is None
        assert columns == ((ColumnUse("a", "number"), ColumnUse("b", "number")) if data is frame else ())
    assert frame_features(make({"a": [1.0, None], "b": [3, 4]}))[1] is not None


def test_a_recipe_serves_new_rows(make):
    X, recipe, _ = frame_features(make(MIXED))
    again, _, _ = frame_features(make({name: cells[2:5] for name, cells in MIXED.items()}), recipe)
    assert_array_equal(again, X[2:5])
