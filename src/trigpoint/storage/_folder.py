"""Folders of arrays that are written whole or not at all, and opened without being read.

    about.json   the kind of the folder, the number of its format, what else there is to say, and of each
                 array its type, shape, bytes and checksum (CRC-32)
    NAME.npy     an array of numbers, in C order

The arrays go to a hidden folder beside the target, are forced to disk, and take its name in one step. Where
there was such a folder before, it steps aside first: for a moment there is neither, and never a part.

Opening maps the arrays. It compares types, shapes and sizes of files with about.json and reads none of the
data, so it takes as long for a gigabyte as for a kilobyte. ``check=True`` reads all and compares checksums.
"""

import errno
import json
import os
import re
import secrets
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array

ABOUT = "about.json"
PREFIX = ".trigpoint-"
MOST_ABOUT = 2**20  # bytes of an about.json
BLOCK = 2**22  # bytes to write or to check at a time
TOKEN = 8  # random bytes of a hidden name
TRIES = 100  # to take a place that others want, too


@dataclass(frozen=True)
class FolderKind:
    """What a folder holds.

    Attributes
    ----------
    name : such as "graph"
    format : its number, which rises when older readers could not read it
    writer : the function that writes such folders, for messages
    """

    name: str
    format: int
    writer: str

    @property
    def told(self) -> str:
        return f"a folder written by {self.writer}"


@dataclass(frozen=True, eq=False)
class Stream:
    """An array that is never there as a whole: its type, its shape, and its rows in blocks."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    blocks: Iterable[Array]


def check_folder_target(folder: str | Path, kind: FolderKind) -> None:
    """Refuse early what could not be written in the end: only a folder of the same kind is replaced."""
    path = Path(folder)
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{path} must lie in a folder that exists; {path.parent} does not.")
    if not os.access(Path(os.path.realpath(path)).parent, os.W_OK):
        raise PermissionError(f"{path} must be writable; {path.parent} is not.")
    if not path.exists():
        return
    if not path.is_dir():
        raise InputError(path, "must be a folder to write to; it is a file")
    try:
        foreign = any(path.iterdir()) and _about(path).get("kind") != kind.name
    except FileNotFoundError:  # another writer is replacing it
        return
    if foreign and _about(path).get("kind") != kind.name and path.exists():
        raise InputError(path, f"must be new, empty, or {kind.told}; it holds something else")


@contextmanager
def atomic_folder(folder: str | Path) -> Iterator[Path]:
    """A new folder to write to, which becomes ``folder`` when the block ends well."""
    target = Path(os.path.realpath(folder))
    part = target.parent / f"{PREFIX}{target.name}-{secrets.token_hex(TOKEN)}"
    part.mkdir()
    try:
        yield part
        for file in part.iterdir():
            _force(file)
        _force(part)
        _take_place(part, target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def remove_parts(folder: str | Path) -> None:
    """Rid a folder, whose only writer this process is, of what writers that were killed have left."""
    target = Path(os.path.realpath(folder))
    of_it = re.compile(re.escape(f"{PREFIX}{target.name}-") + f"[0-9a-f]{{{2 * TOKEN}}}")
    for part in target.parent.glob(f"{PREFIX}*"):
        if of_it.fullmatch(part.name):
            shutil.rmtree(part, ignore_errors=True)


def _take_place(part: Path, target: Path) -> None:
    """Rename part to target; what is there steps aside, also what another writer has put there meanwhile."""
    for tries_left in reversed(range(TRIES)):
        old = _step_aside(target)
        try:
            part.rename(target)
            break
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST) or not tries_left:
                if old is not None and not target.exists():
                    old.rename(target)
                raise
        finally:
            if old is not None:
                shutil.rmtree(old, ignore_errors=True)
    _force(target.parent)


def _step_aside(target: Path) -> Path | None:
    """Where the folder went; None where there was none."""
    old = target.parent / f"{PREFIX}{secrets.token_hex(TOKEN)}"
    try:
        target.rename(old)
    except FileNotFoundError:
        return None
    return old


def _force(path: Path) -> None:
    """To disk; not every system can do this for folders, and they are whole without."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_folder(
    folder: str | Path,
    kind: FolderKind,
    about: Mapping[str, Any] | Callable[[], Mapping[str, Any]],
    arrays: Mapping[str, Array | Stream],
) -> None:
    """Plain values, which JSON can tell, and arrays by name. Memory: a block.

    Values that are known only after the arrays were written come from a function.
    """
    check_folder_target(folder, kind)
    if not callable(about):
        _check_plain(about)
    try:
        with atomic_folder(folder) as part:
            files = {name: _write_array(part / f"{name}.npy", array) for name, array in arrays.items()}
            told: dict[str, Any] = {
                "kind": kind.name,
                "format": kind.format,
                "trigpoint": _version(),
                "created": _now(),
            }
            told |= about() if callable(about) else about
            text = json.dumps({**told, "arrays": files}, indent=1, allow_nan=False)
            (part / ABOUT).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(folder)) from error


def _check_plain(about: Mapping[str, Any]) -> None:
    try:
        json.dumps(dict(about), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError("settings", f"must be plain values, which JSON can tell; {error}") from None


def _write_array(file: Path, array: Array | Stream) -> dict[str, Any]:
    found = array if isinstance(array, Stream) else Stream(array.dtype, array.shape, _blocks(array))
    header = {
        "descr": np.lib.format.dtype_to_descr(found.dtype),
        "fortran_order": False,
        "shape": found.shape,
    }
    sum_, written = 0, 0
    with file.open("wb") as stream:
        np.lib.format.write_array_header_1_0(stream, header)
        start = stream.tell()
        for block in found.blocks:
            data = _bytes_of(np.ascontiguousarray(block, dtype=found.dtype))
            stream.write(data)
            sum_ = zlib.crc32(data, sum_)
            written += len(data)
        if written != _n_bytes(found.dtype, found.shape):
            raise InputError(file.name, f"must fill its shape {found.shape}", f"{written} bytes")
    told = {"dtype": np.lib.format.dtype_to_descr(found.dtype), "shape": list(found.shape)}
    return {**told, "bytes": start + written, "crc32": sum_}


def _bytes_of(block: Array) -> memoryview:
    return memoryview(block.reshape(-1).view(np.uint8))  # type: ignore[arg-type]


def _blocks(array: Array) -> Iterator[Array]:
    step = max(1, BLOCK // max(1, _n_bytes(array.dtype, array.shape[1:])))
    for start in range(0, len(array), step):
        yield array[start : start + step]


def _n_bytes(dtype: np.dtype[Any], shape: tuple[int, ...]) -> int:
    total = dtype.itemsize
    for size in shape:
        total *= int(size)
    return total


def _version() -> str:
    try:
        return version("trigpoint")
    except PackageNotFoundError:
        return ""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def folder_facts(folder: str | Path, kind: FolderKind) -> dict[str, Any]:
    """What about.json says of a folder of this kind; an error that says why it says nothing."""
    path = Path(folder)
    if not path.exists():
        raise FileNotFoundError(f"{path} must be {kind.told}; there is none.")
    if not path.is_dir():
        raise InputError(path, f"must be {kind.told}; it is a file")
    about = _about(path)
    found = about.get("kind")
    if found is None:
        raise InputError(path, f"must be {kind.told}; it holds no {ABOUT} that says what it is")
    if found != kind.name:
        raise InputError(path, f"must be {kind.told}; it holds another kind of thing", repr(found))
    number = about.get("format")
    if isinstance(number, int) and number > kind.format:
        newer = f"it is of format {number}, which a newer trigpoint wrote"
        raise InputError(path, f"must be of format {kind.format} at most; {newer}")
    if number != kind.format or not isinstance(about.get("arrays"), dict):
        raise InputError(path, f"must be of format {kind.format}; it is of format {number!r}, or damaged")
    return about


def _about(path: Path) -> dict[str, Any]:
    """The plain values of a folder; empty where there are none that could be ours."""
    try:
        if (path / ABOUT).stat().st_size > MOST_ABOUT:
            return {}
        about = json.loads((path / ABOUT).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return about if isinstance(about, dict) else {}


def open_folder(
    folder: str | Path, kind: FolderKind, *, check: bool = False
) -> tuple[dict[str, Any], dict[str, Array]]:
    """What about.json says, and the arrays, mapped and read-only; with ``check`` all bytes are compared."""
    path = Path(folder)
    about = folder_facts(path, kind)
    if any(Path(name).name != name for name in about["arrays"]):
        raise InputError(path, f"must be {kind.told}; {ABOUT} names files that lie elsewhere")
    return about, {
        name: _open_array(path / f"{name}.npy", told, kind, check) for name, told in about["arrays"].items()
    }


def _open_array(file: Path, told: Any, kind: FolderKind, check: bool) -> Array:
    if not isinstance(told, dict):
        raise _damaged(file, kind, f"{ABOUT} does not describe it")
    try:
        found = np.lib.format.open_memmap(file, mode="r")
        n_bytes = file.stat().st_size
    except OSError as error:
        raise _damaged(file, kind, "it is missing" if not file.exists() else str(error)) from None
    except Exception as error:  # whatever numpy says of bytes that are no header
        raise _damaged(file, kind, " ".join(str(error).split()) or type(error).__name__) from None
    shape, descr = list(found.shape), np.lib.format.dtype_to_descr(found.dtype)
    if (descr, shape, n_bytes) != (told.get("dtype"), told.get("shape"), told.get("bytes")):
        raise _damaged(
            file, kind, f"{descr} of shape {found.shape} in {n_bytes} bytes is not what {ABOUT} says"
        )
    if found.dtype.kind not in "biuf" or not found.flags.c_contiguous:
        raise _damaged(file, kind, "it must hold numbers in C order")
    plain = found.view(np.ndarray)
    if check and _sum(plain) != told.get("crc32"):
        raise _damaged(file, kind, "its checksum is another")
    return plain


def _sum(array: Array) -> int:
    total = 0
    for block in _blocks(array):
        total = zlib.crc32(_bytes_of(block), total)
    return total


def _damaged(file: Path, kind: FolderKind, why: str) -> InputError:
    return InputError(file.parent, f"must be {kind.told}, whole and undamaged; {file.name}: {why}")
