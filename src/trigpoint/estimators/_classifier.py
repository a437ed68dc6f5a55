"""Classes of all samples from the labels of a few.

One-hot values of the labeled samples are propagated, and `propagation.classify` makes probabilities of
them, with class priors by class mass normalization.
"""

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_consistent_length, column_or_1d

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint._validation import check_choice, check_weight
from trigpoint.estimators._base import PoolEstimator, check_y_given
from trigpoint.propagation import classify, decode, encode, extend, propagate


class ManifoldClassifier(ClassifierMixin, PoolEstimator):  # type: ignore[misc]
    """Infer the classes of all samples from the labels of some, along the manifold of the pool.

    Parameters
    ----------
    n_neighbors : int, default 15
        K of the neighbor graph; n - 1 where the pool has only n <= K samples. With
        ``metric="precomputed"``, None keeps every given distance.
    metric : "euclidean", "cosine" or "precomputed"
        With "precomputed", X holds distances: (n, n) to fit, (m, n) for new samples. In sparse ones
        the stored entries are the candidates.
    alignment : "laplacian", "diffusion", "lle", "ltsa" or "isomap"
        The alignment matrix that labels are propagated with.
    alignment_options : dict, optional
        Options of the function of that name, such as ``{"n_components": 2}``, which "ltsa" and
        "isomap" need.
    class_prior : None, "labeled" or (n_classes,)
        Proportions of the classes in the pool: as among the labeled samples, or given in the order
        of `classes_` (and scaled to sum to one). By default none are assumed.
    beta : float, optional
        How strongly samples are pulled to their labels, if some may be wrong. By default labels are
        kept exactly.

    Attributes
    ----------
    classes_ : (n_classes,) the labels there are, sorted
    landmarks_ : (l,) int64, the labeled samples
    label_distributions_ : (n, n_classes) float64
        Rows sum to one; NaN where no labeled sample reaches.
    transduction_ : (n,) labels of all samples; where no labeled sample reaches, -1 if the labels
        are numbers, else None
    uncertainty_ : (n,) float64
        One minus the largest entry of each row; 1 where no labeled sample reaches.
    graph_ : NeighborGraph
    alignment_matrix_ : (n, n) csr_array, or an array for "isomap"
    n_features_in_, feature_names_in_

    Examples
    --------
    >>> import trigpoint as tp
    >>> X = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]]
    >>> clf = tp.ManifoldClassifier(n_neighbors=3).fit(X, [3, -1, -1, -1, -1, 5])
    >>> clf.transduction_
    array([3, 3, 3, 5, 5, 5])
    >>> clf.predict([[1.5], [8.5]])
    array([3, 5])
    """

    def __init__(
        self,
        n_neighbors: int | None = 15,
        *,
        metric: str = "euclidean",
        alignment: str = "laplacian",
        alignment_options: dict[str, Any] | None = None,
        class_prior: Any = None,
        beta: float | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.alignment = alignment
        self.alignment_options = alignment_options
        self.class_prior = class_prior
        self.beta = beta

    def fit(self, X: Any, y: Any) -> Self:
        """Propagate the labels.

        Parameters
        ----------
        X : (n, p) array or sparse matrix; distances (n, n) for ``metric="precomputed"``
            Kept for `predict`, not copied.
        y : (n,) labels: numbers, text or booleans
            Unlabeled where -1, None or NaN; None and text need an object array (or a list).

        Returns
        -------
        self
        """
        check_y_given(self, y)
        self._pool = self._fit_pool(X)
        check_consistent_length(X, y)
        self.classes_, codes = encode(y if isinstance(y, list | tuple) else column_or_1d(y, warn=True))
        self.landmarks_ = np.flatnonzero(codes >= 0)
        one_hot = np.eye(len(self.classes_))[codes[self.landmarks_]]
        prior = _check_prior(self.class_prior, one_hot)
        values = propagate(self.alignment_matrix_, self.landmarks_, one_hot, beta=self.beta)
        found = classify(values, prior=prior, landmarks=self.landmarks_)
        self.label_distributions_ = found.probabilities
        self.transduction_ = decode(self.classes_, found.numbers)
        self.uncertainty_ = found.uncertainty
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Class probabilities of samples, of the pool or new.

        Parameters
        ----------
        X : (m, p) array or sparse matrix; distances to the pool (m, n) for ``metric="precomputed"``

        Returns
        -------
        (m, n_classes) float64
            In the order of `classes_`. Rows sum to one; NaN where all neighbors are NaN.
        """
        X = self._check_new(X)
        return extend(self.graph_, self._pool, X, self.label_distributions_)

    def predict(self, X: Any) -> Array:
        """Labels of samples, of the pool or new; -1 or None where nothing is known.

        Parameters
        ----------
        X : as for `predict_proba`

        Returns
        -------
        (m,) labels
        """
        found = classify(self.predict_proba(X))  # first, since it refuses what is not fitted
        return decode(self.classes_, found.numbers)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of samples that are labeled correctly; an unknown class counts as wrong.

        Parameters
        ----------
        X : as for `predict_proba`
        y : (m,) the true labels
        sample_weight : (m,) optional
        """
        predicted = self.predict(X)
        truth = column_or_1d(y)
        check_consistent_length(predicted, truth, sample_weight)
        right = np.fromiter((a == b for a, b in zip(predicted, truth, strict=True)), dtype=float)
        return float(np.average(right, weights=sample_weight))


def _check_prior(prior: Any, one_hot: Floats) -> Floats | None:
    """Proportions (n_classes,), positive and summing to one."""
    if prior is None:
        return None
    if isinstance(prior, str):
        check_choice(prior, "class_prior", ("labeled",))
        return np.asarray(one_hot.mean(axis=0))
    if np.ndim(prior) != 1:
        raise InputError("class_prior", "must be None, 'labeled' or one number per class", repr(prior))
    weights = check_weight(prior, "class_prior", one_hot.shape[1])
    return np.asarray(weights / weights.sum())
