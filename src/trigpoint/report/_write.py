"""The page on disk: whole or not at all."""

from pathlib import Path

from trigpoint._errors import InputError
from trigpoint.io import write_text
from trigpoint.report._page import page
from trigpoint.report._record import Report


def check_report(path: Path) -> None:
    """Refuse what could not be written in the end, before anything is computed."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise InputError("report", "must end in .html", repr(str(path)))
    if not path.absolute().parent.is_dir() or path.is_dir():
        raise InputError("report", "must be a file in a folder that exists", repr(str(path)))


def write_report(report: Report, path: str | Path) -> Path:
    """Write the page whole or not at all: a failure leaves what was there before."""
    write_text(path, page(report))
    return Path(path)
