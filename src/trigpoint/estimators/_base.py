"""What the estimators share: X and parameters -> graph -> phi, and the door for new samples."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from trigpoint._errors import InputError
from trigpoint._validation import check_integer
from trigpoint.alignment import align, check_align
from trigpoint.graph import NeighborGraph, neighbor_graph


class PoolEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator with the parameters n_neighbors, metric, alignment and alignment_options."""

    def _fit_pool(self, X: Any) -> Any:
        """Set graph_ and alignment_matrix_; return the features, None where X holds distances."""
        options = check_options(self.alignment_options, "alignment_options")
        needs_features = check_align(self.alignment, options).needs_features
        X = _validated(self, X, reset=True)
        if needs_features and self.metric == "precomputed":
            rule = "needs features; metric='precomputed' gives none"
            raise InputError(f"alignment={self.alignment!r}", rule)
        self.graph_ = _graph(X, self.n_neighbors, self.metric)
        features = None if self.metric == "precomputed" else X
        self.alignment_matrix_ = align(self.alignment, self.graph_, features, **options)
        return features

    def _check_new(self, X: Any) -> Any:
        check_is_fitted(self)
        return _validated(self, X, reset=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.positive_only = self.metric == "precomputed"  # distances
        return tags


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
    return validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csr",
        dtype=[np.float64, np.float32],
        ensure_min_samples=2 if reset else 1,
        ensure_non_negative=estimator.metric == "precomputed",
    )


def _graph(X: Any, n_neighbors: int | None, metric: str) -> NeighborGraph:
    n = X.shape[0]
    if n_neighbors is not None or metric != "precomputed":
        n_neighbors = min(check_integer(n_neighbors, "n_neighbors", 1), n - 1)
    return neighbor_graph(X, n_neighbors, metric=metric)
