"""Folders of shards become one mapped array in the cache, in little memory, whole or not at all."""

import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import trigpoint as tp
from reference.files import write_images
from trigpoint.io import _joined, _numeric_parts, content, glimpse, pool_signature, read_pool

X = np.random.default_rng(0).normal(size=(70, 4)).astype(np.float32)
CUTS = (0, 30, 30, 55, 70)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIGPOINT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def write_shards(folder, X, cuts=CUTS):
    folder.mkdir()
    for k, (start, stop) in enumerate(pairwise(cuts)):
        np.save(folder / f"part-{k}.npy", X[start:stop])
    return folder


def is_mapped(array):
    while array is not None and not isinstance(array, np.memmap):
        array = array.base
    return array is not None


def no_reading(*_):
    raise AssertionError("read again")


def test_shards_are_one_pool(tmp_path, cache, monkeypatch):
    folder = write_shards(tmp_path / "x", X)
    (folder / ".hidden.npy").write_bytes(b"not looked at")
    (folder / "notes.txt").write_text("not looked at")
    samples = read_pool(folder)
    assert_array_equal(samples.X, X)
    assert samples.X.dtype == np.float32
    assert (samples.kind, samples.ids[69], samples.n_samples) == ("array", "69", 70)
    assert is_mapped(samples.X)
    assert [path.name[:5] for path in cache.iterdir()] == ["pool-"]
    assert content(samples, 3)["row"]["1"] == float(X[3, 1])
    monkeypatch.setattr("trigpoint.io._shards._rows", no_reading)
    again = read_pool(folder)
    assert again.fingerprint == samples.fingerprint
    assert_array_equal(again.X, X)
    assert_array_equal(glimpse(folder).X, X)


def test_the_fingerprint_tells_the_content_and_not_the_cuts(tmp_path):
    one = read_pool(write_shards(tmp_path / "a", X))
    other = read_pool(write_shards(tmp_path / "b", X, (0, 70)))
    changed = X.copy()
    changed[50, 2] += 1
    third = read_pool(write_shards(tmp_path / "c", changed))
    assert one.fingerprint == other.fingerprint != third.fingerprint
    assert one.fingerprint != read_pool(write_shards(tmp_path / "d", X.astype(np.float64))).fingerprint


def test_changed_shards_are_read_anew(tmp_path):
    folder = write_shards(tmp_path / "x", X)
    before, signature = read_pool(folder), pool_signature(folder)
    np.save(folder / "part-1.npy", X[:5] + 1)
    after = read_pool(folder)
    assert_array_equal(after.X, np.concatenate([X[:30], X[:5] + 1, X[30:]]))
    assert after.fingerprint != before.fingerprint
    assert pool_signature(folder) != signature
    assert_array_equal(before.X, X)


@pytest.mark.parametrize(
    ("types", "held"),
    [
        (("float16", "float32"), "float32"),
        (("uint8", "int16"), "float32"),
        (("uint8", "float64"), "float64"),
        (("int32", "float32"), "float64"),
    ],
)
def test_types_of_shards(types, held, tmp_path):
    (tmp_path / "x").mkdir()
    parts = [np.arange(12).reshape(6, 2).astype(dtype) for dtype in types]
    for k, part in enumerate(parts):
        np.save(tmp_path / "x" / f"{k}.npy", part)
    found = read_pool(tmp_path / "x").X
    assert found.dtype == held
    assert_array_equal(found, np.concatenate(parts))


def test_shards_with_columns_first(tmp_path, monkeypatch):
    monkeypatch.setattr("trigpoint.io._shards.BLOCK", 64)
    folder = write_shards(tmp_path / "x", np.asfortranarray(X))
    np.save(folder / "part-3.npy", np.asfortranarray(X[55:]))
    assert_array_equal(read_pool(folder).X, X)


def _nan(file):
    array = X[:30].copy()
    array[17, 2] = np.nan
    np.save(file, array)


WRONG = {
    "must have 4 columns, as part-0.npy has; got 3": lambda file: np.save(file, X[:, :3]),
    r"must hold samples in rows, .*; got shape \(70,\)": lambda file: np.save(file, X[:, 0]),
    "must hold real numbers": lambda file: np.save(file, np.array([["a", "b", "c", "d"]])),
    "must be a .npy file of numpy": lambda file: file.write_bytes(b"hello, this is text"),
    "it was cut short": lambda file: file.write_bytes(file.read_bytes()[:-7]),
    "must hold finite numbers only; got nan in row 17, column 2": _nan,
    "pickled objects": lambda file: np.save(file, np.array([[None] * 4]), allow_pickle=True),
}


@pytest.mark.parametrize("rule", WRONG)
def test_a_wrong_shard_is_named_and_nothing_is_left(rule, tmp_path, cache, monkeypatch):
    monkeypatch.setattr("trigpoint.io._shards.BLOCK", 64)
    folder = write_shards(tmp_path / "x", X)
    WRONG[rule](folder / "part-2.npy")
    with pytest.raises(tp.InputError, match=rf"part-2\.npy .*{rule}") as caught:
        read_pool(folder)
    assert "\n" not in str(caught.value)
    assert not cache.exists() or list(cache.iterdir()) == []


def test_shards_come_in_the_order_of_their_numbers(tmp_path):
    """As other tools number them: 0.npy, 1.npy, ..., 10.npy."""
    folder = write_shards(tmp_path / "x", X, range(0, 61, 5))
    assert len(list(folder.iterdir())) == 12
    assert_array_equal(read_pool(folder).X, X[:60])


def test_a_link_that_leads_nowhere_is_no_shard_less(tmp_path):
    folder = write_shards(tmp_path / "x", X)
    (folder / "part-9.npy").symlink_to(tmp_path / "gone.npy")
    with pytest.raises(FileNotFoundError, match=r"part-9\.npy must be a file that exists; there is none"):
        read_pool(folder)


def test_a_gap_in_the_numbers_is_told(tmp_path):
    folder = write_shards(tmp_path / "x", X, range(0, 71, 10))
    assert read_pool(folder).note == ""
    (folder / "part-4.npy").unlink()
    said = "No part is numbered 4, between part-0.npy and part-6.npy."
    assert read_pool(folder).note == f"{folder}: {said}"


@pytest.mark.parametrize("kind", ["float16", "int8", "int64", ">f4"])
def test_a_large_array_of_another_type_is_mapped(kind, tmp_path, cache, monkeypatch):
    np.save(tmp_path / "x.npy", (10 * X).astype(kind))
    small = read_pool(tmp_path / "x.npy")
    monkeypatch.setattr("trigpoint.io._shards.LARGE", 100)
    large = read_pool(tmp_path / "x.npy")
    assert is_mapped(large.X)
    assert large.X.dtype == (np.float64 if kind == "int64" else np.float32)
    assert_array_equal(large.X, small.X)
    assert [path.name[:5] for path in cache.iterdir()] == ["pool-"]
    assert_array_equal(glimpse(tmp_path / "x.npy").X, small.X)


def test_a_large_array_of_its_own_type_is_not_copied(tmp_path, cache, monkeypatch):
    np.save(tmp_path / "x.npy", X)
    monkeypatch.setattr("trigpoint.io._shards.LARGE", 100)
    assert is_mapped(read_pool(tmp_path / "x.npy").X)
    assert not cache.exists()


def test_an_array_that_is_shorter_than_its_header_says(tmp_path):
    """Also by less than the header itself is long."""
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "x.npy").write_bytes((tmp_path / "x.npy").read_bytes()[:-7])
    with pytest.raises(
        tp.InputError, match=r"x\.npy must hold the \d+ bytes of its shape .*it was cut short"
    ):
        read_pool(tmp_path / "x.npy")


@pytest.mark.parametrize("name", ["zarr.json", ".zarray"])
def test_zarr_is_refused_with_what_to_do(name, tmp_path):
    (tmp_path / "x.zarr").mkdir()
    (tmp_path / "x.zarr" / name).write_text("{}")
    with pytest.raises(tp.InputError, match=r"x\.zarr must be .*zarr is not read here; copy its rows"):
        read_pool(tmp_path / "x.zarr")


@pytest.mark.parametrize(
    ("name", "rule"), [("none", "a file that exists; there is none"), ("empty", "it holds none")]
)
def test_a_folder_of_nothing(name, rule, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises((tp.InputError, FileNotFoundError), match=rule):
        read_pool(tmp_path / name)


def test_shards_without_rows(tmp_path):
    with pytest.raises(tp.InputError, match="must hold at least one row"):
        read_pool(write_shards(tmp_path / "x", X[:0], (0, 0)))


def test_options_that_mean_nothing_for_shards(tmp_path):
    with pytest.raises(tp.InputError, match="columns has no meaning for a folder of arrays"):
        read_pool(write_shards(tmp_path / "x", X), columns=["a"])


def test_pictures_beside_arrays_are_pictures(tmp_path):
    write_images(tmp_path / "pictures")
    np.save(tmp_path / "pictures" / "embeddings.npy", X)
    assert read_pool(tmp_path / "pictures").kind == "images"


def test_no_room_is_told_before_anything_is_read(tmp_path, cache, monkeypatch):
    folder = write_shards(tmp_path / "x", X)
    monkeypatch.setattr("trigpoint.io._shards._rows", no_reading)
    monkeypatch.setattr(_joined.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(tp.InputError, match=r"must have room for the 1,120 bytes of .*; got 1,000 free"):
        read_pool(folder)
    assert list(cache.iterdir()) == []


def test_a_disk_that_fills_up_leaves_nothing(tmp_path, cache, monkeypatch):
    folder = write_shards(tmp_path / "x", X)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("trigpoint.storage._folder.zlib.crc32", full)
    with pytest.raises(OSError, match="No space left on device"):
        read_pool(folder)
    assert list(cache.iterdir()) == []


def test_a_pool_too_large_for_the_cache_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIGPOINT_CACHE_SIZE", "2000")
    with pytest.warns(UserWarning, match="takes 1,120 bytes of the cache, more than half"):
        samples = read_pool(write_shards(tmp_path / "x", X))
    assert_array_equal(samples.X, X)


def test_a_killed_reader_leaves_what_the_next_one_removes(tmp_path, cache):
    folder = write_shards(tmp_path / "x", X)
    code = """
import sys, time
from trigpoint.io import _shards, read_pool
rows = _shards._rows
def slow(file):
    yield from rows(file)
    print("a shard", flush=True)
    time.sleep(600)
_shards._rows = slow
read_pool(sys.argv[1])
"""
    command = [sys.executable, "-c", code, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "a shard\n"
        process.send_signal(signal.SIGKILL)
    assert any(path.is_dir() for path in cache.iterdir())
    assert_array_equal(read_pool(folder).X, X)
    assert [path.name[:5] for path in cache.iterdir()] == ["pool-"]


def test_graphs_and_landmarks_of_shards(tmp_path):
    samples = read_pool(write_shards(tmp_path / "x", X))
    graph = tp.io.cached_graph(samples, 6)
    assert_array_equal(graph.neighbors, tp.neighbor_graph(X, 6).neighbors)


def test_a_saved_graph_is_a_pool(tmp_path):
    graph = tp.neighbor_graph(X, 6)
    tp.save_graph(tmp_path / "graph", graph)
    samples = read_pool(tmp_path / "graph")
    assert (samples.kind, samples.X, samples.n_samples) == ("graph", None, 70)
    assert_array_equal(samples.graph.neighbors, graph.neighbors)
    assert pool_signature(tmp_path / "graph")
    before = samples.fingerprint
    time.sleep(0.01)
    tp.save_graph(tmp_path / "graph", tp.neighbor_graph(X, 7))
    assert read_pool(tmp_path / "graph").fingerprint != before


MEMORY = """
import sys
from pathlib import Path
import numpy as np, scipy.sparse, pyarrow.parquet, sklearn
from trigpoint.io import _numeric_parts, read_pool
_numeric_parts.LARGE = 1
def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024
read_pool(sys.argv[1])
before = peak()
samples = read_pool(sys.argv[2])
print(peak() - before, samples.kind, samples.X.shape[1])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak")
@pytest.mark.parametrize(
    ("kind", "most"), [("npy", 40), pytest.param("parquet", 160, marks=pytest.mark.slow)]
)
def test_reading_takes_little_memory(kind, most, tmp_path):
    for name, n in (("small", 100), ("large", 200_000)):
        (tmp_path / name).mkdir()
        for k in range(3):
            block = np.random.default_rng(k).normal(size=(n, 100)).astype(np.float32)
            if kind == "npy":
                np.save(tmp_path / name / f"{k}.npy", block)
            else:
                write_parquet(tmp_path / name / f"{k}.parquet", {f"c{j}": block[:, j] for j in range(100)})
    command = [sys.executable, "-c", MEMORY, str(tmp_path / "small"), str(tmp_path / "large")]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert told[1:] == ["array", "100"]
    assert int(told[0]) < most  # megabytes; the pool takes 240, and Parquet opens a page a column


def write_parquet(file, columns):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pa.table(columns), file, row_group_size=20_000, use_dictionary=False)


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """A folder of two Parquet files with ids and a label, of which every table counts as large."""
    monkeypatch.setattr(_numeric_parts, "LARGE", 1)
    (tmp_path / "t").mkdir()
    for k, rows in enumerate((slice(0, 40), slice(40, 70))):
        columns = {"id": np.arange(70)[rows] + 100, "label": np.arange(70)[rows] % 2}
        columns |= {f"c{j}": X[rows, j] for j in range(4)}
        write_parquet(tmp_path / "t" / f"{k}.parquet", columns)
    return tmp_path / "t"


def test_large_tables_of_numbers_are_mapped(tables, monkeypatch):
    samples = read_pool(tables)
    assert is_mapped(samples.X)
    assert_array_equal(samples.X, X)
    assert samples.feature_names == ("c0", "c1", "c2", "c3")
    assert (samples.ids[0], samples.ids[69], samples.named) == ("100", "169", True)
    assert [use.why for use in samples.columns if use.use is None] == ["the ids", "a label"]
    assert "is read a block at a time" in samples.note
    monkeypatch.setattr(_numeric_parts, "LARGE", 2**30)
    small = read_pool(tables)
    assert small.kind == "table"
    assert_array_equal(small.X, X)
    assert small.ids.tolist() == samples.ids.tolist()


def test_columns_may_be_chosen_and_dropped(tables):
    assert_array_equal(read_pool(tables, columns=["c3", "c1"]).X, X[:, [1, 3]])
    assert_array_equal(read_pool(tables, drop=["c1"]).X, X[:, [0, 2, 3]])


@pytest.mark.parametrize(
    "more",
    [
        {"c9": ["text"] * 70},
        {"c9": [None, *np.arange(69.0)]},
        {"c9": np.array([np.nan, *range(69)])},
        {"source": np.arange(70), "target": np.arange(70)},
    ],
)
def test_other_tables_are_read_as_before(more, tables):
    for k, rows in enumerate((slice(0, 40), slice(40, 70))):
        columns = {} if "source" in more else {f"c{j}": X[rows, j] for j in range(4)}
        write_parquet(tables / f"{k}.parquet", columns | {name: list(v)[rows] for name, v in more.items()})
    assert read_pool(tables).kind == ("graph" if "source" in more else "table")
    if "source" not in more:
        assert read_pool(tables, scale="robust").kind == "table"


def test_a_column_that_counts_the_rows_is_no_feature(tables):
    for k, rows in enumerate((slice(0, 40), slice(40, 70))):
        write_parquet(
            tables / f"{k}.parquet", {"row": np.arange(70)[rows], "c0": X[rows, 0], "c1": X[rows, 1]}
        )
    samples = read_pool(tables)
    assert is_mapped(samples.X)
    assert_array_equal(samples.X, X[:, :2])
    assert samples.columns[0].why == "counts the rows"


def test_infinite_numbers_are_refused(tables):
    write_parquet(
        tables / "1.parquet", {"id": [1], "label": [0], **{f"c{j}": np.float32([np.inf]) for j in range(4)}}
    )
    with pytest.raises(tp.InputError, match=r"1\.parquet must hold finite numbers only; got inf in row 0"):
        read_pool(tables)


def test_a_graph_without_its_about_is_no_table_in_parts(tmp_path):
    tp.save_graph(tmp_path / "g", tp.graph_from_edges([[0, 1], [1, 2]]))
    (tmp_path / "g" / "about.json").unlink()
    with pytest.raises(tp.InputError, match=r"g must be a folder written by .*it holds no about\.json"):
        tp.read_pool(tmp_path / "g")
