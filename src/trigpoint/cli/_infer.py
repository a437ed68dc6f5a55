"""Labels of all samples from those of a few, as columns of a table, and what they come from.

Classes come with the largest probability and the uncertainty, real values with their standard deviations.
Where nothing is known, class, probability and value are empty; the uncertainty is 1, the standard deviation
infinite. "propagation" is least squares on the graph of one view: `propagation.propagate`. All else is a
mixture: `prediction.predict_classes`, `predict_tags` and `predict_values`. Sets of tags come with a
probability a tag; where nothing is known, the set is empty, and [] where there are no tags.
"""

import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from trigpoint._errors import InputError, UnreachedWarning
from trigpoint._types import Floats, Ints, Sparse
from trigpoint.cli._errors import tell
from trigpoint.io import Labels, tags_text
from trigpoint.learner import class_interval, value_interval
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
    present,
    tag_uncertainty,
)
from trigpoint.propagation import UnknownScaleError, classify, decode, propagate, uncertainty

WRONG = "left-out labels wrong"
ROOT = "left-out root mean squared error"
SQUARED = "left-out squared error"
TAGS = "left-out tags wrong"
SHARES = (WRONG, TAGS)


@dataclass(frozen=True, eq=False)
class Given:
    """Labels as numbers."""

    values: Floats  # (l, d): one-hot rows, or real values
    codes: Any  # (l,) class numbers; None for real values and for tags
    classes: list[str]
    tags: bool = False


@dataclass(frozen=True)
class RestError:
    """How wrong the rest is by labels that were drawn at random, each predicted without knowing it.

    Shares of wrong classes, or root mean squared errors; NaN where labels do not tell.
    """

    estimate: float
    low: float
    high: float
    n_random: int
    n_wrong: int | None  # None for real values

    def told(self) -> str:
        """In a sentence."""
        if self.n_wrong is None:
            known, form = f"{self.n_random} random labels", ".4g"
        else:
            known, form = f"{self.n_random - self.n_wrong} of {self.n_random} random labels right", ".2%"
        if np.isnan(self.estimate):
            return f"error of the rest: unknown ({known})."
        interval = f"90 % interval {self.low:{form}} to {self.high:{form}}"
        return f"error of the rest: {self.estimate:{form}}, {interval} ({known})."


@dataclass(frozen=True, eq=False)
class Inferred:
    columns: dict[str, Any]  # each (n,)
    values: Floats  # (n, d) one-hot values or probabilities, or real values
    n_unreached: int
    seen: PoolView  # the view that counts most
    weights: dict[str, float]  # of each predictor
    left_out_errors: dict[str, float]
    measure: str  # what these errors are
    temperature: float | None = None  # of a mixture of probabilities
    error: RestError | None = None  # where labels were drawn at random
    noise: float = 0.0  # share of the labels that are probably wrong
    mixture: ClassPredictor | TagPredictor | ValuePredictor | None = None

    def told(self) -> str:
        """In a line."""
        each = [
            f"{name} {weight:.0%}" + self._error(name)
            for name, weight in sorted(self.weights.items(), key=lambda item: -item[1])
        ]
        sharper = "" if self.temperature is None else f"; temperature {self.temperature:.2f}"
        counts = self.seen.view is not None and self.seen.name in self.weights
        view = f"; the view that counts most: {self.seen.name}" if counts else ""
        return f"predictors by weight ({self.measure}): {', '.join(each)}{sharper}{view}"

    def _error(self, name: str) -> str:
        error = self.left_out_errors.get(name)
        if error is None:
            return ""
        return f" ({error:.1%})" if self.measure in SHARES else f" ({error:.4g})"

    def facts(self) -> dict[str, Any]:
        """What JSON output tells of it."""
        return {
            "weights": self.weights,
            "left_out_errors": self.left_out_errors,
            "temperature": self.temperature,
            "noise": self.noise,
            "n_unreached": self.n_unreached,
            "error_of_rest": None if self.error is None else asdict(self.error),
        }


def as_given(labels: Labels) -> Given:
    if len(labels.indices) == 0:
        raise InputError("--labels", "must hold a sample on whose label people agree; all are undecided")
    if labels.task == "tags":
        sets: list[Any] = list(labels.values)
        tags = sorted({tag for row in sets for tag in row})
        if not tags:
            raise InputError("--labels", "must hold at least one tag", "no tag of any sample")
        has = [[float(tag in row) for tag in tags] for row in sets]
        return Given(np.array(has), None, tags, tags=True)
    if isinstance(labels.values, list):
        classes, codes = np.unique(labels.values, return_inverse=True)
        return Given(np.eye(len(classes))[codes], codes, classes.tolist())
    return Given(labels.values.reshape(len(labels.values), -1), None, [])


@dataclass(frozen=True)
class Wishes:
    """How to infer."""

    predictor: str
    noise: float | str
    at_random: bool  # whether labels were drawn at random, and so tell the error of the rest
    std: bool  # whether real values are to have standard deviations
    seed: int
    counts: Floats | None = None  # (l,) how much each label counts
    propagate: Callable[[Sparse, Ints, Floats], Floats] = propagate  # here, or on a cluster


def infer(pool: ViewedPool, labels: Labels, given: Given, wishes: Wishes) -> Inferred:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachedWarning)  # told by the caller, once
        if given.tags:
            return _tags(pool, labels, given, wishes)
        if given.codes is not None:
            return _classes(pool, labels, given, wishes)
        return _values(pool, labels, given, wishes)


def _classes(pool: ViewedPool, labels: Labels, given: Given, wishes: Wishes) -> Inferred:
    left_out = error = mixture = None
    wrong = 0.0
    if wishes.predictor == "propagation":
        seen, errors = best_view(pool, labels.indices, given.values)
        values, temperature, weights = (
            wishes.propagate(seen.phi, labels.indices, given.values),
            None,
            {seen.name: 1.0},
        )
        if wishes.at_random:
            left_out = seen.spread(labels.indices, given.values).left_out
    else:
        mixture = predict_classes(
            pool,
            labels.indices,
            given.codes,
            len(given.classes),
            wishes.predictor,
            noise=wishes.noise,
            counts=wishes.counts,
        )
        wrong = mixture.share_of_wrong
        values, temperature, weights = mixture.probabilities, mixture.temperature, mixture.weights
        seen, errors, left_out = mixture.main, mixture.errors, mixture.left_out if wishes.at_random else None
    found = classify(values)
    if left_out is not None:
        left_out = _told_by_others(pool, seen, labels, left_out, wishes.predictor)
        error = _class_error(left_out, given.codes, np.delete(found.uncertainty, labels.indices))
    columns = {
        "predicted": decode(given.classes, found.numbers),
        "probability": found.probabilities.max(axis=1),
        "uncertainty": found.uncertainty,
    }
    n_unknown, measure = int((found.numbers < 0).sum()), SQUARED if temperature is None else WRONG
    return Inferred(
        columns, values, n_unknown, seen, weights, errors, measure, temperature, error, wrong, mixture
    )


def _tags(pool: ViewedPool, labels: Labels, given: Given, wishes: Wishes) -> Inferred:
    found = predict_tags(pool, labels.indices, given.values, wishes.predictor, counts=wishes.counts)
    p, h, error = found.probabilities, found.threshold, None
    doubts = tag_uncertainty(p, h)
    if wishes.at_random:
        left_out = _told_by_others(pool, found.main, labels, found.left_out, wishes.predictor)
        wrong = (present(left_out, h) != given.values).any(axis=1) | np.isnan(left_out).any(axis=1)
        rest = np.delete(doubts, labels.indices)
        interval = class_interval(wrong, tag_uncertainty(left_out, h), rest)
        error = RestError(*interval, len(wrong), int(wrong.sum()))
    columns, n_unknown = tag_columns(p, h, given.classes)
    return Inferred(
        columns,
        p,
        n_unknown,
        found.main,
        found.weights,
        found.errors,
        TAGS,
        found.temperature,
        error,
        mixture=found,
    )


def tag_columns(p: Floats, threshold: float, tags: list[str]) -> tuple[dict[str, Any], int]:
    """Of (n, t) probabilities, and for how many samples nothing is known."""
    unknown = np.asarray(np.isnan(p).any(axis=1))
    names = np.array(tags, dtype=object)
    columns = {
        "predicted": [
            None if nothing else tags_text(names[row])
            for row, nothing in zip(present(p, threshold), unknown, strict=True)
        ],
        **{f"probability_{tag}": p[:, j] for j, tag in enumerate(tags)},
        "uncertainty": tag_uncertainty(p, threshold),
    }
    return columns, int(unknown.sum())


def _class_error(left_out: Floats, codes: Ints, rest: Floats) -> RestError:
    said = classify(left_out)
    wrong = said.numbers != codes
    return RestError(*class_interval(wrong, said.uncertainty, rest), len(codes), int(wrong.sum()))


def _told_by_others(
    pool: ViewedPool, seen: PoolView, labels: Labels, left_out: Floats, predictor: str
) -> Floats:
    """(l, d) what others say of each label; NaN where none reaches it and there is no model of features."""
    if pool.X is not None and predictor != "propagation":
        return left_out
    return np.where(seen.in_company(labels.indices)[:, None], left_out, np.nan)


def _values(pool: ViewedPool, labels: Labels, given: Given, wishes: Wishes) -> Inferred:
    residuals = error = mixture = None
    wrong = 0.0
    if wishes.predictor == "propagation":
        middle = given.values - given.values.mean(axis=0)
        seen, errors = best_view(pool, labels.indices, middle)
        weights, units = {seen.name: 1.0}, None
        values = wishes.propagate(seen.phi, labels.indices, given.values)
        if wishes.at_random:
            residuals = seen.spread(labels.indices, middle).left_out - middle
    else:
        mixture = predict_values(
            pool, labels.indices, given.values, wishes.predictor, noise=wishes.noise, counts=wishes.counts
        )
        wrong = mixture.share_of_wrong
        values, weights, units = mixture.values, mixture.weights, mixture.units()
        seen, errors, residuals = (
            mixture.main,
            mixture.errors,
            mixture.residuals if wishes.at_random else None,
        )
    if residuals is not None:
        squares = np.square(_told_by_others(pool, seen, labels, residuals, wishes.predictor)).mean(axis=1)
        found = value_interval(squares[~np.isnan(squares)], squares[:0], pool.n_samples - len(squares))
        error = RestError(*found, len(squares), None)
    columns = _named("value", values, labels)
    if wishes.std:
        columns |= _named("std", _std(seen, labels, given.values, units, wishes.seed), labels)
    n_unknown, measure = int(np.isnan(values).any(axis=1).sum()), SQUARED if units is None else ROOT
    return Inferred(columns, values, n_unknown, seen, weights, errors, measure, None, error, wrong, mixture)


def _std(seen: PoolView, labels: Labels, values: Floats, units: Floats | None, seed: int) -> Floats:
    """(n, d), in units of the mixture, or of the values themselves for propagation."""
    if units is not None and np.isfinite(units).all():
        alone = uncertainty(seen.phi, labels.indices, random_state=seed)[:, None]
        return np.where(np.isfinite(alone), alone, 1.0) * np.where(np.isfinite(alone), units, np.inf)
    try:
        return uncertainty(seen.phi, labels.indices, values, random_state=seed)
    except UnknownScaleError as error:
        tell(f"no standard deviations: {error}")
        return np.full((seen.graph.n_samples, values.shape[1]), np.nan)


def _named(what: str, array: Floats, labels: Labels) -> dict[str, Floats]:
    """One column, or one for each target, called as in the file of labels where that has names."""
    if labels.values.ndim == 1:  # type: ignore[union-attr]
        return {what: array[:, 0]}
    d = array.shape[1]
    names = labels.columns if len(labels.columns) == d else [str(j) for j in range(d)]
    return {f"{what}_{name}": array[:, j] for j, name in enumerate(names)}
