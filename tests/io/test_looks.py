"""Files whose names say one thing and whose bytes another."""

import gzip
import zipfile

import pytest

from reference.files import POOLS
from trigpoint.io import guessed_suffix, read_pool


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        (
            "pool.parquet",
            "x.csv",
            r"x\.csv must be a \.csv file, as its name says; it looks like a Parquet file: name it x\.par",
        ),
        ("pool.csv.gz", "x.csv", r"it looks like a gzipped file: name it x\.csv\.gz"),
        ("pool.npy", "x.npz", r"it looks like an array of numpy: name it x\.npy"),
        ("pool.npz", "x.npy", r"it looks like an \.npz archive: name it x\.npz"),
        ("pool.arrow", "x.parquet", r"it looks like an Arrow file: name it x\.arrow"),
        ("pool.safetensors", "x.npy", r"it looks like a \.safetensors file: name it x\.safetensors"),
        ("ring.mtx", "x.txt", r"it looks like a Matrix Market file: name it x\.mtx"),
        ("pool.graphml", "x.json", r"it looks like an XML document: name it x\.graphml"),
    ],
)
def test_what_it_looks_like(tmp_path, name, wrong, message):
    POOLS[name](tmp_path / name)
    (tmp_path / name).rename(tmp_path / wrong)
    with pytest.raises(ValueError, match=message):
        read_pool(tmp_path / wrong)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (b"\x89PNG\r\n\x1a\n", "it looks like a picture: it is not read as it is"),
        (b"%PDF-1.7", "it looks like a PDF document"),
        (b"SQLite format 3\0", "it looks like an SQLite database"),
        (b"\x28\xb5\x2f\xfd" + bytes(9), "it looks like a file packed by zstd"),
        (b"<!DOCTYPE html><html>", "it looks like a web page"),
        (b"FEA1" + bytes(9), "it looks like a Feather file of the first version"),
    ],
)
def test_kinds_that_are_not_read(tmp_path, start, message):
    (tmp_path / "x.csv").write_bytes(start + b"a,b\n1,2\n")
    with pytest.raises(ValueError, match=message):
        read_pool(tmp_path / "x.csv")


def test_a_workbook(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.csv", "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
    with pytest.raises(ValueError, match=r"it looks like an Excel workbook: save it as \.csv"):
        read_pool(tmp_path / "x.csv")


@pytest.mark.parametrize("name", [name for name in POOLS if "idx" not in name])
def test_the_suffix_of_every_kind_is_guessed(tmp_path, name):
    POOLS[name](tmp_path / name)
    data = (tmp_path / name).read_bytes()
    (tmp_path / "x").write_bytes(data)
    expected = {"pool.feather": ".arrow", "pool.edges": ".txt", "stream.arrow": ".arrow", "lines.txt": ".txt"}
    found = guessed_suffix(tmp_path / "x")
    assert found == expected.get(name, name[name.index(".") :])
    (tmp_path / "x").rename(tmp_path / f"x{found}")
    assert (
        read_pool(tmp_path / f"x{found}", **({"graph": False} if name == "sparse.npz" else {})).n_samples > 1
    )


def test_a_compressed_table_is_read(tmp_path):
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"id,a,b\nx,1,2\ny,3,5\n"))
    assert read_pool(tmp_path / "x.csv.gz").n_samples == 2
