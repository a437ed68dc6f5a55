"""A pool in its views, labels of a few samples -> predictions for all, and for new ones.

`viewed_pool` makes the graph of each view. `predict_classes` and `predict_values` mix what is propagated on
these graphs with models of the features, each weighted by how well it predicts labels that it does not know.
"""

from typing import TYPE_CHECKING

from trigpoint._lazy import on_first_use

if TYPE_CHECKING:
    from trigpoint.prediction._class_predictor import PREDICTORS, ClassPredictor, predict_classes
    from trigpoint.prediction._grown_pool import grown_pool
    from trigpoint.prediction._label_noise import LabelNoise, check_noise
    from trigpoint.prediction._pool_views import (
        VIEW_NAMES,
        PoolView,
        ViewedPool,
        best_view,
        check_view,
        graph_pool,
        viewed_pool,
    )
    from trigpoint.prediction._value_predictor import ValuePredictor, predict_values

__all__ = [
    "PREDICTORS",
    "VIEW_NAMES",
    "ClassPredictor",
    "LabelNoise",
    "PoolView",
    "ValuePredictor",
    "ViewedPool",
    "best_view",
    "check_noise",
    "check_view",
    "graph_pool",
    "grown_pool",
    "predict_classes",
    "predict_values",
    "viewed_pool",
]

_FILE = {
    **dict.fromkeys(("LabelNoise", "check_noise"), "_label_noise"),
    **dict.fromkeys(("PREDICTORS", "ClassPredictor", "predict_classes"), "_class_predictor"),
    **dict.fromkeys(
        ("VIEW_NAMES", "PoolView", "ViewedPool", "best_view", "check_view", "graph_pool", "viewed_pool"),
        "_pool_views",
    ),
    "grown_pool": "_grown_pool",
    **dict.fromkeys(("ValuePredictor", "predict_values"), "_value_predictor"),
}
__getattr__ = on_first_use(__name__, _FILE)
