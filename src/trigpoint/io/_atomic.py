"""Files that are written whole or not at all.

The content goes to a hidden file in the same folder, is forced to disk, and takes the name of the
target in one step (``os.replace``). Whatever happens before that step, an error, Ctrl-C or a power cut,
the old file stays as it was; readers see the old one or the new one, never a part.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from trigpoint.storage import PREFIX


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """A path to write to, with the suffix of ``path``, which becomes ``path`` when the block ends well.

    Links are followed. What is no ordinary file (/dev/stdout, a named pipe) gets a copy instead.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> target = pathlib.Path(tempfile.mkdtemp()) / "picks.txt"
    >>> with atomic_path(target) as part:
    ...     _ = part.write_text("3 1 4")
    >>> target.read_text()
    '3 1 4'
    """
    check_target(path)
    special = Path(path).exists() and not Path(path).is_file()
    target = Path(path) if special else Path(os.path.realpath(path))
    folder = Path(tempfile.gettempdir()) if special else target.parent
    part = folder / f"{PREFIX}{secrets.token_hex(8)}{target.suffix}"
    try:
        yield part
        _settle(part, target, special)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(part)):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        part.unlink(missing_ok=True)


def check_target(path: str | Path) -> None:
    """Refuse early what could not be written in the end."""
    if Path(path).is_dir():
        raise IsADirectoryError(f"{path} must be a file to write to; it is a folder.")
    if not Path(path).absolute().parent.is_dir():
        raise FileNotFoundError(f"{path} must lie in a folder that exists; {Path(path).parent} does not.")


def _settle(part: Path, target: Path, special: bool) -> None:
    if special:
        with part.open("rb") as source, target.open("wb") as sink:
            shutil.copyfileobj(source, sink)
        return
    if target.exists():
        shutil.copymode(target, part)
    with part.open("rb+") as stream:
        os.fsync(stream.fileno())
    part.replace(target)
    with suppress(OSError):  # not every system can do this, and the file is whole without
        handle = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_bytes(path: str | Path, data: bytes) -> None:
    with atomic_path(path) as part:
        part.write_bytes(data)


def write_text(path: str | Path, text: str) -> None:
    """UTF-8, line ends as they are."""
    write_bytes(path, text.encode())
