"""Pictures. matplotlib is loaded only when one for paper is drawn.

`map_coordinates` lays a pool out in two dimensions. `map_picture`, `line_chart` and `histogram` are
pictures for web pages, written by hand as SVG: they need no library, take their colors from CSS
variables (`palette_css`), and so look right in light and dark. `landmarks_picture` and `contact_sheet`
are for paper.
"""

from trigpoint.plots._chart import Line, histogram, line_chart
from trigpoint.plots._curves import Curve, Panel, curves_picture
from trigpoint.plots._groups import Group, class_groups, label_name, value_groups
from trigpoint.plots._landmarks import landmarks_picture
from trigpoint.plots._layout import map_coordinates
from trigpoint.plots._map import Mark, map_picture
from trigpoint.plots._palette import DARK, LIGHT, palette_css
from trigpoint.plots._png import data_uri
from trigpoint.plots._save import check_picture, save_picture
from trigpoint.plots._sheet import Strip, contact_sheet

__all__ = [
    "DARK",
    "LIGHT",
    "Curve",
    "Group",
    "Line",
    "Mark",
    "Panel",
    "Strip",
    "check_picture",
    "class_groups",
    "contact_sheet",
    "curves_picture",
    "data_uri",
    "histogram",
    "label_name",
    "landmarks_picture",
    "line_chart",
    "map_coordinates",
    "map_picture",
    "palette_css",
    "save_picture",
    "value_groups",
]
