"""What the estimators share: X and parameters -> views, graphs and phi, and the door for new samples."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from trigpoint._errors import InputError
from trigpoint._types import Floats, Sparse
from trigpoint._validation import check_distances, check_features, check_integer, held_type
from trigpoint.alignment import align, check_align
from trigpoint.features import ColumnUse, Recipe
from trigpoint.graph import NeighborGraph
from trigpoint.io import frame_features, new_features
from trigpoint.prediction import PoolView, ViewedPool, check_view, viewed_pool
from trigpoint.views import View


class PoolEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator with the parameters view, n_neighbors, metric, alignment and alignment_options."""

    recipe_: Recipe | None
    columns_: tuple[ColumnUse, ...]
    view_: View | None
    views_considered_: dict[str, dict[str, float]]
    graph_: NeighborGraph
    alignment_matrix_: Sparse
    _file_recipe: Any = None  # of the file that a saved model was made from: for data frames of new samples

    def _check_pool(self, X: Any) -> Any:
        """X, with all refused that needs no graph."""
        options = check_options(self.alignment_options, "alignment_options")
        needs_features = check_align(self.alignment, options).needs_features
        check_view(self.view, self.metric)
        X, self.recipe_, self.columns_ = frame_features(X)
        X = _validated(self, X, reset=True)
        if needs_features and self.metric == "precomputed":
            rule = "needs features; metric='precomputed' gives none"
            raise InputError(f"alignment={self.alignment!r}", rule)
        return check_distances(X) if self.metric == "precomputed" else check_features(X)

    def _viewed(self, X: Any, **choice: Any) -> ViewedPool:
        """The graph and phi of each view; further arguments as for `viewed_pool`."""
        options = check_options(self.alignment_options, "alignment_options")
        return viewed_pool(
            X,
            self.view,
            n_neighbors=_neighbors(self.n_neighbors, X.shape[0], self.metric),
            metric=self.metric,
            align=lambda graph, features: align(self.alignment, graph, features, **options),
            **choice,
        )

    def _use(self, seen: PoolView, pool: ViewedPool) -> None:
        """Set what tells of the view that counts most, and of those that were considered."""
        self._seen, self._pool = seen, pool
        self.view_, self.graph_, self.alignment_matrix_ = seen.view, seen.graph, seen.phi
        self.views_considered_ = pool.considered

    def _check_new(self, X: Any) -> Any:
        check_is_fitted(self)
        if self._file_recipe is not None:
            return _validated(self, frame_features(X, self._file_recipe)[0], reset=False)
        named = hasattr(self, "feature_names_in_")  # then scikit-learn compares them
        return _validated(self, new_features(X, self.recipe_, () if named else self.columns_), reset=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.positive_only = self.metric == "precomputed"  # distances
        return tags


@dataclass(frozen=True, eq=False)
class Propagated:
    """Least squares on the graph of one view.

    Attributes
    ----------
    pool : ViewedPool, with this view only
    seen : PoolView
    values : (n, d) one-hot values or probabilities, or real values
    errors : view -> squared error of values that are left out; empty where there was no choice
    """

    pool: ViewedPool
    seen: PoolView
    values: Floats
    errors: dict[str, float]

    @property
    def weights(self) -> dict[str, float]:
        return {self.seen.name: 1.0}


def check_options(options: Any, name: str) -> dict[str, Any]:
    """Keyword arguments for a function of the core; None means none."""
    if options is None:
        return {}
    if not isinstance(options, Mapping) or not all(isinstance(key, str) for key in options):
        raise InputError(name, "must be None or a dict of options by name", repr(options))
    return dict(options)


def check_y_given(estimator: BaseEstimator, y: Any) -> None:
    if y is None:
        name = type(estimator).__name__
        raise InputError(name, "requires y to be passed, but the target y is None")


def _validated(estimator: BaseEstimator, X: Any, *, reset: bool) -> Any:
    if isinstance(X, np.ndarray) and X.dtype.kind in "biuf":
        X = X.astype(held_type(X.dtype), copy=False)  # float32 where it will do; scikit-learn takes float64
    return validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csr",
        dtype=[np.float64, np.float32],
        ensure_min_samples=2 if reset else 1,
        ensure_non_negative=estimator.metric == "precomputed",
    )


def _neighbors(n_neighbors: int | None, n: int, metric: str) -> int | None:
    if n_neighbors is None and metric == "precomputed":
        return None
    return min(check_integer(n_neighbors, "n_neighbors", 1), n - 1)
