"""The pools of the bake-off.

Settings were chosen on some of them ("tuning"): faces, Swiss roll, digits, Extended YaleB, AR and MNIST.
The others are the judges ("judging"): nothing was tuned on them.
"""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

import trigpoint as tp
from trigpoint import datasets

TUNING, JUDGING = "tuning", "judging"


@dataclass(frozen=True)
class Known:
    """One pool: features, or a graph, and what is true of its samples."""

    X: Any
    y: Any
    graph: Any = None


@dataclass(frozen=True)
class Pool:
    name: str
    group: str
    budgets: tuple[int, ...]
    load: Callable[[Path], Known]
    needs_data: bool = False
    features: bool = True
    real: bool = False  # values in place of classes
    n: int = 0  # about how many samples a split's pool has


def faces(folder):
    held = datasets.load_isomap_faces(folder)
    return Known(held.X.astype(float), held.values)


def swiss_roll(folder):
    held = datasets.make_swiss_roll(1300, random_state=0)
    return Known(held.X, held.values)


def torus(folder):
    held = datasets.make_torus(1300, random_state=0)
    return Known(held.X, held.values)


def digits(folder):
    return Known(*load_digits(return_X_y=True))


def mnist(folder):
    """The test set, 50 principal components."""
    held = datasets.load_mnist(folder / "mnist" if (folder / "mnist").is_dir() else folder)
    X = held.images[-10000:].reshape(10000, -1).astype(float)
    return Known(PCA(50, svd_solver="randomized", random_state=0).fit_transform(X), held.labels[-10000:])


def yaleb(folder):
    held = datasets.load_extended_yaleb(folder)
    return Known(datasets.random_faces(held.images, 504, random_state=0), held.labels)


def ar(folder):
    held = datasets.load_ar_faces(folder)
    return Known(datasets.random_faces(held.images, 540, random_state=0), held.labels)


def facebook(folder):
    """Pages that like each other; the type of a page is its class."""
    with (folder / "facebook_pages/facebook_target.csv").open(newline="", encoding="utf-8") as stream:
        types = {int(row["id"]): row["page_type"] for row in csv.DictReader(stream)}
    edges = np.loadtxt(folder / "facebook_pages/facebook_edges.csv", dtype=int, delimiter=",", skiprows=1)
    y = np.array([types[i] for i in range(len(types))])
    return Known(None, y, tp.graph_from_edges(edges, n_nodes=len(y)))


def letters(folder):
    """As Isolet: 26 classes in 617 dimensions, curved sheets of 100 samples, in groups near each other."""
    rng = np.random.default_rng(26)
    groups = rng.standard_normal((9, 12))
    centers = groups[rng.integers(9, size=26)] + 0.45 * rng.standard_normal((26, 12))
    turn = rng.standard_normal((12, 617)) / np.sqrt(12)
    X = []
    for center in centers:
        speaker = rng.standard_normal((100, 3))
        bent = np.column_stack([speaker, np.sin(speaker), speaker[:, :1] * speaker[:, 1:2]])
        X.append((center + 0.3 * bent @ rng.standard_normal((7, 12))) @ turn)
    X = np.concatenate(X)
    return Known(X + 0.3 * rng.standard_normal(X.shape), np.repeat(np.arange(26), 100))


def imbalanced(folder):
    """Digits, those from 5 on ten times as rare."""
    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    keep = np.flatnonzero((y < 5) | (rng.random(len(y)) < 0.1))
    return Known(X[keep], y[keep])


def noisy(folder):
    """Digits with noise of standard deviation 4 on pixels from 0 to 16."""
    X, y = load_digits(return_X_y=True)
    return Known(X + 4 * np.random.default_rng(0).standard_normal(X.shape), y)


def disconnected(folder):
    """Sheets of 20 to 400 samples, far apart, each cut into two or three of seven classes."""
    rng = np.random.default_rng(0)
    X, y = [], []
    for part, size in enumerate((400, 300, 200, 160, 120, 90, 60, 60, 40, 40, 30, 20)):
        u = rng.uniform(size=(size, 2))
        sheet = np.column_stack([np.sin(3 * u[:, 0]), u[:, 1], np.cos(3 * u[:, 0])])
        X.append(sheet + 20 * np.eye(3)[part % 3] * (1 + part // 3) + 0.02 * rng.standard_normal(sheet.shape))
        y.append((part + (u[:, 0] * (2 + part % 2)).astype(int)) % 7)
    return Known(np.concatenate(X), np.concatenate(y))


def blocks(folder):
    """A stochastic block graph: 10 blocks of 40 to 400 nodes, 12 edges a node inside and 3 outside."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(10), (400, 320, 260, 200, 160, 130, 100, 80, 60, 40))
    edges = []
    for block in range(10):
        inside, outside = np.flatnonzero(y == block), np.flatnonzero(y != block)
        edges.append(rng.choice(inside, (6 * len(inside), 2)))
        pairs = 3 * len(inside) // 2
        edges.append(np.column_stack([rng.choice(inside, pairs), rng.choice(outside, pairs)]))
    return Known(None, y, tp.graph_from_edges(np.concatenate(edges), n_nodes=len(y)))


POOLS = {  # the cheap ones first
    pool.name: pool
    for pool in (
        Pool("faces", TUNING, (10, 25, 63, 160), faces, True, real=True, n=524),
        Pool("imbalanced", JUDGING, (10, 25, 63, 160), imbalanced, n=740),
        Pool("swiss_roll", TUNING, (10, 25, 63, 160), swiss_roll, real=True, n=975),
        Pool("torus", JUDGING, (10, 25, 63, 160), torus, real=True, n=975),
        Pool("disconnected", JUDGING, (8, 20, 50, 120), disconnected, n=1140),
        Pool("blocks", JUDGING, (10, 28, 79, 220), blocks, features=False, n=1313),
        Pool("digits", TUNING, (20, 50, 100, 200), digits, n=1348),
        Pool("noisy", JUDGING, (20, 50, 100, 200), noisy, n=1348),
        Pool("letters", JUDGING, (52, 104, 208, 416), letters, n=1950),
        Pool("yaleb", TUNING, (76, 152, 304, 608), yaleb, True, n=1811),
        Pool("ar", TUNING, (100, 200, 400, 800), ar, True, n=1950),
        Pool("mnist", TUNING, (20, 74, 271, 1000), mnist, True, n=7500),
        Pool("facebook", JUDGING, (8, 40, 200, 1000), facebook, True, features=False, n=16853),
    )
}
