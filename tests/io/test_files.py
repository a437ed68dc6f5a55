"""Small files that unpack to much: told before they are unpacked."""

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reference.files import POOLS
from trigpoint.io import check_unpacked
from trigpoint.io._files import MOST_BYTES


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
    with gzip.open(tmp_path / "x.csv.gz", "wb") as sink:
        for _ in range(MOST_BYTES // 10**7 + 1):
            sink.write(bytes(10**7))
    np.savez_compressed(tmp_path / "x.npz", X=np.zeros(MOST_BYTES // 8 + 1))
    pq.write_table(pa.table({"id": np.arange(5_000_001)}), tmp_path / "rows.parquet", compression="zstd")
    for name, message in (
        ("x.csv.gz", "must unpack to at most 200,000,000 bytes; it holds more"),
        ("x.npz", "must unpack to at most 200,000,000 bytes; it holds more"),
        ("rows.parquet", "must hold at most 5,000,000 rows; it holds 5,000,001"),
    ):
        assert (tmp_path / name).stat().st_size < 50_000_000
        with pytest.raises(ValueError, match=rf"{name} {message}"):
            check_unpacked(tmp_path / name)


def test_parquet_by_bytes(tmp_path, monkeypatch):
    pq.write_table(pa.table({"id": ["x" * 5000 + str(i) for i in range(9)]}), tmp_path / "x.parquet")
    check_unpacked(tmp_path / "x.parquet")
    monkeypatch.setattr("trigpoint.io._files.MOST_BYTES", 10_000)
    with pytest.raises(ValueError, match="must unpack to at most 10,000 bytes"):
        check_unpacked(tmp_path / "x.parquet")


@pytest.mark.parametrize("start", [b"\x1f\x8b\x08", b"PK\x03\x04", b"PAR1"])
def test_damaged_files_are_named(tmp_path, start):
    (tmp_path / "x").write_bytes(start + b"damaged")
    with pytest.raises(ValueError, match=r"x must be .*, whole and undamaged"):
        check_unpacked(tmp_path / "x")
