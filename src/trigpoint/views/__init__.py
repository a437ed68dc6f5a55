"""A view: the same features in a metric that may fit them better."""

from trigpoint.views._fit import fit_view
from trigpoint.views._kinds import base_name
from trigpoint.views._nearness import nearness
from trigpoint.views._rows import Steps
from trigpoint.views._view import VIEWS, View

__all__ = ["VIEWS", "Steps", "View", "base_name", "fit_view", "nearness"]
