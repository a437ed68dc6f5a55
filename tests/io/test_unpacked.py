"""Small files that unpack to much: told before they are unpacked."""

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reference.files import POOLS
from trigpoint.io import _unpacked, check_unpacked


@pytest.mark.parametrize("name", POOLS)
def test_small_files_of_every_kind_pass(tmp_path, name):
    POOLS[name](tmp_path / name)
    if name.endswith((".arrow", ".feather")):
        with pytest.raises(ValueError, match="an Arrow file does not say what it unpacks to"):
            check_unpacked(tmp_path / name)
    else:
        check_unpacked(tmp_path / name)


@pytest.mark.slow
def test_a_bomb_of_each_kind(tmp_path):
    def parquet(name, **columns):
        pq.write_table(pa.table(columns), tmp_path / name, compression="zstd")

    with gzip.open(tmp_path / "x.csv.gz", "wb") as sink:
        for _ in range(6):
            sink.write(bytes(10**7))
    np.savez_compressed(tmp_path / "x.npz", X=np.zeros(6_250_001))
    parquet("rows.parquet", id=np.zeros(1_000_001, dtype=np.int8))
    parquet("list.parquet", label=[["a"] * 1_000_001])
    parquet("text.parquet", id=np.arange(600), label=pa.array(["x" * 100_000] * 600))
    parquet("texts.parquet", id=np.arange(6), label=pa.array([["x" * 100_000] * 100] * 6))
    parquet("struct.parquet", id=np.arange(600), label=pa.array([{"b": "x" * 100_000}] * 600))
    for name, message in (
        ("x.csv.gz", "must unpack to at most 50,000,000 bytes; it holds more"),
        ("x.npz", "must unpack to at most 50,000,000 bytes; it holds more"),
        ("rows.parquet", "must hold at most 1,000,000 rows, or values of a column; it holds more"),
        ("list.parquet", "must hold at most 1,000,000 rows, or values of a column; it holds more"),
        ("text.parquet", "must unpack to at most 50,000,000 bytes; it holds more"),
        ("texts.parquet", "must unpack to at most 50,000,000 bytes; it holds more"),
        ("struct.parquet", "must unpack to at most 50,000,000 bytes; it holds more"),
    ):
        assert (tmp_path / name).stat().st_size < 500_000
        with pytest.raises(ValueError, match=rf"{name} {message}"):
            check_unpacked(tmp_path / name)


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("x.csv", b"ab\n" * 11, "must hold at most 10 lines; it holds more"),
        ("x.csv", b"ab\r" * 11, "must hold at most 10 lines; it holds more"),
        ("x.csv", b"ab\r\n" * 10, None),
        (
            "x.csv",
            b"," * 20 + b";" * 10 + b"\t" * 11,
            "must hold at most 40 separators of cells; it holds more",
        ),
        ("x.csv", b"," * 20 + b";" * 10 + b"\t" * 10, None),
        ("x.csv", b"{" * 11, None),
        ("x.json", b"[{" * 5 + b"[", "must hold at most 10 objects and lists; it holds more"),
        ("x.jsonl", b"{}\n" * 11, "must hold at most 10 objects and lists; it holds more"),
        ("x.json", b"[{" * 5 + b"\n" * 20, None),
        ("x.csv", b"a" * 101, "must unpack to at most 100 bytes; it holds more"),
        ("x.csv", b"a" * 100, None),
    ],
)
def test_text_by_what_it_holds(tmp_path, monkeypatch, name, body, message, zipped):
    for limit, value in {"MOST_BYTES": 100, "MOST_ROWS": 10, "MOST_CELLS": 40, "CHUNK": 7}.items():
        monkeypatch.setattr(_unpacked, limit, value)
    (tmp_path / name).write_bytes(gzip.compress(body) if zipped else body)
    if message is None:
        check_unpacked(tmp_path / name)
    else:
        with pytest.raises(ValueError, match=f"{name} {message}"):
            check_unpacked(tmp_path / name)


def test_parquet_by_bytes(tmp_path, monkeypatch):
    pq.write_table(pa.table({"id": ["x" * 5000 + str(i) for i in range(9)]}), tmp_path / "x.parquet")
    check_unpacked(tmp_path / "x.parquet")
    monkeypatch.setattr(_unpacked, "MOST_BYTES", 10_000)
    with pytest.raises(ValueError, match="must unpack to at most 10,000 bytes"):
        check_unpacked(tmp_path / "x.parquet")


def test_parquet_by_what_its_texts_take_when_each_has_a_copy(tmp_path, monkeypatch):
    monkeypatch.setattr(_unpacked, "MOST_BYTES", 20_000)
    for count in (30, 50):
        for name, cells in (("plain", ["x" * 500] * count), ("lists", [["x" * 250] * 2] * count)):
            path = tmp_path / f"{name}{count}.parquet"
            pq.write_table(pa.table({"id": [*range(count)], "label": cells}), path)
            if count == 30:
                check_unpacked(path)
            else:
                with pytest.raises(ValueError, match="must unpack to at most 20,000 bytes; it holds more"):
                    check_unpacked(path)


@pytest.mark.parametrize("start", [b"\x1f\x8b\x08", b"PK\x03\x04", b"PAR1"])
def test_damaged_files_are_named(tmp_path, start):
    (tmp_path / "x").write_bytes(start + b"damaged")
    with pytest.raises(ValueError, match=r"x must be .*, whole and undamaged"):
        check_unpacked(tmp_path / "x")
