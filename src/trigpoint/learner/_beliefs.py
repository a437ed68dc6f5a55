"""What the labels so far say about every sample.

Classes are one-hot values, propagated by least squares; a row is a probability once its missing mass (of
classes that cannot be, and of samples that no label reaches) is spread evenly. Doubt is one minus the
largest probability: 0 where a label is known, 1 - 1 / n_classes where nothing is.
"""

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.propagation import propagate


@dataclass(frozen=True, eq=False)
class Known:
    """Labels in the order in which the samples were first told of.

    Attributes
    ----------
    landmarks : (l,) int64
    values : (l, d) one-hot rows of ``classes``, or real targets
    classes : in order of first appearance; empty for real targets
    """

    landmarks: Ints
    values: Floats
    classes: tuple[Hashable, ...]


def known_classes(labels: dict[int, Hashable], classes: Sequence[Hashable]) -> Known:
    numbers = {label: k for k, label in enumerate(dict.fromkeys([*classes, *labels.values()]))}
    values = np.zeros((len(labels), len(numbers)))
    values[np.arange(len(labels)), [numbers[label] for label in labels.values()]] = 1.0
    return Known(np.array(list(labels), dtype=np.int64), values, tuple(numbers))


def known_values(labels: dict[int, tuple[float, ...]]) -> Known:
    width = len(next(iter(labels.values()))) if labels else 1
    values = np.array(list(labels.values()), dtype=np.float64).reshape(len(labels), width)
    return Known(np.array(list(labels), dtype=np.int64), values, ())


def propagated(phi: Sparse, known: Known) -> Floats:
    """(n, d) values for all samples; NaN where no label reaches, which the loop is there to mend."""
    if len(known.landmarks) == 0:
        return np.full((phi.shape[0], known.values.shape[1]), np.nan)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*landmark.*", category=UserWarning)
        return propagate(phi, known.landmarks, known.values)


def probabilities(values: Floats) -> Floats:
    """Rows that sum to one; NaN rows stay."""
    values = np.maximum(values, 0.0)
    missing = np.maximum(1.0 - values.sum(axis=1, keepdims=True), 0.0)
    values = values + missing / max(values.shape[1], 1)
    return np.asarray(values / values.sum(axis=1, keepdims=True))


def doubt(probability: Floats) -> Floats:
    """(n,) one minus the largest probability; where nothing is known, all of it but one class's share."""
    n, n_classes = probability.shape
    if n_classes == 0:
        return np.ones(n)
    return np.asarray(1.0 - np.nan_to_num(probability, nan=1.0 / n_classes).max(axis=1))


def as_labels(numbers: Ints, classes: tuple[Hashable, ...]) -> Array:
    """Classes by number, -1 for unknown: an int64 array where they are integers, else objects with None."""
    if all(isinstance(label, int) and not isinstance(label, bool) for label in classes):
        return np.array([*classes, -1], dtype=np.int64)[numbers]
    table = np.empty(len(classes) + 1, dtype=object)
    table[:] = [*classes, None]
    return table[numbers]
