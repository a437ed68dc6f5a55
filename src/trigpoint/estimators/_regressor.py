"""Real targets of all samples from those of a few, each with a standard deviation.

By default a mixture predicts (`prediction.predict_values`). "propagation" is least squares on the graph of
one view.
"""

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_array, check_consistent_length

from trigpoint._errors import InputError, UnreachedWarning
from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import check_choice, check_sample_weight
from trigpoint.alignment import laplacian
from trigpoint.estimators._base import PoolEstimator, check_y_given
from trigpoint.prediction import (
    PREDICTORS,
    PoolView,
    ValuePredictor,
    ViewedPool,
    best_view,
    check_noise,
    label_weights,
    predict_values,
)
from trigpoint.propagation import UnknownScaleError, extend, extend_std, field_scale, propagate, uncertainty


@dataclass(frozen=True, eq=False)
class Part:
    """Targets that are known at the same samples: their values (n, d), and what they come from."""

    values: Floats
    seen: PoolView
    weights: dict[str, float]
    errors: dict[str, float]
    mixture: ValuePredictor | None


class ManifoldRegressor(RegressorMixin, PoolEstimator):  # type: ignore[misc]
    """Infer the values of all samples from those of some, along the manifold of the pool.

    Parameters
    ----------
    view : "auto", "raw", "standard", "half_white" or "white"
        The metric of the features, see `fit_view`. "auto" takes the raw features (standardized where columns
        are of different kinds) and the two whitened views, and the values say how much each counts. Pools of
        fewer than five features have the first only, those of more than 20,000 samples one of them.
    predictor : "auto", "propagation" or "linear"
        "auto" mixes propagation on the graph of each view, of two degrees of smoothness, and a ridge
        regression on the standardized features, weighted by how well each predicts values that it does not
        know. "propagation" is least squares on the graph of the best view, as in the paper; "linear" the
        ridge regression.
    n_neighbors : int, default 15
        K of the neighbor graph; n - 1 where the pool has only n <= K samples. With
        ``metric="precomputed"``, None keeps every given distance.
    metric : "euclidean", "cosine" or "precomputed"
        With "precomputed", X holds distances: (n, n) to fit, (m, n) for new samples. In sparse ones
        the stored entries are the candidates.
    alignment : "laplacian", "diffusion", "lle", "ltsa" or "isomap"
        The alignment matrix that values are propagated with.
    alignment_options : dict, optional
        Options of the function of that name, such as ``{"n_components": 2}``, which "ltsa" and
        "isomap" need.
    noise : "auto" or a number
        Share of the values that are wrong. "auto" finds it from the values. If there are wrong ones, each
        counts as far as the others support it, when other samples are predicted. 0 takes all to be right,
        as does ``predictor="propagation"``.
    beta : float, optional
        How strongly samples are pulled to their values, if these are noisy; for
        ``predictor="propagation"`` only. By default they are kept exactly.
    gamma : float, optional
        Ridge that draws values to 0 where labeled samples are far; for ``predictor="propagation"`` only.
    extension : "self_tuning", "binary" or "linear"
        How new samples take values from their neighbors, as for `extend`. "linear" follows slopes, and
        needs clean data of few dimensions.
    compute_std : bool, default True
        Standard deviations cost far more than values: without them, no ``uncertainty_`` and no
        ``return_std``.
    random_state : seed, default 0
        Of the standard deviations, which are estimated by random draws above 4000 samples.

    Attributes
    ----------
    landmarks_ : (l,) int64, the samples with a value in any target
    transduction_ : (n,) or (n, d) float64
        Values of all samples; NaN where no labeled sample reaches, and there is no ridge regression.
    uncertainty_ : (n,) or (n, d) float64, or None without ``compute_std``
        Standard deviations in the units of the values: 0 where values are kept exactly, infinite where no
        labeled sample reaches, or where too few give the scale (one in each component). With
        ``beta``, those of the values without their noise.
    weights_ : dict, predictor -> weight: views by their names ("^2": smoother), "linear"
    left_out_errors_ : dict, predictor -> root mean squared error at values that it does not know
        For "propagation", view -> mean squared error of standardized values; empty where one view is given.
    left_out_error_ : root mean squared error of the mixture at values that it does not know, or None
    view_ : View that counts most, or None for given distances
    views_considered_ : dict, name -> {"nearness": ...}, and "error" where values chose
    graph_ : NeighborGraph, of that view
    alignment_matrix_ : (n, n) csr_array, or an array for "isomap"
    recipe_ : how a data frame became features, None where X holds numbers only
    columns_ : how each column of such a frame is used
    n_features_in_, feature_names_in_

    Notes
    -----
    Cost: with "auto", a neighbor graph for each view and one solve for each label and view. Standard
    deviations take far longer than values: ``compute_std=False`` leaves them out.

    See Also
    --------
    LandmarkSelector : which samples to label.
    ManifoldClassifier : for classes and tags.
    propagate : the paper's least squares alone.

    Examples
    --------
    >>> import numpy as np
    >>> import trigpoint as tp
    >>> X = np.arange(5.0)[:, None]
    >>> reg = tp.ManifoldRegressor(n_neighbors=1, predictor="propagation")
    >>> reg = reg.fit(X, [0.0, np.nan, np.nan, np.nan, 8.0])
    >>> reg.transduction_.round(6)
    array([0., 2., 4., 6., 8.])
    >>> reg.predict([[2.0]], return_std=True)[1].round(6)
    array([4.])
    """

    landmarks_: Ints
    transduction_: Floats
    uncertainty_: Floats | None
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
        beta: float | None = None,
        gamma: float | None = None,
        extension: str = "self_tuning",
        compute_std: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.view = view
        self.predictor = predictor
        self.metric = metric
        self.alignment = alignment
        self.alignment_options = alignment_options
        self.noise = noise
        self.beta = beta
        self.gamma = gamma
        self.extension = extension
        self.compute_std = compute_std
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Propagate the values.

        Parameters
        ----------
        X : (n, p) array, sparse matrix or data frame; distances (n, n) for ``metric="precomputed"``
            A frame that holds more than numbers is read as by `read_pool`. Kept for `predict`, not copied.
        y : (n,) or (n, d) real targets
            NaN where unlabeled; a sample may have some targets known and others NaN.
        sample_weight : (n,) how much each sample counts, optional
            Those of labeled samples count, and only their ratios: in the models of features and in how much
            each predictor counts. Labels are kept all the same, so "propagation" knows no weights.

        Returns
        -------
        self
        """
        check_y_given(self, y)
        linear = () if self.metric == "precomputed" else ("linear",)
        check_choice(self.extension, "extension", ("self_tuning", "binary", *linear))
        check_choice(self.predictor, "predictor", PREDICTORS)
        check_noise(self.noise, self.predictor)
        for name in ("beta", "gamma"):
            if getattr(self, name) is not None and self.predictor != "propagation":
                rule = "must be None unless predictor='propagation'"
                raise InputError(name, rule, f"{getattr(self, name)!r} with {self.predictor!r}")
        checked = self._check_pool(X)
        y = check_array(y, ensure_2d=False, dtype=np.float64, ensure_all_finite="allow-nan", input_name="y")
        check_consistent_length(X, y)
        columns = y.reshape(len(y), -1)
        known = _check_known(columns)
        self.landmarks_ = np.flatnonzero(known.any(axis=1))
        weights = check_sample_weight(sample_weight, len(y))
        label_weights(weights, self.landmarks_)
        everywhere = np.flatnonzero(known.all(axis=1))
        pool = self._viewed(checked, landmarks=everywhere, values=_standardized(columns)[everywhere])
        mixes = self.predictor == "auto" or (self.predictor == "linear" and pool.X is not None)
        patterns, which = np.unique(known, axis=1, return_inverse=True)
        parts = []
        for k, pattern in enumerate(patterns.T):  # targets known at the same samples are solved together
            landmarks, targets = np.flatnonzero(pattern), np.flatnonzero(which.ravel() == k)
            given = columns[np.ix_(landmarks, targets)]
            counts = label_weights(weights, landmarks)
            part = (
                self._mixed(pool, landmarks, given, counts)
                if mixes
                else self._propagated(pool, landmarks, given)
            )
            posterior = self._posterior(part, landmarks, given) if self.compute_std else None
            parts.append((targets, part, posterior))
        self._take(pool, parts, y.ndim)
        return self

    def _take(self, pool: ViewedPool, parts: list[tuple[Ints, Part, Any]], ndim: int) -> None:
        """Set what tells of the predictions; each part with standard deviations and units, or None."""
        d = sum(len(targets) for targets, _, _ in parts)
        values, std = np.empty((2, pool.n_samples, d))
        units = np.empty(d)
        for targets, part, posterior in parts:
            values[:, targets] = part.values
            if posterior is not None:
                std[:, targets], units[targets] = posterior
        first, shape = parts[0][1], (pool.n_samples, d)[:ndim]
        told = parts[0][2] is not None
        self._parts = [(targets, part) for targets, part, _ in parts]
        if first.mixture is None:  # the other views are not needed any more
            pool = replace(pool, views=tuple(dict.fromkeys(part.seen for _, part in self._parts)))
        self._use(first.seen, pool)
        self.weights_, self.left_out_errors_ = first.weights, first.errors
        residuals = [part.mixture.residuals for _, part in self._parts if part.mixture is not None]
        self.left_out_error_ = (
            float(np.sqrt(np.mean(np.concatenate([each.ravel() ** 2 for each in residuals]))))
            if residuals
            else None
        )
        self.transduction_ = values.reshape(shape)
        self.uncertainty_ = std.reshape(shape) if told else None
        self._units = units if told else None

    def _mixed(self, pool: ViewedPool, landmarks: Ints, given: Floats, counts: Floats | None) -> "Part":
        mixture = predict_values(pool, landmarks, given, self.predictor, noise=self.noise, counts=counts)
        return Part(mixture.values, mixture.main, mixture.weights, mixture.errors, mixture)

    def _propagated(self, pool: ViewedPool, landmarks: Ints, given: Floats) -> "Part":
        seen, errors = best_view(pool, landmarks, _standardized(given))
        values = propagate(seen.phi, landmarks, given, beta=self.beta, gamma=self.gamma)
        return Part(values, seen, {seen.name: 1.0}, errors, None)

    def _posterior(self, part: "Part", landmarks: Ints, given: Floats) -> tuple[Floats, Floats]:
        """Standard deviations (n, d), and the units (d,) that those of new samples are multiples of."""
        phi = part.seen.phi
        options = {"beta": self.beta, "gamma": self.gamma, "random_state": self.random_state}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreachedWarning)  # propagate has said so
            if part.mixture is not None:
                alone = uncertainty(phi, landmarks, **options)[:, None]
                units = part.mixture.units()
                fixed = (alone == 0) | np.isinf(alone)  # known exactly, or not at all, in any unit
                std = np.where(fixed, alone, np.where(fixed, 1.0, alone) * units)
                return std, self._new_units(part, landmarks, given, units)
            try:
                std = uncertainty(phi, landmarks, given, **options)
                return std, self._new_units(part, landmarks, given)
            except UnknownScaleError:  # one landmark a component
                alone = uncertainty(phi, landmarks, **options)[:, None]
                return np.where(alone > 0, np.inf, 0.0), np.full(given.shape[1], np.inf)

    def _new_units(self, part: "Part", landmarks: Ints, given: Floats, units: Floats | None = None) -> Floats:
        """(d,) what deviations of new samples are multiples of; ``units`` of the mixture if known."""
        plain = self._laplacian(part.seen)
        if part.mixture is None:
            return self._scale(plain, landmarks, given)
        if plain is part.seen.phi:
            return part.mixture.units() if units is None else units
        return np.maximum(part.mixture.units(plain), self._scale(plain, landmarks, given))

    def _scale(self, plain: Sparse, landmarks: Ints, given: Floats) -> Floats:
        """(d,) of the field that new samples take their values from; infinite where too few tell."""
        try:
            return np.asarray(field_scale(plain, landmarks, given, beta=self.beta, gamma=self.gamma))
        except UnknownScaleError:
            return np.full(given.shape[1], np.inf)

    def _laplacian(self, seen: PoolView) -> Sparse:
        """The self-tuning one, which the weights of new samples belong to, whatever the alignment is."""
        if self.alignment == "laplacian" and not self.alignment_options:
            return seen.phi
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of faint edges: the user chose other weights
            return laplacian(seen.graph)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Values of samples, of the pool or new.

        Parameters
        ----------
        X : (m, p) array or sparse matrix; distances to the pool (m, n) for ``metric="precomputed"``
        return_std : bool
            Whether to return standard deviations as well.

        Returns
        -------
        values : (m,) or (m, d) float64
            NaN where all neighbors are NaN.
        std : as values, with ``return_std``
            Those of the pool for its own samples. New ones add the variance of one more node of the
            graph, which grows without bound away from the pool; see `propagation.extend_std`.
        """
        X = self._check_new(X)
        if return_std and self.uncertainty_ is None:
            raise InputError("return_std", "must be False after a fit with compute_std=False", "True")
        shape = (X.shape[0], *self.transduction_.shape[1:])
        values, std = np.empty((2, X.shape[0], math.prod(shape[1:])))
        pool_std = (
            None if self.uncertainty_ is None else self.uncertainty_.reshape(len(self.uncertainty_), -1)
        )
        for targets, part in self._parts:
            seen, new = part.seen, part.seen.transform(X)
            values[:, targets] = (
                extend(seen.graph, seen.X, new, part.values, weights=self.extension)
                if part.mixture is None
                else part.mixture.new(X, self.extension)
            )
            if return_std and pool_std is not None:
                known, units = pool_std[:, targets], np.asarray(self._units)[targets]
                std[:, targets] = extend_std(seen.graph, seen.X, new, known, units)
        return (values.reshape(shape), std.reshape(shape)) if return_std else values.reshape(shape)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _standardized(columns: Floats) -> Floats:
    """Targets less their means, in units of their standard deviations; NaN where they are not known."""
    size = np.nanstd(columns, axis=0)
    return np.asarray((columns - np.nanmean(columns, axis=0)) / np.where(size > 0, size, 1.0))


def _check_known(columns: Floats) -> Any:
    """Which values are known, (n, d); at least one of each target."""
    known = ~np.isnan(columns)
    empty = np.flatnonzero(~known.any(axis=0))
    if len(empty):
        of = f" of target {empty[0]}" if columns.shape[1] > 1 else ""
        raise InputError("y", f"must hold at least one value{of}; all {len(columns)} are NaN")
    return known
