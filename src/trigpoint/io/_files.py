"""Files at the door: what kind they are by their name, whether they are there, what they hash to.

Also how much they unpack to, before it is done: a few kilobytes can hold more than fits in memory.
"""

import gzip
import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError

KINDS = {
    ".npy": "npy",
    ".npz": "npz",
    ".csv": "csv",
    ".csv.gz": "csv",
    ".tsv": "tsv",
    ".tsv.gz": "tsv",
    ".parquet": "parquet",
    ".json": "json",
    ".jsonl": "jsonl",
    ".mtx": "mtx",
    ".idx": "idx",
    "-idx3-ubyte": "idx",
}
TABLES = ("csv", "tsv", "parquet", "json", "jsonl")
IDX_NAME = re.compile(r"[.-]idx\d?(-[a-z]+)?(\.gz)?$")  # train-images-idx3-ubyte.gz, images.idx3-ubyte, x.idx
CHUNK = 2**20
MOST_BYTES, MOST_ROWS = 200_000_000, 5_000_000


def kind_of(path: Path, allowed: Iterable[str] = tuple(dict.fromkeys(KINDS.values()))) -> str:
    """The kind of a file by its name, one of ``allowed``."""
    name, allowed = path.name.lower(), tuple(allowed)
    found = "idx" if IDX_NAME.search(name) else None
    for suffix, kind in KINDS.items():
        if name.endswith(suffix):
            found = kind
    if found not in allowed:
        known = ", ".join(suffix for suffix, kind in KINDS.items() if kind in allowed)
        raise InputError(
            path, f"must be of a known kind ({known})", repr("".join(path.suffixes) or path.name)
        )
    return found


def is_table(path: Path) -> bool:
    """Whether a path is that of a table, by its name."""
    return not path.is_dir() and kind_of(path) in TABLES


def check_file(path: Path) -> None:
    if not path.exists():
        raise FileNotFoundError(f"{path} must be a file that exists; there is none.")
    if path.is_dir():
        raise IsADirectoryError(f"{path} must be a file; it is a folder.")
    if path.is_file() and path.stat().st_size == 0:
        raise InputError(path, "must not be empty")


def require(module: str, path: Any) -> None:
    """Refuse what an extra would read or write, before any work, and say how to get it."""
    if find_spec(module) is None:
        names = {"PIL": "pillow"}
        raise InputError(
            path, f'needs {names.get(module, module)}; install it with: pip install "trigpoint[files]"'
        )


@contextmanager
def reading(path: Path, what: str) -> Iterator[None]:
    """Around the parsers of others, which raise what they like on bad bytes: the file is named.

    Our own errors say more, and stay as they are.
    """
    try:
        yield
    except InputError:
        raise
    except OSError as error:
        if error.filename is not None:
            raise
        raise _unreadable(path, what, error) from error
    except Exception as error:
        raise _unreadable(path, what, error) from error


def _unreadable(path: Path, what: str, error: Exception) -> InputError:
    said = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    if len(said) > 200:
        said = said[:200] + " ..."
    return InputError(path, f"must be {what}, whole and undamaged; reading it failed: {said}")


def fingerprint(files: Iterable[tuple[str, Path]], options: dict[str, Any]) -> str:
    """A hash of names, sizes and contents, and of how they are read; streams, whatever their size."""
    total = hashlib.blake2b(digest_size=16)
    total.update(json.dumps(options, sort_keys=True).encode())
    for name, path in files:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16))
        total.update(json.dumps([name, path.stat().st_size]).encode() + digest.digest())
    return total.hexdigest()


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
