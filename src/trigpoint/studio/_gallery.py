"""Which samples a gallery shows, and in which order: all of them at once, as indices.

of          label      those with this label, or with any          predicted  those without an answer that are
            unlabeled  those that nobody has answered                         predicted so, also among tags
            flagged    those with a flag                           search     those that hold these words
            group      those that one act labeled together         cluster    those of one patch of the map
            all        all of them
sort        pool, by their place in the pool; uncertainty, the least sure first; wrong, the labels that look
            wrong first, the most suspicious of them at the head; similar, along the map

Patches of the map are made by k-means of the places on it: about √n / 2 of them, at most 60. Their numbers
follow the same curve as ``similar`` does, so that patches with near numbers are near. The curve is Hilbert's:
it visits every cell of a grid of 2¹⁶ × 2¹⁶ once, and each next cell touches the last.

Pictures that cannot be read are in no gallery. Nothing here is larger than a few arrays of n numbers.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from trigpoint._types import Array, Ints
from trigpoint.io import Samples
from trigpoint.studio._items import search
from trigpoint.studio._messages import Map, Predictions
from trigpoint.studio._requests import GalleryQuery

BITS = 16  # of each coordinate on the curve
MOST_PATCHES = 60
ROUNDS = 10  # of k-means


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of the samples at one moment; nobody changes it, so that a thread may read it.

    Attributes
    ----------
    samples : the pool
    labels : sample -> label
    answered : samples that somebody has answered
    flagged : samples with a flag
    group : samples that the group asked for has labeled
    suspects : samples whose labels look wrong, the most suspicious first
    skipped : samples that cannot be read
    predictions, map : the latest of the worker, where there are any
    names : what the classes of the predictions are called now; None for those that are no more
    """

    samples: Samples
    labels: Mapping[int, Any]
    answered: Collection[int]
    flagged: Collection[int]
    group: Collection[int]
    suspects: Sequence[int]
    skipped: Collection[int]
    predictions: Predictions | None
    map: Map | None
    names: Sequence[str | None]


def gallery(query: GalleryQuery, known: Known) -> Ints:
    """The samples that the query asks for, in its order."""
    shown = np.ones(known.samples.n_samples, dtype=bool)
    shown[list(known.skipped)] = False
    found = np.flatnonzero(shown & _matching(query, known))
    return found[_order(found, query.sort, known)]


def patches(known: Known) -> int:
    """How many patches the map has; 0 while there is none."""
    return 0 if known.map is None else int(patch_numbers(known.map).max(initial=-1)) + 1


def _matching(query: GalleryQuery, known: Known) -> Array:
    """(n,) bool"""
    n, name = known.samples.n_samples, query.name
    match query.of:
        case "all":
            return np.ones(n, dtype=bool)
        case "unlabeled":
            return ~_among(known.answered, n)
        case "flagged":
            return _among(known.flagged, n)
        case "group":
            return _among(known.group, n)
        case "search":
            return _among(search(known.samples, name, n)[0] if name else (), n)
        case "label":
            return _among([i for i, label in known.labels.items() if not name or _has(label, name)], n)
        case "predicted":
            return _predicted(name, known) & ~_among(known.answered, n)
        case "cluster":
            return _patch(name, known)


def _among(some: Collection[int], n: int) -> Array:
    found = np.zeros(n, dtype=bool)
    found[np.fromiter(some, np.intp, len(some))] = True
    return found


def _has(label: Any, name: str) -> bool:
    """Whether a label is of a class, or holds a tag."""
    return bool(label == name) if isinstance(label, str) else name in label


def _predicted(name: str, known: Known) -> Array:
    predictions = known.predictions
    if predictions is None:
        return np.zeros(known.samples.n_samples, dtype=bool)
    if predictions.values is not None:
        return np.asarray(np.isfinite(predictions.values).all(axis=1))
    wanted = [now is not None and (not name or now == name) for now in known.names]
    if predictions.tags is not None:
        return np.asarray((predictions.tags[:, wanted] > predictions.threshold).any(axis=1))
    return np.array([*wanted, False])[predictions.codes]  # of the code -1 the last


def _patch(name: str, known: Known) -> Array:
    """Patches are counted from 1; one that is not there has no samples."""
    if known.map is None:
        return np.zeros(known.samples.n_samples, dtype=bool)
    numbers = patch_numbers(known.map)
    wanted = next((k for k in range(int(numbers.max(initial=-1)) + 1) if str(k + 1) == name), None)
    return np.asarray(numbers == wanted) if wanted is not None else np.zeros(len(numbers), dtype=bool)


def _order(found: Ints, sort: str, known: Known) -> Ints:
    """Places in ``found``, whose samples rise; of equals the first comes first."""
    if sort == "uncertainty" and known.predictions is not None:
        return np.argsort(-known.predictions.uncertainty[found], kind="stable")
    if sort == "similar" and known.map is not None:
        return np.argsort(curve(known.map)[found], kind="stable")
    if sort == "wrong":
        ranks = np.full(known.samples.n_samples, len(known.suspects))
        ranks[list(known.suspects)] = np.arange(len(known.suspects))
        return np.argsort(ranks[found], kind="stable")
    return np.arange(len(found))


@lru_cache(maxsize=1)
def curve(drawn: Map) -> Array:
    """(n,) int64: how far along the curve each sample of a map lies."""
    places: Array = np.nan_to_num(np.asarray(drawn.coordinates, dtype=np.float64))
    low = places.min(axis=0, initial=np.inf)
    width = max(float((places - low).max(initial=0.0)), np.finfo(float).tiny)
    return along_curve(((places - low) / width * (2**BITS - 1)).astype(np.int64))


def along_curve(cells: Ints) -> Ints:
    """(n,) how far along Hilbert's curve cells of a grid of 2¹⁶ × 2¹⁶ lie, given as (n, 2)."""
    x, y = cells[:, 0].copy(), cells[:, 1].copy()
    far = np.zeros(len(cells), dtype=np.int64)
    for bit in reversed(range(BITS)):
        right, up = (x >> bit) & 1, (y >> bit) & 1
        far += ((3 * right) ^ up) << (2 * bit)
        turned = (up == 0) & (right == 1)
        x, y = (np.where(turned, 2**BITS - 1 - one, one) for one in (x, y))
        x, y = np.where(up == 0, y, x), np.where(up == 0, x, y)
    return far


@lru_cache(maxsize=1)
def patch_numbers(drawn: Map) -> Array:
    """(n,) int64: the patch of a map that each sample belongs to, from 0; none is empty."""
    places: Array = np.nan_to_num(np.asarray(drawn.coordinates, dtype=np.float64))
    n_patches = max(1, min(round(len(places) ** 0.5 / 2), MOST_PATCHES))
    far = np.argsort(curve(drawn), kind="stable")
    middles = np.unique(places[far[(2 * np.arange(n_patches) + 1) * len(far) // (2 * n_patches)]], axis=0)
    for _ in range(ROUNDS):
        numbers = cKDTree(middles).query(places)[1]
        sizes = np.bincount(numbers, minlength=len(middles))
        sums = np.stack([np.bincount(numbers, column, len(middles)) for column in places.T], axis=1)
        middles = (sums / np.maximum(sizes, 1)[:, None])[sizes > 0]
    return _numbered(cKDTree(middles).query(places)[1], curve(drawn))


def _numbered(rough: Ints, far: Ints) -> Ints:
    """Numbers without gaps, in the order of the middle of each patch on the curve."""
    _, numbers = np.unique(rough, return_inverse=True)
    middles = np.bincount(numbers, far.astype(np.float64)) / np.bincount(numbers)
    places = np.empty(len(middles), dtype=np.int64)
    places[np.argsort(middles, kind="stable")] = np.arange(len(middles))
    return places[numbers]
