"""A pool on standard input: written to a temporary file, since a pool is read more than once."""

import atexit
import shutil
import sys
from pathlib import Path
from tempfile import mkdtemp

from trigpoint._errors import InputError
from trigpoint.cli._paths import STDOUT
from trigpoint.io import KINDS, guessed_suffix

NAME = "standard-input"
FORMATS = tuple(dict.fromkeys(kind for kind in KINDS.values() if kind != "idx"))


def source_of(source: Path, form: str | None, what: str = "POOL") -> Path:
    """The path itself; for "-", a file with what standard input holds, deleted when the program ends."""
    if form is not None and form not in FORMATS:
        raise InputError("--format", f"must be one of {', '.join(FORMATS)}", form)
    if str(source) != STDOUT:
        if form is not None:
            raise InputError("--format", f"has a meaning only for {what} -, standard input", form)
        return source
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError(what, "must be a file, or - with samples on standard input", "a terminal")
    folder = Path(mkdtemp(prefix="trigpoint-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    plain = folder / NAME
    with plain.open("wb") as sink:
        shutil.copyfileobj(sys.stdin.buffer, sink)
    if plain.stat().st_size == 0:
        raise InputError(what, "must hold samples; standard input is empty")
    suffix = guessed_suffix(plain) if form is None else next(s for s, kind in KINDS.items() if kind == form)
    return plain.rename(plain.with_suffix(suffix))


def is_standard_input(source: Path) -> bool:
    return source.name.startswith(NAME) and source.parent.name.startswith("trigpoint-")
