"""Folders that are one table in parts: Hugging Face datasets, and shards."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.testing import assert_array_equal

from reference.files import write_images
from trigpoint.io import content, glimpse, is_table, label_column_of, pool_signature, read_labels, read_pool

E = np.arange(12.0, dtype=np.float32).reshape(6, 2)


def saved(folder, starts=(0, 4), **more):
    """What `Dataset.save_to_disk` writes."""
    folder.mkdir()
    names = []
    for k, (a, b) in enumerate(zip(starts, (*starts[1:], 6), strict=True)):
        found = pa.table(
            {"text": [f"t {i}" for i in range(a, b)], "e": pa.array(E[a:b].tolist(), pa.list_(pa.float32()))}
        )
        names.append(f"data-{k:05}-of-{len(starts):05}.arrow")
        with pa.ipc.new_stream(folder / names[-1], found.schema) as sink:
            sink.write_table(found)
    state = {"_data_files": [{"filename": name} for name in names], "_format_type": None} | more
    (folder / "state.json").write_text(json.dumps(state))
    (folder / "dataset_info.json").write_text("{}")
    return folder


def test_a_dataset_of_two_parts(tmp_path):
    samples = read_pool(saved(tmp_path / "d"))
    assert_array_equal(samples.X, E)
    assert samples.X.dtype == np.float32
    assert content(samples, 5) == {"id": "5", "row": {"text": "t 5"}}
    assert content(glimpse(tmp_path / "d"), 5) == content(samples, 5)
    assert read_pool(tmp_path / "d", text_column="text", features="e").kind == "text"


def test_parts_are_named_in_errors(tmp_path):
    folder = tmp_path / "d"
    saved(folder)
    bad = pa.table({"text": ["a", "b"], "e": pa.array([[1.0, 2], [3, np.nan]], pa.list_(pa.float32()))})
    with pa.ipc.new_stream(folder / "data-00001-of-00002.arrow", bad.schema) as sink:
        sink.write_table(bad)
    with pytest.raises(
        ValueError, match=r"d, row 2 of data-00001-of-00002\.arrow, column 'e': .* nan at place 2"
    ):
        read_pool(folder)


@pytest.mark.parametrize(
    ("state", "error", "message"),
    [
        ("{", ValueError, r"state\.json must be what Dataset\.save_to_disk writes"),
        ("{}", ValueError, r"state\.json must be what"),
        ('{"_data_files": []}', ValueError, "must name the files of the dataset"),
        ('{"_data_files": [{"filename": "../x.arrow"}]}', ValueError, "which lie beside it"),
        ('{"_data_files": [{"filename": "x.arrow"}]}', OSError, r"x\.arrow must be there"),
    ],
)
def test_a_damaged_state(tmp_path, state, error, message):
    (saved(tmp_path / "d") / "state.json").write_text(state)
    with pytest.raises(error, match=message):
        read_pool(tmp_path / "d")


def test_splits_need_a_word(tmp_path):
    folder = tmp_path / "all"
    folder.mkdir()
    (folder / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    saved(folder / "train")
    with pytest.raises(
        ValueError, match=r"must be one split of a dataset; give one of .*all/train, .*all/test"
    ):
        read_pool(folder)
    assert_array_equal(read_pool(folder / "train").X, E)


def shard(path, a, b, **more):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(
        pa.table(
            {
                "id": [f"s{i}" for i in range(a, b)],
                "e": pa.array(E[a:b].tolist()),
                "label": [0] * (b - a),
                **more,
            }
        ),
        path,
    )


def test_shards_of_parquet(tmp_path):
    folder = tmp_path / "d"
    shard(folder / "data" / "train-00001-of-00002.parquet", 4, 6)
    shard(folder / "data" / "train-00000-of-00002.parquet", 0, 4)
    samples = read_pool(folder)
    assert_array_equal(samples.X, E)
    assert samples.ids.tolist() == [f"s{i}" for i in range(6)]
    assert label_column_of(samples) == "label"
    assert is_table(folder)
    labels = read_labels(folder, samples.ids, label_column="label")
    assert labels.values == ["0"] * 6
    first = pool_signature(folder), samples.fingerprint
    shard(folder / "data" / "train-00001-of-00002.parquet", 4, 5)
    assert pool_signature(folder) != first[0]
    assert read_pool(folder).fingerprint != first[1]


def test_shards_must_fit(tmp_path):
    folder = tmp_path / "d"
    shard(folder / "a.parquet", 0, 3)
    shard(folder / "b.parquet", 3, 6, extra=[1, 2, 3])
    with pytest.raises(ValueError, match=r"b\.parquet must have the columns of a\.parquet"):
        read_pool(folder)
    (folder / "b.parquet").unlink()
    pq.write_table(pa.table({"id": ["x"], "e": ["no list"], "label": [0]}), folder / "b.parquet")
    with pytest.raises(
        ValueError, match=r"b\.parquet must hold list<.*> in column 'e', as a\.parquet does; got string"
    ):
        read_pool(folder)
    (folder / "b.parquet").rename(folder / "b.arrow")
    with pytest.raises(ValueError, match=r"must hold parts of one kind"):
        read_pool(folder)


def test_numbers_of_other_types_fit(tmp_path):
    parts = {
        "a": pa.table({"id": pa.array([10, 11], pa.int32()), "x": pa.array([0.5, 1], pa.float32())}),
        "b": pa.table({"id": pa.array([12], pa.int64()), "x": pa.array([2], pa.int64())}),
        "c": pa.table({"id": pa.array([13], pa.int64()), "x": pa.array([None], pa.null())}),
        "d": pa.table({"id": pa.array([], pa.int64()), "x": pa.array([], pa.float64())}),
        "e": pa.table({"id": pa.array([14], pa.int64()), "x": pa.array([True])}),
    }
    for name, part in parts.items():
        pq.write_table(part, tmp_path / f"{name}.parquet")
    samples = read_pool(tmp_path, scale="none")
    assert samples.ids.tolist() == ["10", "11", "12", "13", "14"]
    assert_array_equal(np.delete(samples.X[:, 0], 3), [0.5, 1, 2, 1])


def test_a_folder_of_pictures_stays_one(tmp_path):
    write_images(tmp_path / "images")
    assert read_pool(tmp_path / "images").kind == "images"


@pytest.mark.slow
def test_what_the_library_writes(tmp_path):
    datasets = pytest.importorskip("datasets")
    found = datasets.Dataset.from_dict({"text": list("abcdef"), "e": E.tolist(), "label": [0, 1] * 3})
    kinds = datasets.Features(
        {
            "text": datasets.Value("string"),
            "e": datasets.Sequence(datasets.Value("float32"), length=2),
            "label": datasets.ClassLabel(names=["u", "v"]),
        }
    )
    found.cast(kinds).save_to_disk(tmp_path / "d", num_shards=2)
    samples = read_pool(tmp_path / "d")
    assert_array_equal(samples.X, E)
    assert samples.X.dtype == np.float32
    few = found.select([5, 1])
    few.save_to_disk(tmp_path / "few")
    assert_array_equal(read_pool(tmp_path / "few").X, E[[5, 1]])
    found.to_parquet(tmp_path / "shards" / "x.parquet")
    assert_array_equal(read_pool(tmp_path / "shards").X, E)
