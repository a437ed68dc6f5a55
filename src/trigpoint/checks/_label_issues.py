"""Labels that the others contradict, ranked.

Each label is predicted by the others alone (`prediction`).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import (
    check_choice,
    check_distances,
    check_features,
    check_integer,
    check_pool_values,
)
from trigpoint.graph import N_NEIGHBORS, NeighborGraph
from trigpoint.prediction import (
    ViewedPool,
    check_view,
    graph_pool,
    predict_classes,
    predict_values,
    viewed_pool,
)
from trigpoint.propagation import decode, encode

TASKS = ("classification", "regression")
MANY = 2000  # classes
LARGE = 4e8  # numbers in one array
SAMPLE = 2000  # labels that choose the view of a large pool, at most


@dataclass(frozen=True, eq=False)
class LabelIssues:
    """How far each label can be trusted.

    Attributes
    ----------
    samples : (l,) int64, the samples that have a label
    labels : (l,) the labels as they were given
    quality : (l,) in [0, 1], how likely the label is right
    suggested : (l,) the class, or the value, that the others suggest
    suggested_probability : (l,) how likely the suggestion is right; NaN for real targets
    judged : (l,) bool, whether the others can tell: a class needs six labels, and so does another
    ranked : (l,) int64, places in these arrays, the most suspicious label first
    n_wrong : how many labels are probably wrong; NaN if no label can be judged
    low, high : a 90 % interval for it
    """

    samples: Ints
    labels: Array
    quality: Floats
    suggested: Array
    suggested_probability: Floats
    judged: Array
    ranked: Ints
    n_wrong: float
    low: float
    high: float

    @property
    def wrong(self) -> Ints:
        """Samples whose labels are probably wrong, the most suspicious first."""
        count = 0 if np.isnan(self.n_wrong) else round(self.n_wrong)
        return self.samples[self.ranked[:count]]


def label_issues(
    X: Any,
    labels: Any,
    *,
    task: str = "classification",
    view: str = "auto",
    n_neighbors: int = N_NEIGHBORS,
    metric: str = "euclidean",
) -> LabelIssues:
    """Rank labels by how likely they are wrong.

    Parameters
    ----------
    X : (n, p) features, dense or sparse, or a NeighborGraph
    labels : (n,) classes: unlabeled where -1, None or NaN; or (n,) or (n, d) real targets, NaN where unknown
    task : "classification" or "regression"
    view, n_neighbors, metric : as for `ManifoldClassifier`

    Returns
    -------
    LabelIssues
        How far each label can be trusted. ``wrong`` are the samples whose labels are probably wrong.

    Notes
    -----
    Cost: a fit of `ManifoldClassifier` to all labels; for 100,000 labeled samples about four times the
    graph. It can only see labels that others contradict: a class that is wrong everywhere looks right.

    See Also
    --------
    check_pool : copies, outliers and columns as well.
    consensus : where several people labeled the same samples.

    Examples
    --------
    >>> import numpy as np, trigpoint as tp
    >>> X = np.concatenate([np.random.default_rng(0).normal(k * 9, 1, (20, 8)) for k in range(2)])
    >>> labels = np.repeat([0, 1], 20)
    >>> labels[7] = 1
    >>> tp.label_issues(X, labels).wrong
    array([7])
    """
    check_choice(task, "task", TASKS)
    check_view(view, metric)
    check_integer(n_neighbors, "n_neighbors", 1)
    if not isinstance(X, NeighborGraph):
        X = check_distances(X) if metric == "precomputed" else check_features(X)
    n = X.n_samples if isinstance(X, NeighborGraph) else X.shape[0]
    if np.shape(labels)[:1] != (n,):
        raise InputError("labels", f"must be one for each of {n} samples", f"shape {np.shape(labels)}")
    if task == "regression":
        values = _named(check_pool_values, labels, n).reshape(n, -1)
        samples = np.flatnonzero(~np.isnan(values).any(axis=1))
        _check_counts(len(samples), values.shape[1])
        pool = _pool(X, view, n_neighbors, metric, samples, values[samples])
        return value_issues(pool, samples, values[samples])
    classes, codes = _named(encode, labels)
    samples = np.flatnonzero(codes >= 0)
    codes, k = codes[samples], len(classes)
    if k > MANY:
        advice = "merge rare ones, or give the classes of a group of samples at a time"
        raise InputError("labels", f"must have at most {MANY:,} classes: {advice}", f"{k:,}")
    _check_counts(len(samples), k)
    pool = _pool(X, view, n_neighbors, metric, samples, np.eye(k)[codes])
    return class_issues(pool, samples, classes, codes)


def _named(check: Any, labels: Any, *more: Any) -> Any:
    """What the check gives; it knows the labels by another name."""
    try:
        return check(labels, *more)
    except InputError as error:
        raise InputError("labels", error.rule, error.value) from None


def _check_counts(n_labels: int, width: int) -> None:
    if n_labels == 0:
        raise InputError("labels", "must hold at least one label; all are unknown")
    if n_labels * width > LARGE:
        rule = f"must need arrays of at most {LARGE:.0e} numbers: give those of a part of the pool at a time"
        raise InputError("labels", rule, f"{n_labels:,} labels, {n_labels * width:.2g} numbers")


def _pool(X: Any, view: str, n_neighbors: int, metric: str, samples: Ints, values: Floats) -> ViewedPool:
    if isinstance(X, NeighborGraph):
        return graph_pool(X)
    k = min(n_neighbors, max(X.shape[0] - 1, 1))
    some = slice(None, None, -(-len(samples) // SAMPLE))
    return viewed_pool(X, view, n_neighbors=k, metric=metric, landmarks=samples[some], values=values[some])


def class_issues(
    pool: ViewedPool,
    samples: Ints,
    classes: Array | Sequence[Hashable],
    codes: Ints,
    trusted: Array | None = None,
) -> LabelIssues:
    """Of labels by their numbers among the classes; ``trusted``, (l,) bool, are right for certain."""
    found = predict_classes(pool, samples, codes, len(classes), noise="auto", trusted=trusted, judge=True)
    noise = found.noise
    assert noise is not None
    R, count = noise.suspicion, len(codes)
    best, places = R.argmax(axis=1), np.arange(count)
    quality = R[places, codes]
    return LabelIssues(
        samples,
        decode(classes, codes),
        quality,
        decode(classes, best),
        R[places, best],
        noise.judged,
        np.lexsort((found.left_out[places, codes], quality)),
        noise.share * count,
        noise.low * count,
        noise.high * count,
    )


def value_issues(pool: ViewedPool, samples: Ints, values: Floats) -> LabelIssues:
    """Of real targets, (l, d)."""
    found = predict_values(pool, samples, values, noise="auto", judge=True)
    noise, suggested = found.noise, values + found.residuals
    assert noise is not None
    count, unit = len(values), np.where(values.std(axis=0) > 0, values.std(axis=0), 1.0)
    gaps = np.nan_to_num(np.abs(found.residuals) / unit, nan=0.0).max(axis=1)
    flat = values.shape[1] == 1
    return LabelIssues(
        samples,
        values[:, 0] if flat else values,
        noise.right,
        suggested[:, 0] if flat else suggested,
        np.full(count, np.nan),
        np.asarray(np.isfinite(suggested).all(axis=1)),
        np.lexsort((-gaps, noise.right)),
        noise.share * count,
        noise.low * count,
        noise.high * count,
    )
