"""Which samples of a pool to label."""

import warnings
from typing import Any, Self

import numpy as np

from trigpoint._types import Ints
from trigpoint.alignment import check_align
from trigpoint.estimators._base import PoolEstimator, check_options
from trigpoint.selection import check_counts, check_method, select


class LandmarkSelector(PoolEstimator):
    """Choose the samples of a pool to label.

    There is no ``transform``, because a transform must not drop rows. Use ``X[selector.landmarks_]``.

    Parameters
    ----------
    n_landmarks : int, default 50
        How many to choose. If the pool has fewer, all are chosen, with a warning.
    method : str, default "auto"
        As for `select`.
    alignment : "laplacian", "diffusion", "lle", "ltsa" or "isomap"
        The alignment matrix to select on. Only "laplacian" without options is possible for methods that do
        not use it, such as "kmeans", and "isomap" only for those that take a dense one.
    alignment_options : dict, optional
        Options of the function of that name, such as ``{"n_components": 2}``, which "ltsa" and
        "isomap" need.
    view : "auto", "raw", "standard", "half_white" or "white"
        The metric of the features, see `fit_view`. "auto" compares the raw features (standardized where
        columns are of different kinds) with the two whitened views, and takes the one whose nearest
        neighbors stand out most. Fewer than five features are not whitened.
    n_neighbors : int, default 15
        K of the neighbor graph; n - 1 where the pool has only n <= K samples. With
        ``metric="precomputed"``, None keeps every given distance.
    metric : "euclidean", "cosine" or "precomputed"
        With "precomputed", X holds distances, (n, n); in a sparse one the stored entries are the
        candidates.
    initial : (k,) int, optional
        Samples that have labels already. The method takes them into account; none is chosen.
    options : dict, optional
        Options of the method, such as ``{"strategy": "two_candidates"}`` for "gcls".
    random_state : seed, default 0
        The same call gives the same answer; None draws anew.

    Attributes
    ----------
    landmarks_ : (n_landmarks,) int64, in order of choice
    view_ : View, or None for given distances
    views_considered_ : dict, name -> {"nearness": ...}
    graph_ : NeighborGraph, of that view
    alignment_matrix_ : (n, n) csr_array, or an array for "isomap"
    recipe_ : how a data frame became features, None where X holds numbers only
    columns_ : how each column of such a frame is used
    n_features_in_, feature_names_in_

    Notes
    -----
    Cost: three neighbor graphs (one where `view` is named, or with fewer than five features), one
    alignment matrix, and the selection: see `neighbor_graph` and `select`.

    See Also
    --------
    select : the same from an alignment matrix of your own.
    ActiveLearner : if labels arrive while questions are asked.

    Examples
    --------
    >>> import numpy as np
    >>> import trigpoint as tp
    >>> X = np.arange(9.0)[:, None]
    >>> tp.LandmarkSelector(3, method="maxmin_geodesic", n_neighbors=2, initial=[0]).fit(X).landmarks_
    array([8, 4, 2])
    """

    landmarks_: Ints

    def __init__(
        self,
        n_landmarks: int = 50,
        *,
        method: str = "auto",
        alignment: str = "laplacian",
        alignment_options: dict[str, Any] | None = None,
        view: str = "auto",
        n_neighbors: int | None = 15,
        metric: str = "euclidean",
        initial: Any = None,
        options: dict[str, Any] | None = None,
        random_state: Any = 0,
    ) -> None:
        self.n_landmarks = n_landmarks
        self.method = method
        self.alignment = alignment
        self.alignment_options = alignment_options
        self.view = view
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.initial = initial
        self.options = options
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Choose the landmarks.

        Parameters
        ----------
        X : (n, p) array, sparse matrix or data frame; distances (n, n) for ``metric="precomputed"``
            A frame that holds more than numbers is read as by `read_pool`.
        y : ignored
        sample_weight : (n,) how much each sample counts, optional; as for `select`

        Returns
        -------
        self
        """
        options = check_options(self.options, "options")
        check_method(self.method, options)
        self._check_alignment_counts()
        pool = self._viewed(self._check_pool(X), only_main=True)
        self._use(pool.main, pool)
        self.landmarks_ = select(
            self.alignment_matrix_,
            self._budget(),
            method=self.method,
            X=pool.main.X,
            graph=self.graph_,
            initial=self.initial,
            sample_weight=sample_weight,
            random_state=self.random_state,
            **options,
        )
        return self

    def _check_alignment_counts(self) -> None:
        alignment_options = check_options(self.alignment_options, "alignment_options")
        dense = check_align(self.alignment, alignment_options).dense
        plain = self.alignment == "laplacian" and not alignment_options
        check_counts(self.method, self.alignment, plain=plain, dense=dense)

    def _budget(self) -> int:
        free = self.graph_.n_samples - (0 if self.initial is None else np.size(self.initial))
        if not isinstance(self.n_landmarks, int | np.integer) or not 0 < free < self.n_landmarks:
            return self.n_landmarks
        warnings.warn(
            f"n_landmarks={self.n_landmarks} is more than the {free} samples to choose from; all are chosen.",
            UserWarning,
            stacklevel=3,
        )
        return free
