"""Archives: plain values and arrays in one file, a zip that stores them as they are.

    about.json   the kind of the file, the number of its format, and what else there is to say
    NAME.npy     an array of numbers or text

Nothing is compressed, so that reading takes no more memory than the file has bytes, whatever its headers say.
Nothing is ever unpickled. The checksums of the zip show damage. Files are written whole or not at all.
"""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.io._arrays import check_header, read_header
from trigpoint.io._atomic import atomic_path
from trigpoint.io._files import check_file, reading

ABOUT = "about.json"
ARRAY = ".npy"


@dataclass(frozen=True)
class ArchiveKind:
    """What an archive holds.

    Attributes
    ----------
    name : such as "model"
    format : its number, which rises when older readers could not read it
    writer : the function that writes such files, for messages
    """

    name: str
    format: int
    writer: str


def write_archive(
    path: str | PathLike[str], kind: ArchiveKind, about: dict[str, Any], arrays: Mapping[str, Array]
) -> None:
    """Plain values, which JSON can tell, and arrays by name."""
    told = json.dumps({"kind": kind.name, "format": kind.format, **about})
    with atomic_path(Path(path)) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo(ABOUT), told)
        for name, array in arrays.items():
            with archive.open(zipfile.ZipInfo(name + ARRAY), "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, np.asarray(array), allow_pickle=False)


def read_archive(path: str | PathLike[str], kind: ArchiveKind) -> tuple[dict[str, Any], dict[str, Array]]:
    """The plain values and the arrays of an archive of this kind; an error that says why there are none."""
    path = Path(path)
    if not path.is_file():
        check_file(path)
    what = f"a file written by {kind.writer}"
    with path.open("rb") as stream:
        if stream.read(4) != b"PK\x03\x04":
            raise InputError(path, f"must be {what}; it is no archive")
    with reading(path, what), zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        _check_stored(path, members, what)
        about = json.loads(archive.read(ABOUT))
        _check_kind(path, about, kind, what)
        arrays = {
            member.filename.removesuffix(ARRAY): _array(path, archive, member)
            for member in members
            if member.filename != ABOUT
        }
    return about, arrays


def _check_stored(path: Path, members: list[zipfile.ZipInfo], what: str) -> None:
    """Members that are no larger, all together, than the file."""
    packed = any(member.compress_type != zipfile.ZIP_STORED for member in members)
    total = sum(member.file_size for member in members)
    names = {member.filename for member in members}
    if packed or total > path.stat().st_size or ABOUT not in names or len(names) < len(members):
        raise InputError(path, f"must be {what}; it is another archive, or damaged")


def _check_kind(path: Path, about: Any, kind: ArchiveKind, what: str) -> None:
    found = about.get("kind") if isinstance(about, dict) else None
    if found != kind.name:
        raise InputError(path, f"must be {what}, a {kind.name}; it is {found!r}")
    number = about.get("format")
    if isinstance(number, int) and number > kind.format:
        newer = f"it is of format {number}, which a newer trigpoint wrote"
        raise InputError(path, f"must be of format {kind.format} at most; {newer}")
    if number != kind.format:
        raise InputError(path, f"must be of format {kind.format}; it is of format {number!r}")


def _array(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Array:
    with archive.open(member) as stream:
        shape, _, dtype = read_header(stream)
        check_header(path, shape, dtype, member.file_size)
        if dtype.itemsize == 0:  # any number of entries would fit
            raise InputError(path, "must hold arrays of numbers or text", f"dtype {dtype}")
    with archive.open(member) as stream:
        found: Array = np.lib.format.read_array(stream, allow_pickle=False)
        if stream.read(1):
            raise InputError(path, "must hold arrays and nothing more; one of them is too long")
    return found
