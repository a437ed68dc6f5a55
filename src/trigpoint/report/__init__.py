"""One run -> one HTML page that needs nothing else: no network, no script, no font, no library.

`Report` holds what the page tells, `page` makes it, `write_report` puts it on disk whole. Words and tags are
in ``page.html`` and ``parts.html``, templates of jinja2, which escapes what they print. All else prepares
plain data for them.
"""

from trigpoint._versions import library_versions
from trigpoint.plots import map_coordinates
from trigpoint.report._contents import Basis, Curve, Report
from trigpoint.report._render import check_report, page, write_report

__all__ = [
    "Basis",
    "Curve",
    "Report",
    "check_report",
    "library_versions",
    "map_coordinates",
    "page",
    "write_report",
]
