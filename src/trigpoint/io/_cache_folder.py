"""The folder of the cache: where it is, who may write an entry, and how much it may hold.

Entries are files and folders called graph-…, pool-… and map-…. Each is written whole or not at all, under a
hidden name that takes the name of the entry in one step.

One at a time: whoever makes an entry holds a lock on a hidden file (`_lock`). Others wait, and then find the
entry. Who holds the lock is the only writer, so hidden parts of the same entry are left over from writers
that were killed. Where there is no such lock, several may make the same entry, and the last one stays.

The size is limited by $TRIGPOINT_CACHE_SIZE. Using an entry sets its time, and the entries that were not used
for longest go first. What another process has mapped stays valid there when it is removed here.
"""

import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from trigpoint._errors import InputError
from trigpoint._lock import locked
from trigpoint.io._atomic import atomic_path
from trigpoint.storage import PREFIX

DAY = 24 * 60 * 60  # seconds: whoever wrote a part that is older is gone
ENTRIES = ("graph-", "pool-", "map-")
SIZE, SIZE_VARIABLE = 20 * 10**9, "TRIGPOINT_CACHE_SIZE"
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def cache_folder() -> Path:
    """$TRIGPOINT_CACHE, else $XDG_CACHE_HOME/trigpoint, else ~/.cache/trigpoint."""
    if os.environ.get("TRIGPOINT_CACHE"):
        return Path(os.environ["TRIGPOINT_CACHE"])
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"]) / "trigpoint"
    return Path(os.path.expanduser("~")) / ".cache" / "trigpoint"  # noqa: PTH111, Path.home may raise


def cache_size() -> int:
    """Bytes that the cache may hold: $TRIGPOINT_CACHE_SIZE, such as 500MB or 20GB; 20 GB by default."""
    given = os.environ.get(SIZE_VARIABLE, "").strip()
    if not given:
        return SIZE
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)b?", given.lower())
    if found is None:
        raise InputError(SIZE_VARIABLE, "must be a number of bytes, such as 500MB or 20GB", repr(given))
    return int(float(found[1]) * UNITS[found[2]])


@contextmanager
def cache_path(file: Path) -> Iterator[Path]:
    """`atomic_path` in the cache, whose folder is made first and which is trimmed in the end."""
    make_folder(file.parent)
    with atomic_path(file) as part:
        yield part
    trim(file)


def make_folder(folder: Path) -> None:
    """Make the folder of the cache, or rid it of the parts of writers that were killed."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in folder.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > DAY:
                remove(part)


@contextmanager
def alone(entry: Path) -> Iterator[None]:
    """The only writer of an entry, as far as the system can tell; waits for another one."""
    with suppress(OSError):  # a folder that cannot be written: the entry is not kept, and nobody waits for it
        make_folder(entry.parent)
    with locked(entry.parent / f"{PREFIX}{entry.name}.lock") as held:
        if held:
            for part in entry.parent.glob(f"{PREFIX}{entry.name}-*"):
                remove(part)
        yield


def used(entry: Path) -> None:
    """Set the time of the last use."""
    with suppress(OSError):
        os.utime(entry)


def trim(entry: Path) -> None:
    """Remove what was not used for longest, until the cache is small enough; never this entry."""
    found = []
    for path in entry.parent.iterdir():
        if path.name.startswith(ENTRIES):
            with suppress(OSError):
                found.append((path.stat().st_mtime_ns, path, _size(path)))
    total, most = sum(size for *_, size in found), cache_size()
    for _, path, size in sorted(found):
        if total <= most:
            break
        if path != entry:
            remove(path)
            total -= size


def _size(path: Path) -> int:
    files = path.iterdir() if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files)


def remove(path: Path) -> None:
    """In one step for whoever looks, then from disk."""
    gone = path.parent / f"{PREFIX}{secrets.token_hex(8)}"
    with suppress(OSError):
        path.rename(gone)
        if gone.is_dir():
            shutil.rmtree(gone, ignore_errors=True)
        else:
            gone.unlink()
