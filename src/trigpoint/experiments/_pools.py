"""The pools that regression trials draw from: pictures, noise, principal components.

The pool is fixed, its noise too: what differs between trials is which samples they draw. Principal
components are those of the whole pool, as they must be: the paper takes 196 of them where a trial has
80 samples.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from sklearn.decomposition import PCA

from trigpoint import datasets
from trigpoint._types import Floats
from trigpoint.experiments._settings import CONDITIONS, Preset, RegressionSet
from trigpoint.trials import rng_for

SEED = 0  # of what is rendered


@dataclass(frozen=True, eq=False)
class Features:
    """A pool as the experiments see it."""

    X: Floats  # (n, p)
    values: Floats  # (n, d)


def check_data(preset: Preset, folder: str) -> None:
    """Refuse a folder that lacks what the real data sets need."""
    for known in preset.regression:
        if known.real:
            pictures(known, folder)


@lru_cache(maxsize=1)
def pictures(known: RegressionSet, folder: str | None) -> datasets.Pictures:
    """The images of a data set, with their values."""
    match known.name:
        case "isomap_faces":
            return datasets.load_isomap_faces(str(folder))
        case "faces":
            return datasets.make_faces(known.pool, random_state=SEED)
        case "lips":
            return datasets.make_lips(known.pool, random_state=SEED)
        case "jazz_hands":
            return datasets.make_jazz_hands(known.pool, random_state=SEED)
        case _:
            return datasets.make_deformed_grid(known.pool // 25, random_state=SEED)


@lru_cache(maxsize=2)
def features(known: RegressionSet, condition: str, folder: str | None) -> Features:
    """The pool under a condition, clean or noisy."""
    held = pictures(known, folder)
    X = held.X
    if CONDITIONS[condition]:
        noise = rng_for(SEED, known.name, condition).standard_normal(X.shape, dtype=np.float32)
        X = X + np.float32(CONDITIONS[condition]) * noise
    if known.n_features is not None:
        X = PCA(known.n_features, svd_solver="randomized", random_state=SEED).fit_transform(X)
    return Features(X.astype(np.float64), held.values)
