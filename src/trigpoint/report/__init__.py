"""A run, or the check of a pool -> one HTML page that needs nothing else: no network, script or font.

`Report` holds what the page of a run tells, `page` makes it, `write_report` puts it on disk whole.
`check_page` is the page of a `PoolCheck`. Words and tags are in the ``.html`` files, templates of jinja2,
which escapes what they print. All else prepares plain data for them.
"""

from trigpoint._versions import library_versions
from trigpoint.plots import map_coordinates
from trigpoint.report._check_page import check_page
from trigpoint.report._contents import Basis, Curve, Report
from trigpoint.report._render import check_report, page, write_report

__all__ = [
    "Basis",
    "Curve",
    "Report",
    "check_page",
    "check_report",
    "library_versions",
    "map_coordinates",
    "page",
    "write_report",
]
