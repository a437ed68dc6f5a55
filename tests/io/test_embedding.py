"""Features from one column of lists: Parquet, Arrow, JSON; by themselves, or asked for."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.testing import assert_array_equal
from pyarrow import feather

from reference.files import IDS, POOLS, X
from trigpoint.features import EmbeddingRecipe
from trigpoint.io import content, glimpse, read_pool

E = np.arange(12.0).reshape(4, 3) / 4
SMALL = {"halffloat": np.float32, "float": np.float32, "double": np.float64, "int8": np.float32}


def table(kind, fixed=False, **more):
    lists = pa.list_(pa.type_for_alias(kind), 3 if fixed else -1)
    values = (E if kind in ("halffloat", "float", "double") else E * 4).astype(
        pa.type_for_alias(kind).to_pandas_dtype()
    )
    return pa.table({"id": IDS, "e": pa.array(list(values), lists), "a": [1, 2, 3, 4], **more})


def write(path, found):
    if path.suffix == ".parquet":
        pq.write_table(found, path)
    elif path.suffix == ".feather":
        feather.write_feather(found, path, compression="zstd")
    else:
        with pa.ipc.new_stream(path, found.schema) as sink:
            sink.write_table(found, max_chunksize=3)
    return path


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".feather"])
@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("fixed", [False, True])
def test_types_stay_small(tmp_path, suffix, kind, fixed):
    samples = read_pool(write(tmp_path / f"x{suffix}", table(kind, fixed)), features="e")
    assert samples.X.dtype == SMALL[kind]
    assert_array_equal(samples.X, E if kind != "int8" else E * 4)
    assert samples.ids.tolist() == IDS
    assert samples.recipe == EmbeddingRecipe("e", 3)


def test_the_only_column_of_lists_is_found_and_told(tmp_path):
    path = write(tmp_path / "x.parquet", table("float", label=["u", "v", "u", "v"]))
    samples = read_pool(path)
    assert_array_equal(samples.X, E)
    assert [(use.name, use.use, use.why) for use in samples.columns] == [
        ("id", None, "the ids"),
        ("e", "embedding", "lists of 3 numbers"),
        ("a", None, "the embedding 'e' is used"),
        ("label", None, "a label"),
    ]
    assert content(samples, 1)["row"] == {"id": "bob", "a": 2, "label": "v"}
    assert content(glimpse(path), 1) == content(samples, 1)
    assert glimpse(path).X is None
    assert read_pool(path, columns=["a"]).X.shape == (4, 1)
    assert_array_equal(read_pool(path, columns=["e"]).X, E)
    assert read_pool(path).fingerprint != read_pool(path, features="e").fingerprint


def test_lists_of_whole_numbers_are_tokens_unless_asked_for(tmp_path):
    path = write(tmp_path / "x.parquet", table("int64", tags=[["u"], [], ["v", "w"], []]))
    samples = read_pool(path)
    assert samples.feature_names == ("a",)
    assert {use.name: use.why for use in samples.columns}["e"] == "lists of numbers"
    assert read_pool(path, features="e").X.dtype == np.float64
    assert content(samples, 2)["row"]["tags"] == '["v", "w"]'


def test_several_columns_of_lists_need_a_word(tmp_path):
    path = write(tmp_path / "x.parquet", table("float", f=pa.array((E + 1).tolist())))
    with pytest.raises(
        ValueError, match="has several columns of lists of numbers: choose one with features=; got 'e', 'f'"
    ):
        read_pool(path)
    assert_array_equal(read_pool(path, features="f").X, E + 1)
    with pytest.raises(ValueError, match="columns must name columns of numbers, or one of lists; got 'e'"):
        read_pool(path, columns=["a", "e"])


def test_texts_with_embeddings_are_shown(tmp_path):
    path = write(tmp_path / "x.parquet", table("float", text=["w x", "y", "z", "w"]))
    samples = read_pool(path, text_column="text", features="e")
    assert samples.kind == "text"
    assert_array_equal(samples.X, E)
    assert content(samples, 0) == {"id": "ann", "text": "w x"}


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            [[1.0, 2], [1, 2], [1], [1, 2]],
            "row 3, column 'e': must be a list of 2 numbers, as the first one is; got 1 n",
        ),
        ([[1.0, 2], None, [1, 2], [1, 2]], "row 2, column 'e': must be a list of numbers; got nothing"),
        (
            [[1.0, 2], [1, 2], [1, 2], [1, None]],
            "row 4, column 'e': must be a list of numbers; got nothing in it",
        ),
        (
            [[1.0, 2], [1, np.nan], [1, 2], [1, 2]],
            "row 2, column 'e': must be a list of finite numbers; got nan at place 2",
        ),
        ([[1.0, 2], [1, 2], [np.inf, 2], [1, 2]], "row 3, column 'e': .* got inf at place 1"),
        ([[], [], [], [0.5]][:4], "row 1, column 'e': must not be empty"),
        ([None, [1.0], [2], [3]], "row 1, column 'e': must be a list of numbers; got nothing"),
    ],
)
@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_bad_lists_are_named_by_row_and_column(tmp_path, suffix, cells, message):
    path = write(tmp_path / f"x{suffix}", pa.table({"e": pa.array(cells, pa.list_(pa.float64()))}))
    with pytest.raises(ValueError, match=rf"x\{suffix}, {message}"):
        read_pool(path)


def test_json_lists(tmp_path):
    rows = [{"id": i, "v": row.tolist(), "tokens": [i, 2]} for i, row in zip(IDS, E, strict=True)]
    for name, text in (("x.json", json.dumps(rows)), ("x.jsonl", "\n".join(map(json.dumps, rows)))):
        (tmp_path / name).write_text(text)
        assert_array_equal(read_pool(tmp_path / name).X, E)
    rows[2]["v"] = [1, 2]
    (tmp_path / "x.json").write_text(json.dumps(rows))
    with pytest.raises(ValueError, match=r"x\.json, record 3, column 'v': must be a list of 3 numbers"):
        read_pool(tmp_path / "x.json")
    rows[2]["v"] = [1, "x", 3]
    (tmp_path / "x.json").write_text(json.dumps(rows))
    with pytest.raises(ValueError, match=r"x\.json, record 3, column 'v': must be a list of numbers"):
        read_pool(tmp_path / "x.json")


def test_a_recipe_reads_new_samples(tmp_path):
    recipe = read_pool(write(tmp_path / "x.parquet", table("float"))).recipe
    new = write(tmp_path / "y.parquet", table("float", f=pa.array((E + 1).tolist())).slice(1, 2))
    assert_array_equal(read_pool(new, recipe=recipe).X, E[1:3])
    short = write(tmp_path / "z.parquet", pa.table({"e": [[1.0, 2]]}))
    with pytest.raises(ValueError, match="column 'e' must be lists of 3 numbers, as in the pool"):
        read_pool(short, recipe=recipe)
    with pytest.raises(ValueError, match=r"recipe must be a column of .*; got 'e'"):
        read_pool(write(tmp_path / "w.parquet", pa.table({"q": [[1.0, 2]]})), recipe=recipe)


def test_features_that_are_no_lists(tmp_path):
    path = write(tmp_path / "x.parquet", table("float"))
    with pytest.raises(
        ValueError, match=r"features must name a column of lists of numbers .* got 'a', which holds none"
    ):
        read_pool(path, features="a")
    with pytest.raises(ValueError, match=r"features must be a column of .*'id', 'e', 'a'.*; got 'q'"):
        read_pool(path, features="q")
    np.save(tmp_path / "x.npy", E)
    with pytest.raises(ValueError, match=r"features has no meaning for a .npy file"):
        read_pool(tmp_path / "x.npy", features="e")


@pytest.mark.parametrize(
    "name", ["embedding.parquet", "pool.arrow", "stream.arrow", "pool.feather", "pool.safetensors"]
)
def test_the_same_numbers_from_every_kind(tmp_path, name):
    POOLS[name](tmp_path / name)
    samples = read_pool(tmp_path / name)
    assert_array_equal(samples.X, X)
    assert samples.X.dtype == np.float32


def test_columns_that_are_not_wanted_are_not_read(tmp_path):
    """A damaged column that nobody wants does no harm: only the others are read."""
    found = pa.table({"id": IDS, "e": pa.array(E.tolist()), "junk": ["x" * 1000] * 4})
    path = write(tmp_path / "x.parquet", found)
    assert_array_equal(read_pool(path, text_column="id", features="e").X, E)
