"""The page: data from the sections, put into the template, written whole or not at all.

jinja2 escapes all that the template prints, but for the charts, which escape what they print themselves.
"""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trigpoint._errors import InputError
from trigpoint.io import write_text
from trigpoint.plots import DARK, LIGHT, palette_css
from trigpoint.report._contents import Report
from trigpoint.report._sections import along, basis, bought, chosen, figures, pool_map, repeat, unsure
from trigpoint.report._words import headline

if TYPE_CHECKING:
    from jinja2 import Template

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def page(report: Report) -> str:
    """The report as one HTML document; equal reports give equal pages."""
    return rendered(
        "page.html",
        what="report",
        title=report.title,
        pool=report.pool,
        headline=headline(report),
        figures=figures(report),
        chosen=chosen(report),
        map=pool_map(report),
        bought=bought(report),
        basis=basis(report),
        along=along(report),
        unsure=unsure(report),
        repeat=repeat(report),
    )


def rendered(name: str, **held: Any) -> str:
    """A template of this room with what it shows, as text that every browser can show."""
    text = template(name).render(light=palette_css(LIGHT), dark=palette_css(DARK), **held)
    return UNPRINTABLE.sub("\ufffd", text)


@cache
def template(name: str) -> "Template":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only where a page is made

    here = FileSystemLoader(Path(__file__).parent)
    rules = Environment(
        loader=here, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return rules.get_template(name)


def check_report(path: Path) -> None:
    """Refuse what could not be written in the end, before anything is computed."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise InputError("report", "must end in .html", repr(str(path)))
    if not path.absolute().parent.is_dir() or path.is_dir():
        raise InputError("report", "must be a file in a folder that exists", repr(str(path)))


def write_report(report: Report, path: str | Path) -> Path:
    """Write the page whole or not at all: a failure leaves what was there before.

    Parameters
    ----------
    report : Report, what the page shows
    path : of the page, which ends in .html

    Returns
    -------
    path : as given

    Notes
    -----
    Cost: time and bytes in proportion to the samples on the map, of which it shows a part in large pools,
    and to the pictures shown. The page is one file and loads nothing from elsewhere.

    See Also
    --------
    trigpoint.report.check_page : a page about the health of a pool.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from trigpoint.report import Report, write_report
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "page.html"
    >>> write_report(Report(title="Three samples", pool="-", n_samples=3, landmarks=[1]), path) == path
    True
    """
    write_text(path, page(report))
    return Path(path)
