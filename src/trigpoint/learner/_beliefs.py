"""What the labels so far say about every sample.

Classes are one-hot values, propagated by least squares; `propagation.classify` makes probabilities of them.
"""

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from trigpoint._errors import UnreachedWarning
from trigpoint._types import Floats, Ints, Sparse
from trigpoint.propagation import classify, propagate


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
        warnings.simplefilter("ignore", UnreachedWarning)
        return propagate(phi, known.landmarks, known.values)


def flat_probabilities(phi: Sparse, known: Known) -> Floats:
    """(n, n_classes) for choosing questions: equal shares where no label reaches, in place of NaN."""
    found = classify(propagated(phi, known)).probabilities
    return np.nan_to_num(found, nan=1.0 / max(found.shape[1], 1))
