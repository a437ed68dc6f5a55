"""trigpoint: choose which few samples of a pool to label, and infer the rest.

    X or edges -> graph -> alignment matrix phi -> landmarks -> (a person labels) -> values for all

The public names are listed in ``__all__``. They and the rooms, as ``trigpoint.datasets``, are loaded when
first used, so that importing trigpoint costs next to nothing. Pages that docstrings name, as
docs/selection.md, are in the source distribution.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trigpoint import alignment as alignment
    from trigpoint import annotators as annotators
    from trigpoint import bound as bound
    from trigpoint import checks as checks
    from trigpoint import cli as cli
    from trigpoint import comparison as comparison
    from trigpoint import datasets as datasets
    from trigpoint import demo as demo
    from trigpoint import dictionary as dictionary
    from trigpoint import distributed as distributed
    from trigpoint import estimators as estimators
    from trigpoint import experiments as experiments
    from trigpoint import features as features
    from trigpoint import graph as graph
    from trigpoint import io as io
    from trigpoint import learner as learner
    from trigpoint import plots as plots
    from trigpoint import prediction as prediction
    from trigpoint import propagation as propagation
    from trigpoint import report as report
    from trigpoint import selection as selection
    from trigpoint import storage as storage
    from trigpoint import studio as studio
    from trigpoint import trials as trials
    from trigpoint import views as views
    from trigpoint._errors import InputError, UnreachedWarning
    from trigpoint._progress import progress
    from trigpoint.alignment import diffusion, isomap, laplacian, lle, ltsa
    from trigpoint.annotators import consensus
    from trigpoint.bound import landmark_bound, selection_path
    from trigpoint.checks import check_pool, label_issues
    from trigpoint.comparison import compare
    from trigpoint.dictionary import LCKSVDClassifier
    from trigpoint.estimators import (
        LandmarkSelector,
        ManifoldClassifier,
        ManifoldRegressor,
        load_model,
        save_model,
    )
    from trigpoint.graph import NeighborGraph, graph_from_edges, grow_graph, neighbor_graph
    from trigpoint.io import read_pool
    from trigpoint.learner import ActiveLearner
    from trigpoint.propagation import embed, extend, propagate, uncertainty
    from trigpoint.selection import select
    from trigpoint.storage import build_graph, open_alignment, open_graph, save_alignment, save_graph
    from trigpoint.views import View, fit_view

__version__ = "0.1.0"

__all__ = [
    "ActiveLearner",
    "InputError",
    "LCKSVDClassifier",
    "LandmarkSelector",
    "ManifoldClassifier",
    "ManifoldRegressor",
    "NeighborGraph",
    "UnreachedWarning",
    "View",
    "build_graph",
    "check_pool",
    "compare",
    "consensus",
    "diffusion",
    "embed",
    "extend",
    "fit_view",
    "graph_from_edges",
    "grow_graph",
    "isomap",
    "label_issues",
    "landmark_bound",
    "laplacian",
    "lle",
    "load_model",
    "ltsa",
    "neighbor_graph",
    "open_alignment",
    "open_graph",
    "progress",
    "propagate",
    "read_pool",
    "save_alignment",
    "save_graph",
    "save_model",
    "select",
    "selection_path",
    "uncertainty",
]

_ROOM = {
    **dict.fromkeys(("InputError", "UnreachedWarning"), "_errors"),
    **dict.fromkeys(("NeighborGraph", "graph_from_edges", "grow_graph", "neighbor_graph"), "graph"),
    **dict.fromkeys(("diffusion", "isomap", "laplacian", "lle", "ltsa"), "alignment"),
    **dict.fromkeys(("embed", "extend", "propagate", "uncertainty"), "propagation"),
    **dict.fromkeys(("landmark_bound", "selection_path"), "bound"),
    **dict.fromkeys(
        ("LandmarkSelector", "ManifoldClassifier", "ManifoldRegressor", "load_model", "save_model"),
        "estimators",
    ),
    **dict.fromkeys(
        ("build_graph", "open_alignment", "open_graph", "save_alignment", "save_graph"), "storage"
    ),
    **dict.fromkeys(("View", "fit_view"), "views"),
    **dict.fromkeys(("check_pool", "label_issues"), "checks"),
    "ActiveLearner": "learner",
    "LCKSVDClassifier": "dictionary",
    "compare": "comparison",
    "consensus": "annotators",
    "progress": "_progress",
    "read_pool": "io",
    "select": "selection",
}


_ROOMS = {
    *_ROOM.values(),
    *(
        "cli",
        "datasets",
        "demo",
        "distributed",
        "experiments",
        "features",
        "io",
        "plots",
        "prediction",
        "report",
        "studio",
        "trials",
    ),
} - {"_errors", "_progress"}


if not TYPE_CHECKING:  # which would take any name for one of ours

    def __getattr__(name: str) -> Any:
        if name in _ROOM:
            return getattr(import_module(f"trigpoint.{_ROOM[name]}"), name)
        if name in _ROOMS:
            return import_module(f"trigpoint.{name}")
        raise AttributeError(f"module 'trigpoint' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_ROOMS})
