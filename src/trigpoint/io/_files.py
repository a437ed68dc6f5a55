"""Files at the door: what kind they are by their name, whether they are there, what they hash to."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError, needs_extra

KINDS = {
    ".npy": "npy",
    ".npz": "npz",
    ".csv": "csv",
    ".csv.gz": "csv",
    ".tsv": "tsv",
    ".tsv.gz": "tsv",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".safetensors": "safetensors",
    ".json": "json",
    ".jsonl": "jsonl",
    ".txt": "txt",
    ".edges": "edges",
    ".edgelist": "edges",
    ".graphml": "graphml",
    ".mtx": "mtx",
    ".idx": "idx",
    "-idx3-ubyte": "idx",
}
WRITTEN = ("csv", "tsv", "parquet", "json", "jsonl")
TABLES = (*WRITTEN, "arrow", "dataset")  # a dataset is a folder of Parquet or Arrow files
IDX_NAME = re.compile(r"[.-]idx\d?(-[a-z]+)?(\.gz)?$")  # train-images-idx3-ubyte.gz, images.idx3-ubyte, x.idx
CHUNK = 2**20
GAPS = 5  # missing parts that a sentence names


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


def by_number(name: str) -> list[Any]:
    """A key for names in order, in which numbers count as numbers: part-2 comes before part-10.

    >>> sorted(["part-10", "part-2", "part-1.b", "part-1"], key=by_number)
    ['part-1', 'part-1.b', 'part-2', 'part-10']
    """
    return [int(word) if k % 2 else word for k, word in enumerate(re.split("([0-9]+)", name))] + [name]


def gaps_told(names: Sequence[str]) -> str:
    """In a sentence, the parts that their numbers say are missing; empty where nothing says so.

    Names tell something where they differ in one number only.

    >>> gaps_told(["part-0-of-6.npy", "part-1-of-6.npy", "part-4-of-6.npy"])
    'No part is numbered 2, 3, between part-0-of-6.npy and part-4-of-6.npy.'
    """
    words = [re.split("([0-9]+)", name) for name in names]
    if len({len(row) for row in words}) != 1:
        return ""
    differ = [k for k, column in enumerate(zip(*words, strict=True)) if len(set(column)) > 1]
    if len(differ) != 1 or differ[0] % 2 == 0:
        return ""
    numbers = sorted(int(row[differ[0]]) for row in words)
    gaps = [str(k) for a, b in pairwise(numbers) for k in range(a + 1, min(b, a + 1 + GAPS))]
    if not gaps or len(gaps) > len(numbers):
        return ""
    more = ", ..." if len(gaps) > GAPS else ""
    return f"No part is numbered {', '.join(gaps[:GAPS])}{more}, between {names[0]} and {names[-1]}."


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
        raise InputError(path, needs_extra(names.get(module, module), "files"))


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


def files_signature(files: Mapping[str, Path], about: Any) -> str:
    """A hash of names, sizes and times, and of plain values beside them; no file is opened."""
    total = hashlib.blake2b(json.dumps(about).encode(), digest_size=16)
    for name, file in files.items():
        state = file.stat()
        total.update(json.dumps([name, state.st_size, state.st_mtime_ns, state.st_ctime_ns]).encode())
    return total.hexdigest()
