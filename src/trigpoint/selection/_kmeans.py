"""Samples nearest to the centers of clusters (Lloyd, 1982).

X is cut into k = l + a clusters, a being the number of positions that ``initial`` takes (landmarks
at one position count once). The centers start at those positions and at l samples drawn by
k-means++ given them (Arthur & Vassilvitskii, 2007): each in proportion to its squared distance
to the nearest start so far; the very first uniformly. scikit-learn's KMeans then moves them all,
MiniBatchKMeans where k times the entries of X exceed LARGE (there the starts come from a sample
of the pool, and the within-cluster squares end about 3 % higher).

Of the k centers, each position of ``initial``, in its order, claims the nearest center that is
unclaimed. The l others take samples, largest cluster first (ties by the nearest sample's index):
each the nearest sample that is free (the lower index of those that are equally near but for the
rounding of the center). An empty cluster takes its sample last.

Where X has at most k distinct rows, each is a center without more ado. Should these be too few,
all samples that are left duplicate a landmark, and are added in random order. Not nested: every
number of landmarks has clusters of its own.

Samples that count differently count so in all: in the draws, in the means that centers move to, and in the
size of a cluster.

Dense features are centered, and all divided by the largest where that is outside [1e-10, 1e10];
neither moves a cluster. One copy of X. All sums are made on one thread, so that they do not vary.
"""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._kernels import serial, serial_blas
from trigpoint._kernels.selection_draws import draw
from trigpoint._types import Array, Floats, Ints
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

LARGE = 5e8  # clusters times entries of X from which batches are used: a Lloyd step takes about 0.15 s there
START_ROWS = 10  # samples a cluster from which starts are drawn, in a large pool
BATCH = 8  # samples a cluster in a batch
TINY = 1e-12  # so that samples of weight 0 are drawn after all others
DISTANCES = 1 << 22  # from centers to samples, held at a time


def kmeans(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    X, free = _centered(pool.X), pool.free()
    landmarks = pool.initial[_firsts(_positions(X, pool.initial, len(pool.initial)))]
    with serial_blas():
        centers, sizes = _clusters(X, landmarks, n_landmarks, rng, pool.sample_weight)
        left = _unclaimed(centers, X, landmarks)
        picks = _nearest_samples(centers[left], sizes[left], X, free)
    free[picks] = False
    duplicates = rng.permutation(np.flatnonzero(free))[: n_landmarks - len(picks)]
    return np.concatenate([picks, duplicates])


SELECTOR = Selector("kmeans", kmeans, needs=("X",), weighs=True)


def _centered(X: Any) -> Any:
    entries = X.data if sparse.issparse(X) else X
    largest = max(entries.max(initial=0.0), -entries.min(initial=0.0))
    if largest > 0 and not 1e-10 <= largest <= 1e10:
        X = X / largest
    if sparse.issparse(X):
        index = np.int32 if X.nnz < 2**31 else np.int64  # scikit-learn's clusters take short ones only
        return sparse.csr_array((X.data, X.indices.astype(index), X.indptr.astype(index)), shape=X.shape)
    return np.subtract(X, X.mean(axis=0, dtype=np.float64).astype(X.dtype), order="C")


def _positions(X: Any, rows: Any, limit: int) -> Ints:
    """The position of each of the rows, numbered as they come up; empty where there are over ``limit``."""
    seen: dict[bytes, int] = {}
    numbers = np.empty(len(rows), dtype=np.int64)
    for k, i in enumerate(rows):
        numbers[k] = seen.setdefault(_key(X, i), len(seen))
        if len(seen) > limit:
            return np.empty(0, dtype=np.int64)
    return numbers


def _key(X: Any, i: int) -> bytes:
    """Equal for equal rows."""
    if not sparse.issparse(X):
        return bytes((X[i] + 0.0).tobytes())  # -0.0 becomes 0.0
    row = slice(X.indptr[i], X.indptr[i + 1])
    stored = X.data[row] != 0
    return bytes(X.indices[row][stored].tobytes() + X.data[row][stored].tobytes())


def _firsts(numbers: Ints) -> Ints:
    """Where each number comes up first."""
    return np.unique(numbers, return_index=True)[1].astype(np.int64, copy=False)


def _dense(X: Any) -> Array:
    return np.asarray(X.toarray() if sparse.issparse(X) else X)


def _clusters(
    X: Any, landmarks: Ints, n_landmarks: int, rng: np.random.Generator, m: Floats | None
) -> tuple[Array, Array]:
    """Centers (k, p) and how many samples each has, or what they count together."""
    k = n_landmarks + len(landmarks)
    numbers = _positions(X, range(X.shape[0]), k)
    if len(numbers):
        return _dense(X[_firsts(numbers)]), np.bincount(numbers, m)
    large = k * float(X.size) > LARGE
    rows = rng.permutation(X.shape[0])[: START_ROWS * k] if large else slice(None)
    starts = _starts(X[rows], _dense(X[landmarks]), n_landmarks, rng, None if m is None else m[rows])
    return _moved(X, starts, large, int(rng.integers(2**31)), m)


def _moved(X: Any, starts: Array, large: bool, seed: int, m: Floats | None = None) -> tuple[Array, Array]:
    """The centers where they have come to rest, and how many samples each has, or what these count."""
    from sklearn.cluster import KMeans, MiniBatchKMeans  # takes a second, so only when used
    from sklearn.exceptions import ConvergenceWarning

    k = len(starts)
    if large:
        model = MiniBatchKMeans(k, init=starts, n_init=1, batch_size=max(1024, BATCH * k), random_state=seed)
    else:
        model = KMeans(k, init=starts, n_init=1, copy_x=False, random_state=seed)
    with serial("openmp"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of clusters that end empty
        model.fit(X, sample_weight=m)
    return model.cluster_centers_, np.bincount(model.labels_, m, minlength=k)


def _starts(
    X: Any, positions: Array, n_landmarks: int, rng: np.random.Generator, m: Floats | None = None
) -> Array:
    """k-means++: the given positions, and rows of X that are far from all before them."""
    squares = _squared_norms(X)
    gap = np.full(X.shape[0], np.inf)  # squared distance to the nearest start
    untaken = np.ones(X.shape[0]) if m is None else m + TINY
    for x in positions:
        np.minimum(gap, _squared_distances(X, x, squares), out=gap)
    starts = list(positions)
    for share in rng.random(n_landmarks):
        counted = gap if m is None else np.where(m > 0, gap, 0.0) * m
        i = draw(counted if 0.0 < counted.sum() < np.inf else untaken, share)
        starts.append(_dense(X[[i]])[0])
        np.minimum(gap, _squared_distances(X, starts[-1], squares), out=gap)
        gap[i] = untaken[i] = 0.0
    return np.array(starts)


def _squared_norms(X: Any) -> Array:
    return np.asarray(X.multiply(X).sum(axis=1) if sparse.issparse(X) else np.einsum("ij,ij->i", X, X))


def _squared_distances(X: Any, x: Array, squares: Array) -> Array:
    return np.asarray(np.maximum(squares - 2.0 * (X @ x) + x @ x, 0.0))


def _unclaimed(centers: Array, X: Any, landmarks: Ints) -> Array:
    """A mask of the centers that no landmark claims."""
    left = np.ones(len(centers), dtype=bool)
    squares = _squared_norms(centers)
    for x in _dense(X[landmarks]):
        gap = _squared_distances(centers, x, squares)
        left[np.argmin(np.where(left, gap, np.inf))] = False
    return left


def _nearest_samples(centers: Array, sizes: Array, X: Any, free: Array) -> Ints:
    """A free sample for each center, the largest cluster's first."""
    free = free.copy()
    nearest = _nearest(centers, X, free)
    picks = np.empty(len(centers), dtype=np.int64)
    for step, c in enumerate(np.lexsort((nearest, -sizes))):
        i = nearest[c] if free[nearest[c]] else _nearest(centers[[c]], X, free)[0]
        picks[step], free[i] = i, False
    return picks


def _nearest(centers: Array, X: Any, free: Array) -> Ints:
    """The free sample nearest to each center, equally near ones by index.

    Products find all that may be nearest, for all their rounding; true differences then decide.
    """
    squares = np.where(free, _squared_norms(X), np.inf)
    lengths = _squared_norms(centers)
    band = 32.0 * float(np.finfo(X.dtype).eps)

    def blocks() -> Iterator[tuple[int, Array, Array]]:
        """First row, |x|^2 - 2 x.c for a block of rows (block, k), and what that may be wrong by."""
        size = max(1, DISTANCES // max(len(centers), 1))
        for start in range(0, X.shape[0], size):
            rows = slice(start, start + size)
            error = band * (np.where(free[rows], squares[rows], 0.0)[:, None] + lengths)
            yield start, squares[rows, None] - 2.0 * (X[rows] @ centers.T), error

    gap = np.full(len(centers), np.inf)
    for _, near, error in blocks():
        np.minimum(gap, (near + error).min(axis=0), out=gap)
    pairs = [np.argwhere(near - error <= gap) + np.array([start, 0]) for start, near, error in blocks()]
    return _decided(np.concatenate(pairs), centers, X)


def _decided(pairs: Ints, centers: Array, X: Any) -> Ints:
    """Of the candidates (sample, center), the nearest for each center."""
    i, c = pairs[np.lexsort((pairs[:, 0], pairs[:, 1]))].T
    d = np.empty(len(i))
    size = max(1, DISTANCES // X.shape[1])
    for start in range(0, len(i), size):
        part = slice(start, start + size)
        d[part] = np.linalg.norm(_dense(X[i[part]]).astype(np.float64) - centers[c[part]], axis=1)
    first = np.searchsorted(c, np.arange(len(centers)))
    least = np.minimum.reduceat(d, first)
    slack = 64.0 * float(np.finfo(X.dtype).eps) * (np.linalg.norm(centers, axis=1) + least)  # of the centers
    tied = np.flatnonzero(d <= (least + slack)[c])
    nearest: Ints = i[tied[np.searchsorted(c[tied], np.arange(len(centers)))]]
    return nearest
