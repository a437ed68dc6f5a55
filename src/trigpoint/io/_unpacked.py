"""How much a file unpacks to, told before it is: a few kilobytes can hold more than fits in memory."""

import gzip
import zipfile
from pathlib import Path

from trigpoint._errors import InputError
from trigpoint.io._files import CHUNK, reading, require

MOST_BYTES, MOST_ROWS = 200_000_000, 5_000_000


def check_unpacked(path: Path) -> None:
    """Refuse a file that unpacks to more than `MOST_BYTES`, or to more rows than `MOST_ROWS`."""
    with path.open("rb") as stream:
        start = stream.read(4)
    if start[:2] == b"\x1f\x8b":
        n_bytes = _gzipped(path)
    elif start == b"PK\x03\x04":
        with reading(path, "an .npz archive"), zipfile.ZipFile(path) as archive:
            n_bytes = sum(member.file_size for member in archive.infolist())
    elif start == b"PAR1":
        n_bytes = _parquet(path)
    else:
        return
    if n_bytes > MOST_BYTES:
        raise InputError(path, f"must unpack to at most {MOST_BYTES:,} bytes; it holds more")


def _gzipped(path: Path) -> int:
    """Counted: what the file says of itself need not be true."""
    count = 0
    with reading(path, "a gzipped file"), gzip.open(path, "rb") as stream:
        while count <= MOST_BYTES and (piece := stream.read(CHUNK)):
            count += len(piece)
    return count


def _parquet(path: Path) -> int:
    require("pyarrow", path)
    from pyarrow import parquet

    with reading(path, "a Parquet file"), parquet.ParquetFile(path) as file:
        about = file.metadata
        n_rows = about.num_rows
        n_bytes = sum(about.row_group(k).total_byte_size for k in range(about.num_row_groups))
    if n_rows > MOST_ROWS:
        raise InputError(path, f"must hold at most {MOST_ROWS:,} rows; it holds {n_rows:,}")
    return int(n_bytes)
