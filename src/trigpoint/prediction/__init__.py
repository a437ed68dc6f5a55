"""A pool in its views, labels of a few samples -> predictions for all, and for new ones.

`viewed_pool` makes the graph of each view. `predict_classes` and `predict_values` mix what is propagated on
these graphs with models of the features, each weighted by how well it predicts labels that it does not know.
`predict_tags` does so where a sample has any number of tags.
"""

from typing import TYPE_CHECKING

from trigpoint._lazy import on_first_use

if TYPE_CHECKING:
    from trigpoint.prediction._class_predictor import PREDICTORS, ClassPredictor, predict_classes
    from trigpoint.prediction._grown_pool import grown_pool
    from trigpoint.prediction._label_noise import LabelNoise, check_noise
    from trigpoint.prediction._label_weights import label_weights
    from trigpoint.prediction._pool_views import (
        VIEW_NAMES,
        PoolView,
        ViewedPool,
        best_view,
        check_view,
        graph_pool,
        viewed_pool,
    )
    from trigpoint.prediction._records import forms
    from trigpoint.prediction._tag_predictor import TagPredictor, predict_tags, present, tag_uncertainty
    from trigpoint.prediction._value_predictor import ValuePredictor, field_units, predict_values

__all__ = [
    "PREDICTORS",
    "VIEW_NAMES",
    "ClassPredictor",
    "LabelNoise",
    "PoolView",
    "TagPredictor",
    "ValuePredictor",
    "ViewedPool",
    "best_view",
    "check_noise",
    "check_view",
    "field_units",
    "forms",
    "graph_pool",
    "grown_pool",
    "label_weights",
    "predict_classes",
    "predict_tags",
    "predict_values",
    "present",
    "tag_uncertainty",
    "viewed_pool",
]

_FILE = {
    **dict.fromkeys(("LabelNoise", "check_noise"), "_label_noise"),
    "label_weights": "_label_weights",
    **dict.fromkeys(("PREDICTORS", "ClassPredictor", "predict_classes"), "_class_predictor"),
    **dict.fromkeys(
        ("VIEW_NAMES", "PoolView", "ViewedPool", "best_view", "check_view", "graph_pool", "viewed_pool"),
        "_pool_views",
    ),
    "forms": "_records",
    "grown_pool": "_grown_pool",
    **dict.fromkeys(("TagPredictor", "predict_tags", "present", "tag_uncertainty"), "_tag_predictor"),
    **dict.fromkeys(("ValuePredictor", "field_units", "predict_values"), "_value_predictor"),
}
if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = on_first_use(__name__, _FILE)
