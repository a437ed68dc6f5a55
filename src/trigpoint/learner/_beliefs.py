"""What the labels so far say about every sample.

"auto" and "linear" are the mixtures of `prediction`. "propagation" is plain least squares on the graph of the
view where labels that are left out are predicted best (`prediction.best_view`); the labels that it leaves out
are predicted with the leak that all views have (`PoolView.spread`). It takes labels to be right.
"""

import warnings
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import UnreachedWarning
from trigpoint._types import Array, Floats, Ints
from trigpoint.prediction import (
    ClassPredictor,
    PoolView,
    TagPredictor,
    ValuePredictor,
    ViewedPool,
    best_view,
    predict_classes,
    predict_tags,
    predict_values,
    tag_uncertainty,
)
from trigpoint.propagation import (
    UnknownScaleError,
    classify,
    extend,
    field_scale,
    propagate,
    uncertainty,
)


@dataclass(frozen=True, eq=False)
class Known:
    """Labels in the order in which the samples were first told of.

    Attributes
    ----------
    landmarks : (l,) int64
    values : (l, d) one-hot rows of ``classes``, or real targets; for tags 1 for those that a sample has
    classes : in order of first appearance; empty for real targets
    trusted : (l,) bool, labels that were given again after a second look; None if there are none
    tags : whether ``classes`` are tags, of which a sample has any number
    """

    landmarks: Ints
    values: Floats
    classes: tuple[Hashable, ...]
    trusted: Array | None = None
    tags: bool = False

    @property
    def seen(self) -> Ints:
        """The columns that have a label; all of real targets."""
        return np.flatnonzero(self.values.any(axis=0) | (len(self.classes) == 0))

    @property
    def decides(self) -> bool:
        """Whether there are two labels a class, or a target: fewer say nothing of the view."""
        return len(self.landmarks) >= 2 * len(self.seen)


def known_classes(
    labels: dict[int, Hashable], classes: Sequence[Hashable], trusted: Collection[int] = ()
) -> Known:
    numbers = {label: k for k, label in enumerate(dict.fromkeys([*classes, *labels.values()]))}
    values = np.zeros((len(labels), len(numbers)))
    values[np.arange(len(labels)), [numbers[label] for label in labels.values()]] = 1.0
    sure = np.array([i in trusted for i in labels], dtype=bool) if trusted else None
    return Known(np.array(list(labels), dtype=np.int64), values, tuple(numbers), sure)


def known_values(labels: dict[int, tuple[float, ...]]) -> Known:
    width = len(next(iter(labels.values()))) if labels else 1
    values = np.array(list(labels.values()), dtype=np.float64).reshape(len(labels), width)
    return Known(np.array(list(labels), dtype=np.int64), values, ())


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What one state of the labels says.

    Attributes
    ----------
    known : the labels
    values : (n, d) probabilities of the classes or tags, or real values; NaN where nothing is known
    left_out : (l, d) the same of the labeled samples, each without its own label; NaN where no other reaches
    view : PoolView that counts most; while labels do not decide, the one of least nearness
    weights : predictor -> weight; empty without labels
    mixture : None for plain propagation
    """

    known: Known
    values: Floats
    left_out: Floats
    view: PoolView
    weights: dict[str, float]
    mixture: ClassPredictor | TagPredictor | ValuePredictor | None = None

    @property
    def threshold(self) -> float:
        """A tag is present where its probability is larger."""
        return self.mixture.threshold if isinstance(self.mixture, TagPredictor) else 0.5

    def doubts(self) -> Floats:
        """(n,) the uncertainty of classes or tags."""
        if self.known.tags and len(self.known.landmarks):
            return tag_uncertainty(self.values, self.threshold)
        return classify(self.values).uncertainty

    @property
    def noise(self) -> float:
        """Share of the labels that are probably wrong; 0 as long as nothing speaks for it."""
        return 0.0 if self.mixture is None else self.mixture.share_of_wrong

    def contradicted(self) -> Ints:
        """Labeled samples that the others say have another class, the most certain first."""
        found = self.mixture
        if not isinstance(found, ClassPredictor) or found.noise is None or not found.believed:
            return np.empty(0, dtype=np.int64)
        right = found.noise.right
        order = np.argsort(right, kind="stable")
        return self.known.landmarks[order[right[order] < 0.5]]

    def new(self, X_new: Any) -> Floats:
        """(m, d) the same as ``values`` of other samples."""
        if self.mixture is not None:
            return self.mixture.new(X_new)
        if not self.weights:
            return np.full((X_new.shape[0], self.values.shape[1]), np.nan)
        seen = self.view
        return extend(seen.graph, seen.X, seen.transform(X_new), self.values)

    def deviations(self) -> Floats:
        """(n, d) standard deviations of real values; infinite where too few labels give the scale."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreachedWarning)
            units = self._units()
        return deviations(self.view, self.known.landmarks, units)

    def _units(self) -> Floats:
        """(d,) what a field of unit scale is multiplied by."""
        if isinstance(self.mixture, ValuePredictor):
            return self.mixture.units(self.view.phi)
        try:
            return field_scale(self.view.phi, self.known.landmarks, self.known.values)
        except UnknownScaleError:  # one label a component
            return np.full(self.values.shape[1], np.inf)


def deviations(view: PoolView, landmarks: Ints, units: Floats) -> Floats:
    """(n, d) those of a field of each of these scales, given the landmarks; infinite where it is unknown."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachedWarning)
        if not np.isfinite(units).all():
            return np.full((view.graph.n_samples, len(units)), np.inf)
        alone = uncertainty(view.phi, landmarks)[:, None]
    return np.where(np.isinf(alone), np.inf, np.where(np.isinf(alone), 1.0, alone) * units)


def beliefs(
    pool: ViewedPool,
    known: Known,
    predictor: str,
    at_random: Ints,
    noise: float | str = 0.0,
    counts: Floats | None = None,
) -> Beliefs:
    """Of classes, or of real targets where there are none.

    ``at_random`` are the places of audits, ``counts`` (l,) how much each label counts.
    """
    if len(known.landmarks) == 0 or (known.tags and not known.classes):
        nothing = np.full((pool.n_samples, known.values.shape[1]), np.nan)
        return Beliefs(known, nothing, nothing[: len(known.landmarks)], pool.main, {})
    if predictor != "linear":
        _ = [view.inverse for view in pool.views]  # kept, since labels come again and again
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachedWarning)  # which the loop is there to mend
        if predictor == "propagation" and not known.tags:
            return _propagated(pool, known)
        return _mixed(pool, known, predictor, at_random, noise, counts)


def _mixed(
    pool: ViewedPool,
    known: Known,
    predictor: str,
    at_random: Ints,
    noise: float | str,
    counts: Floats | None,
) -> Beliefs:
    found: ClassPredictor | TagPredictor | ValuePredictor
    if known.tags:
        found = predict_tags(pool, known.landmarks, known.values, predictor, at_random, counts=counts)
        values, left_out = found.probabilities, found.left_out
    elif known.classes:
        codes, k = known.values.argmax(axis=1), len(known.classes)
        found = predict_classes(
            pool,
            known.landmarks,
            codes,
            k,
            predictor,
            at_random,
            noise=noise,
            trusted=known.trusted,
            counts=counts,
        )
        values, left_out = found.probabilities, found.left_out
    else:
        found = predict_values(pool, known.landmarks, known.values, predictor, noise=noise, counts=counts)
        values, left_out = found.values, known.values + found.residuals
    if pool.X is None:
        left_out = _told_by_others(pool.main, known, left_out)
    view = found.main if known.decides else pool.main
    return Beliefs(known, values, left_out, view, found.weights, found)


def _propagated(pool: ViewedPool, known: Known) -> Beliefs:
    middle = 0.0 if known.classes else known.values.mean(axis=0)  # the leak draws values to 0
    view, _ = best_view(pool, known.landmarks, known.values - middle)
    values = propagate(view.phi, known.landmarks, known.values)
    found = view.spread(known.landmarks, known.values - middle)
    left_out = _told_by_others(view, known, found.left_out + middle)
    if known.classes:
        values, left_out = classify(values).probabilities, classify(left_out).probabilities
    return Beliefs(known, values, left_out, view, {view.name: 1.0})


def _told_by_others(view: PoolView, known: Known, left_out: Floats) -> Floats:
    """NaN where a label is alone in its part of the graph."""
    return np.where(view.in_company(known.landmarks)[:, None], left_out, np.nan)
