"""One process at a time: a lock on a file, which the system takes back when its process dies.

Where there is no such lock (Windows, some network drives), and where the file cannot be made, nobody waits.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from trigpoint._progress import stage

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PAUSE = 0.05  # seconds between two looks at a lock


@contextmanager
def locked(file: Path) -> Iterator[bool]:
    """Waits for the lock; tells whether it is held. The file is there for as long as somebody holds it."""
    handle = None
    with suppress(OSError):
        handle = _take(file)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            file.unlink(missing_ok=True)
            os.close(handle)


def _take(file: Path) -> int | None:
    """The lock, held; None where the system has none. A file that its holder removed is not the lock."""
    while fcntl is not None:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _wait(handle)
            if file.exists() and os.path.samestat(os.fstat(handle), file.stat()):
                return handle
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
    return None


def _wait(handle: int) -> None:
    with nullcontext() if _free(handle) else stage("wait for another process"):
        while not _free(handle):
            time.sleep(PAUSE)


def _free(handle: int) -> bool:
    """Take the lock, if nobody else has it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
