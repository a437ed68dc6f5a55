"""What `trigpoint propagate` found, as a model file for `trigpoint predict`."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._types import Floats
from trigpoint.cli._infer import Given, Inferred, Wishes
from trigpoint.cli._options import METRICS, NEIGHBORS, VIEWS, GraphOptions
from trigpoint.cli._prepare import Prepared
from trigpoint.estimators import Propagated, classifier_of, regressor_of, save_model, tagger_of
from trigpoint.io import Labels
from trigpoint.prediction import TagPredictor


def save_inferred(
    path: Path,
    ready: Prepared,
    asked: GraphOptions,
    known: Labels,
    given: Given,
    wishes: Wishes,
    found: Inferred,
    columns: dict[str, str | None],
) -> None:
    """The estimator that would predict the same, with the recipe of the pool; nothing is fitted again."""
    parameters: dict[str, Any] = {
        "n_neighbors": asked.neighbors or NEIGHBORS,
        "view": asked.view or VIEWS[0],
        "metric": asked.metric or METRICS[0],
        "predictor": wishes.predictor,
        "alignment": ready.alignment,
        "alignment_options": ready.options or None,
        "noise": wishes.noise,
    }
    said: Any = found.mixture
    if said is None:
        pool = replace(ready.pool, views=(found.seen,))
        said = Propagated(pool, found.seen, found.values, found.left_out_errors)
    estimator: Any
    if isinstance(said, TagPredictor):
        estimator = tagger_of(said, known.indices, given.values, given.classes, **parameters)
    elif given.codes is not None:
        estimator = classifier_of(said, known.indices, given.codes, given.classes, **parameters)
    else:
        ndim = np.ndim(known.values)
        parameters["random_state"] = wishes.seed
        estimator = regressor_of(said, known.indices, given.values, _std(found), ndim, **parameters)
    notes = {**columns, "target_names": list(known.columns)}
    save_model(path, estimator, samples=ready.samples, notes=notes)


def _std(found: Inferred) -> Floats | None:
    """(n, d); infinite where the scale is unknown."""
    columns = [column for name, column in found.columns.items() if name.startswith("std")]
    return np.nan_to_num(np.column_stack(columns), nan=np.inf, posinf=np.inf) if columns else None
