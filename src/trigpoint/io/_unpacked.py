"""What a file of labels unpacks to, before it is read: a few kilobytes can hold more than memory does.

    bytes   of a gzipped file and of an archive; of Parquet as its columns say, and as its texts are once each
            value has its own copy (a dictionary keeps a text once, however often it is used)
    rows    lines of a table, values of a column of Parquet, objects and lists of JSON
    cells   separators of a table

What takes memory is counted, not what is meant: a comma in a text counts as a separator. A label file of the
largest size is far below these limits.
"""

import gzip
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from trigpoint._errors import InputError
from trigpoint.io._files import CHUNK, reading, require

MOST_BYTES, MOST_ROWS, MOST_CELLS = 50_000_000, 1_000_000, 10_000_000
BLOCK = 8192  # rows of Parquet


def check_unpacked(path: Path) -> None:
    """Refuse a file of more than `MOST_BYTES`, `MOST_ROWS` or `MOST_CELLS` once it is unpacked."""
    with path.open("rb") as stream:
        start = stream.read(4)
    if start == b"PK\x03\x04":
        with reading(path, "an .npz archive"), zipfile.ZipFile(path) as archive:
            _check_bytes(path, sum(member.file_size for member in archive.infolist()))
    elif start == b"PAR1":
        _check_parquet(path)
    elif start in (b"ARRO", b"\xff\xff\xff\xff"):
        raise InputError(path, "must be of another kind here: an Arrow file does not say what it unpacks to")
    elif start[:2] == b"\x1f\x8b":
        with reading(path, "a gzipped file"), gzip.open(path, "rb") as stream:
            _check_text(path, stream)
    elif start != b"\x93NUM":  # an array is as large as its file
        with path.open("rb") as stream:
            _check_text(path, stream)


def _check_text(path: Path, stream: BinaryIO | gzip.GzipFile) -> None:
    is_json = path.suffix.lower() in (".json", ".jsonl")
    n_bytes, counts = 0, dict.fromkeys(b"{[" if is_json else b"\n\r,;\t", 0)
    for piece in _pieces(stream):
        n_bytes += len(piece)
        for mark in counts:
            counts[mark] += piece.count(mark)
        _check_bytes(path, n_bytes)
        if is_json:
            _check_rows(path, sum(counts.values()), "objects and lists")
        else:
            _check_rows(path, max(counts[mark] for mark in b"\n\r"), "lines")
            n_cells = sum(counts[mark] for mark in b",;\t")
            if n_cells > MOST_CELLS:
                raise InputError(path, f"must hold at most {MOST_CELLS:,} separators of cells; it holds more")


def _pieces(stream: BinaryIO | gzip.GzipFile) -> Iterator[bytes]:
    while piece := stream.read(CHUNK):
        yield piece


def _check_parquet(path: Path) -> None:
    require("pyarrow", path)
    from pyarrow import parquet

    with reading(path, "a Parquet file"), parquet.ParquetFile(path) as file:
        about, leaves = file.metadata, range(len(file.schema))
        groups = [about.row_group(k) for k in range(about.num_row_groups)]
        n_bytes = sum(group.total_byte_size for group in groups)
        n_values = [sum(group.column(j).num_values for group in groups) for j in leaves]
        texts = [file.schema.column(j).path for j in leaves if _is_text(file.schema.column(j))]
    _check_bytes(path, n_bytes)
    _check_rows(path, max([about.num_rows, *n_values]), "rows, or values of a column")
    n_bytes = 0
    with (
        reading(path, "a Parquet file"),
        parquet.ParquetFile(path, read_dictionary=texts) as file,
    ):
        names = list(dict.fromkeys(text.partition(".")[0] for text in texts))
        for name in names:
            for batch in file.iter_batches(BLOCK, columns=[name], use_threads=False):
                n_bytes += _text_bytes(batch.column(0))
                _check_bytes(path, n_bytes)


def _is_text(column: Any) -> bool:
    return str(column.physical_type) == "BYTE_ARRAY"


def _text_bytes(array: Any) -> int:
    """As many as the texts would take, each by itself."""
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_dictionary(array.type):
        lengths = compute.binary_length(array.dictionary)
        return int(compute.sum(compute.take(lengths, array.indices)).as_py() or 0)
    if pa.types.is_nested(array.type):
        parts = array.flatten()
        return sum(map(_text_bytes, parts)) if isinstance(parts, list) else _text_bytes(parts)
    return int(array.nbytes)


def _check_bytes(path: Path, n_bytes: int) -> None:
    if n_bytes > MOST_BYTES:
        raise InputError(path, f"must unpack to at most {MOST_BYTES:,} bytes; it holds more")


def _check_rows(path: Path, n_rows: int, what: str) -> None:
    if n_rows > MOST_ROWS:
        raise InputError(path, f"must hold at most {MOST_ROWS:,} {what}; it holds more")
