"""Files that a command reads and writes, looked at before anything that takes long."""

import difflib
import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from trigpoint._errors import InputError
from trigpoint.io import check_table_path

STDOUT = "-"


def check_inputs(files: dict[str, Path | None]) -> None:
    """Files, or a folder for the pool, that are there and may be read."""
    for what, path in files.items():
        if path is not None and not path.exists():
            kind = "file or folder" if what in ("POOL", "NEW") else "file"
            raise FileNotFoundError(f"{what} must be a {kind} that exists; there is no {path}.{_meant(path)}")
        if path is not None and not os.access(path, os.R_OK):
            raise PermissionError(f"{what} must be readable; {path} is not.")


def _meant(path: Path) -> str:
    """What is there under nearly that name."""
    try:
        names = [entry.name for entry in islice(os.scandir(path.parent), 10_000)]
    except OSError:  # the folder is missing, too
        return ""
    near = difflib.get_close_matches(path.name, names, n=1, cutoff=0.8)
    return f" Did you mean {path.parent / near[0]}?" if near else ""


def check_outputs(
    flag: str,
    table: Path | None,
    others: dict[str, Path | None],
    inputs: Sequence[Path | None],
    printed: str | None,
) -> None:
    """A table of a known kind, other files by their suffix; all writable, and none of them an input.

    ``flag`` names the table; where something else is ``printed``, it must not go to standard output.
    """
    if printed is not None and table is not None and str(table) == STDOUT:
        raise InputError(flag, f"must name a file, because {printed} is printed", "-")
    if table is not None:
        check_table_path(table)
    for suffix, path in others.items():
        if path is not None and path.suffix.lower() != suffix:
            raise InputError(path, f"must end in {suffix}")
    outputs = [path for path in (table, *others.values()) if path is not None and str(path) != STDOUT]
    taken = {path.resolve() for path in inputs if path is not None}
    for path in outputs:
        _check_writable(path)
        if path.resolve() in taken:
            raise InputError(path, "must differ from all inputs and other outputs")
        taken.add(path.resolve())


def _check_writable(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(f"{path} must be a file to write to; it is a folder.")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{path} must lie in a folder that exists; {path.parent} does not.")
    special = path.exists() and not path.is_file()  # a pipe, /dev/stdout
    if not os.access(path if special else folder, os.W_OK):
        raise PermissionError(f"{path} must be writable; {path if special else folder} is not.")
