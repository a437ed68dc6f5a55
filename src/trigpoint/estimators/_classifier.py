"""Classes of all samples from the labels of a few.

By default a mixture predicts (`prediction.predict_classes`). "propagation" is least squares on the graph of
one view: one-hot values are propagated, and `propagation.classify` makes probabilities of them. Class priors
are met by class mass normalization. Where y holds sets of tags, `prediction.predict_tags` predicts.
"""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_consistent_length, column_or_1d

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_choice, check_sample_weight, check_weight
from trigpoint.estimators._base import PoolEstimator, Propagated, check_y_given
from trigpoint.estimators._tags import check_for_tags, decode_tags, encode_tags, is_tags, truth_in_columns
from trigpoint.prediction import (
    PREDICTORS,
    ClassPredictor,
    TagPredictor,
    ViewedPool,
    best_view,
    check_noise,
    label_weights,
    predict_classes,
    predict_tags,
    present,
    tag_uncertainty,
)
from trigpoint.propagation import classify, decode, encode, extend, mass_ratio, propagate


class ManifoldClassifier(ClassifierMixin, PoolEstimator):  # type: ignore[misc]
    """Infer the classes of all samples, or their sets of tags, from the labels of some, along the manifold.

    Parameters
    ----------
    view : "auto", "raw", "standard", "half_white" or "white"
        The metric of the features, see `fit_view`. "auto" takes the raw features (standardized where columns
        are of different kinds) and the two whitened views, and the labels say how much each counts. Pools of
        fewer than five features have the first only, those of more than 20,000 samples one of them.
    predictor : "auto", "propagation" or "linear"
        "auto" mixes propagation on the graph of each view with a linear model and a kernel machine on the
        standardized features, weighted by how well each predicts labels that it does not know.
        "propagation" is least squares on the graph of the best view, as in the paper; "linear" the linear
        model alone.
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
    noise : "auto" or a number
        Share of the labels that are wrong. "auto" finds it from the labels. If there are wrong ones, they
        pull instead of being kept, each as strongly as the others support it. 0 takes all to be right, as
        does ``predictor="propagation"``.
    class_prior : None, "labeled" or (n_classes,)
        Proportions of the classes in the pool: as among the labeled samples, or given in the order
        of `classes_` (and scaled to sum to one). By default none are assumed.
    beta : float, optional
        How strongly samples are pulled to their labels, if some may be wrong; for ``predictor="propagation"``
        only. By default labels are kept exactly.

    Attributes
    ----------
    classes_ : (n_classes,) the labels there are, sorted; tags, or the numbers of columns
    landmarks_ : (l,) int64, the labeled samples
    label_distributions_ : (n, n_classes) float64
        Rows sum to one, but not those of tags. NaN where nothing is known: no labeled sample reaches there
        through the graph, and there are no models of features.
    transduction_ : (n,) labels of all samples; where nothing is known, -1 if the labels are numbers, else
        None. For tags (n, t), as `predict` gives them.
    uncertainty_ : (n,) float64
        One minus the largest entry of each row; 1 where nothing is known. For tags, the chance that the set
        is not exactly right, if tags were independent.
    threshold_ : float, for tags: a tag is present where its probability is larger
    weights_ : dict, predictor -> weight: views by their names, "linear", "kernel"
    left_out_errors_ : dict, predictor -> share of the labels that it gets wrong without knowing them
        For "propagation", view -> mean squared error of one-hot values; empty where one view is given.
    left_out_error_ : share of the labels (or sets of tags) that the mixture gets wrong without knowing
        them, or None
    view_ : View that counts most, or None for given distances
    views_considered_ : dict, name -> {"nearness": ...}, and "error" where labels chose
    graph_ : NeighborGraph, of that view
    alignment_matrix_ : (n, n) csr_array, or an array for "isomap"
    recipe_ : how a data frame became features, None where X holds numbers only
    columns_ : how each column of such a frame is used
    n_features_in_, feature_names_in_

    Notes
    -----
    Cost: with "auto", a neighbor graph for each view, one solve for each label and view, a linear model
    and a kernel machine: 0.4 s of one core for 1,347 digits with 50 labels. "propagation" on a named view
    takes an eighth of that. Where all samples have labels, or the pool is a small noisy table, a plain
    classifier is as good.

    See Also
    --------
    LandmarkSelector : which samples to label.
    ManifoldRegressor : for real targets.
    compare : whether this is better than others on your data.
    label_issues : which of the labels look wrong.

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

    classes_: Array
    landmarks_: Ints
    label_distributions_: Floats
    transduction_: Array
    uncertainty_: Floats
    threshold_: float
    weights_: dict[str, float]
    left_out_errors_: dict[str, float]
    left_out_error_: float | None

    def __init__(
        self,
        n_neighbors: int | None = 15,
        *,
        view: str = "auto",
        predictor: str = "auto",
        metric: str = "euclidean",
        alignment: str = "laplacian",
        alignment_options: dict[str, Any] | None = None,
        noise: float | str = "auto",
        class_prior: Any = None,
        beta: float | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.view = view
        self.predictor = predictor
        self.metric = metric
        self.alignment = alignment
        self.alignment_options = alignment_options
        self.noise = noise
        self.class_prior = class_prior
        self.beta = beta

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Propagate the labels.

        Parameters
        ----------
        X : (n, p) array, sparse matrix or data frame; distances (n, n) for ``metric="precomputed"``
            A frame that holds more than numbers is read as by `read_pool`. Kept for `predict`, not copied.
        y : (n,) labels: numbers, text or booleans
            Unlabeled where -1, None or NaN; None and text need an object array (or a list).
            Or tags, any number of them a sample: (n, t) with 1 for those that a sample has, else 0, dense
            (unlabeled: a row of -1 or NaN) or sparse; or a list of sets of tags (unlabeled: None).
        sample_weight : (n,) how much each sample counts, optional
            Those of labeled samples count, and only their ratios: in the models of features and in how much
            each predictor counts. Labels are kept all the same, so "propagation" knows no weights.

        Returns
        -------
        self
        """
        check_y_given(self, y)
        check_choice(self.predictor, "predictor", PREDICTORS)
        check_noise(self.noise, self.predictor)
        if self.beta is not None and self.predictor != "propagation":
            rule = "must be None unless predictor='propagation'"
            raise InputError("beta", rule, f"{self.beta!r} with {self.predictor!r}")
        if is_tags(y):
            return self._fit_tags(X, y, sample_weight)
        checked = self._check_pool(X)
        check_consistent_length(X, y)
        self.classes_, codes = encode(y if isinstance(y, list | tuple) else column_or_1d(y, warn=True))
        self.landmarks_ = np.flatnonzero(codes >= 0)
        counts = label_weights(check_sample_weight(sample_weight, len(codes)), self.landmarks_)
        codes = codes[self.landmarks_]
        one_hot = np.eye(len(self.classes_))[codes]
        prior = _check_prior(self.class_prior, one_hot)
        pool = self._viewed(checked, landmarks=self.landmarks_, values=one_hot)
        self._take(self._found(pool, codes, one_hot, counts), codes, prior)
        return self

    def _fit_tags(self, X: Any, y: Any, sample_weight: Any) -> Self:
        check_for_tags(self.noise, self.class_prior, self.beta)
        checked = self._check_pool(X)
        check_consistent_length(X, y)
        self.classes_, Y = encode_tags(y)
        self.landmarks_ = np.flatnonzero(~np.isnan(Y).any(axis=1))
        given = Y[self.landmarks_]
        counts = label_weights(check_sample_weight(sample_weight, len(Y)), self.landmarks_)
        pool = self._viewed(checked, landmarks=self.landmarks_, values=given)
        self._take_tags(predict_tags(pool, self.landmarks_, given, self.predictor, counts=counts), given)
        return self

    def _found(
        self, pool: ViewedPool, codes: Ints, one_hot: Floats, counts: Floats | None
    ) -> ClassPredictor | Propagated:
        if self.predictor == "auto" or (self.predictor == "linear" and pool.X is not None):
            k = one_hot.shape[1]
            return predict_classes(
                pool, self.landmarks_, codes, k, self.predictor, noise=self.noise, counts=counts
            )
        seen, errors = best_view(pool, self.landmarks_, one_hot)
        values = propagate(seen.phi, self.landmarks_, one_hot, beta=self.beta)
        return Propagated(replace(pool, views=(seen,)), seen, values, errors)

    def _take(
        self,
        found: ClassPredictor | Propagated,
        codes: Ints,
        prior: Floats | None = None,
        order: Ints | None = None,
    ) -> None:
        """Set what tells of the predictions; ``order`` lists their columns in the order of `classes_`."""
        self._tagged: TagPredictor | None = None
        self._mixture: ClassPredictor | None = found if isinstance(found, ClassPredictor) else None
        self._order = order
        self.left_out_error_ = None
        if isinstance(found, ClassPredictor):
            self._use(found.main, found.pool)
            self.left_out_error_ = float((found.left_out.argmax(axis=1) != codes).mean())
            values = found.probabilities
        else:
            self._use(found.seen, found.pool)
            values = found.values
        self.weights_, self.left_out_errors_ = found.weights, found.errors
        values = values if order is None else values[:, order]
        said = classify(values, prior=prior, landmarks=self.landmarks_)
        self.label_distributions_ = said.probabilities
        self.transduction_ = decode(self.classes_, said.numbers)
        self.uncertainty_ = said.uncertainty
        self._ratio: Floats | None = None if prior is None else mass_ratio(values, prior, self.landmarks_)

    def _take_tags(self, found: TagPredictor, given: Floats, order: Ints | None = None) -> None:
        """As `_take`, for (l, t) tags."""
        self._use(found.main, found.pool)
        self._tagged, self._mixture, self._ratio, self._order = found, None, None, order
        self.weights_, self.left_out_errors_ = found.weights, found.errors
        wrong = present(found.left_out, found.threshold) != given
        self.left_out_error_ = float(wrong.any(axis=1).mean())
        self.threshold_ = found.threshold
        p = found.probabilities if order is None else found.probabilities[:, order]
        self.label_distributions_ = p
        self.transduction_ = decode_tags(p, present(p, found.threshold))
        self.uncertainty_ = tag_uncertainty(p, found.threshold)

    def predict_proba(self, X: Any) -> Floats:
        """Class probabilities of samples, of the pool or new.

        Parameters
        ----------
        X : (m, p) array or sparse matrix; distances to the pool (m, n) for ``metric="precomputed"``

        Returns
        -------
        (m, n_classes) float64
            In the order of `classes_`. Rows sum to one, but not those of tags; NaN where all neighbors are
            NaN.
        """
        X = self._check_new(X)
        if self._tagged is not None:
            p = self._tagged.new(X)
            return p if self._order is None else p[:, self._order]
        if self._mixture is None:
            return extend(self.graph_, self._seen.X, self._seen.transform(X), self.label_distributions_)
        p = classify(self._mixture.new(X)).probabilities
        p = p if self._order is None else p[:, self._order]
        if self._ratio is None:
            return p
        return np.asarray(p * self._ratio / (p * self._ratio).sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> Array:
        """Labels of samples, of the pool or new; -1 or None where nothing is known.

        For tags (m, t) int64, 1 for those that a sample has, else 0; rows of -1 where nothing is known.

        Parameters
        ----------
        X : as for `predict_proba`

        Returns
        -------
        (m,) labels
        """
        p = self.predict_proba(X)  # first, since it refuses what is not fitted
        if self._tagged is not None:
            return decode_tags(p, present(p, self.threshold_))
        found = classify(p)
        return decode(self.classes_, found.numbers)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of samples that are labeled correctly; an unknown class counts as wrong.

        A set of tags is correct if it is exactly the true one.

        Parameters
        ----------
        X : as for `predict_proba`
        y : (m,) the true labels; for tags as in `fit`
        sample_weight : (m,) optional

        Returns
        -------
        a number from 0 to 1
        """
        predicted = self.predict(X)
        if self._tagged is not None:
            check_consistent_length(predicted, y, sample_weight)
            truth = truth_in_columns(y, self.classes_, len(predicted))
            return float(np.average((predicted == truth).all(axis=1), weights=sample_weight))
        truth = column_or_1d(y)
        check_consistent_length(predicted, truth, sample_weight)
        right = np.fromiter((a == b for a, b in zip(predicted, truth, strict=True)), dtype=float)
        return float(np.average(right, weights=sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = self.beta is None and self.class_prior is None
        return tags


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
