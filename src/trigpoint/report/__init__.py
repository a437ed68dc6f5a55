"""One run -> one HTML page that needs nothing else: no network, no script, no font, no library.

`Report` holds what the page tells, `page` makes it, `write_report` puts it on disk whole.
"""

from trigpoint._versions import library_versions
from trigpoint.plots import map_coordinates
from trigpoint.report._page import page
from trigpoint.report._record import Curve, Report
from trigpoint.report._write import check_report, write_report

__all__ = [
    "Curve",
    "Report",
    "check_report",
    "library_versions",
    "map_coordinates",
    "page",
    "write_report",
]
