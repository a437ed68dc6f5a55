"""Pools of `endtoend`, cut to a size at which labels can be judged many times, and wrong labels for them.

uniform   a wrong label is any other class
pairs     each class is taken for the one that it is most confused with, by logistic regression in three folds
          on the true labels
"""

import sys
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

sys.path.append(str(Path(__file__).parents[1] / "endtoend"))
from pools import POOLS, loaded
from ways import scaler

from trigpoint.prediction import viewed_pool
from trigpoint.trials import rng_for

NAMES = (
    "digits",
    "mnist",
    "usps",
    "isolet",
    "satellite",
    "segment",
    "spam",
    "cancer",
    "umist",
    "palm",
    "banking77",
)
SMALLER = {"banking77": 800}  # 77 classes: a machine for each pair of them
KINDS = ("uniform", "pairs")
FOLDS = 3


@dataclass(frozen=True, eq=False)
class Drawn:
    """Samples of a pool, with their true classes by number."""

    X: Any
    y: Any

    @property
    def n_classes(self):
        return int(self.y.max()) + 1

    @cached_property
    def scaled(self):
        """Standardized features."""
        return scaler(self.X).fit_transform(self.X)

    @cached_property
    def viewed(self):
        return viewed_pool(self.X)

    @cached_property
    def confused(self):
        """(k,) the class that each one is most often taken for; where it never is, one at random."""
        k = self.n_classes
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        said = cross_val_predict(LogisticRegression(max_iter=100), self.scaled, self.y, cv=folds)
        counts = np.random.default_rng(0).random((k, k)) / 2.0
        np.add.at(counts, (self.y, said), 1.0)
        np.fill_diagonal(counts, -1.0)
        return counts.argmax(axis=1)

    def corrupted(self, samples, share, kind, rng):
        """Labels of these samples, and which are wrong."""
        wrong = np.zeros(len(samples), dtype=bool)
        wrong[rng.choice(len(samples), round(share * len(samples)), replace=False)] = True
        y, k = self.y[samples], self.n_classes
        other = (y + rng.integers(1, k, len(y))) % k if kind == "uniform" else self.confused[y]
        return np.where(wrong, other, y), wrong


@lru_cache(maxsize=1)
def drawn(name, number, folder, most, seed):
    X, y = loaded(name, folder)
    most = min(most, SMALLER.get(name, most))
    some = rng_for(seed, "noise", name, number).permutation(len(y))[:most]
    return Drawn(X[some], np.unique(y[some], return_inverse=True)[1])


def lacks(name, folder):
    return POOLS[name].lacks(folder)
