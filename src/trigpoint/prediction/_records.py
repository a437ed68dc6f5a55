"""How predictors, and the pool that they know, are kept in files (`io.to_plain`).

The features of a pool are kept once, as they were given. What each view makes of them, and phi, are computed
anew: so copies of pool samples are found on any machine, whatever the last bits are there.
"""

import warnings
from typing import Any

from trigpoint.graph import NeighborGraph, stored_graph
from trigpoint.io import Form, form_of
from trigpoint.prediction._class_predictor import ClassPredictor
from trigpoint.prediction._feature_models import Coordinates, FeatureModel, FeatureModels, Linear, Machine
from trigpoint.prediction._label_noise import LabelNoise
from trigpoint.prediction._pool_views import Align, PoolView, ViewedPool
from trigpoint.prediction._tag_models import TagModels
from trigpoint.prediction._tag_predictor import TagPredictor
from trigpoint.prediction._value_noise import ValueNoise
from trigpoint.prediction._value_predictor import Ridge, ValuePredictor
from trigpoint.views import Steps, View

PLAIN = (
    View,
    Steps,
    ClassPredictor,
    FeatureModels,
    FeatureModel,
    Coordinates,
    Linear,
    Machine,
    LabelNoise,
    ValuePredictor,
    Ridge,
    ValueNoise,
    TagPredictor,
    TagModels,
)


def forms(X: Any, align: Align) -> tuple[Form, ...]:
    """Of all records that a predictor holds; X, of the pool that is kept, and how phi is made."""

    def kept_view(seen: PoolView) -> dict[str, Any]:
        return {"name": seen.name, "view": seen.view, "X": X, "graph": seen.graph}

    def made_view(name: str, view: View | None, X: Any, graph: NeighborGraph) -> PoolView:
        features = None if view is None else view.transform(X)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # it was said when phi was made first
            return PoolView(name, view, features, graph, align(graph, features))

    return (
        *(form_of(record) for record in PLAIN),
        Form(NeighborGraph, form_of(NeighborGraph).kept, stored_graph),
        Form(PoolView, kept_view, made_view),
        Form(ViewedPool, _kept_pool, _made_pool),
    )


def _kept_pool(pool: ViewedPool) -> dict[str, Any]:
    return form_of(ViewedPool).kept(pool) | {"standard": None if pool.X is None else pool.standard}


def _made_pool(standard: View | None, **given: Any) -> ViewedPool:
    pool = ViewedPool(**given)
    if standard is not None:
        vars(pool)["standard"] = standard  # models were fitted on it
    return pool
